#ifndef SOV_POLICY_EFFECT_H
#define SOV_POLICY_EFFECT_H
/*
 * What an effect or change does to the accounts: products of integers, linear sums of balances
 * (model.md 8, E1 to E8). Kind, subject and quantity come from outside; cost, account and amount
 * only from policy and the books handed in.
 */
#include "base/arena.h"
#include "policy/document.h"

/* The open accounts and the facts of one subject that the answer may look at. More do no harm. */
struct sov_balance {
    const char *account;
    int64_t balance;
};
struct sov_fact {
    const char *name;
    int64_t value;
};
struct sov_books {
    const struct sov_balance *balances;
    size_t balance_count;
    const struct sov_fact *facts;
    size_t fact_count;
};

/* A literal, or a prefix and *. */
bool sov_policy_matches(const char *pattern, const char *text);
/* Replaces each {subject} and {signal} (signal NULL: left alone); nothing else means anything. */
const char *sov_policy_fill(const char *text, const char *subject, const char *signal,
                            struct sov_arena *arena);
/* The accounts (filled in, each once, in byte order) to load before asking. */
void sov_policy_effect_accounts(const struct sov_effect_kind *kind, const char *subject,
                                struct sov_arena *arena, const char *const **accounts_out,
                                size_t *count_out);
void sov_policy_condition_accounts(const struct sov_condition *when, size_t when_count,
                                   const char *subject, struct sov_arena *arena,
                                   const char *const **accounts_out, size_t *count_out);

/* The linear sum; account_unknown, amount_overflow. */
SOV_MUST_USE bool sov_policy_sum(const struct sov_term *terms, size_t count, const char *subject,
                                 const struct sov_books *books, int64_t *sum_out,
                                 struct sov_error *err);
SOV_MUST_USE bool sov_policy_operand(struct sov_operand operand, const struct sov_books *books,
                                     int64_t *n_out, struct sov_error *err); /* fact_missing */
/* All of them true? */
SOV_MUST_USE bool sov_policy_conditions(const struct sov_condition *when, size_t count,
                                        const char *subject, const struct sov_books *books,
                                        bool *hold_out, struct sov_error *err);

/* NULL if the policy has no such kind for this origin. */
const struct sov_effect_kind *sov_policy_effect_kind(const struct sov_policy *policy,
                                                     const char *kind, enum sov_origin origin);

struct sov_effect_input {
    enum sov_origin origin;
    const char *kind, *subject;
    const char *unit; /* NULL: not said */
    int64_t quantity;
    bool subject_declared;
    struct sov_books books;
    /* For an effect only: */
    const char *sow_effect;      /* the SOW's kind, NULL: none asked for */
    const char *outcome_subject; /* NULL: the outcome has none */
    bool used;                   /* this assignment has committed this kind on this subject */
    int64_t used_quantity;
    bool twice; /* the pair stands twice in this report */
};
struct sov_posting {
    const char *account;
    int64_t delta, balance; /* balance: after it */
};
struct sov_emission {
    const char *kind;
    enum sov_severity severity;
};
struct sov_effect_result {
    bool again; /* E4: the same was committed before; nothing more is to be done */
    const struct sov_effect_kind *kind;
    const struct sov_fact *facts; /* those used, by name */
    size_t fact_count;
    const struct sov_posting *postings; /* in the rule's order */
    size_t posting_count;
    const struct sov_emission *emits;
    size_t emit_count;
};
/* E1 to E8, in order. On failure err->code is the answer: kind_unknown, effect_not_in_scope,
 * subject_mismatch, subject_undeclared, subject_not_allowed, effect_conflict,
 * quantity_out_of_range, unit_mismatch, fact_missing, account_unknown, amount_overflow,
 * constraint_failed. */
SOV_MUST_USE bool sov_policy_effect(const struct sov_policy *policy,
                                    const struct sov_effect_input *input, struct sov_arena *arena,
                                    struct sov_effect_result *result_out, struct sov_error *err);
/* Only the amounts, without a balance: what the postings of such a fact must be. For the check
 * postings-match and gate 22; `balance` of each is 0. */
SOV_MUST_USE bool sov_policy_postings_due(const struct sov_effect_kind *kind, const char *subject,
                                          int64_t quantity, const struct sov_fact *facts,
                                          size_t fact_count, struct sov_arena *arena,
                                          const struct sov_posting **postings_out,
                                          size_t *count_out, struct sov_error *err);
/* Carries the postings over, for the next proposal of the same report. */
void sov_policy_carry(const struct sov_effect_result *result, struct sov_balance *balances,
                      size_t count);
#endif
