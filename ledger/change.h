#ifndef SOV_LEDGER_CHANGE_H
#define SOV_LEDGER_CHANGE_H
/*
 * Changes: what happened to the accounts outside any assignment, a sale (model.md 8).
 * Owns: state_change, change.recorded. Not here: the arithmetic (policy/effect.h).
 */
#include "base/crypto.h"
#include "ledger/commit.h"
#include "policy/policy.h"

struct sov_change {
    int64_t n;
    const char *kind, *subject, *source, *actor;
    int64_t quantity;
    const char *dedupe_key;       /* NULL: none */
    const struct sov_fact *facts; /* used, by name */
    size_t fact_count;
    const struct sov_posting *postings; /* in the rule's order; `balance` of each is 0 */
    size_t posting_count;
    struct sov_hash policy; /* digest of the document it was decided under */
    int64_t seq;
};
struct sov_changes {
    const struct sov_change *at;
    size_t count;
};
/* In the arena; *found_out false if there is none. */
SOV_MUST_USE bool sov_change_find(const struct sov_ledger *ledger, int64_t n,
                                  struct sov_arena *arena, struct sov_change *change_out,
                                  bool *found_out, struct sov_error *err);
/* The same, no_such_id (3) if there is none. */
SOV_MUST_USE bool sov_change_get(const struct sov_ledger *ledger, int64_t n,
                                 struct sov_arena *arena, struct sov_change *change_out,
                                 struct sov_error *err);
/* All, by number. */
SOV_MUST_USE bool sov_change_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                                  struct sov_changes *changes_out, struct sov_error *err);

/* ---- operations ---- */
struct sov_change_request {
    const char *kind, *subject, *source;
    int64_t quantity;
    const char *unit;       /* NULL: not said */
    const char *dedupe_key; /* unique per source and kind; NULL: the idempotency key */
};
/* change.recorded, its account.posted and signal.recorded. The same source, kind and dedupe key
 * with the same payload is a noop, with another key_reused; then E1, E3, E5 to E8. */
SOV_MUST_USE bool sov_change_record(struct sov_commit *commit,
                                    const struct sov_change_request *request,
                                    struct sov_done *done_out, struct sov_error *err);
#endif
