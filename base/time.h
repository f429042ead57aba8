#ifndef SOV_BASE_TIME_H
#define SOV_BASE_TIME_H
/* Instants as the log writes them: milliseconds since 1970 in UTC. No locale, no zone, no clock. */
#include "base/bytes.h"
#include "base/error.h"

enum { SOV_INSTANT_TEXT = 24 }; /* YYYY-MM-DDTHH:MM:SS.mmmZ, without the NUL */

struct sov_instant {
    int64_t ms; /* 0001-01-01 to 9999-12-31 */
};

/* Writes 24 characters and a NUL. */
void sov_instant_format(struct sov_instant at, char text_out[SOV_INSTANT_TEXT + 1]);
/* Exactly the form above, and a day that exists; nothing else. */
SOV_MUST_USE bool sov_instant_parse(struct sov_bytes text, struct sov_instant *at_out,
                                    struct sov_error *err);
/* Any RFC 3339 date-time (offset, any number of fraction digits, t/z in either case): bad_value. */
SOV_MUST_USE bool sov_instant_parse_foreign(struct sov_bytes text, struct sov_instant *at_out,
                                            struct sov_error *err);
#endif
