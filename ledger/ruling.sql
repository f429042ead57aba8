-- name: ruling_find :one
SELECT n, question, decision, rationale, applies_to, effect, receipt, ruler, key, statement,
    signature, seq, revoked_seq, revoked_by
FROM state_ruling WHERE n = $1;

-- name: ruling_all :many
SELECT n, question, decision, rationale, applies_to, effect, receipt, ruler, key, statement,
    signature, seq, revoked_seq, revoked_by
FROM state_ruling ORDER BY n;

-- name: ruling_on :many
SELECT n, question, decision, rationale, applies_to, effect, receipt, ruler, key, statement,
    signature, seq, revoked_seq, revoked_by
FROM state_ruling WHERE applies_to = $1 ORDER BY n;

-- name: ruling_for :many
SELECT n, question, decision, rationale, applies_to, effect, receipt, ruler, key, statement,
    signature, seq, revoked_seq, revoked_by
FROM state_ruling WHERE receipt = $1 ORDER BY n;

-- name: ruling_in_force_on :one
SELECT n FROM state_ruling
WHERE applies_to = $1 AND effect = $2 AND revoked_seq IS NULL ORDER BY n DESC LIMIT 1;

-- name: ruling_in_force_for :one
SELECT n FROM state_ruling
WHERE receipt = $1 AND effect = $2 AND revoked_seq IS NULL ORDER BY n DESC LIMIT 1;

-- name: ruling_insert :run
INSERT INTO state_ruling (n, question, decision, rationale, applies_to, effect, receipt, ruler,
    key, statement, signature, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: ruling_revoke :run
UPDATE state_ruling SET revoked_seq = $1, revoked_by = $2 WHERE n = $3 AND revoked_seq IS NULL;
