// What is run, and what is known to fail there, check by check. A failure that is not here fails the run, and so does
// one that is here and no longer happens.

/** Needs the server to send requests on a stream and to find their answers in other POSTs: there are no sessions. */
const serverToClient = {
  'tools-call-sampling': ['tools-call-sampling'],
  'tools-call-elicitation': ['tools-call-elicitation'],
  'elicitation-sep1034-defaults': ['elicitation-sep1034-general'],
  'elicitation-sep1330-enums': ['elicitation-sep1330-general'],
};

/** Arguments are flat and described by the kit, so that no schema has `$defs`; and none travels in a header besides. */
const notOffered = {
  'json-schema-2020-12': ['json-schema-2020-12-tool-found'],
  'http-custom-header-server-validation': [
    'sep-2243-server-decode-base64',
    'sep-2243-server-no-xmcp-tool',
    'sep-2243-server-reject-invalid-param-chars',
    'sep-2243-server-reject-param-mismatch',
    'sep-2243-server-validate-param-match',
  ],
};

/** The checks of `server-stateless` that call tools of the suite's own, which the product has not. */
const fixtureTools = [
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-rejects-undeclared-capability',
];

/** The fixtures, against everything a revision requires and what its suite runs besides. */
export const requirements = [
  { revision: '2026-07-28', failing: notOffered },
  { revision: '2025-11-25', failing: { ...serverToClient, ...notOffered } },
];

/** The product, against the scenarios that need no fixture. */
export const product = [
  { scenario: 'tools-list', revision: '2026-07-28' },
  { scenario: 'resources-list', revision: '2026-07-28' },
  { scenario: 'server-sse-multiple-streams', revision: '2026-07-28' },
  { scenario: 'dns-rebinding-protection', revision: '2026-07-28' },
  { scenario: 'http-header-validation', revision: '2026-07-28' },
  { scenario: 'sep-2164-resource-not-found', revision: '2026-07-28' },
  { scenario: 'server-stateless', revision: '2026-07-28', failing: fixtureTools },
  { scenario: 'server-initialize', revision: '2025-11-25' },
  { scenario: 'ping', revision: '2025-11-25' },
  { scenario: 'tools-list', revision: '2025-11-25' },
  { scenario: 'resources-list', revision: '2025-11-25' },
  { scenario: 'server-sse-multiple-streams', revision: '2025-11-25' },
  { scenario: 'dns-rebinding-protection', revision: '2025-11-25' },
];

/** The product's authorization server, at each mount. */
export const authorizationScenarios = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];
