-- A client of one mount's authorization server. `kind` is `registered` (RFC 7591), `document` (a client id
-- metadata document, read anew an hour after `fetched_at`) or `configured`. `redirect_uris` is a JSON array of
-- texts. `fingerprint` is the hash of what a client registered with: the same metadata is the same row. `source`
-- is a keyed hash of the address that a row came from, for the quota; gone with the first grant. `seen_at` is
-- written at most every ten minutes; `granted_at` is when a person first connected the client: such a row stays.
CREATE TABLE oauth_client (
    id            BLOB NOT NULL PRIMARY KEY,
    workspace_id  BLOB NOT NULL REFERENCES workspace (id),
    service       TEXT NOT NULL,
    kind          TEXT NOT NULL,
    client_id     TEXT NOT NULL,
    name          TEXT,
    redirect_uris TEXT NOT NULL,
    fingerprint   BLOB,
    source        BLOB,
    created_at    INTEGER NOT NULL,
    seen_at       INTEGER NOT NULL,
    granted_at    INTEGER,
    fetched_at    INTEGER,
    UNIQUE (workspace_id, service, client_id),
    UNIQUE (workspace_id, service, fingerprint)
) STRICT;
CREATE INDEX oauth_client_unused ON oauth_client (workspace_id, service, seen_at) WHERE granted_at IS NULL;
CREATE INDEX oauth_client_source ON oauth_client (workspace_id, service, source, created_at)
    WHERE source IS NOT NULL;

-- What a client's authorization leaves in its installation: the client, where the browser went, and the class of
-- the address that the person was at. NULL for personal tokens.
ALTER TABLE installation ADD COLUMN oauth_client_id BLOB REFERENCES oauth_client (id);
ALTER TABLE installation ADD COLUMN redirect_uri TEXT;
ALTER TABLE installation ADD COLUMN address_class TEXT;
CREATE INDEX installation_client ON installation (workspace_id, oauth_client_id, account_id);

-- Kinds `access` and `refresh`, too. `family` is what one code gave and what came of it by refreshing; `scopes`, a
-- JSON array, is what of the grant this token may use; `used_at` is when a refresh token was exchanged for its
-- successor.
ALTER TABLE token ADD COLUMN family BLOB;
ALTER TABLE token ADD COLUMN scopes TEXT;
ALTER TABLE token ADD COLUMN used_at INTEGER;
CREATE INDEX token_family ON token (workspace_id, family) WHERE family IS NOT NULL;
CREATE INDEX token_expiry ON token (expires_at) WHERE family IS NOT NULL;

-- An authorization request (RFC 6749 section 4.1.1), checked, that waits for its person's click. `hash` is the
-- SHA-256 of its page's address, which is good in one session and once: what was decided is deleted.
CREATE TABLE oauth_request (
    hash            BLOB NOT NULL PRIMARY KEY,
    workspace_id    BLOB NOT NULL REFERENCES workspace (id),
    service         TEXT NOT NULL,
    oauth_client_id BLOB NOT NULL REFERENCES oauth_client (id),
    account_id      BLOB NOT NULL REFERENCES account (id),
    session_id      BLOB NOT NULL,
    redirect_uri    TEXT NOT NULL,
    state           TEXT,
    challenge       TEXT NOT NULL,
    scopes          TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX oauth_request_account ON oauth_request (workspace_id, account_id, created_at);
CREATE INDEX oauth_request_client ON oauth_request (oauth_client_id);
CREATE INDEX oauth_request_expiry ON oauth_request (expires_at);

-- An authorization code. `hash` is the SHA-256 of its text; `family` is that of the tokens it gives; `challenge` is
-- that of RFC 7636, by S256. `used_at` stays a while: a second use is a leak.
CREATE TABLE oauth_code (
    hash            BLOB NOT NULL PRIMARY KEY,
    workspace_id    BLOB NOT NULL REFERENCES workspace (id),
    installation_id BLOB NOT NULL REFERENCES installation (id),
    family          BLOB NOT NULL,
    redirect_uri    TEXT NOT NULL,
    challenge       TEXT NOT NULL,
    scopes          TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    used_at         INTEGER
) STRICT;
CREATE INDEX oauth_code_installation ON oauth_code (workspace_id, installation_id);
CREATE INDEX oauth_code_expiry ON oauth_code (expires_at);

-- The last requests of clients as the server saw them, for the person who wonders why one does not connect. The
-- newest 2,000 of a workspace. `client` and `agent` are what the request said, cut and cleaned; `code` is why it
-- was refused. Never a credential.
CREATE TABLE oauth_trace (
    workspace_id    BLOB NOT NULL REFERENCES workspace (id),
    id              BLOB NOT NULL,
    service         TEXT NOT NULL,
    step            TEXT NOT NULL,
    client          TEXT,
    agent           TEXT,
    installation_id BLOB,
    code            TEXT,
    address_class   TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX oauth_trace_created ON oauth_trace (created_at);
