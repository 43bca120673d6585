// One run of the suite: its command line, and what its checks say.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';

const suite = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance');
const bearer = pathToFileURL(join(import.meta.dirname, 'bearer.mjs'));

/** The scenarios of a server that a revision requires. */
export async function required(revision) {
  return parse(await readFile(join(suite, `requirements/${revision}.yaml`), 'utf8')).server;
}

/**
 * Runs the suite against the server at `url` with a token in the path. Answers the ids of the failed checks by
 * scenario, each scenario that was run having an entry.
 */
export function run(url, token, words) {
  const variables = {
    MCP_BEARER: token,
    MCP_BEARER_ORIGIN: new URL(url).origin,
    NODE_OPTIONS: `--import ${bearer}`,
  };
  return results(['server', '--url', url, ...words], variables, ['FAILURE']);
}

/**
 * The same for an authorization server, where a check that was skipped counts as failed. `press` is called with the
 * address that a person has to open.
 */
export function authorize(words, press) {
  return results(['authorization', ...words], {}, ['FAILURE', 'SKIPPED'], (output, child) => {
    const address = output.match(/^(http\S+response_type=code\S+)$/m)?.[1];
    if (address === undefined) return false;
    // Without the person's answer the suite would wait for minutes.
    press(address).catch((error) => { console.log(String(error)); child.kill(); });
    return true;
  });
}

async function results(words, variables, bad, watch) {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-conformance-'));
  try {
    const output = await command([...words, '--output-dir', folder], variables, watch);
    const results = await outcomes(folder, bad);
    if (Object.keys(results).length === 0) throw new Error(`the suite ran nothing\n${output}`);
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the suite printed. `watch` is shown what there is of it until it has seen enough. */
async function command(words, variables, watch = () => true) {
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, [join(suite, 'dist/index.js'), ...words], { env });
  let output = '';
  let isSeen = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
      isSeen ||= watch(output, child);
    });
  }
  await once(child, 'close');
  return output;
}

/** The suite writes `[authorization-]server-{scenario}-{instant}/checks.json` for each scenario. */
async function outcomes(folder, bad) {
  const results = {};
  for (const entry of await readdir(folder)) {
    const scenario = entry.replace(/^(authorization-)?server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    const checks = JSON.parse(await readFile(join(folder, entry, 'checks.json'), 'utf8'));
    const failed = checks.filter((check) => bad.includes(check.status)).map((check) => check.id);
    results[scenario] = [...new Set(failed)].sort();
  }
  return results;
}
