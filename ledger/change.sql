-- name: change_find :one
SELECT n, kind, subject, quantity, source, dedupe_key, facts, postings, policy, actor, seq
FROM state_change WHERE n = $1;

-- name: change_list :many
SELECT n, kind, subject, quantity, source, dedupe_key, facts, postings, policy, actor, seq
FROM state_change ORDER BY n;

-- name: change_under_key :one
SELECT seq FROM state_change WHERE source = $1 AND kind = $2 AND dedupe_key = $3
   AND dedupe_key IS NOT NULL;

-- name: change_insert :run
INSERT INTO state_change (n, kind, subject, quantity, source, dedupe_key, facts, postings, policy,
                          actor, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);
