/* Runs whose claim ends under them, hosts that die, and scripts in the place of a program. */
#include "tests/provider_unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* ---- claims ---- */

static bool expire_now(void *self, struct sov_arena *arena,
                       const struct sov_boundary_page **pages_out, size_t *count_out,
                       struct sov_error *err)
{
    struct fixture *f = self;
    struct sov_supervised out = { 0 };

    fixture_tick(f, 906 * 1000);
    assert_true(sov_supervise(f->ledger, &(struct sov_supervise_options){ .pid = 9, .start = 90 },
                              arena, &out, err));
    assert_int_equal(out.act_count, 1);
    *pages_out = NULL;
    *count_out = 0;
    return true;
}

static void a_claim_that_expired_meanwhile_leaves_only_result_stale(void **state)
{
    struct fixture *f = *state;
    const struct sov_run_pages pages = { f, expire_now };
    /* What it changes makes the host ask for the pages, while nothing is recorded yet. */
    struct sov_run_options options =
        run_command(f, provider_shell(f, "echo x > ../../../../README.md\n" DELIVER SAY(REPORT)));
    struct sov_run_result result;
    struct sov_error err = { 0 };
    int64_t head = fixture_head(f);

    options.pages = &pages;
    assert_false(sov_run(f->ledger, &options, &f->arena, &result, &err));
    assert_string_equal(err.code, "claim_lost");
    assert_int_equal(err.exit, SOV_CONFLICT);
    store_assert_events(f, head + 1,
                        "claim.acquired sow.started run.started claim.expired receipt.recorded "
                        "sow.failed assignment.failed result.stale");
    assert_int_equal(err.seq, fixture_head(f));
    assert_string_equal(store_receipts(f).at[0].category, "worker_lost");
    store_assert_untouched(f);
}

static bool is_kept(struct fixture *f, const char *content)
{
    struct sov_hash digest = sov_sha256(sov_bytes_text(content));
    struct sov_blob blob;
    struct sov_error err = { 0 };
    bool found;

    assert_true(sov_blob_find(f->ledger, &digest, &f->arena, &blob, &found, &err));
    return found;
}

/* Stopped before the import, its claim taken from it, and gone on: nothing is taken out of its
 * folder, no balance moves, and its report is evidence only. The control is the run that is left
 * alone. */
static void one_that_was_displaced_writes_nothing_when_it_goes_on(void **state)
{
    static const char handed_in[] = REPORT;

    (void)state;
    for (int displaced = 0; displaced < 2; displaced++) {
        struct fixture f;
        const struct sov_run_pages pages = { &f, expire_now };
        struct sov_self_options options;
        struct sov_self_started started;
        struct sov_run_result result = { 0 };
        struct sov_error err = { 0 };
        const char *path;
        FILE *file;
        int64_t head;
        bool ok;

        store_open(&f);
        options = (struct sov_self_options){ .actor = "operator",
                                             .expect_seq = -1,
                                             .expect_version = -1,
                                             .assignment = 1,
                                             .fence = store_claim(&f, 1),
                                             .top = f.repo,
                                             .seams = &f.seams };
        assert_true(sov_self_start(f.ledger, &options, &f.arena, &started, &err));
        path = sov_arena_printf(&f.arena, "%s/out/report.json", started.folder);
        file = fopen(path, "w");
        assert_true(file && fputs("what it made", file) >= 0 && fclose(file) == 0);
        /* What it changes makes the host ask for the pages, before it imports. */
        if (displaced) {
            options.pages = &pages;
            file = fopen(sov_arena_printf(&f.arena, "%s/touched", f.repo), "w");
            assert_true(file && fclose(file) == 0);
        }
        head = fixture_head(&f);
        ok =
            sov_self_report(f.ledger, &options, sov_bytes_text(handed_in), &f.arena, &result, &err);
        assert_int_equal(ok, !displaced);
        assert_int_equal(is_kept(&f, "what it made"), !displaced);
        assert_int_equal(store_balance(&f, "inventory/SKU-TEA"), displaced ? 2 : 8);
        if (displaced) {
            assert_string_equal(err.code, "claim_lost");
            store_assert_events(&f, head + 1,
                                "claim.expired receipt.recorded sow.failed assignment.failed "
                                "result.stale");
            head = fixture_head(&f);
            assert_false(sov_self_report(f.ledger, &options, sov_bytes_text(handed_in), &f.arena,
                                         &result, &err));
            assert_int_equal(fixture_head(&f), head);
        }
        fixture_close(&f);
    }
}

/* Claims of one second, so that a renewal is due three times in it. */
static void short_claims(struct fixture *f)
{
    char *document = sov_arena_printf(&f->arena, "%s", STORE);
    char *ttl = strstr(document, "\"attempt\":900");

    assert_non_null(ttl);
    memcpy(ttl, "\"attempt\":1  ", 13);
    store_adopt(f, document);
}

static void the_same_key_gives_the_same_run(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options = run_command(f, provider_shell(f, DELIVER SAY(REPORT)));
    struct sov_run_result first, again;
    int64_t head;

    options.key = "restock-1";
    first = run_ok(f, &options);
    head = fixture_head(f);
    again = run_ok(f, &options);
    assert_true(again.repeated);
    assert_int_equal(again.fence, first.fence);
    assert_int_equal(again.end.receipt, first.end.receipt);
    assert_int_equal(again.end.effects[0], first.end.effects[0]);
    assert_int_equal(fixture_head(f), head);
    options.key = NULL;
    run_refused(f, &options, "wrong_state", NULL);
}

/* ---- hosts that die or are told to stop; each in a process of its own ---- */

static pid_t run_apart(struct fixture *f, const struct sov_run_options *options)
{
    pid_t pid;

    sov_ledger_close(f->ledger);
    f->ledger = NULL;
    pid = fork();
    if (pid == 0) {
        struct sov_run_result result;
        struct sov_error err = { 0 };

        if (!sov_ledger_open(&f->places, SOV_LEDGER_WRITE, &f->seams, 5000, &f->ledger, &err))
            _exit(99);
        _exit(sov_run(f->ledger, options, &f->arena, &result, &err) ? 0 : (int)err.exit);
    }
    assert_true(pid > 0);
    return pid;
}

/* One clock for this process and the host that runs beside it. */
static bool shared_clock(void *self, struct sov_now *now_out, struct sov_error *err)
{
    (void)err;
    *now_out = *(const struct sov_now *)self;
    return true;
}

static struct sov_now *clock_shared(struct fixture *f)
{
    struct sov_now *now =
        mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    assert_true(now != MAP_FAILED);
    *now = f->now;
    f->seams.clock = (struct sov_clock){ now, shared_clock };
    fixture_reopen(f);
    return now;
}

/* Waits for the sign of life of this very moment. */
static void renewed_at(struct fixture *f, int64_t boot_ms)
{
    struct sov_claim claim = { 0 };
    struct sov_error err = { 0 };
    bool found = false;

    for (int i = 0; i < 6000 && (!found || claim.who.boot_ms != boot_ms); i++) {
        usleep(10000);
        assert_true(sov_claim_find(f->ledger, 1, 0, &f->arena, &claim, &found, &err));
    }
    assert_true(found && claim.live);
    assert_int_equal(claim.who.boot_ms, boot_ms);
}

/* A life of 1 s and a grace of 5 s: between two renewals the clock goes on by 4, by 12 in all. */
static void the_claim_is_renewed_while_it_runs(void **state)
{
    enum { ROUNDS = 3, STEP_MS = 4000 };
    static const struct sov_supervise_options by = { .pid = 9, .start = 90 };
    struct fixture *f = *state;
    struct sov_now *now = clock_shared(f);
    const char *go = sov_arena_printf(&f->arena, "%s/go", f->root), *ground;
    const struct sov_policy *policy;
    struct sov_supervised out;
    struct sov_run_options options;
    struct sov_claim first;
    struct sov_error err = { 0 };
    int status, pipe;
    bool found;
    pid_t host;

    short_claims(f);
    assert_int_equal(mkfifo(go, 0600), 0);
    pipe = open(go, O_RDWR | O_CLOEXEC);
    options = run_command(f, provider_shell(f, sov_arena_printf(&f->arena, "read -r word <%s\n%s",
                                                                go, DELIVER SAY(REPORT))));
    options.wall_ms = options.idle_ms = INT64_C(24) * 3600 * 1000;
    host = run_apart(f, &options);
    fixture_reopen(f);
    renewed_at(f, now->boot_ms);
    assert_true(sov_claim_find(f->ledger, 1, 0, &f->arena, &first, &found, &err) && found);
    for (int i = 0; i < ROUNDS; i++) {
        now->wall.ms += STEP_MS;
        now->boot_ms += STEP_MS;
        renewed_at(f, now->boot_ms);
        assert_true(sov_supervise(f->ledger, &by, &f->arena, &out, &err));
        assert_int_equal(out.act_count, 0);
    }
    assert_true(sov_policy_at(f->ledger, 0, &f->arena, &policy, &err)); /* control: without them */
    assert_int_equal(sov_claim_judge(policy, &first, false, now, now->wall.ms, &ground),
                     SOV_CLAIM_OVERDUE);
    assert_int_equal(write(pipe, "go\n", 3), 3);
    assert_int_equal(close(pipe), 0);
    assert_int_equal(waitpid(host, &status, 0), host);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(sov_claim_find(f->ledger, 1, first.fence, &f->arena, &first, &found, &err));
    assert_true(found && !first.live && first.finished);
    assert_int_equal(store_receipts(f).at[0].status, SOV_RECEIPT_COMPLETED);
}

static int64_t pid_in(const char *path)
{
    long long pid = 0;
    FILE *file;

    for (int i = 0; i < 1000 && !pid; i++) {
        file = fopen(path, "r");
        if (file) {
            if (fscanf(file, "%lld", &pid) != 1) pid = 0;
            fclose(file);
        }
        if (!pid) usleep(10000);
    }
    assert_true(pid > 0);
    return pid;
}

static void a_host_that_is_killed_leaves_an_unknown_outcome_and_no_process(void **state)
{
    struct fixture *f = *state;
    const char *note = sov_arena_printf(&f->arena, "%s/pid", f->root);
    const char *body = sov_arena_printf(
        &f->arena, "echo $$ > %s.new\nmv %s.new %s\nexec sleep 60\n", note, note, note);
    struct sov_run_options options = run_command(f, provider_shell(f, body));
    struct sov_supervised out = { 0 };
    struct sov_error err = { 0 };
    pid_t host = run_apart(f, &options);
    pid_t provider = (pid_t)pid_in(note);
    int status;
    bool gone = false;

    assert_int_equal(kill(host, SIGKILL), 0);
    assert_int_equal(waitpid(host, &status, 0), host);
    for (int i = 0; i < 500 && !gone; i++) {
        /* Whoever is its parent now may be this process, which takes in what runs leave. */
        gone = waitpid(provider, NULL, WNOHANG) == provider || kill(provider, 0) != 0;
        if (!gone) usleep(10000);
    }
    assert_true(gone);
    fixture_reopen(f);
    assert_int_equal(store_assignment(f, 1).state, SOV_ASSIGNMENT_RUNNING);
    fixture_tick(f, 906 * 1000);
    assert_true(sov_supervise(f->ledger, &(struct sov_supervise_options){ .pid = 9, .start = 90 },
                              &f->arena, &out, &err));
    assert_int_equal(out.act_count, 1);
    assert_string_equal(store_receipts(f).at[0].category, "worker_lost");
    assert_true(store_receipts(f).at[0].effects_unknown);
    assert_true(sov_supervise(f->ledger, &(struct sov_supervise_options){ .pid = 9, .start = 90 },
                              &f->arena, &out, &err));
    assert_int_equal(out.act_count, 0);
    store_assert_untouched(f);
}

static void a_host_that_is_told_to_stop_ends_the_run_and_says_so(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options =
        run_command(f, provider_shell(f, "kill -TERM $PPID\nsleep 60\n"));
    pid_t host = run_apart(f, &options);
    int status;

    assert_int_equal(waitpid(host, &status, 0), host);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    fixture_reopen(f);
    assert_string_equal(store_receipts(f).at[0].category, "interrupted");
    assert_true(store_receipts(f).at[0].effects_unknown);
    store_assert_untouched(f);
}

static void a_renewal_that_is_refused_ends_the_run(void **state)
{
    struct fixture *f = *state;
    struct sov_supervised out = { 0 };
    struct sov_runs runs = { 0 };
    struct sov_stales stales = { 0 };
    struct sov_error err = { 0 };
    struct sov_run_options options;
    pid_t host;
    int status;

    short_claims(f);
    options = run_command(f, provider_shell(f, "exec sleep 86400\n"));
    options.wall_ms = options.idle_ms = INT64_C(24) * 3600 * 1000; /* nothing else may end it */
    host = run_apart(f, &options);
    fixture_reopen(f);
    for (int i = 0; i < 1000 && !runs.count; i++) {
        usleep(10000);
        assert_true(sov_run_list(f->ledger, 1, &f->arena, &runs, &err));
    }
    fixture_tick(f, 906 * 1000);
    assert_true(sov_supervise(f->ledger, &(struct sov_supervise_options){ .pid = 9, .start = 90 },
                              &f->arena, &out, &err));
    assert_int_equal(out.act_count, 1);
    (void)alarm(100); /* a run that goes on would be waited for till tomorrow */
    assert_int_equal(waitpid(host, &status, 0), host);
    (void)alarm(0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == SOV_CONFLICT);
    assert_true(sov_stale_list(f->ledger, 1, &f->arena, &stales, &err));
    assert_int_equal(stales.count, 1);
    assert_null(stales.at[0].report.media_type);
    assert_int_equal(store_receipts(f).count, 1);
    assert_string_equal(store_receipts(f).at[0].category, "worker_lost");
}

/* ---- scripted ---- */

#define TURN(report, end)                                                                          \
    "{\"files\":[{\"path\":\"report.json\",\"text\":\"{}\"}],\"report\":" report                   \
    ",\"say\":\"hello\",\"end\":\"" end "\"}"

static void script(struct fixture *f, const char *name, const char *turns)
{
    run_register(f, name, "scripted", "",
                 sov_arena_printf(&f->arena,
                                  ",\"env\":[],\"credentials\":[],\"script\":{\"format\":"
                                  "\"sov-script-1\",\"turns\":[%s]}",
                                  turns));
}

static void a_turn_ends_as_the_script_says(void **state)
{
    static const struct {
        const char *turns, *category, *says;
    } rows[] = {
        { TURN(REPORT, "ok"), NULL, NULL },
        { TURN(REPORT, "exit_3"), "nonzero_exit", "status 3" },
        { TURN(REPORT, "timeout"), "timeout", NULL },
        { TURN(REPORT, "two_terminals"), "malformed_stream", NULL },
        { TURN(REPORT, "cut"), "missing_terminal", NULL },
        { TURN("null", "ok"), "missing_report", NULL },
        { TURN("{\"kind\":\"x\"}", "ok"), "invalid_report", NULL },
        { "", "provider_error", "script_exhausted" },
        { "{\"files\":[{\"path\":\"../x\",\"text\":\"\"}],\"report\":null,\"say\":\"\",\"end\":"
          "\"ok\"}",
          "missing_report", NULL },
        { "{\"files\":[{\"path\":\"report.json\",\"base64\":\"e30=\"}],\"report\":" REPORT
          ",\"say\":\"\",\"end\":\"ok\"}",
          NULL, NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        struct sov_run_options options;
        struct sov_run_result result;

        store_open(&f);
        script(&f, "tape", rows[i].turns);
        options = run_options(&f);
        options.provider = "tape";
        result = run_ok(&f, &options);
        if ((rows[i].category == NULL) != (result.end.category == NULL) ||
            (rows[i].category && strcmp(rows[i].category, result.end.category) != 0))
            fail_msg("row %zu: %s (%s)", i, result.end.category ? result.end.category : "completed",
                     result.end.message);
        if (rows[i].says && !strstr(result.end.message, rows[i].says))
            fail_msg("%s", result.end.message);
        assert_int_equal(store_balance(&f, "inventory/SKU-TEA"), rows[i].category ? 2 : 8);
        fixture_close(&f);
    }
}

static void the_nth_run_takes_turn_n_and_none_is_repeated(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options = run_options(f);
    struct sov_done done;
    int64_t n;

    script(f, "tape", TURN("null", "ok") "," TURN("null", "exit_3"));
    options.provider = "tape";
    assert_string_equal(run_ok(f, &options).end.category, "missing_report");
    for (n = 2; n <= 3; n++) {
        const struct sov_inspection looked = { "did_not_happen", "nothing was ordered" };

        FIXTURE_DO(f, "master", &done,
                   sov_sow_retry(&commit, 1, "once more", &looked, &done, &err));
        store_assign(f, 1);
        options.assignment = n;
        assert_string_equal(run_ok(f, &options).end.category,
                            n == 2 ? "nonzero_exit" : "provider_error");
    }
}

static void a_wrong_key_in_a_later_turn_is_named_before_anything_runs(void **state)
{
    struct fixture *f = *state;
    struct sov_run_options options = run_options(f);

    script(f, "tape",
           TURN("null", "ok") "," TURN(
               "null", "ok") ","
                             "{\"files\":[],\"report\":null,\"say\":\"\",\"ends\":\"ok\"}");
    options.provider = "tape";
    run_refused(f, &options, "capability_refusal", "/turns/2");
}

static void a_registered_program_is_probed_once_and_again_when_it_changed(void **state)
{
    struct fixture *f = *state;
    const char *path = provider_shell(f, "exit 3\n");
    struct sov_run_options options = run_options(f);
    struct sov_run_result result;
    const struct sov_inspection looked = { "did_not_happen", "nothing was ordered" };
    struct sov_done done;

    run_register(f, "agent", "command", sov_arena_printf(&f->arena, "\"%s\"", path),
                 ",\"env\":[],\"credentials\":[]");
    options.provider = "agent";
    for (int64_t n = 1; n <= 3; n++) {
        int probes = 0;

        if (n > 1) {
            FIXTURE_DO(f, "master", &done,
                       sov_sow_retry(&commit, 1, "once more", &looked, &done, &err));
            store_assign(f, 1);
        }
        if (n == 3) provider_shell(f, "exit 4\n");
        options.assignment = n;
        result = run_ok(f, &options);
        for (const struct sov_appended *e = result.newest; e; e = e->before)
            probes += e->type == SOV_EVENT_PROVIDER_PROBED;
        assert_int_equal(probes, n != 2);
    }
}

#define T(test) cmocka_unit_test_setup_teardown(test, provider_setup, provider_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_claim_that_expired_meanwhile_leaves_only_result_stale),
        cmocka_unit_test(one_that_was_displaced_writes_nothing_when_it_goes_on),
        T(the_claim_is_renewed_while_it_runs),
        T(the_same_key_gives_the_same_run),
        T(a_host_that_is_killed_leaves_an_unknown_outcome_and_no_process),
        T(a_host_that_is_told_to_stop_ends_the_run_and_says_so),
        T(a_renewal_that_is_refused_ends_the_run),
        cmocka_unit_test(a_turn_ends_as_the_script_says),
        T(the_nth_run_takes_turn_n_and_none_is_repeated),
        T(a_wrong_key_in_a_later_turn_is_named_before_anything_runs),
        T(a_registered_program_is_probed_once_and_again_when_it_changed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
