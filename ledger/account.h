#ifndef SOV_LEDGER_ACCOUNT_H
#define SOV_LEDGER_ACCOUNT_H
/*
 * Accounts: named integer balances, each the sum of its postings (model.md 1, 8).
 * Owns: state_account, state_posting and the account.* events. Not here: what an amount is
 * (policy/effect.h).
 */
#include "ledger/commit.h"
#include "policy/policy.h"

struct sov_account {
    const char *name, *unit;
    int64_t opening, balance;
    int64_t seq; /* of its newest event */
};
struct sov_accounts {
    const struct sov_account *at;
    size_t count;
};
/* One account.posted. */
struct sov_posted {
    int64_t seq;
    const char *account;
    int64_t delta, balance; /* balance: after it */
    int64_t lead;           /* seq of the effect.committed or change.recorded that it belongs to */
};
struct sov_posteds {
    const struct sov_posted *at;
    size_t count;
};
/* In the arena; *found_out false if there is none of this name. */
SOV_MUST_USE bool sov_account_find(const struct sov_ledger *ledger, const char *name,
                                   struct sov_arena *arena, struct sov_account *account_out,
                                   bool *found_out, struct sov_error *err);
/* The same, no_such_id (3) if there is none. */
SOV_MUST_USE bool sov_account_get(const struct sov_ledger *ledger, const char *name,
                                  struct sov_arena *arena, struct sov_account *account_out,
                                  struct sov_error *err);
/* All, by name. */
SOV_MUST_USE bool sov_account_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                                   struct sov_accounts *accounts_out, struct sov_error *err);
/* Postings of an account, by seq. */
SOV_MUST_USE bool sov_account_postings(const struct sov_ledger *ledger, const char *name,
                                       struct sov_arena *arena, struct sov_posteds *posted_out,
                                       struct sov_error *err);
/* Postings behind one effect or change, by seq; `lead` is the seq of its event. */
SOV_MUST_USE bool sov_posted_behind(const struct sov_ledger *ledger, int64_t lead,
                                    struct sov_arena *arena, struct sov_posteds *posted_out,
                                    struct sov_error *err);
/* The books that policy asks for: those of the named accounts that are open, and the facts of a
 * subject (*declared_out false, and no facts, if it is not declared). */
SOV_MUST_USE bool sov_books_read(const struct sov_ledger *ledger, const char *const *accounts,
                                 size_t count, const char *subject, struct sov_arena *arena,
                                 struct sov_books *books_out, bool *declared_out,
                                 struct sov_error *err);
/* Postings as they stand in an event: a canonical list of {account, delta}; `balance` of each is 0.
 * False if it is none. */
bool sov_postings_read(struct sov_bytes list, struct sov_arena *arena,
                       const struct sov_posting **postings_out, size_t *count_out);
void sov_postings_put(struct sov_writer *w, const char *key, const struct sov_posting *postings,
                      size_t count);

/* ---- operations ---- */
/* The name is free, also after folding ASCII case: exists. */
SOV_MUST_USE bool sov_account_open(struct sov_commit *commit, const char *name, const char *unit,
                                   int64_t opening, struct sov_done *done_out,
                                   struct sov_error *err);
/* account.posted on the account's own stream, behind effect.committed or change.recorded whose seq
 * is `cause` (state_posting.lead; 0: the lead of the operation). The balance is the one before plus
 * delta: account_unknown, amount_overflow. */
SOV_MUST_USE bool sov_account_post(struct sov_commit *commit, const char *account, int64_t delta,
                                   int64_t cause, struct sov_error *err);
#endif
