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
CREATE INDEX state_posting_account ON state_posting (account, seq);
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
-- Narrow, with no index but these: a bulk append of signals pays for each of them.
CREATE TABLE state_signal (
    n           INTEGER PRIMARY KEY,
    kind        TEXT NOT NULL,
    source      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    severity    TEXT NOT NULL,
    dedupe_key  TEXT,
    at_ms       INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    decided_seq INTEGER
) STRICT;
CREATE UNIQUE INDEX state_signal_dedupe ON state_signal (source, kind, dedupe_key)
    WHERE dedupe_key IS NOT NULL;
CREATE INDEX state_signal_open ON state_signal (n) WHERE decided_seq IS NULL;
-- The newest decision of a signal, and what a pulse looks for: those made under other rules, those
-- whose outcome, time or SOW was waited for. `at_ms` is the signal's.
CREATE TABLE state_wake (
    n             INTEGER PRIMARY KEY,
    at_ms         INTEGER NOT NULL,
    decision      TEXT NOT NULL,
    reason        TEXT NOT NULL,
    rule          TEXT,
    outcome       INTEGER,
    sow           INTEGER,
    waits_outcome INTEGER,
    waits_state   TEXT,
    until_ms      INTEGER,
    rules_digest  BLOB NOT NULL
) STRICT;
CREATE INDEX state_wake_rules ON state_wake (rules_digest, at_ms) WHERE decision <> 'fire';
CREATE INDEX state_wake_waits ON state_wake (waits_outcome, waits_state)
    WHERE waits_outcome IS NOT NULL;
CREATE INDEX state_wake_until ON state_wake (until_ms) WHERE until_ms IS NOT NULL;
CREATE INDEX state_wake_sow ON state_wake (decision, sow) WHERE sow IS NOT NULL;
CREATE INDEX state_wake_outcome ON state_wake (outcome, n) WHERE outcome IS NOT NULL;
