#ifndef SOV_TESTS_CLOCKS_UNIT_H
#define SOV_TESTS_CLOCKS_UNIT_H
/*
 * Hosts with clocks of their own over a true time that they do not know, and what the log must say
 * whatever they read: an independent fold of its text. The acts are test_ledger_clocks.c.
 */
#include "tests/unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/ledger_work.h"

enum { SECOND = 1000, TTL = 900 * SECOND, GRACE = 5 * SECOND, SKEW = 300 * SECOND, SLICE = 400 };
static const int64_t base_ms = INT64_C(2082758400000); /* 2036-01-01 */

/* ---- hosts and their clocks ---- */

struct host {
    const int64_t *truth_ms;
    int64_t skew_ms, booted_ms; /* the wall clock is the truth and this */
    int64_t worst_ms;           /* the skew of largest size since it was asked */
    int64_t step_ms;            /* of the wall clock, */
    int step_in;                /* after so many reads more; 0: none */
    char boot, machine;         /* its names, one letter each */
    struct sov_seams seams;
    struct sov_ledger *ledger;
};

static void step(struct host *h, int64_t ms)
{
    h->skew_ms += ms;
    if (llabs(h->skew_ms) > llabs(h->worst_ms)) h->worst_ms = h->skew_ms;
}

static bool clock_of(void *self, struct sov_now *now_out, struct sov_error *err)
{
    struct host *h = self;
    int64_t wall_ms = *h->truth_ms + h->skew_ms;

    (void)err;
    *now_out = (struct sov_now){ .wall = { wall_ms < 0 ? 0 : wall_ms },
                                 .boot_ms = *h->truth_ms - h->booted_ms };
    memset(now_out->boot, h->boot, SOV_BOOT_ID_SIZE);
    memset(now_out->machine, h->machine, SOV_MACHINE_SIZE);
    if (h->step_in && --h->step_in == 0) step(h, h->step_ms);
    return true;
}

/* ---- the ledger of all cases, and a case ---- */

struct template
{
    struct fixture f;
    int64_t assignment, head;
    struct sov_bytes file;
    char root[64], home[96], path[160];
    long failed_at; /* the case that is tried; -1: none */
};
enum when { BEFORE, BETWEEN, IN_A_PASS, IN_A_CLAIM, WHENS };
enum judged_from { SAME_BOOT, SAME_KERNEL, OTHER_BOOT, OTHER_MACHINE, KINDS };
struct trial {
    const struct template *template;
    struct sov_places places;
    struct sov_arena arena;
    int64_t truth_ms;
    struct host holder, judge;
    enum when when;
    enum judged_from from;
    bool judge_steps, own_process;
    int64_t base_skew_ms, step_ms;
    int renewals;
    /* what is true: */
    int64_t fence, sign_ms,
        sign_skew_ms; /* the newest sign of life, and the clock it was given by */
    bool rebooted;
    int64_t doubt_ms; /* of the judge's; 0: none */
    int64_t checked;  /* events looked at */
    /* the independent fold: */
    int64_t live, newest_fence, anomalies, newest_at_ms;
};

static void must(bool ok, const struct sov_error *err)
{
    if (!ok) fail_msg("%s: %s", err->code, err->what);
}

static void file_put(const struct template *t)
{
    char journal[200];
    int fd = open(t->path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(fd >= 0 && write(fd, t->file.data, t->file.size) == (ssize_t)t->file.size);
    assert_int_equal(close(fd), 0);
    snprintf(journal, sizeof journal, "%s-journal", t->path);
    (void)unlink(journal);
}

static void host_open(struct trial *c, struct host *h)
{
    struct sov_error err = { 0 };

    h->seams =
        (struct sov_seams){ .clock = { h, clock_of }, .random = c->template->f.seams.random };
    must(sov_ledger_open(&c->places, SOV_LEDGER_WRITE, &h->seams, 5000, &h->ledger, &err), &err);
}

/* ---- what the log says, read as text ---- */

static int64_t number_in(const char *text, const char *key)
{
    const char *at = strstr(text, key);

    return at ? strtoll(at + strlen(key), NULL, 10) : 0;
}

static int64_t at_in(const char *text)
{
    struct sov_error err = { 0 };
    struct sov_instant at;
    const char *from = strstr(text, "\"at\":\"");

    assert_non_null(from);
    from += strlen("\"at\":\"");
    must(sov_instant_parse(sov_bytes(from, strcspn(from, "\"")), &at, &err), &err);
    return at.ms;
}

static bool is(const char *text, const char *type)
{
    const char *at = strstr(text, "\"type\":\"");

    return at && strncmp(at + strlen("\"type\":\""), type, strlen(type)) == 0;
}

/* Whoever judged on this ground was right by what is true. */
static void ended_rightly(const struct trial *c, const char *text)
{
    int64_t gone_ms = c->truth_ms - c->sign_ms;
    int64_t apart_ms = llabs(c->judge.worst_ms - c->sign_skew_ms);

    if (strstr(text, "\"ground\":\"boot_clock\""))
        assert_true(gone_ms > TTL + GRACE);
    else if (strstr(text, "\"ground\":\"other_boot\""))
        assert_true(c->rebooted && c->truth_ms - c->judge.booted_ms > GRACE);
    else if (strstr(text, "\"ground\":\"wall_clock\""))
        assert_true(apart_ms > SKEW || gone_ms > TTL);
    else if (strstr(text, "\"ground\":\"anomalous\""))
        assert_true(c->doubt_ms && c->truth_ms - c->doubt_ms > TTL + SKEW);
    else
        fail_msg("no ground: %s", text);
}

static void fold(struct trial *c, const char *text, int64_t seq)
{
    int64_t fence = number_in(text, "\"fence\":"), at_ms = at_in(text);

    assert_true(at_ms >= c->newest_at_ms);
    c->newest_at_ms = at_ms;
    if (fence) assert_int_equal(fence, c->live);
    if (is(text, "claim.acquired")) {
        assert_int_equal(c->live, 0);
        assert_true(seq > c->newest_fence);
        c->live = c->newest_fence = seq;
    }
    if (is(text, "claim.acquired") || is(text, "claim.renewed")) c->anomalies = 0;
    if (is(text, "claim.anomalous")) {
        assert_int_equal(++c->anomalies, 1);
        c->doubt_ms = c->truth_ms;
    }
    if (is(text, "claim.expired")) {
        ended_rightly(c, text);
        c->live = 0;
    }
    if (is(text, "claim.released")) c->live = 0;
}

static void look(struct trial *c)
{
    struct sov_error err = { 0 };
    int64_t head;

    must(sov_ledger_head(c->judge.ledger, &head, &err), &err);
    for (; c->checked < head; c->checked++) {
        struct sov_event event;

        must(sov_log_event(c->judge.ledger, c->checked + 1, &c->arena, &event, &err), &err);
        fold(c, sov_arena_text(&c->arena, event.octets), c->checked + 1);
    }
}
#endif
