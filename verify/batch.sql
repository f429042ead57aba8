-- name: checkpoint_from :one
SELECT size FROM checkpoint WHERE size >= $1 ORDER BY size LIMIT 1;

-- name: checkpoint_of :one
SELECT root, key, signature FROM checkpoint WHERE size = $1;

-- name: checkpoint_last :one
SELECT coalesce(max(size), 0) FROM checkpoint;

-- name: idempotency_seq :one
SELECT seq FROM state_idempotency WHERE actor = $1 AND key = $2;

-- name: idempotency_count :one
SELECT count(key) FROM state_idempotency;

-- name: history_rows :many
SELECT kind, n, name, sv, seq FROM state_history ORDER BY kind, n, name, sv;

-- name: range_stored :one
SELECT size, nodes FROM state_range WHERE id = 1;
