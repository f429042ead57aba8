/* The judge over a tree: how far it is behind, and what a clone alone would not tell. */
#include "tests/publishing_fixture.h"

#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#include "verify/verify.h"

static struct sov_report judged(struct publishing *p, struct sov_verify_options options)
{
    struct sov_error err = { 0 };
    struct sov_report report;

    options.places = &p->j.f.places;
    options.seams = &p->j.f.seams;
    options.clone = &p->repo;
    options.wait_ms = 1000;
    options.no_anchor = true;
    if (!sov_verify(&options, &p->j.f.arena, &report, &err)) fail_msg("%s", err.what);
    return report;
}

/* How many findings there are of a class, code and event. */
static int said(const struct sov_report *report, enum sov_class class, const char *kind,
                int64_t seq)
{
    int count = 0;

    for (size_t i = 0; i < report->count; i++)
        count += report->findings[i].class == class && report->findings[i].seq == seq &&
                 strcmp(report->findings[i].kind, kind) == 0;
    return count;
}

static void a_tree_behind_its_ledger_is_drift_only_if_it_must_be_fresh(void **state)
{
    struct publishing *p = *state;
    struct sov_verify_options options = { .tree = &p->repo };
    struct sov_report report;

    report = judged(p, options);
    assert_int_equal(said(&report, SOV_CLASS_ABSENT, "views", 0), 1);
    publish(p);
    options.fresh = true;
    report = judged(p, options);
    assert_int_equal(report.exit, SOV_OK);
    judging_outcome(&p->j, "SKU-TEA");
    report = judged(p, options);
    assert_int_equal(report.exit, SOV_NO);
    assert_int_equal(said(&report, SOV_CLASS_DRIFT, "behind", 0), 1);
    options.fresh = false;
    report = judged(p, options);
    assert_int_equal(report.exit, SOV_OK);
    assert_int_equal(said(&report, SOV_CLASS_DRIFT, "behind", 0), 0);
    publish(p);
    options.fresh = true;
    report = judged(p, options);
    assert_int_equal(report.exit, SOV_OK);
}

static void a_tree_ahead_of_its_ledger_is_a_rollback(void **state)
{
    struct publishing *p = *state;
    struct sov_bytes before = ledger_octets(p);
    struct sov_verify_options options = { .tree = &p->repo };
    struct sov_report report;

    judging_outcome(&p->j, "SKU-TEA");
    publish(p);
    ledger_put_back(p, before);
    report = judged(p, options);
    assert_int_equal(report.exit, SOV_INTEGRITY);
    assert_int_equal(said(&report, SOV_CLASS_ROLLBACK, "published", 0), 1);
}

/* The slice of the pass ends before it; the copy of the clone holds all that there is. */
static void what_a_clone_cannot_fold_is_named_where_the_pass_did_not_fold(void **state)
{
    struct publishing *p = *state;
    struct sov_verify_options options = { .published = true };
    int64_t outcome = judging_outcome(&p->j, "SKU-TEA"), seq = 0;
    struct sov_error err = { 0 };
    struct sov_event event;
    struct sov_report report;

    judging_ready(&p->j, outcome);
    publish(p);
    options.slice = 1;
    report = judged(p, options);
    assert_int_equal(report.exit, SOV_OK);
    do assert_true(sov_log_event(p->j.f.ledger, ++seq, &p->j.f.arena, &event, &err));
    while (event.type != SOV_EVENT_EVIDENCE_RECORDED || event.stream.n != 2);
    edit(p, "governance/log/LOG", "evidence/EVD-2\",\"sv\":1", "evidence/EVD-2\",\"sv\":2");
    for (options.slice = 0; options.slice < 2; options.slice++) {
        report = judged(p, options);
        assert_int_equal(report.exit, SOV_INTEGRITY);
        assert_int_equal(said(&report, SOV_CLASS_TAMPER, "fold", seq), 1);
    }
}

static void a_published_checkpoint_is_of_this_ledger_and_signed_or_it_is_said(void **state)
{
    static const char path[] = "governance/checkpoints/NOTE";
    struct publishing *p = *state;
    struct sov_verify_options options = { .tree = &p->repo };
    struct sov_identity identity;
    struct sov_report report;
    char other[sizeof identity.origin];

    publish(p);
    sov_ledger_identity(p->j.f.ledger, &identity);
    memcpy(other, identity.origin, sizeof other);
    other[strlen(other) - 1] ^= 1;
    edit(p, path, identity.origin, other); /* the line of its log */
    report = judged(p, options);
    assert_int_equal(report.exit, SOV_INTEGRITY);
    assert_int_equal(report.findings[0].class, SOV_CLASS_TAMPER);
    edit(p, path, identity.origin, other); /* the line of its signature */
    report = judged(p, options);
    assert_int_equal(report.exit, SOV_INTEGRITY);
    assert_int_equal(report.findings[0].class, SOV_CLASS_FORK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, publishing_setup, publishing_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_tree_behind_its_ledger_is_drift_only_if_it_must_be_fresh),
        TEST(a_tree_ahead_of_its_ledger_is_a_rollback),
        TEST(what_a_clone_cannot_fold_is_named_where_the_pass_did_not_fold),
        TEST(a_published_checkpoint_is_of_this_ledger_and_signed_or_it_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
