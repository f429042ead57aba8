-- The mailbox between actors.
CREATE TABLE state_message (
    n         INTEGER PRIMARY KEY,
    recipient TEXT NOT NULL,
    sender    TEXT NOT NULL,
    subject   TEXT NOT NULL,
    about     TEXT,
    reply_to  INTEGER,
    state     TEXT NOT NULL,
    retries   INTEGER NOT NULL DEFAULT 0,
    seq       INTEGER NOT NULL
) STRICT;
CREATE INDEX state_message_waiting ON state_message (recipient, state, n);
