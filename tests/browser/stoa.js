// The real binary on an empty data folder, as somebody has it who has just installed it.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');
const binary = process.env.STOA_BIN ?? join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'debug/stoa');
const startLimit = 30_000;
const run = promisify(execFile);

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

export class Stoa {
  static async start() {
    const stoa = new Stoa(await mkdtemp(join(tmpdir(), 'stoa-browser-')), await freePort());
    await stoa.#serve();
    return stoa;
  }

  constructor(folder, port) {
    this.folder = folder;
    this.port = port;
    this.url = `http://localhost:${port}`;
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STOA_'));
    this.environment = { ...Object.fromEntries(inherited), STOA_DATA: join(folder, 'data') };
    this.output = '';
    this.log = '';
  }

  /** Runs a command and answers what it printed. */
  async command(...words) {
    const { stdout } = await run(binary, words, { cwd: this.folder, env: this.environment });
    return stdout.trim();
  }

  /** The link that the server printed at its start. */
  setupLink() {
    return this.output.match(/http\S+\/setup#\S+/)?.[0];
  }

  async stop() {
    const exited = once(this.server, 'exit');
    this.server.kill('SIGTERM');
    const [code] = await exited;
    await rm(this.folder, { recursive: true, force: true });
    assert.equal(code, 0, this.log);
  }

  async #serve() {
    const words = ['serve', '--listen', `127.0.0.1:${this.port}`, '--public-url', this.url];
    this.server = spawn(binary, words, { cwd: this.folder, env: this.environment, stdio: ['ignore', 'pipe', 'pipe'] });
    this.server.stdout.on('data', (text) => { this.output += text; });
    this.server.stderr.on('data', (text) => { this.log += text; });
    const ready = () => fetch(`${this.url}/readyz`).then((answer) => answer.ok, () => false);
    for (const deadline = Date.now() + startLimit; !(this.setupLink() && (await ready())); await delay(50)) {
      assert.equal(this.server.exitCode, null, `the server ended at its start\n${this.log}`);
      assert.ok(Date.now() < deadline, `not ready after ${startLimit} ms\n${this.output}\n${this.log}`);
    }
  }
}
