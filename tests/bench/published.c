/* The published log judged whole, and the pages of a tree compared with what its events give. */
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "projections/projections.h"
#include "tests/bench/bench.h"
#include "verify/verify.h"

enum { ROUNDS = 5, EVENTS = 100000, OUTCOMES = 1000 };

static void tree_open(struct bench *b, struct sov_folder *top)
{
    struct sov_publish_options options = { .what = SOV_PUBLISH, .wait_ms = 5000 };
    struct sov_arena_mark mark = sov_arena_mark(&b->arena);
    struct sov_published published;
    struct sov_error err = { 0 };

    bench_must(sov_folder_open(top, b->repo, &err) &&
                   sov_publish(b->ledger, top, &options, &b->arena, &published, &err),
               &err);
    sov_arena_rewind(&b->arena, mark);
}

static double verified(struct bench *b, struct sov_verify_options options)
{
    struct sov_arena_mark mark = sov_arena_mark(&b->arena);
    struct sov_report report;
    struct sov_error err = { 0 };
    double from = bench_now(), spent;

    options.wait_ms = 1000;
    options.no_anchor = true;
    options.places = &b->places;
    options.seams = &b->seams;
    bench_must(sov_verify(&options, &b->arena, &report, &err), &err);
    spent = bench_now() - from;
    if (report.exit != SOV_OK) exit(1);
    sov_arena_rewind(&b->arena, mark);
    return spent;
}

void bench_published(const char *under)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    double clone[ROUNDS], ledger[ROUNDS], hashing[ROUNDS];
    struct bench b;

    bench_open(&b, under);
    bench_signals(&b, EVENTS, 10);
    tree_open(&b, &top);
    for (int round = 0; round < ROUNDS; round++) {
        clone[round] = verified(
            &b, (struct sov_verify_options){ .clone = &top, .tree = &top, .published = true });
        ledger[round] = verified(&b, (struct sov_verify_options){ .tree = NULL });
        hashing[round] = bench_hashed(&b);
    }
    bench_stated("verify, the published log",
                 bench_median(hashing, ROUNDS) / bench_median(clone, ROUNDS),
                 "two SHA-256 passes over the same octets / full verify of a clone with its pages");
    bench_stated("", bench_median(clone, ROUNDS) / bench_median(ledger, ROUNDS),
                 "full verify of a clone with its pages / of the ledger file");
    bench_close(&b);
}

/* ---- pages ---- */

static void outcomes(struct bench *b)
{
    struct sov_act act = { .actor = "principal", .expect_seq = -1, .expect_version = -1 };
    struct sov_outcome_request request = {
        .title = "A shelf that is never empty",
        .desired_state = "There is tea on every shelf.",
        .checks = sov_bytes_text("[{\"id\":\"f\",\"kind\":\"file-exists\","
                                 "\"params\":{\"path\":\"shelf.txt\"}}]"),
    };
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_error err = { 0 };
    struct sov_done done;
    int64_t seq;

    bench_must(sov_commit_begin(&commit, b->ledger, &act, &err), &err);
    for (int i = 0; i < OUTCOMES; i++)
        bench_must(sov_outcome_define(&commit, &request, &done, &err), &err);
    bench_must(sov_commit_finish(&commit, &seq, &err), &err);
}

struct page {
    const char *path; /* below governance/ */
    struct sov_bytes octets;
};

/* Every file below governance/ but the log and its checkpoints, as it is. */
static size_t pages_of(struct bench *b, const struct sov_folder *folder, struct page *pages,
                       size_t most)
{
    char top[400];
    char *const roots[] = { top, NULL };
    struct sov_error err = { 0 };
    size_t count = 0;
    FTSENT *entry;
    FTS *walk;

    snprintf(top, sizeof top, "%s/governance", b->repo);
    walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!walk) exit(1);
    while ((entry = fts_read(walk))) {
        const char *path = entry->fts_path + strlen(top) + 1;

        if (entry->fts_info != FTS_F || strncmp(path, "log/", 4) == 0 ||
            strncmp(path, "checkpoints/", 12) == 0)
            continue;
        if (count == most) exit(1);
        pages[count].path = sov_arena_printf(&b->arena, "%s", path);
        bench_must(sov_file_read(folder, pages[count].path, 1 << 24, &b->arena,
                                 &pages[count].octets, &err),
                   &err);
        count++;
    }
    fts_close(walk);
    return count;
}

static double compared(struct bench *b, const struct sov_folder *folder, const struct page *pages,
                       size_t count)
{
    double from = bench_now();

    for (size_t i = 0; i < count; i++) {
        struct sov_arena_mark mark = sov_arena_mark(&b->arena);
        struct sov_error err = { 0 };
        struct sov_bytes now;

        bench_must(sov_file_read(folder, pages[i].path, 1 << 24, &b->arena, &now, &err), &err);
        if (now.size != pages[i].octets.size ||
            memcmp(now.data, pages[i].octets.data, now.size) != 0)
            exit(1);
        sov_arena_rewind(&b->arena, mark);
    }
    return bench_now() - from;
}

void bench_pages(const char *under)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    double with[ROUNDS], without[ROUNDS], reading[ROUNDS];
    struct page *pages = calloc(3 * OUTCOMES, sizeof *pages);
    struct sov_error err = { 0 };
    char name[64], of[160];
    struct bench b;
    size_t count;

    bench_open(&b, under);
    outcomes(&b);
    tree_open(&b, &top);
    bench_must(sov_folder_beneath(&folder, &top, "governance", &err), &err);
    count = pages_of(&b, &folder, pages, 3 * OUTCOMES);
    for (int round = 0; round < ROUNDS; round++) {
        with[round] = verified(&b, (struct sov_verify_options){ .tree = &top });
        without[round] = verified(&b, (struct sov_verify_options){ .tree = NULL });
        reading[round] = compared(&b, &folder, pages, count);
    }
    snprintf(name, sizeof name, "verify --projections, %zu files", count);
    snprintf(of, sizeof of,
             "less the fold, %.1f ms / reading and comparing the same files, %.1f ms",
             (bench_median(with, ROUNDS) - bench_median(without, ROUNDS)) * 1000,
             bench_median(reading, ROUNDS) * 1000);
    bench_line(name,
               (bench_median(with, ROUNDS) - bench_median(without, ROUNDS)) /
                   bench_median(reading, ROUNDS),
               "<=", 2, of);
    free(pages);
    bench_close(&b);
}
