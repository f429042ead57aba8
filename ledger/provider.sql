-- name: provider_find :one
SELECT name, status, registration, seq, probe, probe_seq FROM state_provider WHERE name = $1;

-- name: provider_list :many
SELECT name, status, registration, seq, probe, probe_seq FROM state_provider ORDER BY name;

-- name: provider_insert :run
INSERT INTO state_provider (name, status, registration, seq) VALUES ($1, $2, $3, $4);

-- name: provider_retire :run
UPDATE state_provider SET status = 'retired' WHERE name = $1 AND status = 'active';

-- name: provider_probe :run
UPDATE state_provider SET probe = $1, probe_seq = $2 WHERE name = $3;
