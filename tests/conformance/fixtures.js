// The fixtures of the suite on the kit: the example `conformance` of the crate stoa-mcp, which ends with its input.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../..');
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');

export class Fixtures {
  static async start() {
    const child = spawn(join(target, 'debug/examples/conformance'), { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const [url, token] = [(await lines.next()).value, (await lines.next()).value];
    assert.ok(url && token, 'the fixtures did not start');
    return new Fixtures(child, url, token);
  }

  constructor(child, url, token) {
    Object.assign(this, { child, url, token });
  }

  async stop() {
    const exited = this.child.exitCode === null ? once(this.child, 'exit') : [this.child.exitCode];
    this.child.stdin.end();
    assert.deepEqual(await exited, [0, null], 'the fixtures did not stop cleanly');
  }
}
