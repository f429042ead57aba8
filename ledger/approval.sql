-- name: approval_find :one
SELECT n, action, resource, args_digest, args, quorum, persons, expires_ms, policy, requester,
    state, hash, seq, used_by, last_seq
FROM state_approval WHERE n = $1;

-- name: approval_all :many
SELECT n, action, resource, args_digest, args, quorum, persons, expires_ms, policy, requester,
    state, hash, seq, used_by, last_seq
FROM state_approval ORDER BY n;

-- name: approval_for :many
SELECT n, action, resource, args_digest, args, quorum, persons, expires_ms, policy, requester,
    state, hash, seq, used_by, last_seq
FROM state_approval WHERE action = $1 AND resource = $2 ORDER BY n;

-- name: approval_over :many
SELECT n, action, resource, args_digest, args, quorum, persons, expires_ms, policy, requester,
    state, hash, seq, used_by, last_seq
FROM state_approval WHERE state IN ('PENDING', 'GRANTED') AND expires_ms <= $1
ORDER BY n;

-- name: approval_pending :one
SELECT n, seq FROM state_approval
WHERE requester = $1 AND action = $2 AND resource = $3 AND args_digest = $4
  AND state = 'PENDING' AND expires_ms > $5 ORDER BY n LIMIT 1;

-- name: approval_recent :one
SELECT count(*) FROM state_approval WHERE requester = $1 AND at_ms > $2;

-- name: approval_votes :many
SELECT voter, vote, reason, key, statement, signature, seq
FROM state_approval_vote WHERE n = $1 ORDER BY seq;

-- name: approval_row :one
SELECT state, quorum, expires_ms FROM state_approval WHERE n = $1;

-- name: approval_vote_row :one
SELECT vote FROM state_approval_vote WHERE n = $1 AND voter = $2;

-- name: approval_insert :run
INSERT INTO state_approval (n, action, resource, args_digest, args, quorum, persons, expires_ms,
    policy, requester, state, at_ms, hash, seq, last_seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14);

-- name: approval_vote_insert :run
INSERT INTO state_approval_vote (n, voter, vote, reason, key, statement, signature, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: approval_state_set :run
UPDATE state_approval SET state = $1, used_by = $2, last_seq = $3 WHERE n = $4;
