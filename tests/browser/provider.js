// A certified OpenID provider (oidc-provider), at which anybody signs in with any password.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import Provider from 'oidc-provider';

const makeCertificate = resolve(import.meta.dirname, '../clients/certificate.sh');

export class OpenId {
  static async start() {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-provider-'));
    await promisify(execFile)(makeCertificate, [folder]);
    const [cert, key] = await Promise.all([readFile(join(folder, 'certificate.pem')), readFile(join(folder, 'key.pem'))]);
    const server = createServer({ cert, key }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OpenId(folder, server);
  }

  constructor(folder, server) {
    this.folder = folder;
    this.server = server;
    this.issuer = `https://localhost:${server.address().port}`;
    /** What a server is told so that people may sign in here. */
    this.settings = {
      STOA_OIDC__NAME: 'Example',
      STOA_OIDC__ISSUER: this.issuer,
      STOA_OIDC__CLIENT_ID: 'stoa',
      STOA_OIDC__CLIENT_SECRET: 'a secret of two',
      STOA_OIDC__ALLOWED_DOMAINS: 'example.org',
      STOA_OIDC__CA_FILE: join(folder, 'certificate.pem'),
    };
  }

  /** Knows the server at `url` from now on. */
  admit(url) {
    const provider = new Provider(this.issuer, {
      clients: [{
        client_id: 'stoa',
        client_secret: this.settings.STOA_OIDC__CLIENT_SECRET,
        redirect_uris: [`${url}/sign-in/oidc/back`],
      }],
      cookies: { keys: ['of this test'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      findAccount: (_, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, email: accountId, email_verified: true }),
      }),
    });
    this.server.on('request', provider.callback());
  }

  async stop() {
    this.server.closeAllConnections();
    this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
