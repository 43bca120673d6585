// A person at a browser, for what is not written in JavaScript: `node press.js LINK` chooses a password by the link,
// which signs the person in, and then presses Connect at each address that comes on a line, until there are no more.
// Says `signed in`, and `pressed` for each.
import { createInterface } from 'node:readline';
import { launch, person } from './browser.js';
import { handOver, signIn } from './consent.js';

const browser = await launch();
try {
  const page = await person(browser);
  await signIn(page, process.argv[2]);
  console.log('signed in');
  for await (const address of createInterface({ input: process.stdin })) {
    await handOver(page, address);
    console.log('pressed');
  }
} finally {
  await browser.close();
}
