/* The ActorReport, read strictly, and what a provider is told (providers.md 2). */
#include "providers/envelope.h"
#include "providers/report.h"

#include "base/json.h"
#include "tests/policy_unit.h"

/* The parts of a good report; a row below replaces one of them. */
enum {
    KIND,
    ASSIGNMENT,
    STATUS,
    SUMMARY,
    DELIVERABLES,
    PROPOSALS,
    QUESTIONS,
    BLOCKERS,
    CHECKS,
    NOTES,
    MORE,
    PARTS
};
static const char *const good[PARTS] = {
    "\"kind\":\"sov.report.v1\"",
    "\"assignment\":\"ASG-7\"",
    "\"status\":\"completed\"",
    "\"summary\":\"done\"",
    "\"deliverables\":[{\"path\":\"report.json\",\"note\":null},{\"path\":\"a/b.txt\",\"note\":"
    "\"x\"}]",
    "\"proposals\":[{\"kind\":\"replenishment\",\"subject\":\"SKU-TEA\",\"quantity\":6,"
    "\"unit\":\"unit\",\"reason\":\"low\"}]",
    "\"questions\":[]",
    "\"blockers\":[]",
    "\"checks\":[{\"id\":\"there\",\"reason\":\"looked\"}]",
    "\"notes\":null",
    "",
};

static bool read_with(struct sov_arena *arena, int part, const char *text, struct sov_report *out,
                      struct sov_error *err)
{
    static char whole[600 * 1024];
    size_t at = 0;

    whole[at++] = '{';
    for (int i = 0; i < PARTS; i++) {
        const char *piece = i == part ? text : good[i];

        if (!*piece) continue;
        if (at > 1) whole[at++] = ',';
        at += (size_t)snprintf(whole + at, sizeof whole - at, "%s", piece);
    }
    whole[at++] = '}';
    return sov_report_read(sov_bytes(whole, at), "ASG-7", arena, out, err);
}

static void a_good_report_is_read(void **state)
{
    struct sov_report report;
    struct sov_error err = { 0 };

    if (!read_with(*state, -1, "", &report, &err)) fail_msg("%s", err.what);
    assert_int_equal(report.status, SOV_REPORT_COMPLETED);
    assert_int_equal(report.file_count, 2);
    assert_string_equal(report.files[1], "a/b.txt");
    assert_int_equal(report.proposals.count, 1);
    assert_string_equal(report.proposals.at[0].kind, "replenishment");
    assert_string_equal(report.proposals.at[0].unit, "unit");
    assert_true(report.proposals.at[0].has_quantity);
    assert_int_equal(report.proposals.at[0].quantity, 6);
    assert_int_equal(report.checks, 1);
}

static void absent_values_are_said_as_null(void **state)
{
    struct sov_report report;
    struct sov_error err = { 0 };

    assert_true(read_with(*state, PROPOSALS,
                          "\"proposals\":[{\"kind\":\"k\",\"subject\":\"s\",\"quantity\":null,"
                          "\"unit\":null,\"reason\":\"\"}]",
                          &report, &err));
    assert_false(report.proposals.at[0].has_quantity);
    assert_null(report.proposals.at[0].unit);
}

#define PROPOSAL(quantity, more)                                                                   \
    "\"proposals\":[{\"kind\":\"k\",\"subject\":\"s\",\"quantity\":" quantity                      \
    ",\"unit\":null,\"reason\":\"r\"" more "}]"
#define FILES(path) "\"deliverables\":[{\"path\":" path ",\"note\":null}]"

static const struct {
    const char *what;
    int part;
    const char *text, *where; /* in the message */
} bad[] = {
    { "an actor", MORE, "\"actor\":\"principal\"", "known" },
    { "a fence", MORE, "\"fence\":9", "known" },
    { "an event", MORE, "\"event\":\"outcome.accepted\"", "known" },
    { "a missing key", NOTES, "", "/notes" },
    { "a missing status", STATUS, "", "/status" },
    { "a key twice", MORE, "\"notes\":null", "strict JSON" },
    { "a key twice, escaped", MORE, "\"n\\u006ftes\":null", "strict JSON" },
    { "another kind", KIND, "\"kind\":\"sov.report.v2\"", "/kind" },
    { "another assignment", ASSIGNMENT, "\"assignment\":\"ASG-8\"", "/assignment" },
    { "an assignment that is longer", ASSIGNMENT, "\"assignment\":\"ASG-7 \"", "/assignment" },
    { "a number for the assignment", ASSIGNMENT, "\"assignment\":7", "/assignment" },
    { "another status", STATUS, "\"status\":\"done\"", "/status" },
    { "a status in capitals", STATUS, "\"status\":\"Completed\"", "/status" },
    { "a status of null", STATUS, "\"status\":null", "/status" },
    { "an empty summary", SUMMARY, "\"summary\":\"\"", "/summary" },
    { "a summary of null", SUMMARY, "\"summary\":null", "/summary" },
    { "a quantity as text", PROPOSALS, PROPOSAL("\"6\"", ""), "/proposals/0/quantity" },
    { "a fraction", PROPOSALS, PROPOSAL("6.5", ""), "strict JSON" },
    { "an exponent", PROPOSALS, PROPOSAL("6e0", ""), "strict JSON" },
    { "a whole number with a fraction", PROPOSALS, PROPOSAL("6.0", ""), "strict JSON" },
    { "a number beyond 2^53", PROPOSALS, PROPOSAL("9007199254740992", ""), "strict JSON" },
    { "a cost in a proposal", PROPOSALS, PROPOSAL("6", ",\"cost\":1"), "/proposals/0" },
    { "an account in a proposal", PROPOSALS, PROPOSAL("6", ",\"account\":\"cash\""),
      "/proposals/0" },
    { "proposals of null", PROPOSALS, "\"proposals\":null", "/proposals" },
    { "blocked without a reason", STATUS, "\"status\":\"blocked\"", "/status" },
    { "completed with a blocker", BLOCKERS, "\"blockers\":[\"x\"]", "/blockers" },
    { "failed with a proposal", STATUS, "\"status\":\"failed\"", "/proposals" },
    { "a blocker that is no text", BLOCKERS, "\"blockers\":[1]", "/blockers/0" },
    { "a check without a reason", CHECKS, "\"checks\":[{\"id\":\"x\"}]", "/checks/0/reason" },
    { "notes as a list", NOTES, "\"notes\":[]", "/notes" },
    { "a NUL", SUMMARY, "\"summary\":\"\\u0000\"", "strict JSON" },
    { "a lone surrogate", SUMMARY, "\"summary\":\"\\ud800\"", "strict JSON" },
    { "bad UTF-8", SUMMARY, "\"summary\":\"\xff\"", "strict JSON" },
    { "trailing text", MORE, "\"x\":1} trailing {\"y\":1", "strict JSON" },
    { "the same path folded", DELIVERABLES,
      "\"deliverables\":[{\"path\":\"a\",\"note\":null},{\"path\":\"A\",\"note\":null}]",
      "/deliverables/1" },
    { "a path upwards", DELIVERABLES, FILES("\"../x\""), "/deliverables/0/path" },
    { "an absolute path", DELIVERABLES, FILES("\"/etc/x\""), "/deliverables/0/path" },
    { "an empty segment", DELIVERABLES, FILES("\"a//b\""), "/deliverables/0/path" },
    { "a dot", DELIVERABLES, FILES("\".\""), "/deliverables/0/path" },
    { "an empty path", DELIVERABLES, FILES("\"\""), "/deliverables/0/path" },
    { "a backslash", DELIVERABLES, FILES("\"a\\\\b\""), "/deliverables/0/path" },
    { "an encoded dot", DELIVERABLES, FILES("\"%2e%2e/x\""), "/deliverables/0/path" },
    { "git's folder", DELIVERABLES, FILES("\".GIT/config\""), "/deliverables/0/path" },
    { "a trailing dot", DELIVERABLES, FILES("\"x.\""), "/deliverables/0/path" },
};

static void what_breaks_a_rule_is_refused_and_named(void **state)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sov_report report = { .file_count = 77 };
        struct sov_error err = { 0 };

        if (read_with(*state, bad[i].part, bad[i].text, &report, &err))
            fail_msg("%s was read", bad[i].what);
        assert_string_equal(err.code, "invalid_report");
        assert_int_equal(err.exit, SOV_NO);
        if (!strstr(err.what, bad[i].where)) fail_msg("%s: %s", bad[i].what, err.what);
        assert_int_equal(report.file_count, 77);
    }
}

/* "key": [item, item ...], or a text of so many letters. */
static const char *many(struct sov_arena *arena, const char *before, const char *item, size_t count,
                        const char *after)
{
    struct sov_buf buf;
    const char *text;

    sov_buf_init(&buf, 1 << 20);
    sov_buf_add_text(&buf, before);
    for (size_t i = 0; i < count; i++) {
        if (i && after[0] == ']') sov_buf_add_text(&buf, ",");
        sov_buf_add_text(&buf, item);
    }
    sov_buf_add_text(&buf, after);
    text = sov_arena_text(arena, sov_buf_bytes(&buf));
    sov_buf_release(&buf);
    return text;
}

static void each_limit_is_the_last_that_is_taken(void **state)
{
    static const char proposal[] = "{\"kind\":\"k\",\"subject\":\"s\",\"quantity\":1,"
                                   "\"unit\":null,\"reason\":\"r\"}";
    static const struct {
        int part;
        const char *before, *item;
        size_t most;
        const char *after;
    } rows[] = {
        { SUMMARY, "\"summary\":\"", "x", 2000, "\"" },
        { SUMMARY, "\"summary\":\"", "\\u00e9", 1000, "\"" }, /* bytes, not characters */
        { NOTES, "\"notes\":\"", "x", 8000, "\"" },
        { QUESTIONS, "\"questions\":[\"", "x", 1000, "\"]" },
        { QUESTIONS, "\"questions\":[", "\"x\"", 32, "]" },
        { CHECKS, "\"checks\":[", "{\"id\":\"x\",\"reason\":\"y\"}", 32, "]" },
        { PROPOSALS, "\"proposals\":[", proposal, 16, "]" },
        { PROPOSALS,
          "\"proposals\":[{\"subject\":\"s\",\"quantity\":1,\"unit\":null,\"reason\":\"r\","
          "\"kind\":\"",
          "x", 64, "\"}]" },
        { PROPOSALS,
          "\"proposals\":[{\"kind\":\"k\",\"quantity\":1,\"unit\":null,\"reason\":\"r\","
          "\"subject\":\"",
          "x", 200, "\"}]" },
        { DELIVERABLES, "\"deliverables\":[{\"note\":null,\"path\":\"", "d/", 31, "f\"}]" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_arena *arena = *state;
        struct sov_report report;
        struct sov_error err = { 0 };
        const char *last = many(arena, rows[i].before, rows[i].item, rows[i].most, rows[i].after);
        const char *over =
            many(arena, rows[i].before, rows[i].item, rows[i].most + 1, rows[i].after);

        if (!read_with(arena, rows[i].part, last, &report, &err))
            fail_msg("row %zu: %s", i, err.what);
        if (read_with(arena, rows[i].part, over, &report, &err)) fail_msg("row %zu", i);
        assert_string_equal(err.code, "invalid_report");
    }
}

static void a_report_over_256_KiB_is_refused_unread(void **state)
{
    struct sov_arena *arena = *state;
    const char *text = many(arena, "\"notes\":\"", "x", 300 * 1024, "\"");
    struct sov_report report;
    struct sov_error err = { 0 };

    assert_false(read_with(arena, NOTES, text, &report, &err));
    assert_non_null(strstr(err.what, "256 KiB"));
}

static void the_schema_is_canonical_and_names_what_the_reader_asks(void **state)
{
    struct sov_error err = { 0 };
    struct sov_value root = sov_value(sov_report_schema()), required, item;
    size_t at = 0, count = 0;

    (void)state;
    assert_true(sov_scan_canonical(sov_report_schema(), &sov_scan_report, &err));
    required = sov_value_get(root, "required");
    while (sov_value_item(required, &at, &item)) count++;
    assert_int_equal(count, sov_value_count(sov_value_get(root, "properties")));
    assert_int_equal(count, 10);
}

/* ---- the envelope ---- */

static const char *const files[] = { "report.json" };
static const char *const non_goals[] = { "Do not change prices." };

static bool envelope_of(struct sov_arena *arena, const char *scope, size_t inputs,
                        struct sov_bytes *out, struct sov_error *err)
{
    struct sov_sow sow = { .n = 3,
                           .title = "Restock",
                           .scope = scope,
                           .role = "operator",
                           .done_when = "there",
                           .effect = "replenishment",
                           .deliverables = files,
                           .deliverable_count = 1,
                           .non_goals = non_goals,
                           .non_goal_count = 1 };
    struct sov_outcome outcome = { .n = 2, .desired_state = "in stock", .subject = "SKU-TEA" };
    struct sov_assignment assignment = { .n = 7, .actor = "operator" };
    struct sov_envelope envelope = {
        .fence = 88,
        .assignment = &assignment,
        .sow = &sow,
        .outcome = &outcome,
        .role = "operator",
        .policy = policy_of(STORE, arena),
        .input_count = inputs,
        .limits = { 1, 2, 3, 4, 5, 6 },
    };
    struct sov_envelope_input *rows = sov_arena_array(arena, inputs + 1, sizeof *rows);

    for (size_t i = 0; i < inputs; i++)
        rows[i] = (struct sov_envelope_input){ "signal/payload", { { 1 } }, 9,
                                               "text/plain",     "SIG-1",   true };
    envelope.inputs = rows;
    return sov_envelope_build(&envelope, arena, out, err);
}

static void the_envelope_is_canonical_and_says_who_what_and_how_much(void **state)
{
    struct sov_bytes octets;
    struct sov_error err = { 0 };
    struct sov_value root, effect, may, word;
    size_t at = 0;
    bool works = false;

    assert_true(envelope_of(*state, "Order tea", 1, &octets, &err));
    assert_true(sov_scan_canonical(octets, &sov_scan_report, &err));
    root = sov_value(octets);
    assert_int_equal(sov_value_count(root), 20);
    assert_true(sov_bytes_is(sov_value_plain(sov_value_get(root, "kind")), "sov.assignment.v1"));
    assert_true(sov_bytes_is(sov_value_plain(sov_value_get(root, "assignment")), "ASG-7"));
    assert_int_equal(sov_value_int(sov_value_get(root, "fence")), 88);
    effect = sov_value_get(root, "effect");
    assert_int_equal(sov_value_int(sov_value_get(effect, "max")), 50);
    may = sov_value_get(sov_value_get(root, "actor"), "may");
    while (sov_value_item(may, &at, &word)) works |= sov_bytes_is(sov_value_plain(word), "work");
    assert_true(works);
    assert_int_equal(sov_value_count(sov_value_get(root, "inputs")), 1);
}

static void an_envelope_that_does_not_fit_is_refused(void **state)
{
    struct sov_bytes octets = { NULL, 5 };
    struct sov_error err = { 0 };

    assert_false(envelope_of(*state, many(*state, "", "x", 260 * 1024, ""), 0, &octets, &err));
    assert_string_equal(err.code, "too_large");
    assert_false(envelope_of(*state, "x", 257, &octets, &err));
    assert_string_equal(err.code, "too_large");
    assert_int_equal(octets.size, 5);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_ARENA(a_good_report_is_read),
        WITH_ARENA(absent_values_are_said_as_null),
        WITH_ARENA(what_breaks_a_rule_is_refused_and_named),
        WITH_ARENA(each_limit_is_the_last_that_is_taken),
        WITH_ARENA(a_report_over_256_KiB_is_refused_unread),
        WITH_ARENA(the_schema_is_canonical_and_names_what_the_reader_asks),
        WITH_ARENA(the_envelope_is_canonical_and_says_who_what_and_how_much),
        WITH_ARENA(an_envelope_that_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
