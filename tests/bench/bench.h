#ifndef SOV_TESTS_BENCH_BENCH_H
#define SOV_TESTS_BENCH_BENCH_H
/* What the benches share: a ledger to measure on, clocks, medians. */
#include <sqlite3.h>

#include "ledger/ledger.h"

struct bench {
    char root[256], home[300], keys[300], repo[300];
    struct sov_places places;
    struct sov_seams seams;
    struct sov_arena arena;
    struct sov_ledger *ledger;
};
void bench_open(struct bench *b, const char *under);
void bench_close(struct bench *b);
/* Appends `count` signals in commits of `batch`. */
void bench_signals(struct bench *b, int64_t count, int64_t batch);
void bench_must(bool ok, const struct sov_error *err); /* says why and ends */
/* `word` is ">=" or "<=". */
void bench_line(const char *name, double ratio, const char *word, double bound, const char *of);
void bench_stated(const char *name, double value, const char *of); /* wanted: nothing */
double bench_now(void); /* seconds, monotonic */
double bench_median(double *values, size_t count);
/* A bare database in the ledger's journal mode: row(seq, octets). */
sqlite3 *bench_bare(struct bench *b, const char *name);
void bench_sql(sqlite3 *db, const char *sql);
int64_t bench_octets(struct bench *b, int64_t first, int64_t last); /* sum of sizes */

/* bench.c: seconds for two SHA-256 passes over the octets of all events, each by itself */
double bench_hashed(struct bench *b);
/* pin.c */
void bench_pin(const char *under);
/* published.c */
void bench_published(const char *under);
void bench_pages(const char *under);
/* claims.c */
void bench_crowd(const char *under);
void bench_supervise(const char *under);
void bench_renew(const char *under);
#endif
