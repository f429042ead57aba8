-- name: assignment_find :one
SELECT n, sow, outcome, actor, workspace_policy, workspace_id, round, prompt_digest, author,
       on_behalf, state, attempts, fence, receipt, seq
FROM state_assignment WHERE n = $1;

-- name: assignment_list :many
SELECT n, sow, outcome, actor, workspace_policy, workspace_id, round, prompt_digest, author,
       on_behalf, state, attempts, fence, receipt, seq
FROM state_assignment ORDER BY n;

-- name: assignment_list_sow :many
SELECT n, sow, outcome, actor, workspace_policy, workspace_id, round, prompt_digest, author,
       on_behalf, state, attempts, fence, receipt, seq
FROM state_assignment WHERE sow = $1 ORDER BY n;

-- name: assignment_count_live :one
SELECT count(*) FROM state_assignment WHERE actor = $1 AND state IN ('CREATED', 'RUNNING');
