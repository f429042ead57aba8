-- name: key_list_all :many
SELECT id, actor, algorithm, public_key, from_seq, to_seq, unsafe_since, successor FROM state_key
ORDER BY from_seq;

-- name: key_list_actor :many
SELECT id, actor, algorithm, public_key, from_seq, to_seq, unsafe_since, successor FROM state_key
WHERE actor = $1 ORDER BY from_seq;

-- name: key_find :one
SELECT id, actor, algorithm, public_key, from_seq, to_seq, unsafe_since, successor FROM state_key
WHERE id = $1;

-- name: key_insert :run
INSERT INTO state_key (id, actor, algorithm, public_key, from_seq) VALUES ($1, $2, $3, $4, $5);

-- name: key_end :run
UPDATE state_key SET to_seq = $1, unsafe_since = $2, successor = $3
WHERE id = $4 AND to_seq IS NULL;
