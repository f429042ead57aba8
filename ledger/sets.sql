-- name: sets_performers :many
SELECT DISTINCT work.actor FROM state_assignment AS work JOIN state_sow AS sow ON sow.n = work.sow
WHERE sow.outcome = $1 AND sow.term = $2 ORDER BY work.actor;

-- name: sets_verifiers :many
SELECT DISTINCT actor FROM state_verification WHERE outcome = $1 AND term = $2 ORDER BY actor;

-- name: sets_reviewers :many
SELECT DISTINCT review.reviewer FROM state_review AS review JOIN state_sow AS sow
    ON sow.n = review.sow
WHERE sow.outcome = $1 AND sow.term = $2 ORDER BY review.reviewer;

-- name: sets_accepters :many
SELECT DISTINCT signer FROM state_acceptance WHERE outcome = $1 AND term = $2 ORDER BY signer;
