// An agent as its author writes it: an official client with its OAuth provider, and a place to answer to.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { clients } from './clients.js';

/** Keeps what a program keeps on its disk. */
class Provider {
  /** `clientMetadataUrl` is the address of the program's metadata document, where it has one. */
  constructor(redirectUrl, name, clientMetadataUrl) {
    this.redirectUrl = redirectUrl;
    this.name = name;
    this.clientMetadataUrl = clientMetadataUrl;
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
  saveDiscoveryState(state) { this.discovery = state; }
  discoveryState() { return this.discovery; }
}

export class Agent {
  /** An agent that knows nothing but the URL, and listens for the answer on this machine. */
  static async start(url, name = 'Test agent', { kind = clients[0], document } = {}) {
    const agent = new Agent(url, kind);
    agent.listener = createServer((request, response) => {
      const asked = new URL(request.url, agent.provider.redirectUrl);
      response.end('You may close this window.');
      // Browsers also ask for an icon.
      if (asked.pathname !== '/callback') return;
      agent.answer = asked.searchParams;
      agent.listener.emit('answered');
    }).listen(0, '127.0.0.1');
    await once(agent.listener, 'listening');
    agent.provider = new Provider(`http://127.0.0.1:${agent.listener.address().port}/callback`, name, document);
    return agent;
  }

  /** One that is an app, whom the browser hands the answer by an address of its own scheme. */
  static app(url, name, redirectUrl) {
    const agent = new Agent(url, clients[0]);
    agent.provider = new Provider(redirectUrl, name);
    return agent;
  }

  constructor(url, kind) {
    this.url = new URL(url);
    this.kind = kind;
  }

  /** Tries to connect, and answers the address that a person has to open. */
  async ask() {
    try {
      await this.#connect();
    } catch (error) {
      if (!(error instanceof this.kind.Unauthorized)) throw error;
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
    await this.kind.finish(this.transport, await this.answered());
    await this.#connect();
    return this.client;
  }

  /** From now on its access token is good no more, as after its hour. */
  expire() {
    this.provider.kept = { ...this.provider.kept, access_token: 'good-no-more' };
  }

  async #connect() {
    this.client = this.kind.make();
    this.transport = new this.kind.Transport(this.url, { authProvider: this.provider });
    await this.client.connect(this.transport);
  }

  async stop() {
    await this.client?.close();
    this.listener?.closeAllConnections();
    this.listener?.close();
  }
}
