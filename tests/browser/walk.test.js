// From the link that the server prints to an agent that was connected and is ended, by a person in a browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { Agent } from '../clients/typescript/harness/agent.js';
import { clients, connect } from '../clients/typescript/harness/clients.js';
import { check, email, look, password, person } from './browser.js';
import { arrived } from './consent.js';
import { Stage } from './stage.js';

let stage;
let stoa;
let browser;
let page;

before(async () => {
  stage = await Stage.open();
  ({ stoa, browser, page } = stage);
});

after(() => stage?.close());

test('nobody is let in before there is an account', async () => {
  await page.goto(stoa.url);
  assert.match(page.url(), /\/sign-in\?next=/);
  await look(page, 'sign-in');
});

test('the link that the server printed makes the account of its owner', async () => {
  await page.goto(stoa.setupLink());
  assert.equal(new URL(page.url()).hash, '', 'the key is not left in the bar');
  await look(page, 'setup');
  await page.goto('about:blank');
  await page.goto(stoa.setupLink());
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Make my account' }).click();
  await page.getByRole('heading', { name: 'Your Stoa' }).waitFor();
  await look(page, 'home');
});

test('the link is good once', async () => {
  const other = await person(browser);
  await other.goto(stoa.setupLink());
  await other.getByLabel('Email address').fill('eve@example.com');
  await other.getByLabel('Password').fill(password);
  await other.getByRole('button', { name: 'Make my account' }).click();
  await other.getByRole('alert').waitFor();
  assert.match(await other.getByRole('alert').innerText(), /stoa setup-link/);
  await other.context().close();
});

test('an agent that knows only the address is connected by a click', async () => {
  const agent = await Agent.start(`${stoa.url}/things/mcp`, 'Ada\'s editor');
  try {
    await page.goto(await agent.ask());
    await page.getByRole('heading', { name: 'Connect an agent?' }).waitFor();
    assert.ok(await page.getByText('Ada\'s editor', { exact: true }).isVisible());
    assert.ok(await page.getByText('127.0.0.1 (a program on this machine)').isVisible());
    assert.ok(!(await page.getByRole('checkbox', { name: /Have places synced/ }).isChecked()));
    await look(page, 'consent');
    const asked = page.url();
    await page.getByRole('button', { name: 'Connect' }).click();
    await arrived(page);
    assert.equal((await agent.answered()).get('iss'), `${stoa.url}/things`);
    const client = await agent.finish();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    assert.ok(names.includes('search_things'));
    assert.ok(!names.includes('sync_resource'), 'what was not ticked does not exist');
    const { structuredContent } = await client.callTool({ name: 'search_things', arguments: {} });
    assert.equal(structuredContent.total, 0);

    const again = await person(browser);
    await again.context().addCookies(await page.context().cookies());
    await again.goto(asked);
    assert.match(await again.getByRole('alert').innerText(), /used already/);
    await again.context().close();

    await page.goto(`${stoa.url}/agents`);
    assert.ok(await page.getByRole('heading', { name: 'Ada\'s editor' }).isVisible());
    assert.ok(await page.getByText('Search: once').isVisible());
    await look(page, 'agents');
    await page.getByRole('link', { name: 'What it did: Ada\'s editor' }).click();
    const search = page.getByRole('listitem').filter({ hasText: 'search_things' });
    assert.match(await search.innerText(), /Done/);
    await look(page, 'activity');
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as JSON lines' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n').map(JSON.parse);
    assert.deepEqual(lines.filter(({ tool }) => tool === 'search_things').map(({ status }) => status), ['ok']);
    await page.goto(`${stoa.url}/agents`);
    await page.getByRole('button', { name: /End/ }).click();
    await page.getByText('No agent is connected yet').waitFor();
    await assert.rejects(client.callTool({ name: 'search_things', arguments: {} }));
  } finally {
    await agent.stop();
  }
});

test('an agent without a browser gets a token of its own, shown once', async () => {
  await page.goto(`${stoa.url}/agents`);
  await page.getByRole('link', { name: 'New personal token' }).click();
  await look(page, 'new-token');
  await page.getByLabel('Name it').fill('Night build');
  await page.getByLabel('Connected to').selectOption('Things');
  await page.getByRole('button', { name: 'Make the token' }).click();
  await page.getByRole('heading', { name: 'Your new token' }).waitFor();
  const token = await page.locator('pre').first().innerText();
  await check(page);
  await page.getByText('VS Code').click();
  assert.ok(await page.getByText('.vscode/mcp.json').isVisible());
  const client = await connect(clients[0], `${stoa.url}/things/mcp`, token);
  assert.ok((await client.listTools()).tools.length > 0);
  await client.close();
  await page.goto(`${stoa.url}/agents`);
  assert.ok(await page.getByRole('heading', { name: 'Night build' }).isVisible());
  assert.ok(!(await page.content()).includes(token));
});

test('who says no is asked no more, and the agent is told', async () => {
  const agent = await Agent.start(`${stoa.url}/mcp`, 'Unwanted');
  try {
    await page.goto(await agent.ask());
    await page.getByRole('button', { name: 'Cancel' }).click();
    await arrived(page);
    const answer = await agent.answered();
    assert.equal(answer.get('error'), 'access_denied');
    assert.equal(answer.get('iss'), stoa.url);
    assert.equal(answer.get('code'), null);
  } finally {
    await agent.stop();
  }
});

test('a person sees what each program was about, and why one was refused', async () => {
  const answer = await fetch(`${stoa.url}/things/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Crooked', redirect_uris: ['javascript:alert(1)'] }),
  });
  assert.equal(answer.status, 400);
  await page.goto(`${stoa.url}/diagnosis`);
  const refused = page.getByRole('listitem').filter({ hasText: 'Crooked' });
  assert.match(await refused.innerText(), /invalid_redirect_uri: The program wants the answer/);
  for (const step of ['Looked for the sign-in', 'Sent a person here', 'A person decided', 'Redeemed the answer']) {
    assert.ok(await page.getByText(step).first().isVisible(), step);
  }
  assert.doesNotMatch(await page.content(), /stoa_o(at|rt|ac)_/, 'no secret is shown');
  await look(page, 'diagnosis');
});

test('who is not signed in signs in on the way, and a wrong password says no more than that', async () => {
  const other = await person(browser);
  const agent = await Agent.start(`${stoa.url}/things/mcp`);
  try {
    await other.goto(await agent.ask());
    await other.getByText('Sign in to go on.').waitFor();
    for (const address of [email, 'nobody@example.com']) {
      await other.getByLabel('Email address').fill(address);
      await other.getByLabel('Password').fill('not the password at all');
      await other.getByRole('button', { name: 'Sign in' }).click();
      await other.getByRole('alert').waitFor();
      assert.equal(await other.getByRole('alert').innerText(), 'This address and this password don\'t belong together.');
      await check(other, 401);
    }
    await other.getByLabel('Email address').fill(email);
    await other.getByLabel('Password').fill(password);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { name: 'Connect an agent?' }).waitFor();
    await other.getByRole('button', { name: 'Connect' }).click();
    await arrived(other);
    const client = await agent.finish();
    assert.ok((await client.listTools()).tools.length > 0);
    await other.goto(stoa.url);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  } finally {
    await agent.stop();
    await other.context().close();
  }
});
