#ifndef SOV_LEDGER_CASE_H
#define SOV_LEDGER_CASE_H
/*
 * The case of an acceptance, read from the log: the facts that the gates ask about, and what of
 * them is bound by the digest that its signers sign. Private to ledger/.
 */
#include "ledger/acceptance.h"
#include "ledger/judged.h"
#include "ledger/receipt.h"

/* One SOW that counts, with what the case binds beyond the gates' facts. */
struct sov_case_work {
    struct sov_sow sow;
    struct sov_assignment execution; /* n 0: none */
    struct sov_receipt receipt;      /* n 0: none */
    const int64_t *effects;          /* committed by this execution */
    size_t effect_count;
    struct sov_judged judged;       /* the current verification */
    const struct sov_hash *reviews; /* hashes of those that accept it, by number */
    size_t review_count;
};
struct sov_case_look {
    const struct sov_ledger *ledger;
    struct sov_arena *arena;
    const struct sov_acceptance_request *request;
    struct sov_observations seen;
    struct sov_outcome outcome;
    const struct sov_case_work *works; /* of the SOWs that count, by number */
    size_t work_count;
    struct sov_judged judged; /* the outcome's current verification */
    struct sov_reads reads;
    struct sov_acceptances before; /* of this outcome and term */
    struct sov_bytes octets;       /* the case */
    struct sov_hash digest;
};
/* Fills look and facts; `facts->policy` is set. Without an outcome only the accepter's facts. */
SOV_MUST_USE bool sov_case_read(struct sov_case_look *look, const char *actor,
                                struct sov_case *facts, struct sov_error *err);
/* One SOW of it (case_sow.c). */
SOV_MUST_USE bool sov_case_read_sow(const struct sov_case_look *look, struct sov_case_work *work,
                                    struct sov_case_sow *facts, struct sov_error *err);
/* The octets and the digest (case_octets.c). */
void sov_case_bind(struct sov_case_look *look, const struct sov_case *facts);
/* The statement {case_digest, decision, ledger, outcome, term}. */
struct sov_bytes sov_case_statement(const struct sov_case_look *look);
#endif
