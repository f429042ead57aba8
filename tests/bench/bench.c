/*
 * Ratios, never bare seconds: each line has its denominator measured in the same run, interleaved,
 * medians of several rounds.   build/bench/bench FOLDER [NAME]
 */
#include "tests/bench/bench.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/crypto.h"
#include "projections/projections.h"
#include "verify/verify.h"

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
    bench_must(sov_log_event(b.ledger, 13, &b.arena, &event, &err), &err);
    db = bench_bare(&b, "bare.db");
    bare_commits(db, event.octets, 50);
    for (int round = 0; round < ROUNDS; round++) {
        double from = bench_now();

        bench_signals(&b, EACH, 1);
        ours[round] = (bench_now() - from) / EACH;
        bare[round] = bare_commits(db, event.octets, EACH);
    }
    sqlite3_close(db);
    bench_line("append, durable", bench_median(bare, ROUNDS) / bench_median(ours, ROUNDS),
               ">=", 0.8,
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
        bench_must(sov_log_event(b.ledger, 13, &b.arena, &event, &err), &err);
        db = bench_bare(&b, "bare.db");
        bare[round] = bare_bulk(db, event.octets, COUNT, BATCH);
        sqlite3_close(db);
        bench_close(&b);
    }
    bench_line("append, 10,000 a commit", bench_median(bare, ROUNDS) / bench_median(ours, ROUNDS),
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
    bench_line("append at 1,000,000", early / late, ">=", 0.5,
               "rate after 1,000,000 events / rate after 10,000");
    bench_close(&b);
}

/* ---- verify ---- */

double bench_hashed(struct bench *b)
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
        bench_must(sov_log_next(&cursor, &row, &found, &err), &err);
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

        bench_must(sov_verify(&options, &b.arena, &report, &err), &err);
        ours[round] = bench_now() - from;
        if (report.exit != SOV_OK) exit(1);
        hashing[round] = bench_hashed(&b);
    }
    bench_line("verify, 100,000 events", bench_median(hashing, ROUNDS) / bench_median(ours, ROUNDS),
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
        bench_line(batch[i] == 1 ? "bytes on disk, 1 a commit" : "bytes on disk, 10 a commit",
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

    bench_must(sov_folder_open(&top, b->repo, &err), &err);
    from = bench_now();
    bench_must(sov_publish(b->ledger, &top, &options, &b->arena, &published, &err), &err);
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
    bench_line("publish one new event", bench_median(many, ROUNDS) / bench_median(few, ROUNDS),
               "<=", 1.5, "behind 100,000 events / behind 1,000");
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
    bench_line("cold sov signal", bench_median(ours, ROUNDS) / bench_median(commits, ROUNDS),
               "<=", 1.3, "sov signal / a program of the same libraries that commits one row");
    bench_line("cold sov show", bench_median(reads, ROUNDS) / bench_median(heads, ROUNDS),
               "<=", 1.3, "sov show / a program of the same libraries that reads the head");
    bench_stated("", bench_median(ours, ROUNDS) / bench_median(floor, ROUNDS), "sov signal / true");
    bench_stated("", bench_median(reads, ROUNDS) / bench_median(floor, ROUNDS), "sov show / true");
    bench_close(&b);
}

static const struct {
    const char *name;
    void (*run)(const char *under);
} benches[] = {
    { "append", append_one },  { "bulk", append_bulk },       { "verify", verify_all },
    { "disk", bytes_on_disk }, { "million", append_million }, { "publish", publish_one },
    { "cold", cold },          { "crowd", bench_crowd },      { "supervise", bench_supervise },
    { "renew", bench_renew },  { "pin", bench_pin },          { "published", bench_published },
    { "pages", bench_pages },
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        if (argc == 2 || strcmp(argv[2], benches[i].name) == 0) benches[i].run(argv[1]);
    return 0;
}
