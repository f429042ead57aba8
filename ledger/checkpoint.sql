-- name: range_read :one
SELECT size, nodes FROM state_range WHERE id = 1;

-- name: range_insert :run
INSERT INTO state_range (id, size, nodes) VALUES (1, $1, $2);

-- name: range_update :run
UPDATE state_range SET size = $1, nodes = $2 WHERE id = 1;

-- name: checkpoint_insert :run
INSERT INTO checkpoint (size, root, key, signature) VALUES ($1, $2, $3, $4);

-- name: checkpoint_newest :one
SELECT size, root, key, signature FROM checkpoint ORDER BY size DESC LIMIT 1;

-- name: checkpoint_upto :one
SELECT size, root, key, signature FROM checkpoint WHERE size <= $1 ORDER BY size DESC LIMIT 1;
