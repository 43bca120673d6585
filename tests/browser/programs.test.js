// Programs that people have already, through the whole sign-in: started with nothing but the address.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DocumentHost } from '../clients/typescript/harness/document.js';
import { Remote, inspect } from '../clients/typescript/harness/programs.js';
import { Stoa } from '../clients/typescript/harness/stoa.js';
import { launch, person } from './browser.js';
import { connect, signIn } from './consent.js';

let folder;
let documents;
let stoa;
let browser;
let page;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-programs-'));
  documents = await DocumentHost.start();
  stoa = await Stoa.start(documents.settings);
  browser = await launch();
  page = await person(browser);
  await signIn(page, await stoa.personLink());
});

after(async () => {
  await browser?.close();
  await stoa?.stop();
  await documents?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Presses Connect, and waits until the browser has been carried on to the program. */
async function press(address) {
  await connect(page, address);
  await page.waitForURL((url) => url.origin !== stoa.url);
}

test('mcp-remote', async () => {
  const remote = new Remote(`${stoa.url}/things/mcp`, folder);
  try {
    await press(await remote.asked);
    await remote.connected;
    const { tools } = await remote.client.listTools();
    assert.ok(tools.some(({ name }) => name === 'search_things'));
    const search = () => remote.client.callTool({ name: 'search_things', arguments: {} });
    assert.equal((await search()).structuredContent.total, 0);
    const before = await remote.expire();
    assert.equal((await search()).structuredContent.total, 0);
    assert.notEqual((await remote.tokens()).refresh_token, before.refresh_token);
  } finally {
    await remote.client.close();
  }
});

for (const [way, words] of [
  ['dynamic registration', () => []],
  ['a metadata document', () => ['--client-metadata-url', documents.url]],
]) {
  test(`MCP Inspector, by ${way}`, async () => {
    const home = await mkdtemp(join(folder, 'inspector-'));
    const list = ['--method', 'tools/list'];
    const { asked, answer } = await inspect(`${stoa.url}/mcp`, home, [...words(), ...list]);
    const address = await asked;
    assert.equal(new URL(address).searchParams.get('client_id') === documents.url, words().length > 0);
    await press(address);
    assert.ok((await answer).tools.some(({ name }) => name === 'search_things'));
    // It asks nobody a second time.
    const call = ['--method', 'tools/call', '--tool-name', 'search_things'];
    const again = await inspect(`${stoa.url}/mcp`, home, [...words(), ...call]);
    await assert.rejects(again.asked, /no address was printed/);
    assert.equal((await again.answer).structuredContent.total, 0);
  });
}
