// The real binary on a data folder of its own; with a folder of real documents where a test wants some.
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
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The caller's environment without its own settings of Stoa, with these instead. */
function environment(settings) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STOA_'));
  return { ...Object.fromEntries(inherited), ...settings };
}

/** A server on an empty data folder, as somebody has it who has just installed it. */
export class Server {
  /** One that is ready; `settings` are variables of its environment. */
  static async start(settings = {}) {
    const server = new this(await mkdtemp(join(tmpdir(), 'stoa-clients-')), await freePort(), settings);
    try {
      await server.prepare();
      await server.#serve();
    } catch (error) {
      server.process?.kill('SIGKILL');
      await rm(server.folder, { recursive: true, force: true });
      throw error;
    }
    return server;
  }

  constructor(folder, port, settings) {
    this.folder = folder;
    this.url = `http://localhost:${port}`;
    this.environment = environment({
      STOA_DATA: join(folder, 'data'),
      STOA_LISTEN: `127.0.0.1:${port}`,
      STOA_PUBLIC_URL: this.url,
      ...settings,
    });
    this.log = '';
  }

  /** What is done before it serves. */
  async prepare() {}

  /** Whether it serves. */
  async ready() {
    return fetch(`${this.url}/readyz`).then((answer) => answer.ok, () => false);
  }

  /** Runs a command and answers what it printed. */
  async command(...words) {
    const { stdout } = await run(binary, words, { cwd: this.folder, env: this.environment });
    return stdout.trim();
  }

  /** Asks the server to stop, as an operator would, and holds it to a clean exit. */
  async stop() {
    const exited = this.process.exitCode === null ? once(this.process, 'exit') : [this.process.exitCode];
    this.process.kill('SIGTERM');
    const [code, signal] = await exited;
    await rm(this.folder, { recursive: true, force: true });
    assert.deepEqual({ code, signal: signal ?? null }, { code: 0, signal: null }, this.log);
  }

  async #serve() {
    const stdio = ['ignore', 'pipe', 'pipe'];
    this.process = spawn(binary, ['serve'], { cwd: this.folder, env: this.environment, stdio });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream.on('data', (text) => { this.log += text; });
    }
    for (const deadline = Date.now() + startLimit; !(await this.ready()); await delay(50)) {
      assert.equal(this.process.exitCode, null, `the server ended at its start\n${this.log}`);
      assert.ok(Date.now() < deadline, `the server is not ready after ${startLimit} ms\n${this.log}`);
    }
  }
}

/** A server with one account and the documents as the resource `docs`. */
export class Stoa extends Server {
  async prepare() {
    const documents = join(this.folder, 'documents');
    const { stdout } = await run(join(root, 'scripts/sample-docs.sh'), [documents]);
    [this.documentKey, this.phrase] = stdout.trim().split('\n');
    await this.command('account', 'add', account);
    this.resource = await this.command('things', 'add', '--connector', 'folder', '--name', 'docs', '--set', `path=${documents}`);
  }

  /** A link, good once, by which the person of the account chooses a password and is signed in. */
  personLink() {
    return this.command('account', 'reset', account);
  }

  /** A personal token for `mount`, an installation of its own, with `scopes`. */
  token(mount, scopes) {
    return this.command('token', 'add', '--account', account, '--mount', mount, '--scopes', scopes.join(' '));
  }
}
