-- name: signal_find :one
SELECT n, kind, source, subject, severity, dedupe_key, at_ms, seq, decided_seq, decision, reason,
       rule, outcome, sow, waits_outcome, waits_state, until_ms, rules_digest
FROM state_signal WHERE n = $1;

-- name: signal_list :many
SELECT n, kind, source, subject, severity, dedupe_key, at_ms, seq, decided_seq, decision, reason,
       rule, outcome, sow, waits_outcome, waits_state, until_ms, rules_digest
FROM state_signal WHERE n >= $1 ORDER BY n LIMIT $2;

-- name: signal_of_outcome :many
SELECT n, kind, source, subject, severity, dedupe_key, at_ms, seq, decided_seq, decision, reason,
       rule, outcome, sow, waits_outcome, waits_state, until_ms, rules_digest
FROM state_signal WHERE outcome = $1 AND outcome IS NOT NULL ORDER BY n;

-- name: signal_of_sow :many
SELECT n, kind, source, subject, severity, dedupe_key, at_ms, seq, decided_seq, decision, reason,
       rule, outcome, sow, waits_outcome, waits_state, until_ms, rules_digest
FROM state_signal WHERE sow = $1 AND sow IS NOT NULL ORDER BY n;

-- name: signal_under_key :one
SELECT seq FROM state_signal WHERE source = $1 AND kind = $2 AND dedupe_key = $3
   AND dedupe_key IS NOT NULL;

-- name: signal_under_idempotency :one
SELECT seq FROM state_idempotency WHERE actor = $1 AND key = $2;

-- name: signal_insert :run
INSERT INTO state_signal (n, kind, source, subject, severity, dedupe_key, at_ms, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: signal_decide :run
UPDATE state_signal SET decided_seq = $1, decision = $2, reason = $3, rule = $4, outcome = $5,
       sow = $6, waits_outcome = $7, waits_state = $8, until_ms = $9, rules_digest = $10
WHERE n = $11;
