-- Work that outlives the call which asked for it. Instants in microseconds since 1970.
CREATE TABLE run (
    id               UUID PRIMARY KEY,
    workspace_id     UUID NOT NULL,
    service          TEXT NOT NULL,
    kind             TEXT NOT NULL,
    -- What it works on, in the service's own words: a resource, a thing.
    target_id        UUID,
    -- Of the runs with the same key one may be live.
    live_key         TEXT COLLATE "C",
    payload          JSONB NOT NULL,
    -- Where the next attempt goes on.
    checkpoint       JSONB,
    status           TEXT NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    -- Why it failed, in words for people.
    error            TEXT,
    -- The installation that started it; null for the console, schedules and the command line.
    starter          UUID,
    account_id       UUID,
    created_at       BIGINT NOT NULL,
    started_at       BIGINT,
    finished_at      BIGINT,
    cancel_requested BOOLEAN NOT NULL DEFAULT FALSE,
    -- Who works on it, as INCARNATION@NODE, and until when without a sign of life; null unless running.
    lease_owner      TEXT,
    lease_until      BIGINT,
    -- How often it was begun since it last got on.
    attempts         BIGINT NOT NULL DEFAULT 0,
    progress_done    BIGINT NOT NULL DEFAULT 0,
    progress_total   BIGINT,
    progress_bytes   BIGINT NOT NULL DEFAULT 0,
    progress_at      BIGINT,
    -- The highest progress_done of all attempts.
    furthest         BIGINT NOT NULL DEFAULT 0,
    -- When the present attempt began, and what was done by then: the rate is counted from there.
    rate_since       BIGINT,
    rate_done        BIGINT NOT NULL DEFAULT 0
);

CREATE INDEX run_by_workspace ON run (workspace_id, created_at, id);
CREATE UNIQUE INDEX run_live ON run (workspace_id, live_key) WHERE status IN ('queued', 'running');
CREATE INDEX run_waiting ON run (created_at, id) WHERE status IN ('queued', 'running');

-- Installations that asked for work which somebody else's live run was doing already: they may follow it.
CREATE TABLE run_follower (
    run_id          UUID NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    installation_id UUID NOT NULL,
    PRIMARY KEY (installation_id, run_id)
);
CREATE INDEX run_follower_of ON run_follower (run_id);

-- How many runs an installation started in the hour that began at window_start.
CREATE TABLE run_budget (
    installation_id UUID NOT NULL,
    window_start    BIGINT NOT NULL,
    used            BIGINT NOT NULL,
    PRIMARY KEY (installation_id, window_start)
);
