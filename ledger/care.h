#ifndef SOV_LEDGER_CARE_H
#define SOV_LEDGER_CARE_H
/*
 * What a supervise pass looks after: a row a kind of thing. supervise.c walks the rows in order and
 * gives each item its own commit; a row finds what looks due and judges it again in there. Private
 * to ledger/.
 */
#include "ledger/log.h"
#include "ledger/supervise.h"

struct sov_pass {
    struct sov_ledger *ledger;
    const struct sov_supervise_options *options;
    const struct sov_policy *policy;
    struct sov_arena *arena; /* of the whole pass */
    struct sov_now now;      /* when things were found */
    int64_t newest_at_ms;    /* of the newest event then */
};
struct sov_care_item {
    struct sov_stream what;
    int64_t fence; /* 0: it is about no claim */
};
struct sov_care_items {
    const struct sov_care_item *at;
    size_t count;
};
struct sov_care {
    /* What looks due, in the order in which it is acted on. Reads only. */
    bool (*find)(const struct sov_pass *pass, struct sov_care_items *items_out,
                 struct sov_error *err);
    /* Inside a commit of its own, which the caller finishes: judged again, then lead and
     * consequences. *acted_out false: it is due no more, nothing was appended. `act_out` is filled
     * but for `id`, `seq` of a would-be act and `newest`; texts last as long as the pass. */
    bool (*act)(struct sov_commit *commit, const struct sov_pass *pass,
                const struct sov_care_item *item, struct sov_supervise_act *act_out,
                bool *acted_out, struct sov_error *err);
};
/* Rows, in the order of model.md 7. */
const struct sov_care *sov_care_claims(void);    /* care_claims.c */
const struct sov_care *sov_care_approvals(void); /* care_approvals.c */
#endif
