-- name: reads_of_term :many
SELECT 'sow', n FROM state_sow WHERE outcome = $1 AND term = $2
UNION ALL SELECT 'assignment', a.n FROM state_sow s JOIN state_assignment a ON a.sow = s.n
    WHERE s.outcome = $1 AND s.term = $2
UNION ALL SELECT 'receipt', r.n FROM state_sow s JOIN state_assignment a ON a.sow = s.n
    JOIN state_receipt r ON r.assignment = a.n WHERE s.outcome = $1 AND s.term = $2
UNION ALL SELECT 'effect', e.n FROM state_sow s JOIN state_assignment a ON a.sow = s.n
    JOIN state_effect e ON e.assignment = a.n WHERE s.outcome = $1 AND s.term = $2
UNION ALL SELECT 'review', v.n FROM state_sow s JOIN state_review v ON v.sow = s.n
    WHERE s.outcome = $1 AND s.term = $2
UNION ALL SELECT 'verification', n FROM state_verification WHERE outcome = $1 AND term = $2
ORDER BY 1, 2;

-- name: reads_rulings_on :many
SELECT n FROM state_ruling WHERE applies_to = $1 ORDER BY n;

-- name: reads_rulings_for :many
SELECT n FROM state_ruling WHERE receipt = $1 ORDER BY n;

-- name: reads_keys_of :many
SELECT id FROM state_key WHERE actor = $1 ORDER BY id;
