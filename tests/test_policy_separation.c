#include "tests/policy_unit.h"

/* Keys are compared as octets, in whatever spelling. */
static const struct sov_bytes key_a[] = { { (const uint8_t *)"A", 1 } },
                              key_ab[] = { { (const uint8_t *)"B", 1 },
                                           { (const uint8_t *)"A", 1 } },
                              key_c[] = { { (const uint8_t *)"C", 1 } };

static struct sov_person_facts person(const char *id, const char *answerable,
                                      const struct sov_bytes *keys, size_t count)
{
    return (struct sov_person_facts){ id, answerable, keys, count, SOV_PERSON };
}

static void two_actors_are_the_same_by_id_key_or_answerable(void **state)
{
    struct sov_person_facts ann = person("ann", "ann", key_a, 1);
    const struct {
        struct sov_person_facts other;
        enum sov_same same;
    } rows[] = {
        { person("bob", "bob", key_c, 1), SOV_DISTINCT },
        { person("bob", "bob", NULL, 0), SOV_DISTINCT },
        { person("ann", "zoe", key_c, 1), SOV_SAME_ID },
        { person("bob", "bob", key_ab, 2), SOV_SAME_KEY },
        { person("bob", "ann", key_c, 1), SOV_SAME_ANSWERABLE },
        { person("bob", "ann", key_ab, 2), SOV_SAME_KEY }, /* the first that meets */
        { person("ANN", "ANN", key_c, 1), SOV_DISTINCT },  /* ids are compared byte for byte */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(sov_policy_same(&ann, &rows[i].other), rows[i].same);
        assert_int_equal(sov_policy_same(&rows[i].other, &ann), rows[i].same);
    }
    assert_string_equal(sov_policy_same_word(SOV_SAME_KEY), "key");
    assert_string_equal(sov_policy_same_word(SOV_SAME_ANSWERABLE), "answerable");
}

/* Each joining set against each other set, by each of the three ways. */
static void no_set_may_share_a_member_with_another(void **state)
{
    static const char *const codes[] = { "self_assign", "self_verify", "self_review",
                                         "self_accept" };
    struct sov_person_facts actor = person("ann", "ann", key_a, 1);
    struct sov_person_facts ways[] = { person("ann", "ann", key_a, 1),
                                       person("bob", "bob", key_ab, 2),
                                       person("bob", "ann", key_c, 1) };

    (void)state;
    for (enum sov_set joins = 0; joins < SOV_SET_COUNT; joins++)
        for (enum sov_set of = 0; of < SOV_SET_COUNT; of++)
            for (size_t way = 0; way < 3; way++) {
                struct sov_sets sets = { 0 };
                struct sov_error err = { 0 };

                sets.of[of] = (struct sov_people){ &ways[way], 1 };
                if (of == joins) {
                    assert_true(sov_policy_separate(joins, &actor, &sets, &err));
                    continue;
                }
                assert_refused(sov_policy_separate(joins, &actor, &sets, &err), &err, codes[joins]);
                assert_non_null(strstr(err.what, sov_policy_same_word((enum sov_same)(way + 1))));
                assert_string_equal(err.refs[0], "ann");
                assert_string_equal(err.refs[1], ways[way].id);
            }
}

static void the_sets_are_asked_in_their_order(void **state)
{
    struct sov_person_facts actor = person("ann", "ann", NULL, 0);
    struct sov_person_facts by_id = person("ann", "ann", NULL, 0),
                            by_answerable = person("bob", "ann", NULL, 0);
    struct sov_sets sets = { { { &by_answerable, 1 }, { NULL, 0 }, { &by_id, 1 }, { NULL, 0 } } };
    struct sov_error err = { 0 };

    (void)state;
    assert_refused(sov_policy_separate(SOV_ACCEPTERS, &actor, &sets, &err), &err, "self_accept");
    assert_string_equal(err.what, "ann is the same as performer bob by answerable");
    assert_refused(sov_policy_separate(SOV_PERFORMERS, &actor, &sets, &err), &err, "self_assign");
    assert_string_equal(err.what, "ann is the same as reviewer ann by id");
}

static void performers_verifiers_and_reviewers_are_pairwise_distinct(void **state)
{
    struct sov_person_facts ann = person("ann", "ann", key_a, 1),
                            bob = person("bob", "bob", NULL, 0),
                            cat = person("cat", "cat", key_c, 1),
                            twin = person("dan", "ann", NULL, 0);
    const struct {
        struct sov_sets sets;
        bool distinct;
    } rows[] = {
        { { { { &ann, 1 }, { &bob, 1 }, { &cat, 1 }, { NULL, 0 } } }, true },
        { { { { &ann, 1 }, { &twin, 1 }, { &cat, 1 }, { NULL, 0 } } }, false },
        { { { { &ann, 1 }, { &bob, 1 }, { &twin, 1 }, { NULL, 0 } } }, false },
        { { { { &bob, 1 }, { &ann, 1 }, { &twin, 1 }, { NULL, 0 } } }, false },
        { { { { &ann, 1 }, { &bob, 1 }, { &cat, 1 }, { &twin, 1 } } }, true }, /* gate 8's */
        { { { { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 } } }, true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_error err = { 0 };

        if (rows[i].distinct)
            assert_true(sov_policy_distinct(&rows[i].sets, &err));
        else
            assert_refused(sov_policy_distinct(&rows[i].sets, &err), &err, "roles_not_distinct");
    }
}

static void a_performer_does_not_waive(void **state)
{
    struct sov_person_facts ann = person("ann", "ann", key_a, 1),
                            worker = person("bob", "bob", key_ab, 2);
    struct sov_people performers = { &worker, 1 }, nobody = { NULL, 0 };
    struct sov_error err = { 0 };

    (void)state;
    assert_refused(sov_policy_waiver(&ann, &performers, &err), &err, "self_waive");
    assert_true(sov_policy_waiver(&ann, &nobody, &err));
}

static void represents_is_followed_to_its_end_and_a_cycle_is_refused(void **state)
{
    static const struct sov_represents rows[] = {
        { "bot", "lead" }, { "lead", "ann" },  { "tool", "team/red" }, { "self", "self" },
        { "one", "two" },  { "two", "three" }, { "three", "one" },     { "tail", "one" },
    };
    static const struct {
        const char *id, *answerable;
    } asked[] = { { "bot", "ann" }, { "lead", "ann" }, { "ann", "ann" }, { "tool", "team/red" },
                  { "self", NULL }, { "one", NULL },   { "tail", NULL } };

    (void)state;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const char *answerable = "untouched";
        struct sov_error err = { 0 };
        bool ok = sov_policy_answerable(rows, 8, asked[i].id, &answerable, &err);

        if (asked[i].answerable) {
            assert_true(ok);
            assert_string_equal(answerable, asked[i].answerable);
            continue;
        }
        assert_refused(ok, &err, "represents_invalid");
        assert_string_equal(answerable, "untouched");
    }
}

/* As many steps as there are rows are no circle yet. */
static void represents_may_lead_through_every_row(void **state)
{
    static const struct sov_represents rows[] = { { "lead", "ann" }, { "bot", "lead" } };
    const char *answerable = NULL;
    struct sov_error err = { 0 };

    (void)state;
    assert_true(sov_policy_answerable(rows, 2, "bot", &answerable, &err));
    assert_string_equal(answerable, "ann");
}

static void a_quorum_counts_distinct_members_and_persons_first(void **state)
{
    struct sov_person_facts ann = person("ann", "ann", key_a, 1),
                            bob = person("bob", "bob", key_c, 1),
                            twin = person("dan", "ann", NULL, 0),
                            bot = person("bot", "ann", NULL, 0),
                            free_bot = person("fee", "fee", NULL, 0);
    struct sov_person_facts list[5];

    (void)state;
    bot.kind = SOV_ROBOT;
    free_bot.kind = SOV_SERVICE;
    list[0] = bot, list[1] = ann, list[2] = twin, list[3] = bob, list[4] = free_bot;
    for (size_t n = 0; n <= 5; n++) {
        static const size_t counted[] = { 0, 1, 1, 1, 2, 3 }, persons[] = { 0, 0, 1, 1, 2, 2 };
        struct sov_people people = { list, n };
        struct sov_quorum quorum = sov_policy_count(&people);

        assert_int_equal(quorum.counted, counted[n]);
        assert_int_equal(quorum.persons, persons[n]);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_actors_are_the_same_by_id_key_or_answerable),
        cmocka_unit_test(no_set_may_share_a_member_with_another),
        cmocka_unit_test(the_sets_are_asked_in_their_order),
        cmocka_unit_test(performers_verifiers_and_reviewers_are_pairwise_distinct),
        cmocka_unit_test(a_performer_does_not_waive),
        cmocka_unit_test(represents_is_followed_to_its_end_and_a_cycle_is_refused),
        cmocka_unit_test(represents_may_lead_through_every_row),
        cmocka_unit_test(a_quorum_counts_distinct_members_and_persons_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
