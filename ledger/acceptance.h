#ifndef SOV_LEDGER_ACCEPTANCE_H
#define SOV_LEDGER_ACCEPTANCE_H
/*
 * Acceptance: signatures that a case holds (model.md 5). The caller names the outcome and nothing
 * else; evidence, performers and facts are read from the log, what the checks see now is handed in.
 * Two phases: prepare (case, verdict, statement), sign, then sign off inside the transaction, where
 * every gate is walked again.
 */
#include "ledger/observation.h"
#include "ledger/key.h"
#include "ledger/reads.h"
#include "policy/policy.h"

#define SOV_ACCEPT_TAG "sov.accept.v1"

struct sov_acceptance {
    int64_t n, outcome, term;
    const char *signer, *reason;   /* reason may be NULL */
    struct sov_bytes signers;      /* canonical list of ids: who has signed this case, so far */
    struct sov_bytes observations; /* canonical [{"check","digest","success"},...] */
    struct sov_hash case_digest, reads_digest;
    struct sov_signed_by by;
    int64_t basis, seq;
};
struct sov_acceptances {
    const struct sov_acceptance *at;
    size_t count;
};
SOV_MUST_USE bool sov_acceptance_find(const struct sov_ledger *ledger, int64_t n,
                                      struct sov_arena *arena,
                                      struct sov_acceptance *acceptance_out, bool *found_out,
                                      struct sov_error *err);
/* Of an outcome, oldest first; term 0: of every term. */
SOV_MUST_USE bool sov_acceptance_list(const struct sov_ledger *ledger, int64_t outcome,
                                      int64_t term, struct sov_arena *arena,
                                      struct sov_acceptances *list_out, struct sov_error *err);
/* What its signer's run of the checks saw: digests and success only (observed is empty). */
SOV_MUST_USE bool sov_acceptance_observations(const struct sov_acceptance *acceptance,
                                              struct sov_arena *arena,
                                              struct sov_observations *observations_out,
                                              struct sov_error *err);

/* A deliverable that still lies in a kept workspace but no longer as the receipt says: seen by the
 * caller, who alone can look. */
struct sov_workspace_change {
    int64_t receipt;
    const char *path;
};
struct sov_acceptance_request {
    int64_t outcome;
    const char *reason;                          /* NULL: none */
    const struct sov_observations *observations; /* NULL: as the newest verification recorded */
    const struct sov_workspace_change *changes;
    size_t change_count;
};
struct sov_acceptance_prepared {
    struct sov_acceptance_request request;
    int64_t basis, term;
    struct sov_bytes case_octets; /* canonical */
    struct sov_hash case_digest, reads_digest;
    const struct sov_case *facts; /* what the gates were asked about */
    struct sov_verdict verdict;   /* a preview: everything but the signature */
    struct sov_bytes statement;   /* canonical, to be signed under SOV_ACCEPT_TAG */
    size_t signatures;            /* on this very case so far */
    bool suffices;                /* one more by this actor is as many as policy asks */
};
/* Never fails for a shut gate: the verdict says so. `actor` NULL: nobody asks. In the arena. On a
 * handle folded to an earlier size this is how an acceptance of the log is judged again. */
SOV_MUST_USE bool sov_acceptance_prepare(const struct sov_ledger *ledger, const char *actor,
                                         const struct sov_acceptance_request *request,
                                         struct sov_arena *arena,
                                         struct sov_acceptance_prepared *prepared_out,
                                         struct sov_error *err);
/* acceptance.signed and, with enough signers of this case, outcome.accepted. `by` NULL: not signed,
 * for a preparation that is shut: the first gate answers, or the earlier answer of the same
 * idempotency key. *accepted_out: the outcome is accepted now. */
SOV_MUST_USE bool sov_acceptance_sign(struct sov_commit *commit,
                                      const struct sov_acceptance_prepared *prepared,
                                      const struct sov_signed_by *by, struct sov_done *done_out,
                                      bool *accepted_out, struct sov_error *err);
/* What a signer signs of a case, under SOV_ACCEPT_TAG. */
struct sov_bytes sov_acceptance_statement(const struct sov_ledger *ledger,
                                          const struct sov_hash *case_digest, int64_t outcome,
                                          int64_t term, struct sov_arena *arena);
#endif
