#include "projections/verdict.h"

#include <assert.h>

static void mark(struct sov_standing *standing, const char *words, const char *detail)
{
    assert(standing->mark_count < SOV_MARKS_MAX);
    standing->marks[standing->mark_count++] = (struct sov_mark){ words, detail };
}

const struct sov_try *sov_work_newest_try(const struct sov_work *work)
{
    return work->try_count ? &work->tries[work->try_count - 1] : NULL;
}

/* ---- what is wrong ---- */

static const char *failing(const struct sov_batch *batch, struct sov_arena *arena)
{
    const char *list = "";

    for (size_t i = 0; i < batch->evidence.count; i++)
        if (!batch->evidence.at[i].success)
            list = sov_arena_printf(arena, "%s%s%s", list, *list ? ", " : "",
                                    batch->evidence.at[i].check);
    return *list ? list : NULL;
}

/* Somebody who did or verified the work decided on it. */
static const char *self_review(const struct sov_work *work)
{
    for (size_t i = 0; i < work->opinion_count; i++) {
        const char *reviewer = work->opinions[i].row.reviewer;

        for (size_t t = 0; t < work->try_count; t++)
            if (sov_is(work->tries[t].row.actor, reviewer)) return reviewer;
        for (size_t b = 0; b < work->batches.count; b++)
            if (sov_is(work->batches.at[b].row.actor, reviewer)) return reviewer;
    }
    return NULL;
}

static void work_marks(const struct sov_work *work, struct sov_arena *arena,
                       struct sov_standing *standing)
{
    const struct sov_receipt *receipt = sov_work_newest_receipt(work);
    const char *self = self_review(work);

    if (work->held) mark(standing, "held by a ruling", NULL);
    if (self) mark(standing, "self-review by", self);
    if (work->current && !work->current->row.passed)
        mark(standing, "failed check", failing(work->current, arena));
    if (work->receipt && work->batches.count && !work->current)
        mark(standing, "stale evidence", "the verification is of an earlier receipt");
    if (work->receipt && work->receipt->boundary.violated && !work->waived)
        mark(standing, "boundary violated", NULL);
    if (receipt && receipt->effects_unknown) mark(standing, "effects unknown", NULL);
}

/* ---- a SOW ---- */

static void in_review(const struct sov_work *work, struct sov_arena *arena,
                      struct sov_standing *standing)
{
    long long n = (long long)work->sow.n;

    if (!work->current) {
        standing->open = work->receipt ? sov_arena_printf(arena, "a verification of RCP-%lld",
                                                          (long long)work->receipt->n)
                                       : "a verification";
        standing->next = sov_arena_printf(arena, "sov check SOW-%lld", n);
        standing->link = "verification open";
        return;
    }
    standing->open = sov_arena_printf(arena, "a review of VER-%lld by another actor than %s",
                                      (long long)work->current->row.n,
                                      work->execution ? work->execution->row.actor : "its worker");
    standing->next =
        sov_arena_printf(arena, "sov review SOW-%lld %s --reason TEXT --actor REVIEWER", n,
                         work->current->row.passed ? "--pass" : "--request-changes");
    standing->link = "review open";
}

static void failed_or_blocked(const struct sov_work *work, struct sov_arena *arena,
                              struct sov_standing *standing)
{
    const struct sov_receipt *receipt = sov_work_newest_receipt(work);
    bool unknown = receipt && receipt->effects_unknown;

    standing->open = unknown ? "an inspection of what happened, then another round"
                             : "another round, or its end";
    standing->next =
        sov_arena_printf(arena, "sov sow retry SOW-%lld --reason TEXT%s", (long long)work->sow.n,
                         unknown ? " --found WORD --inspection TEXT" : "");
    standing->link = "retry open";
}

static void assigned_or_running(const struct sov_work *work, struct sov_arena *arena,
                                struct sov_standing *standing)
{
    const struct sov_try *a = sov_work_newest_try(work);
    bool runs = work->sow.state == SOV_SOW_RUNNING;

    if (!a) return;
    standing->open = sov_arena_printf(arena, "%s of ASG-%lld by %s", runs ? "the run" : "a run",
                                      (long long)a->row.n, a->row.actor);
    standing->next =
        sov_arena_printf(arena, "sov %s ASG-%lld", runs ? "show" : "run", (long long)a->row.n);
    standing->link = "run open";
}

void sov_work_standing(const struct sov_work *work, struct sov_arena *arena,
                       struct sov_standing *standing_out)
{
    struct sov_standing standing = { .state = sov_policy_sow_name(work->sow.state) };
    long long n = (long long)work->sow.n;

    work_marks(work, arena, &standing);
    switch (work->sow.state) {
    case SOV_SOW_DRAFT:
        standing.open = "it is a draft";
        standing.next = sov_arena_printf(arena, "sov sow ready SOW-%lld", n);
        standing.link = "draft";
        break;
    case SOV_SOW_READY:
    case SOV_SOW_CHANGES_REQUESTED:
        standing.open = "an assignment";
        standing.next = sov_arena_printf(arena, "sov assign SOW-%lld --to ACTOR", n);
        standing.link = "assignment open";
        break;
    case SOV_SOW_ASSIGNED:
    case SOV_SOW_RUNNING:
        assigned_or_running(work, arena, &standing);
        break;
    case SOV_SOW_REVIEW:
        in_review(work, arena, &standing);
        break;
    case SOV_SOW_BLOCKED:
    case SOV_SOW_FAILED:
        failed_or_blocked(work, arena, &standing);
        break;
    case SOV_SOW_ACCEPTED:
        standing.next =
            sov_arena_printf(arena, "sov why OUT-%lld --gates", (long long)work->sow.outcome);
        break;
    case SOV_SOW_NONE:
    case SOV_SOW_WITHDRAWN:
    case SOV_SOW_SUPERSEDED:
    case SOV_SOW_STATE_COUNT:
        break;
    }
    *standing_out = standing;
}

/* ---- an outcome ---- */

/* What opens a gate that is shut: the code, the act, what stands for it in the picture. */
static const struct {
    const char *code, *act, *link;
    bool of_sow;
} ways[] = {
    { "ruling_hold", "sov ruling revoke RUL --reason TEXT", "held by a ruling", false },
    { "sow_missing", "sov sow new OUT-%lld --title T --scope TEXT --role R --done-when TEXT",
      "work open", false },
    { "sow_open", "sov show SOW-%lld", "SOW open", true },
    { "checks_missing", "sov outcome revise OUT-%lld --check SPEC --reason TEXT", "checks open",
      false },
    { "execution_missing", "sov show SOW-%lld", "execution open", true },
    { "receipt_missing", "sov show SOW-%lld", "receipt open", true },
    { "receipt_unbound", "sov verify", "receipt open", false },
    { "receipt_not_completed", "sov show SOW-%lld", "receipt open", true },
    { "deliverable_unsafe", "sov sow withdraw SOW-%lld --reason TEXT", "deliverable open", true },
    { "deliverable_missing", "sov review SOW-%lld --request-changes --reason TEXT",
      "deliverable open", true },
    { "effect_missing", "sov review SOW-%lld --request-changes --reason TEXT", "effect open",
      true },
    { "boundary_violated",
      "sov ruling QUESTION --decision TEXT --reason TEXT --applies-to SOW-%lld --waive RCP",
      "boundary open", true },
    { "verification_missing", "sov check SOW-%lld", "verification open", true },
    { "verification_failed", "sov check SOW-%lld", "verification open", true },
    { "definition_changed", "sov check SOW-%lld", "verification open", true },
    { "review_missing", "sov review SOW-%lld --pass --reason TEXT --actor REVIEWER", "review open",
      true },
    { "review_dissent", "sov check SOW-%lld", "review open", true },
    { "outcome_not_verified", "sov check OUT-%lld", "verification open", false },
    { "verification_too_old", "sov check OUT-%lld", "verification open", false },
    { "evidence_missing", "sov check OUT-%lld", "evidence open", false },
    { "evidence_failing", "sov check OUT-%lld", "evidence open", false },
    { "evidence_foreign", "sov check OUT-%lld", "evidence open", false },
    { "aggregate_mismatch", "sov verify", "evidence open", false },
};

static const char *with_number(const char *act, int64_t n, struct sov_arena *arena)
{
    const char *at = strstr(act, "%lld");

    if (!at) return act;
    return sov_arena_printf(arena, "%.*s%lld%s", (int)(at - act), act, (long long)n, at + 4);
}

static void open_gate(const struct sov_story *story, const struct sov_gates_seen *gates,
                      struct sov_arena *arena, struct sov_standing *standing)
{
    const struct sov_gate_seen *gate = gates->first;

    if (!gate) {
        standing->open = "a signature";
        standing->next = sov_arena_printf(arena, "sov accept OUT-%lld --actor ACCEPTER",
                                          (long long)story->row.n);
        standing->link = "signature open";
        return;
    }
    standing->code = gate->code;
    standing->open =
        gate->sow ? sov_arena_printf(arena, "SOW-%lld %s", (long long)gate->sow, gate->detail)
                  : gate->detail;
    standing->link = "gate open";
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (!sov_is(ways[i].code, gate->code)) continue;
        standing->next = with_number(ways[i].act, ways[i].of_sow ? gate->sow : story->row.n, arena);
        standing->link = ways[i].link;
    }
}

static bool is_named(const struct sov_policy *policy, const char *id)
{
    for (size_t i = 0; i < policy->acceptance_robot_count; i++)
        if (sov_is(policy->acceptance_robots[i], id)) return true;
    return false;
}

/* No person, and no robot that the policy of its own moment names. */
static bool mark_signers(const struct sov_ledger *ledger, const struct sov_story *story,
                         struct sov_arena *arena, struct sov_standing *standing,
                         struct sov_error *err)
{
    for (size_t i = 0; i < story->signature_count; i++) {
        const struct sov_signature_seen *seen = &story->signatures[i];
        const struct sov_policy *policy;

        if (sov_is(seen->kind, "person")) continue;
        if (!sov_policy_at(ledger, seen->row.seq, arena, &policy, err)) return false;
        if (is_named(policy, seen->row.signer)) continue;
        mark(standing, "signed by no person", seen->row.signer);
        return true;
    }
    return true;
}

static bool story_marks(const struct sov_ledger *ledger, const struct sov_story *story,
                        const struct sov_gates_seen *gates, struct sov_arena *arena,
                        struct sov_standing *standing, struct sov_error *err)
{
    const struct sov_batch *newest = story->rechecked ? story->rechecked : story->current;
    const char *self = NULL;
    bool stale = false;

    if (story->held) mark(standing, "held by a ruling", NULL);
    for (size_t i = 0; i < story->work_count && !self; i++) self = self_review(&story->works[i]);
    if (self) mark(standing, "self-review by", self);
    if (!mark_signers(ledger, story, arena, standing, err)) return false;
    if (newest && !newest->row.passed) mark(standing, "failed check", failing(newest, arena));
    for (size_t i = 0; i < SOV_ACCEPTANCE_GATES; i++) {
        const struct sov_gate_seen *gate = &gates->at[i];

        if (gate->state != SOV_GATE_OPEN || !story->current) continue;
        stale |=
            sov_is(gate->code, "verification_too_old") || sov_is(gate->code, "evidence_foreign");
    }
    if (stale && sov_policy_outcome_is_open(story->row.state))
        mark(standing, "stale evidence", NULL);
    return true;
}

bool sov_story_standing(const struct sov_ledger *ledger, const struct sov_story *story,
                        const struct sov_gates_seen *gates, struct sov_arena *arena,
                        struct sov_standing *standing_out, struct sov_error *err)
{
    struct sov_standing standing = { .state = sov_policy_outcome_name(story->row.state) };
    long long n = (long long)story->row.n;

    if (!story_marks(ledger, story, gates, arena, &standing, err)) return false;
    switch (story->row.state) {
    case SOV_OUTCOME_PROPOSED:
        standing.open = "its activation";
        standing.next = sov_arena_printf(arena, "sov outcome activate OUT-%lld", n);
        standing.link = "activation open";
        break;
    case SOV_OUTCOME_ACTIVE:
    case SOV_OUTCOME_VERIFYING:
        open_gate(story, gates, arena, &standing);
        break;
    case SOV_OUTCOME_ACCEPTED:
        standing.next = sov_arena_printf(arena, "sov check OUT-%lld --recheck", n);
        break;
    case SOV_OUTCOME_VIOLATED:
        standing.open = "its reopening";
        standing.next = sov_arena_printf(arena, "sov outcome reopen OUT-%lld --reason TEXT", n);
        standing.link = "violated";
        break;
    case SOV_OUTCOME_BLOCKED:
        standing.open = "a decision to go on";
        standing.next = sov_arena_printf(arena, "sov outcome unblock OUT-%lld --reason TEXT", n);
        standing.link = "blocked";
        break;
    case SOV_OUTCOME_NONE:
    case SOV_OUTCOME_FAILED:
    case SOV_OUTCOME_CANCELLED:
    case SOV_OUTCOME_STATE_COUNT:
        break;
    }
    *standing_out = standing;
    return true;
}

/* ---- printed ---- */

void sov_standing_line(struct sov_sheet *sheet, const struct sov_standing *standing)
{
    sov_page_paragraph(&sheet->page);
    sov_page_strong(&sheet->page, standing->state);
    for (size_t i = 0; i < standing->mark_count; i++) {
        sov_part_printf(sheet, " · ✘ %s", standing->marks[i].words);
        if (!standing->marks[i].detail) continue;
        sov_page_own(&sheet->page, ": ");
        sov_part_plain(sheet, standing->marks[i].detail);
    }
    if (standing->open) {
        sov_page_own(&sheet->page, " · open: ");
        sov_part_plain(sheet, standing->open);
        if (standing->code) {
            sov_page_own(&sheet->page, " ");
            sov_part_code(sheet, standing->code);
        }
    } else
        sov_page_own(&sheet->page, " · nothing is open");
    if (!standing->next) return;
    sov_page_own(&sheet->page, " · next: ");
    sov_part_code(sheet, standing->next);
}

void sov_standing_fact(struct sov_writer *w, const struct sov_standing *standing)
{
    sov_put_object(w, "verdict");
    sov_fact_text(w, "code", standing->code);
    sov_put_list(w, "marks");
    for (size_t i = 0; i < standing->mark_count; i++) {
        sov_write_object(w);
        sov_fact_text(w, "detail", standing->marks[i].detail);
        sov_put_text(w, "mark", standing->marks[i].words);
        sov_write_end(w);
    }
    sov_write_end(w);
    sov_fact_text(w, "next", standing->next);
    sov_fact_text(w, "open", standing->open);
    sov_put_text(w, "state", standing->state);
    sov_write_end(w);
}
