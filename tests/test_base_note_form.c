/* The frame of a note and the names in it: limits, classes of characters, what a refusal says. */
#include "tests/unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/note.h"
#include "base/scan_char.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
#define DASH "\xe2\x80\x94 "
#define ROOT "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="
#define TEXT "o\n1\n" ROOT "\n"
#define LINE DASH "other AAAAAAA=\n"

/* ---- apart into what is signed and what signs it ---- */

static void a_note_comes_apart_at_its_last_blank_line(void **state)
{
    static const char end[] = "checkpoint: does not end in a line feed",
                      blank[] = "checkpoint: has no blank line",
                      none[] = "checkpoint: has no signature";
    static const struct {
        const char *note, *text, *lines, *what;
    } rows[] = {
        { "a\n\nb\n", "a\n", "b\n", NULL },
        { "\n\nb\n", "\n", "b\n", NULL }, /* of no text at all */
        { "a\n\nb\n\nc\n", "a\n\nb\n", "c\n", NULL },
        { "a\n\n\nb\n", "a\n\n", "b\n", NULL },
        { "", NULL, NULL, end },
        { "a", NULL, NULL, end },
        { "a\n\nb", NULL, NULL, end },
        { "\n", NULL, NULL, blank },
        { "a\n", NULL, NULL, blank },
        { "ab\n", NULL, NULL, blank },
        { "\na\n", NULL, NULL, blank },
        { "a\nb\n", NULL, NULL, blank },
        { "\n\n", NULL, NULL, none },
        { "a\n\n", NULL, NULL, none },
        { "a\n\nb\n\n", NULL, NULL, none },
        { "a\n\n\xff\n", NULL, NULL, "checkpoint: is no UTF-8" },
        { "a\n\n\x1f\n", NULL, NULL, "checkpoint: has a control character" },
        { "a\n\n\t\n", NULL, NULL, "checkpoint: has a control character" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sov_bytes text = sov_bytes("x", 1), lines = sov_bytes("y", 1);
        struct sov_error err = { 0 };
        bool ok = sov_note_split(sov_bytes_text(rows[i].note), &text, &lines, &err);

        if (ok != !rows[i].what) fail_msg("row %zu: %s", i, ok ? "is a note" : err.what);
        if (!ok && strcmp(err.what, rows[i].what) != 0) fail_msg("row %zu: %s", i, err.what);
        assert_true(sov_bytes_is(text, ok ? rows[i].text : "x"));
        assert_true(sov_bytes_is(lines, ok ? rows[i].lines : "y"));
    }
}

static void a_note_of_the_largest_size_is_read_and_one_octet_more_is_not(void **state)
{
    char note[SOV_NOTE_SIZE_MAX + 1];
    struct sov_bytes text, lines;
    struct sov_error err = { 0 };

    (void)state;
    memset(note, 'a', sizeof note);
    memcpy(note, "a\n\n", 3);
    note[SOV_NOTE_SIZE_MAX - 1] = '\n';
    assert_true(sov_note_split(sov_bytes(note, SOV_NOTE_SIZE_MAX), &text, &lines, &err));
    assert_int_equal(text.size + 1 + lines.size, SOV_NOTE_SIZE_MAX);
    note[SOV_NOTE_SIZE_MAX - 1] = 'a';
    note[SOV_NOTE_SIZE_MAX] = '\n';
    assert_false(sov_note_split(sov_bytes(note, SOV_NOTE_SIZE_MAX + 1), &text, &lines, &err));
    assert_string_equal(err.what, "checkpoint: longer than any that we write");
}

/* ---- the lines that sign ---- */

static void a_line_says_what_keeps_it_from_being_a_signature(void **state)
{
    static const char no[] = "checkpoint: has a line after the blank one that is no signature",
                      name[] = "checkpoint: has a signature without a key name",
                      bad[] = "checkpoint: has a signature that is no base64";
    static const struct {
        const char *line, *what;
    } rows[] = {
        { LINE, NULL },
        { "", "checkpoint: does not end in a line feed" },
        { DASH "other AAAAAAA=", "checkpoint: does not end in a line feed" },
        { "\n", no },
        { "\xe2\x80\x94\n", no },
        { "\xe2\x80\x94other AAAAAAA=\n", no },
        { "- other AAAAAAA=\n", no },
        { DASH "\n", name },
        { DASH "other\n", name },
        { DASH " AAAAAAA=\n", name },
        { DASH "ot+her AAAAAAA=\n", name },
        { DASH "other \n", bad },
        { DASH "other AAAAAA==\n", bad }, /* an id, and no signature */
        { DASH "other AAAA_AA=\n", bad },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sov_bytes lines = sov_bytes_text(rows[i].line);
        struct sov_note_line line;
        struct sov_error err = { 0 };
        bool ok = sov_note_line(&lines, &line, &err);

        if (ok != !rows[i].what) fail_msg("row %zu: %s", i, ok ? "is one" : err.what);
        if (!ok && strcmp(err.what, rows[i].what) != 0) fail_msg("row %zu: %s", i, err.what);
        if (!ok) assert_string_equal(err.code, "checkpoint_invalid");
        if (!ok) continue;
        assert_true(sov_bytes_is(line.name, "other"));
        assert_int_equal(line.size, 5);
        assert_int_equal(lines.size, 0);
    }
}

/* ---- names ---- */

/* White space as Unicode has it, the controls below U+0020 left out. */
static bool is_white(uint32_t point)
{
    static const uint32_t white[] = { 0x20,   0x85,   0xa0,   0x1680, 0x2000, 0x2001, 0x2002,
                                      0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009,
                                      0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000 };

    for (size_t i = 0; i < COUNT(white); i++)
        if (white[i] == point) return true;
    return false;
}

static void a_key_name_has_every_character_but_controls_spaces_and_plus(void **state)
{
    (void)state;
    for (uint32_t point = 0; point <= 0x10ffff; point++) {
        uint8_t name[6] = { 'a' };
        size_t size;

        if (point >= 0xd800 && point <= 0xdfff) continue;
        size = 1 + sov_scan_encode(point, name + 1);
        name[size] = 'z';
        if (sov_note_is_key_name(sov_bytes(name, size + 1)) !=
            (point >= 0x20 && point != '+' && !is_white(point)))
            fail_msg("U+%04X", point);
    }
}

/* ---- a caller's bug: what would forge a line is not written ---- */

static bool dies_writing(const char *origin)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        struct sov_checkpoint checkpoint = { .size = 1 };
        struct sov_buf buf;

        (void)signal(SIGABRT, SIG_DFL);
        (void)close(STDERR_FILENO);
        snprintf(checkpoint.origin, sizeof checkpoint.origin, "%s", origin);
        sov_buf_init(&buf, SOV_NOTE_SIZE_MAX);
        sov_checkpoint_text(&checkpoint, &buf);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void an_origin_of_more_than_one_line_is_not_written(void **state)
{
    static const char *const bad[] = { "", "a\nb", "\n", "a\x1f", "a\tb", "\xff" };
    static const char *const good[] = { "a", "an origin + spaces", "r\xc3\xb3" };

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        if (!dies_writing(bad[i])) fail_msg("written: row %zu", i);
    for (size_t i = 0; i < COUNT(good); i++)
        if (dies_writing(good[i])) fail_msg("not written: row %zu", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_note_comes_apart_at_its_last_blank_line),
        cmocka_unit_test(a_note_of_the_largest_size_is_read_and_one_octet_more_is_not),
        cmocka_unit_test(a_line_says_what_keeps_it_from_being_a_signature),
        cmocka_unit_test(a_key_name_has_every_character_but_controls_spaces_and_plus),
        cmocka_unit_test(an_origin_of_more_than_one_line_is_not_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
