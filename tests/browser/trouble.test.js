// What a person sees whose program calls itself by a name that this server does not know.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { look } from './browser.js';
import { Stage } from './stage.js';

let stage;
let stoa;
let page;

before(async () => {
  stage = await Stage.open();
  ({ stoa, page } = stage);
});

after(() => stage?.close());

test('a forgotten program is told of with how to make each forget this server', async () => {
  const answer = await page.goto(`${stoa.url}/things/oauth/authorize?client_id=forgotten&response_type=code`);
  assert.equal(answer.status(), 400);
  await look(page, 'unknown-client', undefined, 400);
  assert.equal(await page.getByRole('alert').count(), 1);
  assert.equal(await page.getByRole('listitem').count(), 6);
  assert.ok(await page.getByText('claude mcp logout NAME').isVisible());
});
