#include "policy/separation.h"

#include <assert.h>
#include <string.h>

static bool keys_meet(const struct sov_person_facts *a, const struct sov_person_facts *b)
{
    for (size_t i = 0; i < a->key_count; i++)
        for (size_t k = 0; k < b->key_count; k++)
            if (sov_bytes_equal(a->keys[i], b->keys[k])) return true;
    return false;
}

enum sov_same sov_policy_same(const struct sov_person_facts *a, const struct sov_person_facts *b)
{
    assert(a->id && a->answerable && b->id && b->answerable);
    if (strcmp(a->id, b->id) == 0) return SOV_SAME_ID;
    if (keys_meet(a, b)) return SOV_SAME_KEY;
    if (strcmp(a->answerable, b->answerable) == 0) return SOV_SAME_ANSWERABLE;
    return SOV_DISTINCT;
}

const char *sov_policy_same_word(enum sov_same same)
{
    static const char *const words[] = { "nothing", "id", "key", "answerable" };

    return words[same];
}

/* A member of the set that is the same as the actor, or NULL. */
static const struct sov_person_facts *member_same(const struct sov_people *set,
                                                  const struct sov_person_facts *actor,
                                                  enum sov_same *same_out)
{
    for (size_t i = 0; i < set->count; i++) {
        enum sov_same same = sov_policy_same(actor, &set->at[i]);

        if (same == SOV_DISTINCT) continue;
        *same_out = same;
        return &set->at[i];
    }
    return NULL;
}

static const char *const member_words[SOV_SET_COUNT] = { "performer", "verifier", "reviewer",
                                                         "accepter" };

static const char *const set_words[SOV_SET_COUNT] = { "performer ", "verifier ", "reviewer ",
                                                      "accepter " };
/* By the set that is joined. */
static const char *const self_codes[SOV_SET_COUNT] = { "self_assign", "self_verify", "self_review",
                                                       "self_accept" };

static void refuse(struct sov_error *err, const char *code, const char *as,
                   const struct sov_person_facts *actor, const char *set,
                   const struct sov_person_facts *member, enum sov_same same)
{
    sov_error_set(err, SOV_DENIED, code, "%s%s is the same as %s %s by %s", as, actor->id, set,
                  member->id, sov_policy_same_word(same));
    sov_error_ref(err, actor->id);
    sov_error_ref(err, member->id);
}

bool sov_policy_separate(enum sov_set joins, const struct sov_person_facts *actor,
                         const struct sov_sets *sets, struct sov_error *err)
{
    assert(joins < SOV_SET_COUNT);
    for (enum sov_set of = 0; of < SOV_SET_COUNT; of++) {
        enum sov_same same;
        const struct sov_person_facts *member;

        if (of == joins || !(member = member_same(&sets->of[of], actor, &same))) continue;
        refuse(err, self_codes[joins], "", actor, member_words[of], member, same);
        return false;
    }
    return true;
}

bool sov_policy_distinct(const struct sov_sets *sets, struct sov_error *err)
{
    for (enum sov_set a = SOV_PERFORMERS; a < SOV_REVIEWERS; a++)
        for (enum sov_set b = a + 1; b <= SOV_REVIEWERS; b++)
            for (size_t i = 0; i < sets->of[a].count; i++) {
                const struct sov_person_facts *actor = &sets->of[a].at[i], *member;
                enum sov_same same;

                if (!(member = member_same(&sets->of[b], actor, &same))) continue;
                refuse(err, "roles_not_distinct", set_words[a], actor, member_words[b], member,
                       same);
                return false;
            }
    return true;
}

bool sov_policy_waiver(const struct sov_person_facts *ruler, const struct sov_people *performers,
                       struct sov_error *err)
{
    enum sov_same same;
    const struct sov_person_facts *member = member_same(performers, ruler, &same);

    if (!member) return true;
    refuse(err, "self_waive", "", ruler, member_words[SOV_PERFORMERS], member, same);
    return false;
}

static const char *represented_by(const struct sov_represents *rows, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].id, id) == 0) return rows[i].represents;
    return NULL;
}

bool sov_policy_answerable(const struct sov_represents *rows, size_t count, const char *id,
                           const char **answerable_out, struct sov_error *err)
{
    const char *at = id, *next;
    size_t steps = 0;

    while ((next = represented_by(rows, count, at))) {
        if (++steps > count) { /* more steps than rows: one was passed twice */
            sov_error_set(err, SOV_USAGE, "represents_invalid",
                          "represents of %s comes back to itself", id);
            sov_error_ref(err, id);
            return false;
        }
        at = next;
    }
    *answerable_out = at;
    return true;
}

/* Is people->at[n] the same as one counted among those of its pass or an earlier one? */
static bool counted_before(const struct sov_people *people, const uint64_t *taken, size_t n)
{
    for (size_t i = 0; i < people->count; i++)
        if (taken[i / 64] >> i % 64 & 1 &&
            sov_policy_same(&people->at[i], &people->at[n]) != SOV_DISTINCT)
            return true;
    return false;
}

struct sov_quorum sov_policy_count(const struct sov_people *people)
{
    struct sov_quorum quorum = { 0, 0 };
    uint64_t taken[16] = { 0 }; /* far more than any quorum that a policy may ask (16) */

    assert(people->count <= 1024);
    for (int persons = 1; persons >= 0; persons--)
        for (size_t i = 0; i < people->count; i++) {
            if ((people->at[i].kind == SOV_PERSON) != persons || counted_before(people, taken, i))
                continue;
            taken[i / 64] |= UINT64_C(1) << i % 64;
            quorum.counted++;
            quorum.persons += persons;
        }
    return quorum;
}
