-- name: acceptance_find :one
SELECT n, outcome, term, signer, reason, signers, observations, case_digest, reads_digest, basis,
    key, statement, signature, seq
FROM state_acceptance WHERE n = $1;

-- name: acceptance_of :many
SELECT n, outcome, term, signer, reason, signers, observations, case_digest, reads_digest, basis,
    key, statement, signature, seq
FROM state_acceptance WHERE outcome = $1 AND ($2 = 0 OR term = $2) ORDER BY n;

-- name: acceptance_insert :run
INSERT INTO state_acceptance (n, outcome, term, signer, reason, signers, observations,
    case_digest, reads_digest, basis, key, statement, signature, seq)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

-- name: acceptance_newest_work :one
SELECT max(coalesce((SELECT max(r.seq) FROM state_sow s JOIN state_assignment a ON a.sow = s.n
        JOIN state_receipt r ON r.assignment = a.n WHERE s.outcome = $1 AND s.term = $2), 0),
    coalesce((SELECT max(e.seq) FROM state_sow s JOIN state_assignment a ON a.sow = s.n
        JOIN state_effect e ON e.assignment = a.n WHERE s.outcome = $1 AND s.term = $2), 0));
