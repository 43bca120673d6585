// An agent as its author writes it: the official SDK's client with its OAuth provider, and a place to answer to.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';

/** Keeps what a program keeps on its disk. */
class Provider {
  constructor(redirectUrl, name) {
    this.redirectUrl = redirectUrl;
    this.name = name;
  }

  get clientMetadata() {
    return {
      client_name: this.name,
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  clientInformation() { return this.information; }
  saveClientInformation(information) { this.information = information; }
  tokens() { return this.kept; }
  saveTokens(tokens) { this.kept = tokens; }
  redirectToAuthorization(url) { this.asked = url.href; }
  saveCodeVerifier(verifier) { this.verifier = verifier; }
  codeVerifier() { return this.verifier; }
}

export class Agent {
  /** An agent that knows nothing but the URL. */
  static async start(url, name = 'Test agent') {
    const agent = new Agent();
    agent.url = new URL(url);
    agent.listener = createServer((request, response) => {
      const asked = new URL(request.url, agent.provider.redirectUrl);
      response.end('You may close this window.');
      // Browsers also ask for an icon.
      if (asked.pathname !== '/callback') return;
      agent.answer = asked.searchParams;
      agent.listener.emit('answered');
    }).listen(0, '127.0.0.1');
    await once(agent.listener, 'listening');
    agent.provider = new Provider(`http://127.0.0.1:${agent.listener.address().port}/callback`, name);
    return agent;
  }

  /** Tries to connect, and answers the address that a person has to open. */
  async ask() {
    try {
      await this.#connect();
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      return this.provider.asked;
    }
    throw new Error('connected without asking anybody');
  }

  /** What came back to the agent. */
  async answered() {
    if (!this.answer) await once(this.listener, 'answered');
    return this.answer;
  }

  /** Redeems the answer's code and connects. */
  async finish() {
    const answer = await this.answered();
    await this.transport.finishAuth(answer.get('code'));
    await this.#connect();
    return this.client;
  }

  async #connect() {
    this.client = new Client({ name: 'test-agent', version: '1.0.0' });
    this.transport = new StreamableHTTPClientTransport(this.url, { authProvider: this.provider });
    await this.client.connect(this.transport);
  }

  async stop() {
    await this.client?.close();
    this.listener.closeAllConnections();
    this.listener.close();
  }
}

/** The official client with a personal token. */
export async function withToken(url, token) {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}
