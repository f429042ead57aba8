#ifndef SOV_CLI_CLAIMED_H
#define SOV_CLI_CLAIMED_H
/* What the verbs on things that are claimed share: who claims, number and fence, the answer. */
#include "cli/verb.h"

/* By the clock of the commit, the process of --pid: this one ends at once and holds nothing, so one
 * that is to be missed is named. */
SOV_MUST_USE bool sov_claimed_who(const struct sov_deed *w, struct sov_who *who_out,
                                  struct sov_error *err);
/* The first word as a number of that kind, and --fence. */
SOV_MUST_USE bool sov_claimed_under(struct sov_call *call, enum sov_stream_kind kind,
                                    int64_t *n_out, int64_t *fence_out, struct sov_error *err);
/* "claimed, fence 88", the fence in the data, and behind `next` as --fence. Always true. */
bool sov_claimed_say(struct sov_deed *w, int64_t fence, const char *next);
#endif
