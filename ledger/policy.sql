-- name: policy_newest :one
SELECT seq, digest, document, adopter, reason, key, statement, signature FROM state_policy
ORDER BY seq DESC LIMIT 1;

-- name: policy_at :one
SELECT seq, digest, document, adopter, reason, key, statement, signature FROM state_policy
WHERE seq <= $1 ORDER BY seq DESC LIMIT 1;

-- name: policy_insert :run
INSERT INTO state_policy (seq, digest, document, adopter, reason, key, statement, signature)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);
