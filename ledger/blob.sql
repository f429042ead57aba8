-- name: blob_find :one
SELECT n, salt, size, media_type, content FROM blob WHERE digest = $1;

-- name: blob_next :one
SELECT coalesce(max(n), 0) + 1 FROM blob;

-- name: blob_insert :run
INSERT INTO blob (n, digest, salt, size, media_type, content) VALUES ($1, $2, $3, $4, $5, $6);

-- name: blob_null :run
UPDATE blob SET content = NULL, salt = NULL WHERE digest = $1;

-- name: erasure_insert :run
INSERT INTO state_erasure (digest, seq) VALUES ($1, $2);

-- name: erasure_find :one
SELECT seq FROM state_erasure WHERE digest = $1;
