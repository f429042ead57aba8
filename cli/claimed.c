#include "cli/claimed.h"

#include "base/child.h"

bool sov_claimed_who(const struct sov_deed *w, struct sov_who *who_out, struct sov_error *err)
{
    struct sov_process_id self;

    if (!sov_process_self(&self, err)) return false;
    *who_out = sov_who_now(&w->commit, self.pid, self.start);
    return true;
}

bool sov_claimed_under(struct sov_call *call, enum sov_stream_kind kind, int64_t *n_out,
                       int64_t *fence_out, struct sov_error *err)
{
    return sov_number_at(call, 0, kind, n_out, err) &&
           sov_int_of(call, SOV_FLAG_FENCE, 1, INT64_MAX, 0, fence_out, err);
}

bool sov_claimed_say(struct sov_deed *w, int64_t fence, const char *next)
{
    struct sov_arena *arena = w->call->arena;

    sov_add_int(w->data, "fence", fence);
    return sov_deed_say(w, sov_arena_printf(arena, "claimed, fence %lld", (long long)fence),
                        sov_arena_printf(arena, "%s --fence %lld", next, (long long)fence));
}
