#ifndef SOV_VERIFY_LOOK_H
#define SOV_VERIFY_LOOK_H
/* One look of a check: at ledger state (look.c), at files (checks.c). Private to verify/. */
#include "base/canonical.h"
#include "base/file.h"
#include "ledger/ledger.h"

struct sov_look {
    const struct sov_ledger *ledger;
    const struct sov_folder *repository;
    struct sov_arena *arena;
    struct sov_outcome outcome;
    /* What it makes: */
    bool success;
    const char *code;        /* it could not look, and why; NULL: it looked */
    struct sov_buf observed; /* canonical object; empty with a code: the code is all */
};
/* A writer over `observed`, emptied. */
struct sov_writer sov_look_writer(struct sov_look *look);
/* Each fails only if the log cannot be read. */
SOV_MUST_USE bool sov_look_balance(struct sov_look *look, const struct sov_check *check,
                                   struct sov_error *err);
SOV_MUST_USE bool sov_look_postings(struct sov_look *look, const struct sov_check *check,
                                    struct sov_error *err);
SOV_MUST_USE bool sov_look_effects(struct sov_look *look, const struct sov_check *check,
                                   struct sov_error *err);
#endif
