#include "ledger/supervise.h"

#include <string.h>

#include "ledger/care.h"
#include "ledger/policy.h"

enum { CARES = 2 };

/* What a row found, and where the walk stands in it. */
struct found {
    const struct sov_care *care;
    struct sov_care_items items;
};

static const struct sov_appended *copy(const struct sov_appended *newest, struct sov_arena *arena)
{
    struct sov_appended *event;

    if (!newest) return NULL;
    event = sov_arena_take(arena, sizeof *event);
    *event = (struct sov_appended){ newest->seq, newest->type,
                                    sov_arena_text(arena, sov_bytes_text(newest->id)),
                                    copy(newest->before, arena) };
    return event;
}

static bool one(const struct sov_pass *pass, const struct sov_care *care,
                const struct sov_care_item *item, struct sov_supervise_act *act_out,
                bool *acted_out, bool *began_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act who = { .expect_seq = -1, .expect_version = -1, .dry = pass->options->dry };
    struct sov_supervise_act act = { 0 };
    int64_t head;

    *began_out = *acted_out = false;
    if (!sov_commit_begin(&commit, pass->ledger, &who, err)) return false;
    *began_out = true;
    if (!care->act(&commit, pass, item, &act, acted_out, err)) return false;
    if (!*acted_out) return true;
    act.id = sov_stream_id(&item->what, pass->arena);
    act.newest = pass->options->dry ? NULL : copy(commit.newest, pass->arena);
    if (!sov_commit_finish(&commit, &head, err)) {
        *acted_out = false;
        return false;
    }
    *act_out = act;
    return true;
}

/* What every row finds, before the first act: so an act of one row cannot hide that of another. */
static bool find_all(const struct sov_pass *pass, struct found found[CARES], size_t *count_out,
                     struct sov_error *err)
{
    const struct sov_care *cares[CARES] = { sov_care_claims(), sov_care_approvals() };
    size_t count = 0;

    for (size_t i = 0; i < CARES; i++) {
        found[i].care = cares[i];
        if (!cares[i]->find(pass, &found[i].items, err)) return false;
        count += found[i].items.count;
    }
    *count_out = count;
    return true;
}

static bool walk(const struct sov_pass *pass, const struct found found[CARES], size_t count,
                 struct sov_supervised *out, struct sov_error *err)
{
    struct sov_supervise_act *acts = sov_arena_array(pass->arena, count + 1, sizeof *acts);
    struct sov_supervise_fault *faults = sov_arena_array(pass->arena, count + 1, sizeof *faults);
    int64_t limit =
        pass->options->limit ? pass->options->limit : pass->policy->limits_supervise_acts;
    size_t row = 0, at = 0;

    out->acts = acts;
    out->faults = faults;
    for (size_t i = 0; i < count; i++, at++) {
        struct sov_supervise_fault *fault = &faults[out->fault_count];
        const struct sov_care_item *item;
        bool acted, began;

        for (; at == found[row].items.count; row++) at = 0;
        item = &found[row].items.at[at];
        if ((int64_t)out->act_count >= limit) {
            out->waiting = (int64_t)(count - i);
            break;
        }
        if (one(pass, found[row].care, item, &acts[out->act_count], &acted, &began,
                &fault->error)) {
            out->act_count += acted;
            continue;
        }
        if (!began && !out->act_count && !out->fault_count) {
            *err = fault->error; /* no lock, no disk, a wrong head: the rest would fare no better */
            return false;
        }
        fault->id = sov_stream_id(&item->what, pass->arena);
        fault->fence = item->fence;
        out->fault_count++;
    }
    return true;
}

static bool pass_set(struct sov_pass *pass, struct sov_error *err)
{
    struct sov_ledger *ledger = pass->ledger;
    struct sov_event newest;
    int64_t head;

    if (!ledger->seams.clock.read(ledger->seams.clock.self, &pass->now, err) ||
        !sov_policy_at(ledger, 0, pass->arena, &pass->policy, err) ||
        !sov_ledger_head(ledger, &head, err) ||
        !sov_log_event(ledger, head, pass->arena, &newest, err))
        return false;
    pass->newest_at_ms = newest.at.ms;
    return true;
}

bool sov_supervise(struct sov_ledger *ledger, const struct sov_supervise_options *options,
                   struct sov_arena *arena, struct sov_supervised *supervised_out,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_lock_release) struct sov_lock alone = { 0 };
    struct sov_pass pass = { .ledger = ledger, .options = options, .arena = arena };
    struct found found[CARES];
    struct sov_supervised out = { 0 };
    size_t count;

    if (!options->dry &&
        !sov_lock_take(&alone, &ledger->home, "supervise.lock", ledger->wait_ms, err))
        return false;
    if (!pass_set(&pass, err) || !find_all(&pass, found, &count, err) ||
        !walk(&pass, found, count, &out, err))
        return false;
    *supervised_out = out;
    return true;
}
