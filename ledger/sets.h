#ifndef SOV_LEDGER_SETS_H
#define SOV_LEDGER_SETS_H
/*
 * The four sets of a term, read from the folded log and supplied by nobody (model.md 2): performers
 * (named by any assignment of any SOW of the term, whatever became of it), verifiers (of any
 * verification), reviewers (of any review), accepters (who signed). Each member once, by id.
 */
#include "ledger/commit.h"
#include "policy/policy.h"

SOV_MUST_USE bool sov_term_sets(const struct sov_ledger *ledger, int64_t outcome, int64_t term,
                                struct sov_arena *arena, struct sov_sets *sets_out,
                                struct sov_error *err);
#endif
