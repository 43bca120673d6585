-- A workspace that was deleted, for as long as what was under way then may still write: it is swept away, too. It
-- points at nothing, since there is no such workspace.
CREATE TABLE deleted_workspace (
    id         BLOB NOT NULL PRIMARY KEY,
    deleted_at INTEGER NOT NULL
) STRICT;
