// The suite's scenarios of an authorization server, at each mount: what it says of itself, and a code that a person
// gives in Chromium for a client that was registered before.
import { freePort } from '../clients/typescript/harness/stoa.js';
import { handOver } from '../browser/consent.js';
import { House } from '../browser/house.js';
import { authorize } from './suite.js';

const mounts = [{ issuer: '/things', endpoint: '/things/mcp' }, { issuer: '', endpoint: '/mcp' }];

/** Answers the ids of the failed checks by mount and scenario. */
export async function authorization() {
  const house = await House.open();
  try {
    const results = {};
    for (const { issuer, endpoint } of mounts) {
      results[endpoint] = await at(house, house.stoa.url + issuer, house.stoa.url + endpoint);
    }
    return results;
  } finally {
    await house.close();
  }
}

async function at(house, issuer, resource) {
  const port = await freePort();
  const client = await register(issuer, `http://127.0.0.1:${port}/callback`);
  const words = ['--url', issuer, '--resource', resource, '--client-id', client, '--port', String(port)];
  return authorize(words, (address) => handOver(house.page, address));
}

/** A client as its author registers it, before the suite comes. */
async function register(issuer, redirect) {
  const metadata = await fetch(`${issuer}/.well-known/oauth-authorization-server`).then((answer) => answer.json());
  const answer = await fetch(metadata.registration_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance suite', redirect_uris: [redirect], token_endpoint_auth_method: 'none' }),
  });
  return (await answer.json()).client_id;
}
