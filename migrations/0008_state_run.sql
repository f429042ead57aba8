-- Attempts that started, results that came too late, and proposals that were refused.
CREATE TABLE state_run (
    fence      INTEGER PRIMARY KEY,
    assignment INTEGER NOT NULL,
    provider   TEXT NOT NULL,
    adapter    TEXT NOT NULL,
    version    INTEGER NOT NULL,
    start_seq  INTEGER NOT NULL,
    started    TEXT NOT NULL,
    finish_seq INTEGER,
    finished   TEXT CHECK ((finished IS NULL) = (finish_seq IS NULL)),
    archive    TEXT,
    flagged    TEXT,
    reclaimed  INTEGER
) STRICT;
CREATE INDEX state_run_assignment ON state_run (assignment, fence);
CREATE INDEX state_run_provider ON state_run (provider, start_seq);
CREATE TABLE state_stale (
    seq        INTEGER PRIMARY KEY,
    assignment INTEGER NOT NULL,
    fence      INTEGER NOT NULL,
    live_fence INTEGER,
    report     TEXT,
    why        TEXT NOT NULL
) STRICT;
CREATE INDEX state_stale_assignment ON state_stale (assignment, fence);
CREATE TABLE state_refused (
    seq        INTEGER PRIMARY KEY,
    assignment INTEGER NOT NULL,
    fence      INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    subject    TEXT NOT NULL,
    quantity   INTEGER,
    code       TEXT NOT NULL
) STRICT;
CREATE INDEX state_refused_assignment ON state_refused (assignment, seq);
