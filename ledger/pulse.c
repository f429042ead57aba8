/* The pulse: one bounded pass over the due signals, each answered in a commit of its own. */
#include <assert.h>
#include <string.h>

#include "ledger/assignment.h"
#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/policy.h"
#include "ledger/row.h"
#include "ledger/sow.h"
#include "ledger/wake.h"

/* ---- one decision and what follows from it ---- */

static bool decided(struct sov_commit *commit, const struct sov_wake *wake,
                    struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);
    char until[SOV_INSTANT_TEXT + 1];

    sov_write_object(&w);
    sov_put_text(&w, "decision", sov_policy_wake_word(wake->decision));
    sov_put_hex(&w, "inputs_digest", sov_hash_bytes(&wake->inputs_digest));
    if (wake->outcome) sov_put_number(&w, "outcome", SOV_STREAM_OUTCOME, wake->outcome);
    sov_put_text(&w, "reason", wake->reason);
    if (wake->rule) sov_put_text(&w, "rule", wake->rule);
    sov_put_hex(&w, "rules_digest", sov_hash_bytes(&wake->rules_digest));
    if (wake->sow) sov_put_number(&w, "sow", SOV_STREAM_SOW, wake->sow);
    sov_put_text(&w, "subject", wake->subject);
    if (wake->until_ms) {
        sov_instant_format((struct sov_instant){ wake->until_ms }, until);
        sov_put_text(&w, "until", until);
    }
    if (wake->waits_on) sov_put_text(&w, "waits_on", wake->waits_on);
    if (wake->waits_state) sov_put_text(&w, "waits_state", wake->waits_state);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

static const char *const *filled(const char *const *texts, size_t count, const char *subject,
                                 const char *signal, struct sov_arena *arena)
{
    const char **out = sov_arena_array(arena, count + 1, sizeof *out);

    for (size_t i = 0; i < count; i++) out[i] = sov_policy_fill(texts[i], subject, signal, arena);
    return out;
}

/* The rule's SOW for this signal: its texts filled in, the role that of the worker. */
static bool request_make(struct sov_commit *commit, const struct sov_wake_rule *rule,
                         const struct sov_wake *wake, struct sov_sow_request *request_out,
                         struct sov_error *err)
{
    struct sov_arena *arena = &commit->arena;
    const char *signal = sov_arena_printf(arena, "SIG-%lld", (long long)wake->signal);
    const char *subject = wake->subject;
    const struct sov_wake_sow *sow = &rule->sow;
    struct sov_actor worker;
    bool found;

    if (!sov_actor_find(commit->ledger, wake->worker, arena, &worker, &found, err)) return false;
    assert(found);
    *request_out = (struct sov_sow_request){
        .outcome = wake->outcome,
        .title = sov_policy_fill(sow->title, subject, signal, arena),
        .scope = sov_policy_fill(sow->scope, subject, signal, arena),
        .role = worker.role,
        .done_when = sov_policy_fill(sow->done_when, subject, signal, arena),
        .effect = sow->effect,
        .effect_required = sow->effect_required,
        .deliverables = filled(sow->deliverables, sow->deliverable_count, subject, signal, arena),
        .deliverable_count = sow->deliverable_count,
        .non_goals = filled(sow->non_goals, sow->non_goal_count, subject, signal, arena),
        .non_goal_count = sow->non_goal_count,
    };
    return true;
}

static const struct sov_wake_rule *rule_of(const struct sov_policy *policy, const char *id)
{
    for (size_t i = 0; i < policy->wake_count; i++)
        if (strcmp(policy->wake[i].id, id) == 0) return &policy->wake[i];
    assert(false); /* the rule that fired is the policy's */
    return NULL;
}

/* outcome.reopened if it is violated, the SOW, ready and assigned; outcome.resumed if verifying. */
static bool fired(struct sov_commit *commit, const struct sov_wake *wake, int64_t seq,
                  struct sov_error *err)
{
    struct sov_assignment_request assignment = { .sow = wake->sow, .actor = wake->worker };
    struct sov_sow_request request;
    int64_t sow, n;

    if (wake->reopen &&
        !sov_outcome_follow_reopened(commit, wake->outcome,
                                     sov_arena_printf(&commit->arena, "SIG-%lld fired rule %s",
                                                      (long long)wake->signal, wake->rule),
                                     err))
        return false;
    if (!request_make(commit, rule_of(commit->policy, wake->rule), wake, &request, err) ||
        !sov_sow_follow_created(commit, &request, seq, wake->planner, &sow, err))
        return false;
    assert(sow == wake->sow);
    return sov_sow_follow_readied(commit, sow, err) &&
           sov_assignment_follow_created(commit, &assignment, wake->planner, &n, err) &&
           sov_outcome_follow_resumed(commit, wake->outcome, "wake.decided", err);
}

/* Decides one signal if it is (still) due. */
static bool answer(struct sov_commit *commit, int64_t n, struct sov_wake *wake_out,
                   int64_t *seq_out, bool *due_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_WAKE_DECIDED,
                                     .stream = sov_stream_numbered(SOV_STREAM_SIGNAL, n) };
    struct sov_signal signal;
    struct sov_stream sow;
    struct sov_done done;
    bool again;

    if (!sov_signal_get(commit->ledger, n, &commit->arena, &signal, err) ||
        !sov_wake_due(commit->ledger, commit->policy, &signal, commit->at.ms, &commit->arena,
                      due_out, err))
        return false;
    if (!*due_out) return true;
    if (!sov_wake_decide(commit->ledger, commit->policy, &signal, commit->at.ms, &commit->arena,
                         wake_out, err))
        return false;
    if (wake_out->decision == SOV_WAKE_FIRE) {
        if (!sov_commit_next(commit, SOV_STREAM_SOW, &sow, err)) return false;
        wake_out->sow = sow.n;
    }
    addition.cause[0] = signal.seq;
    if (!decided(commit, wake_out, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, &done, &again,
                        err) ||
        !sov_commit_lead(commit, &addition, &done, err))
        return false;
    *seq_out = done.seq;
    return wake_out->decision != SOV_WAKE_FIRE || fired(commit, wake_out, commit->lead, err);
}

/* ---- the pass ---- */

struct pass {
    struct sov_ledger *ledger;
    struct sov_act act;
    struct sov_arena *arena;
    struct sov_pulsed *rows;
    size_t count, faults;
    bool moved; /* something that signals wait for may have changed */
};
/* Signals that fault stay due; this many of them must not keep a pass from the ones behind. */
enum { FAULTS_MAX = 1024 };

static const char *kept(const char *text, struct sov_arena *arena)
{
    return text ? sov_arena_text(arena, sov_bytes_text(text)) : NULL;
}

/* Out of the memory of the commit, which ends. */
static void wake_keep(struct sov_wake *wake, struct sov_arena *arena)
{
    wake->subject = kept(wake->subject, arena);
    wake->reason = kept(wake->reason, arena);
    wake->rule = kept(wake->rule, arena);
    wake->waits_on = kept(wake->waits_on, arena);
    wake->waits_state = kept(wake->waits_state, arena);
    wake->planner = kept(wake->planner, arena);
    wake->worker = kept(wake->worker, arena);
}

/* *on_out false: the ledger cannot be written, so the pass ends here. */
static void take(struct pass *pass, int64_t n, bool *on_out)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_pulsed *row;
    struct sov_pulsed one = { .signal = n };
    bool due = true;
    int64_t head;

    *on_out = sov_commit_begin(&commit, pass->ledger, &pass->act, &one.fault);
    if (*on_out && answer(&commit, n, &one.wake, &one.seq, &due, &one.fault)) {
        if (!due) return;
        one.events = sov_commit_events(&commit, pass->arena, &one.event_count);
        one.faulted = !sov_commit_finish(&commit, &head, &one.fault);
    } else {
        one.faulted = true;
    }
    if (one.faulted) {
        pass->faults++;
        one.wake = (struct sov_wake){ .signal = n };
        one.seq = 0;
        one.events = NULL;
        one.event_count = 0;
    } else {
        wake_keep(&one.wake, pass->arena);
        pass->moved = pass->moved || one.wake.decision == SOV_WAKE_FIRE;
    }
    pass->rows = sov_rows_room(pass->arena, pass->rows, pass->count, sizeof *pass->rows);
    row = &pass->rows[pass->count++];
    *row = one;
}

static bool tried(const struct pass *pass, int64_t n)
{
    for (size_t i = 0; i < pass->count; i++)
        if (pass->rows[i].signal == n && pass->rows[i].faulted) return true;
    return false;
}

static size_t decided_so_far(const struct pass *pass)
{
    return pass->count - pass->faults;
}

/* Due ones at the instant of the pass, with the head checked even if there is none. */
static bool due_list(struct pass *pass, const struct sov_pulse_options *options,
                     const int64_t **signals_out, size_t *count_out, size_t *limit_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_signal signal;
    int64_t *only;

    if (!sov_commit_begin(&commit, pass->ledger, &pass->act, err)) return false;
    *limit_out = (size_t)(options->limit ? options->limit : commit.policy->limits_pulse_signals);
    if (options->signal) {
        if (!sov_signal_get(pass->ledger, options->signal, &commit.arena, &signal, err))
            return false;
        only = sov_arena_take(pass->arena, sizeof *only);
        *only = options->signal;
        *signals_out = only;
        *count_out = 1;
        return true;
    }
    /* Those that faulted in this pass are due still: room for them too. */
    return sov_wake_due_list(pass->ledger, commit.policy, commit.at.ms,
                             *limit_out - decided_so_far(pass) + pass->faults, pass->arena,
                             signals_out, count_out, err);
}

bool sov_pulse(struct sov_ledger *ledger, const struct sov_pulse_options *options,
               struct sov_arena *arena, struct sov_pulseds *pulsed_out, struct sov_error *err)
{
    struct pass pass = { .ledger = ledger, .arena = arena };
    const int64_t *signals;
    size_t limit = 0, count, faults;
    bool on = true, more;

    if (options->limit < 0 || options->signal < 0)
        return sov_fail(err, SOV_USAGE, "bad_value", "a limit is a positive number");
    pass.act = (struct sov_act){ .expect_seq = -1, .expect_version = -1, .dry = options->dry };
    do { /* again, if a new SOW or term is what others waited for, or faults took the places */
        pass.moved = false;
        faults = pass.faults;
        if (!due_list(&pass, options, &signals, &count, &limit, err)) {
            if (!pass.count) return false;
            break;
        }
        for (size_t i = 0; on && i < count && decided_so_far(&pass) < limit; i++)
            if (!tried(&pass, signals[i])) take(&pass, signals[i], &on);
        more = pass.moved || (pass.faults > faults && pass.faults < FAULTS_MAX);
    } while (on && more && !options->dry && !options->signal && decided_so_far(&pass) < limit);
    *pulsed_out = (struct sov_pulseds){ pass.rows, pass.count };
    return true;
}
