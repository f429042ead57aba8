-- Effects and receipts, and what was seen, said and signed about them.
CREATE TABLE state_effect (
    n          INTEGER PRIMARY KEY,
    assignment INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    subject    TEXT NOT NULL,
    quantity   INTEGER NOT NULL,
    facts      TEXT NOT NULL,
    postings   TEXT NOT NULL,
    policy     BLOB NOT NULL,
    fence      INTEGER NOT NULL,
    seq        INTEGER NOT NULL,
    approval   INTEGER
) STRICT;
CREATE UNIQUE INDEX state_effect_once ON state_effect (assignment, kind, subject);
CREATE TABLE state_receipt (
    n               INTEGER PRIMARY KEY,
    assignment      INTEGER NOT NULL,
    attempt         INTEGER NOT NULL,
    fence           INTEGER NOT NULL,
    status          TEXT NOT NULL,
    category        TEXT,
    message         TEXT NOT NULL,
    report_digest   BLOB,
    provider        TEXT,
    usage           TEXT NOT NULL,
    deliverables    TEXT NOT NULL,
    effects         TEXT NOT NULL,
    effects_unknown INTEGER NOT NULL,
    boundary        TEXT NOT NULL,
    violated        INTEGER NOT NULL,
    hash            BLOB NOT NULL,
    seq             INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX state_receipt_attempt ON state_receipt (assignment, attempt);
CREATE TABLE state_verification (
    n                 INTEGER PRIMARY KEY,
    scope             TEXT NOT NULL,
    outcome           INTEGER NOT NULL,
    term              INTEGER NOT NULL,
    sow               INTEGER,
    assignment        INTEGER,
    receipt           INTEGER,
    definition_digest BLOB NOT NULL,
    passed            INTEGER NOT NULL,
    aggregate_digest  BLOB NOT NULL,
    evidence          TEXT NOT NULL,
    basis             INTEGER NOT NULL,
    reads_digest      BLOB NOT NULL,
    actor             TEXT NOT NULL,
    seq               INTEGER NOT NULL
) STRICT;
CREATE INDEX state_verification_outcome ON state_verification (outcome, term, n);
CREATE INDEX state_verification_sow ON state_verification (sow, n) WHERE sow IS NOT NULL;
CREATE TABLE state_evidence (
    n                  INTEGER PRIMARY KEY,
    verification       INTEGER NOT NULL,
    check_id           TEXT NOT NULL,
    kind               TEXT NOT NULL,
    success            INTEGER NOT NULL,
    code               TEXT,
    observation_digest BLOB NOT NULL,
    observed           TEXT,
    observed_blob      BLOB,
    seq                INTEGER NOT NULL
) STRICT;
CREATE INDEX state_evidence_verification ON state_evidence (verification, n);
CREATE TABLE state_review (
    n                INTEGER PRIMARY KEY,
    sow              INTEGER NOT NULL,
    verification     INTEGER NOT NULL,
    receipt          INTEGER NOT NULL,
    reviewer         TEXT NOT NULL,
    decision         TEXT NOT NULL,
    rationale        TEXT NOT NULL,
    aggregate_digest BLOB NOT NULL,
    basis            INTEGER NOT NULL,
    reads_digest     BLOB NOT NULL,
    key              TEXT NOT NULL,
    statement        BLOB NOT NULL,
    signature        BLOB NOT NULL,
    hash             BLOB NOT NULL,
    seq              INTEGER NOT NULL
) STRICT;
CREATE INDEX state_review_verification ON state_review (verification, n);
CREATE INDEX state_review_sow ON state_review (sow, n);
