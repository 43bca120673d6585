// A person's own security, in a browser that has an authenticator: from an account without a password to one with
// everything.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { check, email, look, password, person } from './browser.js';
import { Stage } from './stage.js';

const other = 'a wholly different sentence';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
let stage;
let stoa;
let browser;
let page;
let key;
let codes;

/** A device that says yes to whatever it is asked for. */
async function authenticator(at) {
  const cdp = await at.context().newCDPSession(at);
  await cdp.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
}

/** The code that an app shows (RFC 6238), `steps` of 30 s from now. */
function totp(secret, steps = 0) {
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', bytes).update(counter).digest();
  return String((mac.readUInt32BE(mac.at(-1) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const says = (at, text) => at.getByText(text).waitFor();
const section = (id) => page.locator(`#${id}`);

async function typePassword(at, word) {
  await at.getByLabel('Email address').fill(email);
  await at.getByLabel('Password').fill(word);
  await at.getByRole('button', { name: 'Sign in' }).click();
}

/** Another browser of the same person, at the page where the password leads. */
async function elsewhere(word = password) {
  const at = await person(browser);
  await at.goto(`${stoa.url}/security`);
  await typePassword(at, word);
  return at;
}

/** Every sign-in is longer ago. Node 20 has no SQLite of its own. */
async function halfAnHourPasses() {
  const statement = 'UPDATE session SET created_at = created_at - 1800000000, proven_at = proven_at - 1800000000';
  const script = 'import sqlite3, sys\nwith sqlite3.connect(sys.argv[1]) as db: db.execute(sys.argv[2])';
  await promisify(execFile)('python3', ['-c', script, join(stoa.folder, 'data', 'stoa.db'), statement]);
}

before(async () => {
  stage = await Stage.open();
  ({ stoa, browser, page } = stage);
  await authenticator(page);
});

after(() => stage?.close());

test('the owner comes in without any password', async () => {
  await page.goto(stoa.setupLink());
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Use a passkey instead of a password' }).click();
  await page.getByRole('heading', { name: 'Now your passkey' }).waitFor();
  await look(page, 'security-first');
  // Who goes away from here is told what is missing.
  await page.goto(`${stoa.url}/security`);
  await says(page, 'You have neither a passkey nor a password.');
  await page.goto(`${stoa.url}/security/first`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('heading', { name: 'Your Stoa' }).waitFor();
});

test('a passkey signs in', async () => {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(`${stoa.url}/security`);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Security' }).waitFor();
  assert.match(await section('sessions').innerText(), /Chrome on Linux\s+this browser/);
  assert.match(await section('sessions').innerText(), /with a passkey/);
  assert.match(await section('passkeys').innerText(), /Chrome on Linux/);
});

test('where there is no passkey, or a person says no, the page says so and goes on', async () => {
  const at = await person(browser);
  await at.goto(`${stoa.url}/sign-in`);
  await at.evaluate(() => { navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError')); });
  await at.getByRole('button', { name: 'Use a passkey' }).click();
  await at.getByRole('alert').filter({ hasText: 'Nothing came of it' }).waitFor();
  assert.ok(await at.getByRole('button', { name: 'Use a passkey' }).isEnabled());
  await check(at);
  await at.context().close();
});

test('a passkey gets another name, and the last way to sign in stays', async () => {
  await section('passkeys').getByText('Rename', { exact: true }).click();
  await section('passkeys').getByLabel('New name').fill('Ada\'s laptop <home>');
  await section('passkeys').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Ada\'s laptop <home>' }).waitFor();
  await section('passkeys').getByText('Remove', { exact: true }).click();
  await page.getByRole('button', { name: 'Yes, remove it' }).click();
  await page.getByRole('alert').filter({ hasText: 'your only way to sign in' }).waitFor();
  await check(page, 409);
});

test('a device that has a passkey makes no second one', async () => {
  await page.goto(`${stoa.url}/security`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('alert').filter({ hasText: 'has a passkey of yours already' }).waitFor();
});

test('a password is added', async () => {
  await page.goto(`${stoa.url}/security`);
  await section('password').getByText('Add a password').first().click();
  await section('password').getByLabel('New password').fill(password);
  await section('password').getByRole('button').click();
  await says(page, 'Your new password is set.');
});

test('a session that is ended is over in its browser', async () => {
  const at = await elsewhere();
  await at.getByRole('heading', { name: 'Security' }).waitFor();
  await page.goto(`${stoa.url}/security`);
  await look(page, 'security');
  await page.getByRole('button', { name: /Sign out there/ }).click();
  await says(page, 'That browser is signed out.');
  assert.equal(await page.getByRole('button', { name: /Sign out there/ }).count(), 0);
  await at.goto(`${stoa.url}/agents`);
  assert.match(at.url(), /\/sign-in\?next=/);
  await at.context().close();
});

test('an authenticator app is enrolled with the key that is shown once', async () => {
  const begin = async () => {
    await page.getByRole('button', { name: /Use an authenticator app|Usar una aplicación/ }).click();
    await page.locator('svg.qr').waitFor();
  };
  await begin();
  await look(page, 'security-app', begin);
  await page.goto(`${stoa.url}/security`);
  await begin();
  key = (await page.locator('pre').innerText()).trim();
  assert.match(key, /^[A-Z2-7]{32}$/);
  const link = await page.getByRole('link', { name: 'Open in an app' }).getAttribute('href');
  assert.equal(new URL(link).searchParams.get('secret'), key);
  await page.getByLabel('The six digits').fill(totp(key, 9));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await page.getByRole('alert').filter({ hasText: 'not what the app shows now' }).waitFor();
  assert.doesNotMatch(await page.content(), new RegExp(key));
  await page.getByLabel('The six digits').fill(totp(key));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Print' }).isVisible());
  codes = (await page.locator('pre').innerText()).trim().split('\n');
  assert.equal(codes.length, 10);
  await page.getByRole('link', { name: 'I have kept them' }).click();
  await says(page, 'Recovery codes left: 10.');
});

test('a password alone is not enough any more: a code of the app is', async () => {
  const at = await elsewhere();
  await at.getByRole('heading', { name: 'One more step' }).waitFor();
  await look(at, 'second-step');
  await at.getByLabel('Code').fill('000000');
  await at.getByRole('button', { name: 'Sign in' }).click();
  await at.getByRole('alert').filter({ hasText: 'not good' }).waitFor();
  // The present code was used up by enrolling.
  await at.getByLabel('Code').fill(totp(key, 1));
  await at.getByRole('button', { name: 'Sign in' }).click();
  await at.getByRole('heading', { name: 'Security' }).waitFor();
  assert.match(await at.locator('#sessions').innerText(), /with the password and a code of the app/);
  await at.context().close();
});

test('a recovery code is good once', async () => {
  const at = await elsewhere();
  await at.getByLabel('Code').fill(codes[0].toUpperCase().replaceAll('-', ' '));
  await at.getByRole('button', { name: 'Sign in' }).click();
  await says(at, 'Recovery codes left: 9.');
  await at.context().close();
  const again = await elsewhere();
  await again.getByLabel('Code').fill(codes[0]);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.getByRole('alert').filter({ hasText: 'used already' }).waitFor();
  await again.context().close();
});

test('a passkey does as a second step', async () => {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(`${stoa.url}/security`);
  await typePassword(page, password);
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Security' }).waitFor();
});

test('recovery codes are renewed, and the second step is turned off', async () => {
  const renewing = section('second-factor').locator('details').first();
  const renew = async () => {
    await renewing.locator('summary').click();
    await renewing.getByRole('button').click();
    await page.locator('pre').waitFor();
  };
  await renew();
  await look(page, 'security-codes', renew);
  await page.goto(`${stoa.url}/security`);
  await renew();
  const renewed = (await page.locator('pre').innerText()).trim().split('\n');
  assert.ok(renewed.every((code) => !codes.includes(code)));
  await check(page);
  await page.getByRole('link', { name: 'I have kept them' }).click();
  await section('second-factor').getByText('Turn it off', { exact: true }).click();
  await page.getByRole('button', { name: 'Yes, turn it off' }).click();
  await says(page, 'The second step is off.');
});

test('passkeys become the second step', async () => {
  await page.getByRole('button', { name: 'Use my passkeys' }).click();
  await page.getByRole('link', { name: 'I have kept them' }).click();
  const at = await elsewhere();
  await at.getByLabel('Recovery code').waitFor();
  await at.context().close();
  await section('second-factor').getByText('Turn it off', { exact: true }).click();
  await page.getByRole('button', { name: 'Yes, turn it off' }).click();
  await says(page, 'The second step is off.');
});

test('another password signs out everywhere else', async () => {
  const at = await elsewhere();
  await at.getByRole('heading', { name: 'Security' }).waitFor();
  await section('password').getByText('Change the password').first().click();
  await section('password').getByLabel('Current password').fill(password);
  await section('password').getByLabel('New password').fill(other);
  await section('password').getByRole('button').click();
  await says(page, 'Your new password is set.');
  await at.reload();
  assert.match(at.url(), /\/sign-in\?next=/);
  await typePassword(at, other);
  await at.getByRole('heading', { name: 'Security' }).waitFor();
  await at.locator('#sessions').getByText('Sign out everywhere else').first().click();
  await at.getByRole('button', { name: 'Yes, sign out everywhere else' }).click();
  await says(at, 'You are signed in here only.');
  await at.context().close();
});

test('without scripts everything but passkeys is there', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-US' });
  const at = await context.newPage();
  await at.goto(`${stoa.url}/security`);
  assert.ok(!(await at.getByRole('button', { name: 'Use a passkey' }).isVisible()));
  await typePassword(at, other);
  await at.getByRole('heading', { name: 'Security' }).waitFor();
  await says(at, 'Passkeys need JavaScript');
  assert.ok(!(await at.getByRole('button', { name: 'Add a passkey' }).isVisible()));
  await at.getByRole('button', { name: 'Use an authenticator app' }).click();
  await at.locator('svg.qr').waitFor();
  await at.getByLabel('The six digits').fill(totp((await at.locator('pre').innerText()).trim()));
  await at.getByRole('button', { name: 'Turn it on' }).click();
  await at.getByRole('link', { name: 'I have kept them' }).click();
  await at.locator('#second-factor summary').filter({ hasText: 'Turn it off' }).click();
  await at.getByRole('button', { name: 'Yes, turn it off' }).click();
  await says(at, 'The second step is off.');
  await at.locator('#password summary').click();
  await at.getByLabel('Current password').fill(other);
  await at.getByLabel('New password').fill(password);
  await at.locator('#password').getByRole('button').click();
  await says(at, 'Your new password is set.');
  await context.close();
});

test('who signed in a while ago does it once more and comes back', async () => {
  await page.goto(`${stoa.url}/security`);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Security' }).waitFor();
  await halfAnHourPasses();
  // The page was open before, and its form is sent now.
  await section('passkeys').getByText('Remove', { exact: true }).click();
  await page.getByRole('button', { name: 'Yes, remove it' }).click();
  await says(page, 'For this, sign in once more.');
  assert.equal(await page.getByLabel('Email address').inputValue(), email);
  await look(page, 'sign-in-again');
  await page.goto(`${stoa.url}/security`);
  await look(page, 'security-long-ago');
  assert.equal(await page.getByText('Remove', { exact: true }).count(), 0);
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Security' }).waitFor();
  await section('passkeys').getByText('Remove', { exact: true }).click();
  await page.getByRole('button', { name: 'Yes, remove it' }).click();
  await says(page, 'You have no passkey yet.');
});

test('a lost password is replaced by a passkey', async () => {
  const link = await stoa.command('account', 'reset', email);
  const at = await person(browser);
  await authenticator(at);
  await at.goto(`${stoa.url}${link.match(/\/reset#\S+/)[0]}`);
  await at.getByRole('button', { name: 'Use a passkey instead of a password' }).click();
  await at.getByRole('button', { name: 'Add a passkey' }).click();
  await at.getByRole('heading', { name: 'Your Stoa' }).waitFor();
  await at.getByRole('button', { name: 'Sign out' }).click();
  await at.getByRole('button', { name: 'Use a passkey' }).click();
  await at.getByRole('heading', { name: 'Your Stoa' }).waitFor();
  await at.context().close();
});
