// A workspace as a whole, by its owner in a browser: what it has is taken away, and then it is deleted by its name.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { check, launch, look, person, setUp } from './browser.js';
import { Stoa } from './stoa.js';

let stoa;
let browser;
let page;

before(async () => {
  stoa = await Stoa.start();
  browser = await launch();
  page = await person(browser);
  await setUp(page, stoa);
});

after(async () => {
  await browser?.close();
  await stoa?.stop();
});

const open = (name) => page.getByLabel('Pages', { exact: true }).getByRole('link', { name }).click();

test('the server\'s own workspace is not to be deleted', async () => {
  await open('Settings');
  await page.getByText('can\'t be deleted').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Delete for good' }).count(), 0);
  await check(page);
});

test('everything is taken away in one file, in which no password is', async () => {
  await open('Workspaces');
  await page.getByLabel('Name').fill('acme');
  await page.getByRole('button', { name: 'Make the workspace' }).click();
  await page.waitForURL('**/w/acme/');
  await open('Settings');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the archive' }).click();
  const download = await saved;
  assert.equal(download.suggestedFilename(), 'stoa-acme.tar.gz');
  const archive = gunzipSync(await readFile(await download.path())).toString('latin1');
  assert.match(archive, /tables\/membership\/000001\.jsonl/);
  assert.match(archive, /ada@example\.com/);
  assert.doesNotMatch(archive, /argon2|password_hash/);
});

test('a workspace is deleted by who types its name, and is gone', async () => {
  await page.getByRole('group').getByText('Delete this workspace').click();
  await look(page, 'settings');
  // In another language and back the page is closed again.
  await page.getByRole('group').getByText('Delete this workspace').click();
  const name = page.getByLabel('To delete it, type its name');
  await name.fill('acne');
  await page.getByRole('button', { name: 'Delete for good' }).click();
  assert.match(await page.getByRole('alert').innerText(), /Nothing was deleted/);
  await check(page, 400);
  await page.getByRole('group').getByText('Delete this workspace').click();
  await name.fill('acme');
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('heading', { name: 'The workspace is gone' }).waitFor();
  await check(page);
  await page.getByRole('link', { name: 'Your workspaces' }).click();
  assert.equal(await page.getByRole('link', { name: 'acme' }).count(), 0);
  const answer = await page.goto(`${stoa.url}/w/acme/settings`);
  assert.equal(answer.status(), 403);
  await page.goto(`${stoa.url}/activity`);
  await page.getByText('Delete a workspace').waitFor();
});
