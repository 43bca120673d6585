// Signing in at a certified OpenID provider, in a browser: the first time, again, and once more for something grave.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { check, launch, look, person } from './browser.js';
import { OpenId } from './provider.js';
import { Stoa } from './stoa.js';

const bob = 'bob@example.org';
let provider;
let stoa;
let browser;
let page;

before(async () => {
  provider = await OpenId.start();
  stoa = await Stoa.start(provider.settings);
  provider.admit(stoa.url);
  browser = await launch();
  page = await person(browser, { trusting: true });
});

after(async () => {
  await browser?.close();
  await stoa?.stop();
  await provider?.stop();
});

/** What the provider asks a person there. */
async function signInThere(at, name) {
  await at.waitForURL(`${provider.issuer}/**`);
  await at.getByPlaceholder('Enter any login').fill(name);
  await at.getByPlaceholder('and password').fill('any');
  await at.getByRole('button', { name: 'Sign-in' }).click();
}

async function agreeThere(at) {
  await at.getByRole('button', { name: 'Continue' }).click();
}

test('somebody of the house\'s domain comes in by the provider, where they wanted to go', async () => {
  await page.goto(`${stoa.url}/agents`);
  await look(page, 'sign-in-oidc');
  await page.getByRole('link', { name: 'Sign in with Example' }).click();
  await signInThere(page, bob);
  await agreeThere(page);
  await page.waitForURL(`${stoa.url}/agents`);
  await check(page);
  await page.goto(`${stoa.url}/security`);
  await page.getByText(bob).first().waitFor();
  await check(page);
});

test('who is still signed in there is in with one click, and is asked again where it matters', async () => {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(`${stoa.url}/sign-in`);
  await page.getByRole('link', { name: 'Sign in with Example' }).click();
  await page.waitForURL(`${stoa.url}/`);
  await page.goto(`${stoa.url}/sign-in?next=/security&again=1`);
  await page.getByRole('link', { name: 'Sign in with Example' }).click();
  await signInThere(page, bob);
  await page.waitForURL(`${stoa.url}/security`);
});

test('whom nobody invited is told so', async () => {
  const stranger = await person(browser, { trusting: true });
  await stranger.goto(`${stoa.url}/sign-in`);
  await stranger.getByRole('link', { name: 'Sign in with Example' }).click();
  await signInThere(stranger, 'eve@example.net');
  await agreeThere(stranger);
  assert.match(await stranger.getByRole('alert').innerText(), /There is no account for you here/);
  await check(stranger, 403);
});

test('who turns back at the provider is at the door again', async () => {
  const hesitant = await person(browser, { trusting: true });
  await hesitant.goto(`${stoa.url}/sign-in`);
  await hesitant.getByRole('link', { name: 'Sign in with Example' }).click();
  await hesitant.waitForURL(`${provider.issuer}/**`);
  await hesitant.getByRole('link', { name: 'Cancel' }).click();
  assert.match(await hesitant.getByRole('alert').innerText(), /Example did not sign you in/);
  await check(hesitant, 403);
});
