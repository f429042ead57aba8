#ifndef SOV_BASE_TIME_H
#define SOV_BASE_TIME_H
/* Instants as the log writes them: milliseconds since 1970 in UTC. No locale, no zone, no clock. */
#include "base/bytes.h"
#include "base/error.h"

enum { SOV_INSTANT_TEXT = 24 }; /* YYYY-MM-DDTHH:MM:SS.mmmZ, without the NUL */

#define SOV_INSTANT_FIRST_MS INT64_C(-62135596800000) /* 0001-01-01T00:00:00.000Z */
#define SOV_INSTANT_LAST_MS INT64_C(253402300799999)  /* 9999-12-31T23:59:59.999Z */

struct sov_instant {
    int64_t ms; /* from the first to the last */
};

/* So many seconds later, or the last instant there is. */
struct sov_instant sov_instant_after(struct sov_instant at, int64_t seconds);

/* Writes 24 characters and a NUL. */
void sov_instant_format(struct sov_instant at, char text_out[SOV_INSTANT_TEXT + 1]);
/* Exactly the form above, and a day that exists; nothing else. */
SOV_MUST_USE bool sov_instant_parse(struct sov_bytes text, struct sov_instant *at_out,
                                    struct sov_error *err);
/* Any RFC 3339 date-time (offset, any number of fraction digits, t/z in either case): bad_value. */
SOV_MUST_USE bool sov_instant_parse_foreign(struct sov_bytes text, struct sov_instant *at_out,
                                            struct sov_error *err);
#endif
