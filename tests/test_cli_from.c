/* Deliveries of known senders: what becomes of the fixtures, and what is refused where. */
#include "tests/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/from.h"

#define FOLDER "fixtures/signals/"

struct box {
    struct sov_arena arena;
};

static int setup(void **state)
{
    struct box *box = calloc(1, sizeof *box);

    sov_arena_init(&box->arena, 512 << 20);
    *state = box;
    return 0;
}

static int teardown(void **state)
{
    struct box *box = *state;

    sov_arena_release(&box->arena);
    free(box);
    return 0;
}

static struct sov_bytes file(struct box *box, const char *name)
{
    char path[160];
    char *data = sov_arena_take(&box->arena, 1 << 16);
    FILE *in;
    size_t size;

    snprintf(path, sizeof path, FOLDER "%s", name);
    in = fopen(path, "rb");
    if (!in) fail_msg("no %s", path);
    size = fread(data, 1, 1 << 16, in);
    fclose(in);
    return sov_bytes(data, size);
}

static struct sov_from read_ok(struct box *box, struct sov_from_request request)
{
    struct sov_from from;
    struct sov_error err = { 0 };

    if (!sov_from_read(&request, &box->arena, &from, &err)) fail_msg("%s: %s", err.code, err.what);
    return from;
}

static void read_refused(struct box *box, struct sov_from_request request, const char *code,
                         const char *in_text)
{
    struct sov_from from = { NULL, 7 };
    struct sov_error err = { 0 };

    if (sov_from_read(&request, &box->arena, &from, &err)) fail_msg("%s was not refused", code);
    assert_string_equal(err.code, code);
    assert_int_equal(err.exit, SOV_USAGE);
    if (!strstr(err.what, in_text)) fail_msg("%s: not %s", err.what, in_text);
    assert_int_equal(from.count, 7);
}

static void same(const char *got, const char *want)
{
    if (!want)
        assert_null(got);
    else if (!got)
        fail_msg("nothing, not %s", want);
    else
        assert_string_equal(got, want);
}

/* The whole answer of each good fixture. */
static const struct {
    const char *file, *sender, *event, *delivery;
    size_t at, of;
    const char *kind, *source, *subject;
    enum sov_severity severity;
    const char *observed_at, *key, *media_type;
} good[] = {
    { "y_github_workflow_run.json", "github", "workflow_run", "72d3162e", 0, 1,
      "github.workflow_run.completed", "github", "repo:acme/shop#release/1.2", SOV_WARNING,
      "2026-03-01T10:02:47Z", "72d3162e", "application/json" },
    { "y_github_check_run.json", "github", "check_run", "d2", 0, 1, "github.check_run.completed",
      "github", "repo:acme/shop#main", SOV_RESOLVED, "2026-03-01T10:05:00Z", "d2",
      "application/json" },
    { "y_github_issues.json", "github", "issues", "d3", 0, 1, "github.issues.opened", "github",
      "repo:acme/shop#1347", SOV_WARNING, "2026-03-02T08:00:01Z", "d3", "application/json" },
    { "y_github_push.json", "github", "push", "d4", 0, 1, "github.push", "github",
      "repo:acme/shop#main", SOV_INFO, "2026-03-03T12:00:00-05:00", "d4", "application/json" },
    { "y_github_pull_request.json", "github", "pull_request", "d5", 0, 1,
      "github.pull_request.opened", "github", "repo:acme/shop#7", SOV_INFO, "2026-03-04T10:00:30Z",
      "d5", "application/json" },
    { "y_github_membership.json", "github", "membership", "d6", 0, 1, "github.membership.added-",
      "github", "org:acme", SOV_INFO, NULL, "d6", "application/json" },
    { "y_cloudevents_one.json", "cloudevents", NULL, NULL, 0, 1, "com.example.stock.low-v2",
      "shop.example.com-shelves-3", "SKU-TEA", SOV_WARNING, "2026-03-05T17:31:00.123456789Z",
      "6adbb971ca8d29cf:A234-1234-1234", "application/cloudevents+json" },
    { "y_cloudevents_batch.json", "cloudevents", NULL, NULL, 0, 3, "com.example.someevent",
      "mycontext-4", "/mycontext/4", SOV_INFO, "2026-03-05T17:31:00+02:00",
      "b29c5d70918d8c37:B234-1234-1234", "application/cloudevents-batch+json" },
    { "y_cloudevents_batch.json", "cloudevents", NULL, NULL, 1, 3, "com.example.someotherevent",
      "mycontext-9", "/mycontext/9", SOV_RESOLVED, NULL, "220b221506ab842f:C234-1234-1234",
      "application/cloudevents-batch+json" },
    { "y_cloudevents_batch.json", "cloudevents", NULL, NULL, 2, 3,
      "com.example.an.event.type.that.is.much.longer.than-21ecfac36f5a",
      "urn-uuid-6e8bc430-9c3a-11d9-9669-0800200c9a66",
      "urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66", SOV_INFO, NULL,
      "a189abacde442a3e:B234-1234-1234", "application/cloudevents-batch+json" },
    { "y_alertmanager.json", "alertmanager", NULL, NULL, 0, 3, "alertmanager.stocklow",
      "alertmanager", "shop", SOV_WARNING, "2026-03-06T07:12:03.000000042+01:00",
      "c1b5d0a2f9e84d31:1:7e9204536d3abdd1", "application/json" },
    { "y_alertmanager.json", "alertmanager", NULL, NULL, 1, 3, "alertmanager.shelfdooropen",
      "alertmanager", "10.0.0.8:9100", SOV_RESOLVED, "2026-03-06T06:30:00Z",
      "0123456789abcdef:2:7e9204536d3abdd1", "application/json" },
    { "y_alertmanager.json", "alertmanager", NULL, NULL, 2, 3, "alertmanager.heartbeat---nightly",
      "alertmanager", "Heartbeat / nightly", SOV_INFO, NULL, "alert:3:7e9204536d3abdd1",
      "application/json" },
};

static void each_good_delivery_becomes_its_signals(void **state)
{
    struct box *box = *state;

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct sov_bytes payload = file(box, good[i].file);
        struct sov_from from = read_ok(box, (struct sov_from_request){ .sender = good[i].sender,
                                                                       .event = good[i].event,
                                                                       .delivery = good[i].delivery,
                                                                       .payload = payload });
        const struct sov_from_signal *one = &from.at[good[i].at];

        assert_int_equal(from.count, good[i].of);
        same(one->request.kind, good[i].kind);
        same(one->request.source, good[i].source);
        same(one->request.subject, good[i].subject);
        same(one->request.observed_at, good[i].observed_at);
        same(one->request.media_type, good[i].media_type);
        same(one->key, good[i].key);
        assert_int_equal(one->request.severity, good[i].severity);
        assert_true(sov_bytes_equal(one->request.payload, payload));
        assert_false(one->request.confidential);
    }
}

static void a_bad_delivery_is_refused_at_its_place(void **state)
{
    static const struct {
        const char *file, *place;
    } bad[] = {
        { "n_bad_utf8.json", "line 1, column 17" },
        { "n_bom.json", "line 1, column 1" },
        { "n_comment.json", "line 1, column 1" },
        { "n_cut_in_object.json", "line 2, column 41" },
        { "n_cut_in_text.json", "line 1, column 58" },
        { "n_empty.json", "line 1, column 1" },
        { "n_form_encoded.json", "line 1, column 1" },
        { "n_key_twice.json", "line 2, column 2" },
        { "n_leading_zero.json", "line 1, column 6" },
        { "n_nan.json", "line 1, column 10" },
        { "n_raw_newline.json", "line 1, column 13" },
        { "n_single_quotes.json", "line 1, column 2" },
        { "n_too_deep.json", "line 1, column 69" },
        { "n_trailing_comma.json", "line 2, column 11" },
        { "n_two_values.json", "line 1, column 24" },
    };
    static const char *const senders[] = { "github", "cloudevents", "alertmanager" };
    struct box *box = *state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (size_t s = 0; s < 3; s++)
            read_refused(box,
                         (struct sov_from_request){ .sender = senders[s],
                                                    .event = s ? NULL : "push",
                                                    .payload = file(box, bad[i].file) },
                         "bad_json", bad[i].place);
}

/* No fixture lies there that no row names. */
static void every_bad_fixture_is_tried(void **state)
{
    struct box *box = *state;
    DIR *folder = opendir(FOLDER);
    const struct dirent *entry;
    size_t count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        struct sov_from_request request = { .sender = "github", .event = "push" };
        struct sov_from from;
        struct sov_error err = { 0 };

        if (strncmp(entry->d_name, "n_", 2) != 0) continue;
        count++;
        request.payload = file(box, entry->d_name);
        assert_false(sov_from_read(&request, &box->arena, &from, &err));
        assert_string_equal(err.code, "bad_json");
    }
    closedir(folder);
    assert_int_equal(count, 15);
}

#define EVENT "\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"t\""
#define ALERT "\"labels\":{\"alertname\":\"A\"},\"status\":\"firing\""

static void what_is_json_but_no_delivery_is_refused(void **state)
{
    static const struct {
        const char *sender, *event, *delivery, *text, *code, *what;
    } row[] = {
        { "gitlab", NULL, NULL, "{}", "bad_value", "--from" },
        { "github", NULL, NULL, "{}", "usage", "--event" },
        { "github", "", NULL, "{}", "bad_value", "--event" },
        { "github", "_x", NULL, "{}", "bad_value", "--event" },
        { "github", "Push", NULL, "{}", "bad_value", "--event" },
        { "github", "a.b", NULL, "{}", "bad_value", "--event" },
        { "github", "push", NULL, "[]", "bad_value", "one object" },
        { "github", "push", NULL, "null", "bad_value", "one object" },
        { "github", "push", NULL, "{}", "bad_value", "--subject" },
        { "github", "push", NULL, "{\"repository\":[\"full_name\"]}", "bad_value", "--subject" },
        { "github", "push", NULL, "{\"repository\":{\"full_name\":7}}", "bad_value", "--subject" },
        { "cloudevents", "push", NULL, "{}", "usage", "github's" },
        { "cloudevents", NULL, "d", "{}", "usage", "github's" },
        { "cloudevents", NULL, NULL, "7", "bad_value", "no object" },
        { "cloudevents", NULL, NULL, "[]", "bad_value", "no event" },
        { "cloudevents", NULL, NULL, "{}", "bad_value", "specversion" },
        { "cloudevents", NULL, NULL, "{\"specversion\":\"0.3\"}", "bad_value", "specversion" },
        { "cloudevents", NULL, NULL, "{\"specversion\":1.0}", "bad_value", "specversion" },
        { "cloudevents", NULL, NULL,
          "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"\","
          "\"type\":\"t\"}",
          "bad_value", "lacks" },
        { "cloudevents", NULL, NULL, "{" EVENT ",\"time\":\"today\"}", "bad_value", "time" },
        { "cloudevents", NULL, NULL, "{" EVENT ",\"time\":7}", "bad_value", "time" },
        { "cloudevents", NULL, NULL, "[{" EVENT "},{" EVENT "},[]]", "bad_value", "CloudEvent 3" },
        { "alertmanager", NULL, NULL, "[]", "bad_value", "one object" },
        { "alertmanager", NULL, NULL, "{\"alerts\":[{" ALERT "}]}", "bad_value", "version" },
        { "alertmanager", NULL, NULL, "{\"version\":\"5\",\"alerts\":[{" ALERT "}]}", "bad_value",
          "version" },
        { "alertmanager", NULL, NULL, "{\"version\":\"4\"}", "bad_value", "list of alerts" },
        { "alertmanager", NULL, NULL, "{\"version\":\"4\",\"alerts\":{}}", "bad_value",
          "list of alerts" },
        { "alertmanager", NULL, NULL, "{\"version\":\"4\",\"alerts\":[]}", "bad_value",
          "no alert" },
        { "alertmanager", NULL, NULL, "{\"version\":\"4\",\"alerts\":[{" ALERT "},7]}", "bad_value",
          "alert 2" },
        { "alertmanager", NULL, NULL, "{\"version\":\"4\",\"alerts\":[{\"labels\":{}}]}",
          "bad_value", "firing nor" },
        { "alertmanager", NULL, NULL,
          "{\"version\":\"4\",\"alerts\":[{\"status\":\"firing\",\"labels\":{}}]}", "bad_value",
          "alertname" },
        { "alertmanager", NULL, NULL, "{\"version\":\"4\",\"alerts\":[{\"status\":\"firing\"}]}",
          "bad_value", "no labels" },
    };
    struct box *box = *state;

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        read_refused(box,
                     (struct sov_from_request){ .sender = row[i].sender,
                                                .event = row[i].event,
                                                .delivery = row[i].delivery,
                                                .payload = sov_bytes_text(row[i].text) },
                     row[i].code, row[i].what);
}

static void the_caller_says_subject_and_key(void **state)
{
    struct box *box = *state;
    struct sov_from_request request = { .sender = "alertmanager",
                                        .subject = "OUT-3",
                                        .key = "mine",
                                        .payload = file(box, "y_alertmanager.json") };
    struct sov_from from = read_ok(box, request);

    assert_string_equal(from.at[0].request.subject, "OUT-3");
    assert_string_equal(from.at[2].request.subject, "OUT-3");
    assert_string_equal(from.at[0].key, "mine:1");
    assert_string_equal(from.at[2].key, "mine:3");
    request = (struct sov_from_request){ .sender = "github",
                                         .event = "ping",
                                         .delivery = "d",
                                         .subject = "SKU-TEA",
                                         .key = "mine",
                                         .payload = sov_bytes_text("{}") };
    from = read_ok(box, request);
    assert_string_equal(from.at[0].request.subject, "SKU-TEA");
    assert_string_equal(from.at[0].key, "mine");
}

static void without_a_delivery_id_the_octets_are_the_delivery(void **state)
{
    struct box *box = *state;
    struct sov_from_request request = { .sender = "github", .event = "ping", .subject = "x" };
    const char *key;

    request.payload = sov_bytes_text("{}");
    key = read_ok(box, request).at[0].key;
    assert_string_equal(key,
                        "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    request.payload = sov_bytes_text("{ }");
    assert_string_not_equal(read_ok(box, request).at[0].key, key);
}

static void two_sources_may_use_one_id(void **state)
{
    struct box *box = *state;
    struct sov_from from = read_ok(
        box, (struct sov_from_request){
                 .sender = "cloudevents",
                 .payload = sov_bytes_text("[{" EVENT "},{\"specversion\":\"1.0\",\"id\":\"1\","
                                           "\"source\":\"s\",\"type\":\"t\"},{" EVENT "}]") });

    assert_string_equal(from.at[0].request.source, from.at[1].request.source);
    assert_string_not_equal(from.at[0].key, from.at[1].key);
    assert_string_equal(from.at[0].key, from.at[2].key);
}

/* Whatever words the sender uses, kind and source are ids. */
static void any_word_becomes_an_id(void **state)
{
    static const char *const words[] = { "",    "7",         "-",       "\xe2\x98\x83",    "UPPER",
                                         "a b", "a\\u0000b", "\\ud800", "../../etc/passwd" };
    struct box *box = *state;
    char text[300];

    for (size_t i = 1; i < sizeof words / sizeof *words; i++) {
        struct sov_from from;

        snprintf(text, sizeof text,
                 "{\"specversion\":\"1.0\",\"id\":\"%s\",\"source\":\"%s\",\"type\":\"%s\"}",
                 words[i], words[i], words[i]);
        from = read_ok(box, (struct sov_from_request){ .sender = "cloudevents",
                                                       .payload = sov_bytes_text(text) });
        assert_true(sov_text_is_id(sov_bytes_text(from.at[0].request.kind)));
        assert_true(sov_text_is_id(sov_bytes_text(from.at[0].request.source)));
    }
}

static void a_delivery_of_too_many_is_refused_whole(void **state)
{
    static const char head[] = "{\"version\":\"4\",\"alerts\":[", one[] = "{" ALERT "},",
                      last[] = "{" ALERT "}]}";
    struct box *box = *state;
    struct sov_buf text;

    sov_buf_init(&text, 1 << 20);
    sov_buf_add_text(&text, head);
    for (int i = 0; i < 999; i++) sov_buf_add_text(&text, one);
    sov_buf_add_text(&text, last);
    assert_int_equal(read_ok(box, (struct sov_from_request){ .sender = "alertmanager",
                                                             .payload = sov_buf_bytes(&text) })
                         .count,
                     1000);
    text.size = 0;
    sov_buf_add_text(&text, head);
    for (int i = 0; i < 1000; i++) sov_buf_add_text(&text, one);
    sov_buf_add_text(&text, last);
    read_refused(
        box, (struct sov_from_request){ .sender = "alertmanager", .payload = sov_buf_bytes(&text) },
        "too_large", "1000");
    sov_buf_release(&text);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(each_good_delivery_becomes_its_signals),
        T(a_bad_delivery_is_refused_at_its_place),
        T(every_bad_fixture_is_tried),
        T(what_is_json_but_no_delivery_is_refused),
        T(the_caller_says_subject_and_key),
        T(without_a_delivery_id_the_octets_are_the_delivery),
        T(two_sources_may_use_one_id),
        T(any_word_becomes_an_id),
        T(a_delivery_of_too_many_is_refused_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
