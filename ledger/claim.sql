-- name: claim_find :one
SELECT resource, fence, live, holder, attempt, ttl_s, at_ms, machine, boot, boot_ms, pid, start,
       started, finished, end_seq, doubt_machine, doubt_boot, doubt_boot_ms
FROM state_claim WHERE resource = $1 AND (fence = $2 OR ($2 = 0 AND live = 1))
ORDER BY fence DESC LIMIT 1;

-- name: claim_list :many
SELECT resource, fence, live, holder, attempt, ttl_s, at_ms, machine, boot, boot_ms, pid, start,
       started, finished, end_seq, doubt_machine, doubt_boot, doubt_boot_ms
FROM state_claim ORDER BY fence;

-- name: claim_list_live :many
SELECT resource, fence, live, holder, attempt, ttl_s, at_ms, machine, boot, boot_ms, pid, start,
       started, finished, end_seq, doubt_machine, doubt_boot, doubt_boot_ms
FROM state_claim WHERE live = 1 ORDER BY fence;

-- name: claim_list_resource :many
SELECT resource, fence, live, holder, attempt, ttl_s, at_ms, machine, boot, boot_ms, pid, start,
       started, finished, end_seq, doubt_machine, doubt_boot, doubt_boot_ms
FROM state_claim WHERE resource = $1 AND live >= $2 ORDER BY fence;

-- name: claim_live_by_fence :one
SELECT resource, fence, live, holder, attempt, ttl_s, at_ms, machine, boot, boot_ms, pid, start,
       started, finished, end_seq, doubt_machine, doubt_boot, doubt_boot_ms
FROM state_claim WHERE fence = $1 AND live = 1;

-- name: claim_count_live :one
SELECT count(*) FROM state_claim
WHERE live = 1 AND holder = $1 AND resource >= 'assignment/' AND resource < 'assignment0';
