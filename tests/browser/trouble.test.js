// What a person sees whose program calls itself by a name that this server does not know.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, look, person } from './browser.js';
import { Stoa } from './stoa.js';

let stoa;
let browser;
let page;

before(async () => {
  stoa = await Stoa.start();
  browser = await launch();
  page = await person(browser);
});

after(async () => {
  await browser?.close();
  await stoa?.stop();
});

test('a forgotten program is told of with how to make each forget this server', async () => {
  const answer = await page.goto(`${stoa.url}/things/oauth/authorize?client_id=forgotten&response_type=code`);
  assert.equal(answer.status(), 400);
  await look(page, 'unknown-client', undefined, 400);
  assert.equal(await page.getByRole('alert').count(), 1);
  assert.equal(await page.getByRole('listitem').count(), 6);
  assert.ok(await page.getByText('claude mcp logout NAME').isVisible());
});
