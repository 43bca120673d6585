// Official clients that know nothing but the address, through the whole sign-in: each finds the authorization server,
// says who it is, has a person press Connect, redeems the code, calls tools, and goes on when its token has run out.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Agent } from '../clients/typescript/harness/agent.js';
import { clients } from '../clients/typescript/harness/clients.js';
import { arrived, connect, said } from './consent.js';
import { House } from './house.js';

const mounts = [{ path: '/things/mcp', issuer: '/things' }, { path: '/mcp', issuer: '' }];
let house;
let stoa;
let documents;
let page;

before(async () => {
  house = await House.open();
  ({ stoa, documents, page } = house);
});

after(() => house?.close());

/** How many things a search finds: a tool that every grant opens. */
async function search(client) {
  const result = await client.callTool({ name: 'search_things', arguments: {} });
  assert.ok(!result.isError, JSON.stringify(result));
  return result.structuredContent.total;
}

/** Connects an agent of this kind by a click, which names itself by `document` or is registered. */
async function walk(kind, mount, document) {
  const agent = await Agent.start(stoa.url + mount.path, kind.name, { kind, document });
  try {
    const address = await agent.ask();
    const named = new URL(address).searchParams.get('client_id');
    assert.equal(named === documents.url, document !== undefined);
    await page.goto(address);
    assert.equal(await said(page, 'Unverified name'), document ? 'Documented agent' : kind.name);
    assert.match(await said(page, 'Program\'s host'), document ? /^localhost$/ : /^none/);
    await connect(page, address);
    await arrived(page);
    assert.equal((await agent.answered()).get('iss'), stoa.url + mount.issuer);
    const client = await agent.finish();
    assert.equal(kind.spoken(client), kind.revision);
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'search_things'));
    assert.equal(await search(client), 0);
    await outlive(agent);
    assert.equal(agent.provider.asked, address, 'nobody is asked again');
  } finally {
    await agent.stop();
  }
}

/** The agent calls on after its access token has run out, with another pair of tokens. */
async function outlive(agent) {
  const before = agent.provider.tokens();
  agent.expire();
  assert.equal(await search(agent.client), 0);
  const renewed = agent.provider.tokens();
  assert.notEqual(renewed.access_token, before.access_token);
  assert.notEqual(renewed.refresh_token, before.refresh_token);
}

for (const kind of clients) {
  for (const mount of mounts) {
    test(`${kind.name} at ${mount.path}, by dynamic registration`, () => walk(kind, mount));
    test(`${kind.name} at ${mount.path}, by a metadata document`, () => walk(kind, mount, documents.url));
  }
}

test('a metadata document is read once for each server, however often its clients come and refresh', () => {
  assert.equal(documents.reads, mounts.length);
});

test('an app is handed the answer by its own scheme, and the page shows the address to copy', async () => {
  const redirect = 'cursor://anysphere.cursor-mcp/oauth/callback';
  const agent = Agent.app(`${stoa.url}/mcp`, 'Cursor', redirect);
  try {
    await connect(page, await agent.ask());
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    const target = await page.getByRole('link', { name: 'Go on to the program' }).getAttribute('href');
    assert.equal(await page.locator('pre').innerText(), target);
    const answer = new URL(target);
    assert.equal(target.split('?')[0], redirect);
    assert.equal(answer.searchParams.get('iss'), stoa.url);
    // No browser of a test opens an app: this one is handed its answer here.
    agent.answer = answer.searchParams;
    assert.equal(await search(await agent.finish()), 0);
    await outlive(agent);
  } finally {
    await agent.stop();
  }
});
