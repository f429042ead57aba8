#include "base/pause.h"

#include <assert.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"

enum { MS = 1000 * 1000, SECOND = 1000 * MS, LONGEST = 20 * MS }; /* nanoseconds */

void sov_pause_init(struct sov_pause *pause, int64_t max_ms)
{
    assert(pause && max_ms >= 0 && max_ms <= INT64_MAX / SECOND);
    *pause = (struct sov_pause){ .max_ns = max_ms * MS };
    pause->known = sov_signals_seen();
    /* Enough to part two processes; nothing that anyone reads depends on it. */
    pause->chance = ((uint64_t)(uintptr_t)pause ^ (uint64_t)getpid() << 40) | 1;
}

void sov_pause_anew(struct sov_pause *pause)
{
    pause->waited_ns = 0;
    pause->next_ns = 0;
    pause->known = -1; /* asked when there is something to wait for: this is called every time */
}

void sov_pause_steady(struct sov_pause *pause, int64_t about_us)
{
    assert(about_us > 0 && about_us <= LONGEST / 1000);
    pause->steady_ns = about_us * 1000;
}

static int came(const struct sov_pause *pause)
{
    return pause->known ? 0 : sov_signals_seen();
}

bool sov_pause_once(struct sov_pause *pause)
{
    int64_t left = pause->max_ns - pause->waited_ns, want;
    struct timespec length, rest = { 0 };

    if (pause->known < 0) pause->known = sov_signals_seen();
    if (left <= 0 || came(pause)) return false;
    if (pause->steady_ns > 0)
        pause->next_ns = pause->steady_ns;
    else if (pause->next_ns < LONGEST)
        pause->next_ns += pause->next_ns / 2 + MS / 4;
    pause->chance ^= pause->chance << 13;
    pause->chance ^= pause->chance >> 7;
    pause->chance ^= pause->chance << 17;
    want = pause->next_ns / 2 + (int64_t)(pause->chance % (uint64_t)pause->next_ns);
    if (want > left) want = left;
    length = (struct timespec){ .tv_sec = want / SECOND, .tv_nsec = want % SECOND };
    if (nanosleep(&length, &rest) != 0) want -= rest.tv_sec * SECOND + rest.tv_nsec;
    pause->waited_ns += want;
    return true;
}

bool sov_pause_stopped(const struct sov_pause *pause, struct sov_error *err)
{
    int signal = came(pause);

    if (signal == SIGINT)
        sov_error_set(err, SOV_INTERRUPTED, "interrupted", "told to stop while waiting");
    else if (signal)
        sov_error_set(err, SOV_TERMINATED, "terminated", "told to end while waiting");
    return signal != 0;
}

int64_t sov_pause_waited_ms(const struct sov_pause *pause)
{
    return pause->waited_ns / MS;
}
