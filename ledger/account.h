#ifndef SOV_LEDGER_ACCOUNT_H
#define SOV_LEDGER_ACCOUNT_H
/*
 * Accounts: named integer balances, each the sum of its postings (model.md 1, 8).
 * Owns: state_account, state_posting and the account.* events. Not here: what an amount is
 * (policy/effect.h).
 */
#include "ledger/commit.h"

/* account.posted on the account's own stream, behind effect.committed or change.recorded whose seq
 * is `cause` (state_posting.lead). The balance is the one before plus delta: account_unknown,
 * amount_overflow. */
SOV_MUST_USE bool sov_account_post(struct sov_commit *commit, const char *account, int64_t delta,
                                   int64_t cause, struct sov_error *err);
#endif
