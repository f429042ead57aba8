-- name: delivery_find :one
SELECT n, channel, content, receiver_key, session, max_attempts, attempts, after_ms, state, seq
FROM state_delivery WHERE n = $1;

-- name: delivery_all :many
SELECT n, channel, content, receiver_key, session, max_attempts, attempts, after_ms, state, seq
FROM state_delivery ORDER BY n;

-- name: delivery_row :one
SELECT state, attempts, max_attempts FROM state_delivery WHERE n = $1;

-- name: delivery_insert :run
INSERT INTO state_delivery (n, channel, content, receiver_key, session, max_attempts, state, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: delivery_set :run
UPDATE state_delivery SET state = $1, attempts = $2, after_ms = $3 WHERE n = $4;
