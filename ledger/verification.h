#ifndef SOV_LEDGER_VERIFICATION_H
#define SOV_LEDGER_VERIFICATION_H
/*
 * Verifications and their evidence: one batch of all declared checks, as they were seen at a basis
 * (model.md 3, 8). A failing batch is recorded like a passing one; none is ever overwritten.
 * Two phases: observe and prepare outside the transaction, record inside it.
 */
#include "ledger/observation.h"
#include "ledger/reads.h"

#define SOV_SCOPE_SOW "sow"
#define SOV_SCOPE_OUTCOME "outcome"
#define SOV_SCOPE_RECHECK "recheck"

struct sov_verification {
    int64_t n;
    const char *scope;
    int64_t outcome, term;
    int64_t sow, assignment, receipt; /* 0 unless of scope sow */
    struct sov_hash definition_digest, aggregate_digest, reads_digest;
    struct sov_bytes evidence; /* canonical ["EVD-1",...], in declared order */
    bool passed;
    const char *actor;
    int64_t basis, seq;
};
struct sov_verifications {
    const struct sov_verification *at;
    size_t count;
};
struct sov_evidence {
    int64_t n, verification;
    const char *check, *kind;
    bool success;
    const char *code; /* NULL: none */
    struct sov_hash observation_digest;
    struct sov_bytes observed;     /* canonical; .data NULL: in the blob */
    struct sov_hash observed_blob; /* its digest then */
    int64_t seq;
};
struct sov_evidences {
    const struct sov_evidence *at;
    size_t count;
};

SOV_MUST_USE bool sov_verification_find(const struct sov_ledger *ledger, int64_t n,
                                        struct sov_arena *arena,
                                        struct sov_verification *verification_out, bool *found_out,
                                        struct sov_error *err);
/* Of an outcome, all scopes, oldest first; term 0: of every term. */
SOV_MUST_USE bool sov_verification_list(const struct sov_ledger *ledger, int64_t outcome,
                                        int64_t term, struct sov_arena *arena,
                                        struct sov_verifications *list_out, struct sov_error *err);
/* Of a SOW, oldest first. */
SOV_MUST_USE bool sov_verification_of_sow(const struct sov_ledger *ledger, int64_t sow,
                                          struct sov_arena *arena,
                                          struct sov_verifications *list_out,
                                          struct sov_error *err);
/* The current one of a SOW: the newest that names its current execution's receipt. */
SOV_MUST_USE bool sov_verification_current(const struct sov_ledger *ledger, int64_t sow,
                                           struct sov_arena *arena,
                                           struct sov_verification *verification_out,
                                           bool *found_out, struct sov_error *err);
/* The newest of scope outcome (not of a recheck) in a term. */
SOV_MUST_USE bool sov_verification_of_outcome(const struct sov_ledger *ledger, int64_t outcome,
                                              int64_t term, struct sov_arena *arena,
                                              struct sov_verification *verification_out,
                                              bool *found_out, struct sov_error *err);
SOV_MUST_USE bool sov_evidence_find(const struct sov_ledger *ledger, int64_t n,
                                    struct sov_arena *arena, struct sov_evidence *evidence_out,
                                    bool *found_out, struct sov_error *err);
/* Of one verification, by number. */
SOV_MUST_USE bool sov_evidence_list(const struct sov_ledger *ledger, int64_t verification,
                                    struct sov_arena *arena, struct sov_evidences *list_out,
                                    struct sov_error *err);
/* SHA-256 over sov.verification.v1 and the batch as it stands in verification and evidence. */
struct sov_hash sov_aggregate_digest(const struct sov_verification *verification,
                                     const struct sov_evidences *evidence);

/* ---- phase 1: outside the transaction ---- */
struct sov_verification_request {
    int64_t sow;     /* of a SOW, or */
    int64_t outcome; /* of an outcome; the other is 0 */
    bool recheck;    /* of an outcome that is ACCEPTED or VIOLATED */
};
struct sov_verification_prepared {
    struct sov_verification_request request;
    int64_t outcome; /* whose checks were run */
    struct sov_observations observations;
    struct sov_hash reads_digest;
};
/* The outcome whose checks are to be run for a request: no_such_id. */
SOV_MUST_USE bool sov_verification_target(const struct sov_ledger *ledger,
                                          const struct sov_verification_request *request,
                                          int64_t *outcome_out, struct sov_error *err);
/* `observations` are borrowed. The basis is theirs. */
SOV_MUST_USE bool sov_verification_prepare(const struct sov_ledger *ledger, const char *actor,
                                           const struct sov_verification_request *request,
                                           const struct sov_observations *observations,
                                           struct sov_arena *arena,
                                           struct sov_verification_prepared *prepared_out,
                                           struct sov_error *err);
/* ---- phase 2 ---- */
/* verification.recorded, evidence.recorded of each check, then what follows for SOW or outcome.
 * self_verify, outcome_not_open, wrong_state, execution_missing, moved. */
SOV_MUST_USE bool sov_verification_record(struct sov_commit *commit,
                                          const struct sov_verification_prepared *prepared,
                                          struct sov_done *done_out, struct sov_error *err);
#endif
