#ifndef SOV_LEDGER_EFFECT_ROW_H
#define SOV_LEDGER_EFFECT_ROW_H
/* E4: what an assignment has committed of a kind on a subject. Private to ledger/. */
#include "base/db.h"

/* *n_out 0: nothing. */
SOV_MUST_USE bool sov_effect_used(struct sov_db *state, int64_t assignment, struct sov_bytes kind,
                                  struct sov_bytes subject, int64_t *n_out, int64_t *quantity_out,
                                  struct sov_error *err);
#endif
