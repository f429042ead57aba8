-- The organization: its law, its people and programs. Who it is stands in event 1.
-- Lists and maps are canonical JSON.
CREATE TABLE state_filesystem (
    kind   TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    seq    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE state_policy (
    seq       INTEGER PRIMARY KEY,
    digest    BLOB NOT NULL CHECK (length(digest) = 32),
    document  TEXT NOT NULL,
    adopter   TEXT NOT NULL,
    reason    TEXT NOT NULL,
    key       TEXT NOT NULL,
    statement BLOB NOT NULL,
    signature BLOB NOT NULL
) STRICT;
CREATE TABLE state_actor (
    id         TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    role       TEXT NOT NULL,
    provider   TEXT NOT NULL,
    represents TEXT,
    status     TEXT NOT NULL,
    seq        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE state_key (
    id           TEXT PRIMARY KEY,
    actor        TEXT NOT NULL,
    algorithm    TEXT NOT NULL,
    public_key   BLOB NOT NULL,
    from_seq     INTEGER NOT NULL,
    to_seq       INTEGER,
    unsafe_since INTEGER,
    successor    TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX state_key_actor ON state_key (actor, from_seq);
CREATE TABLE state_provider (
    name         TEXT PRIMARY KEY,
    status       TEXT NOT NULL,
    registration TEXT NOT NULL,
    seq          INTEGER NOT NULL,
    probe        TEXT,
    probe_seq    INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE state_heartbeat (
    source  TEXT PRIMARY KEY,
    seq     INTEGER NOT NULL,
    at_ms   INTEGER NOT NULL,
    actor   TEXT NOT NULL,
    machine TEXT NOT NULL,
    note    TEXT
) STRICT, WITHOUT ROWID;
