-- Approvals: what was asked for, and each vote on it.
CREATE TABLE state_approval (
    n           INTEGER PRIMARY KEY,
    action      TEXT NOT NULL,
    resource    TEXT NOT NULL,
    args_digest BLOB NOT NULL CHECK (length(args_digest) = 32),
    args        TEXT NOT NULL,
    quorum      INTEGER NOT NULL,
    persons     INTEGER NOT NULL,
    expires_ms  INTEGER NOT NULL,
    policy      BLOB NOT NULL CHECK (length(policy) = 32),
    requester   TEXT NOT NULL,
    state       TEXT NOT NULL,
    at_ms       INTEGER NOT NULL,
    hash        BLOB NOT NULL,
    seq         INTEGER NOT NULL,
    used_by     TEXT,
    last_seq    INTEGER NOT NULL
) STRICT;
CREATE INDEX state_approval_for ON state_approval (action, resource, n);
CREATE INDEX state_approval_by ON state_approval (requester, at_ms);
CREATE INDEX state_approval_live ON state_approval (expires_ms)
    WHERE state IN ('PENDING', 'GRANTED');
CREATE TABLE state_approval_vote (
    n         INTEGER NOT NULL,
    voter     TEXT NOT NULL,
    vote      TEXT NOT NULL,
    reason    TEXT NOT NULL,
    key       TEXT NOT NULL,
    statement BLOB NOT NULL,
    signature BLOB NOT NULL,
    seq       INTEGER NOT NULL,
    PRIMARY KEY (n, voter)
) STRICT, WITHOUT ROWID;
