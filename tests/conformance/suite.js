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
 * Runs the suite against `url` with a token in the path. Answers the ids of the failed checks by scenario, each
 * scenario that was run having an entry.
 */
export async function run(url, token, words) {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-conformance-'));
  try {
    const output = await command(url, token, [...words, '--output-dir', folder]);
    const results = await failures(folder);
    if (Object.keys(results).length === 0) throw new Error(`the suite ran nothing\n${output}`);
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function command(url, token, words) {
  const env = {
    ...process.env,
    MCP_BEARER: token,
    MCP_BEARER_ORIGIN: new URL(url).origin,
    NODE_OPTIONS: `--import ${bearer}`,
  };
  const child = spawn(process.execPath, [join(suite, 'dist/index.js'), 'server', '--url', url, ...words], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { output += text; });
  await once(child, 'close');
  return output;
}

/** The suite writes `server-{scenario}-{instant}/checks.json` for each scenario. */
async function failures(folder) {
  const results = {};
  for (const entry of await readdir(folder)) {
    const scenario = entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    const checks = JSON.parse(await readFile(join(folder, entry, 'checks.json'), 'utf8'));
    const failed = checks.filter((check) => check.status === 'FAILURE').map((check) => check.id);
    results[scenario] = [...new Set(failed)].sort();
  }
  return results;
}
