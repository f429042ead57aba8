/* Declared checks against ledger and repository: what passes, what is seen, what fails and why. */
#include "tests/judgement_fixture.h"

#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/log.h"
#include "verify/verify.h"

static int setup(void **state)
{
    struct judging *j = calloc(1, sizeof *j);

    judging_open(j);
    *state = j;
    return 0;
}

static int teardown(void **state)
{
    judging_close(*state);
    free(*state);
    return 0;
}

/* An ACTIVE outcome on SKU-TEA with one check "it", past the operation that would refuse a bad one.
 */
static int64_t declared(struct judging *j, const char *kind, const char *params)
{
    struct sov_addition event = { .type = SOV_EVENT_OUTCOME_DEFINED };
    const char *digest = "0000000000000000000000000000000000000000000000000000000000000000";

    event.data = sov_bytes_text(sov_arena_printf(
        &j->f.arena,
        "{\"checks\":[{\"id\":\"it\",\"kind\":\"%s\",\"params\":%s}],\"definition_digest\":\"%s\","
        "\"desired_state\":\"x\",\"owner\":\"principal\",\"subject\":\"SKU-TEA\",\"title\":\"x\"}",
        kind, params, digest));
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_commit_next(&commit, SOV_STREAM_OUTCOME, &event.stream, &err) &&
                   sov_commit_lead(&commit, &event, &j->done, &err));
    FIXTURE_DO(&j->f, "master", j->done,
               sov_outcome_activate(&commit, event.stream.n, &j->done, &err));
    return event.stream.n;
}

static struct sov_observation run(struct judging *j, int64_t outcome)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    struct sov_observations seen;
    struct sov_error err = { 0 };

    assert_true(sov_folder_open(&folder, j->f.repo, &err));
    if (!sov_checks_run(j->f.ledger, outcome, &folder, &j->f.arena, &seen, &err))
        fail_msg("%s: %s", err.code, err.what);
    assert_int_equal(seen.basis, fixture_head(&j->f));
    assert_int_equal(seen.count, 1);
    return seen.at[0];
}

struct row {
    const char *kind, *params;
    bool success;
    const char *code, *observed;
};

static void expect(struct judging *j, const struct row *row)
{
    struct sov_observation seen = run(j, declared(j, row->kind, row->params));

    assert_string_equal(seen.check, "it");
    assert_string_equal(seen.kind, row->kind);
    if (seen.success != row->success || (seen.code ? !row->code : row->code != NULL) ||
        (seen.code && strcmp(seen.code, row->code) != 0) ||
        !sov_bytes_is(seen.observed, row->observed))
        fail_msg("%s %s: %d %s %.*s", row->kind, row->params, seen.success,
                 seen.code ? seen.code : "-", (int)seen.observed.size,
                 (const char *)seen.observed.data);
}

static void write_file(struct judging *j, const char *path, const char *content, size_t size)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    struct sov_error err = { 0 };

    assert_true(sov_folder_open(&folder, j->f.repo, &err));
    assert_true(sov_file_replace(&folder, path, 0644, sov_bytes(content, size), &err));
}

static void a_balance_is_summed_and_compared(void **state)
{
    static const struct row rows[] = {
        { "balance-at-least", "{\"min\":4,\"terms\":[[\"inventory/SKU-TEA\",1]]}", true, NULL,
          "{\"balances\":[[\"inventory/SKU-TEA\",4]],\"facts\":[],\"sum\":4}" },
        { "balance-at-least", "{\"min\":5,\"terms\":[[\"inventory/SKU-TEA\",1]]}", false, NULL,
          "{\"balances\":[[\"inventory/SKU-TEA\",4]],\"facts\":[],\"sum\":4}" },
        { "balance-at-least",
          "{\"min\":\"reorder_point\",\"terms\":[[\"inventory/{subject}\",1],"
          "[\"reserved/{subject}\",-1]]}",
          true, NULL,
          "{\"balances\":[[\"inventory/SKU-TEA\",4],[\"reserved/SKU-TEA\",0]],"
          "\"facts\":[[\"reorder_point\",3]],\"sum\":4}" },
        { "balance-at-least", "{\"min\":0,\"terms\":[[\"cash\",-1]]}", false, NULL,
          "{\"balances\":[[\"cash\",10000]],\"facts\":[],\"sum\":-10000}" },
        { "balance-at-least", "{\"min\":0,\"terms\":[[\"nowhere\",1]]}", false, "account_unknown",
          "{\"code\":\"account_unknown\"}" },
        { "balance-at-least", "{\"min\":\"nothing\",\"terms\":[[\"cash\",1]]}", false,
          "fact_missing", "{\"code\":\"fact_missing\"}" },
        { "balance-at-least", "{\"min\":0,\"terms\":[[\"cash\",9007199254740991]]}", false,
          "amount_overflow", "{\"code\":\"amount_overflow\"}" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect(*state, &rows[i]);
}

static const struct row files[] = {
    { "file-exists", "{\"path\":\"here\"}", true, NULL, "{\"found\":true,\"type\":\"regular\"}" },
    { "file-exists", "{\"path\":\"gone\"}", false, NULL, "{\"found\":false,\"type\":\"absent\"}" },
    { "file-exists", "{\"path\":\"no/folder/here\"}", false, NULL,
      "{\"found\":false,\"type\":\"absent\"}" },
    { "file-exists", "{\"path\":\"folder\"}", false, NULL, "{\"found\":true,\"type\":\"folder\"}" },
    { "file-exists", "{\"path\":\"link\"}", false, NULL, "{\"found\":true,\"type\":\"link\"}" },
    { "file-exists", "{\"path\":\"twice\"}", false, NULL, "{\"found\":true,\"type\":\"linked\"}" },
    { "file-exists", "{\"path\":\"up/here\"}", false, "file_unsafe", "{\"code\":\"file_unsafe\"}" },
    { "file-exists", "{\"path\":\"../here\"}", false, "check_invalid",
      "{\"code\":\"check_invalid\"}" },
    { "file-exists", "{\"more\":1,\"path\":\"here\"}", false, "check_invalid",
      "{\"code\":\"check_invalid\"}" },
    { "file-digest",
      "{\"path\":\"here\",\"sha256\":"
      "\"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\"}",
      true, NULL,
      "{\"digest\":\"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\","
      "\"size\":5}" },
    { "file-digest",
      "{\"path\":\"here\",\"sha256\":"
      "\"3cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\"}",
      false, NULL,
      "{\"digest\":\"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\","
      "\"size\":5}" },
    { "file-digest",
      "{\"path\":\"gone\",\"sha256\":"
      "\"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\"}",
      false, "no_such_file", "{\"code\":\"no_such_file\"}" },
    { "file-digest",
      "{\"path\":\"link\",\"sha256\":"
      "\"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\"}",
      false, "file_unsafe", "{\"code\":\"file_unsafe\"}" },
    { "file-digest",
      "{\"path\":\"pipe\",\"sha256\":"
      "\"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\"}",
      false, "file_unsafe", "{\"code\":\"file_unsafe\"}" },
};

static void a_file_is_there_only_if_it_is_a_safe_one(void **state)
{
    struct judging *j = *state;
    char path[2][160];

    write_file(j, "here", "hello", 5);
    write_file(j, "other", "hello", 5);
    snprintf(path[0], sizeof path[0], "%s/folder", j->f.repo);
    assert_int_equal(mkdir(path[0], 0755), 0);
    snprintf(path[0], sizeof path[0], "%s/link", j->f.repo);
    assert_int_equal(symlink("here", path[0]), 0);
    snprintf(path[0], sizeof path[0], "%s/up", j->f.repo);
    assert_int_equal(symlink(".", path[0]), 0);
    snprintf(path[0], sizeof path[0], "%s/other", j->f.repo);
    snprintf(path[1], sizeof path[1], "%s/twice", j->f.repo);
    assert_int_equal(link(path[0], path[1]), 0);
    snprintf(path[0], sizeof path[0], "%s/pipe", j->f.repo);
    assert_int_equal(mkfifo(path[0], 0644), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) expect(j, &files[i]);
}

#define JSON(pointer, value)                                                                       \
    "{\"path\":\"report.json\",\"pointer\":\"" pointer "\",\"value\":" value "}"

static void a_value_is_equal_type_included(void **state)
{
    static const struct row rows[] = {
        { "json-equals", JSON("/units", "6"), true, NULL, "{\"value\":6}" },
        { "json-equals", JSON("/units", "7"), false, NULL, "{\"value\":6}" },
        { "json-equals", JSON("/units", "\"6\""), false, NULL, "{\"value\":6}" },
        { "json-equals", JSON("/list/1", "\"b\""), true, NULL, "{\"value\":\"b\"}" },
        { "json-equals", JSON("/yes", "true"), true, NULL, "{\"value\":true}" },
        { "json-equals", JSON("/yes", "1"), false, NULL, "{\"value\":true}" },
        { "json-equals", JSON("/none", "null"), true, NULL, "{\"value\":null}" },
        { "json-equals", JSON("/absent", "null"), false, "value_absent",
          "{\"code\":\"value_absent\"}" },
        { "json-equals", JSON("/list/9", "null"), false, "value_absent",
          "{\"code\":\"value_absent\"}" },
        { "json-equals", JSON("/empty", "null"), false, "value_not_scalar",
          "{\"code\":\"value_not_scalar\",\"digest\":"
          "\"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a\"}" },
        { "json-equals", "{\"path\":\"gone.json\",\"pointer\":\"\",\"value\":1}", false,
          "no_such_file", "{\"code\":\"no_such_file\"}" },
        { "json-equals", "{\"path\":\"twice.json\",\"pointer\":\"/a\",\"value\":1}", false,
          "bad_json", "{\"code\":\"bad_json\"}" },
        { "json-equals", "{\"path\":\"large.json\",\"pointer\":\"\",\"value\":1}", false,
          "too_large", "{\"code\":\"too_large\"}" },
    };
    static const char report[] = " {\"units\" : 6, \"list\":[\"a\",\"b\"],\"yes\":true,"
                                 "\"none\":null,\"empty\":{}}\n";
    struct judging *j = *state;
    char *large = calloc(1, (1 << 20) + 1);

    memset(large, ' ', (1 << 20) + 1);
    write_file(j, "report.json", report, sizeof report - 1);
    write_file(j, "twice.json", "{\"a\":1,\"a\":1}", 13);
    write_file(j, "large.json", large, (1 << 20) + 1);
    free(large);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect(j, &rows[i]);
}

static void what_this_build_cannot_do_fails_and_says_so(void **state)
{
    static const struct row rows[] = {
        { "command", "{\"argv\":[\"/bin/true\"]}", false, "sandbox_unavailable",
          "{\"code\":\"sandbox_unavailable\"}" },
        { "divination", "{\"with\":[\"bones\"]}", false, "kind_unknown",
          "{\"code\":\"kind_unknown\"}" },
        { "command", "{}", false, "check_invalid", "{\"code\":\"check_invalid\"}" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect(*state, &rows[i]);
}

static void work(struct judging *j, int64_t outcome, int64_t quantity)
{
    int64_t sow = judging_sow(j, outcome, "replenishment", NULL);

    judging_run(j, judging_assign(j, sow, "operator"), "operator",
                &(struct judging_run){ .quantity = quantity });
}

static void effects_are_those_of_the_kind_subject_and_term(void **state)
{
    struct judging *j = *state;
    int64_t present = declared(j, "effect-present", "{\"kind\":\"replenishment\"}");
    int64_t two = declared(j, "effect-present", "{\"count\":2,\"kind\":\"replenishment\"}");
    int64_t other = declared(j, "effect-present", "{\"kind\":\"theft\"}");
    struct sov_observation seen;

    seen = run(j, present);
    assert_false(seen.success);
    assert_null(seen.code);
    assert_true(sov_bytes_is(seen.observed, "{\"effects\":[]}"));
    work(j, two, 3);
    assert_false(run(j, present).success); /* another outcome's */
    work(j, present, 3);
    seen = run(j, present);
    assert_true(seen.success);
    assert_true(sov_bytes_is(seen.observed,
                             "{\"effects\":[{\"assignment\":\"ASG-2\",\"effect\":\"EFF-2\"}]}"));
    assert_false(run(j, two).success);
    work(j, two, 4);
    assert_true(run(j, two).success);
    work(j, other, 4);
    assert_false(run(j, other).success);
}

static void postings_are_computed_again(void **state)
{
    struct judging *j = *state;
    int64_t outcome = declared(j, "postings-match", "{\"kind\":\"replenishment\"}");
    struct sov_observation seen = run(j, outcome);

    assert_false(seen.success);
    assert_true(sov_bytes_is(seen.observed, "{\"effects\":[]}"));
    work(j, outcome, 6);
    seen = run(j, outcome);
    assert_true(seen.success);
    assert_true(sov_bytes_is(
        seen.observed, "{\"effects\":[{\"assignment\":\"ASG-1\",\"due\":[[\"inventory/SKU-TEA\",6],"
                       "[\"cash\",-720]],\"effect\":\"EFF-1\",\"found\":[[\"inventory/SKU-TEA\",6],"
                       "[\"cash\",-720]]}]}"));
    /* Facts and policy of today do not matter: those of the effect do. */
    judging_policy(j, "\"max\":50", "\"max\":51");
    assert_true(run(j, outcome).success);
}

static bool claim(struct judging *j, struct sov_commit *commit, int64_t assignment,
                  int64_t *fence_out, struct sov_error *err)
{
    struct sov_who who = sov_who_now(commit, 100, 200);

    return sov_claim_acquire(commit, assignment, 0, &who, fence_out, &j->done, err);
}

/* An effect that says what is due, but nothing stands on the accounts behind it; and one that says
 * something else. */
static void an_effect_without_its_postings_fails(void **state)
{
    static const char *const said[] = { "6", "7" };

    for (size_t i = 0; i < 2; i++) {
        struct judging *j = *state;
        int64_t outcome = declared(j, "postings-match", "{\"kind\":\"replenishment\"}"), fence = 0;
        int64_t sow = judging_sow(j, outcome, "replenishment", NULL);
        int64_t assignment = judging_assign(j, sow, "operator");
        const struct sov_policy *policy;
        struct sov_error why = { 0 };
        char hex[SOV_HEX_HASH + 1];
        struct sov_addition event = {
            .type = SOV_EVENT_EFFECT_COMMITTED,
            .stream = sov_stream_numbered(SOV_STREAM_EFFECT, (int64_t)i + 1),
        };

        FIXTURE_DO(&j->f, "operator", j->done, claim(j, &commit, assignment, &fence, &err));
        assert_true(sov_policy_at(j->f.ledger, 0, &j->f.arena, &policy, &why));
        sov_hex(sov_hash_bytes(&policy->digest), hex);
        event.fence = fence;
        event.data = sov_bytes_text(sov_arena_printf(
            &j->f.arena,
            "{\"assignment\":\"ASG-%lld\",\"facts\":{\"unit_cost\":120},\"kind\":\"replenishment\","
            "\"policy\":\"%s\",\"postings\":[{\"account\":\"inventory/SKU-TEA\",\"delta\":%s},"
            "{\"account\":\"cash\",\"delta\":-720}],\"quantity\":6,\"subject\":\"SKU-TEA\"}",
            (long long)assignment, hex, said[i]));
        FIXTURE_DO(&j->f, "operator", j->done, sov_commit_lead(&commit, &event, &j->done, &err));
        assert_false(run(j, outcome).success);
        FIXTURE_DO(&j->f, "operator", j->done,
                   sov_claim_release(&commit, assignment, fence, "no more", &j->done, &err));
    }
}

static void the_digest_changes_only_with_the_facts(void **state)
{
    struct sov_change_request sale = {
        .kind = "sale", .subject = "SKU-TEA", .source = "shop", .quantity = 1
    };
    struct judging *j = *state;
    int64_t outcome =
        declared(j, "balance-at-least", "{\"min\":1,\"terms\":[[\"inventory/{subject}\",1]]}");
    struct sov_observation first = run(j, outcome), again, later;

    fixture_tick(&j->f, 86400000);
    judging_outcome(j, NULL);
    again = run(j, outcome);
    assert_memory_equal(&first.digest, &again.digest, sizeof first.digest);
    FIXTURE_DO(&j->f, "operator", j->done, sov_change_record(&commit, &sale, &j->done, &err));
    later = run(j, outcome);
    assert_true(later.success);
    assert_memory_not_equal(&first.digest, &later.digest, sizeof first.digest);
}

/* The same facts under another spec are another observation. */
static void the_digest_covers_the_spec(void **state)
{
    struct judging *j = *state;
    struct sov_observation one = run(j, declared(j, "file-exists", "{\"path\":\"a\"}"));
    struct sov_observation two = run(j, declared(j, "file-exists", "{\"path\":\"b\"}"));

    assert_true(sov_bytes_equal(one.observed, two.observed));
    assert_memory_not_equal(&one.digest, &two.digest, sizeof one.digest);
}

static void an_outcome_that_is_not_there_has_no_checks(void **state)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    struct judging *j = *state;
    struct sov_observations seen = { .basis = 77 };
    struct sov_error err = { 0 };

    assert_true(sov_folder_open(&folder, j->f.repo, &err));
    assert_false(sov_checks_run(j->f.ledger, 99, &folder, &j->f.arena, &seen, &err));
    assert_string_equal(err.code, "no_such_id");
    assert_int_equal(seen.basis, 77);
}

/* ---- deliverables in kept run folders ---- */

static size_t kept_changes(struct judging *j, int64_t outcome, const char **path_out)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    const struct sov_workspace_change *changes;
    struct sov_error err = { 0 };
    size_t count;

    assert_true(sov_folder_open(&home, j->f.home, &err));
    if (!sov_kept_changes(j->f.ledger, outcome, &home, &j->f.arena, &changes, &count, &err))
        fail_msg("%s: %s", err.code, err.what);
    if (count) {
        assert_int_equal(changes[0].receipt, 1);
        *path_out = changes[0].path;
    }
    return count;
}

static void a_kept_deliverable_lies_as_the_receipt_says(void **state)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_sow(j, outcome, NULL, "report.json");
    const char *path = NULL, *folder, *file;
    struct sov_receipt receipt;
    struct sov_error err = { 0 };
    char whole[256];

    judging_run(j, judging_assign(j, sow, "operator"), "operator",
                &(struct judging_run){ .path = "report.json", .content = "{}" });
    assert_true(sov_receipt_get(j->f.ledger, 1, &j->f.arena, &receipt, &err));
    assert_int_equal(kept_changes(j, outcome, &path), 0); /* reclaimed, or never there */
    assert_true(sov_folder_open(&home, j->f.home, &err));
    folder = sov_arena_printf(&j->f.arena, "runs/ASG-1.%lld/ws/out", (long long)receipt.fence);
    file = sov_arena_printf(&j->f.arena, "%s/report.json", folder);
    snprintf(whole, sizeof whole, "%s/%s", j->f.home, file);
    assert_true(sov_folder_make(&home, folder, 0700, &err));
    assert_int_equal(kept_changes(j, outcome, &path), 1); /* deleted */
    assert_string_equal(path, "report.json");
    assert_true(sov_file_create(&home, file, 0600, sov_bytes_text("{}"), &err));
    assert_int_equal(kept_changes(j, outcome, &path), 0);
    assert_true(sov_file_replace(&home, file, 0600, sov_bytes_text("[]"), &err));
    assert_int_equal(kept_changes(j, outcome, &path), 1); /* edited */
    assert_true(sov_file_replace(&home, file, 0600, sov_bytes_text("{} "), &err));
    assert_int_equal(kept_changes(j, outcome, &path), 1); /* longer */
    assert_true(sov_file_create(&home, "same", 0600, sov_bytes_text("{}"), &err));
    assert_int_equal(unlink(whole), 0);
    assert_int_equal(symlink("../../../../same", whole), 0);
    assert_int_equal(kept_changes(j, outcome, &path), 1); /* replaced by a link */
}

/* Steps 2 to 8 of the store, with the checks looking at the real thing. */
static void what_the_checks_see_is_accepted_until_it_changes(void **state)
{
    struct sov_change_request sale = {
        .kind = "sale", .subject = "SKU-TEA", .source = "shop", .quantity = 2
    };
    struct judging *j = *state;
    int64_t outcome = declared(j, "balance-at-least",
                               "{\"min\":\"reorder_point\",\"terms\":[[\"inventory/{subject}\",1],"
                               "[\"reserved/{subject}\",-1]]}");
    struct sov_acceptance_request request = { .outcome = outcome };
    struct sov_verification_request verify = { .outcome = outcome };
    struct sov_verification_prepared prepared;
    struct sov_acceptance_prepared acceptance;
    struct sov_observation seen;
    struct sov_observations list = { .at = &seen, .count = 1 };
    struct sov_error why = { 0 };

    FIXTURE_DO(&j->f, "operator", j->done, sov_change_record(&commit, &sale, &j->done, &err));
    assert_false(run(j, outcome).success);
    work(j, outcome, 6);
    seen = run(j, outcome);
    assert_true(seen.success);
    list.basis = fixture_head(&j->f);
    assert_true(sov_verification_prepare(j->f.ledger, "verifier", &verify, &list, &j->f.arena,
                                         &prepared, &why));
    FIXTURE_DO(&j->f, "verifier", j->done,
               sov_verification_record(&commit, &prepared, &j->done, &err));
    FIXTURE_DO(&j->f, "operator", j->done, sov_change_record(&commit, &sale, &j->done, &err));
    seen = run(j, outcome);
    assert_true(seen.success); /* it passes still, on another fact */
    list.basis = fixture_head(&j->f);
    request.observations = &list;
    assert_true(
        sov_acceptance_prepare(j->f.ledger, "principal", &request, &j->f.arena, &acceptance, &why));
    assert_string_equal(acceptance.verdict.shut[acceptance.verdict.count - 1].code,
                        "evidence_stale");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_balance_is_summed_and_compared),
        TEST(a_file_is_there_only_if_it_is_a_safe_one),
        TEST(a_value_is_equal_type_included),
        TEST(what_this_build_cannot_do_fails_and_says_so),
        TEST(effects_are_those_of_the_kind_subject_and_term),
        TEST(postings_are_computed_again),
        TEST(an_effect_without_its_postings_fails),
        TEST(the_digest_changes_only_with_the_facts),
        TEST(the_digest_covers_the_spec),
        TEST(an_outcome_that_is_not_there_has_no_checks),
        TEST(a_kept_deliverable_lies_as_the_receipt_says),
        TEST(what_the_checks_see_is_accepted_until_it_changes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
