-- name: instance_find :one
SELECT n, label, actor, state, seq FROM state_instance WHERE n = $1;

-- name: instance_row :one
SELECT state, actor FROM state_instance WHERE n = $1;

-- name: instance_insert :run
INSERT INTO state_instance (n, label, actor, state, seq) VALUES ($1, $2, $3, $4, $5);

-- name: instance_set :run
UPDATE state_instance SET state = $1 WHERE n = $2;
