-- What each node counted of each installation's calls in one minute, so that all nodes together keep one limit.
-- `window_start` in microseconds since 1970.
CREATE TABLE rate_count (
    window_start    INTEGER NOT NULL,
    node            TEXT NOT NULL,
    installation_id BLOB NOT NULL,
    service         TEXT NOT NULL,
    used            INTEGER NOT NULL,
    PRIMARY KEY (window_start, node, installation_id, service)
) STRICT, WITHOUT ROWID;
