#ifndef SOV_BASE_PAUSE_H
#define SOV_BASE_PAUSE_H
/*
 * Waiting for what another process holds: pauses that grow, differ between processes, and end at
 * one deadline. Owns no clock: it counts what was slept, so that a machine which is too busy to
 * run us does not use the deadline up. A process that is told to stop while it waits waits no more;
 * one that knows already, and has its end still to write, waits as long as any other.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct sov_pause {
    int64_t max_ns, waited_ns, next_ns, steady_ns;
    uint64_t chance;
    int known; /* the signal that was there before the wait; -1: not asked, nothing was waited for
                */
};
void sov_pause_init(struct sov_pause *pause, int64_t max_ms);
void sov_pause_anew(struct sov_pause *pause); /* the whole deadline is there again */
/* From here on they do not grow: for a queue, where who waits long must not be asked less often. */
void sov_pause_steady(struct sov_pause *pause, int64_t about_us);
/* False at once when the deadline is reached, or a signal came. */
bool sov_pause_once(struct sov_pause *pause);
/* True if a signal came since the wait began, with the word for it in err. */
bool sov_pause_stopped(const struct sov_pause *pause, struct sov_error *err);
int64_t sov_pause_waited_ms(const struct sov_pause *pause);
#endif
