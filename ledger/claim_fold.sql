-- name: claim_insert :run
INSERT INTO state_claim (resource, fence, live, holder, attempt, ttl_s, at_ms, machine, boot,
                         boot_ms, pid, start)
VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: claim_renew :run
UPDATE state_claim SET ttl_s = $1, at_ms = $2, machine = $3, boot = $4, boot_ms = $5, pid = $6,
                       start = $7, doubt_machine = NULL, doubt_boot = NULL,
                       doubt_boot_ms = NULL
WHERE resource = $8 AND fence = $9;

-- name: claim_newest :one
SELECT fence, live, started, finished FROM state_claim WHERE resource = $1
ORDER BY fence DESC LIMIT 1;

-- name: claim_end :run
UPDATE state_claim SET live = 0, end_seq = $1 WHERE resource = $2 AND fence = $3;

-- name: claim_doubt :run
UPDATE state_claim SET doubt_machine = $1, doubt_boot = $2, doubt_boot_ms = $3
WHERE resource = $4 AND live = 1;
