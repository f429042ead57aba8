/* What the benches share: a ledger to measure on, clocks, medians, a line of the answer. */
#include "tests/bench/bench.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void bench_must(bool ok, const struct sov_error *err)
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
    bench_must(sov_organization_found(&b->places, &founding, &b->seams, &b->arena, &founded, &err),
               &err);
    bench_must(sov_ledger_open(&b->places, SOV_LEDGER_WRITE, &b->seams, 5000, &b->ledger, &err),
               &err);
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

        bench_must(sov_commit_begin(&commit, b->ledger, &act, &err), &err);
        for (int64_t i = 0; i < batch && done + i < count; i++)
            bench_must(sov_signal_record(&commit, &request, &answer, &err), &err);
        bench_must(sov_commit_finish(&commit, &seq, &err), &err);
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
        bench_must(sov_log_next(&cursor, &row, &found, &err), &err);
        if (!found) return sum;
        sum += (int64_t)row.octets.size;
    }
}

void bench_line(const char *name, double ratio, const char *word, double bound, const char *of)
{
    bool at_least = word[0] == '>';

    printf("%-28s %6.2f  (%s %.2f: %s)  %s\n", name, ratio, at_least ? "at least" : "at most",
           bound, (at_least ? ratio >= bound : ratio <= bound) ? "met" : "MISSED", of);
    fflush(stdout);
}

void bench_stated(const char *name, double value, const char *of)
{
    printf("%-28s %6.2f  %s\n", name, value, of);
    fflush(stdout);
}
