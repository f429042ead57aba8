-- What was accepted, and what authorities ruled.
CREATE TABLE state_acceptance (
    n            INTEGER PRIMARY KEY,
    outcome      INTEGER NOT NULL,
    term         INTEGER NOT NULL,
    signer       TEXT NOT NULL,
    signers      TEXT NOT NULL,
    case_digest  BLOB NOT NULL,
    observations TEXT NOT NULL,
    reason       TEXT,
    basis        INTEGER NOT NULL,
    reads_digest BLOB NOT NULL,
    key          TEXT NOT NULL,
    statement    BLOB NOT NULL,
    signature    BLOB NOT NULL,
    seq          INTEGER NOT NULL
) STRICT;
CREATE INDEX state_acceptance_outcome ON state_acceptance (outcome, term, n);
CREATE TABLE state_ruling (
    n           INTEGER PRIMARY KEY,
    question    TEXT NOT NULL,
    decision    TEXT NOT NULL,
    rationale   TEXT NOT NULL,
    applies_to  TEXT NOT NULL,
    effect      TEXT NOT NULL,
    receipt     INTEGER,
    ruler       TEXT NOT NULL,
    key         TEXT NOT NULL,
    statement   BLOB NOT NULL,
    signature   BLOB NOT NULL,
    seq         INTEGER NOT NULL,
    revoked_seq INTEGER,
    revoked_by  TEXT
) STRICT;
CREATE INDEX state_ruling_applies ON state_ruling (applies_to, n);
CREATE INDEX state_ruling_receipt ON state_ruling (receipt, n) WHERE receipt IS NOT NULL;
