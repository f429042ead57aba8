#ifndef SOV_LEDGER_REFILL_H
#define SOV_LEDGER_REFILL_H
/*
 * All rows of one ledger into another that is empty, through its guards: events, checkpoints,
 * blobs. Owns: the comparison with what was signed. Private to ledger/.
 */
#include "base/merkle.h"
#include "ledger/ledger.h"

struct sov_refill {
    const struct sov_ledger *source;
    const struct sov_pin *pin; /* NULL: none; its root must be on the way, if it lies on it */
    bool (*goes_on)(struct sov_error *err);
};
/* In one transaction. *range_out: of all events; the newest checkpoint is of its size. */
SOV_MUST_USE bool sov_ledger_refill(struct sov_ledger *ledger, const struct sov_refill *refill,
                                    struct sov_range *range_out, struct sov_error *err);
#endif
