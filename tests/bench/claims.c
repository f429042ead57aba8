/*
 * Writers that wait for each other, claims in number, and the price of keeping one. The clock of
 * supervise is the bench's own: claims run out because it moves, not because anybody waits.
 */
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ledger/instance.h"
#include "ledger/message.h"
#include "ledger/supervise.h"

/* ---- sixteen writers and one ---- */

static double worst_of(struct bench *b, int64_t count)
{
    double worst = 0;

    for (int64_t i = 0; i < count; i++) {
        double from = bench_now(), took;

        bench_signals(b, 1, 1);
        took = bench_now() - from;
        if (took > worst) worst = took;
    }
    return worst;
}

/* A process that opens the ledger, waits for the end of `go`, appends, and says its worst wait. */
static void writer(struct bench *b, int64_t count, const int go[2], int said)
{
    pid_t pid = fork();
    struct sov_error err = { 0 };
    double worst;
    char one;

    if (pid < 0) exit(1);
    if (pid > 0) return;
    close(go[1]);
    bench_must(sov_ledger_open(&b->places, SOV_LEDGER_WRITE, &b->seams, 60000, &b->ledger, &err),
               &err);
    if (read(go[0], &one, 1) != 0) _exit(1);
    worst = worst_of(b, count);
    if (write(said, &worst, sizeof worst) != sizeof worst) _exit(1);
    sov_ledger_close(b->ledger);
    _exit(0);
}

/* Seconds for `total` commits by so many processes, which begin together. */
static double crowd_of(struct bench *b, int writers, int64_t total, double *worst_out)
{
    int go[2], said[2], status;
    double from, worst;

    if (pipe(go) != 0 || pipe(said) != 0) exit(1);
    for (int i = 0; i < writers; i++) writer(b, total / writers, go, said[1]);
    close(go[0]);
    usleep(300000); /* by then each stands at the pipe */
    from = bench_now();
    close(go[1]);
    *worst_out = 0;
    for (int i = 0; i < writers; i++) {
        if (read(said[0], &worst, sizeof worst) != sizeof worst) exit(1);
        if (worst > *worst_out) *worst_out = worst;
    }
    from = bench_now() - from;
    while (wait(&status) > 0)
        if (status != 0) exit(1);
    close(said[0]);
    close(said[1]);
    return from;
}

void bench_crowd(const char *under)
{
    enum { ROUNDS = 5, WRITERS = 16, TOTAL = 1600 };
    double one[ROUNDS], many[ROUNDS], worst[ROUNDS], alone;
    struct bench b;

    bench_open(&b, under);
    bench_signals(&b, 50, 1);
    sov_ledger_close(b.ledger); /* no handle goes into a child */
    b.ledger = NULL;
    for (int round = 0; round < ROUNDS; round++) {
        one[round] = crowd_of(&b, 1, TOTAL, &alone);
        many[round] = crowd_of(&b, WRITERS, TOTAL, &worst[round]);
    }
    bench_line("16 writers", bench_median(one, ROUNDS) / bench_median(many, ROUNDS), ">=", 0.9,
               "rate of 16 processes together / rate of one");
    bench_stated("", bench_median(worst, ROUNDS) * 1000,
                 "ms, the worst wait of an append among the 16, median of the rounds");
    bench_close(&b);
}

/* ---- claims ---- */

struct moved {
    struct sov_clock system;
    int64_t ms;
};

static bool moved_read(void *self, struct sov_now *now_out, struct sov_error *err)
{
    struct moved *clock = self;

    if (!clock->system.read(clock->system.self, now_out, err)) return false;
    now_out->wall.ms += clock->ms;
    now_out->boot_ms += clock->ms;
    return true;
}

/* Takes up the messages first to last, 1,000 a commit. */
static void claims(struct bench *b, int64_t first, int64_t last, int64_t ttl_s)
{
    struct sov_act act = { .actor = "operator", .expect_seq = -1, .expect_version = -1 };
    struct sov_error err = { 0 };

    for (int64_t n = first; n <= last;) {
        SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
        struct sov_message_request mail = { .to = "operator", .subject = "please" };
        struct sov_done done;
        struct sov_who who;
        int64_t fence, seq;

        bench_must(sov_commit_begin(&commit, b->ledger, &act, &err), &err);
        who = sov_who_now(&commit, 0, 0);
        for (int64_t end = n + 1000; n < end && n <= last; n++) {
            bench_must(sov_message_send(&commit, &mail, &done, &err), &err);
            bench_must(sov_message_claim(&commit, n, ttl_s, &who, &fence, &done, &err), &err);
        }
        bench_must(sov_commit_finish(&commit, &seq, &err), &err);
    }
}

static double pass(struct bench *b, size_t wanted)
{
    struct sov_supervise_options options = { .pid = 1, .start = 1 };
    struct sov_arena_mark mark = sov_arena_mark(&b->arena);
    struct sov_supervised done;
    struct sov_error err = { 0 };
    double from = bench_now();

    bench_must(sov_supervise(b->ledger, &options, &b->arena, &done, &err), &err);
    from = bench_now() - from;
    if (done.act_count != wanted || done.fault_count) {
        fprintf(stderr, "bench: a pass of %zu acts, not %zu\n", done.act_count, wanted);
        exit(1);
    }
    sov_arena_rewind(&b->arena, mark);
    return from;
}

/* A ledger whose clock is `clock`, with so many claims that will last. */
static void claimed_open(struct bench *b, const char *under, struct moved *clock, int64_t live)
{
    struct sov_error err = { 0 };

    bench_open(b, under);
    sov_ledger_close(b->ledger);
    clock->system = b->seams.clock;
    b->seams.clock = (struct sov_clock){ clock, moved_read };
    bench_must(sov_ledger_open(&b->places, SOV_LEDGER_WRITE, &b->seams, 5000, &b->ledger, &err),
               &err);
    claims(b, 1, live, 14400);
}

void bench_supervise(const char *under)
{
    enum { LIVE = 10000, OVER = 1000, ROUNDS = 5 };
    double idle[ROUNDS], acts, appends;
    struct moved clock = { 0 };
    struct bench b;

    claimed_open(&b, under, &clock, LIVE);
    claims(&b, LIVE + 1, LIVE + OVER, 30);
    clock.ms += 3600000;
    acts = pass(&b, OVER);
    appends = bench_now();
    bench_signals(&b, OVER, 1);
    appends = bench_now() - appends;
    for (int round = 0; round < ROUNDS; round++) idle[round] = pass(&b, 0);
    bench_stated("supervise, 1,000 over", acts / appends,
                 "a pass over 10,000 live and 1,000 expired claims / 1,000 appends of a signal");
    bench_stated("supervise, none over", bench_median(idle, ROUNDS) / (appends / OVER),
                 "a pass over 10,000 live claims / one append of a signal");
    bench_close(&b);
}

/* So many renewals of the one instance, each a commit. */
static void renewals(struct bench *b, int64_t fence, int count)
{
    struct sov_act act = { .actor = "operator", .expect_seq = -1, .expect_version = -1 };
    struct sov_error err = { 0 };

    for (int i = 0; i < count; i++) {
        SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
        struct sov_done done;
        struct sov_who who;
        int64_t seq;

        bench_must(sov_commit_begin(&commit, b->ledger, &act, &err), &err);
        who = sov_who_now(&commit, 0, 0);
        bench_must(sov_instance_renew(&commit, 1, fence, 0, &who, &done, &err), &err);
        bench_must(sov_commit_finish(&commit, &seq, &err), &err);
    }
}

static int64_t instance_claimed(struct bench *b)
{
    struct sov_act act = { .actor = "operator", .expect_seq = -1, .expect_version = -1 };
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_error err = { 0 };
    struct sov_done done;
    struct sov_who who;
    int64_t fence, seq;

    bench_must(sov_commit_begin(&commit, b->ledger, &act, &err), &err);
    who = sov_who_now(&commit, 0, 0);
    bench_must(sov_instance_register(&commit, "bench", &done, &err), &err);
    bench_must(sov_instance_claim(&commit, 1, 0, &who, &fence, &done, &err), &err);
    bench_must(sov_commit_finish(&commit, &seq, &err), &err);
    return fence;
}

void bench_renew(const char *under)
{
    enum { ROUNDS = 15, EACH = 40 };
    double ours[ROUNDS], appends[ROUNDS];
    struct bench b;
    int64_t fence;

    bench_open(&b, under);
    fence = instance_claimed(&b);
    bench_signals(&b, 50, 1);
    for (int round = 0; round < ROUNDS; round++) {
        double from = bench_now();

        renewals(&b, fence, EACH);
        ours[round] = (bench_now() - from) / EACH;
        from = bench_now();
        bench_signals(&b, EACH, 1);
        appends[round] = (bench_now() - from) / EACH;
    }
    bench_stated("renew a claim", bench_median(ours, ROUNDS) / bench_median(appends, ROUNDS),
                 "a renewal, durable / an append of a signal");
    bench_close(&b);
}
