-- What was called, by whom and how it ended. Never updated but for the two columns of the chain.
CREATE TABLE audit_entry (
    -- The order of insertion.
    seq             INTEGER PRIMARY KEY,
    id              BLOB NOT NULL UNIQUE,
    workspace_id    BLOB NOT NULL,
    -- When the act began, in microseconds since 1970.
    at              INTEGER NOT NULL,
    channel         TEXT NOT NULL,
    tool            TEXT NOT NULL,
    status          TEXT NOT NULL,
    code            TEXT,
    scope           TEXT,
    -- JSON, but plain text: the chain links its very bytes, whichever database they are restored into.
    arguments       TEXT NOT NULL,
    duration_us     INTEGER NOT NULL,
    installation_id BLOB,
    account_id      BLOB,
    credential      TEXT NOT NULL,
    client          TEXT,
    address_class   TEXT NOT NULL,
    trace_id        TEXT,
    -- The place in the workspace's chain, from 1, and the link to all before it; null until chained.
    chain_position  INTEGER,
    chain_mac       BLOB
) STRICT;
CREATE UNIQUE INDEX audit_entry_chain ON audit_entry (workspace_id, chain_position) WHERE chain_position IS NOT NULL;
CREATE INDEX audit_entry_unchained ON audit_entry (workspace_id, seq) WHERE chain_position IS NULL;
CREATE INDEX audit_entry_at ON audit_entry (workspace_id, at);

-- The end of each workspace's chain, and the last checkpoint that was logged.
CREATE TABLE audit_chain (
    workspace_id        BLOB PRIMARY KEY,
    position            INTEGER NOT NULL,
    mac                 BLOB NOT NULL,
    -- Keyed hash of the two columns above: the end can't be moved without the key.
    seal                BLOB NOT NULL,
    checkpoint_position INTEGER NOT NULL,
    checkpoint_mac      BLOB NOT NULL,
    checkpoint_at       INTEGER NOT NULL
) STRICT;
