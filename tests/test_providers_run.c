/* Runs from preflight to receipt, over real processes (providers.md 3, 8, 10). */
#include "tests/provider_unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

static void a_program_of_any_language_completes_the_loop(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options =
        run_command(f, provider_shell(f, "cat > in.txt\n" DELIVER SAY(REPORT)));
    int64_t head = fixture_head(f);
    struct sov_run_result result = run_ok(f, &options);
    struct sov_receipt receipt;
    struct sov_error err = { 0 };

    store_assert_events(f, head + 1,
                        "claim.acquired sow.started run.started run.finished effect.committed "
                        "account.posted account.posted signal.recorded receipt.recorded "
                        "sow.submitted assignment.completed");
    assert_int_equal(result.fence, head + 1);
    assert_int_equal(result.end.status, SOV_RECEIPT_COMPLETED);
    assert_false(result.boundary_violated || result.repeated);
    assert_int_equal(store_balance(f, "inventory/SKU-TEA"), 8);
    assert_true(sov_receipt_get(f->ledger, result.end.receipt, &f->arena, &receipt, &err));
    assert_string_equal(receipt.adapter, "command");
    assert_string_equal(receipt.deliverables[0].path, "report.json");
    assert_true(receipt.boundary.scoped && receipt.boundary.computed);
    assert_int_equal(run_counted(f, &result, "swept"), 0);
    fixture_assert_refold_equal(f);
}

/* Programs, and what becomes of them. */
static const struct {
    const char *what, *body;
    const char *category; /* NULL: completed */
    const char *says;     /* in the message; NULL: anything */
} programs[] = {
    { "spread over lines",
      DELIVER SAY("\n\n  {\"kind\":\"sov.report.v1\",\n\t\"assignment\":"
                  "\"ASG-1\",\"status\":\"completed\",\"summary\":\"x\","
                  "\"deliverables\":[]," NOTHING "\"checks\":[],"
                  "\"notes\":null}\n \n"),
      NULL, NULL },
    { "a good report and status 3", DELIVER SAY(REPORT) "exit 3\n", "nonzero_exit", "status 3" },
    { "a good report and a signal", DELIVER SAY(REPORT) "kill -9 $$\n", "nonzero_exit",
      "signal 9" },
    { "nothing", "exit 0\n", "missing_report", NULL },
    { "two reports", DELIVER SAY(REPORT) SAY(REPORT), "malformed_stream", "second value" },
    { "failed, then completed", SAY(REPORT_TEXT("failed", NOTHING)) SAY(REPORT), "malformed_stream",
      NULL },
    { "prose", "echo done\n", "malformed_stream", "object" },
    { "prose behind", DELIVER SAY(REPORT) "echo done\n", "malformed_stream", NULL },
    { "a NUL", "printf '{\\000}'\n", "malformed_stream", "NUL" },
    { "a BOM", "printf '\\357\\273\\277{}'\n", "malformed_stream", NULL },
    { "bad UTF-8", "printf '{\"a\":\"\\377\"}'\n", "malformed_stream", "UTF-8" },
    { "a cut object", "printf '{\"kind\":'\n", "malformed_stream", "within" },
    { "nested 65 deep", "i=0; while [ $i -lt 65 ]; do printf '{\"a\":'; i=$((i+1)); done\n",
      "malformed_stream", "deep" },
    { "over 4 MiB", "printf '{\"a\":\"'; head -c 4194304 /dev/zero | tr '\\000' x; printf '\"}'\n",
      "malformed_stream", "longer" },
    { "an actor in the report", SAY("{\"actor\":\"principal\"}"), "invalid_report", "known" },
    { "a key twice", SAY("{\"kind\":1,\"kind\":1}"), "invalid_report", "strict JSON" },
    { "for another assignment",
      SAY("{\"kind\":\"sov.report.v1\",\"assignment\":\"ASG-2\",\"status\":\"completed\","
          "\"summary\":\"x\",\"deliverables\":[]," NOTHING "\"checks\":[],\"notes\":null}"),
      "invalid_report", "/assignment" },
    { "says failed", DELIVER SAY(REPORT_TEXT("failed", NOTHING)), "actor_reported_failure", NULL },
    { "the file is not there", SAY(REPORT), "missing_deliverable", "report.json" },
    { "the file is a link", "ln -s /etc/passwd \"$SOV_OUT/report.json\"\n" SAY(REPORT),
      "invalid_deliverable", NULL },
    { "the file is a pipe", "mkfifo \"$SOV_OUT/report.json\"\n" SAY(REPORT), "invalid_deliverable",
      NULL },
    { "the file is another name of one outside", "ln \"$0\" \"$SOV_OUT/report.json\"\n" SAY(REPORT),
      "invalid_deliverable", NULL },
    { "too much is proposed",
      DELIVER SAY(REPORT_TEXT("completed",
                              "\"proposals\":[{\"kind\":\"replenishment\",\"subject\":\"SKU-TEA\","
                              "\"quantity\":51,\"unit\":null,\"reason\":\"x\"}],\"questions\":[],"
                              "\"blockers\":[],")),
      "proposal_refused", "51" },
};

static void what_a_program_does_decides_its_receipt(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct fixture f;
        struct sov_run_options options;
        struct sov_run_result result;
        struct sov_receipts receipts;

        store_open(&f);
        options = run_command(&f, provider_shell(&f, programs[i].body));
        result = run_ok(&f, &options);
        if ((programs[i].category == NULL) != (result.end.category == NULL) ||
            (programs[i].category && strcmp(programs[i].category, result.end.category) != 0))
            fail_msg("%s: %s (%s)", programs[i].what,
                     result.end.category ? result.end.category : "completed", result.end.message);
        if (programs[i].says && !strstr(result.end.message, programs[i].says))
            fail_msg("%s: %s", programs[i].what, result.end.message);
        receipts = store_receipts(&f);
        assert_int_equal(receipts.count, 1);
        assert_string_equal(receipts.at[0].message, result.end.message);
        store_assert_untouched(&f);
        fixture_close(&f);
    }
}

static void a_report_that_does_not_count_is_kept_all_the_same(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options =
        run_command(f, provider_shell(f, DELIVER SAY(REPORT) "exit 3\n"));
    struct sov_run_result result = run_ok(f, &options);
    struct sov_value finished = run_finished(f, &result);
    struct sov_blob report = run_blob(f, sov_value_get(finished, "report"));

    assert_true(report.confidential && sov_bytes_is(report.content, REPORT));
    assert_false(sov_value_there(sov_value_get(finished, "status")));
    assert_int_equal(sov_value_count(sov_value_get(finished, "proposals")), 0);
    assert_true(store_receipts(f).at[0].has_report && store_receipts(f).at[0].effects_unknown);
}

static void a_blocked_report_blocks(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options = run_command(
        f, provider_shell(f, SAY("{\"kind\":\"sov.report.v1\",\"assignment\":\"ASG-1\","
                                 "\"status\":\"blocked\",\"summary\":\"x\",\"deliverables\":[],"
                                 "\"proposals\":[],\"questions\":[\"how many\"],\"blockers\":[],"
                                 "\"checks\":[],\"notes\":null}")));
    struct sov_run_result result = run_ok(f, &options);

    assert_int_equal(result.end.status, SOV_RECEIPT_BLOCKED);
    assert_int_equal(store_sow(f, 1).state, SOV_SOW_BLOCKED);
    store_assert_untouched(f);
}

/* ---- deadlines, floods, trees ---- */

static void ten_MiB_on_stderr_do_no_harm_and_their_middle_is_counted(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options = run_command(
        f, provider_shell(
               f, "printf first >&2\nhead -c 10485760 /dev/zero >&2\nprintf last >&2\n" DELIVER SAY(
                      REPORT)));
    struct sov_run_result result = run_ok(f, &options);
    struct sov_blob text = run_blob(f, sov_value_get(run_finished(f, &result), "stderr"));

    assert_int_equal(result.end.status, SOV_RECEIPT_COMPLETED);
    assert_int_equal(text.content.size, 2 << 20);
    assert_memory_equal(text.content.data, "first", 5);
    assert_memory_equal(text.content.data + text.content.size - 4, "last", 4);
    assert_int_equal(run_counted(f, &result, "stderr_dropped"), (8 << 20) + 9);
}

static void each_limit_ends_the_tree_under_its_own_name(void **state)
{
    static const struct {
        const char *body, *category;
        int64_t wall_ms, idle_ms;
        size_t stdout_max;
    } rows[] = {
        { "printf '{\"a\":\"'; yes\n", "output_limit", 20000, 20000, 1 << 20 },
        { "sleep 60\n", "idle_timeout", 20000, 300, 0 },
        { "while :; do printf ' '; sleep 0.1; done\n", "timeout", 700, 20000, 0 },
        { "trap '' TERM\nwhile :; do printf ' '; sleep 0.1; done\n", "timeout", 700, 20000, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        struct sov_run_options options;
        struct sov_run_result result;

        store_open(&f);
        options = run_command(&f, provider_shell(&f, rows[i].body));
        options.wall_ms = rows[i].wall_ms;
        options.idle_ms = rows[i].idle_ms;
        options.stdout_max = rows[i].stdout_max;
        result = run_ok(&f, &options);
        assert_non_null(result.end.category);
        assert_string_equal(result.end.category, rows[i].category);
        assert_int_equal(run_counted(&f, &result, "survivors"), 0);
        assert_true(store_receipts(&f).at[0].effects_unknown);
        store_assert_untouched(&f);
        fixture_close(&f);
    }
}

static void what_a_program_leaves_behind_is_swept_and_counted(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options = run_command(
        f, provider_shell(f, "setsid sleep 60 </dev/null >/dev/null 2>&1 &\n" DELIVER SAY(REPORT)));
    struct sov_run_result result = run_ok(f, &options);

    assert_int_equal(result.end.status, SOV_RECEIPT_COMPLETED);
    assert_int_equal(run_counted(f, &result, "swept"), 1);
    assert_int_equal(run_counted(f, &result, "survivors"), 0);
}

static void a_child_that_holds_the_pipe_delays_nothing(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options =
        run_command(f, provider_shell(f, "sleep 60 &\n" DELIVER SAY(REPORT)));
    struct sov_run_result result = run_ok(f, &options);

    assert_int_equal(result.end.status, SOV_RECEIPT_COMPLETED);
    assert_true(run_counted(f, &result, "duration_ms") < 15000);
}

/* ---- what a program is given ---- */

static void the_environment_is_the_list_and_descriptors_are_three(void **state)
{
    static const char *const expected[] = {
        "FD 0",
        "FD 1",
        "FD 2",
        "GIT_CEILING_DIRECTORIES",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_TERMINAL_PROMPT",
        "HOME",
        "LANG",
        "NO_COLOR",
        "PATH",
        "SOV_ASSIGNMENT",
        "SOV_FENCE",
        "SOV_OUT",
        "TERM",
        "TMPDIR",
        "TZ",
    };
    static const char body[] =
        "tr '\\000' '\\n' < /proc/$$/environ | cut -d= -f1 > names\n"
        "ls /proc/$$/fd | sed 's/^/FD /' >> names\n"
        "LC_ALL=C sort names > \"$SOV_OUT/report.json\"\n" SAY(REPORT_TEXT("completed", NOTHING));
    struct fixture *f = *state;
    const char *argv[] = { "/bin/sh", "-c", body, NULL };
    struct sov_run_options options = run_options(f);
    struct sov_run_result result;
    struct sov_blob blob;
    struct sov_error err = { 0 };
    struct sov_hash digest;
    struct sov_buf due;
    int opened[20];
    bool found;

    for (int i = 0; i < 60; i++)
        setenv(sov_arena_printf(&f->arena, "SECRET_TOKEN_%d", i), "hush", 1);
    for (int i = 0; i < 20; i++) opened[i] = open("/dev/null", O_RDONLY); /* not close-on-exec */
    options.argv = argv;
    result = run_ok(f, &options);
    for (int i = 0; i < 20; i++) close(opened[i]);
    for (int i = 0; i < 60; i++) unsetenv(sov_arena_printf(&f->arena, "SECRET_TOKEN_%d", i));
    assert_int_equal(result.end.status, SOV_RECEIPT_COMPLETED);
    digest = store_receipts(f).at[0].deliverables[0].digest;
    assert_true(sov_blob_find(f->ledger, &digest, &f->arena, &blob, &found, &err) && found);
    assert_false(blob.confidential);
    sov_buf_init(&due, 4096);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        sov_buf_printf(&due, "%s\n", expected[i]);
    if (!sov_bytes_equal(blob.content, sov_buf_bytes(&due)))
        fail_msg("%.*s", (int)blob.content.size, (const char *)blob.content.data);
    sov_buf_release(&due);
}

static void a_program_reads_its_assignment_and_may_not_change_it(void **state)
{
    static const char body[] =
        "cat > \"$TMPDIR/stdin\"\n"
        "cat in/assignment.json > \"$TMPDIR/file\"; echo >> \"$TMPDIR/file\"\n"
        "cmp \"$TMPDIR/stdin\" \"$TMPDIR/file\" || exit 9\n"
        "[ -s in/schema.json ] && [ -s in/prompt.md ] || exit 8\n"
        "[ \"$SOV_ASSIGNMENT\" = ASG-1 ] || exit 7\n" DELIVER SAY(REPORT);
    struct fixture *f = *state;
    struct sov_run_options options = run_command(f, provider_shell(f, body));
    struct sov_run_result result = run_ok(f, &options);
    struct sov_blob given = run_blob(f, sov_value_get(run_finished(f, &result), "stdin"));
    struct sov_run run;
    struct sov_hash digest;
    struct sov_error err = { 0 };
    uint8_t recorded[SOV_HASH_SIZE];
    bool found;

    assert_int_equal(result.end.status, SOV_RECEIPT_COMPLETED);
    assert_true(sov_run_find(f->ledger, 1, result.fence, &f->arena, &run, &found, &err) && found);
    digest = sov_sha256(given.content);
    assert_true(sov_unhex(sov_value_plain(sov_value_get(sov_value(run.started), "stdin")), recorded,
                          sizeof recorded));
    assert_memory_equal(recorded, digest.octets, sizeof recorded);
}

static bool log_holds(struct fixture *f, const char *text)
{
    int64_t head = fixture_head(f);
    struct sov_error err = { 0 };

    for (int64_t seq = 1; seq <= head; seq++) {
        struct sov_event event;

        assert_true(sov_log_event(f->ledger, seq, &f->arena, &event, &err));
        if (memmem(event.octets.data, event.octets.size, text, strlen(text))) return true;
    }
    return false;
}

static void a_credential_that_is_echoed_is_named_and_nowhere_quoted(void **state)
{
    static const struct {
        const char *body, *category;
    } rows[] = {
        { DELIVER "printf '%s' \"$API_TOKEN\" >&2\n" SAY(REPORT_TEXT("completed", NOTHING)), NULL },
        { DELIVER "printf '%s' \"$API_TOKEN\"\n", "malformed_stream" },
        { "printf '%s' \"$API_TOKEN\" > \"$SOV_OUT/report.json\"\n" SAY(REPORT),
          "invalid_deliverable" },
        { DELIVER
          "printf '{\"kind\":\"sov.report.v1\",\"assignment\":\"ASG-1\",\"status\":"
          "\"completed\",\"summary\":\"x\",\"deliverables\":[],\"proposals\":[{\"kind\":"
          "\"%s\",\"subject\":\"s\",\"quantity\":1,\"unit\":null,\"reason\":\"\"}],"
          "\"questions\":[],\"blockers\":[],\"checks\":[],\"notes\":null}' \"$API_TOKEN\"\n",
          "invalid_report" },
    };
    static const char secret[] = "s3cret-0f-the-store";

    (void)state;
    setenv("API_TOKEN", secret, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        struct sov_run_options options;
        struct sov_run_result result;
        const char *path;

        store_open(&f);
        path = provider_shell(&f, rows[i].body);
        run_register(&f, "agent", "command", sov_arena_printf(&f.arena, "\"%s\"", path),
                     ",\"env\":[],\"credentials\":[\"API_TOKEN\"]");
        options = run_options(&f);
        options.provider = "agent";
        result = run_ok(&f, &options);
        if (rows[i].category)
            assert_string_equal(result.end.category, rows[i].category);
        else
            assert_int_equal(result.end.status, SOV_RECEIPT_COMPLETED);
        assert_int_equal(result.credential_seen.count, 1);
        assert_string_equal(result.credential_seen.at[0], "API_TOKEN");
        assert_true(log_holds(&f, "API_TOKEN"));
        assert_false(log_holds(&f, secret));
        fixture_close(&f);
    }
    unsetenv("API_TOKEN");
}

/* ---- before the claim ---- */

static void what_stands_in_the_way_is_refused_before_the_claim(void **state)
{
    struct fixture *f = *state;
    const char *path = provider_shell(f, DELIVER SAY(REPORT));
    struct sov_run_options options = run_command(f, path);

    options.actor = "master";
    run_refused(f, &options, "not_authorised", NULL);
    options = run_command(f, f->repo);
    run_refused(f, &options, "provider_unavailable", NULL);
    options = run_command(f, "/no/such/program");
    run_refused(f, &options, "provider_unavailable", NULL);
    options = run_command(f, "bad\xff/name");
    run_refused(f, &options, "bad_value", "UTF-8");
    options = run_options(f); /* the actor's own provider is not registered */
    run_refused(f, &options, "provider_unavailable", "not registered");
    options.provider = "human";
    run_refused(f, &options, "provider_unavailable", "never");
    options = run_command(f, path);
    options.require_sandbox = "L1";
    run_refused(f, &options, "sandbox_refusal", "L0");
    options.require_sandbox = "L0,network";
    run_refused(f, &options, "sandbox_refusal", NULL);
    options.require_sandbox = "L9";
    run_refused(f, &options, "bad_value", NULL);
    options = run_command(f, path);
    options.wall_ms = INT64_C(25) * 3600 * 1000;
    run_refused(f, &options, "bad_value", NULL);
    options = run_command(f, path);
    options.assignment = 9;
    run_refused(f, &options, "no_such_id", NULL);
    run_register(f, "other", "command", "\"/bin/true\"",
                 ",\"env\":[],\"credentials\":[\"NO_SUCH_CREDENTIAL\"]");
    run_register(f, "walled", "command", "\"/bin/true\"",
                 ",\"env\":[],\"credentials\":[],\"min_sandbox\":\"L1\"");
    options = run_options(f);
    options.provider = "walled";
    run_refused(f, &options, "sandbox_refusal", "L1");
    options.provider = "other";
    run_refused(f, &options, "provider_unavailable", "NO_SUCH_CREDENTIAL");
}

static void a_dry_run_decides_and_writes_nothing(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options = run_command(f, provider_shell(f, DELIVER SAY(REPORT)));
    struct sov_hash before = fixture_digest(f), after;
    struct sov_run_result result;
    char path[160];

    options.dry = true;
    result = run_ok(f, &options);
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(result.fence, 0);
    assert_null(result.newest);
    snprintf(path, sizeof path, "%s/runs", f->home);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void a_workspace_that_is_not_ours_is_refused(void **state)
{
    struct fixture *f = *state;
    const char *shell = provider_shell(f, "echo ran > ../../../../../ran\n" DELIVER SAY(REPORT));
    struct sov_run_options options = run_command(f, shell);
    struct sov_run_result result;
    struct sov_error err = { 0 };
    char path[200], name[320];
    int64_t head;

    snprintf(path, sizeof path, "%s/runs", f->home);
    assert_int_equal(symlink("/tmp", path), 0);
    run_refused(f, &options, "workspace_refusal", NULL);
    assert_int_equal(unlink(path), 0);
    head = fixture_head(f);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(name, sizeof name, "%s/ASG-1.%lld", path, (long long)head + 1);
    assert_int_equal(mkdir(name, 0700), 0);
    assert_false(sov_run(f->ledger, &options, &f->arena, &result, &err));
    assert_string_equal(err.code, "workspace_refusal");
    store_assert_events(f, head + 1, "claim.acquired sow.started claim.released sow.returned");
    assert_int_equal(store_assignment(f, 1).state, SOV_ASSIGNMENT_CREATED);
    assert_int_equal(store_receipts(f).count, 0);
    snprintf(name, sizeof name, "%s/ran", f->root);
    assert_int_not_equal(access(name, F_OK), 0);
    result = run_ok(f, &options); /* and it can be tried again */
    assert_int_equal(result.end.status, SOV_RECEIPT_COMPLETED);
}

static void a_missing_interpreter_is_a_failed_start(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options =
        run_command(f, provider_write(f, "agent", "#!/no/such/interpreter\n"));
    struct sov_run_result result = run_ok(f, &options);

    assert_string_equal(result.end.category, "spawn_failed");
    assert_true(store_receipts(f).at[0].effects_unknown);
}

/* ---- what changed outside ---- */

static void a_change_of_the_repository_is_a_violation_and_no_verdict(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options =
        run_command(f, provider_shell(f, "echo x > ../../../../README.md\n" DELIVER SAY(REPORT)));
    struct sov_run_result result = run_ok(f, &options);
    struct sov_receipt receipt = store_receipts(f).at[0];
    struct sov_blob report;
    struct sov_error err = { 0 };
    bool found;

    assert_int_equal(result.end.status, SOV_RECEIPT_COMPLETED);
    assert_true(result.boundary_violated && receipt.boundary.violated && receipt.boundary.computed);
    assert_true(sov_blob_find(f->ledger, &receipt.boundary.report.digest, &f->arena, &report,
                              &found, &err) &&
                found);
    assert_non_null(memmem(report.content.data, report.content.size, "README.md", 9));
}

#define T(test) cmocka_unit_test_setup_teardown(test, provider_setup, provider_teardown)
int main(void)
{
    static const struct CMUnitTest tests[] = {
        T(a_program_of_any_language_completes_the_loop),
        cmocka_unit_test(what_a_program_does_decides_its_receipt),
        T(a_report_that_does_not_count_is_kept_all_the_same),
        T(a_blocked_report_blocks),
        T(ten_MiB_on_stderr_do_no_harm_and_their_middle_is_counted),
        cmocka_unit_test(each_limit_ends_the_tree_under_its_own_name),
        T(what_a_program_leaves_behind_is_swept_and_counted),
        T(a_child_that_holds_the_pipe_delays_nothing),
        T(the_environment_is_the_list_and_descriptors_are_three),
        T(a_program_reads_its_assignment_and_may_not_change_it),
        cmocka_unit_test(a_credential_that_is_echoed_is_named_and_nowhere_quoted),
        T(what_stands_in_the_way_is_refused_before_the_claim),
        T(a_dry_run_decides_and_writes_nothing),
        T(a_workspace_that_is_not_ours_is_refused),
        T(a_missing_interpreter_is_a_failed_start),
        T(a_change_of_the_repository_is_a_violation_and_no_verdict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
