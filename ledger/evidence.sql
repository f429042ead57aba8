-- name: evidence_find :one
SELECT n, verification, check_id, kind, success, code, observation_digest, observed,
    observed_blob, seq
FROM state_evidence WHERE n = $1;

-- name: evidence_of :many
SELECT n, verification, check_id, kind, success, code, observation_digest, observed,
    observed_blob, seq
FROM state_evidence WHERE verification = $1 ORDER BY n;

-- name: evidence_insert :run
INSERT INTO state_evidence (n, verification, check_id, kind, success, code, observation_digest,
    observed, observed_blob, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);
