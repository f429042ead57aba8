/* Who may vote, when enough have, and what an approval allows: model.md 9, each in its order. */
#include "tests/policy_unit.h"

#define PERSON(id)                                                                                 \
    {                                                                                              \
        id, id, NULL, 0, SOV_PERSON                                                                \
    }

static const struct sov_person_facts ann = PERSON("ann"), bob = PERSON("bob"),
                                     asker = PERSON("asker");
static const struct sov_bytes shared_key[] = { { (const uint8_t *)"k1", 2 } };
static const struct sov_person_facts bot = { "bot", "bot", NULL, 0, SOV_ROBOT },
                                     named = { "named", "named", NULL, 0, SOV_ROBOT },
                                     ann_by_key = { "ann2", "ann2", shared_key, 1, SOV_PERSON },
                                     ann_keyed = { "ann", "ann", shared_key, 1, SOV_PERSON },
                                     ann_represented = { "helper", "ann", NULL, 0, SOV_PERSON },
                                     asker_represented = { "clerk", "asker", NULL, 0, SOV_PERSON };

static const struct sov_policy *with_voter(void **state)
{
    char text[sizeof DOCUMENT("", "") + 100];

    snprintf(text, sizeof text,
             "{\"approval\":{\"persons\":1,\"quorum\":2,\"robots\":[\"named\"]},%s",
             DOCUMENT("", "") + 1);
    return policy_of(text, *state);
}

static void a_vote_is_refused_in_the_order_of_the_model(void **state)
{
    const struct sov_policy *policy = with_voter(state);
    const struct {
        const struct sov_person_facts *voter, *requester, *before;
        int64_t at;
        const char *code; /* NULL: it counts */
    } rows[] = {
        { &ann, &asker, NULL, 99, NULL },
        { &ann, &asker, &bob, 99, NULL },
        { &named, &asker, NULL, 0, NULL },
        { &bot, &bot, &bot, 100, "person_required" },
        { &bot, &asker, NULL, 0, "person_required" },
        { &asker, &asker, &asker, 100, "self_approve" },
        { &asker_represented, &asker, NULL, 0, "self_approve" },
        { &ann_by_key, &ann_keyed, NULL, 0, "self_approve" },
        { &ann, &asker, &ann, 100, "already_voted" },
        { &ann_by_key, &asker, &ann_keyed, 0, "already_voted" },
        { &ann_represented, &asker, &ann, 0, "already_voted" },
        { &ann, &asker, NULL, 100, "approval_expired" },
        { &ann, &asker, NULL, 101, "approval_expired" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_people before = { rows[i].before, rows[i].before != NULL };
        struct sov_error err = { 0 };
        bool ok = sov_policy_approval_vote(policy, rows[i].voter, rows[i].requester, &before, 100,
                                           rows[i].at, &err);

        if (rows[i].code)
            assert_refused(ok, &err, rows[i].code);
        else if (!ok)
            fail_msg("row %zu: %s", i, err.what);
    }
}

static void a_quorum_counts_different_people_and_persons_among_them(void **state)
{
    const struct sov_person_facts one[] = { ann }, same[] = { ann_keyed, ann_by_key },
                                  two[] = { ann, bob }, mixed[] = { named, ann },
                                  robots[] = { named, bot };
    const struct {
        struct sov_people people;
        int64_t quorum, persons;
        bool completes;
    } rows[] = {
        { { one, 0 }, 1, 0, false },    { { one, 1 }, 1, 1, true },
        { { one, 1 }, 2, 1, false },    { { same, 2 }, 2, 1, false },
        { { two, 2 }, 2, 2, true },     { { mixed, 2 }, 2, 1, true },
        { { mixed, 2 }, 2, 2, false },  { { robots, 2 }, 2, 0, true },
        { { robots, 2 }, 2, 1, false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sov_policy_approval_completes(rows[i].quorum, rows[i].persons, &rows[i].people) !=
            rows[i].completes)
            fail_msg("row %zu", i);
}

static struct sov_hash hash_of(const char *text)
{
    return sov_sha256(sov_bytes_text(text));
}

static void an_act_is_refused_in_the_order_of_the_model(void **state)
{
    static const struct {
        enum sov_approval_state state;
        const char *args, *policy;
        int64_t at;
        const char *code; /* NULL: it allows the act */
    } rows[] = {
        { SOV_APPROVAL_GRANTED, "a", "p", 99, NULL },
        { SOV_APPROVAL_CONSUMED, "b", "q", 100, "approval_mismatch" },
        { SOV_APPROVAL_GRANTED, "b", "p", 0, "approval_mismatch" },
        { SOV_APPROVAL_CONSUMED, "a", "q", 100, "approval_expired" },
        { SOV_APPROVAL_GRANTED, "a", "p", 100, "approval_expired" },
        { SOV_APPROVAL_EXPIRED, "a", "p", 200, "approval_expired" },
        { SOV_APPROVAL_CONSUMED, "a", "q", 0, "approval_policy_changed" },
        { SOV_APPROVAL_GRANTED, "a", "q", 0, "approval_policy_changed" },
        { SOV_APPROVAL_CONSUMED, "a", "p", 0, "approval_used" },
        { SOV_APPROVAL_PENDING, "a", "p", 0, "approval_missing" },
        { SOV_APPROVAL_DENIED, "a", "p", 0, "approval_missing" },
        { SOV_APPROVAL_REVOKED, "a", "p", 0, "approval_missing" },
    };
    struct sov_hash args = hash_of("a"), policy = hash_of("p");

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_approval_facts facts = { rows[i].state, hash_of(rows[i].args),
                                            hash_of(rows[i].policy), 100 };
        struct sov_error err = { 0 };
        bool ok = sov_policy_approval_allows(&facts, &args, rows[i].at, &policy, &err);

        if (rows[i].code)
            assert_refused(ok, &err, rows[i].code);
        else if (!ok)
            fail_msg("row %zu: %s", i, err.what);
    }
}

static void the_first_that_allows_is_chosen_and_the_nearest_answers(void **state)
{
    struct sov_hash a = hash_of("a"), b = hash_of("b"), p = hash_of("p");
    const struct sov_approval_facts used = { SOV_APPROVAL_CONSUMED, a, p, 100 },
                                    good = { SOV_APPROVAL_GRANTED, a, p, 100 },
                                    other = { SOV_APPROVAL_GRANTED, b, p, 100 },
                                    denied = { SOV_APPROVAL_DENIED, a, p, 100 };
    const struct {
        struct sov_approval_facts at[3];
        size_t count, chosen;
        const char *code;
    } rows[] = {
        { { used, good, good }, 3, 1, NULL },
        { { good }, 1, 0, NULL },
        { { other, good }, 2, 1, NULL },
        { { good }, 0, 0, "approval_missing" },
        { { other }, 1, 0, "approval_mismatch" },
        { { used, other }, 2, 0, "approval_used" },
        { { other, used }, 2, 0, "approval_used" },
        { { used, denied, other }, 3, 0, "approval_missing" },
        { { denied, used, other }, 3, 0, "approval_used" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_error err = { 0 };
        size_t chosen = 77;
        bool ok = sov_policy_approval_choose(rows[i].at, rows[i].count, &a, 50, &p, &chosen, &err);

        if (rows[i].code) {
            assert_refused(ok, &err, rows[i].code);
            assert_int_equal(chosen, 77);
        } else if (!ok || chosen != rows[i].chosen) {
            fail_msg("row %zu: %zu %s", i, chosen, err.what);
        }
    }
}

static void a_life_has_an_end_within_the_policy(void **state)
{
    const struct sov_policy *policy = with_voter(state);
    struct sov_error err = { 0 };

    assert_int_equal(policy->ttl_max, 14400);
    assert_true(sov_policy_approval_life(policy, 1000, &err));
    assert_true(sov_policy_approval_life(policy, 14400000, &err));
    assert_refused(sov_policy_approval_life(policy, 14400001, &err), &err, "bad_value");
    assert_refused(sov_policy_approval_life(policy, 999, &err), &err, "bad_value");
    assert_refused(sov_policy_approval_life(policy, -1, &err), &err, "bad_value");
}

static void each_state_is_found_by_its_name(void **state)
{
    enum sov_approval_state found = SOV_APPROVAL_DENIED;

    (void)state;
    for (enum sov_approval_state each = SOV_APPROVAL_PENDING; each < SOV_APPROVAL_STATE_COUNT;
         each++) {
        assert_true(sov_policy_approval_state(sov_policy_approval_name(each), &found));
        assert_int_equal(found, each);
    }
    found = SOV_APPROVAL_DENIED;
    assert_false(sov_policy_approval_state("granted", &found));
    assert_int_equal(found, SOV_APPROVAL_DENIED);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_ARENA(a_vote_is_refused_in_the_order_of_the_model),
        WITH_ARENA(a_quorum_counts_different_people_and_persons_among_them),
        WITH_ARENA(an_act_is_refused_in_the_order_of_the_model),
        WITH_ARENA(the_first_that_allows_is_chosen_and_the_nearest_answers),
        WITH_ARENA(a_life_has_an_end_within_the_policy),
        cmocka_unit_test(each_state_is_found_by_its_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
