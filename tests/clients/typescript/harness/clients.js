// The official clients, behind the one face that the tests use.
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const info = { name: 'stoa-client-tests', version: '1.0.0' };

/** Each client with the protocol revision that it must come to speak, and where it says so. */
export const clients = [
  {
    name: '@modelcontextprotocol/sdk 1.x',
    revision: '2025-11-25',
    Transport: FirstTransport,
    make: () => new FirstClient(info),
    spoken: (client) => client.transport.protocolVersion,
    status: (error) => error.code,
  },
  {
    name: '@modelcontextprotocol/client 2.x by default',
    revision: '2025-11-25',
    Transport: ModernTransport,
    make: () => new ModernClient(info),
    spoken: (client) => client.getNegotiatedProtocolVersion(),
    status: (error) => error.status,
  },
  {
    name: '@modelcontextprotocol/client 2.x negotiating',
    revision: '2026-07-28',
    Transport: ModernTransport,
    make: () => new ModernClient(info, { versionNegotiation: { mode: 'auto' } }),
    spoken: (client) => client.getNegotiatedProtocolVersion(),
    status: (error) => error.status,
  },
];

/** Connects `kind` to the endpoint `url` with a personal token. */
export async function connect(kind, url, token) {
  const headers = { Authorization: `Bearer ${token}` };
  const client = kind.make();
  await client.connect(new kind.Transport(new URL(url), { requestInit: { headers } }));
  return client;
}
