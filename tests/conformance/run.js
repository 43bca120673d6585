// The official MCP conformance suite: the kit with the suite's fixtures, then the product itself and its
// authorization servers. Prints a line for each set, and fails where anything comes out otherwise than expected.js says.
import { isDeepStrictEqual } from 'node:util';
import { Stoa } from '../clients/typescript/harness/stoa.js';
import { authorization } from './authorization.js';
import { authorizationScenarios, product, requirements } from './expected.js';
import { Fixtures } from './fixtures.js';
import { required, run } from './suite.js';

const scopes = ['things:read', 'things:write', 'resources:read', 'resources:command'];
let surprises = 0;

/** Says what came out otherwise. A scenario that did not run has no result, which is never expected. */
function compare(set, scenario, failed, expected = []) {
  if (isDeepStrictEqual(failed, [...expected].sort())) return;
  surprises += 1;
  console.log(`  ${set}: ${scenario}: failed ${JSON.stringify(failed)}, expected ${JSON.stringify(expected)}`);
}

async function kit() {
  const fixtures = await Fixtures.start();
  try {
    for (const { revision, failing } of requirements) {
      const results = await run(fixtures.url, fixtures.token, ['--requirements', revision]);
      for (const scenario of new Set([...Object.keys(results), ...(await required(revision))])) {
        compare(`kit, ${revision}`, scenario, results[scenario], failing[scenario]);
      }
      report(`kit, ${revision}`, results, await required(revision));
    }
  } finally {
    await fixtures.stop();
  }
}

function report(set, results, names) {
  const passes = (name) => results[name]?.length === 0;
  const others = Object.keys(results).filter((name) => !names.includes(name));
  const passed = names.filter(passes).length;
  console.log(`${set}: ${passed} of ${names.length} required scenarios pass; ` +
    `of ${others.length} not required ${others.filter(passes).length}`);
}

async function binary() {
  const stoa = await Stoa.start();
  let passed = 0;
  try {
    const token = await stoa.token('things', scopes);
    for (const { scenario, revision, failing } of product) {
      const words = ['--scenario', scenario, '--spec-version', revision];
      const { [scenario]: failed } = await run(`${stoa.url}/things/mcp`, token, words);
      compare(`product, ${revision}`, scenario, failed, failing);
      passed += failed?.length === 0 ? 1 : 0;
    }
  } finally {
    await stoa.stop();
  }
  console.log(`product: ${passed} of ${product.length} chosen scenarios pass`);
}

async function authorizationServer() {
  const results = await authorization();
  for (const [endpoint, outcome] of Object.entries(results)) {
    for (const scenario of authorizationScenarios) compare(`authorization, ${endpoint}`, scenario, outcome[scenario]);
    const passed = authorizationScenarios.filter((scenario) => outcome[scenario]?.length === 0).length;
    console.log(`authorization, ${endpoint}: ${passed} of ${authorizationScenarios.length} scenarios pass`);
  }
}

await kit();
await binary();
await authorizationServer();
process.exitCode = surprises === 0 ? 0 : 1;
