-- name: session_find :one
SELECT n, actor, purpose, state, incarnation, instance_fence, seq FROM state_session WHERE n = $1;

-- name: session_all :many
SELECT n, actor, purpose, state, incarnation, instance_fence, seq FROM state_session ORDER BY n;

-- name: session_row :one
SELECT state, incarnation, actor FROM state_session WHERE n = $1;

-- name: session_insert :run
INSERT INTO state_session (n, actor, purpose, state, seq) VALUES ($1, $2, $3, $4, $5);

-- name: session_claim :run
UPDATE state_session SET state = $1, incarnation = $2, instance_fence = $3 WHERE n = $4;

-- name: session_set :run
UPDATE state_session SET state = $1, instance_fence = NULL WHERE n = $2;
