-- name: outcome_find :one
SELECT n, title, desired_state, owner, subject, checks, definition_digest, state, blocked_from,
       term, term_seq, acceptance, successor, seq
FROM state_outcome WHERE n = $1;

-- name: outcome_list :many
SELECT n, title, desired_state, owner, subject, checks, definition_digest, state, blocked_from,
       term, term_seq, acceptance, successor, seq
FROM state_outcome ORDER BY n;

-- name: outcome_about :many
SELECT n, title, desired_state, owner, subject, checks, definition_digest, state, blocked_from,
       term, term_seq, acceptance, successor, seq
FROM state_outcome
WHERE (subject = $1 OR n = $2) AND state NOT IN ('FAILED', 'CANCELLED') ORDER BY n;

-- name: outcome_subject_declared :one
SELECT count(*) FROM state_subject WHERE id = $1;

-- name: outcome_term_sows :one
SELECT count(*) FROM state_sow WHERE outcome = $1 AND term = $2;

-- name: outcome_reopening :one
SELECT n, seq FROM state_ruling
WHERE applies_to = $1 AND effect = 'reopen' AND revoked_seq IS NULL ORDER BY n DESC LIMIT 1;

-- name: outcome_live_sows :many
SELECT n, coalesce(assignment, 0) FROM state_sow
WHERE outcome = $1 AND state NOT IN ('ACCEPTED', 'WITHDRAWN', 'SUPERSEDED') ORDER BY n;
