// The official clients, behind the one face that the tests use.
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  UnauthorizedError as ModernUnauthorized,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as FirstUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const info = { name: 'stoa-client-tests', version: '1.0.0' };

/** What the clients of each package have in common. */
const first = {
  Transport: FirstTransport,
  Unauthorized: FirstUnauthorized,
  spoken: (client) => client.transport.protocolVersion,
  status: (error) => error.code,
  finish: (transport, answer) => transport.finishAuth(answer.get('code')),
};
const modern = {
  Transport: ModernTransport,
  Unauthorized: ModernUnauthorized,
  spoken: (client) => client.getNegotiatedProtocolVersion(),
  status: (error) => error.status,
  // It also looks who answered (`iss`).
  finish: (transport, answer) => transport.finishAuth(answer),
};

/** Each client with the protocol revision that it must come to speak. */
export const clients = [
  {
    ...first,
    name: '@modelcontextprotocol/sdk 1.x',
    revision: '2025-11-25',
    make: () => new FirstClient(info),
  },
  {
    ...modern,
    name: '@modelcontextprotocol/client 2.x by default',
    revision: '2025-11-25',
    make: () => new ModernClient(info),
  },
  {
    ...modern,
    name: '@modelcontextprotocol/client 2.x negotiating',
    revision: '2026-07-28',
    make: () => new ModernClient(info, { versionNegotiation: { mode: 'auto' } }),
  },
];

/** Connects `kind` to the endpoint `url` with a personal token. */
export async function connect(kind, url, token) {
  const headers = { Authorization: `Bearer ${token}` };
  const client = kind.make();
  await client.connect(new kind.Transport(new URL(url), { requestInit: { headers } }));
  return client;
}
