-- Outcomes, statements of work, assignments and what their runs left.
CREATE TABLE state_outcome (
    n                 INTEGER PRIMARY KEY,
    title             TEXT NOT NULL,
    desired_state     TEXT NOT NULL,
    subject           TEXT,
    checks            TEXT NOT NULL,
    owner             TEXT NOT NULL,
    definition_digest BLOB NOT NULL,
    state             TEXT NOT NULL,
    term              INTEGER NOT NULL,
    term_seq          INTEGER NOT NULL,
    blocked_from      TEXT,
    acceptance        INTEGER,
    successor         INTEGER,
    seq               INTEGER NOT NULL
) STRICT;
CREATE INDEX state_outcome_subject ON state_outcome (subject, n) WHERE subject IS NOT NULL;
CREATE INDEX state_outcome_state ON state_outcome (state, n);
CREATE TABLE state_sow (
    n               INTEGER PRIMARY KEY,
    outcome         INTEGER NOT NULL,
    term            INTEGER NOT NULL,
    title           TEXT NOT NULL,
    scope           TEXT NOT NULL,
    role            TEXT NOT NULL,
    effect_kind     TEXT,
    effect_required INTEGER NOT NULL DEFAULT 0,
    deliverables    TEXT NOT NULL,
    non_goals       TEXT NOT NULL,
    done_when       TEXT NOT NULL,
    origin          TEXT NOT NULL,
    origin_seq      INTEGER,
    author          TEXT NOT NULL,
    on_behalf       TEXT,
    state           TEXT NOT NULL,
    rounds          INTEGER NOT NULL DEFAULT 0,
    assignment      INTEGER,
    receipt         INTEGER,
    successor       INTEGER,
    inspection      TEXT,
    seq             INTEGER NOT NULL
) STRICT;
CREATE INDEX state_sow_outcome ON state_sow (outcome, term, n);
CREATE INDEX state_sow_state ON state_sow (state, n);
CREATE TABLE state_assignment (
    n                INTEGER PRIMARY KEY,
    sow              INTEGER NOT NULL,
    outcome          INTEGER NOT NULL,
    actor            TEXT NOT NULL,
    workspace_policy TEXT NOT NULL,
    workspace_id     TEXT NOT NULL,
    round            INTEGER NOT NULL,
    prompt_digest    BLOB NOT NULL,
    author           TEXT NOT NULL,
    on_behalf        TEXT,
    state            TEXT NOT NULL,
    attempts         INTEGER NOT NULL DEFAULT 0,
    fence            INTEGER,
    receipt          INTEGER,
    seq              INTEGER NOT NULL
) STRICT;
CREATE INDEX state_assignment_sow ON state_assignment (sow, n);
CREATE INDEX state_assignment_outcome ON state_assignment (outcome, n);
CREATE INDEX state_assignment_actor ON state_assignment (actor, state);
