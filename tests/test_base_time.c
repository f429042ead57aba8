#include "tests/unit.h"

#include <stdio.h>
#include <time.h>

#include "base/time.h"

#define ROWS(table) (sizeof(table) / sizeof *(table))
#define LITERAL(text) sov_bytes(text, sizeof(text) - 1)

static void an_instant_is_written_and_read_back(void **state)
{
    static const struct {
        int64_t ms;
        const char *text;
    } rows[] = {
        { 0, "1970-01-01T00:00:00.000Z" },
        { -1, "1969-12-31T23:59:59.999Z" },
        { 951827696789, "2000-02-29T12:34:56.789Z" },
        { 4107542400000, "2100-03-01T00:00:00.000Z" },
        { 1760000000123, "2025-10-09T08:53:20.123Z" },
        { -62135596800000, "0001-01-01T00:00:00.000Z" },
        { 253402300799999, "9999-12-31T23:59:59.999Z" },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct sov_error err;
        struct sov_instant at;
        char text[SOV_INSTANT_TEXT + 1];

        sov_instant_format((struct sov_instant){ rows[i].ms }, text);
        assert_string_equal(text, rows[i].text);
        assert_true(sov_instant_parse(sov_bytes_text(text), &at, &err));
        assert_true(at.ms == rows[i].ms);
    }
}

/* Each day of 1 to 9999 follows the one before; the C library agrees. */
static void every_day_has_its_number(void **state)
{
    const int64_t day_ms = 86400000, first = -62135596800000, last = 253402300799999;

    (void)state;
    for (int64_t ms = first; ms <= last; ms += day_ms) {
        char ours[SOV_INSTANT_TEXT + 1], theirs[80];
        time_t second = ms / 1000;
        struct tm tm;

        sov_instant_format((struct sov_instant){ ms }, ours);
        assert_non_null(gmtime_r(&second, &tm));
        snprintf(theirs, sizeof theirs, "%04d-%02d-%02dT00:00:00.000Z", tm.tm_year + 1900,
                 tm.tm_mon + 1, tm.tm_mday);
        if (strcmp(ours, theirs) != 0) fail_msg("%s is %s", theirs, ours);
    }
}

static void any_other_spelling_of_an_instant_is_refused(void **state)
{
    static const char *const rows[] = {
        "",
        "2025-10-09T08:53:20.123",
        "2025-10-09T08:53:20.123z",
        "2025-10-09t08:53:20.123Z",
        "2025-10-09 08:53:20.123Z",
        "2025-10-09T08:53:20.12Z",
        "2025-10-09T08:53:20Z",
        "2025-10-09T08:53:20.1234Z",
        "2025-10-09T08:53:20.123Z ",
        "2025-10-09T08:53:20.123+00:00",
        "+025-10-09T08:53:20.123Z",
        "0000-10-09T08:53:20.123Z",
        "2025-00-09T08:53:20.123Z",
        "2025-13-09T08:53:20.123Z",
        "2025-10-00T08:53:20.123Z",
        "2025-10-32T08:53:20.123Z",
        "2025-02-29T08:53:20.123Z",
        "2100-02-29T08:53:20.123Z",
        "2025-04-31T08:53:20.123Z",
        "2025-10-09T24:00:00.000Z",
        "2025-10-09T08:60:20.123Z",
        "2016-12-31T23:59:60.000Z",
        "2025-10-09T08:53:2\xD9\xA1.12Z",
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct sov_instant at = { 42 };
        struct sov_error err = { 0 };

        if (sov_instant_parse(sov_bytes_text(rows[i]), &at, &err)) fail_msg("%s", rows[i]);
        assert_string_equal(err.code, "bad_value");
        assert_int_equal(err.exit, SOV_USAGE);
        assert_true(at.ms == 42);
    }
    assert_false(sov_instant_parse(LITERAL("2025-10-09T08:53:20.12\0Z"), &(struct sov_instant){ 0 },
                                   &(struct sov_error){ 0 }));
}

static void a_foreign_instant_is_brought_to_utc(void **state)
{
    static const struct {
        const char *text, *utc;
    } rows[] = {
        { "2025-10-09T08:53:20Z", "2025-10-09T08:53:20.000Z" },
        { "2025-10-09t08:53:20z", "2025-10-09T08:53:20.000Z" },
        { "2025-10-09T08:53:20.1Z", "2025-10-09T08:53:20.100Z" },
        { "2025-10-09T08:53:20.123999999999999999999999Z", "2025-10-09T08:53:20.123Z" },
        { "2025-10-09T08:53:20.0009-00:00", "2025-10-09T08:53:20.000Z" },
        { "2025-10-09T08:53:20+02:00", "2025-10-09T06:53:20.000Z" },
        { "2024-02-29T23:30:00-05:45", "2024-03-01T05:15:00.000Z" },
        { "1969-12-31T23:59:59.5+00:00", "1969-12-31T23:59:59.500Z" },
        { "2016-12-31T23:59:60.25Z", "2017-01-01T00:00:00.250Z" },
        { "2016-12-31T15:59:60-08:00", "2017-01-01T00:00:00.000Z" },
        { "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z" },
        { "9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999Z" },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char text[SOV_INSTANT_TEXT + 1];
        struct sov_instant at;
        struct sov_error err = { 0 };

        if (!sov_instant_parse_foreign(sov_bytes_text(rows[i].text), &at, &err))
            fail_msg("%s: %s", rows[i].text, err.what);
        sov_instant_format(at, text);
        assert_string_equal(text, rows[i].utc);
    }
}

static void what_is_no_rfc_3339_is_refused(void **state)
{
    static const char *const rows[] = {
        "",
        "2025-10-09",
        "2025-10-09T08:53Z",
        "2025-10-09T08:53:20",
        "2025-10-09 08:53:20Z",
        "2025-10-09T08:53:20.Z",
        "2025-10-09T08:53:20,5Z",
        "2025-10-09T08:53:20+0200",
        "2025-10-09T08:53:20+02",
        "2025-10-09T08:53:20+24:00",
        "2025-10-09T08:53:20+02:60",
        "2025-10-09T08:53:20ZZ",
        "2025-10-09T08:53:20Z\n",
        "2025-10-09T08:53:61Z",
        "2025-10-09T08:53:60Z",
        "2025-10-09T23:59:60Z",
        "2025-02-30T00:00:00Z",
        "0000-12-31T23:59:59Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "9999-12-31T23:59:60Z",
        "-2025-10-09T08:53:20Z",
        "20251009T085320Z",
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct sov_instant at = { 42 };
        struct sov_error err = { 0 };

        if (sov_instant_parse_foreign(sov_bytes_text(rows[i]), &at, &err)) fail_msg("%s", rows[i]);
        assert_string_equal(err.code, "bad_value");
        assert_int_equal(err.exit, SOV_USAGE);
        assert_true(at.ms == 42);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instant_is_written_and_read_back),
        cmocka_unit_test(every_day_has_its_number),
        cmocka_unit_test(any_other_spelling_of_an_instant_is_refused),
        cmocka_unit_test(a_foreign_instant_is_brought_to_utc),
        cmocka_unit_test(what_is_no_rfc_3339_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
