/* Proposals of a report, judged and committed: all of them or none. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ledger/account.h"
#include "ledger/approval.h"
#include "ledger/assignment.h"
#include "ledger/effect.h"
#include "ledger/effect_row.h"
#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/row.h"
#include "ledger/signal.h"
#include "ledger/sow.h"
#include "ledger/subject.h"

/* Every account that any of the proposals touches, so that balances carry from one to the next. */
static bool load_accounts(struct sov_commit *commit, const struct sov_proposals *proposals,
                          struct sov_balance **balances_out, size_t *count_out,
                          struct sov_error *err)
{
    struct sov_arena *arena = &commit->arena;
    const char **all = NULL;
    struct sov_books books;
    size_t count = 0;
    bool declared;

    for (size_t i = 0; i < proposals->count; i++) {
        const struct sov_effect_kind *kind =
            sov_policy_effect_kind(commit->policy, proposals->at[i].kind, SOV_FROM_ASSIGNMENT);
        const char *const *names;
        const char **more;
        size_t names_count;

        if (!kind) continue;
        sov_policy_effect_accounts(kind, proposals->at[i].subject, arena, &names, &names_count);
        more = sov_arena_array(arena, count + names_count + 1, sizeof *more);
        if (count) memcpy(more, all, count * sizeof *more);
        all = more;
        for (size_t n = 0; n < names_count; n++) {
            size_t at = 0;

            while (at < count && strcmp(all[at], names[n]) != 0) at++;
            if (at == count) all[count++] = names[n];
        }
    }
    if (!sov_books_read(commit->ledger, all, count, "", arena, &books, &declared, err))
        return false;
    *balances_out = sov_arena_array(arena, books.balance_count + 1, sizeof **balances_out);
    if (books.balance_count)
        memcpy(*balances_out, books.balances, books.balance_count * sizeof **balances_out);
    *count_out = books.balance_count;
    return true;
}

static bool stands_twice(const struct sov_proposals *proposals, size_t at)
{
    for (size_t i = 0; i < proposals->count; i++)
        if (i != at && strcmp(proposals->at[i].kind, proposals->at[at].kind) == 0 &&
            strcmp(proposals->at[i].subject, proposals->at[at].subject) == 0)
            return true;
    return false;
}

struct scope {
    struct sov_sow sow;
    struct sov_outcome outcome;
    int64_t assignment;
};

/* Fails only when reading does; a refusal is an answer. */
static bool judge_one(struct sov_commit *commit, const struct scope *scope,
                      const struct sov_proposals *proposals, size_t at, struct sov_books books,
                      struct sov_effect_result *result_out, int64_t *before_out, bool *refused_out,
                      struct sov_error *refusal, struct sov_error *err)
{
    const struct sov_proposal *proposal = &proposals->at[at];
    struct sov_effect_input input = {
        .origin = SOV_FROM_ASSIGNMENT,
        .kind = proposal->kind,
        .subject = proposal->subject,
        .unit = proposal->unit,
        .quantity = proposal->has_quantity ? proposal->quantity : 0,
        .books = books,
        .sow_effect = scope->sow.effect,
        .outcome_subject = scope->outcome.subject,
        .twice = stands_twice(proposals, at),
    };
    struct sov_books facts;

    if (!sov_books_read(commit->ledger, NULL, 0, proposal->subject, &commit->arena, &facts,
                        &input.subject_declared, err))
        return false;
    input.books.facts = facts.facts;
    input.books.fact_count = facts.fact_count;
    if (!sov_effect_used(commit->ledger->state, scope->assignment, sov_bytes_text(proposal->kind),
                         sov_bytes_text(proposal->subject), before_out, &input.used_quantity, err))
        return false;
    input.used = *before_out != 0;
    *refused_out = !sov_policy_effect(commit->policy, &input, &commit->arena, result_out, refusal);
    if (!*refused_out && !proposal->has_quantity) {
        *refused_out = true;
        sov_error_set(refusal, SOV_USAGE, "quantity_out_of_range", "%s on %s names no quantity",
                      proposal->kind, proposal->subject);
    }
    return true;
}

/* E9: the approval that allows this very effect: *n_out, 0 if none is asked for. Fails only when
 * reading does. */
static bool approval_of(struct sov_commit *commit, int64_t assignment,
                        const struct sov_proposal *proposal, const struct sov_effect_kind *kind,
                        int64_t *n_out, bool *refused_out, struct sov_error *refusal,
                        struct sov_error *err)
{
    struct sov_arena *arena = &commit->arena;
    struct sov_approval_facts *facts;
    struct sov_approvals list;
    struct sov_bytes args;
    struct sov_hash digest;
    size_t chosen;

    *n_out = 0;
    if (!kind->approval) return true;
    if (!sov_approval_list(commit->ledger, SOV_APPROVAL_EFFECT,
                           sov_arena_printf(arena, "assignment/ASG-%lld", (long long)assignment),
                           arena, &list, err) ||
        !sov_approval_effect_args(assignment, proposal->kind, proposal->quantity, proposal->subject,
                                  arena, &args, err))
        return false;
    digest = sov_sha256(args);
    facts = sov_arena_array(arena, list.count + 1, sizeof *facts);
    for (size_t i = 0; i < list.count; i++) facts[i] = list.at[i].facts;
    *refused_out = !sov_policy_approval_choose(facts, list.count, &digest, commit->at.ms,
                                               &commit->policy->digest, &chosen, refusal);
    if (!*refused_out) *n_out = list.at[chosen].n;
    return true;
}

bool sov_effect_judge(struct sov_commit *commit, int64_t assignment,
                      const struct sov_proposals *proposals, struct sov_effects_due *due_out,
                      struct sov_error *err)
{
    struct sov_arena *arena = &commit->arena;
    struct sov_effect_result *results =
        sov_arena_array(arena, proposals->count + 1, sizeof *results);
    int64_t *before = sov_arena_array(arena, proposals->count + 1, sizeof *before);
    int64_t *approvals = sov_arena_array(arena, proposals->count + 1, sizeof *approvals);
    struct sov_effects_due due = { .results = results, .before = before, .approvals = approvals };
    struct sov_assignment row;
    struct sov_balance *balances;
    struct scope scope = { .assignment = assignment };
    size_t balance_count;

    if (!sov_assignment_get(commit->ledger, assignment, arena, &row, err) ||
        !sov_sow_get(commit->ledger, row.sow, arena, &scope.sow, err) ||
        !sov_outcome_get(commit->ledger, row.outcome, arena, &scope.outcome, err) ||
        !load_accounts(commit, proposals, &balances, &balance_count, err))
        return false;
    for (size_t i = 0; i < proposals->count && !due.refused; i++) {
        struct sov_books books = { balances, balance_count, NULL, 0 };
        struct sov_error refusal = { 0 };

        if (!judge_one(commit, &scope, proposals, i, books, &results[i], &before[i], &due.refused,
                       &refusal, err))
            return false;
        if (!due.refused && !results[i].again &&
            !approval_of(commit, assignment, &proposals->at[i], results[i].kind, &approvals[i],
                         &due.refused, &refusal, err))
            return false;
        if (due.refused) {
            due.refused_at = i;
            due.code = refusal.code;
            due.message = sov_arena_text(arena, sov_bytes_text(refusal.what));
            break;
        }
        sov_policy_carry(&results[i], balances, balance_count);
        due.count++;
    }
    *due_out = due;
    return true;
}

/* ---- commit ---- */

static bool payload(struct sov_commit *commit, int64_t assignment,
                    const struct sov_proposal *proposal, const struct sov_effect_result *result,
                    int64_t approval, struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_stream stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, assignment);
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    if (approval) sov_put_number(&w, "approval", SOV_STREAM_APPROVAL, approval);
    sov_put_text(&w, "assignment", sov_stream_id(&stream, &commit->arena));
    sov_facts_put(&w, "facts", result->facts, result->fact_count);
    sov_put_text(&w, "kind", proposal->kind);
    sov_put_hex(&w, "policy", sov_hash_bytes(&commit->policy->digest));
    sov_postings_put(&w, "postings", result->postings, result->posting_count);
    sov_put_int(&w, "quantity", proposal->quantity);
    sov_put_text(&w, "subject", proposal->subject);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

static bool follow_one(struct sov_commit *commit, int64_t assignment, int64_t fence,
                       const struct sov_proposal *proposal, const struct sov_effect_result *result,
                       int64_t approval, int64_t *n_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_EFFECT_COMMITTED, .fence = fence };
    const char *id;
    int64_t seq;

    if (!payload(commit, assignment, proposal, result, approval, &addition.data, err) ||
        !sov_commit_next(commit, SOV_STREAM_EFFECT, &addition.stream, err) ||
        !sov_commit_follow(commit, &addition, &seq, err))
        return false;
    id = sov_stream_id(&addition.stream, &commit->arena);
    for (size_t i = 0; i < result->posting_count; i++)
        if (!sov_account_post(commit, result->postings[i].account, result->postings[i].delta, seq,
                              err))
            return false;
    for (size_t i = 0; i < result->emit_count; i++)
        if (!sov_signal_emit(commit, result->emits[i].kind, proposal->kind, proposal->subject,
                             result->emits[i].severity, id, seq, err))
            return false;
    *n_out = addition.stream.n;
    return !approval || sov_approval_follow_consumed(commit, approval, &addition.stream, seq, err);
}

bool sov_effect_follow(struct sov_commit *commit, int64_t assignment, int64_t fence,
                       const struct sov_proposals *proposals, const struct sov_effects_due *due,
                       int64_t *effects_out, struct sov_error *err)
{
    assert(!due->refused && due->count == proposals->count);
    for (size_t i = 0; i < proposals->count; i++) {
        if (due->results[i].again) {
            effects_out[i] = due->before[i];
            continue;
        }
        if (!follow_one(commit, assignment, fence, &proposals->at[i], &due->results[i],
                        due->approvals[i], &effects_out[i], err))
            return false;
    }
    return true;
}
