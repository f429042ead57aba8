-- name: sow_find :one
SELECT n, outcome, term, title, scope, role, done_when, effect_kind, effect_required, deliverables,
       non_goals, origin, origin_seq, author, on_behalf, state, rounds, assignment, receipt,
       successor, inspection, seq
FROM state_sow WHERE n = $1;

-- name: sow_list :many
SELECT n, outcome, term, title, scope, role, done_when, effect_kind, effect_required, deliverables,
       non_goals, origin, origin_seq, author, on_behalf, state, rounds, assignment, receipt,
       successor, inspection, seq
FROM state_sow ORDER BY n;

-- name: sow_list_outcome :many
SELECT n, outcome, term, title, scope, role, done_when, effect_kind, effect_required, deliverables,
       non_goals, origin, origin_seq, author, on_behalf, state, rounds, assignment, receipt,
       successor, inspection, seq
FROM state_sow WHERE outcome = $1 AND (term = $2 OR $2 = 0) ORDER BY n;

-- name: sow_count_live :one
SELECT count(*) FROM state_sow
WHERE outcome = $1 AND state NOT IN ('ACCEPTED', 'WITHDRAWN', 'SUPERSEDED');

-- name: sow_effects_unknown :one
SELECT receipt.effects_unknown
FROM state_receipt AS receipt JOIN state_assignment AS work ON work.n = receipt.assignment
WHERE work.sow = $1 ORDER BY receipt.n DESC LIMIT 1;
