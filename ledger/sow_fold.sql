-- name: sow_row :one
SELECT state, rounds, coalesce(assignment, 0) FROM state_sow WHERE n = $1;

-- name: sow_insert :run
INSERT INTO state_sow (n, title, scope, role, effect_kind, effect_required, deliverables, non_goals,
                       done_when, outcome, term, origin, origin_seq, author, on_behalf, state, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'DRAFT', $16);

-- name: sow_revise :run
UPDATE state_sow SET title = $1, scope = $2, role = $3, effect_kind = $4, effect_required = $5,
                     deliverables = $6, non_goals = $7, done_when = $8
WHERE n = $9;

-- name: sow_state :run
UPDATE state_sow SET state = $1 WHERE n = $2;

-- name: sow_assign :run
UPDATE state_sow SET assignment = $1, rounds = $2 WHERE n = $3;

-- name: sow_receipt :run
UPDATE state_sow SET receipt = $1 WHERE n = $2;

-- name: sow_inspection :run
UPDATE state_sow SET inspection = $1 WHERE n = $2;

-- name: sow_succeed :run
UPDATE state_sow SET successor = $1 WHERE n = $2;
