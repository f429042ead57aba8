-- name: subject_find :one
SELECT id, facts, seq FROM state_subject WHERE id = $1;

-- name: subject_list :many
SELECT id, facts, seq FROM state_subject ORDER BY id;

-- name: subject_folded :one
SELECT id FROM state_subject WHERE lower(id) = lower($1) ORDER BY id LIMIT 1;

-- name: subject_insert :run
INSERT INTO state_subject (id, facts, seq) VALUES ($1, $2, $3);

-- name: subject_update :run
UPDATE state_subject SET facts = $1, seq = $2 WHERE id = $3;
