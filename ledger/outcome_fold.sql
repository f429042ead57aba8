-- name: outcome_row :one
SELECT state, coalesce(blocked_from, ''), term FROM state_outcome WHERE n = $1;

-- name: outcome_insert :run
INSERT INTO state_outcome (n, title, desired_state, subject, checks, owner, definition_digest,
                           state, term, term_seq, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'PROPOSED', 0, 0, $8);

-- name: outcome_revise :run
UPDATE state_outcome SET title = $1, desired_state = $2, subject = $3, checks = $4, owner = $5,
                         definition_digest = $6
WHERE n = $7;

-- name: outcome_state :run
UPDATE state_outcome SET state = $1, blocked_from = $2 WHERE n = $3;

-- name: outcome_term :run
UPDATE state_outcome SET term = $1, term_seq = $2, acceptance = NULL WHERE n = $3;

-- name: outcome_accept :run
UPDATE state_outcome SET acceptance = $1 WHERE n = $2;

-- name: outcome_succeed :run
UPDATE state_outcome SET successor = $1 WHERE n = $2;
