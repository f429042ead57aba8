-- name: blob_rows :many
SELECT n, digest, salt, size, content FROM blob WHERE n > $1 ORDER BY n LIMIT $2;

-- name: blob_there :one
SELECT n, size, media_type FROM blob WHERE digest = $1;

-- name: erasure_there :one
SELECT seq FROM state_erasure WHERE digest = $1;
