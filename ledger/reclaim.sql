-- name: reclaim_list :many
SELECT r.fence, r.assignment, r.started, r.archive, r.flagged, a.workspace_policy
FROM state_run r
JOIN state_assignment a ON a.n = r.assignment
JOIN state_claim c ON c.fence = r.fence
WHERE r.reclaimed IS NULL AND c.live = 0 AND c.resource >= 'assignment/'
  AND c.resource < 'assignment0' AND a.workspace_policy IN ('archive', 'remove')
ORDER BY r.fence LIMIT $1;

-- name: reclaim_row :one
SELECT archive, flagged, reclaimed FROM state_run WHERE fence = $1 AND assignment = $2;

-- name: reclaim_stale :one
SELECT count(*) FROM state_stale WHERE assignment = $1 AND fence = $2;

-- name: reclaim_archived :run
UPDATE state_run SET archive = $1, flagged = NULL
WHERE fence = $2 AND assignment = $3 AND reclaimed IS NULL;

-- name: reclaim_flagged :run
UPDATE state_run SET flagged = $1 WHERE fence = $2 AND assignment = $3 AND reclaimed IS NULL;

-- name: reclaim_done :run
UPDATE state_run SET reclaimed = $1, flagged = NULL
WHERE fence = $2 AND assignment = $3 AND reclaimed IS NULL;
