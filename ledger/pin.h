#ifndef SOV_LEDGER_PIN_H
#define SOV_LEDGER_PIN_H
/*
 * The pin: the newest checkpoint that this user saw, kept outside the ledger, one file a ledger id.
 * It moves forward only. Canonical JSON {ledger, root, size} and a line feed, mode 0600. The folder
 * also holds the lock under which it is moved.
 */
#include "base/crypto.h"
#include "base/error.h"

struct sov_pin {
    struct sov_hash ledger_id, root;
    int64_t size;
};
/* *found_out false if there is none; pin_invalid (7) if the file is no pin (empty, NUL-filled,
 * cut). */
SOV_MUST_USE bool sov_pin_read(const char *pins, const struct sov_hash *ledger_id,
                               struct sov_pin *pin_out, bool *found_out, struct sov_error *err);
/* Replaces the file if `pin` is larger than what it holds, else leaves it. */
SOV_MUST_USE bool sov_pin_move(const char *pins, const struct sov_pin *pin, struct sov_error *err);
/* Removes temporary files that a crash left beside the pins; `dry` only counts them. */
SOV_MUST_USE bool sov_pin_tidy(const char *pins, bool dry, size_t *removed_out,
                               struct sov_error *err);
#endif
