/* The judge over a ledger file: what it finds when a byte is not as it was written. */
#include "tests/unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/ledger_fixture.h"
#include "verify/verify.h"

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct sov_blob_ref ref;
    struct sov_done done;

    fixture_open(f);
    for (int i = 0; i < 6; i++) {
        char id[16];
        struct sov_actor_request request = { id, "robot", "operator", "scripted", NULL, NULL };

        snprintf(id, sizeof id, "builder-%d", i);
        fixture_tick(f, 1000);
        FIXTURE_DO(f, "principal", &done,
                   (commit.act.key = id, true) &&
                       sov_blob_put(&commit, sov_bytes_text(id), "text/plain", i % 2, &ref, &err) &&
                       sov_actor_register(&commit, &request, &done, &err));
    }
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

static struct sov_report judged(struct fixture *f)
{
    struct sov_verify_options options = { .places = &f->places,
                                          .seams = &f->seams,
                                          .wait_ms = 1000,
                                          .no_anchor = true,
                                          .all_signatures = true };
    struct sov_report report;
    struct sov_error err = { 0 };

    sov_ledger_close(f->ledger);
    f->ledger = NULL;
    if (!sov_verify(&options, &f->arena, &report, &err)) fail_msg("%s", err.what);
    return report;
}

static bool has(const struct sov_report *report, enum sov_class class)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->findings[i].class == class) return true;
    return false;
}

static void explain(const struct sov_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        print_message("%s %s %lld %s\n", sov_class_word(report->findings[i].class),
                      report->findings[i].kind, (long long)report->findings[i].seq,
                      report->findings[i].message);
    for (size_t i = 0; i < report->note_count; i++) print_message("%s\n", report->notes[i]);
}

static void an_untouched_ledger_is_as_it_was_written(void **state)
{
    struct fixture *f = *state;
    struct sov_hash before = fixture_digest(f), after;
    struct sov_report report = judged(f);

    if (report.exit != SOV_OK) explain(&report);
    assert_int_equal(report.exit, SOV_OK);
    assert_int_equal(report.size, 18);
    assert_int_equal(report.count, 1); /* UNANCHORED, accepted */
    assert_int_equal(report.findings[0].class, SOV_CLASS_UNANCHORED);
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
}

/* A stranger, with triggers and checks out of the way. */
static void tamper(struct fixture *f, const char *sql)
{
    char path[160];
    sqlite3 *db;

    sov_ledger_close(f->ledger);
    f->ledger = NULL;
    snprintf(path, sizeof path, "%s/organization.db", f->home);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_exec(db, "PRAGMA ignore_check_constraints = 1", NULL, NULL, NULL);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}

static const struct change {
    const char *sql;
    enum sov_class class;
    int64_t seq;
} changes[] = {
    { "UPDATE event SET octets = CAST(replace(CAST(octets AS TEXT), 'builder-3', 'builder-9') "
      "AS BLOB) WHERE seq = 16",
      SOV_CLASS_TAMPER, 16 },
    { "UPDATE event SET octets = CAST(replace(CAST(octets AS TEXT), '{', '[') AS BLOB) "
      "WHERE seq = 14",
      SOV_CLASS_TAMPER, 14 },
    { "UPDATE event SET octets = CAST(octets || ' ' AS BLOB) WHERE seq = 15", SOV_CLASS_TAMPER,
      15 },
    { "UPDATE event SET hash = zeroblob(32) WHERE seq = 13", SOV_CLASS_TAMPER, 13 },
    { "UPDATE event SET resource = 'assignment/ASG-1', fence = 3 WHERE seq = 17", SOV_CLASS_TAMPER,
      17 },
    { "UPDATE event SET seq = 30 WHERE seq = 18", SOV_CLASS_TAMPER, 18 },
    { "DELETE FROM event WHERE seq = 15", SOV_CLASS_TAMPER, 15 },
    { "DELETE FROM event WHERE seq > 16", SOV_CLASS_TAMPER, 17 },
    { "INSERT INTO event SELECT 19, hash, octets, NULL, NULL FROM event WHERE seq = 18",
      SOV_CLASS_TAMPER, 19 },
    { "UPDATE checkpoint SET root = zeroblob(32) WHERE size = 15", SOV_CLASS_TAMPER, 15 },
    { "UPDATE checkpoint SET root = zeroblob(32) WHERE size = 18", SOV_CLASS_TAMPER, 18 },
    { "UPDATE checkpoint SET signature = zeroblob(64) WHERE size = 14", SOV_CLASS_TAMPER, 14 },
    { "UPDATE checkpoint SET signature = zeroblob(64) WHERE size = 18", SOV_CLASS_TAMPER, 18 },
    { "UPDATE checkpoint SET key = key + 1 WHERE size = 16", SOV_CLASS_TAMPER, 16 },
    { "UPDATE checkpoint SET size = 20 WHERE size = 18", SOV_CLASS_TAMPER, 19 },
    { "DELETE FROM checkpoint WHERE size = 18", SOV_CLASS_TAMPER, 18 },
    { "UPDATE state_actor SET role = 'principal' WHERE id = 'builder-2'", SOV_CLASS_STATE, 0 },
    { "DELETE FROM state_actor WHERE id = 'builder-2'", SOV_CLASS_STATE, 0 },
    { "INSERT INTO state_actor SELECT 'zz', kind, role, provider, represents, status, seq FROM "
      "state_actor WHERE id = 'master'",
      SOV_CLASS_STATE, 0 },
    { "UPDATE state_range SET nodes = zeroblob(64)", SOV_CLASS_STATE, 0 },
    { "UPDATE state_history SET seq = 3 WHERE seq = 4", SOV_CLASS_STATE, 0 },
    { "DELETE FROM state_idempotency WHERE key = 'builder-1'", SOV_CLASS_STATE, 14 },
    { "INSERT INTO state_idempotency VALUES ('principal', 'more', 4)", SOV_CLASS_STATE, 0 },
    { "UPDATE blob SET content = CAST('X' || substr(content, 2) AS BLOB) WHERE n = 1",
      SOV_CLASS_TAMPER, 0 },
    { "UPDATE blob SET digest = zeroblob(32) WHERE n = 2", SOV_CLASS_TAMPER, 0 },
    { "UPDATE blob SET salt = zeroblob(32) WHERE n = 2", SOV_CLASS_TAMPER, 0 },
    { "UPDATE blob SET content = NULL, salt = NULL WHERE n = 2", SOV_CLASS_TAMPER, 0 },
    { "UPDATE blob SET n = 99 WHERE n = 6", SOV_CLASS_TAMPER, 0 },
    { "DROP TRIGGER event_next", SOV_CLASS_SCHEMA, 0 },
    { "CREATE TABLE extra (a)", SOV_CLASS_SCHEMA, 0 },
};

static void a_change_in_any_canonical_column_is_named_with_the_first_bad_seq(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        void *fresh = NULL;
        struct sov_report report;

        setup(&fresh);
        tamper(fresh, changes[i].sql);
        report = judged(fresh);
        if (report.exit != SOV_INTEGRITY || !has(&report, changes[i].class) ||
            (changes[i].seq && report.first_bad_seq != changes[i].seq)) {
            explain(&report);
            fail_msg("%s: exit %d, first bad %lld", changes[i].sql, (int)report.exit,
                     (long long)report.first_bad_seq);
        }
        teardown(&fresh);
    }
}

static void without_a_ledger_there_is_nothing_to_check(void **state)
{
    struct fixture *f = *state;
    struct sov_report report;
    char path[160];

    sov_ledger_close(f->ledger);
    f->ledger = NULL;
    snprintf(path, sizeof path, "%s/organization.db", f->home);
    assert_int_equal(remove(path), 0);
    report = judged(f);
    assert_int_equal(report.exit, SOV_ABSENT);
    assert_true(has(&report, SOV_CLASS_ABSENT));
}

static void a_file_that_is_no_ledger_is_corrupt(void **state)
{
    static const char *const content[] = { "", "SQLite format 3",
                                           "not a database at all, but long" };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof content / sizeof *content; i++) {
        struct sov_report report;
        char path[160];
        FILE *file;

        sov_ledger_close(f->ledger);
        f->ledger = NULL;
        snprintf(path, sizeof path, "%s/organization.db", f->home);
        file = fopen(path, "w");
        fputs(content[i], file);
        fclose(file);
        report = judged(f);
        if (report.exit != SOV_INTEGRITY) explain(&report);
        assert_int_equal(report.exit, SOV_INTEGRITY);
        assert_true(has(&report, SOV_CLASS_CORRUPT));
    }
}

static void a_pin_tells_prefix_rollback_and_fork_apart(void **state)
{
    struct fixture *f = *state;
    struct sov_verify_options options = { .places = &f->places,
                                          .seams = &f->seams,
                                          .wait_ms = 1000 };
    struct sov_error err = { 0 };
    struct sov_report report;
    struct sov_identity identity;
    struct sov_pin pin = { .size = 18 };
    char pins[128], file[256], hex[65];

    snprintf(pins, sizeof pins, "%s/pins", f->root);
    options.pins = pins;
    sov_ledger_identity(f->ledger, &identity);
    pin.ledger_id = identity.id;
    sov_hex(sov_hash_bytes(&identity.id), hex);
    snprintf(file, sizeof file, "%s/%s", pins, hex);
    report = judged(f);
    pin.root = report.root;

    assert_true(sov_verify(&options, &f->arena, &report, &err));
    assert_int_equal(report.exit, SOV_NO); /* UNANCHORED */
    assert_string_equal(report.identity, "trusted on first use");

    assert_true(sov_pin_move(pins, &pin, &err));
    assert_true(sov_verify(&options, &f->arena, &report, &err));
    assert_int_equal(report.exit, SOV_OK);
    assert_string_equal(report.identity, "pinned");
    assert_int_equal(report.unanchored_tail, 0);

    pin.size = 17; /* forward only: the file keeps the larger one */
    assert_true(sov_pin_move(pins, &pin, &err));
    assert_true(sov_verify(&options, &f->arena, &report, &err));
    assert_int_equal(report.exit, SOV_OK);

    remove(file);
    snprintf(file, sizeof file, "%s/.sov-tmp-1-0", pins); /* of one that was killed */
    fclose(fopen(file, "w"));
    assert_true(sov_pin_move(pins, &pin, &err)); /* the root of 18 at size 17 */
    assert_int_not_equal(access(file, F_OK), 0);
    assert_true(sov_verify(&options, &f->arena, &report, &err));
    assert_int_equal(report.exit, SOV_INTEGRITY);
    assert_true(has(&report, SOV_CLASS_FORK));

    pin.size = 40;
    assert_true(sov_pin_move(pins, &pin, &err));
    assert_true(sov_verify(&options, &f->arena, &report, &err));
    assert_true(has(&report, SOV_CLASS_ROLLBACK));
}

static void another_ledger_than_asked_for_is_a_fork(void **state)
{
    struct fixture *f = *state;
    struct sov_hash other = { { 1 } };
    struct sov_verify_options options = { .places = &f->places,
                                          .seams = &f->seams,
                                          .wait_ms = 1000,
                                          .no_anchor = true,
                                          .ledger_id = &other };
    struct sov_error err = { 0 };
    struct sov_report report;

    assert_true(sov_verify(&options, &f->arena, &report, &err));
    assert_int_equal(report.exit, SOV_INTEGRITY);
    assert_true(has(&report, SOV_CLASS_FORK));
}

/* What verify says of a checkpoint that was kept elsewhere: "" or class and kind. */
static const char *said_of(struct fixture *f, struct sov_bytes note)
{
    struct sov_known_note kept = { "kept.txt", note };
    struct sov_verify_options options = {
        .places = &f->places, .seams = &f->seams, .wait_ms = 1000, .notes = &kept, .note_count = 1
    };
    struct sov_error err = { 0 };
    struct sov_report report;

    if (!sov_verify(&options, &f->arena, &report, &err)) fail_msg("%s", err.what);
    if (!report.count) return report.exit == SOV_OK ? "" : "no finding";
    return sov_arena_printf(&f->arena, "%s %s", sov_class_word(report.findings[0].class),
                            report.findings[0].kind);
}

static void a_kept_checkpoint_is_of_this_ledger_and_signed_or_it_is_said(void **state)
{
    struct fixture *f = *state;
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
    struct sov_error err = { 0 };
    uint8_t *name, *again, *end;
    size_t size;

    sov_buf_init(&note, 4096);
    if (!sov_checkpoint_note(f->ledger, 0, &note, &err)) fail_msg("%s", err.what);
    assert_string_equal(said_of(f, sov_buf_bytes(&note)), "");
    end = note.data + note.size - 8; /* in the signature's own octets */
    *end = *end == 'A' ? 'B' : 'A';
    assert_string_equal(said_of(f, sov_buf_bytes(&note)), "TAMPER checkpoint");
    name = note.data; /* in its first line, and before its signature */
    size = (size_t)((uint8_t *)memchr(name, '\n', note.size) - name);
    again = memmem(name + size, note.size - size, name, size);
    assert_non_null(again);
    name[size - 1] = again[size - 1] = name[size - 1] == '0' ? '1' : '0';
    assert_string_equal(said_of(f, sov_buf_bytes(&note)), "FORK checkpoint");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(an_untouched_ledger_is_as_it_was_written),
        cmocka_unit_test(a_change_in_any_canonical_column_is_named_with_the_first_bad_seq),
        T(without_a_ledger_there_is_nothing_to_check),
        T(a_file_that_is_no_ledger_is_corrupt),
        T(a_pin_tells_prefix_rollback_and_fork_apart),
        T(another_ledger_than_asked_for_is_a_fork),
        T(a_kept_checkpoint_is_of_this_ledger_and_signed_or_it_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
