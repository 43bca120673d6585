-- What each node counted of each installation's calls in one minute, so that all nodes together keep one limit.
-- `window_start` in microseconds since 1970. Unlogged: after a crash of the database a minute is counted anew.
CREATE UNLOGGED TABLE rate_count (
    window_start    BIGINT NOT NULL,
    node            TEXT COLLATE "C" NOT NULL,
    installation_id UUID NOT NULL,
    service         TEXT COLLATE "C" NOT NULL,
    used            BIGINT NOT NULL,
    PRIMARY KEY (window_start, node, installation_id, service)
);
