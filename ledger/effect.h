#ifndef SOV_LEDGER_EFFECT_H
#define SOV_LEDGER_EFFECT_H
/*
 * Effects: changes of the accounts that an attempt proposed and the host computed, checked and
 * committed (model.md 8). Owns: state_effect, effect.committed. Not here: the arithmetic
 * (policy/effect.h), accounts and signals (account.h, signal.h).
 */
#include "base/crypto.h"
#include "ledger/commit.h"
#include "policy/policy.h"

struct sov_effect {
    int64_t n, assignment;
    const char *kind, *subject;
    int64_t quantity;
    const struct sov_fact *facts; /* used, by name */
    size_t fact_count;
    const struct sov_posting *postings; /* in the rule's order; `balance` of each is 0 */
    size_t posting_count;
    struct sov_hash policy; /* digest of the document it was decided under */
    int64_t fence, seq;
    int64_t approval; /* that allowed it; 0: none was asked for */
};
struct sov_effects {
    const struct sov_effect *at;
    size_t count;
};
/* In the arena; *found_out false if there is none. */
SOV_MUST_USE bool sov_effect_find(const struct sov_ledger *ledger, int64_t n,
                                  struct sov_arena *arena, struct sov_effect *effect_out,
                                  bool *found_out, struct sov_error *err);
/* The same, no_such_id (3) if there is none. */
SOV_MUST_USE bool sov_effect_get(const struct sov_ledger *ledger, int64_t n,
                                 struct sov_arena *arena, struct sov_effect *effect_out,
                                 struct sov_error *err);
/* By number. assignment 0: of all. */
SOV_MUST_USE bool sov_effect_list(const struct sov_ledger *ledger, int64_t assignment,
                                  struct sov_arena *arena, struct sov_effects *effects_out,
                                  struct sov_error *err);
/* Gate 22, postings-match: what is due by the policy it names, its facts and its quantity, equals
 * what it says, and what stands on the accounts' streams behind it. */
SOV_MUST_USE bool sov_effect_corroborated(const struct sov_ledger *ledger,
                                          const struct sov_effect *effect, struct sov_arena *arena,
                                          bool *holds_out, struct sov_error *err);

/* ---- proposals of a report: {kind, subject, quantity} and nothing more counts ---- */
struct sov_proposal {
    const char *kind, *subject; /* at most 64 and 200 bytes */
    const char *unit;           /* NULL: not said */
    bool has_quantity;
    int64_t quantity;
};
struct sov_proposals {
    const struct sov_proposal *at;
    size_t count;
};
/* What E1 to E9 say to all of them, each on the balances after the one before: all or none. */
struct sov_effects_due {
    bool refused;
    size_t refused_at;   /* which proposal */
    const char *code;    /* why; NULL if none is refused */
    const char *message; /* likewise, a sentence */
    const struct sov_effect_result *results;
    const int64_t *before;    /* EFF-n that committed the same already (E4); 0: none */
    const int64_t *approvals; /* APR-n that allows each (E9); 0: none is asked for */
    size_t count;
};
/* Reads policy, books and what this assignment has committed. False only if reading failed. */
SOV_MUST_USE bool sov_effect_judge(struct sov_commit *commit, int64_t assignment,
                                   const struct sov_proposals *proposals,
                                   struct sov_effects_due *due_out, struct sov_error *err);
/* effect.committed, its account.posted and signal.recorded, for each, behind run.finished and
 * under the fence; numbers into effects_out (room for as many as proposals), in their order. */
SOV_MUST_USE bool sov_effect_follow(struct sov_commit *commit, int64_t assignment, int64_t fence,
                                    const struct sov_proposals *proposals,
                                    const struct sov_effects_due *due, int64_t *effects_out,
                                    struct sov_error *err);
#endif
