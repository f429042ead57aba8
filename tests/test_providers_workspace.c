#include "tests/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "providers/workspace.h"
#include "tests/remove.h"

static const char canary[] = "canary: not to be read";

struct bench {
    char place[64];
    struct sov_folder top;
    struct sov_workspace ws;
    struct sov_import import;
    struct sov_arena arena;
    struct sov_error err;
};

static int bench_bare(void **state)
{
    struct bench *b = sov_alloc(sizeof *b);

    *state = b;
    snprintf(b->place, sizeof b->place,
             "/tmp/sov-test-ws-XX"
             "XX"
             "XX");
    if (!mkdtemp(b->place)) return -1;
    sov_arena_init(&b->arena, 512u << 20);
    if (!sov_folder_open(&b->top, b->place, &b->err)) return -1;
    if (!sov_folder_make_new(&b->top, ".sovereign", 0700, &b->err)) return -1;
    return sov_file_create(&b->top, "secret", 0600, sov_bytes_text(canary), &b->err) ? 0 : -1;
}

static int bench_open(void **state)
{
    struct bench *b;

    if (bench_bare(state) != 0) return -1;
    b = *state;
    if (!sov_workspace_make(&b->ws, &b->top, "ASG-12", 88, &b->err)) return -1;
    sov_import_begin(&b->import, &b->ws);
    return 0;
}

static int bench_close(void **state)
{
    struct bench *b = *state;

    sov_workspace_close(&b->ws);
    sov_folder_close(&b->top);
    sov_arena_release(&b->arena);
    remove_tree(b->place);
    sov_free(b);
    return 0;
}

/* ---- layout ---- */

static unsigned mode_of(const struct bench *b, const char *path)
{
    struct sov_file_facts facts;
    struct sov_error err;

    if (!sov_file_facts(&b->top, path, &facts, &err)) fail_msg("%s", err.what);
    return facts.type == SOV_FILE_ABSENT ? 0 : facts.mode;
}

static void the_layout_is_private_and_named_by_the_run(void **state)
{
    struct bench *b = *state;
    static const char *const folders[] = { "",        "/host",    "/ws",    "/ws/in",
                                           "/ws/out", "/ws/home", "/ws/tmp" };
    struct sov_file_facts facts;

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[100];

        snprintf(path, sizeof path, ".sovereign/runs/ASG-12.88%s", folders[i]);
        if (mode_of(b, path) != 0700) fail_msg("%s has mode %o", path, mode_of(b, path));
    }
    assert_true(sov_folder_facts(&b->ws.root, &facts, &b->err));
    assert_int_equal(b->ws.device, facts.device);
    assert_int_equal(b->ws.inode, facts.inode);
    assert_true(sov_workspace_input(&b->ws, "notes/a.txt", sov_bytes_text("hello"), &b->err));
    assert_int_equal(mode_of(b, ".sovereign/runs/ASG-12.88/ws/in/notes/a.txt"), 0400);
    assert_false(sov_workspace_input(&b->ws, "notes/a.txt", sov_bytes_text("other"), &b->err));
    assert_string_equal(b->err.code, "workspace_refusal");
}

static void an_existing_name_is_refused_and_a_sibling_is_untouched(void **state)
{
    struct bench *b = *state;
    struct sov_workspace again = { 0 }, sibling = { 0 };

    assert_false(sov_workspace_make(&again, &b->top, "ASG-12", 88, &b->err));
    assert_string_equal(b->err.code, "workspace_refusal");
    assert_int_equal(b->err.exit, SOV_DENIED);
    assert_false(again.root.open || again.out.open);
    assert_true(sov_workspace_make(&sibling, &b->top, "ASG-12", 8, &b->err));
    assert_true(sov_workspace_input(&sibling, "a", sov_bytes_text("sibling"), &b->err));
    assert_int_not_equal(sibling.inode, b->ws.inode);
    assert_int_equal(mode_of(b, ".sovereign/runs/ASG-12.88/ws/in/a"), 0);
    sov_workspace_close(&sibling);
}

static void one_that_is_unmade_is_gone_and_only_if_it_is_the_one(void **state)
{
    struct bench *b = *state;
    struct sov_workspace ws = { 0 }, other;

    assert_true(sov_workspace_make(&ws, &b->top, "ASG-12", 8, &b->err));
    assert_true(sov_workspace_input(&ws, "a", sov_bytes_text("x"), &b->err));
    other = (struct sov_workspace){ .device = ws.device, .inode = b->ws.inode };
    sov_workspace_unmake(&other, &b->top, "ASG-12", 8);
    assert_int_equal(mode_of(b, ".sovereign/runs/ASG-12.8/ws/in/a"), 0400);
    sov_workspace_unmake(&ws, &b->top, "ASG-12", 8);
    assert_false(ws.root.open || ws.out.open);
    assert_int_equal(mode_of(b, ".sovereign/runs/ASG-12.8"), 0);
    assert_int_not_equal(mode_of(b, ".sovereign/runs/ASG-12.88/ws"), 0);
}

static void what_stands_in_the_way_is_refused(void **state)
{
    struct bench *b = *state;
    static const struct {
        const char *path, *link; /* link NULL: a file */
        mode_t folder;           /* else a folder of this mode */
    } rows[] = {
        { ".sovereign/runs", "../elsewhere", 0 },      { ".sovereign/runs", NULL, 0 },
        { ".sovereign/runs", "/nonexistent", 0 },      { ".sovereign/runs", NULL, 0777 },
        { ".sovereign/runs/ASG-1.2", "elsewhere", 0 }, { ".sovereign/runs/ASG-1.2", NULL, 0 },
        { ".sovereign/runs/ASG-1.2", NULL, 0700 },
    };

    assert_true(sov_folder_make_new(&b->top, "elsewhere", 0700, &b->err));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_workspace ws = { 0 };
        bool in_runs = strlen(rows[i].path) > sizeof ".sovereign/runs";

        if (in_runs) assert_true(sov_folder_make(&b->top, ".sovereign/runs", 0700, &b->err));
        if (rows[i].link)
            assert_int_equal(symlinkat(rows[i].link, b->top.fd, rows[i].path), 0);
        else if (rows[i].folder)
            assert_true(sov_folder_make_new(&b->top, rows[i].path, rows[i].folder, &b->err));
        else
            assert_true(sov_file_create(&b->top, rows[i].path, 0600, sov_bytes_text(""), &b->err));
        /* Seen before the claim where it can be: the name of the run needs its fence. */
        assert_int_equal(sov_workspace_check(&b->top, &b->err), in_runs);
        if (sov_workspace_make(&ws, &b->top, "ASG-1", 2, &b->err)) fail_msg("row %zu", i);
        assert_string_equal(b->err.code, "workspace_refusal");
        assert_false(ws.root.open);
        assert_int_equal(unlinkat(b->top.fd, rows[i].path, rows[i].folder ? AT_REMOVEDIR : 0), 0);
        if (in_runs) assert_int_equal(unlinkat(b->top.fd, ".sovereign/runs", AT_REMOVEDIR), 0);
    }
    assert_int_equal(unlinkat(b->top.fd, "elsewhere", AT_REMOVEDIR), 0); /* nothing came in */
}

static void a_workspace_opens_again_only_if_it_is_the_same(void **state)
{
    struct bench *b = *state;
    struct sov_workspace again = { 0 };
    uint64_t device = b->ws.device, inode = b->ws.inode;

    assert_true(sov_workspace_open(&again, &b->top, "ASG-12", 88, device, inode, &b->err));
    assert_int_equal(again.inode, inode);
    sov_workspace_close(&again);
    again = (struct sov_workspace){ 0 };
    assert_false(sov_workspace_open(&again, &b->top, "ASG-12", 88, device, inode + 1, &b->err));
    assert_string_equal(b->err.code, "workspace_refusal");
    assert_false(sov_workspace_open(&again, &b->top, "ASG-12", 87, device, inode, &b->err));
    assert_string_equal(b->err.code, "workspace_refusal");
    assert_false(again.root.open);
}

/* ---- import ---- */

static bool import(struct bench *b, const char *path, struct sov_imported *out)
{
    return sov_import_file(&b->import, path, &b->arena, out, &b->err);
}

static void put(struct bench *b, const char *path, const char *text)
{
    if (!sov_workspace_deliver(&b->ws, path, sov_bytes_text(text), &b->err))
        fail_msg("%s", b->err.what);
}

static void assert_not_imported(struct bench *b, const char *path, const char *code)
{
    struct sov_imported out = { .digest = { { 7 } } }, before = out;
    struct sov_import import_before = b->import;

    if (import(b, path, &out)) fail_msg("%s was imported", path);
    if (strcmp(b->err.code, code) != 0) fail_msg("%s: %s, %s", path, b->err.code, b->err.what);
    assert_int_equal(b->err.exit, SOV_NO);
    assert_memory_equal(&out, &before, sizeof out);
    assert_memory_equal(&b->import, &import_before, sizeof b->import);
}

static void a_plain_file_comes_back_with_its_hash(void **state)
{
    struct bench *b = *state;
    struct sov_imported out;
    struct sov_hash expected = sov_sha256(sov_bytes_text("result"));

    put(b, "deep/er/result.txt", "result");
    put(b, "empty", "");
    assert_true(import(b, "deep/er/result.txt", &out));
    assert_true(sov_bytes_is(out.content, "result"));
    assert_true(sov_hash_equal(&out.digest, &expected));
    assert_true(import(b, "empty", &out));
    assert_int_equal(out.content.size, 0);
    assert_int_equal(b->import.files, 2);
    assert_int_equal(b->import.total, 6);
    assert_not_imported(b, "deep/er/other.txt", "missing_deliverable");
    assert_not_imported(b, "nowhere/result.txt", "missing_deliverable");
}

static void unsafe_paths_are_refused_before_any_open(void **state)
{
    struct bench *b = *state;
    char size_1025[1026], levels_33[67], long_name[300];
    const char *const rows[] = { "../secret", "/etc/passwd",  "a//b",        ".",       "",
                                 "a\\b",      "%2e%2e/x",     ".GIT/config", "x.",      "..",
                                 "a/../b",    "a/",           "x ",          "x\n",     "x\xff",
                                 "GIT~1",     ".sovereign/x", "%2F",         size_1025, levels_33,
                                 long_name };
    int out = b->ws.out.fd;

    memset(size_1025, 'x', 1025);
    for (size_t i = 200; i < 1025; i += 200) size_1025[i] = '/';
    size_1025[1025] = '\0';
    for (size_t i = 0; i < 66; i += 2) memcpy(levels_33 + i, "a/", 2);
    levels_33[65] = '\0';
    memset(long_name, 'x', 256);
    long_name[256] = '\0';
    b->ws.out.fd = -1; /* an open would say something else */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_not_imported(b, rows[i], "invalid_report");
    b->ws.out.fd = out;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_false(sov_workspace_deliver(&b->ws, rows[i], sov_bytes_text("x"), &b->err));
        assert_string_equal(b->err.code, "invalid_report");
    }
}

static void links_are_never_followed(void **state)
{
    struct bench *b = *state;
    char secret[100], folder[100], proc[100];
    const struct {
        const char *target, *name, *path;
    } rows[] = {
        { "good", "inside", "inside" },
        { secret, "outside", "outside" },
        { "/nonexistent", "dangling", "dangling" },
        { "sub", "to_folder", "to_folder" },
        { folder, "parent", "parent/secret" },
        { "sub", "near", "near/good" },
        { proc, "magic", "magic" },
    };

    snprintf(secret, sizeof secret, "%s/secret", b->place);
    snprintf(folder, sizeof folder, "%s", b->place);
    snprintf(proc, sizeof proc, "/proc/%d/cwd", (int)getpid());
    put(b, "good", "good");
    put(b, "sub/good", "good");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(symlinkat(rows[i].target, b->ws.out.fd, rows[i].name), 0);
        assert_not_imported(b, rows[i].path, "invalid_deliverable");
    }
    /* Nor is anything made behind one. */
    assert_false(sov_workspace_deliver(&b->ws, "dangling", sov_bytes_text("x"), &b->err));
    assert_string_equal(b->err.code, "invalid_deliverable");
    assert_false(sov_workspace_deliver(&b->ws, "parent/new", sov_bytes_text("x"), &b->err));
    assert_string_equal(b->err.code, "invalid_deliverable");
    assert_int_equal(mode_of(b, "new"), 0);
}

static void make_sparse(struct bench *b, const char *name, int64_t size)
{
    int fd = openat(b->ws.out.fd, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, size), 0);
    close(fd);
}

static void special_files_are_neither_read_nor_waited_for(void **state)
{
    struct bench *b = *state;
    struct sockaddr_un name = { .sun_family = AF_UNIX };
    int socket_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char at[40];

    assert_int_equal(mkfifoat(b->ws.out.fd, "fifo", 0600), 0);
    snprintf(at, sizeof at, "/proc/self/fd/%d/socket", b->ws.out.fd);
    snprintf(name.sun_path, sizeof name.sun_path, "%s", at);
    assert_int_equal(bind(socket_fd, (struct sockaddr *)&name, sizeof name), 0);
    assert_int_equal(mkdirat(b->ws.out.fd, "folder", 0700), 0);
    assert_int_equal(linkat(b->top.fd, "secret", b->ws.out.fd, "hard", 0), 0);
    put(b, "set_uid", "x");
    assert_int_equal(fchmodat(b->ws.out.fd, "set_uid", 04755, 0), 0);
    put(b, "set_gid", "x");
    assert_int_equal(fchmodat(b->ws.out.fd, "set_gid", 02755, 0), 0);
    make_sparse(b, "large", SOV_IMPORT_FILE + 1);
    make_sparse(b, "tebibyte", INT64_C(1) << 40);
    static const char *const rows[] = { "fifo",    "socket",  "folder", "hard",
                                        "set_uid", "set_gid", "large",  "tebibyte" };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_not_imported(b, rows[i], "invalid_deliverable");
    /* Only root can make one, and only root has another user's file. */
    if (mknodat(b->ws.out.fd, "device", S_IFCHR | 0600, 1 << 8 | 5) == 0)
        assert_not_imported(b, "device", "invalid_deliverable");
    put(b, "foreign", "x");
    if (fchownat(b->ws.out.fd, "foreign", 12345, (gid_t)-1, 0) == 0)
        assert_not_imported(b, "foreign", "invalid_deliverable");
    close(socket_fd);
}

static void a_file_at_the_limit_is_taken_and_the_sum_has_a_limit_too(void **state)
{
    struct bench *b = *state;
    struct sov_imported out;

    b->import.file_max = 1000;
    b->import.total_max = 1500;
    b->import.files_max = 3;
    make_sparse(b, "a", 1000);
    make_sparse(b, "b", 501);
    make_sparse(b, "c", 500);
    put(b, "d", "");
    make_sparse(b, "e", 1001);
    assert_not_imported(b, "e", "invalid_deliverable");
    assert_true(import(b, "a", &out));
    assert_not_imported(b, "b", "invalid_deliverable");
    assert_true(import(b, "c", &out));
    assert_true(import(b, "d", &out));
    assert_not_imported(b, "d", "invalid_deliverable"); /* the fourth file */
}

/* ---- a swapper: folder and link change places as fast as they can ---- */

static pid_t swapper_start(struct bench *b)
{
    pid_t child;

    put(b, "spot/secret", "good");
    assert_int_equal(symlinkat(b->place, b->ws.out.fd, "other"), 0);
    child = fork();
    if (child == 0) prctl(PR_SET_PDEATHSIG, SIGKILL); /* a failed test must not leave it behind */
    if (child == 0)
        for (;;) (void)renameat2(b->ws.out.fd, "spot", b->ws.out.fd, "other", RENAME_EXCHANGE);
    return child;
}

static bool naive_import_loses(const struct bench *b)
{
    char root[PATH_MAX], path[PATH_MAX + 20], real[PATH_MAX], text[64] = { 0 };
    int fd;

    snprintf(root, sizeof root, "%s/.sovereign/runs/ASG-12.88/ws/out", b->place);
    snprintf(path, sizeof path, "%s/spot/secret", root);
    if (!realpath(path, real) || strncmp(real, root, strlen(root)) != 0) return false;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    if (read(fd, text, sizeof text - 1) < 0) text[0] = '\0';
    close(fd);
    return strcmp(text, canary) == 0;
}

enum { RACES = 20000, CONTROL_RACES = 300000 };

static void a_folder_swapped_with_a_link_never_lets_the_outside_in(void **state)
{
    struct bench *b = *state;
    unsigned good = 0, refused = 0;
    bool lost = false;
    pid_t child = swapper_start(b);

    b->import.files_max = RACES;
    for (int i = 0; i < RACES; i++) {
        struct sov_arena_mark mark = sov_arena_mark(&b->arena);
        struct sov_imported out;

        if (import(b, "spot/secret", &out)) {
            if (!sov_bytes_is(out.content, "good")) fail_msg("the outside came in");
            good++;
        } else {
            assert_string_equal(b->err.code, "invalid_deliverable");
            refused++;
        }
        sov_arena_rewind(&b->arena, mark);
    }
    for (int i = 0; i < CONTROL_RACES && !lost; i++) lost = naive_import_loses(b);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    if (!lost || good == 0 || refused == 0) skip(); /* the race did not happen on this machine */
}

#define row(test) cmocka_unit_test_setup_teardown(test, bench_open, bench_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        row(the_layout_is_private_and_named_by_the_run),
        row(an_existing_name_is_refused_and_a_sibling_is_untouched),
        row(one_that_is_unmade_is_gone_and_only_if_it_is_the_one),
        cmocka_unit_test_setup_teardown(what_stands_in_the_way_is_refused, bench_bare, bench_close),
        row(a_workspace_opens_again_only_if_it_is_the_same),
        row(a_plain_file_comes_back_with_its_hash),
        row(unsafe_paths_are_refused_before_any_open),
        row(links_are_never_followed),
        row(special_files_are_neither_read_nor_waited_for),
        row(a_file_at_the_limit_is_taken_and_the_sum_has_a_limit_too),
        row(a_folder_swapped_with_a_link_never_lets_the_outside_in),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
