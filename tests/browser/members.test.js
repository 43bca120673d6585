// Who belongs to a workspace, by two people in two browsers: one invites, the other comes, rises and is removed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { check, look, person, setUp } from './browser.js';
import { Stage } from './stage.js';

const guest = 'grace@example.com';

let stage;
let owner;
let invited;
let link;

before(async () => {
  stage = await Stage.open();
  owner = stage.page;
  invited = await person(stage.browser);
  await setUp(owner, stage.stoa);
});

after(() => stage?.close());

const open = (page, name) => page.getByLabel('Pages', { exact: true }).getByRole('link', { name }).click();

test('an owner makes an invitation, whose link is shown once', async () => {
  await open(owner, 'Members');
  await owner.getByLabel('Email address').fill(guest);
  await owner.getByRole('button', { name: 'Make the link' }).click();
  await owner.getByRole('heading', { name: 'Your invitation' }).waitFor();
  await check(owner);
  link = await owner.locator('pre').innerText();
  await owner.getByRole('main').getByRole('link', { name: 'Members' }).click();
  await owner.getByRole('heading', { name: 'Open invitations' }).waitFor();
  assert.ok(!(await owner.content()).includes(link.split('#')[1]));
  await look(owner, 'members');
});

test('in another browser the invited person makes an account by it', async () => {
  await invited.goto(link);
  await invited.getByRole('button', { name: 'Open the invitation' }).click();
  await invited.getByText('ada@example.com').waitFor();
  assert.ok(!invited.url().includes('#'), 'the secret stands in no address');
  await look(invited, 'invitation');
  await invited.getByLabel('Password').fill('an unrelated battery of words');
  await invited.getByRole('button', { name: 'Make an account and accept' }).click();
  await invited.getByRole('heading', { name: 'Your Stoa' }).waitFor();
  await open(invited, 'Members');
  assert.equal(await invited.getByRole('button', { name: 'Make the link' }).count(), 0);
});

test('a role changes what the person finds at once', async () => {
  await owner.reload();
  await owner.locator(`summary[aria-label="Change: ${guest}"]`).click();
  await owner.getByLabel(`Role: ${guest}`).selectOption('admin');
  await owner.getByRole('button', { name: 'Save the role' }).locator('visible=true').click();
  await owner.getByText('Admin', { exact: true }).locator('visible=true').first().waitFor();
  await invited.reload();
  await invited.getByRole('button', { name: 'Make the link' }).waitFor();
});

test('an owner of default makes a workspace', async () => {
  await open(owner, 'Workspaces');
  await owner.getByLabel('Name').fill('acme');
  await owner.getByRole('button', { name: 'Make the workspace' }).click();
  await owner.waitForURL('**/w/acme/');
  await open(owner, 'Workspaces');
  await look(owner, 'workspaces');
  await owner.getByRole('link', { name: 'default' }).click();
});

test('whoever is removed is refused', async () => {
  await open(owner, 'Members');
  await owner.locator(`summary[aria-label="Remove: ${guest}"]`).click();
  await owner.getByRole('button', { name: `Remove: ${guest}` }).click();
  await owner.getByRole('heading', { name: guest }).waitFor({ state: 'detached' });
  const answer = await invited.reload();
  assert.equal(answer.status(), 403);
  await check(invited, 403);
});
