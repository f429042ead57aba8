#include "policy/gates.h"

#include "policy/judge.h"
#include "policy/policy.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *const decision_words[] = { "accepted", "changes_requested", "rejected" };

const char *sov_policy_decision_word(enum sov_decision decision)
{
    return decision_words[decision];
}

bool sov_policy_decision(const char *word, enum sov_decision *decision_out)
{
    for (enum sov_decision d = SOV_REVIEW_ACCEPTED; d <= SOV_REVIEW_REJECTED; d++) {
        if (strcmp(decision_words[d], word) != 0) continue;
        *decision_out = d;
        return true;
    }
    return false;
}

void sov_judge_init(struct sov_judge *judge, const struct sov_policy *policy,
                    struct sov_arena *arena, size_t room)
{
    *judge = (struct sov_judge){ .policy = policy, .arena = arena, .room = room };
    judge->shut = sov_arena_array(arena, room, sizeof *judge->shut);
}

void sov_judge_add(struct sov_judge *judge, int gate, const char *code, const char *sow)
{
    assert(judge->count < judge->room);
    judge->shut[judge->count++] =
        (struct sov_shut){ gate, code, sow, judge->detail ? judge->detail : "" };
}

const char *sov_judge_shut(struct sov_judge *judge, const char *code, const char *detail)
{
    judge->detail = detail;
    return code;
}

const char *sov_judge_list(struct sov_judge *judge, const struct sov_names *names)
{
    enum { SHOWN = 8 };
    const char *text = "";

    for (size_t i = 0; i < names->count && i < SHOWN; i++)
        text = sov_arena_printf(judge->arena, "%s%s%s", text, i ? ", " : "", names->at[i]);
    if (names->count > SHOWN)
        text = sov_arena_printf(judge->arena, "%s and %zu more", text, names->count - SHOWN);
    return text;
}

const char *sov_judge_error(struct sov_judge *judge, const struct sov_error *err)
{
    return sov_judge_shut(judge, err->code, sov_arena_printf(judge->arena, "%s", err->what));
}

static size_t gates_shut(const struct sov_verdict *verdict)
{
    size_t count = 0;
    uint64_t seen = 0;

    for (size_t i = 0; i < verdict->count; i++) {
        uint64_t bit = UINT64_C(1) << verdict->shut[i].gate;

        count += !(seen & bit);
        seen |= bit;
    }
    return count;
}

bool sov_policy_verdict(const struct sov_verdict *verdict, const char *thing, size_t gates,
                        struct sov_error *err)
{
    const struct sov_refusal *row;
    char why[sizeof err->why] = "";
    size_t size = 0, i;

    if (verdict->count == 0) return true;
    row = sov_refusal_find(verdict->shut[0].code);
    assert(row); /* each code of a gate has its row */
    sov_error_set(err, row->exit, row->code, "%s is refused at %zu of %zu gates", thing,
                  gates_shut(verdict), gates);
    sov_error_ref(err, thing);
    for (i = 0; i < verdict->count; i++) {
        const struct sov_shut *shut = &verdict->shut[i];
        char part[400];
        int n =
            snprintf(part, sizeof part, "%s%s%s%s [%s]", i ? "; " : "", shut->sow ? shut->sow : "",
                     shut->sow ? ": " : "", shut->detail, shut->code);

        if ((size_t)n >= sizeof part || size + (size_t)n + 32 > sizeof why) break;
        memcpy(why + size, part, (size_t)n + 1);
        size += (size_t)n;
    }
    if (i < verdict->count)
        sov_error_why(err, "%s; and %zu more", why, verdict->count - i);
    else
        sov_error_why(err, "%s", why);
    for (i = 0; i < verdict->count; i++)
        if (verdict->shut[i].sow) {
            sov_error_ref(err, verdict->shut[i].sow);
            break;
        }
    return false;
}

bool sov_policy_reviews_suffice(const struct sov_policy *policy,
                                const struct sov_case_review *reviews, size_t count)
{
    struct sov_person_facts accepting[256];
    struct sov_people people = { accepting, 0 };
    struct sov_quorum quorum;

    for (size_t i = 0; i < count; i++) {
        if (reviews[i].decision != SOV_REVIEW_ACCEPTED) return false;
        /* More than that on one verification add nothing: a policy asks for 16 at most. */
        if (people.count < sizeof accepting / sizeof *accepting)
            accepting[people.count++] = reviews[i].reviewer;
    }
    quorum = sov_policy_count(&people);
    return (int64_t)quorum.counted >= policy->review_count &&
           (int64_t)quorum.persons >= policy->review_persons;
}

bool sov_policy_signers_suffice(const struct sov_policy *policy, const struct sov_people *signers)
{
    struct sov_quorum quorum = sov_policy_count(signers);

    return (int64_t)quorum.counted >= policy->acceptance_signers &&
           (int64_t)quorum.persons >= policy->acceptance_persons;
}
