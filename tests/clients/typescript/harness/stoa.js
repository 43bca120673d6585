// The real binary, serving a folder of real documents from a data folder of its own.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../../../..');
const binary = process.env.STOA_BIN ?? join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'debug/stoa');
const account = 'ada@example.com';
const startLimit = 30_000;
const run = promisify(execFile);

/** A port that was free a moment ago. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The caller's environment without its own settings of Stoa, and with `data` as the data folder. */
function environment(data) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STOA_'));
  return { ...Object.fromEntries(inherited), STOA_DATA: data };
}

export class Stoa {
  /** A server that is ready, with one account and the documents as the resource `docs`. */
  static async start() {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-clients-'));
    const stoa = new Stoa(folder, await freePort());
    try {
      await stoa.#prepare();
      await stoa.#serve();
    } catch (error) {
      stoa.server?.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
    return stoa;
  }

  constructor(folder, port) {
    this.folder = folder;
    this.port = port;
    this.url = `http://localhost:${port}`;
    this.environment = environment(join(folder, 'data'));
    this.log = '';
  }

  /** Runs a command and answers what it printed. */
  async command(...words) {
    const { stdout } = await run(binary, words, { cwd: this.folder, env: this.environment });
    return stdout.trim();
  }

  /** A personal token for `mount`, an installation of its own, with `scopes`. */
  token(mount, scopes) {
    return this.command('token', 'add', '--account', account, '--mount', mount, '--scopes', scopes.join(' '));
  }

  /** Asks the server to stop, as an operator would, and holds it to a clean exit. */
  async stop() {
    const exited = this.server.exitCode === null ? once(this.server, 'exit') : [this.server.exitCode];
    this.server.kill('SIGTERM');
    const [code, signal] = await exited;
    await rm(this.folder, { recursive: true, force: true });
    assert.deepEqual({ code, signal: signal ?? null }, { code: 0, signal: null }, this.log);
  }

  async #prepare() {
    const documents = join(this.folder, 'documents');
    const { stdout } = await run(join(root, 'scripts/sample-docs.sh'), [documents]);
    [this.documentKey, this.phrase] = stdout.trim().split('\n');
    await this.command('account', 'add', account);
    this.resource = await this.command('things', 'add', '--connector', 'folder', '--name', 'docs', '--set', `path=${documents}`);
  }

  async #serve() {
    const words = ['serve', '--listen', `127.0.0.1:${this.port}`, '--public-url', this.url];
    this.server = spawn(binary, words, { cwd: this.folder, env: this.environment, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.server.stdout, this.server.stderr]) {
      stream.on('data', (text) => { this.log += text; });
    }
    for (const deadline = Date.now() + startLimit; !(await this.#ready()); await delay(50)) {
      assert.equal(this.server.exitCode, null, `the server ended at its start\n${this.log}`);
      assert.ok(Date.now() < deadline, `the server is not ready after ${startLimit} ms\n${this.log}`);
    }
  }

  async #ready() {
    return fetch(`${this.url}/readyz`).then((answer) => answer.ok, () => false);
  }
}
