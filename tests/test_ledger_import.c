/* A mirror takes in what the ledger key signed, in order and whole, or nothing at all. */
#include "tests/ledger_work.h"

#include <sys/stat.h>

#include "base/file.h"

enum { EVENTS_MAX = 64 };

struct mirroring {
    struct fixture f;
    struct sov_places places;                               /* of the mirror */
    struct sov_bytes events[EVENTS_MAX], notes[EVENTS_MAX]; /* notes[n]: of size n, or none */
    int64_t size;
};

static void gather(struct mirroring *m)
{
    struct sov_error err = { 0 };

    m->size = fixture_head(&m->f);
    assert_true(m->size < EVENTS_MAX);
    for (int64_t seq = 1; seq <= m->size; seq++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
        struct sov_event event;

        sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
        assert_true(sov_log_event(m->f.ledger, seq, &m->f.arena, &event, &err));
        m->events[seq] = event.octets;
        if (sov_checkpoint_note(m->f.ledger, seq, &note, &err))
            m->notes[seq] = sov_arena_bytes(&m->f.arena, sov_buf_bytes(&note));
    }
}

static void open_accounts(struct mirroring *m, int count)
{
    struct sov_done done;

    for (int i = 0; i < count; i++) {
        const char *name =
            sov_arena_printf(&m->f.arena, "till-%lld", (long long)fixture_head(&m->f));

        FIXTURE_DO(&m->f, "principal", done,
                   sov_account_open(&commit, name, "cent", 0, &done, &err));
    }
    gather(m);
}

static int setup(void **state)
{
    struct mirroring *m = calloc(1, sizeof *m);
    struct sov_identity identity;
    struct sov_error err = { 0 };
    bool made = false;

    fixture_open(&m->f);
    m->places.home = sov_arena_printf(&m->f.arena, "%s/mirror", m->f.root);
    m->places.keys = m->f.keys;
    sov_ledger_identity(m->f.ledger, &identity);
    assert_true(sov_mirror_make(&m->places, &identity.id, false, &made, &err));
    assert_true(made);
    open_accounts(m, 4);
    *state = m;
    return 0;
}

static int teardown(void **state)
{
    struct mirroring *m = *state;

    fixture_close(&m->f);
    free(m);
    return 0;
}

/* ---- what is handed in: events first to last, and the notes of some sizes ---- */

struct handed {
    struct mirroring *m;
    int64_t next, last;
    struct sov_bytes other; /* in the place of event `at` */
    int64_t at;
};

static bool next(void *self, struct sov_bytes *octets_out, bool *found_out, struct sov_error *err)
{
    struct handed *h = self;

    (void)err;
    *found_out = h->next <= h->last;
    if (*found_out) *octets_out = h->next == h->at ? h->other : h->m->events[h->next];
    h->next++;
    return true;
}

static bool import(struct mirroring *m, struct handed h, const struct sov_bytes *notes,
                   size_t note_count, bool dry, struct sov_import_result *result_out,
                   struct sov_error *err)
{
    struct sov_import_source source = {
        .self = &h, .next = next, .notes = notes, .note_count = note_count
    };

    h.m = m;
    return sov_import(&m->places, &m->f.seams, 1000, dry, &source, result_out, err);
}

static struct sov_import_result take(struct mirroring *m, int64_t first, int64_t last)
{
    struct handed h = { .next = first, .last = last };
    struct sov_import_result result = { 0 };
    struct sov_error err = { 0 };

    if (!import(m, h, &m->notes[last], 1, false, &result, &err))
        fail_msg("%s: %s", err.code, err.what);
    return result;
}

static int64_t size_of(struct mirroring *m)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *mirror = NULL;
    struct sov_error err = { 0 };
    int64_t head = 0;

    if (!sov_ledger_open(&m->places, SOV_LEDGER_READ, &m->f.seams, 1000, &mirror, &err)) {
        assert_string_equal(err.code, "no_ledger");
        return 0;
    }
    assert_true(sov_ledger_is_mirror(mirror));
    assert_true(sov_ledger_head(mirror, &head, &err));
    return head;
}

static void refused(struct mirroring *m, struct handed h, const struct sov_bytes *notes,
                    size_t count, const char *code)
{
    struct sov_import_result result;
    struct sov_error err = { 0 };
    int64_t before = size_of(m);

    if (import(m, h, notes, count, false, &result, &err)) fail_msg("not refused: %s", code);
    if (strcmp(err.code, code) != 0) fail_msg("%s, not %s: %s", err.code, code, err.what);
    assert_int_equal(size_of(m), before);
}

/* ---- what is taken ---- */

static void every_hash_and_every_table_is_as_it_was(void **state)
{
    struct mirroring *m = *state;
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *mirror = NULL;
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor a = { 0 }, b = { 0 };
    struct sov_stored one, other;
    struct sov_error err = { 0 };
    bool found = true, too;
    size_t count;
    const struct sov_state_table *tables = sov_state_tables(&count);

    take(m, 1, m->size);
    assert_true(sov_ledger_open(&m->places, SOV_LEDGER_READ, &m->f.seams, 1000, &mirror, &err));
    sov_log_begin(&a, m->f.ledger, 1, 0);
    sov_log_begin(&b, mirror, 1, 0);
    while (found) {
        assert_true(sov_log_next(&a, &one, &found, &err) && sov_log_next(&b, &other, &too, &err));
        assert_int_equal(found, too);
        if (!found) break;
        assert_true(sov_bytes_equal(one.hash, other.hash));
        assert_true(sov_bytes_equal(one.octets, other.octets));
    }
    for (size_t t = 0; t < count; t++) {
        SOV_CLEANUP(sov_stmt_close) struct sov_stmt x = { 0 }, y = { 0 };

        assert_true(sov_stmt_open(&x, sov_ledger_tables(m->f.ledger), tables[t].rows, &err) &&
                    sov_stmt_open(&y, sov_ledger_tables(mirror), tables[t].rows, &err));
        for (int n = 0; n < 2 && strstr(tables[t].rows, "$1"); n++) {
            sov_bind_int(n ? &y : &x, 1, 0);
            sov_bind_int(n ? &y : &x, 2, INT64_MAX);
        }
        for (found = true; found;) {
            assert_true(sov_stmt_row(&x, &found, &err) && sov_stmt_row(&y, &too, &err));
            if (found != too) fail_msg("%s differs", tables[t].name);
            for (int c = 0; found && c < sov_column_count(&x); c++) {
                int64_t n[2];
                int class[2];

                if (!sov_bytes_equal(sov_column_any(&x, c, &class[0], &n[0]),
                                     sov_column_any(&y, c, &class[1], &n[1])) ||
                    class[0] != class[1])
                    fail_msg("%s differs", tables[t].name);
            }
        }
    }
}

static void it_goes_on_where_it_ended(void **state)
{
    struct mirroring *m = *state;
    struct sov_import_result result;
    int64_t before = m->size;

    take(m, 1, before);
    open_accounts(m, 3);
    result = take(m, before + 1, m->size);
    assert_int_equal(result.before, before);
    assert_int_equal(result.events, 3);
    assert_int_equal(size_of(m), m->size);
    result = take(m, 1, m->size); /* all of it once more */
    assert_int_equal(result.events, 0);
    assert_int_equal(result.again, m->size);
    open_accounts(m, 1);
    result = take(m, before, m->size); /* what overlaps is compared */
    assert_int_equal(result.events, 1);
}

static void a_dry_one_writes_nothing(void **state)
{
    struct mirroring *m = *state;
    struct handed h = { .next = 1, .last = m->size };
    struct sov_import_result result;
    struct sov_error err = { 0 };

    assert_true(import(m, h, &m->notes[m->size], 1, true, &result, &err));
    assert_int_equal(result.events, m->size);
    assert_int_equal(size_of(m), 0);
    take(m, 1, m->size - 1);
    h.next = m->size;
    assert_true(import(m, h, &m->notes[m->size], 1, true, &result, &err));
    assert_int_equal(result.events, 1);
    assert_int_equal(size_of(m), m->size - 1);
}

/* ---- what is refused ---- */

static void nothing_unsigned_cut_moved_or_changed_is_taken(void **state)
{
    struct mirroring *m = *state;
    int64_t n = m->size;
    struct sov_bytes bad = sov_arena_bytes(&m->f.arena, m->notes[n]);
    struct sov_bytes edited = sov_arena_bytes(&m->f.arena, m->events[n - 1]);
    uint8_t *octet = (uint8_t *)(uintptr_t)memmem(edited.data, edited.size, "till-", 5);
    struct handed whole = { .next = 1, .last = n }, cut = { .next = 1, .last = n - 1 };
    struct handed gap = { .next = 2, .last = n };
    struct handed changed = { .next = 1, .last = n, .other = edited, .at = n - 1 };
    struct handed garbled = { .next = 1, .last = n, .other = sov_bytes_text("{}"), .at = n - 1 };
    struct handed none = { .next = 1, .last = 0 };

    octet[0] = 'b'; /* bill-…: an event that could have been */
    ((uint8_t *)(uintptr_t)bad.data)[bad.size - 3] ^= 1;
    refused(m, whole, NULL, 0, "head_mismatch");             /* nobody signed it */
    refused(m, whole, &m->notes[n - 1], 1, "head_mismatch"); /* nor its last event */
    refused(m, whole, &bad, 1, "checkpoint_invalid");
    refused(m, cut, &m->notes[n], 1, "head_mismatch");
    refused(m, gap, &m->notes[n], 1, "import_gap");
    refused(m, changed, &m->notes[n], 1, "fork");
    refused(m, garbled, &m->notes[n], 1, "event_invalid");
    refused(m, none, &m->notes[n], 1, "event_invalid");
    take(m, 1, n - 2);
    refused(m, changed, &m->notes[n], 1, "fork");
    gap.next = n;
    refused(m, gap, &m->notes[n], 1, "import_gap");
    take(m, 1, n);
    refused(m, changed, &m->notes[n], 1, "fork"); /* what is there is another */
}

static void a_mirror_is_of_one_ledger(void **state)
{
    struct mirroring *m = *state;
    struct mirroring other = { .places = m->places };
    struct handed h = { .next = 1 };
    struct sov_hash zero = { 0 };
    struct sov_places plain = { m->f.home, m->f.keys };
    struct sov_import_source source = { .self = &h, .next = next };
    struct sov_import_result result;
    struct sov_error err = { 0 };
    bool made;

    fixture_open_by_chance(&other.f, 77);
    gather(&other);
    h.last = other.size;
    assert_false(import(&other, h, &other.notes[other.size], 1, false, &result, &err));
    assert_string_equal(err.code, "fork");
    take(m, 1, m->size);
    assert_false(import(&other, h, &other.notes[other.size], 1, false, &result, &err));
    assert_string_equal(err.code, "fork");
    assert_false(sov_mirror_make(&m->places, &zero, false, &made, &err));
    assert_string_equal(err.code, "exists");
    assert_false(sov_mirror_make(&plain, &zero, false, &made, &err));
    assert_string_equal(err.code, "exists");
    assert_false(sov_import(&plain, &m->f.seams, 1000, false, &source, &result, &err));
    assert_string_equal(err.code, "not_mirror");
    fixture_close(&other.f);
}

static void nothing_is_committed_in_it(void **state)
{
    struct mirroring *m = *state;
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *mirror = NULL;
    struct sov_commit commit = { 0 };
    struct sov_act act = fixture_act("principal");
    struct sov_error err = { 0 };

    take(m, 1, m->size);
    assert_true(sov_ledger_open(&m->places, SOV_LEDGER_WRITE, &m->f.seams, 1000, &mirror, &err));
    assert_false(sov_commit_begin(&commit, mirror, &act, &err));
    assert_string_equal(err.code, "is_mirror");
    assert_int_equal(err.exit, SOV_DENIED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_hash_and_every_table_is_as_it_was, setup, teardown),
        cmocka_unit_test_setup_teardown(it_goes_on_where_it_ended, setup, teardown),
        cmocka_unit_test_setup_teardown(a_dry_one_writes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_unsigned_cut_moved_or_changed_is_taken, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_mirror_is_of_one_ledger, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_is_committed_in_it, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
