-- What is counted, what came from outside, and what the pulse answered.
CREATE TABLE state_subject (
    id    TEXT PRIMARY KEY,
    facts TEXT NOT NULL,
    seq   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE state_account (
    name    TEXT PRIMARY KEY,
    unit    TEXT NOT NULL,
    opening INTEGER NOT NULL,
    balance INTEGER NOT NULL,
    seq     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE state_posting (
    seq     INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    delta   INTEGER NOT NULL,
    balance INTEGER NOT NULL,
    lead    INTEGER NOT NULL
) STRICT;
CREATE INDEX state_posting_lead ON state_posting (lead);
CREATE TABLE state_change (
    n          INTEGER PRIMARY KEY,
    kind       TEXT NOT NULL,
    subject    TEXT NOT NULL,
    quantity   INTEGER NOT NULL,
    source     TEXT NOT NULL,
    dedupe_key TEXT,
    facts      TEXT NOT NULL,
    postings   TEXT NOT NULL,
    policy     BLOB NOT NULL,
    actor      TEXT NOT NULL,
    seq        INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX state_change_dedupe ON state_change (source, kind, dedupe_key)
    WHERE dedupe_key IS NOT NULL;
CREATE TABLE state_signal (
    n            INTEGER PRIMARY KEY,
    kind         TEXT NOT NULL,
    source       TEXT NOT NULL,
    subject      TEXT NOT NULL,
    severity     TEXT NOT NULL,
    dedupe_key   TEXT,
    payload      BLOB,
    at_ms        INTEGER NOT NULL,
    seq          INTEGER NOT NULL,
    decided_seq  INTEGER,
    decision     TEXT,
    reason       TEXT,
    rule         TEXT,
    outcome      INTEGER,
    sow          INTEGER,
    waits_on     TEXT,
    waits_state  TEXT,
    until_ms     INTEGER,
    rules_digest BLOB
) STRICT;
CREATE UNIQUE INDEX state_signal_dedupe ON state_signal (source, kind, dedupe_key)
    WHERE dedupe_key IS NOT NULL;
CREATE INDEX state_signal_open ON state_signal (n) WHERE decision IS NULL;
CREATE INDEX state_signal_decision ON state_signal (decision, n) WHERE decision IS NOT NULL;
CREATE INDEX state_signal_sow ON state_signal (sow) WHERE sow IS NOT NULL;
