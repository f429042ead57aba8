#ifndef SOV_LEDGER_PIN_H
#define SOV_LEDGER_PIN_H
/*
 * The pin: the newest checkpoint that this user saw, kept outside the ledger, one file a ledger id.
 * It moves forward only. Canonical JSON and a line feed, mode 0600:
 *   {founding, ledger, note, range, root, size}
 * It stands alone: `ledger` is the SHA-256 of `founding`, the octets of event 1, whose root key
 * signs `note`, the checkpoint, which says `root` and `size`; `range`, the compact range of that
 * size, gives the root. Reading asks all of that, so that no octet of it can be another one. From
 * the range a verification goes on with the events behind the pin. Files of before, without
 * founding, note and range, are read; such a pin says a root and nothing more.
 * The folder also holds the lock under which a pin is moved.
 */
#include "base/arena.h"
#include "base/crypto.h"
#include "base/error.h"
#include "base/merkle.h"

struct sov_ledger;

struct sov_pin {
    struct sov_hash ledger_id, root;
    int64_t size;
    struct sov_bytes note, founding; /* .data NULL: of before; borrowed */
    struct sov_range range;          /* size 0: of before */
};
/* *found_out false if there is none; pin_invalid (7) if the file is no pin (empty, NUL-filled,
 * cut, one octet another). Slices are in the arena. */
SOV_MUST_USE bool sov_pin_read(const char *pins, const struct sov_hash *ledger_id,
                               struct sov_arena *arena, struct sov_pin *pin_out, bool *found_out,
                               struct sov_error *err);
/* Of the checkpoint of exactly this size, whole: no_such_id (3); head_mismatch, bad_signature (6)
 * if what is stored does not hold together. Slices are in the arena. */
SOV_MUST_USE bool sov_pin_of(const struct sov_ledger *ledger, int64_t size, struct sov_arena *arena,
                             struct sov_pin *pin_out, struct sov_error *err);
/* Replaces the file if `pin` is larger than what it holds, or the same and whole where that is of
 * before; else leaves it. Nothing is written that would not be read. */
SOV_MUST_USE bool sov_pin_move(const char *pins, const struct sov_pin *pin, struct sov_error *err);
/* Removes temporary files that a crash left beside the pins; `dry` only counts them. */
SOV_MUST_USE bool sov_pin_tidy(const char *pins, bool dry, size_t *removed_out,
                               struct sov_error *err);
#endif
