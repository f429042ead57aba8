#include "tests/policy_unit.h"

#include "base/amount.h"

/* The store of model.md 14 after its step 2. */
static const struct sov_balance store_balances[] = {
    { "cash", 10800 },
    { "inventory/SKU-TEA", 2 },
    { "reserved/SKU-TEA", 0 },
    { "inventory/SKU-COFFEE", 10 },
};
static const struct sov_fact tea[] = {
    { "price", 400 },
    { "reorder_point", 3 },
    { "unit_cost", 120 },
};
static struct sov_effect_input restock(int64_t quantity)
{
    return (struct sov_effect_input){
        .origin = SOV_FROM_ASSIGNMENT,
        .kind = "replenishment",
        .subject = "SKU-TEA",
        .quantity = quantity,
        .subject_declared = true,
        .books = { store_balances, 4, tea, 3 },
        .sow_effect = "replenishment",
        .outcome_subject = "SKU-TEA",
    };
}
static struct sov_effect_input sale(int64_t quantity)
{
    struct sov_effect_input in = restock(quantity);

    in.origin = SOV_FROM_OUTSIDE;
    in.kind = "sale";
    in.sow_effect = in.outcome_subject = NULL;
    return in;
}

static void a_restock_posts_what_policy_and_facts_give(void **state)
{
    const struct sov_policy *policy = policy_of(STORE, *state);
    struct sov_effect_input in = restock(6);
    struct sov_effect_result result;
    struct sov_error err = { 0 };

    in.unit = "unit";
    assert_true(sov_policy_effect(policy, &in, *state, &result, &err));
    assert_false(result.again);
    assert_int_equal(result.posting_count, 2);
    assert_string_equal(result.postings[0].account, "inventory/SKU-TEA");
    assert_int_equal(result.postings[0].delta, 6);
    assert_int_equal(result.postings[0].balance, 8);
    assert_string_equal(result.postings[1].account, "cash");
    assert_int_equal(result.postings[1].delta, -720);
    assert_int_equal(result.postings[1].balance, 10080);
    assert_int_equal(result.fact_count, 2); /* those used, by name; price is not */
    assert_string_equal(result.facts[0].name, "reorder_point");
    assert_string_equal(result.facts[1].name, "unit_cost");
    assert_int_equal(result.facts[1].value, 120);
    assert_int_equal(result.emit_count, 1);
    assert_string_equal(result.emits[0].kind, "inventory.changed");
    assert_int_equal(result.emits[0].severity, SOV_RESOLVED);
    assert_int_equal(store_balances[0].balance, 10800); /* the books handed in are as before */
}

static void a_sale_warns_below_the_reorder_point(void **state)
{
    const struct sov_policy *policy = policy_of(STORE, *state);
    static const struct sov_balance full[] = { { "cash", 10000 },
                                               { "inventory/SKU-TEA", 4 },
                                               { "reserved/SKU-TEA", 0 } };
    static const struct {
        int64_t quantity, stock, cash;
        enum sov_severity severity;
    } rows[] = { { 1, 3, 10400, SOV_INFO },
                 { 2, 2, 10800, SOV_WARNING },
                 { 4, 0, 11600, SOV_WARNING } };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_effect_input in = sale(rows[i].quantity);
        struct sov_effect_result result;
        struct sov_error err = { 0 };

        in.books.balances = full;
        in.books.balance_count = 3;
        assert_true(sov_policy_effect(policy, &in, *state, &result, &err));
        assert_int_equal(result.postings[0].balance, rows[i].stock);
        assert_int_equal(result.postings[1].balance, rows[i].cash);
        assert_int_equal(result.emits[0].severity, rows[i].severity);
    }
}

/* Each after another that stands before it, and one of them twice. */
#define DEAR                                                                                       \
    "{\"kind\":\"dear\",\"origin\":\"external\",\"subject\":\"SKU-*\",\"unit\":\"unit\","          \
    "\"quantity\":{\"min\":1,\"max\":50},\"postings\":["                                           \
    "{\"account\":\"cash\",\"sign\":1,\"factors\":[\"quantity\",\"price\"]}],"                     \
    "\"constraints\":[{\"terms\":[[\"cash\",1]],\"op\":\">=\",\"value\":\"reorder_point\"},"       \
    "{\"terms\":[[\"cash\",1]],\"op\":\">=\",\"value\":\"unit_cost\"},"                            \
    "{\"terms\":[[\"cash\",1]],\"op\":\">=\",\"value\":\"price\"}],\"emits\":[]}"

static void the_facts_used_are_recorded_by_name_each_once(void **state)
{
    static const char *const used[] = { "price", "reorder_point", "unit_cost" };
    const struct sov_policy *policy = policy_of(DOCUMENT(DEAR, ""), *state);
    struct sov_effect_input in = sale(1);
    struct sov_effect_result result;
    struct sov_error err = { 0 };

    in.kind = "dear";
    assert_true(sov_policy_effect(policy, &in, *state, &result, &err));
    assert_int_equal(result.fact_count, 3);
    for (size_t i = 0; i < 3; i++) assert_string_equal(result.facts[i].name, used[i]);
}

/* Each question alone, then in pairs with the next: the earlier one answers. */
enum wrong { E1, E2A, E2B, E2C, E3A, E3B, E4A, E4B, E5A, E5B, E6, E7, E8, WRONG_COUNT };
static const char *const wrong_codes[WRONG_COUNT] = {
    "kind_unknown",          "effect_not_in_scope", "effect_not_in_scope", "subject_mismatch",
    "subject_undeclared",    "subject_not_allowed", "effect_conflict",     "effect_conflict",
    "quantity_out_of_range", "unit_mismatch",       "fact_missing",        "account_unknown",
    "constraint_failed",
};
static const struct sov_balance poor[] = { { "cash", 10 },
                                           { "inventory/SKU-TEA", 2 },
                                           { "reserved/SKU-TEA", 0 } };

static void spoil(struct sov_effect_input *in, enum wrong how)
{
    switch (how) {
    case E1:
        in->kind = "sale";
        break; /* declared, but for the outside */
    case E2A:
        in->sow_effect = NULL;
        break;
    case E2B:
        in->sow_effect = "sale";
        break;
    case E2C:
        in->outcome_subject = "SKU-COFFEE";
        break;
    case E3A:
        in->subject_declared = false;
        break;
    case E3B:
        in->subject = "TEA";
        in->outcome_subject = NULL;
        break;
    case E4A:
        in->twice = true;
        break;
    case E4B:
        in->used = true;
        in->used_quantity = 5;
        break;
    case E5A:
        in->quantity = 51;
        break;
    case E5B:
        in->unit = "box";
        break;
    case E6:
        in->books.fact_count = 2;
        break; /* unit_cost is gone */
    case E7:
        in->books.balances++;
        in->books.balance_count--;
        break; /* so is cash */
    case E8:
        in->books.balances = poor;
        in->books.balance_count = 3;
        break;
    case WRONG_COUNT:
        break;
    }
}

static void each_question_refuses_alone_and_before_the_next(void **state)
{
    const struct sov_policy *policy = policy_of(STORE, *state);

    for (enum wrong first = 0; first < WRONG_COUNT; first++)
        for (enum wrong second = first; second < WRONG_COUNT; second++) {
            struct sov_effect_result result = { .fact_count = 77 };
            struct sov_effect_input in = restock(6);
            struct sov_error err = { 0 };
            bool ok;

            spoil(&in, second);
            spoil(&in, first);
            ok = sov_policy_effect(policy, &in, *state, &result, &err);
            if (ok || strcmp(err.code, wrong_codes[first]) != 0)
                fail_msg("%d and %d: %s: %s", first, second, err.code, err.what);
            assert_refused(ok, &err, wrong_codes[first]);
            assert_int_equal(result.fact_count, 77);
        }
}

static void a_kind_is_looked_for_among_those_of_its_origin(void **state)
{
    const struct sov_policy *policy = policy_of(STORE, *state);
    struct sov_effect_input within = restock(1), outside = sale(1);
    struct sov_effect_result result;
    struct sov_error err = { 0 };

    within.kind = outside.kind = "theft";
    assert_refused(sov_policy_effect(policy, &within, *state, &result, &err), &err, "kind_unknown");
    assert_string_equal(err.what, "no kind theft is declared for assignments");
    assert_refused(sov_policy_effect(policy, &outside, *state, &result, &err), &err,
                   "kind_unknown");
    assert_string_equal(err.what, "no kind theft is declared for outside changes");
}

static void only_quantities_within_the_range_pass(void **state)
{
    static const int64_t refused[] = {
        0, -1, 51, SOV_INT_MAX, SOV_INT_MAX + 1, INT64_MIN, INT64_MAX
    };
    const struct sov_policy *policy = policy_of(STORE, *state);
    struct sov_effect_result result;
    struct sov_error err = { 0 };
    struct sov_effect_input in;

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        in = restock(refused[i]);
        assert_refused(sov_policy_effect(policy, &in, *state, &result, &err), &err,
                       "quantity_out_of_range");
    }
    in = restock(1);
    assert_true(sov_policy_effect(policy, &in, *state, &result, &err));
    in = restock(50);
    assert_true(sov_policy_effect(policy, &in, *state, &result, &err));
}

static void the_same_effect_again_is_the_first_answer(void **state)
{
    const struct sov_policy *policy = policy_of(STORE, *state);
    struct sov_effect_input in = restock(6);
    struct sov_effect_result result = { .posting_count = 9 };
    struct sov_error err = { 0 };

    in.used = true;
    in.used_quantity = 6;
    assert_true(sov_policy_effect(policy, &in, *state, &result, &err));
    assert_true(result.again);
    assert_int_equal(result.posting_count, 0);
    in.twice = true;
    assert_refused(sov_policy_effect(policy, &in, *state, &result, &err), &err, "effect_conflict");
}

static void products_and_balances_stay_in_range(void **state)
{
    static const struct {
        int64_t cost, cash;
        const char *code; /* NULL: it fits */
    } rows[] = {
        { SOV_INT_MAX / 6, SOV_INT_MAX, NULL },
        { SOV_INT_MAX / 6 + 1, SOV_INT_MAX, "amount_overflow" },
        { -(SOV_INT_MAX / 6), 0, NULL },
        { -(SOV_INT_MAX / 6), SOV_INT_MAX, "amount_overflow" }, /* the balance */
        { SOV_INT_MAX, 0, "amount_overflow" },
        { -SOV_INT_MAX, 0, "amount_overflow" },
        { SOV_INT_MAX / 6, 0, "constraint_failed" },
    };
    const struct sov_policy *policy = policy_of(STORE, *state);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_fact facts[] = { { "reorder_point", 3 }, { "unit_cost", rows[i].cost } };
        struct sov_balance balances[] = { { "cash", rows[i].cash },
                                          { "inventory/SKU-TEA", 0 },
                                          { "reserved/SKU-TEA", 0 } };
        struct sov_effect_input in = restock(6);
        struct sov_effect_result result;
        struct sov_error err = { 0 };
        bool ok;

        in.books = (struct sov_books){ balances, 3, facts, 2 };
        ok = sov_policy_effect(policy, &in, *state, &result, &err);
        if (rows[i].code)
            assert_refused(ok, &err, rows[i].code);
        else
            assert_true(ok);
    }
}

static void proposals_of_one_report_build_on_each_other(void **state)
{
    const struct sov_policy *policy = policy_of(STORE, *state);
    struct sov_balance balances[] = { { "cash", 900 },
                                      { "inventory/SKU-TEA", 2 },
                                      { "reserved/SKU-TEA", 0 } };
    struct sov_effect_input in = restock(5);
    struct sov_effect_result result;
    struct sov_error err = { 0 };

    in.books.balances = balances;
    in.books.balance_count = 3;
    assert_true(sov_policy_effect(policy, &in, *state, &result, &err));
    sov_policy_carry(&result, balances, 3);
    assert_int_equal(balances[0].balance, 300);
    assert_int_equal(balances[1].balance, 7);
    in.quantity = 3; /* 360 > 300 */
    assert_refused(sov_policy_effect(policy, &in, *state, &result, &err), &err,
                   "constraint_failed");
    assert_int_equal(balances[0].balance, 300);
}

static void what_postings_must_be_is_recomputed_from_the_recorded_facts(void **state)
{
    const struct sov_policy *policy = policy_of(STORE, *state);
    const struct sov_effect_kind *kind =
        sov_policy_effect_kind(policy, "replenishment", SOV_FROM_ASSIGNMENT);
    const struct sov_posting *due;
    struct sov_error err = { 0 };
    size_t count = 77;

    assert_true(sov_policy_postings_due(kind, "SKU-TEA", 6, tea, 3, *state, &due, &count, &err));
    assert_int_equal(count, 2);
    assert_string_equal(due[0].account, "inventory/SKU-TEA");
    assert_int_equal(due[0].delta, 6);
    assert_int_equal(due[1].delta, -720);
    count = 77;
    assert_refused(sov_policy_postings_due(kind, "SKU-TEA", 6, tea, 2, *state, &due, &count, &err),
                   &err, "fact_missing");
    assert_int_equal(count, 77);
    assert_null(sov_policy_effect_kind(policy, "replenishment", SOV_FROM_OUTSIDE));
}

static void the_accounts_to_load_are_each_named_once(void **state)
{
    static const char *const due[] = { "cash", "inventory/SKU-TEA", "reserved/SKU-TEA" };
    const struct sov_policy *policy = policy_of(STORE, *state);
    const char *const *accounts;
    size_t count;

    sov_policy_effect_accounts(&policy->effects[1], "SKU-TEA", *state, &accounts, &count);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < 3; i++) assert_string_equal(accounts[i], due[i]);
    sov_policy_condition_accounts(policy->wake[0].when, policy->wake[0].when_count, "SKU-TEA",
                                  *state, &accounts, &count);
    assert_int_equal(count, 2);
    assert_string_equal(accounts[0], due[1]);
    assert_string_equal(accounts[1], due[2]);
}

static void conditions_are_linear_sums_against_an_integer_or_fact(void **state)
{
    static const struct sov_term free_stock[] = { { "inventory/{subject}", 1 },
                                                  { "reserved/{subject}", -1 } };
    static const struct {
        struct sov_operand value;
        bool below, holds;
    } rows[] = {
        { { NULL, 2 }, false, true },           { { NULL, 3 }, false, false },
        { { NULL, 2 }, true, false },           { { NULL, 3 }, true, true },
        { { "reorder_point", 0 }, true, true }, { { "reorder_point", 0 }, false, false },
    };
    struct sov_books books = { store_balances, 4, tea, 3 };
    struct sov_condition none_there = { free_stock, 2, true, { "missing", 0 } };
    struct sov_error err = { 0 };
    int64_t sum = 77;
    bool holds = true;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_condition c = { free_stock, 2, rows[i].below, rows[i].value };

        assert_true(sov_policy_conditions(&c, 1, "SKU-TEA", &books, &holds, &err));
        assert_int_equal(holds, rows[i].holds);
    }
    assert_true(sov_policy_conditions(NULL, 0, "SKU-TEA", &books, &holds, &err));
    assert_true(holds);
    assert_refused(sov_policy_conditions(&none_there, 1, "SKU-TEA", &books, &holds, &err), &err,
                   "fact_missing");
    assert_refused(sov_policy_sum(free_stock, 2, "SKU-COFFEE", &books, &sum, &err), &err,
                   "account_unknown");
    assert_true(holds);
    assert_int_equal(sum, 77);
}

static void templates_and_patterns_mean_no_more_than_they_say(void **state)
{
    static const struct {
        const char *pattern, *text;
        bool matches;
    } rows[] = {
        { "SKU-*", "SKU-TEA", true },
        { "SKU-*", "SKU-", true },
        { "SKU-*", "sku-TEA", false },
        { "SKU-TEA", "SKU-TEA", true },
        { "SKU-TEA", "SKU-TEAS", false },
        { "*", "", true },
        { "", "", true },
        { "", "a", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(sov_policy_matches(rows[i].pattern, rows[i].text), rows[i].matches);
    assert_string_equal(sov_policy_fill("{subject}/{signal} {x} {subject", "T", "SIG-1", *state),
                        "T/SIG-1 {x} {subject");
    assert_string_equal(sov_policy_fill("{subject}", "{subject}{signal}", "SIG-1", *state),
                        "{subject}{signal}"); /* what is filled in is not looked at again */
    assert_string_equal(sov_policy_fill("{signal}", "T", NULL, *state), "{signal}");
    assert_string_equal(sov_policy_fill("", "T", NULL, *state), "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_ARENA(a_restock_posts_what_policy_and_facts_give),
        WITH_ARENA(a_sale_warns_below_the_reorder_point),
        WITH_ARENA(the_facts_used_are_recorded_by_name_each_once),
        WITH_ARENA(each_question_refuses_alone_and_before_the_next),
        WITH_ARENA(a_kind_is_looked_for_among_those_of_its_origin),
        WITH_ARENA(only_quantities_within_the_range_pass),
        WITH_ARENA(the_same_effect_again_is_the_first_answer),
        WITH_ARENA(products_and_balances_stay_in_range),
        WITH_ARENA(proposals_of_one_report_build_on_each_other),
        WITH_ARENA(what_postings_must_be_is_recomputed_from_the_recorded_facts),
        WITH_ARENA(the_accounts_to_load_are_each_named_once),
        cmocka_unit_test(conditions_are_linear_sums_against_an_integer_or_fact),
        WITH_ARENA(templates_and_patterns_mean_no_more_than_they_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
