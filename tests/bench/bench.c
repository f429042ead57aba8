/*
 * Ratios, never bare seconds: each line has its denominator measured in the same run, interleaved,
 * medians of several rounds.   build/bench/bench FOLDER [NAME]
 */
#include "tests/bench/bench.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <spawn.h>
#include <sys/wait.h>

#include "base/crypto.h"
#include "projections/projections.h"
#include "verify/verify.h"

static void must(bool ok, const struct sov_error *err)
{
    if (ok) return;
    fprintf(stderr, "bench: %s: %s\n", err->code, err->what);
    exit(1);
}

double bench_now(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

void bench_open(struct bench *b, const char *under)
{
    struct sov_founding founding = { .name = "bench" };
    struct sov_founded founded;
    struct sov_error err = { 0 };

    memset(b, 0, sizeof *b);
    snprintf(b->root, sizeof b->root, "%s/sov-bench-XXXXXX", under);
    if (!mkdtemp(b->root)) exit(1);
    snprintf(b->repo, sizeof b->repo, "%s/repo", b->root);
    snprintf(b->home, sizeof b->home, "%s/repo/.sovereign", b->root);
    snprintf(b->keys, sizeof b->keys, "%s/keys", b->root);
    mkdir(b->repo, 0755);
    b->places = (struct sov_places){ b->home, b->keys };
    b->seams = (struct sov_seams){ sov_clock_system(), sov_random_system(), NULL };
    sov_arena_init(&b->arena, (size_t)1 << 30);
    must(sov_organization_found(&b->places, &founding, &b->seams, &b->arena, &founded, &err), &err);
    must(sov_ledger_open(&b->places, SOV_LEDGER_WRITE, &b->seams, 5000, &b->ledger, &err), &err);
}

static int unlink_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

void bench_close(struct bench *b)
{
    sov_ledger_close(b->ledger);
    sov_arena_release(&b->arena);
    nftw(b->root, unlink_one, 16, FTW_DEPTH | FTW_PHYS);
}

void bench_signals(struct bench *b, int64_t count, int64_t batch)
{
    struct sov_act act = { .actor = "operator", .expect_seq = -1, .expect_version = -1 };
    struct sov_signal_request request = { .kind = "stock.low",
                                          .source = "shop",
                                          .subject = "SKU-TEA",
                                          .severity = SOV_WARNING,
                                          .observed_at = "2026-01-01T00:00:00Z" };
    struct sov_error err = { 0 };

    for (int64_t done = 0; done < count; done += batch) {
        SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
        struct sov_done answer;
        int64_t seq;

        must(sov_commit_begin(&commit, b->ledger, &act, &err), &err);
        for (int64_t i = 0; i < batch && done + i < count; i++)
            must(sov_signal_record(&commit, &request, &answer, &err), &err);
        must(sov_commit_finish(&commit, &seq, &err), &err);
    }
}

void bench_sql(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK) return;
    fprintf(stderr, "bench: %s: %s\n", sql, sqlite3_errmsg(db));
    exit(1);
}

sqlite3 *bench_bare(struct bench *b, const char *name)
{
    char path[400], sql[64];
    sqlite3 *db;

    snprintf(path, sizeof path, "%s/%s", b->root, name);
    if (sqlite3_open(path, &db) != SQLITE_OK) exit(1);
    snprintf(sql, sizeof sql, "PRAGMA journal_mode = %s",
             sov_db_journal_mode(sov_ledger_file(b->ledger)));
    bench_sql(db, sql);
    bench_sql(db, "PRAGMA synchronous = FULL");
    bench_sql(db, "PRAGMA cache_size = -65536");
    bench_sql(db, "CREATE TABLE row (seq INTEGER PRIMARY KEY, octets BLOB NOT NULL, hash BLOB)");
    return db;
}

int64_t bench_octets(struct bench *b, int64_t first, int64_t last)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_error err = { 0 };
    struct sov_stored row;
    int64_t sum = 0;
    bool found;

    sov_log_begin(&cursor, b->ledger, first, last);
    for (;;) {
        must(sov_log_next(&cursor, &row, &found, &err), &err);
        if (!found) return sum;
        sum += (int64_t)row.octets.size;
    }
}

static void line(const char *name, double ratio, const char *word, double bound, const char *of)
{
    bool at_least = word[0] == '>';

    printf("%-28s %6.2f  (%s %.2f: %s)  %s\n", name, ratio, at_least ? "at least" : "at most",
           bound, (at_least ? ratio >= bound : ratio <= bound) ? "met" : "MISSED", of);
    fflush(stdout);
}

/* ---- one commit ---- */

static double bare_commits(sqlite3 *db, struct sov_bytes octets, int count)
{
    sqlite3_stmt *stmt;
    double from = bench_now();

    sqlite3_prepare_v2(db, "INSERT INTO row (octets) VALUES (?1)", -1, &stmt, NULL);
    for (int i = 0; i < count; i++) {
        bench_sql(db, "BEGIN IMMEDIATE");
        sqlite3_bind_blob(stmt, 1, octets.data, (int)octets.size, SQLITE_STATIC);
        if (sqlite3_step(stmt) != SQLITE_DONE) exit(1);
        sqlite3_reset(stmt);
        bench_sql(db, "COMMIT");
    }
    sqlite3_finalize(stmt);
    return (bench_now() - from) / count;
}

static void append_one(const char *under)
{
    enum { ROUNDS = 15, EACH = 40 };
    struct bench b;
    struct sov_event event;
    struct sov_error err = { 0 };
    double ours[ROUNDS], bare[ROUNDS];
    sqlite3 *db;

    bench_open(&b, under);
    bench_signals(&b, 50, 1);
    must(sov_log_event(b.ledger, 13, &b.arena, &event, &err), &err);
    db = bench_bare(&b, "bare.db");
    bare_commits(db, event.octets, 50);
    for (int round = 0; round < ROUNDS; round++) {
        double from = bench_now();

        bench_signals(&b, EACH, 1);
        ours[round] = (bench_now() - from) / EACH;
        bare[round] = bare_commits(db, event.octets, EACH);
    }
    sqlite3_close(db);
    line("append, durable", bench_median(bare, ROUNDS) / bench_median(ours, ROUNDS), ">=", 0.8,
         "raw commit of the same octets in the same journal mode / library append");
    bench_close(&b);
}

/* ---- many in one commit ---- */

static double bare_bulk(sqlite3 *db, struct sov_bytes octets, int64_t count, int64_t batch)
{
    sqlite3_stmt *stmt;
    double from = bench_now();

    sqlite3_prepare_v2(db, "INSERT INTO row (octets, hash) VALUES (?1, ?2)", -1, &stmt, NULL);
    for (int64_t done = 0; done < count; done += batch) {
        bench_sql(db, "BEGIN IMMEDIATE");
        for (int64_t i = 0; i < batch; i++) {
            struct sov_hash hash = sov_sha256(octets);

            sqlite3_bind_blob(stmt, 1, octets.data, (int)octets.size, SQLITE_STATIC);
            sqlite3_bind_blob(stmt, 2, hash.octets, SOV_HASH_SIZE, SQLITE_STATIC);
            if (sqlite3_step(stmt) != SQLITE_DONE) exit(1);
            sqlite3_reset(stmt);
        }
        bench_sql(db, "COMMIT");
    }
    sqlite3_finalize(stmt);
    return (bench_now() - from) / (double)count;
}

static void append_bulk(const char *under)
{
    enum { ROUNDS = 3, COUNT = 100000, BATCH = 10000 };
    double ours[ROUNDS], bare[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        struct sov_error err = { 0 };
        struct sov_event event;
        struct bench b;
        sqlite3 *db;
        double from;

        bench_open(&b, under);
        from = bench_now();
        bench_signals(&b, COUNT, BATCH);
        ours[round] = (bench_now() - from) / COUNT;
        must(sov_log_event(b.ledger, 13, &b.arena, &event, &err), &err);
        db = bench_bare(&b, "bare.db");
        bare[round] = bare_bulk(db, event.octets, COUNT, BATCH);
        sqlite3_close(db);
        bench_close(&b);
    }
    line("append, 10,000 a commit", bench_median(bare, ROUNDS) / bench_median(ours, ROUNDS),
         ">=", 0.4, "bare insert with SHA-256 of the same octets / library append");
}

static void append_million(const char *under)
{
    enum { BATCH = 10000, CHUNK = 50000 };
    double early, late, from;
    struct bench b;

    bench_open(&b, under);
    bench_signals(&b, BATCH, BATCH);
    from = bench_now();
    bench_signals(&b, CHUNK, BATCH);
    early = bench_now() - from;
    bench_signals(&b, 1000000 - CHUNK - BATCH, BATCH);
    from = bench_now();
    bench_signals(&b, CHUNK, BATCH);
    late = bench_now() - from;
    line("append at 1,000,000", early / late, ">=", 0.5,
         "rate after 1,000,000 events / rate after 10,000");
    bench_close(&b);
}

/* ---- verify ---- */

static double two_passes(struct bench *b)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_error err = { 0 };
    struct sov_stored row;
    struct sov_bytes *octets = calloc(110000, sizeof *octets);
    struct sov_arena_mark mark = sov_arena_mark(&b->arena);
    size_t count = 0;
    double from, spent;
    bool found;

    sov_log_begin(&cursor, b->ledger, 1, 0);
    for (;;) {
        must(sov_log_next(&cursor, &row, &found, &err), &err);
        if (!found) break;
        octets[count++] = sov_arena_bytes(&b->arena, row.octets);
    }
    from = bench_now();
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++) {
            struct sov_hash hash = sov_sha256(octets[i]);

            __asm__ volatile("" : : "r"(hash.octets[0]) : "memory");
        }
    spent = bench_now() - from;
    free(octets);
    sov_arena_rewind(&b->arena, mark);
    return spent;
}

static void verify_all(const char *under)
{
    enum { ROUNDS = 5, COUNT = 100000 };
    double ours[ROUNDS], hashing[ROUNDS];
    struct sov_verify_options options = { .wait_ms = 1000, .no_anchor = true };
    struct bench b;

    bench_open(&b, under);
    bench_signals(&b, COUNT, 10);
    options.places = &b.places;
    options.seams = &b.seams;
    for (int round = 0; round < ROUNDS; round++) {
        struct sov_report report;
        struct sov_error err = { 0 };
        double from = bench_now();

        must(sov_verify(&options, &b.arena, &report, &err), &err);
        ours[round] = bench_now() - from;
        if (report.exit != SOV_OK) exit(1);
        hashing[round] = two_passes(&b);
    }
    line("verify, 100,000 events", bench_median(hashing, ROUNDS) / bench_median(ours, ROUNDS),
         ">=", 0.4, "two SHA-256 passes over the same octets / full verify");
    bench_close(&b);
}

/* ---- size ---- */

static void bytes_on_disk(const char *under)
{
    static const int64_t batch[] = { 1, 10 };

    for (size_t i = 0; i < 2; i++) {
        enum { COUNT = 20000 };
        struct bench b;
        struct stat before, after;
        char path[400];
        int64_t octets;

        bench_open(&b, under);
        snprintf(path, sizeof path, "%s/organization.db", b.home);
        if (stat(path, &before) != 0) exit(1);
        bench_signals(&b, batch[i] == 1 ? COUNT / 10 : COUNT, batch[i]);
        octets = bench_octets(&b, 13, 0);
        if (stat(path, &after) != 0) exit(1);
        line(batch[i] == 1 ? "bytes on disk, 1 a commit" : "bytes on disk, 10 a commit",
             (double)(after.st_size - before.st_size) / (double)octets,
             "<=", batch[i] == 1 ? 9.99 : 2.1, "growth of the file / octets of the events");
        bench_close(&b);
    }
}

/* ---- publication ---- */

static double publish_once(struct bench *b)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    struct sov_publish_options options = { .what = SOV_PUBLISH, .wait_ms = 5000 };
    struct sov_arena_mark mark = sov_arena_mark(&b->arena);
    struct sov_published published;
    struct sov_error err = { 0 };
    double from;

    must(sov_folder_open(&top, b->repo, &err), &err);
    from = bench_now();
    must(sov_publish(b->ledger, &top, &options, &b->arena, &published, &err), &err);
    from = bench_now() - from;
    sov_arena_rewind(&b->arena, mark);
    return from;
}

static void publish_one(const char *under)
{
    enum { ROUNDS = 15 };
    double few[ROUNDS], many[ROUNDS];
    struct bench small, large;

    bench_open(&small, under);
    bench_open(&large, under);
    bench_signals(&small, 1000, 1000);
    bench_signals(&large, 100000, 10000);
    publish_once(&small);
    publish_once(&large);
    for (int round = 0; round < ROUNDS; round++) {
        bench_signals(&small, 1, 1);
        few[round] = publish_once(&small);
        bench_signals(&large, 1, 1);
        many[round] = publish_once(&large);
    }
    line("publish one new event", bench_median(many, ROUNDS) / bench_median(few, ROUNDS), "<=", 1.5,
         "behind 100,000 events / behind 1,000");
    bench_close(&small);
    bench_close(&large);
}

/* ---- cold: whole processes ---- */

static double spawn_once(const char *const *argv, const char *const *environment)
{
    posix_spawn_file_actions_t actions;
    double from = bench_now();
    int status;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
    if (posix_spawn(&pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv,
                    (char *const *)(uintptr_t)environment) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0) {
        fprintf(stderr, "bench: %s did not end well\n", argv[0]);
        exit(1);
    }
    posix_spawn_file_actions_destroy(&actions);
    return bench_now() - from;
}

static void cold(const char *under)
{
    enum { ROUNDS = 41 };
    const char *build = getenv("SOV_BUILD") ? getenv("SOV_BUILD") : "build";
    char sov[400], raw[400], bare[400], data[400], directory[400];
    const char *environment[] = { data, "PATH=/usr/bin:/bin", "LC_ALL=C", NULL };
    const char *const signal[] = { sov,         "-C",       directory,  "signal",
                                   "stock.low", "--source", "shop",     "--subject",
                                   "SKU-TEA",   "--actor",  "operator", NULL };
    const char *const show[] = { sov, "-C", directory, "show", "1", NULL };
    const char *const commit[] = { raw, "commit", bare, NULL }, *const head[] = { raw, "head", bare,
                                                                                  NULL };
    const char *const nothing[] = { "/bin/true", NULL };
    double ours[ROUNDS], reads[ROUNDS], commits[ROUNDS], heads[ROUNDS], floor[ROUNDS];
    struct bench b;

    bench_open(&b, under);
    snprintf(sov, sizeof sov, "%s/sov", build);
    snprintf(raw, sizeof raw, "%s/bench/raw", build);
    snprintf(bare, sizeof bare, "%s/bare.db", b.root);
    snprintf(directory, sizeof directory, "%s", b.repo);
    snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", b.root);
    /* The command line looks for keys beneath its data folder. */
    {
        char from[400], to[400];

        snprintf(to, sizeof to, "%s/data", b.root);
        mkdir(to, 0700);
        snprintf(to, sizeof to, "%s/data/sov", b.root);
        mkdir(to, 0700);
        snprintf(from, sizeof from, "%s", b.keys);
        snprintf(to, sizeof to, "%s/data/sov/keys", b.root);
        if (rename(from, to) != 0) exit(1);
    }
    sqlite3_close(bench_bare(&b, "bare.db"));
    for (int round = 0; round < ROUNDS; round++) {
        ours[round] = spawn_once(signal, environment);
        commits[round] = spawn_once(commit, environment);
        reads[round] = spawn_once(show, environment);
        heads[round] = spawn_once(head, environment);
        floor[round] = spawn_once(nothing, environment);
    }
    line("cold sov signal", bench_median(ours, ROUNDS) / bench_median(commits, ROUNDS), "<=", 1.3,
         "sov signal / a program of the same libraries that commits one row");
    line("cold sov show", bench_median(reads, ROUNDS) / bench_median(heads, ROUNDS), "<=", 1.3,
         "sov show / a program of the same libraries that reads the head");
    printf("%-28s %6.2f  sov signal / true\n%-28s %6.2f  sov show / true\n", "",
           bench_median(ours, ROUNDS) / bench_median(floor, ROUNDS), "",
           bench_median(reads, ROUNDS) / bench_median(floor, ROUNDS));
    bench_close(&b);
}

static const struct {
    const char *name;
    void (*run)(const char *under);
} benches[] = {
    { "append", append_one },  { "bulk", append_bulk },       { "verify", verify_all },
    { "disk", bytes_on_disk }, { "million", append_million }, { "publish", publish_one },
    { "cold", cold },
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        if (argc == 2 || strcmp(argv[2], benches[i].name) == 0) benches[i].run(argv[1]);
    return 0;
}
