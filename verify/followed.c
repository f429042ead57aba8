/* What stands behind the work and the judgement of people, made again on the state just before it:
 * reviews by their gates, what host appends behind a signed decision, effects by the policy. The
 * holder of the ledger key can sign a log, but not bring such a thing about by it. */
#include <assert.h>
#include <string.h>

#include "policy/policy.h"
#include "verify/judge.h"

/* ---- reviews ---- */

static bool review_again(struct sov_judge *judge, const struct sov_ledger *before,
                         const struct sov_event *event, struct sov_error *err)
{
    struct sov_arena *arena = &judge->scratch;
    struct sov_review_request request = {
        .sow = sov_data_number(event, "sow", SOV_STREAM_SOW),
        .verification = sov_data_number(event, "verification", SOV_STREAM_VERIFICATION),
        .rationale = sov_arena_text(arena, sov_data_text(event, "rationale", arena)),
    };
    const char *decision = sov_arena_text(arena, sov_data_text(event, "decision", arena));
    bool known = sov_policy_decision(decision, &request.decision);
    struct sov_review_prepared prepared;

    assert(known); /* the registry has refused any other */
    (void)known;
    if (!sov_review_prepare(before, sov_arena_text(arena, event->actor), &request, arena, &prepared,
                            err))
        return sov_decided_unread(judge, event, err);
    if (prepared.verdict.count)
        return sov_decided_wrong(
            judge, event, "decision",
            sov_arena_printf(arena, "a gate is shut, %s", prepared.verdict.shut[0].code));
    if (prepared.receipt != sov_data_number(event, "receipt", SOV_STREAM_RECEIPT) ||
        !sov_decided_digest_is(event, "aggregate_digest", &prepared.aggregate_digest))
        return sov_decided_wrong(judge, event, "decision", "not of the current verification");
    if (!sov_decided_digest_is(event, "reads_digest", &prepared.reads_digest))
        return sov_decided_wrong(judge, event, "reads", "other streams or versions were read");
    return true;
}

static bool is_named(struct sov_value list, int64_t review, struct sov_arena *arena)
{
    const char *id = sov_arena_printf(arena, "REV-%lld", (long long)review);
    struct sov_value item;

    for (size_t at = 0; sov_value_item(list, &at, &item);)
        if (sov_bytes_is(sov_value_plain(item), id)) return true;
    return false;
}

/* sow.accepted: the reviews of the current verification, as many as policy asks, of one mind. */
static bool reviews_suffice(struct sov_judge *judge, struct sov_ledger *before,
                            const struct sov_event *event, struct sov_error *err)
{
    struct sov_arena *arena = &judge->scratch;
    struct sov_value named = sov_data(event, "reviews");
    struct sov_verification current;
    const struct sov_policy *policy;
    struct sov_case_review *cases;
    struct sov_reviews reviews;
    size_t count = 0;
    bool found;

    if (!sov_policy_load(before, &policy, err) ||
        !sov_verification_current(before, event->stream.n, arena, &current, &found, err) ||
        !sov_review_list(before, event->stream.n, arena, &reviews, err))
        return sov_decided_unread(judge, event, err);
    cases = sov_arena_array(arena, reviews.count + 1, sizeof *cases);
    for (size_t i = 0; found && i < reviews.count; i++) {
        const struct sov_review *review = &reviews.at[i];

        if (review->verification != current.n) continue;
        if (!sov_actor_person(before, review->reviewer, arena, &cases[count].reviewer, err))
            return sov_decided_unread(judge, event, err);
        cases[count].valid = sov_policy_decision(review->decision, &cases[count].decision) &&
                             is_named(named, review->n, arena);
        if (!cases[count++].valid)
            return sov_decided_wrong(judge, event, "reviews",
                                     "it names other reviews than there are");
    }
    if (count != sov_value_count(named) || !sov_policy_reviews_suffice(policy, cases, count))
        return sov_decided_wrong(judge, event, "reviews", "the reviews do not suffice");
    return true;
}

/* ---- outcome.accepted: enough signatures hold this very case ---- */

static bool signers_suffice(struct sov_judge *judge, struct sov_ledger *before,
                            const struct sov_event *event, struct sov_error *err)
{
    struct sov_arena *arena = &judge->scratch;
    int64_t last = sov_data_number(event, "acceptance", SOV_STREAM_ACCEPTANCE);
    struct sov_acceptances list;
    struct sov_person_facts *people;
    const struct sov_policy *policy;
    struct sov_outcome outcome;
    bool found, is_there = false;
    size_t count = 0;

    if (!sov_policy_load(before, &policy, err) ||
        !sov_outcome_find(before, event->stream.n, arena, &outcome, &found, err))
        return sov_decided_unread(judge, event, err);
    if (!found) return sov_decided_wrong(judge, event, "acceptance", "there is no such outcome");
    if (!sov_acceptance_list(before, outcome.n, outcome.term, arena, &list, err))
        return sov_decided_unread(judge, event, err);
    people = sov_arena_array(arena, list.count + 1, sizeof *people);
    for (size_t i = 0; i < list.count; i++) {
        if (!sov_decided_digest_is(event, "case_digest", &list.at[i].case_digest)) continue;
        if (!sov_actor_person(before, list.at[i].signer, arena, &people[count++], err))
            return sov_decided_unread(judge, event, err);
        is_there = is_there || list.at[i].n == last;
    }
    if (!is_there) return sov_decided_wrong(judge, event, "acceptance", "nobody signed this case");
    if (!sov_policy_signers_suffice(policy, &(struct sov_people){ people, count }))
        return sov_decided_wrong(judge, event, "acceptance", "the signatures do not suffice");
    return true;
}

/* ---- a receipt's effects: as policy, facts and quantity give them, and so posted ---- */

static bool effects_hold(struct sov_judge *judge, const struct sov_ledger *before,
                         const struct sov_event *event, struct sov_error *err)
{
    struct sov_arena *arena = &judge->scratch;
    struct sov_effects effects;
    bool holds;

    if (!sov_effect_list(before, sov_data_number(event, "assignment", SOV_STREAM_ASSIGNMENT), arena,
                         &effects, err))
        return sov_decided_unread(judge, event, err);
    for (size_t i = 0; i < effects.count; i++) {
        if (!sov_effect_corroborated(before, &effects.at[i], arena, &holds, err))
            return sov_decided_unread(judge, event, err);
        if (!holds)
            return sov_decided_wrong(judge, event, "effect",
                                     "its postings are not what its policy gives");
    }
    return true;
}

bool sov_judge_followed(struct sov_judge *judge, struct sov_ledger *before,
                        const struct sov_event *event, struct sov_error *err)
{
    if (event->type == SOV_EVENT_REVIEW_DECIDED) return review_again(judge, before, event, err);
    if (event->type == SOV_EVENT_SOW_ACCEPTED) return reviews_suffice(judge, before, event, err);
    if (event->type == SOV_EVENT_OUTCOME_ACCEPTED)
        return signers_suffice(judge, before, event, err);
    if (event->type == SOV_EVENT_RECEIPT_RECORDED) return effects_hold(judge, before, event, err);
    return true;
}
