/* A file line by line: whole lines or a refusal, with memory for one. */
#include "tests/file_fixture.h"

#include "base/line_file.h"

static const char *lines_of(struct place *place, const char *text, size_t line_max)
{
    SOV_CLEANUP(sov_line_file_close) struct sov_line_file file = { 0 };
    const char *said = "";
    struct sov_error err = { 0 };

    must(sov_file_replace(&place->folder, "lines", 0600, sov_bytes_text(text), &err), &err);
    must(sov_line_file_open(&file, sov_arena_printf(&place->arena, "%s/lines", place->path),
                            line_max, &err),
         &err);
    for (;;) {
        struct sov_bytes line;
        bool found;

        if (!sov_line_file_next(&file, &line, &found, &err))
            return sov_arena_printf(&place->arena, "%s!%s", said, err.code);
        if (!found) return said;
        said = sov_arena_printf(&place->arena, "%s[%.*s]", said, (int)line.size,
                                (const char *)line.data);
    }
}

static void lines_come_whole_and_in_order(void **state)
{
    static const struct {
        const char *text, *said;
    } rows[] = {
        { "", "" },
        { "a\n", "[a]" },
        { "a\n\nbc\n", "[a][][bc]" },
        { "12345\n", "[12345]" },
        { "123456\n", "!bad_text" },
        { "a\n123456", "[a]!bad_text" },
        { "a\nb", "[a]!bad_text" }, /* cut */
        { "\n\n\n", "[][][]" },
    };
    struct place *place = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(lines_of(place, rows[i].text, 5), rows[i].said);
}

static void many_lines_pass_through_little_room(void **state)
{
    enum { LINES = 30000 };
    struct place *place = *state;
    SOV_CLEANUP(sov_line_file_close) struct sov_line_file file = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    struct sov_error err = { 0 };
    bool found = true;
    int count = 0;

    sov_buf_init(&text, 1 << 20);
    for (int i = 0; i < LINES; i++) sov_buf_printf(&text, "line %d\n", i);
    must(sov_file_create(&place->folder, "lines", 0600, sov_buf_bytes(&text), &err), &err);
    must(sov_line_file_open(&file, sov_arena_printf(&place->arena, "%s/lines", place->path), 100,
                            &err),
         &err);
    while (found) {
        char wanted[32];
        struct sov_bytes line;

        must(sov_line_file_next(&file, &line, &found, &err), &err);
        snprintf(wanted, sizeof wanted, "line %d", count);
        if (found && !sov_bytes_is(line, wanted)) fail_msg("%s", wanted);
        count += found;
    }
    assert_int_equal(count, LINES);
}

static void what_is_not_there_is_said(void **state)
{
    struct sov_line_file file = { 0 };
    struct sov_error err = { 0 };

    (void)state;
    assert_false(sov_line_file_open(&file, "/no/such/file", 10, &err));
    assert_string_equal(err.code, "no_such_file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_come_whole_and_in_order, begin, end),
        cmocka_unit_test_setup_teardown(many_lines_pass_through_little_room, begin, end),
        cmocka_unit_test_setup_teardown(what_is_not_there_is_said, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
