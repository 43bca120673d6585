-- A person. `email` is folded; `password_hash` is a PHC string, NULL for who can't sign in by password.
CREATE TABLE account (
    id            UUID NOT NULL PRIMARY KEY,
    email         TEXT COLLATE "C" NOT NULL UNIQUE,
    password_hash TEXT,
    created_at    BIGINT NOT NULL,
    disabled_at   BIGINT
);

-- A tenant. `name` is a slug.
CREATE TABLE workspace (
    id         UUID NOT NULL PRIMARY KEY,
    name       TEXT COLLATE "C" NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

-- Who belongs to a workspace, as what: `owner`, `admin`, `member`.
CREATE TABLE membership (
    workspace_id UUID NOT NULL REFERENCES workspace (id),
    account_id   UUID NOT NULL REFERENCES account (id),
    role         TEXT COLLATE "C" NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, account_id)
);
CREATE INDEX membership_account ON membership (account_id);

-- One authorization of one client by one person, with what it grants. `service` completes the mount: a
-- service's name or `all`. `scopes` is a JSON array of words; `reach` one of UUIDs, NULL = everything;
-- `run_budget` in runs an hour, NULL = as configured. `last_used_at` is written at most once a minute.
CREATE TABLE installation (
    id             UUID NOT NULL PRIMARY KEY,
    workspace_id   UUID NOT NULL REFERENCES workspace (id),
    account_id     UUID NOT NULL REFERENCES account (id),
    service        TEXT COLLATE "C" NOT NULL,
    label          TEXT NOT NULL,
    client_name    TEXT,
    client_version TEXT,
    scopes         JSONB NOT NULL,
    reach          JSONB,
    run_budget     BIGINT,
    created_at     BIGINT NOT NULL,
    last_used_at   BIGINT,
    revoked_at     BIGINT
);
CREATE INDEX installation_workspace ON installation (workspace_id, account_id);

-- What an installation shows. `hash` is the SHA-256 of the text, which is stored nowhere; `kind` is
-- `personal`; `cnf_jkt` has room for the thumbprint of a key that the token is bound to (RFC 9449).
CREATE TABLE token (
    id              UUID NOT NULL PRIMARY KEY,
    workspace_id    UUID NOT NULL REFERENCES workspace (id),
    installation_id UUID NOT NULL REFERENCES installation (id),
    hash            BYTEA NOT NULL UNIQUE,
    kind            TEXT COLLATE "C" NOT NULL,
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT,
    revoked_at      BIGINT,
    cnf_jkt         TEXT
);
CREATE INDEX token_workspace ON token (workspace_id, installation_id);
