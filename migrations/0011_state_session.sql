-- Programs that run, what they carry on, and what they hand out.
CREATE TABLE state_instance (
    n     INTEGER PRIMARY KEY,
    label TEXT NOT NULL,
    actor TEXT NOT NULL,
    state TEXT NOT NULL,
    seq   INTEGER NOT NULL
) STRICT;
CREATE TABLE state_session (
    n              INTEGER PRIMARY KEY,
    actor          TEXT NOT NULL,
    purpose        TEXT NOT NULL,
    state          TEXT NOT NULL,
    incarnation    INTEGER NOT NULL DEFAULT 0,
    instance_fence INTEGER,
    seq            INTEGER NOT NULL
) STRICT;
CREATE TABLE state_delivery (
    n            INTEGER PRIMARY KEY,
    channel      TEXT NOT NULL,
    content      TEXT NOT NULL,
    receiver_key TEXT NOT NULL,
    session      INTEGER,
    max_attempts INTEGER NOT NULL,
    attempts     INTEGER NOT NULL DEFAULT 0,
    after_ms     INTEGER,
    state        TEXT NOT NULL,
    seq          INTEGER NOT NULL
) STRICT;
