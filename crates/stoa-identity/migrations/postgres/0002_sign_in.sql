-- A browser in which a person is signed in. `hash` is the SHA-256 of the cookie's secret. `kind` is `full`, or
-- `half`: the password was right and the second factor is awaited, good for nothing else. `authenticated_by` is
-- `password`, `passkey`, `oidc` or `setup`; `second_factor` says what came on top of it. `last_seen_at` is written
-- at most once a minute.
CREATE TABLE session (
    id               UUID NOT NULL PRIMARY KEY,
    account_id       UUID NOT NULL REFERENCES account (id),
    hash             BYTEA NOT NULL UNIQUE,
    kind             TEXT COLLATE "C" NOT NULL,
    authenticated_by TEXT COLLATE "C" NOT NULL,
    second_factor    TEXT COLLATE "C",
    user_agent       TEXT NOT NULL,
    address          TEXT COLLATE "C" NOT NULL,
    created_at       BIGINT NOT NULL,
    last_seen_at     BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL
);
CREATE INDEX session_account ON session (account_id);

-- A link that is good once: `setup` (the owner's account of an empty house; one at most), `reset` (a new way to
-- sign in for an account; one at most for each) or `reset_all` (the same, and the second factor goes). `hash` is
-- the SHA-256 of its secret. What was used is deleted.
CREATE TABLE one_time_link (
    hash       BYTEA NOT NULL PRIMARY KEY,
    kind       TEXT COLLATE "C" NOT NULL,
    account_id UUID REFERENCES account (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX one_time_link_setup ON one_time_link (kind) WHERE kind = 'setup';
CREATE UNIQUE INDEX one_time_link_account ON one_time_link (account_id) WHERE account_id IS NOT NULL;

-- What was tried lately and did not succeed: `count` at `last_at`, from which it sinks again. `subject` is the SHA-256 of an account's address or of a
-- network's, and of what is counted, so that the table says neither.
CREATE TABLE sign_in_attempt (
    subject BYTEA NOT NULL PRIMARY KEY,
    count   BIGINT NOT NULL,
    last_at BIGINT NOT NULL
);
CREATE INDEX sign_in_attempt_last ON sign_in_attempt (last_at);

-- The second factor that a person asks of passwords. `totp_secret` is sealed; NULL where a passkey is the factor.
-- `last_step` is the step (RFC 6238) of the last code that was taken: none is taken twice. Until `confirmed_at`
-- it is an enrolment under way and asks for nothing.
CREATE TABLE second_factor (
    account_id   UUID NOT NULL PRIMARY KEY REFERENCES account (id),
    totp_secret  BYTEA,
    last_step    BIGINT,
    created_at   BIGINT NOT NULL,
    confirmed_at BIGINT
);

-- Codes for who has lost the second factor, as SHA-256. What was used is deleted.
CREATE TABLE recovery_code (
    account_id UUID NOT NULL REFERENCES account (id),
    hash       BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, hash)
);

-- A passkey (WebAuthn): `credential` is its public key with the counter and flags of its last use.
CREATE TABLE passkey (
    id            UUID NOT NULL PRIMARY KEY,
    account_id    UUID NOT NULL REFERENCES account (id),
    credential_id BYTEA NOT NULL UNIQUE,
    name          TEXT NOT NULL,
    credential    JSONB NOT NULL,
    created_at    BIGINT NOT NULL,
    last_used_at  BIGINT
);
CREATE INDEX passkey_account ON passkey (account_id);

-- What the server remembers between the two halves of a ceremony: `passkey_register`, `passkey_sign_in`, `oidc`.
-- `hash` is the SHA-256 of a secret that only the browser has which began it. What was finished is deleted.
CREATE TABLE ceremony (
    hash       BYTEA NOT NULL PRIMARY KEY,
    kind       TEXT COLLATE "C" NOT NULL,
    account_id UUID REFERENCES account (id),
    state      JSONB NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX ceremony_expires ON ceremony (expires_at);

-- Who somebody is at an OpenID provider (OpenID Connect Core section 2: `iss`, `sub`).
CREATE TABLE oidc_identity (
    issuer       TEXT COLLATE "C" NOT NULL,
    subject      TEXT COLLATE "C" NOT NULL,
    account_id   UUID NOT NULL REFERENCES account (id),
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX oidc_identity_account ON oidc_identity (account_id);

-- An invitation into a workspace. `hash` is the SHA-256 of its link's secret; `email`, where given, is the only
-- address that may accept it.
CREATE TABLE invitation (
    id           UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspace (id),
    invited_by   UUID NOT NULL REFERENCES account (id),
    role         TEXT COLLATE "C" NOT NULL,
    email        TEXT COLLATE "C",
    hash         BYTEA NOT NULL UNIQUE,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    accepted_at  BIGINT,
    accepted_by  UUID REFERENCES account (id),
    withdrawn_at BIGINT
);
CREATE INDEX invitation_workspace ON invitation (workspace_id, id);

-- To end all of a person's installations at once.
CREATE INDEX installation_account ON installation (account_id);
