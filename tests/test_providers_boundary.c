#include "tests/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/scan.h"
#include "providers/boundary.h"
#include "tests/remove.h"

struct bench {
    char place[64];
    struct sov_folder top;
    struct sov_error err;
};

static void put(struct bench *b, const char *path, const char *text)
{
    int fd = openat(b->top.fd, path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);

    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text)) fail_msg("%s", path);
    close(fd);
}

static void folder(struct bench *b, const char *path)
{
    if (mkdirat(b->top.fd, path, 0755) != 0) fail_msg("%s", path);
}

static int bench_open(void **state)
{
    static const char *const folders[] = { "src",       ".git",          ".git/hooks",
                                           ".git/info", ".git/objects",  ".sovereign",
                                           "src/.git",  "src/.sovereign" };
    static const char *const files[] = { "README.md",
                                         "src/a.c",
                                         "src/b.c",
                                         "src/a",
                                         "src.txt",
                                         ".git/config",
                                         ".git/HEAD",
                                         ".git/index",
                                         ".git/hooks/pre-commit",
                                         ".git/info/exclude",
                                         ".git/objects/x",
                                         ".sovereign/ledger",
                                         "src/.git/HEAD",
                                         "src/.sovereign/x" };
    struct bench *b = sov_alloc(sizeof *b);

    *state = b;
    snprintf(b->place, sizeof b->place,
             "/tmp/sov-test-boundary-XX"
             "XX"
             "XX");
    if (!mkdtemp(b->place) || !sov_folder_open(&b->top, b->place, &b->err)) return -1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) folder(b, folders[i]);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) put(b, files[i], files[i]);
    if (symlinkat("src/a.c", b->top.fd, "link") != 0) return -1;
    return mkfifoat(b->top.fd, "fifo", 0600);
}

static int bench_close(void **state)
{
    struct bench *b = *state;

    sov_folder_close(&b->top);
    remove_tree(b->place);
    sov_free(b);
    return 0;
}

/* Far in the future: nothing is too young, so that skipping is what is tested. */
static const int64_t later = INT64_C(4) * 1000 * 1000 * 1000 * 1000;

static struct sov_boundary *look(struct bench *b, const struct sov_boundary *before)
{
    return sov_boundary_take(&b->top, later, before, &sov_boundary_usual);
}

/* The report between the snapshot and now, compared whole; %E and %B stand for the counts. */
static void assert_report(struct bench *b, const struct sov_boundary *before,
                          const struct sov_boundary_page *pages, size_t page_count,
                          const char *added, const char *changed, const char *removed)
{
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *after = look(b, before);
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_boundary_facts facts;
    bool violated = *added || *changed || *removed;
    char text[2000], expected[2000];
    const char *bytes, *entries;

    sov_buf_init(&out, 1 << 20);
    sov_boundary_report(before, after, pages, page_count, &out, &facts);
    if (sov_boundary_fault(after)) fail_msg("%s", sov_boundary_fault(after));
    assert_true(facts.computed);
    assert_int_equal(facts.violated, violated);
    assert_true(sov_scan_canonical(sov_buf_bytes(&out), &sov_scan_report, &b->err));
    snprintf(text, sizeof text, "%.*s", (int)out.size, (const char *)out.data);
    bytes = strstr(text, "\"bytes\":");
    entries = strstr(text, "\"entries\":");
    assert_true(bytes && entries);
    snprintf(expected, sizeof expected,
             "{\"added\":[%s],\"bytes\":%lld,\"changed\":[%s],\"computed\":true,\"entries\":%lld,"
             "\"removed\":[%s],\"scope\":\"repository_without_runs_and_ledger\",\"violated\":%s}",
             added, strtoll(bytes + 8, NULL, 10), changed, strtoll(entries + 10, NULL, 10), removed,
             violated ? "true" : "false");
    assert_string_equal(text, expected);
}

static void an_untouched_tree_is_not_violated(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *one = look(b, NULL);
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *two = look(b, one);
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *fresh = look(b, NULL);
    struct sov_hash first = sov_boundary_digest(one), second = sov_boundary_digest(two),
                    third = sov_boundary_digest(fresh);

    assert_null(sov_boundary_fault(one));
    assert_true(sov_hash_equal(&first, &second));
    assert_true(sov_hash_equal(&first, &third));
    assert_report(b, one, NULL, 0, "", "", "");
    put(b, "src/b.c", "src/b.d");
    sov_boundary_end(&fresh);
    fresh = look(b, one);
    third = sov_boundary_digest(fresh);
    assert_false(sov_hash_equal(&first, &third));
}

static void entries_and_bytes_are_those_of_the_scope(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *one = look(b, NULL);
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_boundary_facts facts;
    /* .git, its config, hooks, hooks/pre-commit, info, info/exclude; README.md fifo link src
     * src.txt; src/{a,a.c,b.c,.git,.git/HEAD,.sovereign,.sovereign/x}; counted by hand */
    size_t sizes = strlen(".git/config"
                          ".git/hooks/pre-commit"
                          ".git/info/exclude"
                          "README.md"
                          "src.txt"
                          "src/a"
                          "src/a.c"
                          "src/b.c"
                          "src/.git/HEAD"
                          "src/.sovereign/x");
    char expected[100];

    sov_buf_init(&out, 4096);
    sov_boundary_report(one, one, NULL, 0, &out, &facts);
    snprintf(expected, sizeof expected,
             "{\"added\":[],\"bytes\":%zu,\"changed\":[],\"computed\":true,"
             "\"entries\":18,",
             sizes);
    assert_memory_equal(out.data, expected, strlen(expected));
}

static void each_kind_of_change_is_reported_with_its_path(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *one = look(b, NULL);

    put(b, "src/a.c", "SRC/A.C"); /* the same size */
    put(b, "src.txt", "longer than it was");
    assert_int_equal(fchmodat(b->top.fd, "src/a", 0755, 0), 0);
    assert_int_equal(fchmodat(b->top.fd, "src", 0700, 0), 0);
    assert_int_equal(unlinkat(b->top.fd, "link", 0), 0);
    assert_int_equal(symlinkat("src/b.c", b->top.fd, "link"), 0);
    assert_int_equal(unlinkat(b->top.fd, "fifo", 0), 0);
    assert_int_equal(unlinkat(b->top.fd, "README.md", 0), 0);
    assert_int_equal(symlinkat("src/b.c", b->top.fd, "README.md"), 0);
    assert_int_equal(unlinkat(b->top.fd, "src/b.c", 0), 0);
    folder(b, "src/new");
    put(b, "src/new/x", "");
    put(b, ".git/hooks/post-checkout", "#!/bin/sh");
    put(b, ".git/config", "[core]fsmonitor");
    put(b, ".git/info/attributes", "* filter=x");
    assert_report(
        b, one, NULL, 0,
        "\".git/hooks/post-checkout\",\".git/info/attributes\",\"src/new\","
        "\"src/new/x\"",
        "\".git/config\",\"README.md\",\"link\",\"src\",\"src.txt\",\"src/a\",\"src/a.c\"",
        "\"fifo\",\"src/b.c\"");
}

static void what_was_undone_and_what_is_outside_the_scope_is_not_seen(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *one = look(b, NULL);

    put(b, "src/a.c", "other");
    put(b, "src/a.c", "src/a.c");
    assert_int_equal(fchmodat(b->top.fd, "src/b.c", 0600, 0), 0);
    assert_int_equal(fchmodat(b->top.fd, "src/b.c", 0644, 0), 0);
    assert_int_equal(unlinkat(b->top.fd, "src.txt", 0), 0);
    put(b, "src.txt", "src.txt");
    put(b, ".git/index", "outside");
    put(b, ".git/objects/y", "outside");
    put(b, ".sovereign/ledger", "outside");
    assert_report(b, one, NULL, 0, "", "", "");
    put(b, "src/.git/HEAD", "inside");
    put(b, "src/.sovereign/x", "inside");
    assert_report(b, one, NULL, 0, "", "\"src/.git/HEAD\",\"src/.sovereign/x\"", "");
}

static void a_git_folder_that_becomes_a_link_is_seen(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *one = look(b, NULL);

    assert_int_equal(renameat(b->top.fd, ".git", b->top.fd, ".sovereign/git"), 0);
    assert_int_equal(symlinkat(".sovereign/git", b->top.fd, ".git"), 0);
    assert_report(b, one, NULL, 0, "", "\".git\"",
                  "\".git/config\",\".git/hooks\",\".git/hooks/pre-commit\",\".git/info\","
                  "\".git/info/exclude\"");
}

static void times_alone_are_no_change_and_hide_none(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *one = look(b, NULL);
    struct timespec old[2] = { { 1, 0 }, { 1, 0 } };

    assert_int_equal(utimensat(b->top.fd, "src/a.c", old, 0), 0);
    assert_report(b, one, NULL, 0, "", "", "");
    put(b, "src/a.c", "src/A.c");
    assert_int_equal(utimensat(b->top.fd, "src/a.c", old, 0), 0);
    assert_report(b, one, NULL, 0, "", "\"src/a.c\"", "");
}

/* Octets this process has read so far, by the kernel's count; -1: it keeps none. */
static int64_t octets_read(void)
{
    char text[500] = { 0 };
    int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
    const char *at;

    if (fd < 0) return -1;
    if (read(fd, text, sizeof text - 1) < 0) text[0] = '\0';
    close(fd);
    at = strstr(text, "rchar: ");
    return at ? strtoll(at + 7, NULL, 10) : -1;
}

enum { LARGE = 1 << 20 };

static bool reads_the_large_file(struct bench *b, const struct sov_boundary *before)
{
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *after = NULL;
    int64_t start = octets_read();

    after = look(b, before);
    assert_null(sov_boundary_fault(after));
    return octets_read() - start > LARGE;
}

static void an_unchanged_file_is_not_read_again_unless_it_was_young(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *old = NULL, *young = NULL;
    int fd = openat(b->top.fd, "large", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

    assert_int_equal(ftruncate(fd, LARGE), 0);
    close(fd);
    if (octets_read() < 0) skip();
    old = look(b, NULL);
    young = sov_boundary_take(&b->top, 1000, NULL, &sov_boundary_usual); /* 1970: all is young */
    assert_true(reads_the_large_file(b, NULL));
    assert_false(reads_the_large_file(b, old));
    assert_true(reads_the_large_file(b, young));
    assert_int_equal(fchmodat(b->top.fd, "large", 0644, 0), 0);
    assert_true(reads_the_large_file(b, old));
}

static void what_this_ledger_published_does_not_count(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *one = look(b, NULL);
    const struct sov_boundary_page pages[] = {
        { "governance/README.md", false, sov_sha256(sov_bytes_text("rendered")) },
        { "governance/sow/SOW-1.md", false, sov_sha256(sov_bytes_text("rendered")) },
        { "README.md", false, sov_sha256(sov_bytes_text("new text")) },
        { "src.txt", true, { { 0 } } },
    };

    folder(b, "governance");
    folder(b, "governance/sow");
    put(b, "governance/README.md", "rendered");
    put(b, "governance/sow/SOW-1.md", "rendered");
    put(b, "README.md", "new text");
    assert_int_equal(unlinkat(b->top.fd, "src.txt", 0), 0);
    assert_report(b, one, pages, 4, "", "", "");
    /* Not the rendered bytes, not its bits, not gone, and what nobody published. */
    put(b, "governance/README.md", "forged");
    assert_int_equal(fchmodat(b->top.fd, "README.md", 0755, 0), 0);
    assert_int_equal(fchmodat(b->top.fd, "governance/sow/SOW-1.md", 0666, 0), 0);
    put(b, "src.txt", "back with other text");
    put(b, "governance/other.md", "x");
    folder(b, "governanc");
    assert_report(b, one, pages, 4,
                  "\"governanc\",\"governance/README.md\",\"governance/other.md\","
                  "\"governance/sow/SOW-1.md\"",
                  "\"README.md\",\"src.txt\"", "");
    assert_int_equal(unlinkat(b->top.fd, "README.md", 0), 0);
    put(b, "governance/README.md", "rendered");
    assert_int_equal(unlinkat(b->top.fd, "governance/other.md", 0), 0);
    assert_int_equal(unlinkat(b->top.fd, "governanc", AT_REMOVEDIR), 0);
    assert_report(b, one, pages, 4, "\"governance/sow/SOW-1.md\"", "\"src.txt\"", "\"README.md\"");
}

static void assert_not_computed(struct bench *b, const struct sov_boundary *before,
                                const struct sov_boundary *after)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_boundary_facts facts;

    sov_buf_init(&out, 1000);
    sov_boundary_report(before, after, NULL, 0, &out, &facts);
    assert_false(facts.computed);
    assert_true(sov_scan_canonical(sov_buf_bytes(&out), &sov_scan_report, &b->err));
    sov_buf_add_byte(&out, 0);
    assert_non_null(strstr((const char *)out.data, "\"computed\":false"));
}

static void over_its_limits_nothing_is_computed(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *one = look(b, NULL);
    struct sov_boundary_limits exact = { 18, 113 }, few = { 17, 1000 }, small = { 1000, 112 };
    const struct {
        const struct sov_boundary_limits *limits;
        const struct sov_boundary *before;
        bool computed;
    } rows[] = {
        { &exact, NULL, true }, { &exact, one, true },   { &few, NULL, false },
        { &few, one, false },   { &small, NULL, false }, { &small, one, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SOV_CLEANUP(sov_boundary_end)
        struct sov_boundary *two =
            sov_boundary_take(&b->top, later, rows[i].before, rows[i].limits);

        if ((sov_boundary_fault(two) == NULL) != rows[i].computed)
            fail_msg("row %zu: %s", i, sov_boundary_fault(two));
        assert_false(sov_boundary_is_unread(two));
        if (rows[i].computed) continue;
        assert_not_computed(b, one, two);
        assert_not_computed(b, two, one);
    }
    assert_not_computed(b, one, NULL);
}

/* That is no rule: with descriptors again the same tree is computed. */
static void a_tree_that_cannot_be_read_is_not_refused_by_a_rule(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *none = NULL, *one = NULL;
    struct rlimit before, few;
    int free_fd = fcntl(b->top.fd, F_DUPFD_CLOEXEC, 3);

    close(free_fd);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = (struct rlimit){ (rlim_t)free_fd, before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    none = look(b, NULL);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_non_null(sov_boundary_fault(none));
    assert_true(sov_boundary_is_unread(none));
    one = look(b, NULL);
    assert_null(sov_boundary_fault(one));
}

static void a_tree_too_deep_or_sparse_is_not_computed(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *deep = NULL, *sparse = NULL;
    int at = fcntl(b->top.fd, F_DUPFD_CLOEXEC, 3), fd;

    fd = openat(b->top.fd, "sparse", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_int_equal(ftruncate(fd, INT64_C(1) << 40), 0);
    close(fd);
    sparse = look(b, NULL); /* must not read a tebibyte to say so */
    assert_non_null(sov_boundary_fault(sparse));
    assert_false(sov_boundary_is_unread(sparse));
    assert_int_equal(unlinkat(b->top.fd, "sparse", 0), 0);
    for (int i = 0; i < 202; i++) {
        assert_int_equal(mkdirat(at, "d", 0700), 0);
        fd = openat(at, "d", O_DIRECTORY | O_RDONLY | O_CLOEXEC);
        close(at);
        at = fd;
    }
    close(at);
    deep = look(b, NULL);
    assert_non_null(sov_boundary_fault(deep));
    assert_non_null(strstr(sov_boundary_fault(deep), "too deep"));
}

static void a_report_that_does_not_fit_is_no_pass(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *one = look(b, NULL), *two = NULL;
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_boundary_facts facts;

    for (int i = 0; i < 40; i++) {
        char name[40];

        snprintf(name, sizeof name, "a-rather-long-name-%d", i);
        put(b, name, "");
    }
    two = look(b, one);
    sov_buf_init(&out, 300);
    sov_boundary_report(one, two, NULL, 0, &out, &facts);
    assert_false(facts.computed);
    assert_true(facts.violated);
    assert_int_equal(facts.added, 40);
    assert_true(sov_scan_canonical(sov_buf_bytes(&out), &sov_scan_report, &b->err));
}

static void hostile_names_are_reported_without_breaking_the_report(void **state)
{
    struct bench *b = *state;
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *one = look(b, NULL);

    put(b, "\"],\"violated\":false,\"x", "");
    put(b, "bad\xffname", "");
    put(b, "line\nfeed", "");
    assert_report(b, one, NULL, 0,
                  "\"\\\"],\\\"violated\\\":false,\\\"x\","
                  "\"bad\xe2\x80\xb9"
                  "0xFF\xe2\x80\xba"
                  "name\",\"line\\nfeed\"",
                  "", "");
}

#define row(test) cmocka_unit_test_setup_teardown(test, bench_open, bench_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        row(an_untouched_tree_is_not_violated),
        row(entries_and_bytes_are_those_of_the_scope),
        row(each_kind_of_change_is_reported_with_its_path),
        row(what_was_undone_and_what_is_outside_the_scope_is_not_seen),
        row(a_git_folder_that_becomes_a_link_is_seen),
        row(times_alone_are_no_change_and_hide_none),
        row(an_unchanged_file_is_not_read_again_unless_it_was_young),
        row(what_this_ledger_published_does_not_count),
        row(over_its_limits_nothing_is_computed),
        row(a_tree_that_cannot_be_read_is_not_refused_by_a_rule),
        row(a_tree_too_deep_or_sparse_is_not_computed),
        row(a_report_that_does_not_fit_is_no_pass),
        row(hostile_names_are_reported_without_breaking_the_report),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
