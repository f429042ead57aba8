-- name: heartbeat_find :one
SELECT source, seq, at_ms, actor, machine, note FROM state_heartbeat WHERE source = $1;

-- name: heartbeat_list :many
SELECT source, seq, at_ms, actor, machine, note FROM state_heartbeat ORDER BY source;

-- name: heartbeat_insert :run
INSERT INTO state_heartbeat (seq, at_ms, actor, machine, note, source)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: heartbeat_update :run
UPDATE state_heartbeat SET seq = $1, at_ms = $2, actor = $3, machine = $4, note = $5
WHERE source = $6;
