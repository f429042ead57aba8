-- name: clear_history :run
DELETE FROM state_history;

-- name: clear_idempotency :run
DELETE FROM state_idempotency;

-- name: clear_range :run
DELETE FROM state_range;

-- name: clear_erasure :run
DELETE FROM state_erasure;

-- name: clear_claim :run
DELETE FROM state_claim;

-- name: clear_filesystem :run
DELETE FROM state_filesystem;

-- name: clear_policy :run
DELETE FROM state_policy;

-- name: clear_actor :run
DELETE FROM state_actor;

-- name: clear_key :run
DELETE FROM state_key;

-- name: clear_provider :run
DELETE FROM state_provider;

-- name: clear_heartbeat :run
DELETE FROM state_heartbeat;

-- name: clear_subject :run
DELETE FROM state_subject;

-- name: clear_account :run
DELETE FROM state_account;

-- name: clear_posting :run
DELETE FROM state_posting;

-- name: clear_change :run
DELETE FROM state_change;

-- name: clear_signal :run
DELETE FROM state_signal;

-- name: clear_outcome :run
DELETE FROM state_outcome;

-- name: clear_sow :run
DELETE FROM state_sow;

-- name: clear_assignment :run
DELETE FROM state_assignment;

-- name: clear_run :run
DELETE FROM state_run;

-- name: clear_stale :run
DELETE FROM state_stale;

-- name: clear_effect :run
DELETE FROM state_effect;

-- name: clear_receipt :run
DELETE FROM state_receipt;

-- name: clear_verification :run
DELETE FROM state_verification;

-- name: clear_evidence :run
DELETE FROM state_evidence;

-- name: clear_review :run
DELETE FROM state_review;

-- name: clear_acceptance :run
DELETE FROM state_acceptance;

-- name: clear_ruling :run
DELETE FROM state_ruling;
