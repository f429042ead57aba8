/* A pin that stands alone, and the verification that goes on from it. */
#include "tests/unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/ledger_fixture.h"
#include "verify/verify.h"

enum { HEAD = 18, PINNED = 15, FILE_MAX = 8192 };

struct world {
    struct fixture f;
    struct sov_identity identity;
    struct sov_pin pin; /* of size PINNED */
    char pins[128], file[256];
};

static void enrol(struct fixture *f, int from, int to, const char *kind)
{
    for (int i = from; i < to; i++) {
        char id[16];
        struct sov_actor_request request = { id, kind, "operator", "scripted", NULL, NULL };
        struct sov_done done;

        snprintf(id, sizeof id, "builder-%d", i);
        fixture_tick(f, 1000);
        FIXTURE_DO(f, "principal", &done,
                   (commit.act.key = id, true) &&
                       sov_actor_register(&commit, &request, &done, &err));
    }
}

static int setup(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct sov_error err = { 0 };
    char hex[SOV_HEX_HASH + 1];

    fixture_open(&w->f);
    enrol(&w->f, 0, HEAD - 12, "robot");
    sov_ledger_identity(w->f.ledger, &w->identity);
    snprintf(w->pins, sizeof w->pins, "%s/pins", w->f.root);
    sov_hex(sov_hash_bytes(&w->identity.id), hex);
    snprintf(w->file, sizeof w->file, "%s/%s", w->pins, hex);
    if (!sov_pin_of(w->f.ledger, PINNED, &w->f.arena, &w->pin, &err)) fail_msg("%s", err.what);
    assert_true(sov_pin_move(w->pins, &w->pin, &err));
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;

    fixture_close(&w->f);
    free(w);
    return 0;
}

static struct sov_report judged_as(struct world *w, bool from_pin, const struct sov_hash *id)
{
    struct sov_verify_options options = { .places = &w->f.places,
                                          .seams = &w->f.seams,
                                          .wait_ms = 1000,
                                          .pins = w->pins,
                                          .ledger_id = id,
                                          .from_pin = from_pin,
                                          .makes_pin = true };
    struct sov_report report;
    struct sov_error err = { 0 };

    sov_ledger_close(w->f.ledger);
    w->f.ledger = NULL;
    if (!sov_verify(&options, &w->f.arena, &report, &err)) fail_msg("%s", err.what);
    return report;
}

static struct sov_report judged(struct world *w, bool from_pin)
{
    return judged_as(w, from_pin, NULL);
}

/* "CLASS kind seq" of the first finding, or "ok". */
static const char *found(struct world *w, const struct sov_report *report)
{
    if (!report->count) return report->exit == SOV_OK ? "ok" : report->notes[0];
    return sov_arena_printf(&w->f.arena, "%s %s %lld", sov_class_word(report->findings[0].class),
                            report->findings[0].kind, (long long)report->findings[0].seq);
}

static size_t file_get(const char *path, uint8_t *octets)
{
    FILE *file = fopen(path, "r");
    size_t size;

    assert_non_null(file);
    size = fread(octets, 1, FILE_MAX, file);
    fclose(file);
    return size;
}

static void file_put(const char *path, const uint8_t *octets, size_t size)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_int_equal(fwrite(octets, 1, size, file), size);
    fclose(file);
}

static bool reads(struct world *w, struct sov_pin *pin_out)
{
    struct sov_error err = { 0 };
    bool there = false;

    if (sov_pin_read(w->pins, &w->identity.id, &w->f.arena, pin_out, &there, &err)) return there;
    assert_string_equal(err.code, "pin_invalid");
    assert_int_equal(err.exit, SOV_UNABLE);
    return false;
}

static void tamper(struct world *w, const char *sql)
{
    char path[160];
    sqlite3 *db;

    sov_ledger_close(w->f.ledger);
    w->f.ledger = NULL;
    snprintf(path, sizeof path, "%s/organization.db", w->f.home);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_exec(db, "PRAGMA ignore_check_constraints = 1", NULL, NULL, NULL);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* ---- the file ---- */

static void what_was_pinned_is_read_again_whole(void **state)
{
    struct world *w = *state;
    struct sov_pin pin = { 0 };
    struct sov_hash root;

    assert_true(reads(w, &pin));
    assert_int_equal(pin.size, PINNED);
    assert_int_equal(pin.range.size, PINNED);
    root = sov_range_root(&pin.range);
    assert_true(sov_hash_equal(&root, &w->pin.root));
    assert_true(sov_bytes_equal(pin.note, w->pin.note));
    root = sov_sha256(pin.founding);
    assert_true(sov_hash_equal(&root, &w->identity.id));
}

static void a_pin_with_any_octet_changed_is_no_pin(void **state)
{
    static const uint8_t pattern[] = { 0x01, 0x20, 0x80, 0xff };
    struct world *w = *state;
    uint8_t octets[FILE_MAX];
    size_t size = file_get(w->file, octets);
    struct sov_arena_mark mark = sov_arena_mark(&w->f.arena);
    struct sov_pin pin;

    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < sizeof pattern; j++) {
            octets[i] ^= pattern[j];
            file_put(w->file, octets, size);
            if (reads(w, &pin)) fail_msg("octet %zu, pattern %02x, is read", i, pattern[j]);
            octets[i] ^= pattern[j];
            sov_arena_rewind(&w->f.arena, mark);
        }
    for (size_t cut = 0; cut < size; cut++) {
        file_put(w->file, octets, cut);
        if (reads(w, &pin)) fail_msg("cut to %zu it is read", cut);
        sov_arena_rewind(&w->f.arena, mark);
    }
    memset(octets, 0, sizeof octets);
    file_put(w->file, octets, size);
    assert_false(reads(w, &pin));
}

static void forge(struct world *w, struct sov_pin *pin, int how)
{
    struct fixture other;
    struct sov_error err = { 0 };
    struct sov_pin theirs, later;

    assert_true(sov_pin_of(w->f.ledger, HEAD, &w->f.arena, &later, &err));
    if (how == 0) pin->range.node[1] = pin->range.node[0];
    if (how == 1) pin->range = later.range;
    if (how == 2) pin->note = later.note;
    if (how == 3) pin->root = later.root;
    if (how == 4) pin->size = HEAD;
    if (how == 5) pin->range = (struct sov_range){ 0 };
    if (how == 6) { /* all that it says agrees, and no key of this ledger signed it */
        pin->range.node[0].octets[0] ^= 1;
        pin->root = sov_range_root(&pin->range);
    }
    if (how < 7) return;
    fixture_open_by_chance(&other, 77);
    assert_true(sov_pin_of(other.ledger, 12, &w->f.arena, &theirs, &err));
    theirs.ledger_id = pin->ledger_id;
    if (how == 7) *pin = theirs;
    if (how == 8) pin->founding = theirs.founding;
    if (how == 9) pin->note = theirs.note;
    fixture_close(&other);
}

static void a_forged_pin_is_not_written_and_the_old_one_stays(void **state)
{
    struct world *w = *state;
    uint8_t before[FILE_MAX], after[FILE_MAX];
    size_t size = file_get(w->file, before);

    for (int how = 0; how < 10; how++) {
        struct sov_pin pin;
        struct sov_error err = { 0 };

        assert_true(sov_pin_of(w->f.ledger, PINNED + 2, &w->f.arena, &pin, &err));
        forge(w, &pin, how);
        if (how == 7) pin.size = PINNED + 2;
        if (sov_pin_move(w->pins, &pin, &err)) fail_msg("forgery %d was written", how);
        assert_string_equal(err.code, "pin_invalid");
        assert_int_equal(file_get(w->file, after), size);
        assert_memory_equal(before, after, size);
    }
}

/* What no note bears out has its form alone. L is the ledger's id, R the root, both in hex. */
static const struct {
    const char *text;
    bool is;
} forms[] = {
    { "{'ledger':'L','root':'R','size':15}\n", true },
    { "{'ledger':'L','root':'R','size':1}\n", true },
    { "{'ledger':'L','root':'R','size':0}\n", false },
    { "{'ledger':'L','root':'R','size':-1}\n", false },
    { "{'ledger':'L','root':'R','size':'15'}\n", false },
    { "{'ledger':'L','root':'R','size':[15]}\n", false },
    { "{'ledger':'L','root':'R','sizf':15}\n", false },
    { "{'ledger':'L','root':'R'}\n", false },
    { "{'ledger':'L','root':'R','size':15,'v':1}\n", false },
    { "{'ledger':'L','root':'R','size':15}", false },
    { "{'ledger':'L','root':'R','size':15} ", false },
    { "{'ledger':'L','root':'R','size':15}x", false },
    { "{'ledger':'L','root':'R','size':15}\n\n", false },
    { "{'root':'R','ledger':'L','size':15}\n", false },
    { "{'ledger':'R','root':'R','size':15}\n", false },
    { "{'ledger':7,'root':'R','size':15}\n", false },
    { "{'ledger':'L','root':7,'size':15}\n", false },
    { "{'ledger':'L','root':'R0','size':15}\n", false },
    { "{'ledger':'L','root':'','size':15}\n", false },
    { "['L','R',15]\n", false },
    { "'L'\n", false },
    { "15\n", false },
    { "null\n", false },
    { "\n", false },
    { "", false },
};

static void a_pin_has_its_form(void **state)
{
    struct world *w = *state;
    char id[SOV_HEX_HASH + 1], root[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&w->identity.id), id);
    sov_hex(sov_hash_bytes(&w->pin.root), root);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
        struct sov_pin pin = { 0 };

        sov_buf_init(&text, FILE_MAX);
        for (const char *c = forms[i].text; *c; c++)
            if (*c == 'L' || *c == 'R')
                sov_buf_add_text(&text, *c == 'L' ? id : root);
            else
                sov_buf_add_byte(&text, *c == '\'' ? '"' : (uint8_t)*c);
        file_put(w->file, text.data, text.size);
        if (reads(w, &pin) != forms[i].is) fail_msg("%s", forms[i].text);
    }
}

static void a_whole_pin_has_its_members(void **state)
{
    static const char *const rows[][2] = {
        { "\"founding\":", "\"foundinh\":" }, { "\"note\":", "\"notf\":" },
        { "\"range\":", "\"rangf\":" },       { "\"range\":[", "\"range\":[\"00\"," },
        { "\"range\":[", "\"range\":[7," },   { "\"founding\":", "\"founding\":7,\"g\":" },
        { "\"note\":", "\"note\":7,\"o\":" }
    };
    struct world *w = *state;
    uint8_t octets[FILE_MAX];
    size_t size = file_get(w->file, octets);
    const char *good = sov_arena_text(&w->f.arena, sov_bytes(octets, size));

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *at = strstr(good, rows[i][0]), *bad;
        struct sov_pin pin;

        assert_non_null(at);
        bad = sov_arena_printf(&w->f.arena, "%.*s%s%s", (int)(at - good), good, rows[i][1],
                               at + strlen(rows[i][0]));
        file_put(w->file, (const uint8_t *)bad, strlen(bad));
        if (reads(w, &pin)) fail_msg("%s", rows[i][1]);
    }
}

static void a_pin_of_before_is_read_and_made_whole(void **state)
{
    struct world *w = *state;
    struct sov_pin old = { .ledger_id = w->pin.ledger_id, .root = w->pin.root, .size = PINNED };
    struct sov_pin pin;
    struct sov_error err = { 0 };
    struct sov_report report;

    assert_int_equal(remove(w->file), 0);
    assert_true(sov_pin_move(w->pins, &old, &err));
    assert_true(reads(w, &pin));
    assert_int_equal(pin.range.size, 0);
    assert_null(pin.note.data);
    report = judged(w, true);
    assert_string_equal(found(w, &report), "UNANCHORED no_range 0");
    assert_int_equal(report.exit, SOV_NO);
    report = judged(w, false);
    assert_string_equal(found(w, &report), "ok");

    assert_true(sov_pin_move(w->pins, &w->pin, &err));
    assert_true(reads(w, &pin));
    assert_int_equal(pin.range.size, PINNED);
    assert_true(sov_pin_move(w->pins, &old, &err)); /* not back */
    assert_true(reads(w, &pin));
    assert_int_equal(pin.range.size, PINNED);
}

static void the_range_of_a_pin_is_that_of_the_events_whatever_the_stored_one_says(void **state)
{
    struct world *w = *state;
    struct sov_error err = { 0 };
    struct sov_pin pin;

    tamper(w, "UPDATE state_range SET nodes = zeroblob(64)");
    assert_true(
        sov_ledger_open(&w->f.places, SOV_LEDGER_READ, &w->f.seams, 1000, &w->f.ledger, &err));
    assert_true(sov_pin_of(w->f.ledger, HEAD, &w->f.arena, &pin, &err));
    assert_int_equal(pin.range.size, HEAD);
    assert_false(sov_pin_of(w->f.ledger, HEAD + 1, &w->f.arena, &pin, &err));
    assert_string_equal(err.code, "no_such_id");
}

/* ---- from it on ---- */

static void from_the_pin_only_what_came_since_is_looked_at(void **state)
{
    struct world *w = *state;
    struct sov_report report = judged(w, true);
    struct sov_error err = { 0 };

    assert_string_equal(found(w, &report), "ok");
    assert_string_equal(report.mode, "pin");
    assert_string_equal(report.identity, "pinned");
    assert_int_equal(report.unanchored_tail, HEAD - PINNED);
    assert_int_equal(report.steps[SOV_STEP_CHAIN].checked, HEAD - PINNED);
    assert_int_equal(report.steps[SOV_STEP_STATE].result, SOV_STEP_NOT_ASKED);
    assert_int_equal(report.steps[SOV_STEP_FENCES].result, SOV_STEP_NOT_ASKED);
    assert_int_equal(report.pin.size, HEAD);
    assert_true(sov_pin_move(w->pins, &report.pin, &err));
    report = judged(w, true);
    assert_string_equal(found(w, &report), "ok");
    assert_int_equal(report.steps[SOV_STEP_CHAIN].checked, 0);
    report = judged(w, false);
    assert_string_equal(found(w, &report), "ok");
    assert_string_equal(report.mode, "ledger");
}

static void without_a_pin_there_is_nothing_to_go_on_from(void **state)
{
    struct world *w = *state;
    struct sov_report report;

    assert_int_equal(remove(w->file), 0);
    report = judged(w, true);
    assert_string_equal(found(w, &report), "UNANCHORED no_pin 0");
    assert_int_equal(report.exit, SOV_NO);
    file_put(w->file, (const uint8_t *)"{}\n", 3);
    report = judged(w, true);
    assert_int_equal(report.exit, SOV_UNABLE);
    assert_int_equal(report.steps[SOV_STEP_ANCHORS].result, SOV_STEP_UNABLE);
}

static const struct change {
    const char *sql, *since, *whole; /* what is found from the pin on, and by the whole */
} changes[] = {
    { "UPDATE event SET octets = CAST(replace(CAST(octets AS TEXT), 'builder-4', 'builder-9') "
      "AS BLOB) WHERE seq = 17",
      "TAMPER hash 17", "TAMPER hash 17" },
    { "UPDATE event SET octets = CAST(octets || ' ' AS BLOB) WHERE seq = 16", "TAMPER hash 16",
      "TAMPER hash 16" },
    { "UPDATE event SET hash = zeroblob(32) WHERE seq = 18", "TAMPER hash 18", "TAMPER hash 18" },
    { "UPDATE event SET resource = 'assignment/ASG-1', fence = 3 WHERE seq = 17",
      "TAMPER columns 17", "TAMPER columns 17" },
    { "DELETE FROM event WHERE seq = 17", "TAMPER gap 17", "TAMPER gap 17" },
    { "DELETE FROM event WHERE seq > 16", "TAMPER cut 17", "TAMPER cut 17" },
    { "DELETE FROM event WHERE seq > 14", "ROLLBACK pin 15", "TAMPER cut 15" },
    { "DELETE FROM event WHERE seq > 14; DELETE FROM checkpoint WHERE size > 14; UPDATE "
      "state_range "
      "SET size = 14",
      "ROLLBACK pin 15", "ROLLBACK pin 15" },
    { "UPDATE checkpoint SET root = zeroblob(32) WHERE size = 18", "TAMPER root 18",
      "TAMPER root 18" },
    { "UPDATE checkpoint SET root = zeroblob(32) WHERE size = 15", "FORK pin 15",
      "TAMPER root 15" },
    { "DELETE FROM checkpoint WHERE size = 15", "FORK pin 15", NULL },
    { "UPDATE checkpoint SET signature = zeroblob(64) WHERE size = 18",
      "TAMPER checkpoint_signature 18", "TAMPER checkpoint_signature 18" },
    { "DELETE FROM checkpoint WHERE size = 18", "TAMPER head 18", "TAMPER head 18" },
    { "UPDATE state_range SET nodes = zeroblob(64)", "STATE state_range 0", "STATE state_range 0" },
    { "DROP TRIGGER event_next", "SCHEMA schema_changed 0", "SCHEMA schema_changed 0" },
    /* What it does not look at, and says so; the whole does. */
    { "UPDATE event SET octets = CAST(replace(CAST(octets AS TEXT), 'builder-1', 'builder-9') "
      "AS BLOB) WHERE seq = 14",
      "ok", "TAMPER hash 14" },
    { "UPDATE state_actor SET role = 'principal' WHERE id = 'builder-2'", "ok", "STATE" },
    { "DELETE FROM state_idempotency WHERE key = 'builder-5'", "ok", "STATE" },
};

static void a_change_behind_the_pin_is_found_and_one_before_it_is_for_the_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const struct change *change = &changes[i];
        struct sov_report report;
        const char *seen;
        void *fresh = NULL;

        setup(&fresh);
        tamper(fresh, change->sql);
        report = judged(fresh, true);
        seen = found(fresh, &report);
        if (strcmp(seen, change->since) != 0)
            fail_msg("%s: from the pin %s, not %s", change->sql, seen, change->since);
        if (strcmp(seen, "ok") != 0) assert_int_equal(report.pin.size, 0);
        report = judged(fresh, false);
        seen = found(fresh, &report);
        if (change->whole && strncmp(seen, change->whole, strlen(change->whole)) != 0)
            fail_msg("%s: by the whole %s, not %s", change->sql, seen, change->whole);
        teardown(&fresh);
    }
}

static void from_a_pin_too_the_ledger_is_the_one_asked_for(void **state)
{
    struct world *w = *state;
    struct sov_hash asked = w->identity.id;
    struct sov_report report = judged_as(w, true, &asked);

    assert_string_equal(found(w, &report), "ok");
    assert_string_equal(report.identity, "as asked");
    asked.octets[0] ^= 1;
    report = judged_as(w, true, &asked);
    assert_string_equal(found(w, &report), "FORK ledger_id 1");
    assert_int_equal(report.exit, SOV_INTEGRITY);
}

/* The same founding, the same key, another history behind event 12, all of it signed. */
static void another_signed_history_is_a_fork(void **state)
{
    struct world *w = *state;
    void *fresh = NULL;
    struct world *other;
    struct sov_report report;
    struct sov_error err = { 0 };

    setup(&fresh);
    other = fresh;
    assert_true(sov_hash_equal(&w->identity.id, &other->identity.id));
    fixture_close(&other->f);
    fixture_open(&other->f);
    enrol(&other->f, 40, 40 + HEAD - 12, "robot");
    snprintf(other->pins, sizeof other->pins, "%s/pins", other->f.root);
    assert_true(sov_pin_move(other->pins, &w->pin, &err));
    report = judged(other, true);
    assert_string_equal(found(other, &report), "FORK pin 15");
    assert_int_equal(report.exit, SOV_INTEGRITY);
    report = judged(other, false);
    assert_string_equal(found(other, &report), "FORK pin 15");
    teardown(&fresh);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(what_was_pinned_is_read_again_whole),
        T(a_pin_with_any_octet_changed_is_no_pin),
        T(a_forged_pin_is_not_written_and_the_old_one_stays),
        T(a_pin_has_its_form),
        T(a_whole_pin_has_its_members),
        T(a_pin_of_before_is_read_and_made_whole),
        T(the_range_of_a_pin_is_that_of_the_events_whatever_the_stored_one_says),
        T(from_the_pin_only_what_came_since_is_looked_at),
        T(without_a_pin_there_is_nothing_to_go_on_from),
        T(a_change_behind_the_pin_is_found_and_one_before_it_is_for_the_whole),
        T(from_a_pin_too_the_ledger_is_the_one_asked_for),
        T(another_signed_history_is_a_fork),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
