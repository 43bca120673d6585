// What a person does in the browser so that an agent is connected.
import { password } from './browser.js';

/** Chooses a password by the link that a command printed, which signs the person in. */
export async function signIn(page, link) {
  await page.goto(link);
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set it and sign in' }).click();
  await page.getByRole('heading', { name: 'Your Stoa' }).waitFor();
}

/** Opens the address that an agent asks for, and presses Connect. */
export async function connect(page, address) {
  await page.goto(address);
  await page.getByRole('heading', { name: 'Connect an agent?' }).waitFor();
  await page.getByRole('button', { name: 'Connect' }).click();
}

/** The same, and waits until the browser has been carried on to the agent. */
export async function handOver(page, address) {
  await connect(page, address);
  await page.waitForURL((url) => url.origin !== new URL(address).origin);
}

/** What the page that asks says of the agent under this heading. */
export const said = (page, heading) => page.locator('dt', { hasText: heading }).locator('+ dd').innerText();

/** Waits until the browser is at the agent: a page that is still on its way there would cut the next one short. */
export const arrived = (page) => page.getByText('You may close this window.').waitFor();
