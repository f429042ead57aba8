-- Derived from the events one by one: where each stream's events lie, idempotency keys, claims,
-- erased blobs, and the compact range of the tree. `kind` is a row of event_types.def.
CREATE TABLE state_history (
    kind INTEGER NOT NULL,
    n    INTEGER NOT NULL,
    name TEXT NOT NULL,
    sv   INTEGER NOT NULL CHECK (sv > 0),
    seq  INTEGER NOT NULL,
    PRIMARY KEY (kind, n, name, sv)
) STRICT, WITHOUT ROWID;
CREATE TABLE state_idempotency (
    actor TEXT NOT NULL,
    key   TEXT NOT NULL,
    seq   INTEGER NOT NULL,
    PRIMARY KEY (actor, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE state_range (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    size  INTEGER NOT NULL,
    nodes BLOB NOT NULL
) STRICT;
CREATE TABLE state_erasure (
    digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
    seq    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE state_claim (
    resource TEXT NOT NULL,
    fence    INTEGER NOT NULL,
    live     INTEGER NOT NULL CHECK (live IN (0, 1)),
    holder   TEXT NOT NULL,
    attempt  INTEGER NOT NULL,
    ttl_s    INTEGER NOT NULL,
    at_ms    INTEGER NOT NULL,
    machine  TEXT NOT NULL,
    boot     TEXT NOT NULL,
    boot_ms  INTEGER NOT NULL,
    pid      INTEGER NOT NULL,
    start    INTEGER NOT NULL,
    started  INTEGER NOT NULL DEFAULT 0,
    finished INTEGER NOT NULL DEFAULT 0,
    end_seq  INTEGER,
    doubt_machine TEXT,
    doubt_boot    TEXT,
    doubt_boot_ms INTEGER,
    PRIMARY KEY (resource, fence)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX state_claim_live ON state_claim (resource) WHERE live = 1;
CREATE INDEX state_claim_by_fence ON state_claim (fence) WHERE live = 1;
CREATE TRIGGER state_claim_next BEFORE INSERT ON state_claim
WHEN NEW.live <> 1
  OR EXISTS (SELECT 1 FROM state_claim WHERE resource = NEW.resource AND fence >= NEW.fence)
  OR EXISTS (SELECT 1 FROM state_claim WHERE resource = NEW.resource AND live = 1)
BEGIN SELECT raise(ABORT, 'claim: one is live, or the fence does not grow'); END;
CREATE TRIGGER state_claim_dead BEFORE UPDATE ON state_claim
WHEN OLD.live = 0 OR NEW.fence IS NOT OLD.fence OR NEW.resource IS NOT OLD.resource
BEGIN SELECT raise(ABORT, 'claim: a dead one never lives again'); END;
