-- Values of the whole installation: the sentinel of the secret key, the installation's own id.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;

-- How often each topic was rung: seen by processes beside the one that wrote.
CREATE TABLE wake (
    topic TEXT PRIMARY KEY,
    rings INTEGER NOT NULL
) STRICT;

-- What one node at a time may do. `until` in microseconds since 1970.
CREATE TABLE lease (
    name  TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    until INTEGER NOT NULL
) STRICT;
