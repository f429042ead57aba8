-- name: restore_checkpoint_next :one
SELECT size, root, signature FROM checkpoint WHERE size > $1 ORDER BY size LIMIT 1;

-- name: restore_blob_next :one
SELECT n, digest, salt, size, media_type, content FROM blob WHERE n > $1 ORDER BY n LIMIT 1;
