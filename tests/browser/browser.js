// Chromium, as a person has it, and what is looked at on every page.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pictures = join(import.meta.dirname, '../../docs/screenshots');
const largestPage = 100_000;

export const launch = () => chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** A browser of one person's: its language, its theme, its width, and whether it trusts any certificate. */
export async function person(browser, { locale = 'en-US', colorScheme = 'light', width = 1100, trusting = false } = {}) {
  const viewport = { width, height: 800 };
  const settings = { locale, colorScheme, reducedMotion: 'reduce', viewport, ignoreHTTPSErrors: trusting };
  const context = await browser.newContext(settings);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error') problems.push(message.text()); });
  // What another page complained of is not this one's.
  page.on('framenavigated', (frame) => { if (frame === page.mainFrame()) problems.length = 0; });
  page.problems = problems;
  return page;
}

/** No violation that axe knows of, nothing wider than the window, no error in the console, and not too large. */
export async function check(page, status = 200) {
  const html = await page.content();
  assert.ok(html.length < largestPage, `${page.url()} has ${html.length} bytes`);
  // The policy of the page lets no script in but its own: axe comes by the debugger's door.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const said = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  assert.deepEqual(said, [], page.url());
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - globalThis.innerWidth);
  assert.ok(overflow <= 0, `${page.url()} is ${overflow} px wider than the window`);
  const expected = status === 200 ? [] : page.problems.filter((text) => text.includes(String(status)));
  assert.deepEqual(page.problems.splice(0), expected, page.url());
}

const looks = [
  ['en', 'light', 1100], ['en', 'dark', 1100], ['es', 'light', 1100], ['es', 'dark', 360], ['en', 'light', 360],
];

/**
 * The page in each language, theme and width, checked; kept as a picture where `STOA_SCREENSHOTS` is set. A page that
 * answers a form is left when the language changes: `reopen` leads to it again.
 */
export async function look(page, name, reopen, status = 200) {
  const { width, height } = page.viewportSize();
  for (const [language, theme, wide] of looks) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width: wide, height });
    if (await choose(page, language)) await reopen?.();
    await check(page, status);
    if (process.env.STOA_SCREENSHOTS) {
      const path = join(pictures, `${name}-${language}-${theme}${wide < 500 ? '-narrow' : ''}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width, height });
  await choose(page, 'en');
}

/** By the buttons at the foot of the page, which lead back to it. Whether there was anything to choose. */
async function choose(page, language) {
  if ((await page.locator('html').getAttribute('lang')) === language) return false;
  await page.locator(`footer button[value=${language}]`).click();
  await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
  return true;
}

/** The owner of every account made here. */
export const email = 'ada@example.com';
export const password = 'correct horse battery staple';

/** Makes the owner's account by the link that the server printed. */
export async function setUp(page, stoa) {
  await page.goto(stoa.setupLink());
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Make my account' }).click();
  await page.getByRole('heading', { name: 'Your Stoa' }).waitFor();
}
