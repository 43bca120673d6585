// What an agent does with things, and what it is refused, with each official client at each endpoint.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { clients, connect } from './harness/clients.js';
import { Stoa } from './harness/stoa.js';

const reading = ['things:read', 'resources:read'];
const everything = [...reading, 'things:write', 'resources:command'];
const readingTools = [
  'check_resource', 'describe_resource', 'get_thing', 'list_resources', 'list_runs', 'search_things',
];
const allTools = [...readingTools, 'analyze_thing', 'cancel_run', 'sync_resource'].sort();
const mounts = [{ name: 'things', path: '/things/mcp' }, { name: 'all', path: '/mcp' }];
const pageLength = 8_000;
const syncLimit = 180_000;

const stoa = await Stoa.start();
after(() => stoa.stop());

/** What a tool answers, given that it succeeds. */
async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, JSON.stringify(result));
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

async function toolNames(client) {
  const { tools } = await client.listTools();
  return tools.map((tool) => tool.name).sort();
}

/** The run `id` once it is over; asks less and less often, to stay below the caller's limit. */
async function finished(client, id) {
  const deadline = Date.now() + syncLimit;
  for (let pause = 100; ; pause = Math.min(pause * 2, 3_000)) {
    const { runs } = await call(client, 'list_runs', {});
    const run = runs.find((run) => run.id === id);
    assert.ok(run, `the run ${id} is listed for who started it`);
    if (!['queued', 'running'].includes(run.status)) return run;
    assert.ok(Date.now() < deadline, `the run is over within ${syncLimit} ms: ${JSON.stringify(run)}`);
    await delay(pause);
  }
}

/** All pages of a thing's text, each within the page's length and beginning where the last one ended. */
async function wholeText(client, id) {
  const pages = [];
  for (let offset = 0; offset !== undefined;) {
    const page = await call(client, 'get_thing', { id, offset });
    const length = [...page.body].length;
    assert.ok(length <= pageLength);
    assert.equal(page.body_truncated, page.next_offset !== undefined);
    if (page.body_truncated) assert.equal(page.next_offset, offset + length);
    pages.push(page.body);
    offset = page.next_offset;
  }
  return pages;
}

const oneLine = (text) => text.replace(/\s+/g, ' ');
const searchForPhrase = (client) => call(client, 'search_things', { query: `"${stoa.phrase}"` });
const isTheDocument = (thing) => thing.references.some((reference) => reference.key === stoa.documentKey);

function walk(kind, mount) {
  const url = stoa.url + mount.path;
  let client;

  before(async () => { client = await connect(kind, url, await stoa.token(mount.name, everything)); });
  after(() => client?.close());

  test(`speaks ${kind.revision}`, () => {
    assert.equal(kind.spoken(client), kind.revision);
  });

  test('lists the tools that the grant opens', async () => {
    assert.deepEqual(await toolNames(client), allTools);
  });

  test('syncs the folder and waits for it', async () => {
    const queued = await call(client, 'sync_resource', { resource_id: stoa.resource });
    assert.equal(queued.status, 'queued');
    const run = await finished(client, queued.run_id);
    assert.equal(run.status, 'done', JSON.stringify(run));
    assert.equal(run.kind, 'sync');
    assert.equal(run.resource_id, stoa.resource);
  });

  test('finds a document by a phrase in its text', async () => {
    const { things, total, completeness } = await searchForPhrase(client);
    assert.ok(things.some(isTheDocument), JSON.stringify(things));
    assert.ok(total >= 1);
    assert.deepEqual([completeness.synced, completeness.of], [1, 1]);
  });

  test('reads a document to its end, page by page', async () => {
    const { id } = (await searchForPhrase(client)).things.find(isTheDocument);
    const pages = await wholeText(client, id);
    assert.ok(pages.length > 1);
    assert.ok(oneLine(pages.join('')).includes(stoa.phrase));
  });

  test('a bad argument is an answer that says so', async () => {
    for (const args of [{ limit: 0 }, { query: 7 }, { colour: 'red' }]) {
      const result = await client.callTool({ name: 'search_things', arguments: args });
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent.error, 'ArgumentError');
      assert.ok(result.content[0].text.includes('ArgumentError'));
    }
  });

  test('an unknown tool is a protocol error', async () => {
    const call = client.callTool({ name: 'no_such_tool', arguments: {} });
    await assert.rejects(call, (error) => error.code === -32602 && /Tool not found: no_such_tool/.test(error.message));
  });

  test('a tool outside the grant does not exist', async () => {
    const reader = await connect(kind, url, await stoa.token(mount.name, reading));
    assert.deepEqual(await toolNames(reader), readingTools);
    const call = reader.callTool({ name: 'sync_resource', arguments: { resource_id: stoa.resource } });
    await assert.rejects(call, (error) => error.code === -32602 && /Tool not found: sync_resource/.test(error.message));
    await reader.close();
  });

  test('neither a wrong token connects, nor one of another mount', async () => {
    const other = mounts.find((each) => each !== mount);
    for (const token of ['wrong', await stoa.token(other.name, everything)]) {
      await assert.rejects(connect(kind, url, token), (error) => kind.status(error) === 401);
    }
  });
}

for (const kind of clients) {
  for (const mount of mounts) {
    describe(`${kind.name} at ${mount.path}`, () => walk(kind, mount));
  }
}
