/* A lost ledger made again: what came back, what is named as lost, and what verify makes of it. */
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/ledger_fixture.h"
#include "verify/verify.h"

/* A ledger with a public, a confidential and an erased blob; its backup; and what came since. */
struct scene {
    struct fixture f;
    const char *backup, *pins, *file;
    struct sov_ledger *source;
    int64_t size, head; /* of the backup, and of the ledger that is lost */
    struct sov_hash open, secret, erased;
};

static struct sov_hash confide(struct scene *s, const char *text, bool secret)
{
    struct sov_signal_request request = { .kind = "till.jam",
                                          .source = "till",
                                          .subject = "it",
                                          .dedupe_key = text,
                                          .payload = sov_bytes_text(text),
                                          .confidential = secret };
    struct sov_done done;
    struct sov_signal signal = { 0 };
    struct sov_error why = { 0 };
    bool found;

    FIXTURE_DO(&s->f, "operator", done, sov_signal_record(&commit, &request, &done, &err));
    assert_true(sov_signal_find(s->f.ledger,
                                sov_id_number(sov_bytes_text(done.id), SOV_STREAM_SIGNAL),
                                &s->f.arena, &signal, &found, &why));
    assert_true(found && signal.has_payload);
    return signal.payload.digest;
}

static void pin_at_head(struct scene *s)
{
    struct sov_pin pin;
    struct sov_error err = { 0 };

    assert_true(sov_pin_of(s->f.ledger, fixture_head(&s->f), &s->f.arena, &pin, &err));
    assert_true(sov_pin_move(s->pins, &pin, &err));
}

static void file_remove(struct scene *s)
{
    sov_ledger_end(&s->f.ledger);
    assert_int_equal(unlink(s->file), 0);
}

static int setup(void **state)
{
    static struct scene scene;
    struct scene *s = &scene;
    struct sov_error why = { 0 };
    struct sov_done done;

    fixture_open(&s->f);
    s->backup = sov_arena_printf(&s->f.arena, "%s/backup", s->f.root);
    s->pins = sov_arena_printf(&s->f.arena, "%s/pins", s->f.root);
    s->file = sov_arena_printf(&s->f.arena, "%s/organization.db", s->f.home);
    s->open = confide(s, "open", false);
    s->secret = confide(s, "secret", true);
    s->erased = confide(s, "regretted", true);
    FIXTURE_DO(&s->f, "principal", done,
               sov_blob_erase(&commit, &s->erased, "not ours", &done, &err));
    assert_int_equal(mkdir(s->backup, 0700), 0);
    assert_true(sov_ledger_backup(s->f.ledger, s->backup, &why));
    s->backup = sov_arena_printf(&s->f.arena, "%s/backup/organization.db", s->f.root);
    s->size = fixture_head(&s->f);
    (void)confide(s, "later", false);
    s->head = fixture_head(&s->f);
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    struct scene *s = *state;

    sov_ledger_end(&s->source);
    fixture_close(&s->f);
    return 0;
}

static bool restore(struct scene *s, const char *actor, bool dry,
                    bool (*goes_on)(struct sov_error *err), struct sov_restored *restored_out,
                    struct sov_error *err)
{
    struct sov_restore restore = {
        .pins = s->pins, .actor = actor, .reason = "the disk died", .dry = dry, .goes_on = goes_on
    };

    sov_ledger_end(&s->source);
    if (!sov_backup_open(s->backup, &s->f.places, &s->f.seams, 0, &s->source, err)) return false;
    restore.source = s->source;
    return sov_ledger_restore(&s->f.places, &restore, &s->f.seams, 0, &s->f.arena, restored_out,
                              err);
}

static void restored(struct scene *s, struct sov_restored *restored_out)
{
    struct sov_error err = { 0 };

    if (!restore(s, "principal", false, NULL, restored_out, &err))
        fail_msg("%s: %s", err.code, err.what);
    assert_true(
        sov_ledger_open(&s->f.places, SOV_LEDGER_WRITE, &s->f.seams, 0, &s->f.ledger, &err));
}

/* Nothing stands under the ledger's names, and nothing half done beside them. */
static void nothing_is_there(struct scene *s)
{
    struct sov_folder home = { 0 };
    struct sov_listing names;
    struct sov_error err = { 0 };

    assert_true(sov_folder_open(&home, s->f.home, &err));
    assert_true(sov_folder_names(&home, "", 100, &s->f.arena, &names, &err));
    for (size_t i = 0; i < names.count; i++) {
        assert_false(sov_file_is_leftover(names.name[i]));
        assert_string_not_equal(names.name[i], "organization.db");
    }
    sov_folder_close(&home);
}

static struct sov_report judged(struct scene *s)
{
    struct sov_verify_options options = { .places = &s->f.places,
                                          .seams = &s->f.seams,
                                          .pins = s->pins };
    struct sov_report report;
    struct sov_error err = { 0 };

    assert_true(sov_verify(&options, &s->f.arena, &report, &err));
    return report;
}

static void only(const struct sov_report *report, enum sov_class class, const char *kind)
{
    assert_int_equal(report->count, 1);
    assert_int_equal(report->findings[0].class, class);
    assert_string_equal(report->findings[0].kind, kind);
}

/* ---- what comes back ---- */

static void all_rows_come_back_and_what_was_erased_does_not(void **state)
{
    struct scene *s = *state;
    struct sov_hash *digests[] = { &s->open, &s->secret, &s->erased };
    struct sov_restored done;
    struct sov_error err = { 0 };

    pin_at_head(s);
    file_remove(s);
    restored(s, &done);
    assert_int_equal(done.size, s->size);
    assert_int_equal(done.seq, s->size + 1);
    assert_int_equal(done.lost_first, s->size + 1);
    assert_int_equal(done.lost_last, s->head);
    for (size_t i = 0; i < sizeof digests / sizeof *digests; i++) {
        struct sov_blob blob;
        bool found;

        assert_true(sov_blob_find(s->f.ledger, digests[i], &s->f.arena, &blob, &found, &err));
        assert_true(found);
        assert_int_equal(blob.erased, i == 2);
        assert_int_equal(blob.confidential, i == 1);
    }
    fixture_assert_refold_equal(&s->f);
}

static void a_dry_one_says_the_same_and_leaves_nothing(void **state)
{
    struct scene *s = *state;
    struct sov_restored done;
    struct sov_error err = { 0 };

    pin_at_head(s);
    file_remove(s);
    assert_true(restore(s, "principal", true, NULL, &done, &err));
    assert_int_equal(done.size, s->size);
    assert_int_equal(done.lost_last, s->head);
    nothing_is_there(s);
}

static bool never(struct sov_error *err)
{
    return sov_fail(err, SOV_INTERRUPTED, "interrupted", "interrupted");
}

static void what_is_refused_or_stopped_leaves_nothing(void **state)
{
    struct scene *s = *state;
    struct sov_restored done;
    struct sov_error err = { 0 };

    assert_false(restore(s, "principal", false, NULL, &done, &err));
    assert_string_equal(err.code, "not_lost");
    file_remove(s);
    assert_false(restore(s, "operator", false, NULL, &done, &err));
    assert_string_equal(err.code, "not_authorised");
    nothing_is_there(s);
    assert_false(restore(s, "principal", false, never, &done, &err));
    assert_string_equal(err.code, "interrupted");
    nothing_is_there(s);
    restored(s, &done);
    assert_false(restore(s, "principal", false, NULL, &done, &err));
    assert_string_equal(err.code, "not_lost");
}

static void a_pin_of_another_history_is_a_fork(void **state)
{
    struct scene *s = *state;
    struct sov_identity identity;
    struct sov_restored done;
    struct sov_error err = { 0 };
    struct sov_pin pin = { .size = s->size };

    sov_ledger_identity(s->f.ledger, &identity);
    pin.ledger_id = identity.id;
    assert_true(sov_pin_move(s->pins, &pin, &err));
    file_remove(s);
    assert_false(restore(s, "principal", false, NULL, &done, &err));
    assert_string_equal(err.code, "fork");
    nothing_is_there(s);
}

/* ---- what verify makes of it ---- */

static void the_pin_of_what_was_lost_vouches_for_nothing(void **state)
{
    struct scene *s = *state;
    struct sov_restored done;
    struct sov_report report;

    pin_at_head(s);
    file_remove(s);
    restored(s, &done);
    report = judged(s);
    only(&report, SOV_CLASS_UNANCHORED, "no_anchor");
    /* Once the log has grown past it, too; and a pin of its own takes its place. */
    while (fixture_head(&s->f) <= s->head)
        (void)confide(s, fixture_head(&s->f) % 2 ? "a" : "b", false);
    report = judged(s);
    only(&report, SOV_CLASS_UNANCHORED, "no_anchor");
    pin_at_head(s);
    report = judged(s);
    assert_int_equal(report.exit, SOV_OK);
}

static void another_pin_in_that_range_is_still_evidence(void **state)
{
    struct scene *s = *state;
    const char *mine;
    struct sov_restored done;
    struct sov_report report;

    pin_at_head(s); /* of somebody else, who was not asked */
    mine = s->pins;
    (void)confide(s, "latest", false);
    s->pins = sov_arena_printf(&s->f.arena, "%s/other", s->f.root);
    pin_at_head(s);
    file_remove(s);
    restored(s, &done);
    s->pins = mine;
    report = judged(s);
    only(&report, SOV_CLASS_FORK, "pin");
}

static void a_record_of_another_root_or_size_is_tampering(void **state)
{
    struct scene *s = *state;
    struct sov_restored lies[2] = { { .size = s->head }, { .size = s->size } };
    struct sov_done done;
    struct sov_report report;

    for (size_t i = 0; i < 2; i++)
        FIXTURE_DO(&s->f, "principal", done,
                   sov_restore_record(&commit, &lies[i], "a lie", &done, &err));
    pin_at_head(s);
    report = judged(s);
    assert_int_equal(report.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(report.findings[i].class, SOV_CLASS_TAMPER);
        assert_string_equal(report.findings[i].kind, "restored");
        assert_int_equal(report.findings[i].seq, s->head + 1 + (int64_t)i);
    }
}

static void a_clock_that_went_back_is_said_before_it(void **state)
{
    struct scene *s = *state;
    struct sov_restored done;
    struct sov_report report;

    pin_at_head(s);
    file_remove(s);
    s->f.now.wall.ms -= 60000;
    restored(s, &done);
    assert_int_equal(done.seq, s->size + 2);
    report = judged(s);
    only(&report, SOV_CLASS_UNANCHORED, "no_anchor");
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        T(all_rows_come_back_and_what_was_erased_does_not),
        T(a_dry_one_says_the_same_and_leaves_nothing),
        T(what_is_refused_or_stopped_leaves_nothing),
        T(a_pin_of_another_history_is_a_fork),
        T(the_pin_of_what_was_lost_vouches_for_nothing),
        T(another_pin_in_that_range_is_still_evidence),
        T(a_record_of_another_root_or_size_is_tampering),
        T(a_clock_that_went_back_is_said_before_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
