-- A person. `email` is folded; `password_hash` is a PHC string, NULL for who can't sign in by password.
CREATE TABLE account (
    id            BLOB NOT NULL PRIMARY KEY,
    email         TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    created_at    INTEGER NOT NULL,
    disabled_at   INTEGER
) STRICT;

-- A tenant. `name` is a slug.
CREATE TABLE workspace (
    id         BLOB NOT NULL PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;

-- Who belongs to a workspace, as what: `owner`, `admin`, `member`.
CREATE TABLE membership (
    workspace_id BLOB NOT NULL REFERENCES workspace (id),
    account_id   BLOB NOT NULL REFERENCES account (id),
    role         TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, account_id)
) STRICT;
CREATE INDEX membership_account ON membership (account_id);

-- One authorization of one client by one person, with what it grants. `service` completes the mount: a
-- service's name or `all`. `scopes` is a JSON array of words; `reach` one of UUIDs, NULL = everything;
-- `run_budget` in runs an hour, NULL = as configured. `last_used_at` is written at most once a minute.
CREATE TABLE installation (
    id             BLOB NOT NULL PRIMARY KEY,
    workspace_id   BLOB NOT NULL REFERENCES workspace (id),
    account_id     BLOB NOT NULL REFERENCES account (id),
    service        TEXT NOT NULL,
    label          TEXT NOT NULL,
    client_name    TEXT,
    client_version TEXT,
    scopes         TEXT NOT NULL,
    reach          TEXT,
    run_budget     INTEGER,
    created_at     INTEGER NOT NULL,
    last_used_at   INTEGER,
    revoked_at     INTEGER
) STRICT;
CREATE INDEX installation_workspace ON installation (workspace_id, account_id);

-- What an installation shows. `hash` is the SHA-256 of the text, which is stored nowhere; `kind` is
-- `personal`; `cnf_jkt` has room for the thumbprint of a key that the token is bound to (RFC 9449).
CREATE TABLE token (
    id              BLOB NOT NULL PRIMARY KEY,
    workspace_id    BLOB NOT NULL REFERENCES workspace (id),
    installation_id BLOB NOT NULL REFERENCES installation (id),
    hash            BLOB NOT NULL UNIQUE,
    kind            TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER,
    revoked_at      INTEGER,
    cnf_jkt         TEXT
) STRICT;
CREATE INDEX token_workspace ON token (workspace_id, installation_id);
