/*
 * The logs of fixtures/chains. Of the good ones every prefix gives the same state whether it is
 * folded on and on, at once, or rebuilt in a file; the bad ones are signed anew by the ledger's own
 * key, and verify names the class and the event of their names all the same.
 */
#include "tests/unit.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/handle.h"
#include "tests/ledger_fixture.h"
#include "verify/verify.h"

#define CHAINS "fixtures/chains"
enum { LINES = 256, LINE = 70000 };

struct chain {
    struct fixture f;
    struct sov_bytes lines[LINES];
    int64_t count, commits[LINES];
    size_t commit_count;
    struct sov_hash id;
    const char *good; /* the log that blobs, commits and key belong to */
};

static struct sov_bytes read_file(struct chain *c, const char *name, const char *suffix)
{
    char path[256];
    FILE *file;
    long size;
    char *text;

    snprintf(path, sizeof path, CHAINS "/%s%s", name, suffix);
    file = fopen(path, "rb");
    if (!file) fail_msg("%s is not there", path);
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    text = sov_arena_take(&c->f.arena, (size_t)size + 1);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return sov_bytes(text, (size_t)size);
}

static bool next_line(struct sov_bytes *rest, struct sov_bytes *line_out)
{
    const uint8_t *end = rest->size ? memchr(rest->data, '\n', rest->size) : NULL;
    size_t size;

    if (!end) return false;
    size = (size_t)(end - rest->data);
    *line_out = sov_bytes(rest->data, size);
    *rest = sov_bytes(rest->data + size + 1, rest->size - size - 1);
    return true;
}

static sqlite3 *raw_open(struct chain *c)
{
    char path[160];
    sqlite3 *db;

    sov_ledger_close(c->f.ledger);
    c->f.ledger = NULL;
    snprintf(path, sizeof path, "%s/organization.db", c->f.home);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_exec(db, "PRAGMA ignore_check_constraints = 1; PRAGMA synchronous = OFF", NULL, NULL,
                 NULL);
    return db;
}

static void raw(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

static sqlite3_stmt *prepared(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt;

    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    return stmt;
}

static void step(sqlite3_stmt *stmt)
{
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
    sqlite3_reset(stmt);
}

static void put_event(sqlite3_stmt *stmt, int64_t seq, struct sov_bytes octets)
{
    struct sov_hash hash = sov_leaf_hash(octets);
    struct sov_error ignored = { 0 };
    struct sov_event event = { 0 };
    char text[SOV_RESOURCE_SIZE];

    sqlite3_bind_int64(stmt, 1, seq);
    sqlite3_bind_blob(stmt, 2, hash.octets, SOV_HASH_SIZE, SQLITE_TRANSIENT);
    sqlite3_bind_blob(stmt, 3, octets.data, (int)octets.size, SQLITE_TRANSIENT);
    sqlite3_bind_null(stmt, 4);
    sqlite3_bind_null(stmt, 5);
    if (sov_event_decode(octets, &event, &ignored) && event.fence) {
        struct sov_stream resource = sov_event_resource(&event);

        sov_stream_resource(&resource, text);
        sqlite3_bind_text(stmt, 4, text, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int64(stmt, 5, event.fence);
    }
    step(stmt);
}

/* The note of one size, signed with the key of the good log. */
static void put_checkpoint(struct chain *c, sqlite3_stmt *stmt, const struct sov_range *range)
{
    struct sov_bytes file = read_file(c, c->good, ".test-key");
    struct sov_checkpoint checkpoint = { .size = range->size, .root = sov_range_root(range) };
    struct sov_note_key key;
    struct sov_secret *secret = NULL;
    struct sov_signature signature;
    struct sov_error err = { 0 };
    struct sov_buf text;
    uint8_t seed[SOV_SEED_SIZE];

    assert_true(file.size > 2 * SOV_SEED_SIZE);
    assert_true(
        sov_unhex(sov_bytes(file.data + file.size - 1 - 2 * SOV_SEED_SIZE, 2 * SOV_SEED_SIZE), seed,
                  SOV_SEED_SIZE));
    assert_true(sov_secret_load(sov_bytes(seed, SOV_SEED_SIZE), &secret, &err));
    sov_origin_write("The store", &c->id, checkpoint.origin, sizeof checkpoint.origin);
    memcpy(key.name, checkpoint.origin, sizeof key.name);
    key.key = sov_secret_public(secret);
    sov_buf_init(&text, SOV_NOTE_SIZE_MAX);
    sov_checkpoint_text(&checkpoint, &text);
    signature = sov_sign(secret, sov_buf_bytes(&text));
    sqlite3_bind_int64(stmt, 1, (int64_t)range->size);
    sqlite3_bind_blob(stmt, 2, checkpoint.root.octets, SOV_HASH_SIZE, SQLITE_TRANSIENT);
    sqlite3_bind_int64(stmt, 3, sov_note_key_id(&key));
    sqlite3_bind_blob(stmt, 4, signature.octets, SOV_SIGNATURE_SIZE, SQLITE_TRANSIENT);
    step(stmt);
    sov_buf_release(&text);
    sov_secret_close(secret);
}

static void put_blobs(struct chain *c, sqlite3 *db)
{
    sqlite3_stmt *stmt =
        prepared(db, "INSERT INTO blob (n, digest, salt, size, media_type, content)"
                     " VALUES (?, ?, ?, ?, ?, ?)");
    struct sov_bytes rest = read_file(c, c->good, ".blobs"), line;

    for (int64_t n = 1; next_line(&rest, &line); n++) {
        char *text = (char *)sov_arena_text(&c->f.arena, line), *save = NULL;
        char *digest = strtok_r(text, " ", &save), *salt = strtok_r(NULL, " ", &save);
        char *size = strtok_r(NULL, " ", &save), *media = strtok_r(NULL, " ", &save);
        char *hex = strtok_r(NULL, " ", &save);
        size_t octets = hex ? strlen(hex) / 2 : 0;
        uint8_t hash[32], pepper[32], *content = sov_arena_take(&c->f.arena, octets + 1);

        assert_true(media && sov_unhex(sov_bytes_text(digest), hash, sizeof hash));
        if (octets) assert_true(sov_unhex(sov_bytes_text(hex), content, octets));
        sqlite3_bind_int64(stmt, 1, n);
        sqlite3_bind_blob(stmt, 2, hash, sizeof hash, SQLITE_TRANSIENT);
        sqlite3_bind_null(stmt, 3);
        if (*salt != '-') {
            assert_true(sov_unhex(sov_bytes_text(salt), pepper, sizeof pepper));
            sqlite3_bind_blob(stmt, 3, pepper, sizeof pepper, SQLITE_TRANSIENT);
        }
        sqlite3_bind_int64(stmt, 4, atoll(size));
        sqlite3_bind_text(stmt, 5, media, -1, SQLITE_TRANSIENT);
        sqlite3_bind_blob(stmt, 6, content, (int)octets, SQLITE_TRANSIENT);
        step(stmt);
    }
    sqlite3_finalize(stmt);
}

static bool is_commit(const struct chain *c, int64_t size)
{
    for (size_t i = 0; i < c->commit_count; i++)
        if (c->commits[i] == size) return true;
    return size == c->count;
}

/* The first `count` lines as a ledger of their own; its derived tables are still another's. */
static void write_ledger(struct chain *c, int64_t count)
{
    sqlite3 *db = raw_open(c);
    sqlite3_stmt *event, *checkpoint;
    struct sov_range range = { 0 };

    raw(db, "BEGIN; DELETE FROM event; DELETE FROM checkpoint; DELETE FROM blob");
    event = prepared(db, "INSERT INTO event (seq, hash, octets, resource, fence)"
                         " VALUES (?, ?, ?, ?, ?)");
    checkpoint = prepared(db, "INSERT INTO checkpoint (size, root, key, signature)"
                              " VALUES (?, ?, ?, ?)");
    for (int64_t seq = 1; seq <= count; seq++) {
        struct sov_hash leaf = sov_leaf_hash(c->lines[seq - 1]);

        put_event(event, seq, c->lines[seq - 1]);
        sov_range_append(&range, &leaf);
        if (seq == count || is_commit(c, seq)) put_checkpoint(c, checkpoint, &range);
    }
    put_blobs(c, db);
    raw(db, "COMMIT");
    sqlite3_finalize(event);
    sqlite3_finalize(checkpoint);
    sqlite3_close(db);
}

static void chain_open(struct chain *c, const char *name, const char *good)
{
    struct sov_bytes rest, line;

    memset(c, 0, sizeof *c);
    fixture_open(&c->f);
    c->good = good;
    rest = read_file(c, name, ".jsonl");
    while (next_line(&rest, &line)) {
        assert_true(c->count < LINES && line.size < LINE);
        c->lines[c->count++] = line;
    }
    rest = read_file(c, good, ".commits");
    while (next_line(&rest, &line))
        c->commits[c->commit_count++] = atoll(sov_arena_text(&c->f.arena, line));
    assert_true(c->count > 1 && c->commit_count > 1);
    c->id = sov_sha256(c->lines[0]);
}

static bool rebuilt(struct chain *c, struct sov_error *err)
{
    int64_t events = 0;

    return sov_ledger_open(&c->f.places, SOV_LEDGER_WRITE, &c->f.seams, 1000, &c->f.ledger, err) &&
           sov_ledger_rebuild(c->f.ledger, &events, err);
}

/* SHA-256 over every row of every derived table but the compact range, which no fold writes. */
static struct sov_hash state_digest(const struct sov_ledger *ledger)
{
    struct sov_sha256 hash;
    struct sov_error err = { 0 };
    size_t count;
    const struct sov_state_table *tables = sov_state_tables(&count);

    sov_sha256_begin(&hash);
    for (size_t i = 0; i < count; i++) {
        struct sov_stmt stmt = { 0 };
        bool found;

        if (strcmp(tables[i].name, "state_range") == 0) continue;
        if (!sov_stmt_open(&stmt, sov_ledger_tables(ledger), tables[i].rows, &err))
            fail_msg("%s", err.what);
        if (tables[i].reach == 'N' || tables[i].reach == 'H') {
            sov_bind_int(&stmt, 1, 0);
            sov_bind_int(&stmt, 2, INT64_MAX);
        }
        sov_sha256_add(&hash, sov_bytes_text(tables[i].name));
        for (;;) {
            if (!sov_stmt_row(&stmt, &found, &err)) fail_msg("%s: %s", tables[i].name, err.what);
            if (!found) break;
            for (int n = 0; n < sov_column_count(&stmt); n++) {
                int64_t integer = 0;
                int class = 0;
                struct sov_bytes octets = sov_column_any(&stmt, n, &class, &integer);
                uint64_t facts[3] = { (uint64_t) class, (uint64_t)integer, octets.size };

                sov_sha256_add(&hash, sov_bytes(facts, sizeof facts));
                if (octets.size) sov_sha256_add(&hash, octets);
            }
        }
        sov_stmt_close(&stmt);
    }
    return sov_sha256_end(&hash);
}

static const char *const good[] = { "good-store", "good-red", "good-lost", "good-law",
                                    "good-approval" };

static void every_prefix_folded_on_equals_the_same_folded_at_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct sov_ledger *on = NULL, *once = NULL;
        struct sov_error err = { 0 };
        struct chain c;

        chain_open(&c, good[i], good[i]);
        write_ledger(&c, c.count);
        if (!rebuilt(&c, &err)) fail_msg("%s: %s %s", good[i], err.code, err.what);
        assert_true(sov_ledger_memory(c.f.ledger, c.count, true, &on, &err));
        for (int64_t size = 1; size <= c.count; size++) {
            struct sov_hash a, b;
            struct sov_event event;

            assert_true(sov_event_decode(c.lines[size - 1], &event, &err));
            assert_true(sov_ledger_fold_event(on, &event, &err));
            assert_true(sov_ledger_fold_to(c.f.ledger, size, &once, &err));
            a = state_digest(on);
            b = state_digest(once);
            if (memcmp(&a, &b, sizeof a) != 0)
                fail_msg("%s differs at %lld", good[i], (long long)size);
            sov_ledger_close(once);
        }
        sov_ledger_close(on);
        fixture_close(&c.f);
    }
}

static void a_prefix_rebuilt_in_a_file_equals_the_fold(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct sov_hash folded[LINES];
        struct chain c;
        struct sov_error err = { 0 };

        chain_open(&c, good[i], good[i]);
        write_ledger(&c, c.count);
        assert_true(rebuilt(&c, &err));
        for (size_t k = 0; k < c.commit_count; k++) {
            struct sov_ledger *once = NULL;

            assert_true(sov_ledger_fold_to(c.f.ledger, c.commits[k], &once, &err));
            folded[k] = state_digest(once);
            sov_ledger_close(once);
        }
        for (size_t k = i % 2; k < c.commit_count; k += 2) {
            struct sov_hash file;

            write_ledger(&c, c.commits[k]);
            if (!rebuilt(&c, &err)) fail_msg("%s: %s %s", good[i], err.code, err.what);
            file = state_digest(c.f.ledger);
            if (memcmp(&file, &folded[k], sizeof file) != 0)
                fail_msg("%s differs at %lld", good[i], (long long)c.commits[k]);
        }
        fixture_close(&c.f);
    }
}

static struct sov_report judged(struct chain *c, const char *pins)
{
    struct sov_verify_options options = { .places = &c->f.places,
                                          .seams = &c->f.seams,
                                          .wait_ms = 1000,
                                          .pins = pins,
                                          .no_anchor = true,
                                          .all_signatures = true };
    struct sov_report report;
    struct sov_error err = { 0 };

    sov_ledger_close(c->f.ledger);
    c->f.ledger = NULL;
    if (!sov_verify(&options, &c->f.arena, &report, &err)) fail_msg("%s", err.what);
    return report;
}

static void explain(const struct sov_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        print_message("#   %s %s %lld %s\n", sov_class_word(report->findings[i].class),
                      report->findings[i].kind, (long long)report->findings[i].seq,
                      report->findings[i].message);
}

static void the_good_logs_are_as_they_were_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct sov_error err = { 0 };
        struct sov_report report;
        struct chain c;

        chain_open(&c, good[i], good[i]);
        write_ledger(&c, c.count);
        assert_true(rebuilt(&c, &err));
        report = judged(&c, NULL);
        if (report.exit != SOV_OK) {
            explain(&report);
            fail_msg("%s: exit %d", good[i], (int)report.exit);
        }
        assert_int_equal(report.size, c.count);
        fixture_close(&c.f);
    }
}

/* "bad-TAMPER-60-gap.jsonl" */
static bool judge_bad(const char *file, const struct sov_pin *pin, const char *good_name)
{
    struct sov_error err = { 0 };
    struct sov_report report;
    struct chain c;
    char name[128], class[32], pins[128];
    long long seq;
    bool named = false;

    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(".jsonl")), file);
    assert_int_equal(sscanf(name, "bad-%31[A-Z]-%lld-", class, &seq), 2);
    chain_open(&c, name, good_name);
    snprintf(pins, sizeof pins, "%s/pins", c.f.root);
    assert_true(sov_pin_move(pins, pin, &err));
    write_ledger(&c, c.count);
    (void)rebuilt(&c, &err); /* what cannot be folded leaves the tables of the founding */
    report = judged(&c, pins);
    for (size_t i = 0; i < report.count; i++)
        named = named || (strcmp(sov_class_word(report.findings[i].class), class) == 0 &&
                          (!seq || report.findings[i].seq == seq));
    if (!named || report.exit != SOV_INTEGRITY) {
        print_message("# %s: exit %d, first bad %lld\n", file, (int)report.exit,
                      (long long)report.first_bad_seq);
        explain(&report);
        named = false;
    }
    fixture_close(&c.f);
    return named;
}

/* What somebody outside holds: the newest checkpoint of the good log. */
static struct sov_pin pin_of(const char *name)
{
    struct sov_range range = { 0 };
    struct sov_pin pin = { 0 };
    struct chain c;

    chain_open(&c, name, name);
    for (int64_t i = 0; i < c.count; i++) {
        struct sov_hash leaf = sov_leaf_hash(c.lines[i]);

        sov_range_append(&range, &leaf);
    }
    pin = (struct sov_pin){ .ledger_id = c.id, .size = c.count };
    pin.root = sov_range_root(&range);
    fixture_close(&c.f);
    return pin;
}

static void a_bad_log_is_named_by_class_and_event(void **state)
{
    DIR *folder = opendir(CHAINS);
    const struct sov_pin pin = pin_of("good-store"), approval = pin_of("good-approval");
    struct dirent *entry;
    int seen = 0, missed = 0;

    (void)state;
    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        if (strncmp(entry->d_name, "bad-", 4) != 0) continue;
        seen++;
        if (strstr(entry->d_name, "-approval-")
                ? !judge_bad(entry->d_name, &approval, "good-approval")
                : !judge_bad(entry->d_name, &pin, "good-store"))
            missed++;
    }
    closedir(folder);
    if (missed) fail_msg("%d of %d", missed, seen);
    assert_true(seen >= 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_good_logs_are_as_they_were_written),
        cmocka_unit_test(every_prefix_folded_on_equals_the_same_folded_at_once),
        cmocka_unit_test(a_prefix_rebuilt_in_a_file_equals_the_fold),
        cmocka_unit_test(a_bad_log_is_named_by_class_and_event),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
