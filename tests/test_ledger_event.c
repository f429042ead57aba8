/* What is an event and what is not: one good line, and that line spoilt in every way once. */
#include "tests/unit.h"

#include "ledger/event.h"

#include <stdio.h>
#include <string.h>

/* The members of a good event, in order; a row of a test replaces one of them. */
enum part { ACTOR, AT, CAUSE, DATA, FENCE, KEY, SEQ, STREAM, SV, TYPE, V, PARTS };
static const char *const good[PARTS] = { "\"actor\":\"master\"",
                                         "\"at\":\"2026-01-01T00:00:00.000Z\"",
                                         "\"cause\":[2,4]",
                                         "\"data\":{}",
                                         "",
                                         "\"key\":\"k1\"",
                                         "\"seq\":9",
                                         "\"stream\":\"sow/SOW-1\"",
                                         "\"sv\":2",
                                         "\"type\":\"sow.readied\"",
                                         "\"v\":1" };

static struct sov_bytes spoilt(char *text, size_t room, enum part part, const char *with)
{
    size_t size = 0;

    size += (size_t)snprintf(text, room, "{");
    for (enum part i = 0; i < PARTS; i++) {
        const char *member = i == part ? with : good[i];

        if (!*member) continue;
        size += (size_t)snprintf(text + size, room - size, "%s%s", size > 1 ? "," : "", member);
    }
    size += (size_t)snprintf(text + size, room - size, "}");
    assert_true(size < room);
    return sov_bytes(text, size);
}

static void a_good_event_is_read_member_by_member(void **state)
{
    char text[1000];
    struct sov_bytes octets = spoilt(text, sizeof text, PARTS, "");
    struct sov_event event;
    struct sov_error err = { 0 };

    (void)state;
    if (!sov_event_decode(octets, &event, &err)) fail_msg("%s", err.what);
    assert_int_equal(event.seq, 9);
    assert_int_equal(event.sv, 2);
    assert_int_equal(event.type, SOV_EVENT_SOW_READIED);
    assert_int_equal(event.stream.kind, SOV_STREAM_SOW);
    assert_int_equal(event.stream.n, 1);
    assert_int_equal(event.fence, 0);
    assert_true(sov_bytes_is(event.actor, "master"));
    assert_true(sov_bytes_is(event.key.octets, "\"k1\""));
    assert_true(sov_bytes_is(event.cause.octets, "[2,4]"));
}

static const struct spoiling {
    enum part part;
    const char *with;
} spoilings[] = {
    { ACTOR, "" },
    { ACTOR, "\"actor\":\"Master\"" },
    { ACTOR, "\"actor\":\"\"" },
    { ACTOR, "\"actor\":7" },
    { ACTOR, "\"actor\":\"a\\n\"" },
    { AT, "" },
    { AT, "\"at\":\"2026-01-01T00:00:00Z\"" },
    { AT, "\"at\":\"2026-02-29T00:00:00.000Z\"" },
    { CAUSE, "\"cause\":[]" },
    { CAUSE, "\"cause\":[4,2]" },
    { CAUSE, "\"cause\":[2,2]" },
    { CAUSE, "\"cause\":[0]" },
    { CAUSE, "\"cause\":[9]" },
    { CAUSE, "\"cause\":[\"2\"]" },
    { CAUSE, "\"cause\":2" },
    { DATA, "" },
    { DATA, "\"data\":[]" },
    { DATA, "\"data\":null" },
    { DATA, "\"data\":{\"more\":1}" },
    { DATA, "\"data\":{\"\":true}" }, /* no name is no field either */
    { FENCE, "\"fence\":3" },         /* not under a claim */
    { FENCE, "\"fence\":0,\"fence\":0" },
    { KEY, "\"key\":\"\"" },
    { KEY, "\"key\":null" },
    { SEQ, "" },
    { SEQ, "\"seq\":0" },
    { SEQ, "\"seq\":9007199254740992" },
    { SEQ, "\"seq\":9.0" },
    { SEQ, "\"seq\":9,\"seq\":9" },
    { STREAM, "\"stream\":\"sow/SOW-01\"" },
    { STREAM, "\"stream\":\"sow/OUT-1\"" },
    { STREAM, "\"stream\":\"outcome/OUT-1\"" },
    { STREAM, "\"stream\":\"sow\"" },
    { SV, "\"sv\":0" },
    { TYPE, "\"type\":\"sow.readied.2\"" },
    { TYPE, "\"type\":\"outcome.activated\"" },
    { V, "" },
    { V, "\"v\":2" },
    { V, "\"v\":1,\"z\":1" },
    { V, "\"v\": 1" },
    { V, "\"v\":1} " },
};

static void each_member_has_its_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spoilings / sizeof *spoilings; i++) {
        struct sov_event event = { .seq = -7 };
        struct sov_error err = { 0 };
        char text[1000];

        if (sov_event_decode(spoilt(text, sizeof text, spoilings[i].part, spoilings[i].with),
                             &event, &err))
            fail_msg("accepted: %s", text);
        assert_string_equal(err.code, "event_invalid");
        assert_int_equal(err.exit, SOV_INTEGRITY);
        assert_int_equal(event.seq, -7);
    }
}

static void an_event_is_an_object(void **state)
{
    static const char *const texts[] = { "", "[]", "7", "\"\"", "null", "[1,2]", "{}", "{", "}" };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sov_event event = { .seq = -7 };
        struct sov_error err = { 0 };

        if (sov_event_decode(sov_bytes_text(texts[i]), &event, &err))
            fail_msg("accepted: %s", texts[i]);
        assert_string_equal(err.code, "event_invalid");
        assert_int_equal(event.seq, -7);
    }
}

static void a_stream_is_a_kind_and_its_name_or_number(void **state)
{
    static const struct {
        const char *text;
        enum sov_stream_kind kind;
        int64_t n;
    } rows[] = {
        { "sow/SOW-1", SOV_STREAM_SOW, 1 },  { "actor/a", SOV_STREAM_ACTOR, 0 },
        { "", SOV_STREAM_COUNT, 0 },         { "/", SOV_STREAM_COUNT, 0 },
        { "sow", SOV_STREAM_COUNT, 0 },      { "actor", SOV_STREAM_COUNT, 0 },
        { "actor/", SOV_STREAM_COUNT, 0 },   { "ghost/a", SOV_STREAM_COUNT, 0 },
        { "sow/", SOV_STREAM_COUNT, 0 },     { "sow/SOW-", SOV_STREAM_COUNT, 0 },
        { "sow/SOW1", SOV_STREAM_COUNT, 0 }, { "sow/SOW-0", SOV_STREAM_COUNT, 0 },
    };
    struct sov_stream stream;
    char name[6 + SOV_NAME_MAX + 2] = "actor/";

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is = rows[i].kind != SOV_STREAM_COUNT;

        stream = (struct sov_stream){ .n = -7 };
        if (sov_stream_parse(sov_bytes_text(rows[i].text), &stream) != is)
            fail_msg("%s", rows[i].text);
        assert_int_equal(stream.n, is ? rows[i].n : -7);
        if (is) assert_int_equal(stream.kind, rows[i].kind);
    }
    memset(name + 6, 'a', SOV_NAME_MAX + 1);
    assert_true(sov_stream_parse(sov_bytes(name, 6 + SOV_NAME_MAX), &stream));
    assert_false(sov_stream_parse(sov_bytes(name, 6 + SOV_NAME_MAX + 1), &stream));
}

/* Without the whole being read: the last member of that name, and none is no stream. */
static void the_stream_of_an_event_is_found_from_its_end(void **state)
{
    static const struct {
        const char *text;
        int64_t n; /* 0: none */
    } rows[] = {
        { "{\"a\":1,\"stream\":\"sow/SOW-3\",\"sv\":1}", 3 },
        { "{\"d\":\",\\\"stream\\\":\",\"stream\":\"sow/SOW-4\",\"sv\":1}", 4 },
        { "{\"a\":{\"b\":1,\"stream\":\"sow/SOW-5\"},\"stream\":\"sow/SOW-6\"}", 6 },
        { "{,\"stream\":\"sow/SOW-7\"", 7 },
        { ",\"stream\":\"sow/SOW-7\"", 0 }, /* nothing stands before it */
        { "{,\"stream\":\"sow/SOW-7", 0 },
        { "{,\"stream\":\"", 0 },
        { ",\"stream\":\"", 0 },
        { ",", 0 },
        { "", 0 },
        { "{\"a\":1,\"sv\":1,\"type\":\"sow.readied\",\"v\":1}", 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_stream stream = { .n = -7 };

        if (sov_event_stream(sov_bytes_text(rows[i].text), &stream) != (rows[i].n > 0))
            fail_msg("%s", rows[i].text);
        assert_int_equal(stream.n, rows[i].n ? rows[i].n : -7);
    }
}

static void a_key_of_201_bytes_is_one_too_many(void **state)
{
    char member[300] = "\"key\":\"", text[1000];
    struct sov_event event;
    struct sov_error err = { 0 };

    (void)state;
    memset(member + 7, 'k', SOV_KEY_MAX);
    memcpy(member + 7 + SOV_KEY_MAX, "\"", 2);
    assert_true(sov_event_decode(spoilt(text, sizeof text, KEY, member), &event, &err));
    memcpy(member + 7 + SOV_KEY_MAX, "k\"", 3);
    assert_false(sov_event_decode(spoilt(text, sizeof text, KEY, member), &event, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_event_is_read_member_by_member),
        cmocka_unit_test(each_member_has_its_form),
        cmocka_unit_test(an_event_is_an_object),
        cmocka_unit_test(a_stream_is_a_kind_and_its_name_or_number),
        cmocka_unit_test(the_stream_of_an_event_is_found_from_its_end),
        cmocka_unit_test(a_key_of_201_bytes_is_one_too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
