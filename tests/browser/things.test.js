// The pages of things, by a person in a browser: a folder is connected, synced, searched and read.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { check, look, setUp } from './browser.js';
import { Stage } from './stage.js';
import { Stoa } from './stoa.js';

let stage;
let stoa;
let page;
let folder;

/** A Stoa whose people may connect folders below one. */
class Open extends Stoa {
  async prepare() {
    folder = join(this.folder, 'shared', 'notes');
    await mkdir(folder, { recursive: true });
    this.environment.STOA_THINGS__FOLDER_ROOTS = join(this.folder, 'shared');
    await writeFile(join(folder, 'lighthouse.md'), '# The lighthouse\n\nIts lamp was lit by hand.\n');
    await writeFile(join(folder, '<b>bold<b>\u202e.txt'), 'A name that would be markup, and turns the line around.');
    const long = Array.from({ length: 4000 }, (_, line) => `line ${line} of a long report`).join('\n');
    await writeFile(join(folder, 'report.txt'), long);
  }
}

before(async () => {
  stage = await Stage.open(Open);
  ({ stoa, page } = stage);
  await setUp(page, stoa);
});

after(() => stage?.close());

const tab = (name) => page.getByLabel('Pages of things').getByRole('link', { name }).click();

test('only what lies below the folders that the operator named can be connected', async () => {
  await page.getByLabel('Pages', { exact: true }).getByRole('link', { name: 'Things' }).click();
  await tab('Places');
  await page.getByRole('link', { name: 'Connect a place' }).click();
  await look(page, 'things-connect');
  await page.getByLabel('Name', { exact: true }).fill('Notes');
  await page.getByLabel('The folder\'s path').fill('/etc');
  await page.getByRole('button', { name: 'Connect a place' }).click();
  assert.match(await page.getByRole('alert').innerText(), /lets no such folder be connected/);
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Notes', 'what was filled in is still there');
  await check(page, 400);
  await page.getByLabel('The folder\'s path').fill(folder);
  await page.getByRole('button', { name: 'Connect a place' }).click();
  await page.getByRole('heading', { name: 'Notes' }).waitFor();
});

test('a sync is started, followed to its end without a reload, and counted', async () => {
  await page.getByRole('button', { name: 'Check: Notes' }).click();
  assert.match(await page.getByRole('status').innerText(), /It answers/);
  await page.getByRole('button', { name: 'Sync now: Notes' }).click();
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  const run = page.getByRole('listitem').filter({ hasText: 'Sync: Notes' }).first();
  await run.getByText('Done').waitFor();
  assert.match(await run.innerText(), /3/);
  await look(page, 'things-runs');
  await tab('Places');
  await page.getByText('3 files, 3 new').waitFor();
  await look(page, 'things-places');
});

test('a word in a text finds the thing, whose page shows where it lies and what it says', async () => {
  await tab('Search');
  await page.getByLabel('Search for').fill('lamp');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('1 thing', { exact: true }).waitFor();
  await look(page, 'things-search');
  await page.getByRole('link', { name: 'The lighthouse' }).click();
  await page.getByText('Its lamp was lit by hand.').waitFor();
  assert.ok(await page.getByText('lighthouse.md').isVisible());
  await look(page, 'thing');
  await page.getByRole('button', { name: 'Analyze again' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Analysis' }).getByText('Done').waitFor();
});

test('a long text is read piece by piece, to its end and back', async () => {
  await tab('Search');
  await page.getByLabel('Search for').fill('report');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'report' }).click();
  const text = page.locator('pre.text');
  assert.match(await text.innerText(), /^line 0 /);
  await page.getByRole('link', { name: 'Read on' }).click();
  await page.getByRole('link', { name: 'From the beginning' }).waitFor();
  assert.doesNotMatch(await text.innerText(), /^line 0 /);
});

test('a name that would be markup is a name, and a bad query is said to be one', async () => {
  await tab('Search');
  await page.getByLabel('Search for').fill('bold');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('1 thing', { exact: true }).waitFor();
  assert.equal(await page.locator('main b').count(), 0);
  await page.getByLabel('Search for').fill('!!!');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('alert').waitFor();
  await check(page, 400);
});
