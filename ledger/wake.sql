-- name: wake_live_sow :one
SELECT s.n, s.state FROM state_sow s
WHERE s.outcome = $1 AND s.state NOT IN ('ACCEPTED', 'WITHDRAWN', 'SUPERSEDED')
  AND (s.origin = 'manual' OR EXISTS (
       SELECT 1 FROM state_wake w JOIN state_signal g ON g.n = w.n
       WHERE w.sow = s.n AND w.sow IS NOT NULL AND w.decision = 'fire' AND g.subject = $2))
ORDER BY s.n LIMIT 1;

-- name: wake_workers :many
SELECT a.id, (SELECT count(*) FROM state_assignment w
              WHERE w.actor = a.id AND w.state IN ('CREATED', 'RUNNING'))
FROM state_actor a WHERE a.role = $1 AND a.status = 'active' ORDER BY a.id;

-- name: wake_open :many
SELECT n FROM state_signal WHERE decided_seq IS NULL ORDER BY n LIMIT $1;

-- name: wake_rules_after :one
SELECT rules_digest FROM state_wake WHERE decision <> 'fire' AND rules_digest > $1
ORDER BY rules_digest LIMIT 1;

-- name: wake_other_rules :many
SELECT n FROM state_wake WHERE decision <> 'fire' AND rules_digest = $1 AND at_ms > $2
ORDER BY at_ms, n LIMIT $3;

-- name: wake_left :many
-- A cross join keeps its order, and n + 0 is no order by key: both walk the few that wait, not all
-- that were ever decided.
SELECT g.n FROM state_wake g CROSS JOIN state_outcome o
WHERE g.waits_outcome IS NOT NULL AND o.n = g.waits_outcome AND o.state <> g.waits_state
ORDER BY g.n + 0 LIMIT $1;

-- name: wake_past :many
SELECT n FROM state_wake WHERE until_ms IS NOT NULL AND until_ms <= $1 ORDER BY n LIMIT $2;

-- name: wake_done_sow :many
SELECT g.n FROM state_wake g CROSS JOIN state_sow s
WHERE g.sow IS NOT NULL AND g.decision = 'duplicate' AND s.n = g.sow
  AND s.state IN ('ACCEPTED', 'WITHDRAWN', 'SUPERSEDED')
ORDER BY g.n + 0 LIMIT $1;

-- name: wake_lost_sow :many
SELECT g.n FROM state_sow s JOIN state_wake g
  ON g.sow = s.n AND g.sow IS NOT NULL AND g.decision = 'fire'
WHERE s.state IN ('WITHDRAWN', 'SUPERSEDED') ORDER BY g.n LIMIT $1;
