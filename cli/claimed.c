#include "cli/claimed.h"

#include "base/child.h"

bool sov_claimed_who(const struct sov_deed *w, struct sov_who *who_out, struct sov_error *err)
{
    struct sov_process_id holder = { 0 };
    int64_t pid;

    if (!sov_int_of(w->call, SOV_FLAG_PID, 1, INT32_MAX, 0, &pid, err)) return false;
    if (pid && !sov_process_of(pid, &holder))
        return sov_fail(err, SOV_USAGE, "bad_value", "there is no process %lld", (long long)pid);
    *who_out = sov_who_now(&w->commit, holder.pid, holder.start);
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
