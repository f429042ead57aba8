/*
 * Edits of a ledger file, each judged in this process, for the campaigns of tampering.
 *   tamper flips HOME KEYS PINS EVERY    one bit of each EVERYth octet of the file
 *   tamper edits HOME KEYS PINS EVERY    rows, columns, checkpoints, tails, schema, derived tables
 * HOME is only read; each edit is made in a copy in the folder where this runs. A line an edit:
 * `CLASS SEQ-SEQ|FOUND SEQ EXIT|WHAT`: the class and the first bad seq that are due (`same`:
 * nothing that a reader sees was changed, and anything may be said), and what verify named first.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/ledger.h"
#include "verify/verify.h"

enum { FILE_MAX = 64 << 20, WHAT = 200 };
#define COPY "copy"
#define COPY_FILE COPY "/organization.db"

struct work {
    struct sov_places places;
    const char *pins;
    struct sov_seams seams;
    uint8_t *octets;
    size_t size;
    long every, seen;
    int64_t head, sizes[1024];
    size_t commits;
    struct sov_hash rows; /* of everything that is no derived table, as it was */
    sqlite3 *db;
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "tamper: %s: %s\n", what, why);
    exit(2);
}

/* ---- the copy ---- */

static void copy_write(const struct work *w)
{
    int fd = open(COPY_FILE, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (fd < 0 || write(fd, w->octets, w->size) != (ssize_t)w->size || close(fd) != 0)
        die(COPY_FILE, "cannot be written");
    unlink(COPY_FILE "-journal");
    unlink(COPY_FILE "-wal");
}

static bool read_whole(struct work *w, const char *home)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/organization.db", home);
    file = fopen(path, "rb");
    if (!file) return false;
    w->octets = malloc(FILE_MAX);
    w->size = w->octets ? fread(w->octets, 1, FILE_MAX, file) : 0;
    fclose(file);
    return w->size > 0 && w->size < FILE_MAX;
}

static void edit_begin(struct work *w)
{
    copy_write(w);
    if (sqlite3_open(COPY_FILE, &w->db) != SQLITE_OK) die(COPY_FILE, "cannot be opened");
    sqlite3_db_config(w->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_exec(w->db, "PRAGMA ignore_check_constraints = 1; PRAGMA synchronous = OFF", NULL, NULL,
                 NULL);
}

static void edit_end(struct work *w)
{
    sqlite3_close(w->db);
    w->db = NULL;
}

/* What a reader of the log sees of the copy; false if it cannot be read to the end. */
static bool digest_of(struct sov_hash *hash_out)
{
    static const char sql[] = "SELECT seq, octets, hash FROM event UNION ALL "
                              "SELECT size, root, signature FROM checkpoint";
    sqlite3_stmt *stmt = NULL;
    struct sov_sha256 hash;
    sqlite3 *db = NULL;
    int step = SQLITE_ERROR;

    sov_sha256_begin(&hash);
    if (sqlite3_open_v2(COPY_FILE, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK)
        while ((step = sqlite3_step(stmt)) == SQLITE_ROW)
            for (int i = 0; i < 3; i++) {
                int64_t size = sqlite3_column_bytes(stmt, i);

                sov_sha256_add(&hash, sov_bytes(&size, sizeof size));
                sov_sha256_add(&hash, sov_bytes(sqlite3_column_blob(stmt, i), (size_t)size));
            }
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    *hash_out = sov_sha256_end(&hash);
    return step == SQLITE_DONE;
}

/* ---- the judge ---- */

static void judge(struct work *w, const char *class, int64_t from, int64_t to, bool pinned,
                  const char *what)
{
    struct sov_verify_options options = { .places = &w->places,
                                          .seams = &w->seams,
                                          .wait_ms = 1000,
                                          .pins = pinned ? w->pins : NULL,
                                          .all_signatures = true };
    struct sov_report report = { 0 };
    struct sov_arena arena;
    struct sov_error err = { 0 };

    sov_arena_init(&arena, 256 << 20);
    if (!sov_verify(&options, &arena, &report, &err)) die(what, err.what);
    printf("%s %lld-%lld|%s %lld %d|%s\n", class, (long long)from, (long long)to,
           report.count ? sov_class_word(report.findings[0].class) : "ok",
           (long long)report.first_bad_seq, (int)report.exit, what);
    sov_arena_release(&arena);
}

static bool turn(struct work *w)
{
    return w->seen++ % w->every == 0;
}

static void flips(struct work *w)
{
    for (size_t at = 0; at < w->size; at++) {
        struct sov_hash rows;
        char what[WHAT];
        bool same;

        if (!turn(w)) continue;
        w->octets[at] ^= (uint8_t)(1U << at % 8);
        copy_write(w);
        w->octets[at] ^= (uint8_t)(1U << at % 8);
        same = digest_of(&rows) && sov_hash_equal(&rows, &w->rows);
        snprintf(what, sizeof what, "octet %zu flipped", at);
        judge(w, same ? "same" : "caught", 0, 0, true, what);
    }
}

/* ---- edits by SQL ---- */

/* One statement, in which ?1 is `n`. */
static void sql_edit(struct work *w, const char *class, int64_t from, int64_t to, const char *what,
                     const char *sql, int64_t n)
{
    bool counted = strncmp(sql, "DROP", 4) != 0 && strncmp(sql, "CREATE", 6) != 0;
    char text[WHAT];
    sqlite3_stmt *stmt;

    if (!turn(w)) return;
    edit_begin(w);
    if (sqlite3_prepare_v2(w->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        die(sql, sqlite3_errmsg(w->db));
    if (sqlite3_bind_parameter_count(stmt)) sqlite3_bind_int64(stmt, 1, n);
    if (sqlite3_step(stmt) != SQLITE_DONE) die(sql, sqlite3_errmsg(w->db));
    sqlite3_finalize(stmt);
    if (counted && sqlite3_total_changes(w->db) == 0) die(sql, "changes nothing");
    edit_end(w);
    snprintf(text, sizeof text, "%s%s%lld", what, n ? " of " : "", (long long)n);
    judge(w, class, from, to, true, n ? text : what);
}

/* The first event of the commit that `seq` is of: from there on the tree can tell. */
static int64_t first_of(const struct work *w, int64_t seq)
{
    int64_t first = 1;

    for (size_t i = 0; i < w->commits && w->sizes[i] < seq; i++) first = w->sizes[i] + 1;
    return first;
}

/* One octet of an event: flipped, made a zero digit, left out, doubled; the hash beside it as it
 * was, or made to fit, when only the tree tells: from the first event of its commit on. */
static void octets_edit(struct work *w, int64_t seq, size_t at, int kind, bool hashed)
{
    static const char *const kinds[] = { "flipped", "zeroed", "left out", "doubled" };
    uint8_t octets[SOV_EVENT_SIZE_MAX + 1];
    struct sov_hash hash;
    sqlite3_stmt *stmt;
    char what[WHAT];
    size_t size;

    if (!turn(w)) return;
    edit_begin(w);
    sqlite3_prepare_v2(w->db, "SELECT octets FROM event WHERE seq = ?", -1, &stmt, NULL);
    sqlite3_bind_int64(stmt, 1, seq);
    if (sqlite3_step(stmt) != SQLITE_ROW) die("event", "not there");
    size = (size_t)sqlite3_column_bytes(stmt, 0);
    memcpy(octets, sqlite3_column_blob(stmt, 0), size);
    sqlite3_finalize(stmt);
    if (at >= size) at = size - 1;
    if (kind == 0) octets[at] ^= 1;
    if (kind == 1) octets[at] = octets[at] == '0' ? '1' : '0';
    if (kind == 2) memmove(octets + at, octets + at + 1, --size - at);
    if (kind == 3) memmove(octets + at + 1, octets + at, size++ - at);
    hash = sov_leaf_hash(sov_bytes(octets, size));
    sqlite3_prepare_v2(w->db,
                       hashed ? "UPDATE event SET octets = ?1, hash = ?3 WHERE seq = ?2"
                              : "UPDATE event SET octets = ?1 WHERE seq = ?2",
                       -1, &stmt, NULL);
    sqlite3_bind_blob(stmt, 1, octets, (int)size, SQLITE_TRANSIENT);
    sqlite3_bind_int64(stmt, 2, seq);
    if (hashed) sqlite3_bind_blob(stmt, 3, hash.octets, SOV_HASH_SIZE, SQLITE_TRANSIENT);
    if (sqlite3_step(stmt) != SQLITE_DONE) die("octets", sqlite3_errmsg(w->db));
    sqlite3_finalize(stmt);
    edit_end(w);
    snprintf(what, sizeof what, "octet %zu of event %lld %s%s", at, (long long)seq, kinds[kind],
             hashed ? ", with its hash" : "");
    judge(w, "TAMPER", first_of(w, seq), seq, true, what);
}

static void events(struct work *w)
{
    for (int64_t seq = 1; seq <= w->head; seq++) {
        for (size_t at = 1; at < 400; at += 23)
            for (int kind = 0; kind < 8; kind++) octets_edit(w, seq, at, kind / 2, kind % 2);
        sql_edit(w, "TAMPER", first_of(w, seq), seq, "the row left out",
                 "DELETE FROM event WHERE seq = ?1", seq);
        sql_edit(w, "TAMPER", first_of(w, seq), seq, "the hash zeroed",
                 "UPDATE event SET hash = zeroblob(32) WHERE seq = ?1", seq);
        sql_edit(w, "TAMPER", first_of(w, seq), seq, "a fence beside it",
                 "UPDATE event SET resource = 'assignment/ASG-9', fence = coalesce(fence, 0) + 1 "
                 "WHERE seq = ?1",
                 seq);
        sql_edit(w, "TAMPER", first_of(w, seq), seq, "another row instead",
                 "UPDATE event SET octets = (SELECT octets FROM event WHERE seq = CASE ?1 WHEN "
                 "1 THEN 2 ELSE 1 END) WHERE seq = ?1",
                 seq);
    }
    sql_edit(w, "TAMPER", w->head + 1, w->head + 1, "a row more",
             "INSERT INTO event SELECT max(seq) + 1, hash, octets, NULL, NULL FROM event", 0);
}

static void checkpoints(struct work *w, int64_t size)
{
    sql_edit(w, "TAMPER", first_of(w, size), size, "the root",
             "UPDATE checkpoint SET root = zeroblob(32) WHERE size = ?1", size);
    sql_edit(w, "TAMPER", first_of(w, size), size, "the signature",
             "UPDATE checkpoint SET signature = zeroblob(64) WHERE size = ?1", size);
    sql_edit(w, "TAMPER", first_of(w, size), size, "the key",
             "UPDATE checkpoint SET key = key + 1 WHERE size = ?1", size);
}

/* Whole commits cut off, and the derived tables made to fit: nothing inside tells. */
static void tail(struct work *w, int64_t size)
{
    struct sov_ledger *ledger = NULL;
    struct sov_error err = { 0 };
    int64_t folded;
    char *sql, what[WHAT];

    if (size == w->head || !turn(w)) return;
    edit_begin(w);
    sql = sqlite3_mprintf("DELETE FROM event WHERE seq > %lld; DELETE FROM checkpoint WHERE size > "
                          "%lld",
                          (long long)size, (long long)size);
    if (sqlite3_exec(w->db, sql, NULL, NULL, NULL) != SQLITE_OK) die(sql, "fails");
    sqlite3_free(sql);
    edit_end(w);
    if (!sov_ledger_open(&w->places, SOV_LEDGER_WRITE, &w->seams, 1000, &ledger, &err) ||
        !sov_ledger_rebuild(ledger, &folded, &err))
        die("rebuild", err.what);
    sov_ledger_close(ledger);
    snprintf(what, sizeof what, "cut to %lld, the pin known", (long long)size);
    judge(w, "ROLLBACK", size + 1, size + 1, true, what);
    snprintf(what, sizeof what, "cut to %lld, nothing known", (long long)size);
    judge(w, "UNANCHORED", 0, 0, false, what);
}

/* Each row that a query gives is a statement, with a name of what it does. */
static void generated(struct work *w, const char *class, const char *query)
{
    struct row {
        char *what, *sql;
    } rows[512];
    sqlite3_stmt *stmt;
    size_t count = 0;

    edit_begin(w);
    if (sqlite3_prepare_v2(w->db, query, -1, &stmt, NULL) != SQLITE_OK)
        die(query, sqlite3_errmsg(w->db));
    while (sqlite3_step(stmt) == SQLITE_ROW && count < sizeof rows / sizeof *rows) {
        rows[count].what = strdup((const char *)sqlite3_column_text(stmt, 0));
        rows[count++].sql = strdup((const char *)sqlite3_column_text(stmt, 1));
    }
    sqlite3_finalize(stmt);
    edit_end(w);
    for (size_t i = 0; i < count; i++) {
        sqlite3_stmt *there = NULL;
        bool any = true;

        if (strncmp(rows[i].sql, "DELETE", 6) == 0) { /* only of a table that has a row */
            char *sql = sqlite3_mprintf("SELECT 1%s", rows[i].sql + 6);

            edit_begin(w);
            sqlite3_prepare_v2(w->db, sql, -1, &there, NULL);
            any = sqlite3_step(there) == SQLITE_ROW;
            sqlite3_finalize(there);
            edit_end(w);
            sqlite3_free(sql);
        }
        if (any) sql_edit(w, class, 0, w->head, rows[i].what, rows[i].sql, 0);
        free(rows[i].what);
        free(rows[i].sql);
    }
}

static void edits(struct work *w)
{
    events(w);
    for (size_t i = 0; i < w->commits; i++) checkpoints(w, w->sizes[i]);
    for (size_t i = 0; i < w->commits; i++) tail(w, w->sizes[i]);
    w->every = 1; /* few, and each another wall */
    generated(w, "SCHEMA",
              "SELECT 'without the ' || type || ' ' || name, 'DROP ' || type || ' ' || name FROM "
              "sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL ORDER BY name");
    sql_edit(w, "SCHEMA", 0, 0, "a table more", "CREATE TABLE more (n INTEGER)", 0);
    sql_edit(w, "SCHEMA", 0, 0, "a view more", "CREATE VIEW more AS SELECT 1", 0);
    generated(w, "STATE",
              "SELECT 'a row less in ' || name, 'DELETE FROM ' || name || ' WHERE rowid = (SELECT "
              "max(rowid) FROM ' || name || ')' FROM sqlite_schema WHERE type = 'table' AND name "
              "LIKE 'state_%' AND sql NOT LIKE '%WITHOUT ROWID%' ORDER BY name");
}

int main(int argc, char **argv)
{
    struct work w = { .seams = { .clock = sov_clock_system(), .random = sov_random_system() } };
    sqlite3_stmt *stmt;

    if (argc != 6) die("usage", "tamper flips|edits HOME KEYS PINS EVERY");
    if (!read_whole(&w, argv[2])) die(argv[2], "is no ledger");
    if (mkdir(COPY, 0700) != 0) die(COPY, "is there already");
    w.places = (struct sov_places){ COPY, argv[3] };
    w.pins = argv[4];
    w.every = strtol(argv[5], NULL, 10);
    edit_begin(&w);
    sqlite3_prepare_v2(w.db, "SELECT size FROM checkpoint ORDER BY size", -1, &stmt, NULL);
    while (sqlite3_step(stmt) == SQLITE_ROW && w.commits < sizeof w.sizes / sizeof *w.sizes)
        w.head = w.sizes[w.commits++] = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    edit_end(&w);
    if (w.every < 1 || w.head < 1 || !digest_of(&w.rows)) die(argv[2], "cannot be read");
    judge(&w, "ok", 0, 0, true, "as it was");
    if (strcmp(argv[1], "flips") == 0)
        flips(&w);
    else
        edits(&w);
    return 0;
}
