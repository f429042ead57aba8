-- The canonical tables: append-only, no index but the keys. Everything else is folded from them.
PRAGMA application_id = 0x736f7631;

CREATE TABLE event (
    seq      INTEGER PRIMARY KEY CHECK (seq > 0),
    hash     BLOB NOT NULL CHECK (length(hash) = 32),
    octets   BLOB NOT NULL CHECK (length(octets) BETWEEN 2 AND 65535),
    resource TEXT CHECK ((resource IS NULL) = (fence IS NULL)),
    fence    INTEGER CHECK (fence > 0)
) STRICT;
CREATE TABLE blob (
    n          INTEGER PRIMARY KEY CHECK (n > 0),
    digest     BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    salt       BLOB CHECK (length(salt) = 32),
    size       INTEGER NOT NULL CHECK (size >= 0),
    media_type TEXT NOT NULL,
    content    BLOB CHECK (length(content) = size)
) STRICT;
CREATE TABLE checkpoint (
    size      INTEGER PRIMARY KEY CHECK (size > 0),
    root      BLOB NOT NULL CHECK (length(root) = 32),
    key       INTEGER NOT NULL,
    signature BLOB NOT NULL CHECK (length(signature) = 64)
) STRICT;

-- Also stop INSERT OR REPLACE, whose implicit delete fires no DELETE trigger while
-- recursive_triggers is off, and is not announced to the authorizer.
-- One trigger for both rules: each is a program of its own to run for every event.
CREATE TRIGGER event_next BEFORE INSERT ON event
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event)
  OR (NEW.fence IS NOT NULL AND NOT EXISTS (SELECT 1 FROM state_claim
      WHERE resource = NEW.resource AND fence = NEW.fence AND live = 1))
BEGIN
    SELECT raise(ABORT, 'event: seq must be the next one')
    WHERE NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event);
    SELECT raise(ABORT, 'event: stale fence');
END;
CREATE TRIGGER event_no_update BEFORE UPDATE ON event
BEGIN SELECT raise(ABORT, 'event: never changed'); END;
CREATE TRIGGER event_no_delete BEFORE DELETE ON event
BEGIN SELECT raise(ABORT, 'event: never deleted'); END;

CREATE TRIGGER blob_next BEFORE INSERT ON blob
WHEN NEW.n IS NOT (SELECT coalesce(max(n), 0) + 1 FROM blob)
  OR EXISTS (SELECT 1 FROM blob WHERE digest = NEW.digest)
BEGIN SELECT raise(ABORT, 'blob: n must be the next one and the digest new'); END;
CREATE TRIGGER blob_no_update BEFORE UPDATE ON blob
WHEN NEW.n IS NOT OLD.n OR NEW.digest IS NOT OLD.digest OR NEW.size IS NOT OLD.size
  OR NEW.media_type IS NOT OLD.media_type OR NEW.content IS NOT NULL OR NEW.salt IS NOT NULL
  OR NOT EXISTS (SELECT 1 FROM state_erasure WHERE digest = OLD.digest)
BEGIN SELECT raise(ABORT, 'blob: only an erased one loses its content'); END;
CREATE TRIGGER blob_no_delete BEFORE DELETE ON blob
BEGIN SELECT raise(ABORT, 'blob: never deleted'); END;

CREATE TRIGGER checkpoint_next BEFORE INSERT ON checkpoint
WHEN NEW.size <= (SELECT coalesce(max(size), 0) FROM checkpoint)
BEGIN SELECT raise(ABORT, 'checkpoint: the size must grow'); END;
CREATE TRIGGER checkpoint_no_update BEFORE UPDATE ON checkpoint
BEGIN SELECT raise(ABORT, 'checkpoint: never changed'); END;
CREATE TRIGGER checkpoint_no_delete BEFORE DELETE ON checkpoint
BEGIN SELECT raise(ABORT, 'checkpoint: never deleted'); END;
