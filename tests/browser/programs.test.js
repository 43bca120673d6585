// Programs that people have already, through the whole sign-in: started with nothing but the address.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Remote, inspect } from '../clients/typescript/harness/programs.js';
import { handOver } from './consent.js';
import { House } from './house.js';

let folder;
let house;
let stoa;
let documents;
let page;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-programs-'));
  house = await House.open();
  ({ stoa, documents, page } = house);
});

after(async () => {
  await house?.close();
  await rm(folder, { recursive: true, force: true });
});

test('mcp-remote', async () => {
  const remote = new Remote(`${stoa.url}/things/mcp`, folder);
  try {
    await handOver(page, await remote.asked);
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
    await handOver(page, address);
    assert.ok((await answer).tools.some(({ name }) => name === 'search_things'));
    // It asks nobody a second time.
    const call = ['--method', 'tools/call', '--tool-name', 'search_things'];
    const again = await inspect(`${stoa.url}/mcp`, home, [...words(), ...call]);
    await assert.rejects(again.asked, /no address was printed/);
    assert.equal((await again.answer).structuredContent.total, 0);
  });
}
