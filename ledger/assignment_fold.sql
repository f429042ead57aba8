-- name: assignment_row :one
SELECT state, actor, attempts, coalesce(fence, 0) FROM state_assignment WHERE n = $1;

-- name: assignment_insert :run
INSERT INTO state_assignment (n, sow, outcome, actor, workspace_policy, workspace_id, round,
                              prompt_digest, author, on_behalf, state, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'CREATED', $11);

-- name: assignment_state :run
UPDATE state_assignment SET state = $1 WHERE n = $2;

-- name: assignment_claim :run
UPDATE state_assignment SET attempts = $1, fence = $2 WHERE n = $3;

-- name: assignment_free :run
UPDATE state_assignment SET fence = NULL WHERE n = $1;

-- name: assignment_receipt :run
UPDATE state_assignment SET receipt = $1 WHERE n = $2;
