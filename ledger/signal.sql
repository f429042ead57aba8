-- name: signal_find :one
SELECT s.n, s.kind, s.source, s.subject, s.severity, s.dedupe_key, s.at_ms, s.seq, s.decided_seq,
       w.decision, w.reason, w.rule, w.outcome, w.sow, w.waits_outcome, w.waits_state, w.until_ms,
       w.rules_digest
FROM state_signal s LEFT JOIN state_wake w ON w.n = s.n
WHERE s.n = $1;

-- name: signal_list :many
SELECT s.n, s.kind, s.source, s.subject, s.severity, s.dedupe_key, s.at_ms, s.seq, s.decided_seq,
       w.decision, w.reason, w.rule, w.outcome, w.sow, w.waits_outcome, w.waits_state, w.until_ms,
       w.rules_digest
FROM state_signal s LEFT JOIN state_wake w ON w.n = s.n
WHERE s.n >= $1 ORDER BY s.n LIMIT $2;

-- name: signal_of_outcome :many
SELECT s.n, s.kind, s.source, s.subject, s.severity, s.dedupe_key, s.at_ms, s.seq, s.decided_seq,
       w.decision, w.reason, w.rule, w.outcome, w.sow, w.waits_outcome, w.waits_state, w.until_ms,
       w.rules_digest
FROM state_wake w JOIN state_signal s ON s.n = w.n
WHERE w.outcome = $1 AND w.outcome IS NOT NULL ORDER BY w.n;

-- name: signal_of_sow :many
SELECT s.n, s.kind, s.source, s.subject, s.severity, s.dedupe_key, s.at_ms, s.seq, s.decided_seq,
       w.decision, w.reason, w.rule, w.outcome, w.sow, w.waits_outcome, w.waits_state, w.until_ms,
       w.rules_digest
FROM state_wake w JOIN state_signal s ON s.n = w.n
WHERE w.sow = $1 AND w.sow IS NOT NULL AND w.decision IN ('fire', 'duplicate') ORDER BY w.n;

-- name: signal_under_key :one
SELECT seq FROM state_signal WHERE source = $1 AND kind = $2 AND dedupe_key = $3
   AND dedupe_key IS NOT NULL;

-- name: signal_under_idempotency :one
SELECT seq FROM state_idempotency WHERE actor = $1 AND key = $2;

-- name: signal_insert :run
INSERT INTO state_signal (n, kind, source, subject, severity, dedupe_key, at_ms, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: signal_decided :run
UPDATE state_signal SET decided_seq = $1 WHERE n = $2;

-- name: wake_insert :run
INSERT INTO state_wake (decision, reason, rule, outcome, sow, waits_outcome, waits_state, until_ms,
                        rules_digest, n, at_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
        (SELECT at_ms FROM state_signal WHERE n = $10));

-- name: wake_update :run
UPDATE state_wake SET decision = $1, reason = $2, rule = $3, outcome = $4, sow = $5,
       waits_outcome = $6, waits_state = $7, until_ms = $8, rules_digest = $9
WHERE n = $10;
