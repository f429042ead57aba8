/* The log itself: founding, append, the walls, the head, the fold. */
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/log.h"
#include "tests/ledger_fixture.h"

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    fixture_open(f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

static void a_founding_is_twelve_events_in_one_commit(void **state)
{
    static const char *const types[] = {
        "organization.founded", "actor.registered", "actor.registered", "actor.registered",
        "actor.registered",     "actor.registered", "key.registered",   "key.registered",
        "key.registered",       "key.registered",   "key.registered",   "policy.adopted",
    };
    struct fixture *f = *state;
    struct sov_error err = { 0 };
    struct sov_event event;
    struct sov_identity identity;
    struct sov_hash id;

    assert_int_equal(fixture_head(f), 12);
    for (int64_t seq = 1; seq <= 12; seq++) {
        assert_true(sov_log_event(f->ledger, seq, &f->arena, &event, &err));
        assert_string_equal(sov_event_row(event.type)->type, types[seq - 1]);
    }
    assert_true(sov_log_event(f->ledger, 1, &f->arena, &event, &err));
    id = sov_sha256(event.octets);
    sov_ledger_identity(f->ledger, &identity);
    assert_memory_equal(&identity.id, &id, sizeof id);
    assert_int_equal(strncmp(identity.origin, "the-store/", 10), 0);
}

static void founding_again_is_a_noop(void **state)
{
    struct fixture *f = *state;
    struct sov_founding founding = { .name = "Another" };
    struct sov_founded founded;
    struct sov_error err = { 0 };
    struct sov_hash before = fixture_digest(f), after;

    assert_true(
        sov_organization_found(&f->places, &founding, &f->seams, &f->arena, &founded, &err));
    assert_true(founded.noop);
    assert_int_equal(founded.size, 12);
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
}

static void a_dry_founding_leaves_nothing_anywhere(void **state)
{
    struct fixture *f = *state;
    struct sov_founding founding = { .name = "Dry", .dry = true };
    struct sov_founded founded;
    struct sov_error err = { 0 };
    char home[128], keys[128];
    struct sov_places places = { home, keys };
    bool there;

    snprintf(home, sizeof home, "%s/elsewhere/.sovereign", f->root);
    snprintf(keys, sizeof keys, "%s/elsewhere/keys", f->root);
    assert_true(sov_organization_found(&places, &founding, &f->seams, &f->arena, &founded, &err));
    assert_int_equal(founded.count, 12);
    assert_true(sov_ledger_there(&places, &there, &err));
    assert_false(there);
}

static void an_actor_is_registered_revised_and_retired(void **state)
{
    struct fixture *f = *state;
    struct sov_actor_request request = { "builder-3", "robot", "operator", "scripted", NULL, NULL };
    struct sov_actor actor;
    struct sov_done done;
    struct sov_error outer = { 0 };
    bool found;

    FIXTURE_DO(f, "principal", &done, sov_actor_register(&commit, &request, &done, &err));
    assert_string_equal(done.id, "builder-3");
    FIXTURE_REFUSED(f, "principal", "exists", &done,
                    sov_actor_register(&commit, &request, &done, &err));
    request.represents = "team/tea";
    request.reason = "now answers to the tea team";
    FIXTURE_DO(f, "principal", &done, sov_actor_revise(&commit, &request, &done, &err));
    assert_true(sov_actor_find(f->ledger, "builder-3", &f->arena, &actor, &found, &outer));
    assert_true(found);
    assert_string_equal(actor.represents, "team/tea");
    FIXTURE_DO(f, "principal", &done,
               sov_actor_change(&commit, "builder-3", SOV_ACTOR_RETIRE, "done", &done, &err));
    FIXTURE_REFUSED(f, "principal", "wrong_state", &done,
                    sov_actor_change(&commit, "builder-3", SOV_ACTOR_RESUME, "back", &done, &err));
    fixture_assert_refold_equal(f);
}

static void roster_refusals_change_nothing(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;
    const struct {
        const char *who, *code;
        struct sov_actor_request request;
    } rows[] = {
        { "operator", "not_authorised", { "a", "robot", "operator", "scripted", NULL, NULL } },
        { "nobody", "no_such_id", { "a", "robot", "operator", "scripted", NULL, NULL } },
        { "principal", "bad_value", { "A", "robot", "operator", "scripted", NULL, NULL } },
        { "principal", "bad_value", { "host", "robot", "operator", "scripted", NULL, NULL } },
        { "principal", "bad_value", { "a", "ghost", "operator", "scripted", NULL, NULL } },
        { "principal", "role_unknown", { "a", "robot", "captain", "scripted", NULL, NULL } },
        { "principal", "represents_invalid", { "a", "robot", "operator", "scripted", "b", NULL } },
        { "principal", "represents_invalid", { "a", "robot", "operator", "scripted", "a", NULL } },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        FIXTURE_REFUSED(f, rows[i].who, rows[i].code, &done,
                        sov_actor_register(&commit, &rows[i].request, &done, &err));
    FIXTURE_REFUSED(f, "principal", "reason_missing", &done,
                    sov_actor_change(&commit, "operator", SOV_ACTOR_SUSPEND, " ", &done, &err));
    FIXTURE_REFUSED(f, "principal", "policy_locks_out", &done,
                    sov_actor_change(&commit, "principal", SOV_ACTOR_RETIRE, "x", &done, &err));
    FIXTURE_REFUSED(f, "principal", "wrong_state", &done,
                    sov_actor_change(&commit, "operator", SOV_ACTOR_RESUME, "x", &done, &err));
}

static void a_suspended_actor_may_do_nothing(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done,
               sov_actor_change(&commit, "operator", SOV_ACTOR_SUSPEND, "odd", &done, &err));
    FIXTURE_REFUSED(f, "operator", "actor_inactive", &done,
                    sov_key_rotate(&commit, "operator", "x", NULL, &done, &err));
}

static void a_repeat_under_one_key_is_a_noop_and_another_request_is_refused(void **state)
{
    struct fixture *f = *state;
    struct sov_actor_request request = { "builder-3", "robot", "operator", "scripted", NULL, NULL };
    struct sov_actor_request other = { "builder-4", "robot", "operator", "scripted", NULL, NULL };
    struct sov_done done, again;
    struct sov_hash before, after;

    FIXTURE_DO(f, "principal", &done,
               (commit.act.key = "k1", sov_actor_register(&commit, &request, &done, &err)));
    before = fixture_digest(f);
    FIXTURE_DO(f, "principal", &again,
               (commit.act.key = "k1", sov_actor_register(&commit, &request, &again, &err)));
    after = fixture_digest(f);
    assert_int_equal(again.effect, SOV_NOOP);
    assert_int_equal(again.seq, done.seq);
    assert_string_equal(again.id, done.id);
    assert_memory_equal(&before, &after, sizeof before);
    FIXTURE_REFUSED(f, "principal", "key_reused", &done,
                    (commit.act.key = "k1", sov_actor_register(&commit, &other, &done, &err)));
}

static void an_expected_head_or_version_that_moved_is_refused(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;

    FIXTURE_REFUSED(f, "principal", "moved", &done,
                    (commit.act.expect_seq = 11,
                     sov_actor_change(&commit, "operator", SOV_ACTOR_SUSPEND, "x", &done, &err)));
    FIXTURE_REFUSED(f, "principal", "moved", &done,
                    (commit.act.expect_version = 2,
                     sov_actor_change(&commit, "operator", SOV_ACTOR_SUSPEND, "x", &done, &err)));
    FIXTURE_DO(f, "principal", &done,
               (commit.act.expect_seq = 12, commit.act.expect_version = 1,
                sov_actor_change(&commit, "operator", SOV_ACTOR_SUSPEND, "x", &done, &err)));
}

static void a_clock_that_went_back_is_clamped_and_said_once(void **state)
{
    struct fixture *f = *state;
    struct sov_error outer = { 0 };
    struct sov_event regressed, event;
    struct sov_done done;

    f->now.wall.ms -= 90000;
    FIXTURE_DO(f, "principal", &done,
               sov_actor_change(&commit, "operator", SOV_ACTOR_SUSPEND, "x", &done, &err));
    assert_int_equal(fixture_head(f), 14);
    assert_true(sov_log_event(f->ledger, 13, &f->arena, &regressed, &outer));
    assert_int_equal(regressed.type, SOV_EVENT_CLOCK_REGRESSED);
    assert_int_equal(sov_data_int(&regressed, "by_ms"), 90000);
    assert_true(sov_log_event(f->ledger, 14, &f->arena, &event, &outer));
    assert_int_equal(event.at.ms, f->now.wall.ms + 90000);
    FIXTURE_REFUSED(f, "operator", "actor_inactive", &done,
                    sov_key_rotate(&commit, "operator", "x", NULL, &done, &err));
}

static void a_dry_act_decides_and_appends_nothing(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;
    struct sov_hash before = fixture_digest(f), after;

    FIXTURE_DO(f, "principal", &done,
               (commit.act.dry = true,
                sov_actor_change(&commit, "operator", SOV_ACTOR_SUSPEND, "x", &done, &err)));
    assert_int_equal(done.effect, SOV_WOULD);
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
}

static void keys_are_made_rotated_and_revoked(void **state)
{
    struct fixture *f = *state;
    struct sov_error outer = { 0 };
    struct sov_actor_keys keys;
    struct sov_done done;
    char revoked[64];

    FIXTURE_DO(f, "principal", &done, sov_key_new(&commit, "operator", NULL, &done, &err));
    FIXTURE_DO(f, "operator", &done,
               sov_key_rotate(&commit, "operator", "yearly", NULL, &done, &err));
    assert_true(sov_key_list(f->ledger, "operator", &f->arena, &keys, &outer));
    assert_int_equal(keys.count, 3);
    assert_int_equal(keys.at[0].to_seq, 0);
    assert_int_equal(keys.at[1].to_seq, done.seq);
    assert_string_equal(keys.at[1].successor, keys.at[2].id);
    snprintf(revoked, sizeof revoked, "%s", keys.at[0].id);
    FIXTURE_REFUSED(f, "master", "not_authorised", &done,
                    sov_key_revoke(&commit, revoked, "lost", 0, &done, &err));
    FIXTURE_DO(f, "principal", &done, sov_key_revoke(&commit, revoked, "lost", 9, &done, &err));
    FIXTURE_REFUSED(f, "principal", "wrong_state", &done,
                    sov_key_revoke(&commit, revoked, "lost", 0, &done, &err));
    fixture_assert_refold_equal(f);
}

static void a_statement_is_checked_against_actor_key_interval_and_words(void **state)
{
    struct fixture *f = *state;
    struct sov_error outer = { 0 };
    struct sov_bytes words = sov_bytes_text("{\"decision\":\"accepted\"}");
    struct sov_bytes others = sov_bytes_text("{\"decision\":\"rejected\"}");
    struct sov_signed_by by;
    struct sov_done done;

    assert_true(
        sov_statement_sign(f->ledger, "sparring", NULL, "sov.review.v1", words, &by, &outer));
    assert_true(sov_statement_check(f->ledger, "sparring", "sov.review.v1", words, &by, 0, &outer));
    assert_false(
        sov_statement_check(f->ledger, "sparring", "sov.review.v1", others, &by, 0, &outer));
    assert_string_equal(outer.code, "bad_signature");
    assert_false(
        sov_statement_check(f->ledger, "sparring", "sov.accept.v1", words, &by, 0, &outer));
    assert_string_equal(outer.code, "bad_signature");
    assert_false(sov_statement_check(f->ledger, "master", "sov.review.v1", words, &by, 0, &outer));
    assert_string_equal(outer.code, "key_invalid");
    FIXTURE_DO(f, "sparring", &done, sov_key_rotate(&commit, "sparring", "x", NULL, &done, &err));
    assert_false(
        sov_statement_check(f->ledger, "sparring", "sov.review.v1", words, &by, 0, &outer));
    assert_string_equal(outer.code, "key_invalid");
    assert_true(
        sov_statement_check(f->ledger, "sparring", "sov.review.v1", words, &by, 12, &outer));
}

static void a_blob_is_kept_once_and_erased_only_behind_its_event(void **state)
{
    struct fixture *f = *state;
    struct sov_error outer = { 0 };
    struct sov_blob_ref open, secret;
    struct sov_actor_request request = { "b", "robot", "operator", "scripted", NULL, NULL };
    struct sov_done done;
    struct sov_blob blob;
    bool found;

    FIXTURE_DO(
        f, "principal", &done,
        sov_blob_put(&commit, sov_bytes_text("hello"), "text/plain", false, &open, &err) &&
            sov_blob_put(&commit, sov_bytes_text("hello"), "text/plain", true, &secret, &err) &&
            sov_actor_register(&commit, &request, &done, &err));
    assert_memory_not_equal(&open.digest, &secret.digest, sizeof open.digest);
    assert_true(sov_blob_find(f->ledger, &secret.digest, &f->arena, &blob, &found, &outer));
    assert_true(found && blob.confidential && !blob.erased);
    assert_memory_equal(blob.content.data, "hello", 5);
    FIXTURE_REFUSED(f, "operator", "not_authorised", &done,
                    sov_blob_erase(&commit, &secret.digest, "asked to", &done, &err));
    FIXTURE_DO(f, "principal", &done,
               sov_blob_erase(&commit, &secret.digest, "asked to", &done, &err));
    assert_true(sov_blob_find(f->ledger, &secret.digest, &f->arena, &blob, &found, &outer));
    assert_true(found && blob.erased);
    FIXTURE_REFUSED(f, "principal", "no_such_id", &done,
                    sov_blob_erase(&commit, &secret.digest, "again", &done, &err));
}

static void a_fold_to_an_earlier_size_knows_nothing_later(void **state)
{
    struct fixture *f = *state;
    struct sov_error outer = { 0 };
    struct sov_ledger *folded = NULL;
    struct sov_actor actor;
    struct sov_done done;
    int64_t head;
    bool found;
    struct sov_actor_request request = { "late", "robot", "operator", "scripted", NULL, NULL };

    FIXTURE_DO(f, "principal", &done, sov_actor_register(&commit, &request, &done, &err));
    assert_true(sov_ledger_fold_to(f->ledger, 12, &folded, &outer));
    assert_true(sov_ledger_head(folded, &head, &outer));
    assert_int_equal(head, 12);
    assert_true(sov_actor_find(folded, "late", &f->arena, &actor, &found, &outer));
    assert_false(found);
    assert_true(sov_actor_find(folded, "master", &f->arena, &actor, &found, &outer));
    assert_true(found);
    sov_ledger_close(folded);
}

/* Each is well-formed and can be folded: only what it stands behind is wrong. */
static bool behind(struct sov_commit *commit, enum sov_event_type type, int64_t cause,
                   struct sov_error *err)
{
    bool regress = type == SOV_EVENT_CLOCK_REGRESSED, retire = type == SOV_EVENT_ACTOR_RETIRED;
    struct sov_addition addition = {
        .type = type,
        .stream = sov_stream_named(retire ? SOV_STREAM_ACTOR : SOV_STREAM_ORGANIZATION,
                                   sov_bytes_text(retire ? "master" : "self")),
        .data = sov_bytes_text(regress  ? "{\"by_ms\":1}"
                               : retire ? "{\"reason\":\"gone\"}"
                                        : "{\"kind\":\"nfs\",\"reason\":\"known\"}"),
        .cause = { cause },
    };
    struct sov_done done;

    return sov_filesystem_allow(commit, "tmpfs", "a lead", &done, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}

static void a_consequence_stands_behind_no_lead_that_may_not_bring_it(void **state)
{
    static const enum sov_event_type rows[] = { SOV_EVENT_CLOCK_REGRESSED, SOV_EVENT_ACTOR_RETIRED,
                                                SOV_EVENT_FILESYSTEM_ALLOWED };
    struct fixture *f = *state;
    int done = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FIXTURE_REFUSED(f, "principal", "internal_error", done, behind(&commit, rows[i], 0, &err));
        FIXTURE_REFUSED(f, "principal", "internal_error", done, behind(&commit, rows[i], 1, &err));
    }
}

static void registry_fields_stand_in_key_order(void **state)
{
    (void)state;
    for (enum sov_event_type type = 0; type < SOV_EVENT_TYPE_COUNT; type++) {
        const struct sov_shape *shape = &sov_event_row(type)->data;

        for (size_t i = 1; i < shape->count; i++)
            if (strcmp(shape->fields[i - 1].name, shape->fields[i].name) >= 0)
                fail_msg("%s: %s", shape->name, shape->fields[i].name);
    }
    for (size_t n = 0; sov_shape_at(n); n++)
        for (size_t i = 1; i < sov_shape_at(n)->count; i++)
            if (strcmp(sov_shape_at(n)->fields[i - 1].name, sov_shape_at(n)->fields[i].name) >= 0)
                fail_msg("%s: %s", sov_shape_at(n)->name, sov_shape_at(n)->fields[i].name);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(a_founding_is_twelve_events_in_one_commit),
        T(founding_again_is_a_noop),
        T(a_dry_founding_leaves_nothing_anywhere),
        T(an_actor_is_registered_revised_and_retired),
        T(roster_refusals_change_nothing),
        T(a_suspended_actor_may_do_nothing),
        T(a_repeat_under_one_key_is_a_noop_and_another_request_is_refused),
        T(an_expected_head_or_version_that_moved_is_refused),
        T(a_clock_that_went_back_is_clamped_and_said_once),
        T(a_dry_act_decides_and_appends_nothing),
        T(keys_are_made_rotated_and_revoked),
        T(a_statement_is_checked_against_actor_key_interval_and_words),
        T(a_blob_is_kept_once_and_erased_only_behind_its_event),
        T(a_fold_to_an_earlier_size_knows_nothing_later),
        T(a_consequence_stands_behind_no_lead_that_may_not_bring_it),
        cmocka_unit_test(registry_fields_stand_in_key_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
