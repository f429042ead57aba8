/* Subjects, accounts and changes: what is counted, and what happened outside any assignment. */
#include "tests/world_fixture.h"

#include "base/amount.h"
#include "ledger/log.h"

static void a_subject_is_declared_with_its_facts_by_name(void **state)
{
    struct fixture *f = *state;
    struct sov_subject subject;
    struct sov_subjects all;
    struct sov_error err = { 0 };

    assert_true(sov_subject_get(f->ledger, "SKU-TEA", &f->arena, &subject, &err));
    assert_int_equal(subject.fact_count, 3);
    assert_string_equal(subject.facts[0].name, "price");
    assert_int_equal(subject.facts[0].value, 400);
    assert_string_equal(subject.facts[1].name, "reorder_point");
    assert_string_equal(subject.facts[2].name, "unit_cost");
    assert_true(sov_subject_list(f->ledger, &f->arena, &all, &err));
    assert_int_equal(all.count, 1);
    assert_false(sov_subject_get(f->ledger, "SKU-tea", &f->arena, &subject, &err));
    assert_string_equal(err.code, "no_such_id");
}

static void a_subject_is_refused_with_nothing_changed(void **state)
{
    static const struct sov_fact none[1],
        twice[] = { { "price", 1 }, { "price", 1 } }, quantity[] = { { "quantity", 1 } },
        capital[] = { { "Price", 1 } }, wide[] = { { "price", SOV_INT_MAX + 1 } },
        good[] = { { "price", 1 } };
    static const struct {
        const char *who, *id;
        const struct sov_fact *facts;
        size_t count;
        const char *code;
    } row[] = {
        { "master", "SKU-2", none, 0, "not_authorised" },
        { "nobody", "SKU-2", none, 0, "no_such_id" },
        { "principal", "SKU-TEA", good, 1, "exists" },
        { "principal", "sku-tea", good, 1, "exists" },
        { "principal", "", none, 0, "bad_value" },
        { "principal", "-SKU", none, 0, "bad_value" },
        { "principal", "SKU TEA", none, 0, "bad_value" },
        { "principal", "SKU/TEA", none, 0, "bad_value" },
        { "principal", "SKU-2", twice, 2, "bad_value" },
        { "principal", "SKU-2", quantity, 1, "bad_value" },
        { "principal", "SKU-2", capital, 1, "bad_value" },
        { "principal", "SKU-2", wide, 1, "bad_value" },
    };
    struct fixture *f = *state;
    struct sov_done done;

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        BY(f, row[i].who, row[i].code,
           sov_subject_declare(&commit, row[i].id, row[i].facts, row[i].count, &done, &err));
}

static void a_revision_sets_the_named_facts_and_leaves_the_others(void **state)
{
    static const struct sov_fact set[] = { { "weight", 7 }, { "price", 450 } };
    struct fixture *f = *state;
    struct sov_subject subject;
    struct sov_error why = { 0 };
    struct sov_done done;

    BY(f, "principal", NULL,
       sov_subject_revise(&commit, "SKU-TEA", set, 2, "new prices", &done, &err));
    assert_true(sov_subject_get(f->ledger, "SKU-TEA", &f->arena, &subject, &why));
    assert_int_equal(subject.fact_count, 4);
    assert_int_equal(subject.facts[0].value, 450);
    assert_int_equal(subject.facts[1].value, 3);
    assert_int_equal(subject.facts[2].value, 120);
    assert_int_equal(subject.facts[3].value, 7);
    BY(f, "principal", "reason_missing",
       sov_subject_revise(&commit, "SKU-TEA", set, 2, " ", &done, &err));
    BY(f, "principal", "no_such_id",
       sov_subject_revise(&commit, "SKU-MILK", set, 2, "because", &done, &err));
    BY(f, "principal", "bad_value",
       sov_subject_revise(&commit, "SKU-TEA", set, 0, "because", &done, &err));
    BY(f, "operator", "not_authorised",
       sov_subject_revise(&commit, "SKU-TEA", set, 2, "because", &done, &err));
}

static void a_subject_has_at_most_64_facts(void **state)
{
    struct fixture *f = *state;
    struct sov_fact facts[65];
    char names[65][8];
    struct sov_done done;

    for (size_t i = 0; i < 65; i++) {
        snprintf(names[i], sizeof names[i], "f%02zu", i);
        facts[i] = (struct sov_fact){ names[i], (int64_t)i };
    }
    BY(f, "principal", "too_large", sov_subject_declare(&commit, "BIG", facts, 65, &done, &err));
    BY(f, "principal", NULL, sov_subject_declare(&commit, "BIG", facts, 64, &done, &err));
    BY(f, "principal", NULL, sov_subject_revise(&commit, "BIG", facts, 64, "same", &done, &err));
    BY(f, "principal", "too_large",
       sov_subject_revise(&commit, "BIG", facts + 64, 1, "one more", &done, &err));
}

static void an_account_is_refused_with_nothing_changed(void **state)
{
    static const struct {
        const char *who, *name, *unit;
        int64_t opening;
        const char *code;
    } row[] = {
        { "operator", "till", "cent", 0, "not_authorised" },
        { "principal", "cash", "cent", 0, "exists" },
        { "principal", "CASH", "cent", 0, "exists" },
        { "principal", "", "cent", 0, "bad_value" },
        { "principal", "a//b", "cent", 0, "bad_value" },
        { "principal", "a/b/c/d/e", "cent", 0, "bad_value" },
        { "principal", "a/{subject}", "cent", 0, "bad_value" },
        { "principal", "till", "Cent", 0, "bad_value" },
        { "principal", "till", "cent", SOV_INT_MAX + 1, "bad_value" },
        { "principal", "till", "cent", -SOV_INT_MAX - 1, "bad_value" },
    };
    struct fixture *f = *state;
    struct sov_done done;

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        BY(f, row[i].who, row[i].code,
           sov_account_open(&commit, row[i].name, row[i].unit, row[i].opening, &done, &err));
    BY(f, "principal", NULL, sov_account_open(&commit, "till", "cent", -SOV_INT_MAX, &done, &err));
    assert_int_equal(balance(f, "till"), -SOV_INT_MAX);
}

static void opening_twice_under_one_key_is_one_account(void **state)
{
    struct fixture *f = *state;
    struct sov_done first, again;
    int64_t head;

    ACT(f, keyed("principal", "k1"), NULL,
        sov_account_open(&commit, "till", "cent", 5, &first, &err));
    head = fixture_head(f);
    ACT(f, keyed("principal", "k1"), NULL,
        sov_account_open(&commit, "till", "cent", 5, &again, &err));
    assert_int_equal(again.effect, SOV_NOOP);
    assert_int_equal(again.seq, first.seq);
    assert_int_equal(fixture_head(f), head);
    ACT(f, keyed("principal", "k1"), "key_reused",
        sov_account_open(&commit, "till", "cent", 6, &again, &err));
}

/* Step 2 of model.md 14. */
static void a_sale_moves_the_accounts_and_reports_the_stock(void **state)
{
    struct fixture *f = *state;
    int64_t head = fixture_head(f), n = world_sale(f, "SKU-TEA", 2);
    struct sov_change change;
    struct sov_posteds posted;
    struct sov_signal signal;
    struct sov_error err = { 0 };

    assert_string_equal(types_after(f, head),
                        "change.recorded account.posted account.posted signal.recorded");
    assert_int_equal(balance(f, "inventory/SKU-TEA"), 2);
    assert_int_equal(balance(f, "cash"), 10800);
    assert_true(sov_change_get(f->ledger, n, &f->arena, &change, &err));
    assert_int_equal(change.quantity, 2);
    assert_int_equal(change.fact_count, 2);
    assert_string_equal(change.facts[0].name, "price");
    assert_string_equal(change.facts[1].name, "reorder_point");
    assert_int_equal(change.posting_count, 2);
    assert_string_equal(change.postings[1].account, "cash");
    assert_int_equal(change.postings[1].delta, 800);
    assert_true(sov_posted_behind(f->ledger, change.seq, &f->arena, &posted, &err));
    assert_int_equal(posted.count, 2);
    assert_int_equal(posted.at[1].balance, 10800);
    assert_true(sov_account_postings(f->ledger, "cash", &f->arena, &posted, &err));
    assert_int_equal(posted.count, 1);
    assert_int_equal(posted.at[0].lead, change.seq);
    signal = signal_of(f, 1);
    assert_string_equal(signal.kind, "inventory.changed");
    assert_string_equal(signal.source, "sale");
    assert_string_equal(signal.subject, "SKU-TEA");
    assert_string_equal(signal.dedupe_key, "CHG-1");
    assert_int_equal(signal.severity, SOV_WARNING);
    assert_false(signal.has_payload);
}

static void the_fact_that_a_change_used_stays_with_it(void **state)
{
    static const struct sov_fact dearer[] = { { "price", 1000 } };
    struct fixture *f = *state;
    struct sov_change change;
    struct sov_error why = { 0 };
    struct sov_done done;

    world_sale(f, "SKU-TEA", 1);
    BY(f, "principal", NULL,
       sov_subject_revise(&commit, "SKU-TEA", dearer, 1, "dearer", &done, &err));
    world_sale(f, "SKU-TEA", 1);
    assert_true(sov_change_get(f->ledger, 1, &f->arena, &change, &why));
    assert_int_equal(change.facts[0].value, 400);
    assert_int_equal(balance(f, "cash"), 11400);
}

/* E1, E3, E5 to E8, and what comes before them. */
static void a_change_is_refused_with_nothing_changed(void **state)
{
    static const struct {
        const char *who, *kind, *subject, *source;
        int64_t quantity;
        const char *unit, *code;
    } row[] = {
        { "nobody", "sale", "SKU-TEA", "till", 1, NULL, "no_such_id" },
        { "operator", "Sale", "SKU-TEA", "till", 1, NULL, "bad_value" },
        { "operator", "sale", "SKU-TEA", "the till", 1, NULL, "bad_value" },
        { "operator", "sale", " ", "till", 1, NULL, "bad_value" },
        { "operator", "theft", "SKU-TEA", "till", 1, NULL, "kind_unknown" },
        { "operator", "replenishment", "SKU-TEA", "till", 1, NULL, "kind_unknown" },
        { "operator", "sale", "SKU-MILK", "till", 1, NULL, "subject_undeclared" },
        { "operator", "sale", "desk", "till", 1, NULL, "subject_not_allowed" },
        { "operator", "sale", "SKU-TEA", "till", 0, NULL, "quantity_out_of_range" },
        { "operator", "sale", "SKU-TEA", "till", -1, NULL, "quantity_out_of_range" },
        { "operator", "sale", "SKU-TEA", "till", 51, NULL, "quantity_out_of_range" },
        { "operator", "sale", "SKU-TEA", "till", SOV_INT_MAX + 1, NULL, "quantity_out_of_range" },
        { "operator", "sale", "SKU-TEA", "till", INT64_MIN, NULL, "quantity_out_of_range" },
        { "operator", "sale", "SKU-TEA", "till", 1, "kg", "unit_mismatch" },
        { "operator", "sale", "SKU-BARE", "till", 1, NULL, "fact_missing" },
        { "operator", "sale", "SKU-OPEN", "till", 1, NULL, "account_unknown" },
        { "operator", "sale", "SKU-DEAR", "till", 2, NULL, "amount_overflow" },
        { "operator", "sale", "SKU-TEA", "till", 5, "unit", "constraint_failed" },
    };
    struct fixture *f = *state;
    struct sov_done done;

    BY(f, "principal", NULL, sov_subject_declare(&commit, "desk", NULL, 0, &done, &err));
    BY(f, "principal", NULL, sov_subject_declare(&commit, "SKU-BARE", NULL, 0, &done, &err));
    world_subject(f, "SKU-OPEN", 1, 1, 1);
    world_subject(f, "SKU-DEAR", 1, SOV_INT_MAX, 1);
    world_account(f, "inventory/SKU-DEAR", "unit", 9);
    world_account(f, "reserved/SKU-DEAR", "unit", 0);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct sov_change_request request = { row[i].kind,     row[i].subject, row[i].source,
                                              row[i].quantity, row[i].unit,    NULL };

        BY(f, row[i].who, row[i].code, sov_change_record(&commit, &request, &done, &err));
    }
}

static void the_same_delivery_of_a_change_moves_nothing_twice(void **state)
{
    struct fixture *f = *state;
    struct sov_change_request request = { "sale", "SKU-TEA", "till", 1, NULL, "receipt-7" };
    struct sov_done first, again;

    BY(f, "operator", NULL, sov_change_record(&commit, &request, &first, &err));
    BY(f, "master", NULL, sov_change_record(&commit, &request, &again, &err));
    assert_int_equal(again.effect, SOV_NOOP);
    assert_int_equal(again.seq, first.seq);
    assert_string_equal(again.id, "CHG-1");
    assert_int_equal(balance(f, "cash"), 10400);
    request.quantity = 2;
    BY(f, "operator", "key_reused", sov_change_record(&commit, &request, &again, &err));
    request.source = "web";
    BY(f, "operator", NULL, sov_change_record(&commit, &request, &again, &err));
    assert_int_equal(balance(f, "cash"), 11200);
}

static void the_idempotency_key_is_the_dedupe_key_of_a_change(void **state)
{
    struct fixture *f = *state;
    struct sov_change_request request = { "sale", "SKU-TEA", "till", 1, NULL, NULL };
    struct sov_change change;
    struct sov_error why = { 0 };
    struct sov_done done;

    ACT(f, keyed("operator", "d-1"), NULL, sov_change_record(&commit, &request, &done, &err));
    assert_true(sov_change_get(f->ledger, 1, &f->arena, &change, &why));
    assert_string_equal(change.dedupe_key, "d-1");
    ACT(f, keyed("operator", "d-1"), NULL, sov_change_record(&commit, &request, &done, &err));
    assert_int_equal(done.effect, SOV_NOOP);
    /* Another actor has no such idempotency key; the dedupe key is there all the same. */
    ACT(f, keyed("master", "d-1"), NULL, sov_change_record(&commit, &request, &done, &err));
    assert_int_equal(done.effect, SOV_NOOP);
    request.quantity = 2;
    ACT(f, keyed("operator", "d-1"), "key_reused",
        sov_change_record(&commit, &request, &done, &err));
    ACT(f, keyed("master", "d-1"), "key_reused", sov_change_record(&commit, &request, &done, &err));
}

static void a_dry_change_moves_nothing(void **state)
{
    struct fixture *f = *state;
    struct sov_change_request request = { "sale", "SKU-TEA", "till", 1, NULL, NULL };
    struct sov_act act = fixture_act("operator");
    struct sov_hash before = fixture_digest(f), after;
    struct sov_done done;

    act.dry = true;
    ACT(f, act, NULL, sov_change_record(&commit, &request, &done, &err));
    assert_int_equal(done.effect, SOV_WOULD);
    assert_string_equal(done.id, "CHG-1");
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
}

static void a_change_after_another_head_is_refused(void **state)
{
    struct fixture *f = *state;
    struct sov_change_request request = { "sale", "SKU-TEA", "till", 1, NULL, NULL };
    struct sov_act act = fixture_act("operator");
    struct sov_done done;

    act.expect_seq = fixture_head(f) - 1;
    ACT(f, act, "moved", sov_change_record(&commit, &request, &done, &err));
    act.expect_seq++;
    ACT(f, act, NULL, sov_change_record(&commit, &request, &done, &err));
}

/* ---- forged events never fold ---- */

#define CAUSED(cause, sv, type, data)                                                              \
    "{\"actor\":\"host\",\"at\":\"2026-01-01T00:00:00.000Z\"," cause "\"data\":" data              \
    ",\"seq\":99,\"stream\":\"account/cash\",\"sv\":" sv ",\"type\":\"" type "\",\"v\":1}"

#define ACCOUNT(sv, type, data) CAUSED("\"cause\":[1],", sv, type, data)

static void a_forged_posting_is_no_event(void **state)
{
    static const char *const octets[] = {
        ACCOUNT("2", "account.posted", "{\"balance\":10001,\"delta\":2}"),
        ACCOUNT("2", "account.posted", "{\"balance\":10003,\"delta\":2}"),
        ACCOUNT("2", "account.posted", "{\"balance\":10000,\"delta\":9007199254740991}"),
        CAUSED("", "2", "account.posted", "{\"balance\":10001,\"delta\":1}"),
        ACCOUNT("2", "account.opened", "{\"opening\":0,\"unit\":\"cent\"}"),
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof octets / sizeof *octets; i++) {
        struct sov_commit commit = { 0 };
        struct sov_act act = fixture_act("operator");
        struct sov_error err = { 0 };
        struct sov_event event;
        struct sov_fold fold;

        assert_true(sov_event_decode(sov_bytes_text(octets[i]), &event, &err));
        assert_true(sov_commit_begin(&commit, f->ledger, &act, &err));
        fold = (struct sov_fold){ f->ledger->state, &commit.arena, NULL };
        assert_false(sov_account_fold(&fold, &event, &err));
        assert_string_equal(err.code, "event_invalid");
        sov_commit_end(&commit);
    }
    assert_int_equal(balance(f, "cash"), 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_STORE(a_subject_is_declared_with_its_facts_by_name),
        IN_STORE(a_subject_is_refused_with_nothing_changed),
        IN_STORE(a_revision_sets_the_named_facts_and_leaves_the_others),
        IN_STORE(a_subject_has_at_most_64_facts),
        IN_STORE(an_account_is_refused_with_nothing_changed),
        IN_STORE(opening_twice_under_one_key_is_one_account),
        IN_STORE(a_sale_moves_the_accounts_and_reports_the_stock),
        IN_STORE(the_fact_that_a_change_used_stays_with_it),
        IN_STORE(a_change_is_refused_with_nothing_changed),
        IN_STORE(the_same_delivery_of_a_change_moves_nothing_twice),
        IN_STORE(the_idempotency_key_is_the_dedupe_key_of_a_change),
        IN_STORE(a_dry_change_moves_nothing),
        IN_STORE(a_change_after_another_head_is_refused),
        IN_STORE(a_forged_posting_is_no_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
