// Programs that sign in by themselves, each started as a person starts it. They print the address that the person has
// to open; the browser that they would open besides is one that does nothing.
import { execFile } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { freePort } from './stoa.js';

const programs = resolve(import.meta.dirname, '../node_modules/.bin');
// The Inspector wants a newer Node than most distributions have.
const newerNode = resolve(import.meta.dirname, '../../../conformance/node_modules/node/bin/node');

/** Everything that a program keeps is in `folder`. */
const environment = (folder) => ({ PATH: process.env.PATH, HOME: folder, BROWSER: 'true' });

/** The address that the program asks to have opened, as soon as it is printed. */
function asked(stream) {
  return new Promise((resolve, reject) => {
    let text = '';
    stream.on('data', (more) => {
      text += more;
      const address = text.match(/(http\S+\/oauth\/authorize\?\S+)\s/);
      if (address) resolve(address[1]);
    });
    stream.on('end', () => reject(new Error(`no address was printed\n${text}`)));
  });
}

/** mcp-remote, for a client that speaks only with programs it starts. */
export class Remote {
  constructor(url, folder) {
    this.folder = join(folder, 'mcp-remote');
    const env = { ...environment(folder), MCP_REMOTE_CONFIG_DIR: this.folder };
    this.transport = new StdioClientTransport({ command: join(programs, 'mcp-remote'), args: [url], env, stderr: 'pipe' });
    this.client = new Client({ name: 'stoa-client-tests', version: '1.0.0' });
    this.asked = asked(this.transport.stderr);
    this.connected = this.client.connect(this.transport);
  }

  /** From now on its access token is good no more, as after its hour. Answers what it was. */
  async expire() {
    const tokens = await this.tokens();
    await writeFile(await this.#file(), JSON.stringify({ ...tokens, access_token: 'good-no-more' }));
    return tokens;
  }

  async tokens() {
    return JSON.parse(await readFile(await this.#file(), 'utf8'));
  }

  async #file() {
    const kept = await readdir(this.folder, { recursive: true });
    return join(this.folder, kept.find((name) => name.endsWith('_tokens.json')));
  }
}

/** MCP Inspector on the command line: what it is told, the address it prints, and at last its answer. */
export async function inspect(url, folder, words) {
  const env = { ...environment(folder), MCP_INSPECTOR_SECRET_STORE: 'file', MCP_AUTO_OPEN_ENABLED: 'true' };
  const callback = `http://127.0.0.1:${await freePort()}/callback`;
  const args = [join(programs, 'mcp-inspector'), '--cli', url, '--callback-url', callback, ...words];
  let child;
  const answer = new Promise((resolve, reject) => {
    child = execFile(newerNode, args, { env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`the Inspector failed\n${stderr}`));
      else resolve(JSON.parse(stdout));
    });
  });
  return { answer, asked: asked(child.stderr) };
}
