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

-- name: claim_insert :run
INSERT INTO state_claim (resource, fence, live, holder, attempt, ttl_s, at_ms, machine, boot,
                         boot_ms, pid, start)
VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: claim_renew :run
UPDATE state_claim SET ttl_s = $1, at_ms = $2, machine = $3, boot = $4, boot_ms = $5, pid = $6,
                       start = $7
WHERE resource = $8 AND fence = $9;

-- name: claim_newest :one
SELECT live, started, finished FROM state_claim WHERE resource = $1 ORDER BY fence DESC LIMIT 1;

-- name: claim_end :run
UPDATE state_claim SET live = 0, end_seq = $1 WHERE resource = $2 AND fence = $3;
