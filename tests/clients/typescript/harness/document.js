// A program's host, as its author runs it: https, with the metadata document that is the program's name.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const makeCertificate = resolve(import.meta.dirname, '../../certificate.sh');

export class DocumentHost {
  static async start() {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-document-'));
    await promisify(execFile)(makeCertificate, [folder]);
    const host = new DocumentHost(folder);
    await host.#serve();
    return host;
  }

  constructor(folder) {
    this.folder = folder;
    this.certificate = join(folder, 'certificate.pem');
    /** How often the document was asked for. */
    this.reads = 0;
    /** What a server is told so that it reads documents here. */
    this.settings = {
      STOA_OAUTH__CIMD: 'true',
      STOA_OAUTH__CIMD_PRIVATE_HOSTS: 'localhost',
      STOA_OAUTH__CIMD_CA_FILE: this.certificate,
    };
  }

  async #serve() {
    const [cert, key] = await Promise.all([readFile(this.certificate), readFile(join(this.folder, 'key.pem'))]);
    this.server = createServer({ cert, key }, (_, response) => {
      this.reads += 1;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(this.document()));
    }).listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `https://localhost:${this.server.address().port}/client.json`;
  }

  /** A program on the person's machine may listen on any port, whichever the document names. */
  document() {
    return {
      client_id: this.url,
      client_name: 'Documented agent',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  async stop() {
    this.server.closeAllConnections();
    this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
