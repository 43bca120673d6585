-- A place where things live, and the connector that reaches it.
CREATE TABLE resource (
    id            BLOB PRIMARY KEY,
    workspace_id  BLOB NOT NULL,
    name          TEXT NOT NULL,
    connector     TEXT NOT NULL,
    -- What the connector needs to reach it, less credentials.
    configuration TEXT NOT NULL,
    -- Where exports go when told nothing.
    is_default    INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    -- The last sync that ended: when, what it counted, what was wrong.
    synced_at     INTEGER,
    sync_counts   TEXT,
    sync_error    TEXT,
    UNIQUE (workspace_id, name)
) STRICT;

-- One content. `seq` grows with each new thing: newest first is seq descending.
CREATE TABLE thing (
    seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    id             BLOB NOT NULL UNIQUE,
    workspace_id   BLOB NOT NULL,
    -- BLAKE3 of the content; NULL while its bytes were not read yet.
    hash           BLOB,
    kind           TEXT NOT NULL,
    mime           TEXT NOT NULL,
    size           INTEGER NOT NULL,
    -- The text's own title; without one a thing is called by its file name.
    title          TEXT,
    -- Characters of extracted text; NULL where there is none.
    text_length    INTEGER,
    catalogued_at  INTEGER NOT NULL,
    -- Set when the last reference went; the thing is deleted 30 days later.
    gone_at        INTEGER,
    -- The resource and key it was at last, so that only who may see that resource sees what became of it.
    gone_from      BLOB,
    gone_key       TEXT,
    superseded_by  BLOB,
    -- How often the content was analyzed anew: the number of its unit in the index.
    text_unit      INTEGER NOT NULL DEFAULT 0,
    -- The number the next reference's unit takes.
    next_unit      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX thing_by_content ON thing (workspace_id, hash) WHERE hash IS NOT NULL;
-- Instants never go back within a workspace, so that a span of time is a span of seqs.
CREATE INDEX thing_by_time ON thing (workspace_id, catalogued_at, seq);
CREATE INDEX thing_unread ON thing (workspace_id, seq) WHERE hash IS NULL;
CREATE INDEX thing_gone ON thing (workspace_id, gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX thing_superseded ON thing (workspace_id, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX thing_gone_in ON thing (workspace_id, seq) WHERE gone_at IS NOT NULL;

-- Ids of things that turned out to be the content of an older one.
CREATE TABLE thing_alias (
    workspace_id BLOB NOT NULL,
    alias_id     BLOB NOT NULL,
    thing_seq    INTEGER NOT NULL REFERENCES thing (seq) ON DELETE CASCADE,
    PRIMARY KEY (workspace_id, alias_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX thing_alias_of ON thing_alias (thing_seq);

-- Where a copy of a thing lies: a resource and the locator key in it.
CREATE TABLE thing_reference (
    id           BLOB PRIMARY KEY,
    workspace_id BLOB NOT NULL,
    resource_id  BLOB NOT NULL REFERENCES resource (id) ON DELETE CASCADE,
    key          TEXT NOT NULL,
    -- The key's own bytes where they are not UTF-8.
    key_bytes    BLOB,
    thing_seq    INTEGER NOT NULL REFERENCES thing (seq),
    -- The number of its unit in the index, among those of the thing's references.
    unit         INTEGER NOT NULL,
    size         INTEGER NOT NULL,
    modified_at  INTEGER NOT NULL,
    -- The sync that no longer found it; removed when that sync ends.
    vanished_in  BLOB,
    UNIQUE (resource_id, key)
) STRICT;
CREATE INDEX thing_reference_of ON thing_reference (thing_seq, unit);
CREATE INDEX thing_reference_vanished ON thing_reference (resource_id, vanished_in) WHERE vanished_in IS NOT NULL;

-- How each analysis step of a content went.
CREATE TABLE thing_step (
    thing_seq   INTEGER NOT NULL REFERENCES thing (seq) ON DELETE CASCADE,
    step        TEXT NOT NULL,
    status      TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    engine      TEXT,
    error       TEXT,
    PRIMARY KEY (thing_seq, step)
) STRICT, WITHOUT ROWID;

-- The extracted text, in parts of 8,000 characters.
CREATE TABLE thing_text (
    thing_seq INTEGER NOT NULL REFERENCES thing (seq) ON DELETE CASCADE,
    part      INTEGER NOT NULL,
    body      TEXT NOT NULL,
    PRIMARY KEY (thing_seq, part)
) STRICT, WITHOUT ROWID;

-- The full-text index (store/index): a workspace's words in segments, none of which is ever changed. How many
-- units one adds, how many it says are no more, how large it is; the oldest and the newest thing in it.
CREATE TABLE thing_segment (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id BLOB NOT NULL,
    low          INTEGER NOT NULL,
    high         INTEGER NOT NULL,
    units        INTEGER NOT NULL,
    dead         INTEGER NOT NULL,
    bytes        INTEGER NOT NULL,
    -- Set when it was merged into another; deleted once nobody reads it any more.
    replaced_at  INTEGER
) STRICT;
CREATE INDEX thing_segment_current ON thing_segment (workspace_id, id) WHERE replaced_at IS NULL;
CREATE INDEX thing_segment_replaced ON thing_segment (workspace_id, replaced_at) WHERE replaced_at IS NOT NULL;

-- Words in order, the first of them named, each with the units in which it stands (stream 0) and where (1).
CREATE TABLE thing_block (
    segment_id INTEGER NOT NULL REFERENCES thing_segment (id),
    stream     INTEGER NOT NULL,
    word       TEXT NOT NULL,
    part       INTEGER NOT NULL,
    low        INTEGER NOT NULL,
    high       INTEGER NOT NULL,
    body       BLOB NOT NULL,
    PRIMARY KEY (segment_id, stream, word, part)
) STRICT, WITHOUT ROWID;
