-- Every derived table, every column, in the order of its key; a slice of numbered entities where
-- there are numbers. tests/test_verify_state.c compares this list with the schema.

-- name: rows_history :many
SELECT kind, n, name, sv, seq
FROM state_history WHERE n >= $1 AND n <= $2 ORDER BY kind, n, name, sv;

-- name: rows_erasure :many
SELECT digest, seq
FROM state_erasure ORDER BY digest;

-- name: rows_claim :many
SELECT resource, fence, live, holder, attempt, ttl_s, at_ms, machine, boot, boot_ms, pid,
    start, started, finished, end_seq
FROM state_claim ORDER BY resource, fence;

-- name: rows_filesystem :many
SELECT kind, reason, seq
FROM state_filesystem ORDER BY kind;

-- name: rows_policy :many
SELECT seq, digest, document, adopter, reason, key, statement, signature
FROM state_policy ORDER BY seq;

-- name: rows_actor :many
SELECT id, kind, role, provider, represents, status, seq
FROM state_actor ORDER BY id;

-- name: rows_key :many
SELECT id, actor, algorithm, public_key, from_seq, to_seq, unsafe_since, successor
FROM state_key ORDER BY id;

-- name: rows_provider :many
SELECT name, status, registration, seq, probe, probe_seq
FROM state_provider ORDER BY name;

-- name: rows_heartbeat :many
SELECT source, seq, at_ms, actor, machine, note
FROM state_heartbeat ORDER BY source;

-- name: rows_subject :many
SELECT id, facts, seq
FROM state_subject ORDER BY id;

-- name: rows_account :many
SELECT name, unit, opening, balance, seq
FROM state_account ORDER BY name;

-- name: rows_posting :many
SELECT seq, account, delta, balance, lead
FROM state_posting ORDER BY seq;

-- name: rows_change :many
SELECT n, kind, subject, quantity, source, dedupe_key, facts, postings, policy, actor, seq
FROM state_change WHERE n >= $1 AND n <= $2 ORDER BY n;

-- name: rows_signal :many
SELECT n, kind, source, subject, severity, dedupe_key, payload, at_ms, seq, decided_seq,
    decision, reason, rule, outcome, sow, waits_on, waits_state, until_ms, rules_digest
FROM state_signal WHERE n >= $1 AND n <= $2 ORDER BY n;

-- name: rows_outcome :many
SELECT n, title, desired_state, subject, checks, owner, definition_digest, state, term,
    term_seq, blocked_from, acceptance, successor, seq
FROM state_outcome WHERE n >= $1 AND n <= $2 ORDER BY n;

-- name: rows_sow :many
SELECT n, outcome, term, title, scope, role, effect_kind, effect_required, deliverables,
    non_goals, done_when, origin, origin_seq, author, on_behalf, state, rounds, assignment,
    receipt, successor, inspection, seq
FROM state_sow WHERE n >= $1 AND n <= $2 ORDER BY n;

-- name: rows_assignment :many
SELECT n, sow, outcome, actor, workspace_policy, workspace_id, round, prompt_digest, author,
    on_behalf, state, attempts, fence, receipt, seq
FROM state_assignment WHERE n >= $1 AND n <= $2 ORDER BY n;

-- name: rows_effect :many
SELECT n, assignment, kind, subject, quantity, facts, postings, policy, fence, seq
FROM state_effect WHERE n >= $1 AND n <= $2 ORDER BY n;

-- name: rows_receipt :many
SELECT n, assignment, attempt, fence, status, category, message, report_digest, provider,
    usage, deliverables, effects, effects_unknown, boundary, violated, hash, seq
FROM state_receipt WHERE n >= $1 AND n <= $2 ORDER BY n;

-- name: rows_verification :many
SELECT n, scope, outcome, term, sow, assignment, receipt, definition_digest, passed,
    aggregate_digest, evidence, basis, reads_digest, actor, seq
FROM state_verification WHERE n >= $1 AND n <= $2 ORDER BY n;

-- name: rows_evidence :many
SELECT n, verification, check_id, kind, success, code, observation_digest, observed,
    observed_blob, seq
FROM state_evidence WHERE n >= $1 AND n <= $2 ORDER BY n;

-- name: rows_review :many
SELECT n, sow, verification, receipt, reviewer, decision, rationale, aggregate_digest, basis,
    reads_digest, key, statement, signature, hash, seq
FROM state_review WHERE n >= $1 AND n <= $2 ORDER BY n;

-- name: rows_acceptance :many
SELECT n, outcome, term, signer, signers, case_digest, observations, reason, basis,
    reads_digest, key, statement, signature, seq
FROM state_acceptance WHERE n >= $1 AND n <= $2 ORDER BY n;

-- name: rows_ruling :many
SELECT n, question, decision, rationale, applies_to, effect, receipt, ruler, key, statement,
    signature, seq, revoked_seq, revoked_by
FROM state_ruling WHERE n >= $1 AND n <= $2 ORDER BY n;

-- name: rows_run :many
SELECT fence, assignment, provider, adapter, version, start_seq, started, finish_seq, finished
FROM state_run WHERE assignment >= $1 AND assignment <= $2 ORDER BY fence;

-- name: rows_stale :many
SELECT seq, assignment, fence, live_fence, report, why
FROM state_stale WHERE assignment >= $1 AND assignment <= $2 ORDER BY seq;

-- name: rows_refused :many
SELECT seq, assignment, fence, kind, subject, quantity, code
FROM state_refused WHERE assignment >= $1 AND assignment <= $2 ORDER BY seq;
