/* Blocks in files of others: put, renewed and taken out again, octet for octet, or refused. */
#include "tests/unit.h"

#include <string.h>

#include "cli/setup.h"

#define OPEN "# >>> sov setup gitlab, sha256:"
#define CLOSE "# <<< sov setup gitlab <<<\n"

static const struct sov_setup_text job = {
    .name = "gitlab", .head = "", .body = "sov:\n  script: [x]\n", .fits = sov_setup_takes_job
};

static int begin(void **state)
{
    static const size_t room = 64 << 20;
    struct sov_arena *arena = test_malloc(sizeof *arena);

    sov_arena_init(arena, room);
    *state = arena;
    return 0;
}

static int end(void **state)
{
    sov_arena_release(*state);
    test_free(*state);
    return 0;
}

static struct sov_setup_result judged(struct sov_arena *arena, struct sov_bytes before,
                                      bool removing)
{
    struct sov_setup_result result;
    struct sov_error err = { 0 };

    if (!sov_setup_judge(&job, before, removing, arena, &result, &err))
        fail_msg("%s: %s", err.code, err.what);
    return result;
}

static void refused(struct sov_arena *arena, struct sov_bytes before, const char *code)
{
    static const struct sov_setup_result untouched = { SOV_SETUP_FOREIGN, { NULL, 77 } };

    for (int removing = 0; removing < 2; removing++) {
        struct sov_setup_result result = untouched;
        struct sov_error err = { 0 };

        if (sov_setup_judge(&job, before, removing, arena, &result, &err))
            fail_msg("taken: %.*s", (int)before.size, (const char *)before.data);
        assert_string_equal(err.code, code);
        assert_memory_equal(&result, &untouched, sizeof result);
    }
}

static const char *const theirs[] = {
    "a: b\n",
    "a: b",
    "---\na: b\n",
    "# only\na:\n  - b\n",
    "a: |\n  text\n  # >>> sov setup gitlab? indented, so no marker\n",
    "stages:\n- test\nb: { script: [y] }",
    "stages: [ build, test, deploy ]\n",
    ".hidden: &x\n  k: v\n'quoted': *x\n\"more\": 1\n",
    "spec: {}\n---\na: b\n",
    "a: b\n\n\n",
    "# >>> sov setup github, sha256:0 >>>\na: b\n",
};

static void what_was_put_is_taken_out_octet_for_octet(void **state)
{
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
        struct sov_bytes before = sov_bytes_text(theirs[i]);
        struct sov_setup_result put = judged(*state, before, false), again, out;

        assert_int_equal(put.change, SOV_SETUP_WRITE);
        assert_true(put.after.size > before.size);
        assert_memory_equal(put.after.data, before.data, before.size);
        again = judged(*state, put.after, false);
        assert_int_equal(again.change, SOV_SETUP_SAME);
        out = judged(*state, put.after, true);
        assert_int_equal(out.change, SOV_SETUP_WRITE);
        if (!sov_bytes_equal(out.after, before)) fail_msg("not given back: %s", theirs[i]);
    }
}

static void a_new_file_holds_the_block_alone_and_goes_with_it(void **state)
{
    struct sov_setup_result put = judged(*state, sov_bytes(NULL, 0), false), out;

    assert_int_equal(put.change, SOV_SETUP_CREATE);
    assert_true(sov_bytes_is(put.after, sov_setup_block(&job, *state)));
    out = judged(*state, put.after, true);
    assert_int_equal(out.change, SOV_SETUP_REMOVE);
    assert_int_equal(judged(*state, sov_bytes(NULL, 0), true).change, SOV_SETUP_SAME);
}

static void an_older_block_that_nobody_edited_is_renewed_in_its_place(void **state)
{
    static const struct sov_setup_text older = { .name = "gitlab", .head = "", .body = "sov: 1\n" };
    const char *old = sov_arena_printf(*state, "a: b\n%sc: d\n", sov_setup_block(&older, *state));
    const char *new = sov_arena_printf(*state, "a: b\n%sc: d\n", sov_setup_block(&job, *state));
    struct sov_setup_result result = judged(*state, sov_bytes_text(old), false);

    assert_int_equal(result.change, SOV_SETUP_WRITE);
    assert_true(sov_bytes_is(result.after, new));
    result = judged(*state, sov_bytes_text(old), true);
    assert_true(sov_bytes_is(result.after, "a: b\nc: d\n"));
}

/* Each octet of the block changed, and each left out: refused, or the same block as before. */
static void an_edit_of_any_octet_of_the_block_is_refused(void **state)
{
    const char *block = sov_setup_block(&job, *state);
    size_t size = strlen(block), refusals = 0, foreign = 0;

    for (size_t at = 0; at < 2 * size; at++) {
        char *text = sov_arena_printf(*state, "a: b\n%s", block);
        struct sov_setup_result result;
        struct sov_error err = { 0 };

        if (at < size)
            text[5 + at] ^= 1;
        else
            memmove(text + 5 + at - size, text + 6 + at - size, 2 * size - at);
        if (sov_setup_judge(&job, sov_bytes_text(text), true, *state, &result, &err)) {
            /* The last line end alone may be missing: nothing of ours is in doubt. */
            if (at != 2 * size - 1) fail_msg("octet %zu: taken", at % size);
            foreign++;
            continue;
        }
        if (strcmp(err.code, "setup_edited") != 0 && strcmp(err.code, "bad_text") != 0)
            fail_msg("octet %zu: %s", at % size, err.code);
        refusals++;
    }
    assert_int_equal(foreign, 1);
    assert_int_equal(refusals, 2 * size - 1);
}

static void markers_that_are_no_pair_are_refused(void **state)
{
    const char *block = sov_setup_block(&job, *state);
    const char *const edits[] = {
        sov_arena_printf(*state, "%s%s", block, block),
        sov_arena_printf(*state, "%s%s", CLOSE, block),
        sov_arena_printf(*state, "%s%s", block, CLOSE),
        CLOSE,
        OPEN "0 >>>\n",
        OPEN "0 >>>\n" CLOSE,
        "# >>> sov setup gitlab >>>\n" CLOSE,
        CLOSE OPEN "0 >>>\n",
        sov_arena_printf(*state, "%s# >>> sov setup gitlab", block),
        sov_arena_printf(*state, "%.*s and more\n", (int)strlen(block) - 1, block),
    };

    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
        refused(*state, sov_bytes_text(edits[i]), "setup_edited");
}

static void text_that_is_none_is_refused_where_a_block_is_or_would_be(void **state)
{
    const char *block = sov_setup_block(&job, *state);
    struct sov_setup_result result;
    struct sov_error err = { 0 };

    refused(*state, sov_bytes_text(sov_arena_printf(*state, "a: b\r\n%s", block)), "bad_text");
    refused(*state, sov_bytes_text(sov_arena_printf(*state, "a: \xff\n%s", block)), "bad_text");
    refused(*state, sov_bytes(block, strlen(block) + 1), "bad_text");
    assert_false(sov_setup_judge(&job, sov_bytes_text("a: b\r\n"), false, *state, &result, &err));
    assert_string_equal(err.code, "bad_text");
    assert_int_equal(judged(*state, sov_bytes_text("a: b\r\n"), true).change, SOV_SETUP_SAME);
}

static void a_file_that_takes_no_job_is_foreign(void **state)
{
    static const char *const none[] = {
        "",
        "# nothing\n",
        "{ a: b }\n",
        "- a\n",
        " a: b\n",
        "\ta: b\n",
        "sov: 1\n",
        "sov : 1\n",
        "a: b\nsov:\n  script: [x]\n",
        "'sov': 1\n",
        "\"sov\": 1\n",
        "\"s\\u006fv\": 1\n",
        "? sov\n: 1\n",
        "!!str sov: 1\n",
        "<<: *x\n",
        "a: b\n...\n",
        "a: b\n--- c\n",
        "a: b\n---\n",
        "just text\n",
        "a: [\n]\n",
        "stages: [build]\n",
        "stages:\n  - build\n  - test-more\nb: test\n",
    };

    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        if (judged(*state, sov_bytes_text(none[i]), false).change != SOV_SETUP_FOREIGN)
            fail_msg("taken: %s", none[i]);
        assert_int_equal(judged(*state, sov_bytes_text(none[i]), true).change, SOV_SETUP_SAME);
    }
}

static void a_program_is_named_by_place_and_whole_commit(void **state)
{
#define C40 "0123456789abcdef0123456789abcdef01234567"
    static const struct {
        const char *text, *url, *slug;
    } row[] = {
        { "a/b@" C40, "https://github.com/a/b", "a/b" },
        { "a_1.x/b-2@" C40, "https://github.com/a_1.x/b-2", "a_1.x/b-2" },
        { "https://github.com/a/b@" C40, "https://github.com/a/b", "a/b" },
        { "https://gitlab.example/a/b/c.git@" C40, "https://gitlab.example/a/b/c.git", NULL },
        { "a/b@" C40 "0123456789abcdef01234567", "https://github.com/a/b", "a/b" },
        { "a/b", NULL, NULL },
        { "a/b@v1", NULL, NULL },
        { "a/b@" C40 "0", NULL, NULL },
        { "a/b@0123456789ABCDEF0123456789abcdef01234567", NULL, NULL },
        { "a@" C40, NULL, NULL },
        { "a/b/c@" C40, NULL, NULL },
        { "/b@" C40, NULL, NULL },
        { "a/@" C40, NULL, NULL },
        { "a//b@" C40, NULL, NULL },
        { "../b@" C40, NULL, NULL },
        { "a/.b@" C40, NULL, NULL },
        { "-a/b@" C40, NULL, NULL },
        { "a/b;c@" C40, NULL, NULL },
        { "a/b c@" C40, NULL, NULL },
        { "a/b\n@" C40, NULL, NULL },
        { "a/\xc3\xa9@" C40, NULL, NULL },
        { "http://a/b@" C40, NULL, NULL },
        { "https://u@h/b@" C40, NULL, NULL },
        { "https://h@" C40, NULL, NULL },
        { "https://h/$(x)@" C40, NULL, NULL },
        { "@" C40, NULL, NULL },
        { "", NULL, NULL },
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct sov_setup_source source = { 0 };
        struct sov_error err = { 0 };

        if (sov_setup_source(row[i].text, *state, &source, &err) != (row[i].url != NULL))
            fail_msg("%s", row[i].text);
        if (!row[i].url) {
            assert_string_equal(err.code, "bad_value");
            assert_null(source.url);
            continue;
        }
        assert_string_equal(source.url, row[i].url);
        assert_true(!source.slug == !row[i].slug);
        if (source.slug) assert_string_equal(source.slug, row[i].slug);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
        T(what_was_put_is_taken_out_octet_for_octet),
        T(a_new_file_holds_the_block_alone_and_goes_with_it),
        T(an_older_block_that_nobody_edited_is_renewed_in_its_place),
        T(an_edit_of_any_octet_of_the_block_is_refused),
        T(markers_that_are_no_pair_are_refused),
        T(text_that_is_none_is_refused_where_a_block_is_or_would_be),
        T(a_file_that_takes_no_job_is_foreign),
        T(a_program_is_named_by_place_and_whole_commit),
#undef T
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
