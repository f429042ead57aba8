-- name: run_find :one
SELECT assignment, fence, provider, adapter, version, start_seq, started, finish_seq, finished
FROM state_run WHERE assignment = $1 AND fence = $2;

-- name: run_list :many
SELECT assignment, fence, provider, adapter, version, start_seq, started, finish_seq, finished
FROM state_run ORDER BY fence;

-- name: run_list_of :many
SELECT assignment, fence, provider, adapter, version, start_seq, started, finish_seq, finished
FROM state_run WHERE assignment = $1 ORDER BY fence;

-- name: run_count :one
SELECT count(*) FROM state_run WHERE provider = $1 AND start_seq > $2;

-- name: run_start :run
INSERT INTO state_run (fence, assignment, provider, adapter, version, start_seq, started)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: run_finish :run
UPDATE state_run SET finish_seq = $1, finished = $2
WHERE fence = $3 AND assignment = $4 AND finish_seq IS NULL;

-- name: run_claim_started :run
UPDATE state_claim SET started = $1
WHERE resource = $2 AND fence = $3 AND live = 1 AND started = 0;

-- name: run_claim_finished :run
UPDATE state_claim SET finished = $1
WHERE resource = $2 AND fence = $3 AND live = 1 AND started <> 0 AND finished = 0;

-- name: run_assignment_state :one
SELECT state FROM state_assignment WHERE n = $1;

-- name: stale_list :many
SELECT seq, assignment, fence, live_fence, report, why FROM state_stale
ORDER BY seq;

-- name: stale_list_of :many
SELECT seq, assignment, fence, live_fence, report, why FROM state_stale
WHERE assignment = $1 ORDER BY seq;

-- name: stale_insert :run
INSERT INTO state_stale (seq, assignment, fence, live_fence, report, why)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: refused_list :many
SELECT seq, assignment, fence, kind, subject, quantity, code FROM state_refused
ORDER BY seq;

-- name: refused_list_of :many
SELECT seq, assignment, fence, kind, subject, quantity, code FROM state_refused
WHERE assignment = $1 ORDER BY seq;

-- name: refused_insert :run
INSERT INTO state_refused (seq, assignment, fence, kind, subject, quantity, code)
VALUES ($1, $2, $3, $4, $5, $6, $7);
