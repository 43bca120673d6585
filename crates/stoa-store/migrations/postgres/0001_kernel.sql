-- Values of the whole installation: the sentinel of the secret key, the installation's own id.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value BYTEA NOT NULL
);

-- How often each topic was rung: used on SQLite; here NOTIFY does it.
CREATE TABLE wake (
    topic TEXT PRIMARY KEY,
    rings BIGINT NOT NULL
);

-- What one node at a time may do. `until` in microseconds since 1970.
CREATE TABLE lease (
    name  TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    until BIGINT NOT NULL
);
