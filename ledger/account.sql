-- name: account_find :one
SELECT name, unit, opening, balance, seq FROM state_account WHERE name = $1;

-- name: account_list :many
SELECT name, unit, opening, balance, seq FROM state_account ORDER BY name;

-- name: account_folded :one
SELECT name FROM state_account WHERE lower(name) = lower($1) ORDER BY name LIMIT 1;

-- name: account_insert :run
INSERT INTO state_account (name, unit, opening, balance, seq) VALUES ($1, $2, $3, $4, $5);

-- name: account_update :run
UPDATE state_account SET balance = $1, seq = $2 WHERE name = $3;

-- name: posting_insert :run
INSERT INTO state_posting (seq, account, delta, balance, lead) VALUES ($1, $2, $3, $4, $5);

-- name: posting_of_account :many
SELECT seq, account, delta, balance, lead FROM state_posting WHERE account = $1 ORDER BY seq;

-- name: posting_behind :many
SELECT seq, account, delta, balance, lead FROM state_posting WHERE lead = $1 ORDER BY seq;
