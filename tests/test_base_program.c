#include "tests/child_acts.h"

/* ---- what is started ---- */

static void script_write(struct bench *b, const char *text, mode_t mode)
{
    int fd;

    (void)unlinkat(b->folder.fd, "script", 0);
    fd = openat(b->folder.fd, "script", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0700);
    assert_true(fd >= 0);
    say(fd, text, strlen(text));
    assert_int_equal(fchmod(fd, mode), 0);
    close(fd);
}

static bool script_resolve(struct bench *b)
{
    char path[100];

    snprintf(path, sizeof path, "%s/script", b->place);
    return sov_child_resolve(path, NULL, &b->arena, &b->plan.path, &b->plan.digest, &b->err);
}

static void a_script_runs_by_its_path(void **state)
{
    struct bench *b = *state;

    script_write(b, "#!/bin/sh\necho \"$0 $1\"; exit 5\n", 0700);
    assert_true(script_resolve(b));
    assert_true(run_act(b, "word", NULL));
    assert_end(b, SOV_END_SELF, 5, 0);
    assert_memory_equal(b->out.data, b->place, strlen(b->place));
    assert_memory_equal(b->out.data + strlen(b->place), "/script word\n", 13);
}

static void a_failed_exec_is_a_result_with_its_errno(void **state)
{
    struct bench *b = *state;

    script_write(b, "#!/nonexistent/interpreter\n", 0700);
    assert_true(script_resolve(b));
    assert_true(run_act(b, "word", NULL));
    assert_end(b, SOV_END_SPAWN, -1, 0);
    assert_int_equal(b->result.spawn_errno, ENOENT);
    script_write(b, "neither ELF nor script\n", 0700);
    assert_true(script_resolve(b));
    assert_true(run_act(b, "word", NULL));
    assert_end(b, SOV_END_SPAWN, -1, 0);
    assert_int_equal(b->result.spawn_errno, ENOEXEC);
    assert_int_equal(b->out.size + b->errs.size, 0);
}

static void a_program_swapped_after_it_was_resolved_is_not_started(void **state)
{
    struct bench *b = *state;

    script_write(b, "#!/bin/sh\necho one\n", 0700);
    assert_true(script_resolve(b));
    script_write(b, "#!/bin/sh\necho two\n", 0700);
    b->result.duration_ms = 0;
    assert_true(run_act(b, "word", NULL));
    assert_end(b, SOV_END_SPAWN, -1, 0);
    assert_int_equal(b->result.spawn_errno, ESTALE);
    assert_int_equal(b->out.size, 0);
    assert_int_equal(unlinkat(b->folder.fd, "script", 0), 0);
    assert_true(run_act(b, "word", NULL));
    assert_end(b, SOV_END_SPAWN, -1, 0);
    assert_int_equal(b->result.spawn_errno, ENOENT);
}

static void what_is_no_program_is_refused(void **state)
{
    struct bench *b = *state;
    char script[100];
    static const char *const folders[] = { "relative", "/nonexistent", NULL };
    const struct {
        const char *name, *code;
        enum sov_exit exit;
    } rows[] = {
        { "/usr", "file_unsafe", SOV_DENIED },
        { "/dev/null", "file_unsafe", SOV_DENIED },
        { script, "file_unsafe", SOV_DENIED },
        { "/nonexistent/x", "no_such_file", SOV_ABSENT },
        { "sov-nonexistent", "no_such_file", SOV_ABSENT },
        { "", "no_such_file", SOV_ABSENT },
        { "/etc/passwd/x", "no_such_file", SOV_ABSENT },
    };

    snprintf(script, sizeof script, "%s/script", b->place);
    script_write(b, "#!/bin/sh\n", 0600);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_error err = { 0 };
        struct sov_hash digest = { { 1 } }, before = digest;
        const char *path = "before";

        if (sov_child_resolve(rows[i].name, folders, &b->arena, &path, &digest, &err))
            fail_msg("%s was found", rows[i].name);
        assert_string_equal(err.code, rows[i].code);
        assert_int_equal(err.exit, rows[i].exit);
        assert_string_equal(path, "before");
        assert_true(sov_hash_equal(&digest, &before));
    }
}

static void a_name_is_looked_up_in_the_fixed_path_then_in_the_folders(void **state)
{
    struct bench *b = *state;
    const char *folders[] = { b->place, NULL };
    const char *path = NULL;
    struct sov_hash digest;
    char expected[100];

    setenv("PATH", b->place, 1);
    script_write(b, "#!/bin/sh\n", 0700);
    assert_false(
        sov_child_resolve("script-of-nobody", folders, &b->arena, &path, &digest, &b->err));
    assert_true(sov_child_resolve("script", folders, &b->arena, &path, &digest, &b->err));
    snprintf(expected, sizeof expected, "%s/script", b->place);
    if (strcmp(path, "/usr/bin/script") != 0) assert_string_equal(path, expected);
    assert_true(sov_child_resolve("sh", folders, &b->arena, &path, &digest, &b->err));
    assert_string_equal(path, "/usr/bin/sh");
}

/* ---- processes ---- */

static void a_process_is_known_by_number_and_start(void **state)
{
    struct sov_process_id me, other;
    struct sov_error err = { 0 };
    int status;
    pid_t child;

    (void)state;
    assert_true(sov_process_self(&me, &err));
    assert_int_equal(me.pid, getpid());
    assert_true(sov_process_is_alive(me));
    other = (struct sov_process_id){ me.pid, me.start + 1 };
    assert_false(sov_process_is_alive(other));
    assert_false(sov_process_end(other));
    assert_false(sov_process_is_alive((struct sov_process_id){ 0, 0 }));
    child = fork();
    if (child == 0)
        for (;;) pause();
    /* Its start is found by trying: only the right one is ended. */
    for (other = (struct sov_process_id){ child, me.start }; !sov_process_is_alive(other);)
        other.start++;
    assert_true(sov_process_end(other));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_false(sov_process_is_alive(other));
}

static void a_host_with_children_of_its_own_is_refused(void **state)
{
    struct bench *b = *state;
    pid_t child = fork();
    struct sov_child_result before;

    if (child == 0)
        for (;;) pause();
    memset(&before, 0x5a, sizeof before);
    assert_false(run_act(b, "args", NULL));
    assert_string_equal(b->err.code, "io_error");
    assert_memory_equal(&b->result, &before, sizeof before);
    assert_int_equal(b->out.size, 0);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

#define row(test) cmocka_unit_test_setup_teardown(test, bench_open, bench_close)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        row(a_script_runs_by_its_path),
        row(a_failed_exec_is_a_result_with_its_errno),
        row(a_program_swapped_after_it_was_resolved_is_not_started),
        row(what_is_no_program_is_refused),
        row(a_name_is_looked_up_in_the_fixed_path_then_in_the_folders),
        row(a_process_is_known_by_number_and_start),
        row(a_host_with_children_of_its_own_is_refused),
    };

    if (argc > 1) return act(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
