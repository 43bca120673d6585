-- A browser in which a person is signed in. `hash` is the SHA-256 of the cookie's secret. `kind` is `full`, or
-- `half`: the password was right and the second factor is awaited, good for nothing else. `authenticated_by` is
-- `password`, `passkey`, `oidc` or `setup`; `second_factor` says what came on top of it. `last_seen_at` is written
-- at most once a minute.
CREATE TABLE session (
    id               BLOB NOT NULL PRIMARY KEY,
    account_id       BLOB NOT NULL REFERENCES account (id),
    hash             BLOB NOT NULL UNIQUE,
    kind             TEXT NOT NULL,
    authenticated_by TEXT NOT NULL,
    second_factor    TEXT,
    user_agent       TEXT NOT NULL,
    address          TEXT NOT NULL,
    created_at       INTEGER NOT NULL,
    last_seen_at     INTEGER NOT NULL,
    expires_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX session_account ON session (account_id);

-- A link that is good once: `setup` (the owner's account of an empty house; one at most), `reset` (a new way to
-- sign in for an account; one at most for each) or `reset_all` (the same, and the second factor goes). `hash` is
-- the SHA-256 of its secret. What was used is deleted.
CREATE TABLE one_time_link (
    hash       BLOB NOT NULL PRIMARY KEY,
    kind       TEXT NOT NULL,
    account_id BLOB REFERENCES account (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_time_link_setup ON one_time_link (kind) WHERE kind = 'setup';
CREATE UNIQUE INDEX one_time_link_account ON one_time_link (account_id) WHERE account_id IS NOT NULL;

-- What was tried lately and did not succeed: `count` at `last_at`, from which it sinks again. `subject` is the SHA-256 of an account's address or of a
-- network's, and of what is counted, so that the table says neither.
CREATE TABLE sign_in_attempt (
    subject BLOB NOT NULL PRIMARY KEY,
    count   INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_attempt_last ON sign_in_attempt (last_at);

-- The second factor that a person asks of passwords. `totp_secret` is sealed; NULL where a passkey is the factor.
-- `last_step` is the step (RFC 6238) of the last code that was taken: none is taken twice. Until `confirmed_at`
-- it is an enrolment under way and asks for nothing.
CREATE TABLE second_factor (
    account_id   BLOB NOT NULL PRIMARY KEY REFERENCES account (id),
    totp_secret  BLOB,
    last_step    INTEGER,
    created_at   INTEGER NOT NULL,
    confirmed_at INTEGER
) STRICT;

-- Codes for who has lost the second factor, as SHA-256. What was used is deleted.
CREATE TABLE recovery_code (
    account_id BLOB NOT NULL REFERENCES account (id),
    hash       BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, hash)
) STRICT;

-- A passkey (WebAuthn): `credential` is its public key with the counter and flags of its last use.
CREATE TABLE passkey (
    id            BLOB NOT NULL PRIMARY KEY,
    account_id    BLOB NOT NULL REFERENCES account (id),
    credential_id BLOB NOT NULL UNIQUE,
    name          TEXT NOT NULL,
    credential    TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    last_used_at  INTEGER
) STRICT;
CREATE INDEX passkey_account ON passkey (account_id);

-- What the server remembers between the two halves of a ceremony: `passkey_register`, `passkey_sign_in`, `oidc`.
-- `hash` is the SHA-256 of a secret that only the browser has which began it. What was finished is deleted.
CREATE TABLE ceremony (
    hash       BLOB NOT NULL PRIMARY KEY,
    kind       TEXT NOT NULL,
    account_id BLOB REFERENCES account (id),
    state      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ceremony_expires ON ceremony (expires_at);

-- Who somebody is at an OpenID provider (OpenID Connect Core section 2: `iss`, `sub`).
CREATE TABLE oidc_identity (
    issuer       TEXT NOT NULL,
    subject      TEXT NOT NULL,
    account_id   BLOB NOT NULL REFERENCES account (id),
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX oidc_identity_account ON oidc_identity (account_id);

-- An invitation into a workspace. `hash` is the SHA-256 of its link's secret; `email`, where given, is the only
-- address that may accept it.
CREATE TABLE invitation (
    id           BLOB NOT NULL PRIMARY KEY,
    workspace_id BLOB NOT NULL REFERENCES workspace (id),
    invited_by   BLOB NOT NULL REFERENCES account (id),
    role         TEXT NOT NULL,
    email        TEXT,
    hash         BLOB NOT NULL UNIQUE,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    accepted_at  INTEGER,
    accepted_by  BLOB REFERENCES account (id),
    withdrawn_at INTEGER
) STRICT;
CREATE INDEX invitation_workspace ON invitation (workspace_id, id);

-- To end all of a person's installations at once.
CREATE INDEX installation_account ON installation (account_id);
