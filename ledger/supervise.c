#include "ledger/supervise.h"

#include <assert.h>
#include <string.h>

#include "ledger/assignment.h"
#include "ledger/log.h"
#include "ledger/policy.h"
#include "ledger/receipt.h"
#include "ledger/row.h"
#include "ledger/run.h"
#include "ledger/sow.h"

static const char lost_word[] = "worker_lost";

static enum sov_claim_verdict judge(const struct sov_policy *policy, const struct sov_claim *claim,
                                    const struct sov_now *now, int64_t newest_at_ms,
                                    const char **ground_out)
{
    struct sov_claim_facts facts = { claim->at_ms, claim->ttl_s, claim->who.boot_ms,
                                     claim->who.machine, claim->who.boot };

    return sov_policy_claim(policy, &facts, now, newest_at_ms, ground_out);
}

/* A run had started and nobody told its end: failed, and what it did outside is not known. */
static bool follow_lost(struct sov_commit *commit, const struct sov_claim *claim,
                        int64_t *receipt_out, struct sov_error *err)
{
    struct sov_receipt draft = {
        .assignment = claim->assignment,
        .attempt = claim->attempt,
        .fence = claim->fence,
        .status = SOV_RECEIPT_FAILED,
        .category = lost_word,
        .message = "the run started and nobody reported its end in time",
        .effects_unknown = true,
    };
    struct sov_sow_failure failure = { .assignment = claim->assignment, .why = lost_word };
    struct sov_assignment assignment;
    struct sov_run run;
    bool found;

    if (!sov_assignment_get(commit->ledger, claim->assignment, &commit->arena, &assignment, err) ||
        !sov_run_find(commit->ledger, claim->assignment, claim->fence, &commit->arena, &run, &found,
                      err))
        return false;
    assert(found);
    draft.provider = run.provider;
    draft.adapter = run.adapter;
    draft.adapter_version = run.adapter_version;
    draft.boundary.scoped = strcmp(assignment.workspace_policy, "none") != 0;
    if (!sov_receipt_follow(commit, &draft, false, &failure.receipt, &failure.cause, err) ||
        !sov_sow_follow_failed(commit, assignment.sow, &failure, err) ||
        !sov_assignment_follow_ended(commit, claim->assignment, SOV_ASSIGNMENT_FAILED,
                                     failure.receipt, 0, failure.cause, err))
        return false;
    *receipt_out = failure.receipt;
    return true;
}

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

struct pass {
    struct sov_ledger *ledger;
    struct sov_arena *arena;
    bool dry;
    int64_t pid, start;
};

static bool expire(struct sov_commit *commit, const struct pass *pass, const struct sov_claim *seen,
                   struct sov_supervise_act *act_out, bool *acted_out, struct sov_error *err)
{
    struct sov_supervise_act act = { 0 };
    struct sov_who who = sov_who_now(commit, pass->pid, pass->start);
    struct sov_done done;
    int64_t head;
    bool found;

    *acted_out = false;
    if (!sov_claim_find(commit->ledger, seen->assignment, seen->fence, pass->arena, &act.claim,
                        &found, err))
        return false;
    /* Renewed, finished or ended by another pass meanwhile. */
    if (!found || !act.claim.live ||
        judge(commit->policy, &act.claim, &commit->now, commit->now.wall.ms + commit->behind_ms,
              &act.ground) != SOV_CLAIM_OVERDUE)
        return true;
    if (!sov_claim_expire(commit, &act.claim, act.ground, &who, &done, err)) return false;
    if (act.claim.started && !follow_lost(commit, &act.claim, &act.receipt, err)) return false;
    act.newest = pass->dry ? NULL : copy(commit->newest, pass->arena);
    if (!sov_commit_finish(commit, &head, err)) return false;
    act.seq = done.seq;
    *act_out = act;
    *acted_out = true;
    return true;
}

static bool one(const struct pass *pass, const struct sov_claim *seen,
                struct sov_supervise_act *act_out, bool *acted_out, bool *began_out,
                struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act act = { .expect_seq = -1, .expect_version = -1, .dry = pass->dry };

    *began_out = false;
    if (!sov_commit_begin(&commit, pass->ledger, &act, err)) return false;
    *began_out = true;
    return expire(&commit, pass, seen, act_out, acted_out, err);
}

/* Live claims that look overdue, by fence; each is judged again inside its own commit. */
static bool overdue(const struct pass *pass, const struct sov_policy *policy,
                    struct sov_claims *claims_out, struct sov_error *err)
{
    struct sov_ledger *ledger = pass->ledger;
    struct sov_claims live;
    struct sov_claim *rows;
    struct sov_event newest;
    struct sov_now now;
    size_t count = 0;
    int64_t head;

    if (!ledger->seams.clock.read(ledger->seams.clock.self, &now, err) ||
        !sov_ledger_head(ledger, &head, err) ||
        !sov_log_event(ledger, head, pass->arena, &newest, err) ||
        !sov_claim_list(ledger, 0, true, pass->arena, &live, err))
        return false;
    rows = sov_arena_array(pass->arena, live.count + 1, sizeof *rows);
    for (size_t i = 0; i < live.count; i++) {
        const char *ground;

        if (judge(policy, &live.at[i], &now, newest.at.ms, &ground) == SOV_CLAIM_OVERDUE)
            rows[count++] = live.at[i];
    }
    *claims_out = (struct sov_claims){ rows, count };
    return true;
}

static bool walk(const struct pass *pass, const struct sov_claims *claims, int64_t limit,
                 struct sov_supervised *out, struct sov_error *err)
{
    struct sov_supervise_act *acts = sov_arena_array(pass->arena, claims->count + 1, sizeof *acts);
    struct sov_supervise_fault *faults =
        sov_arena_array(pass->arena, claims->count + 1, sizeof *faults);

    out->acts = acts;
    out->faults = faults;
    for (size_t i = 0; i < claims->count; i++) {
        const struct sov_claim *claim = &claims->at[i];
        struct sov_supervise_fault *fault = &faults[out->fault_count];
        bool acted = false, began;

        if ((int64_t)out->act_count >= limit) {
            out->waiting = (int64_t)(claims->count - i);
            break;
        }
        if (one(pass, claim, &acts[out->act_count], &acted, &began, &fault->error)) {
            out->act_count += acted;
            continue;
        }
        if (!began && !out->act_count && !out->fault_count) {
            *err = fault->error; /* no lock, no disk, a wrong head: the rest would fare no better */
            return false;
        }
        fault->assignment = claim->assignment;
        fault->fence = claim->fence;
        out->fault_count++;
    }
    return true;
}

bool sov_supervise(struct sov_ledger *ledger, int64_t limit, bool dry, int64_t pid, int64_t start,
                   struct sov_arena *arena, struct sov_supervised *supervised_out,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_lock_release) struct sov_lock alone = { 0 };
    struct pass pass = { ledger, arena, dry, pid, start };
    struct sov_supervised out = { 0 };
    const struct sov_policy *policy;
    struct sov_claims claims;

    if (!sov_policy_at(ledger, 0, arena, &policy, err)) return false;
    if (!dry && !sov_lock_take(&alone, &ledger->home, "supervise.lock", ledger->wait_ms, err))
        return false;
    if (!overdue(&pass, policy, &claims, err)) return false;
    if (!walk(&pass, &claims, limit ? limit : policy->limits_supervise_acts, &out, err))
        return false;
    *supervised_out = out;
    return true;
}
