-- name: event_head :one
SELECT coalesce(max(seq), 0) FROM event;

-- name: event_insert :run
INSERT INTO event (seq, hash, octets, resource, fence) VALUES ($1, $2, $3, $4, $5);

-- name: event_reread :one
SELECT hash, octets FROM event WHERE seq = $1;

-- name: event_slice :many
SELECT seq, hash, octets, resource, fence FROM event
WHERE seq >= $1 AND seq <= $2 ORDER BY seq LIMIT $3;

-- name: event_one :one
SELECT octets FROM event WHERE seq = $1;

-- name: stream_newest :one
SELECT sv, seq FROM state_history WHERE kind = $1 AND n = $2 AND name = $3
ORDER BY sv DESC LIMIT 1;

-- name: stream_history :many
SELECT sv, seq FROM state_history WHERE kind = $1 AND n = $2 AND name = $3 ORDER BY sv;

-- name: stream_last_number :one
SELECT n, sv, seq FROM state_history WHERE kind = $1 ORDER BY n DESC, sv DESC LIMIT 1;

-- name: stream_count :one
SELECT count(*) FROM state_history WHERE kind = $1 AND sv = 1;

-- name: stream_all :many
SELECT n, name FROM state_history WHERE kind = $1 AND sv = 1 ORDER BY n, name;

-- name: idempotency_find :one
SELECT seq FROM state_idempotency WHERE actor = $1 AND key = $2;
