#ifndef SOV_LEDGER_RULING_H
#define SOV_LEDGER_RULING_H
/*
 * Rulings: a signed decision by an authority; precedent, waiver of a boundary violation, hold, or
 * leave to reopen (model.md 3). One that is revoked stops counting from there on.
 */
#include "ledger/key.h"

#define SOV_RULING_TAG "sov.ruling.v1"
#define SOV_RULING_NONE "none"
#define SOV_RULING_WAIVE "waive_boundary"
#define SOV_RULING_HOLD "hold"
#define SOV_RULING_REOPEN "reopen"

struct sov_ruling {
    int64_t n;
    const char *question, *decision, *rationale;
    const char *applies_to; /* a stream: "outcome/OUT-3" */
    const char *effect;     /* one of the words above */
    int64_t receipt;        /* of a waiver, else 0 */
    const char *ruler;
    struct sov_signed_by by;
    int64_t seq, revoked_seq; /* revoked_seq 0: it counts */
    const char *revoked_by;   /* NULL if it counts */
};
struct sov_rulings {
    const struct sov_ruling *at;
    size_t count;
};
SOV_MUST_USE bool sov_ruling_find(const struct sov_ledger *ledger, int64_t n,
                                  struct sov_arena *arena, struct sov_ruling *ruling_out,
                                  bool *found_out, struct sov_error *err);
/* On a stream ("outcome/OUT-3"), or all (NULL), oldest first; revoked ones too. */
SOV_MUST_USE bool sov_ruling_list(const struct sov_ledger *ledger, const char *applies_to,
                                  struct sov_arena *arena, struct sov_rulings *list_out,
                                  struct sov_error *err);
/* Those that name a receipt, oldest first; revoked ones too. */
SOV_MUST_USE bool sov_ruling_of_receipt(const struct sov_ledger *ledger, int64_t receipt,
                                        struct sov_arena *arena, struct sov_rulings *list_out,
                                        struct sov_error *err);
/* The newest unrevoked ruling of this effect on a stream; for a waiver the receipt counts and
 * `applies_to` is NULL. *n_out 0: there is none. */
SOV_MUST_USE bool sov_ruling_in_force(const struct sov_ledger *ledger, const char *effect,
                                      const char *applies_to, int64_t receipt, int64_t *n_out,
                                      struct sov_error *err);

struct sov_ruling_request {
    const char *question, *decision, *rationale;
    const char *applies_to; /* a stream, or a numbered id ("OUT-3") */
    const char *effect;     /* NULL: none */
    int64_t receipt;        /* of a waiver */
};
/* The statement to sign before the commit, under SOV_RULING_TAG: no_such_id, bad_value. */
SOV_MUST_USE bool sov_ruling_statement(const struct sov_ledger *ledger,
                                       const struct sov_ruling_request *request,
                                       struct sov_arena *arena, struct sov_bytes *statement_out,
                                       struct sov_error *err);
/* self_waive, nothing_to_waive. */
SOV_MUST_USE bool sov_ruling_decide(struct sov_commit *commit,
                                    const struct sov_ruling_request *request,
                                    const struct sov_signed_by *by, struct sov_done *done_out,
                                    struct sov_error *err);
SOV_MUST_USE bool sov_ruling_revocation_statement(const struct sov_ledger *ledger, int64_t n,
                                                  const char *reason, struct sov_arena *arena,
                                                  struct sov_bytes *statement_out,
                                                  struct sov_error *err);
SOV_MUST_USE bool sov_ruling_revoke(struct sov_commit *commit, int64_t n, const char *reason,
                                    const struct sov_signed_by *by, struct sov_done *done_out,
                                    struct sov_error *err);
#endif
