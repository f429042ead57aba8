/* Notes and ranges against the log that they are said to be of. */
#include "tests/ledger_work.h"

#include <sqlite3.h>

#include "base/note.h"

enum { HEAD = 15 };

static int setup(void **state)
{
    struct fixture *f;

    work_setup(state);
    f = *state;
    for (int i = 0; i < 3; i++) {
        const char *name = sov_arena_printf(&f->arena, "till-%d", i);
        struct sov_done done;

        FIXTURE_DO(f, "principal", &done, sov_account_open(&commit, name, "cent", 0, &done, &err));
    }
    assert_int_equal(fixture_head(f), HEAD);
    return 0;
}

/* A stranger beside the open handle, with triggers out of the way. */
static void tamper(struct fixture *f, const char *sql)
{
    char path[160];
    sqlite3 *db;

    snprintf(path, sizeof path, "%s/organization.db", f->home);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_exec(db, "PRAGMA ignore_check_constraints = 1", NULL, NULL, NULL);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* ---- the range of a checkpoint ---- */

static bool range_at(struct fixture *f, int64_t size, struct sov_range *range_out,
                     struct sov_error *err)
{
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    bool found;

    assert_true(sov_checkpoint_at(f->ledger, size, &checkpoint, &signature, &found, err) && found);
    assert_int_equal(checkpoint.size, size);
    return sov_range_of(f->ledger, &checkpoint, range_out, err);
}

static void every_checkpoint_has_the_range_of_its_events(void **state)
{
    struct fixture *f = *state;

    for (int64_t size = HEAD - 3; size <= HEAD; size++) {
        struct sov_range range = { 0 }, due = { 0 };
        struct sov_error err = { 0 };

        if (!range_at(f, size, &range, &err)) fail_msg("%lld: %s", (long long)size, err.what);
        for (int64_t seq = 1; seq <= size; seq++) {
            struct sov_event event;
            struct sov_hash leaf;

            assert_true(sov_log_event(f->ledger, seq, &f->arena, &event, &err));
            leaf = sov_leaf_hash(event.octets);
            sov_range_append(&due, &leaf);
        }
        assert_int_equal(range.size, size);
        assert_memory_equal(range.node, due.node, sov_range_count(&due) * sizeof *due.node);
    }
}

static void events_that_are_missing_or_changed_give_no_range(void **state)
{
    static const struct {
        const char *sql, *code;
    } rows[] = {
        { "DELETE FROM event WHERE seq = 1", "event_invalid" },
        { "DELETE FROM event WHERE seq = 5", "event_invalid" },
        { "DELETE FROM event WHERE seq = 14", "event_invalid" }, /* the last of them */
        { "DELETE FROM event WHERE seq >= 14", "event_invalid" },
        { "UPDATE event SET octets = CAST(octets || ' ' AS BLOB) WHERE seq = 5", "head_mismatch" },
        { "UPDATE checkpoint SET root = zeroblob(32) WHERE size = 14", "head_mismatch" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_range range = { .size = 77 };
        struct sov_error err = { 0 };
        void *fresh = NULL;

        (void)state;
        setup(&fresh);
        tamper(fresh, rows[i].sql);
        if (range_at(fresh, 14, &range, &err)) fail_msg("not seen: %s", rows[i].sql);
        assert_string_equal(err.code, rows[i].code);
        assert_int_equal(err.exit, SOV_INTEGRITY);
        assert_int_equal(range.size, 77);
        work_teardown(&fresh);
    }
}

static void a_stored_checkpoint_that_is_cut_is_none(void **state)
{
    static const char *const cuts[] = {
        "UPDATE checkpoint SET root = zeroblob(31) WHERE size = 15",
        "UPDATE checkpoint SET root = zeroblob(33) WHERE size = 15",
        "UPDATE checkpoint SET signature = zeroblob(63) WHERE size = 15",
        "UPDATE checkpoint SET signature = zeroblob(65) WHERE size = 15",
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        struct sov_checkpoint checkpoint;
        struct sov_signature signature;
        struct sov_error err = { 0 };
        bool found;

        tamper(f, cuts[i]);
        if (sov_checkpoint_at(f->ledger, HEAD, &checkpoint, &signature, &found, &err))
            fail_msg("not seen: %s", cuts[i]);
        assert_string_equal(err.code, "checkpoint_invalid");
        tamper(f, "UPDATE checkpoint SET root = zeroblob(32), signature = zeroblob(64) "
                  "WHERE size = 15");
        assert_true(sov_checkpoint_at(f->ledger, HEAD, &checkpoint, &signature, &found, &err) &&
                    found);
    }
}

static void a_size_that_no_commit_ended_at_has_no_note(void **state)
{
    static const int64_t none[] = { 1, 11, 16, 18 };
    struct fixture *f = *state;
    struct sov_error outer = { 0 };
    struct sov_done done;
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };

    FIXTURE_DO(f, "principal", &done,
               sov_account_open(&commit, "a", "cent", 0, &done, &err) &&
                   sov_account_open(&commit, "b", "cent", 0, &done, &err));
    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        if (sov_checkpoint_note(f->ledger, none[i], &note, &outer)) fail_msg("row %zu", i);
        assert_string_equal(outer.code, "no_such_id");
        assert_int_equal(note.size, 0);
    }
    assert_true(sov_checkpoint_note(f->ledger, HEAD + 2, &note, &outer));
}

static void a_pin_is_not_made_of_a_founding_that_the_note_is_not_of(void **state)
{
    struct fixture *f = *state;
    struct sov_pin pin = { .size = 77 };
    struct sov_error err = { 0 };

    assert_true(sov_pin_of(f->ledger, HEAD, &f->arena, &pin, &err));
    pin.size = 77;
    tamper(f, "UPDATE event SET octets = CAST(replace(CAST(octets AS TEXT), 'The store', "
              "'The stare') AS BLOB) WHERE seq = 1");
    assert_false(sov_pin_of(f->ledger, HEAD, &f->arena, &pin, &err));
    assert_string_equal(err.code, "head_mismatch");
    assert_int_equal(err.exit, SOV_INTEGRITY);
    assert_int_equal(pin.size, 77);
}

/* ---- a note ---- */

/* The own one, with another first line and another name behind its dash. */
static const char *note_named(struct fixture *f, const char *first, const char *signer)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
    struct sov_identity identity;
    struct sov_error err = { 0 };
    const char *text, *middle, *tail;

    sov_ledger_identity(f->ledger, &identity);
    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    assert_true(sov_checkpoint_note(f->ledger, HEAD, &note, &err));
    text = sov_arena_text(&f->arena, sov_buf_bytes(&note));
    middle = text + strlen(identity.origin);
    tail = strstr(middle, identity.origin);
    assert_non_null(tail);
    return sov_arena_printf(&f->arena, "%s%.*s%s%s", first ? first : identity.origin,
                            (int)(tail - middle), middle, signer ? signer : identity.origin,
                            tail + strlen(identity.origin));
}

static const char *code_of(struct fixture *f, const char *text)
{
    struct sov_checkpoint checkpoint = { .size = 77 };
    struct sov_signature signature;
    struct sov_error err = { 0 };

    if (sov_checkpoint_read(f->ledger, sov_bytes_text(text), &checkpoint, &signature, &err)) {
        assert_int_equal(checkpoint.size, HEAD);
        return "read";
    }
    assert_int_equal(checkpoint.size, 77);
    assert_int_equal(err.exit, SOV_INTEGRITY);
    return sov_arena_printf(&f->arena, "%s", err.code);
}

static void only_what_names_another_log_twice_is_a_fork(void **state)
{
    struct fixture *f = *state;
    char longest[SOV_KEY_NAME_MAX + 1], longer[SOV_KEY_NAME_MAX + 2];

    memset(longest, 'a', sizeof longest - 1);
    memset(longer, 'a', sizeof longer - 1);
    longest[sizeof longest - 1] = longer[sizeof longer - 1] = 0;
    assert_string_equal(code_of(f, note_named(f, NULL, NULL)), "read");
    assert_string_equal(code_of(f, note_named(f, "other/log", "other/log")), "fork");
    assert_string_equal(code_of(f, note_named(f, longest, longest)), "fork");
    assert_string_not_equal(code_of(f, note_named(f, longer, longer)), "fork");
    assert_string_not_equal(code_of(f, note_named(f, "", "")), "fork");
    assert_string_not_equal(code_of(f, note_named(f, "other/log", NULL)), "fork");
    assert_string_not_equal(code_of(f, note_named(f, NULL, "other/log")), "fork");
    assert_string_not_equal(code_of(f, ""), "fork");
    assert_string_not_equal(code_of(f, "other/log"), "fork");
}

/* The key signs many things; under the name of this ledger it vouches for this ledger alone. */
static void what_the_ledger_key_signed_of_another_log_is_no_checkpoint_of_this(void **state)
{
    struct fixture *f = *state;
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
    struct sov_checkpoint other = { .origin = "other/log", .size = HEAD };
    struct sov_note_key key = { .key = f->ledger->public_key };
    struct sov_signature signature;

    memcpy(key.name, f->ledger->origin, sizeof key.name);
    sov_buf_init(&text, SOV_NOTE_SIZE_MAX);
    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    sov_checkpoint_text(&other, &text);
    signature = sov_sign(f->ledger->secret, sov_buf_bytes(&text));
    sov_note_write(&other, &key, &signature, &note);
    assert_string_equal(code_of(f, sov_arena_text(&f->arena, sov_buf_bytes(&note))),
                        "checkpoint_invalid");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, work_teardown)
    const struct CMUnitTest tests[] = {
        T(every_checkpoint_has_the_range_of_its_events),
        cmocka_unit_test(events_that_are_missing_or_changed_give_no_range),
        T(a_stored_checkpoint_that_is_cut_is_none),
        T(a_size_that_no_commit_ended_at_has_no_note),
        T(a_pin_is_not_made_of_a_founding_that_the_note_is_not_of),
        T(what_the_ledger_key_signed_of_another_log_is_no_checkpoint_of_this),
        T(only_what_names_another_log_twice_is_a_fork),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
