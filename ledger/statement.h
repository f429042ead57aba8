#ifndef SOV_LEDGER_STATEMENT_H
#define SOV_LEDGER_STATEMENT_H
/* What a review says, as the statement that is signed. Private to ledger/. */
#include "ledger/review.h"

struct sov_review_said {
    int64_t sow, verification;
    struct sov_hash receipt_hash, aggregate;
    const char *decision;
    struct sov_bytes rationale;
};
struct sov_bytes sov_review_statement(const struct sov_ledger *ledger,
                                      const struct sov_review_said *said, struct sov_arena *arena);
#endif
