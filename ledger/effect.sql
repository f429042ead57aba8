-- name: effect_find :one
SELECT n, assignment, kind, subject, quantity, facts, postings, policy, fence, seq, approval
FROM state_effect WHERE n = $1;

-- name: effect_list :many
SELECT n, assignment, kind, subject, quantity, facts, postings, policy, fence, seq, approval
FROM state_effect WHERE $1 = 0 OR assignment = $1 ORDER BY n;

-- name: effect_used :one
SELECT n, quantity FROM state_effect WHERE assignment = $1 AND kind = $2 AND subject = $3;

-- name: effect_insert :run
INSERT INTO state_effect (n, assignment, kind, subject, quantity, facts, postings, policy, fence,
    seq, approval)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);
