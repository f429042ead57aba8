-- name: receipt_find :one
SELECT n, assignment, attempt, fence, status, category, message, report_digest, provider, usage,
    deliverables, effects, effects_unknown, boundary, hash, seq
FROM state_receipt WHERE n = $1;

-- name: receipt_of :one
SELECT n, assignment, attempt, fence, status, category, message, report_digest, provider, usage,
    deliverables, effects, effects_unknown, boundary, hash, seq
FROM state_receipt WHERE assignment = $1 AND fence = $2;

-- name: receipt_list :many
SELECT n, assignment, attempt, fence, status, category, message, report_digest, provider, usage,
    deliverables, effects, effects_unknown, boundary, hash, seq
FROM state_receipt ORDER BY n;

-- name: receipt_list_assignment :many
SELECT n, assignment, attempt, fence, status, category, message, report_digest, provider, usage,
    deliverables, effects, effects_unknown, boundary, hash, seq
FROM state_receipt WHERE assignment = $1 ORDER BY n;

-- name: receipt_list_holding :many
SELECT n, assignment, attempt, fence, status, category, message, report_digest, provider, usage,
    deliverables, effects, effects_unknown, boundary, hash, seq
FROM state_receipt WHERE instr(deliverables, $1) > 0 ORDER BY n;

-- name: receipt_twice :one
SELECT n FROM state_receipt WHERE assignment = $1 AND (attempt = $2 OR fence = $3);

-- name: receipt_insert :run
INSERT INTO state_receipt (n, assignment, attempt, fence, status, category, message, report_digest,
    provider, usage, deliverables, effects, effects_unknown, boundary, violated, hash, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17);
