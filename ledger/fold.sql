-- name: history_insert :run
INSERT INTO state_history (kind, n, name, sv, seq) VALUES ($1, $2, $3, $4, $5);

-- name: history_before :one
SELECT seq FROM state_history WHERE kind = $1 AND n = $2 AND name = $3 AND sv = $4;

-- name: idempotency_insert :run
INSERT INTO state_idempotency (actor, key, seq) VALUES ($1, $2, $3);
