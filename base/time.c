#include "base/time.h"

#include <assert.h>

enum { DAY_MS = 86400000 };

struct civil {
    int64_t year, month, day, hour, minute, second;
};

/* Days since 1970-01-01 and back, in the proleptic Gregorian calendar. A year is taken to begin
 * in March, so that the leap day is its last; an era is 400 years. Years here are never negative.
 */
static int64_t days_of(const struct civil *c)
{
    int64_t year = c->month <= 2 ? c->year - 1 : c->year, era = year / 400, of_era = year % 400;
    int64_t month = c->month > 2 ? c->month - 3 : c->month + 9;
    int64_t of_year = (153 * month + 2) / 5 + c->day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void date_of(int64_t days, struct civil *c)
{
    int64_t shifted = days + 719468, era = shifted / 146097, of_era = shifted % 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;

    c->day = of_year - (153 * month + 2) / 5 + 1;
    c->month = month < 10 ? month + 3 : month - 9;
    c->year = year + era * 400 + (c->month <= 2);
}

static int64_t month_days(int64_t year, int64_t month)
{
    static const int64_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return days[month - 1] + (month == 2 && leap);
}

static void put(char *at, unsigned digits, int64_t n)
{
    while (digits--) {
        at[digits] = (char)('0' + n % 10);
        n /= 10;
    }
}

struct sov_instant sov_instant_after(struct sov_instant at, int64_t seconds)
{
    int64_t left = SOV_INSTANT_LAST_MS - at.ms;

    if (seconds > left / 1000) return (struct sov_instant){ SOV_INSTANT_LAST_MS };
    return (struct sov_instant){ at.ms + seconds * 1000 };
}

void sov_instant_format(struct sov_instant at, char text_out[SOV_INSTANT_TEXT + 1])
{
    struct civil c;
    int64_t day_ms;

    assert(at.ms >= SOV_INSTANT_FIRST_MS && at.ms <= SOV_INSTANT_LAST_MS);
    day_ms = (at.ms - SOV_INSTANT_FIRST_MS) % DAY_MS;
    date_of((at.ms - day_ms) / DAY_MS, &c);
    memcpy(text_out, "0000-00-00T00:00:00.000Z", SOV_INSTANT_TEXT + 1);
    put(text_out, 4, c.year);
    put(text_out + 5, 2, c.month);
    put(text_out + 8, 2, c.day);
    put(text_out + 11, 2, day_ms / 3600000);
    put(text_out + 14, 2, day_ms / 60000 % 60);
    put(text_out + 17, 2, day_ms / 1000 % 60);
    put(text_out + 20, 3, day_ms % 1000);
}

/* What is still to be read. A reader that finds something else stops for good: `data` is NULL. */
struct cursor {
    const uint8_t *data;
    size_t size;
};

static uint8_t peek(const struct cursor *in)
{
    return in->data && in->size ? *in->data : 0;
}

static bool take(struct cursor *in, const char *any_of)
{
    uint8_t c = peek(in);

    if (!c || !strchr(any_of, c)) {
        in->data = NULL;
        return false;
    }
    in->data++;
    in->size--;
    return true;
}

static int64_t take_digits(struct cursor *in, unsigned count)
{
    int64_t n = 0;

    while (count--) {
        uint8_t c = peek(in);

        if (!take(in, "0123456789")) return 0;
        n = n * 10 + (c - '0');
    }
    return n;
}

/* YYYY-MM-DDTHH:MM:SS, each in its range; second 60 is left to the caller. */
static bool take_civil(struct cursor *in, const char *t, struct civil *c)
{
    c->year = take_digits(in, 4);
    take(in, "-");
    c->month = take_digits(in, 2);
    take(in, "-");
    c->day = take_digits(in, 2);
    take(in, t);
    c->hour = take_digits(in, 2);
    take(in, ":");
    c->minute = take_digits(in, 2);
    take(in, ":");
    c->second = take_digits(in, 2);
    return in->data && c->year >= 1 && c->month >= 1 && c->month <= 12 && c->day >= 1 &&
           c->day <= month_days(c->year, c->month) && c->hour <= 23 && c->minute <= 59 &&
           c->second <= 60;
}

static int64_t minutes_of(const struct civil *c)
{
    return (days_of(c) * 24 + c->hour) * 60 + c->minute;
}

bool sov_instant_parse(struct sov_bytes text, struct sov_instant *at_out, struct sov_error *err)
{
    struct cursor in = { text.data, text.size };
    struct civil c;
    int64_t ms = 0;
    bool good = text.size == SOV_INSTANT_TEXT && take_civil(&in, "T", &c) && c.second <= 59;

    if (good) {
        take(&in, ".");
        ms = take_digits(&in, 3);
        take(&in, "Z");
    }
    if (!good || !in.data)
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "time is not YYYY-MM-DDTHH:MM:SS.mmmZ or no such day");
    at_out->ms = minutes_of(&c) * 60000 + c.second * 1000 + ms;
    return true;
}

/* Digits after the third are dropped: an instant never lies after what the source said. */
static int64_t take_fraction(struct cursor *in)
{
    int64_t ms = 0, weight = 100;

    if (peek(in) != '.') return 0;
    take(in, ".");
    do {
        ms += (peek(in) - '0') * weight;
        weight /= 10;
        if (!take(in, "0123456789")) return 0;
    } while (peek(in) >= '0' && peek(in) <= '9');
    return ms;
}

/* Minutes east of UTC. */
static int64_t take_offset(struct cursor *in)
{
    int64_t sign = peek(in) == '-' ? -1 : 1, hours, minutes;

    if (peek(in) == 'Z' || peek(in) == 'z') {
        take(in, "Zz");
        return 0;
    }
    take(in, "+-");
    hours = take_digits(in, 2);
    take(in, ":");
    minutes = take_digits(in, 2);
    if (hours > 23 || minutes > 59) in->data = NULL;
    return sign * (hours * 60 + minutes);
}

/* A leap second stands at the end of a UTC month and counts as the second after it. */
static bool may_leap(int64_t utc_minutes)
{
    int64_t next = utc_minutes + 1, first = SOV_INSTANT_FIRST_MS / 60000;
    struct civil c;

    if (next < first || next % (24 * 60) != 0) return false;
    date_of(next / (24 * 60), &c);
    return c.day == 1;
}

bool sov_instant_parse_foreign(struct sov_bytes text, struct sov_instant *at_out,
                               struct sov_error *err)
{
    struct cursor in = { text.data, text.size };
    struct civil c;
    int64_t fraction = 0, minutes = 0, ms = 0;
    bool good = text.size && take_civil(&in, "Tt", &c);

    if (good) {
        fraction = take_fraction(&in);
        minutes = minutes_of(&c) - take_offset(&in);
        ms = minutes * 60000 + c.second * 1000 + fraction;
        good = in.data && in.size == 0 && ms >= SOV_INSTANT_FIRST_MS && ms <= SOV_INSTANT_LAST_MS &&
               (c.second < 60 || may_leap(minutes));
    }
    if (!good)
        return sov_fail(err, SOV_USAGE, "bad_value", "time is no RFC 3339 date-time of year 1 on");
    at_out->ms = ms;
    return true;
}
