/* Verification from a pin: what came behind it, and what the pass costs when nothing did. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/bench.h"
#include "verify/verify.h"

enum { ROUNDS = 5, TIMES = 9, COUNT = 100000 };

static double verified(struct bench *b, const char *pins)
{
    struct sov_verify_options options = { .wait_ms = 1000,
                                          .places = &b->places,
                                          .seams = &b->seams,
                                          .pins = pins,
                                          .from_pin = pins != NULL,
                                          .no_anchor = !pins };
    struct sov_arena_mark mark = sov_arena_mark(&b->arena);
    struct sov_error err = { 0 };
    struct sov_report report;
    double from = bench_now(), spent;

    bench_must(sov_verify(&options, &b->arena, &report, &err), &err);
    spent = bench_now() - from;
    if (report.exit != SOV_OK) exit(1);
    sov_arena_rewind(&b->arena, mark);
    return spent;
}

/* What any reading verb pays before it knows anything: the engine's parse of the schema, mostly. */
static double opened(struct bench *b)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *ledger = NULL;
    struct sov_error err = { 0 };
    double from = bench_now();
    int64_t head;

    bench_must(sov_ledger_open(&b->places, SOV_LEDGER_READ, &b->seams, 1000, &ledger, &err) &&
                   sov_ledger_head(ledger, &head, &err),
               &err);
    sov_ledger_end(&ledger);
    return bench_now() - from;
}

void bench_pin(const char *under)
{
    static const int64_t behind[] = { 0, 10, 1000, 10000 };
    enum { PINS = sizeof behind / sizeof *behind };
    double whole[ROUNDS], open[ROUNDS * TIMES], ours[PINS][ROUNDS * TIMES], full;
    struct sov_error err = { 0 };
    char pins[PINS][320];
    struct bench b;
    int64_t head;

    bench_open(&b, under);
    bench_signals(&b, COUNT, 10);
    bench_must(sov_ledger_head(b.ledger, &head, &err), &err);
    for (size_t i = 0; i < PINS; i++) {
        struct sov_pin pin;

        snprintf(pins[i], sizeof pins[i], "%s/pins-%zu", b.root, i);
        bench_must(sov_pin_of(b.ledger, head - behind[i], &b.arena, &pin, &err) &&
                       sov_pin_move(pins[i], &pin, &err),
                   &err);
    }
    for (int round = 0; round < ROUNDS; round++) {
        whole[round] = verified(&b, NULL);
        (void)opened(&b); /* the caches are the whole verification's */
        for (int at = round * TIMES; at < (round + 1) * TIMES; at++) {
            open[at] = opened(&b);
            for (size_t i = 0; i < PINS; i++) ours[i][at] = verified(&b, pins[i]);
        }
    }
    full = bench_median(whole, ROUNDS);
    for (size_t i = 0; i < PINS; i++) {
        double spent = bench_median(ours[i], ROUNDS * TIMES);
        double due = full * (double)behind[i] / (double)head + 0.0005;
        char name[64], of[120];

        snprintf(name, sizeof name, "verify from a pin, %d behind", (int)behind[i]);
        snprintf(of, sizeof of, "%.2f ms / its share of a full verify (%.0f ms) and 0.5 ms",
                 spent * 1000, full * 1000);
        bench_line(name, spent / due, "<=", 1, of);
    }
    bench_stated("", bench_median(ours[0], ROUNDS * TIMES) / bench_median(open, ROUNDS * TIMES),
                 "verify from a pin, 0 behind / opening the ledger and reading its head");
    bench_close(&b);
}
