-- name: message_find :one
SELECT n, recipient, sender, subject, about, reply_to, state, retries, seq
FROM state_message WHERE n = $1;

-- name: message_all :many
SELECT n, recipient, sender, subject, about, reply_to, state, retries, seq
FROM state_message ORDER BY n;

-- name: message_waiting :many
SELECT n, recipient, sender, subject, about, reply_to, state, retries, seq
FROM state_message WHERE recipient IN ($1, $2) AND state IN ('NEW', 'CLAIMED') ORDER BY n;

-- name: message_row :one
SELECT state, retries FROM state_message WHERE n = $1;

-- name: message_insert :run
INSERT INTO state_message (n, recipient, sender, subject, about, reply_to, state, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: message_set :run
UPDATE state_message SET state = $1, retries = $2 WHERE n = $3;
