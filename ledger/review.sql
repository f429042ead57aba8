-- name: review_find :one
SELECT n, sow, verification, receipt, reviewer, decision, rationale, aggregate_digest, basis,
    reads_digest, key, statement, signature, hash, seq
FROM state_review WHERE n = $1;

-- name: review_of_sow :many
SELECT n, sow, verification, receipt, reviewer, decision, rationale, aggregate_digest, basis,
    reads_digest, key, statement, signature, hash, seq
FROM state_review WHERE sow = $1 ORDER BY n;

-- name: review_insert :run
INSERT INTO state_review (n, sow, verification, receipt, reviewer, decision, rationale,
    aggregate_digest, basis, reads_digest, key, statement, signature, hash, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);
