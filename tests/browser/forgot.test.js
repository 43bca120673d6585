// What a person does who lost their password, where mail is configured.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { check, email, look, person, setUp } from './browser.js';
import { MailServer } from './mail.js';
import { Stage } from './stage.js';
import { Stoa } from './stoa.js';

let mail;
let stage;
let page;

before(async () => {
  mail = await MailServer.start();
  stage = await Stage.open({ start: () => Stoa.start(mail.settings) });
  await setUp(stage.page, stage.stoa);
  page = await person(stage.browser);
});

after(async () => {
  await stage?.close();
  mail?.stop();
});

/** The link of the one mail that comes. */
async function mailed() {
  for (let left = 500; mail.mails.length === 0 && left > 0; left--) await delay(20);
  assert.equal(mail.mails.length, 1);
  // Long lines come folded (quoted-printable).
  return mail.mails.shift().replaceAll('=\n', '').match(/http\S+#\S+/)[0];
}

test('a lost password is replaced with the link that is mailed', async () => {
  await page.goto(`${stage.stoa.url}/sign-in`);
  await page.getByRole('link', { name: 'Lost your password?' }).click();
  await look(page, 'forgot');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Mail the link' }).click();
  await page.getByRole('status').getByText('a link is on its way there').waitFor();
  await check(page);
  await page.goto(await mailed());
  await page.getByLabel('New password').fill('an unrelated battery of words');
  await page.getByRole('button', { name: 'Set it and sign in' }).click();
  await page.getByRole('heading', { name: 'Your Stoa' }).waitFor();
});

test('an invitation is mailed to whom it is for', async () => {
  await page.goto(`${stage.stoa.url}/members`);
  await page.getByLabel('Email address').fill('grace@example.com');
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.getByRole('status').getByText('was mailed').waitFor();
  await check(page);
  assert.equal(await mailed(), await page.locator('pre').innerText());
});
