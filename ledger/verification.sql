-- name: verification_find :one
SELECT n, scope, outcome, term, sow, assignment, receipt, definition_digest, passed,
    aggregate_digest, evidence, basis, reads_digest, actor, seq
FROM state_verification WHERE n = $1;

-- name: verification_of_term :many
SELECT n, scope, outcome, term, sow, assignment, receipt, definition_digest, passed,
    aggregate_digest, evidence, basis, reads_digest, actor, seq
FROM state_verification WHERE outcome = $1 AND ($2 = 0 OR term = $2) ORDER BY n;

-- name: verification_of_sow :many
SELECT n, scope, outcome, term, sow, assignment, receipt, definition_digest, passed,
    aggregate_digest, evidence, basis, reads_digest, actor, seq
FROM state_verification WHERE sow = $1 ORDER BY n;

-- name: verification_insert :run
INSERT INTO state_verification (n, scope, outcome, term, sow, assignment, receipt,
    definition_digest, passed, aggregate_digest, evidence, basis, reads_digest, actor, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);
