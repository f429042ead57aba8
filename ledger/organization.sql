-- name: filesystem_find :one
SELECT seq FROM state_filesystem WHERE kind = $1;

-- name: filesystem_insert :run
INSERT INTO state_filesystem (kind, reason, seq) VALUES ($1, $2, $3);
