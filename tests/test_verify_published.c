/* The judge in a clone: no ledger file, only what was published. */
#include "tests/publishing_fixture.h"

#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verify/verify.h"

/* Three publications of a store in which something was accepted. */
static int setup(void **state)
{
    struct publishing *p = calloc(1, sizeof *p);
    int64_t outcome;

    publishing_open(p);
    publish(p);
    outcome = judging_outcome(&p->j, "SKU-TEA");
    publish(p);
    judging_ready(&p->j, outcome);
    judging_accept(&p->j, "principal", outcome, NULL, NULL);
    publish(p);
    *state = p;
    return 0;
}

static const struct sov_verify_options asked = { .wait_ms = 1000,
                                                 .no_anchor = true,
                                                 .published = true };

static struct sov_report judged(struct publishing *p, struct sov_verify_options options, bool views)
{
    struct sov_hash before = digest_of(p, "", false), after;
    struct sov_error err = { 0 };
    struct sov_report report;

    options.places = &p->j.f.places;
    options.seams = &p->j.f.seams;
    options.clone = &p->repo;
    options.tree = views ? &p->repo : NULL;
    if (!sov_verify(&options, &p->j.f.arena, &report, &err)) fail_msg("%s", err.what);
    after = digest_of(p, "", false);
    assert_memory_equal(&before, &after, sizeof before);
    return report;
}

/* "TAMPER line 3 governance/log/1-9.jsonl:3", one a finding; UNANCHORED is not listed. */
static const char *list_of(struct publishing *p, const struct sov_report *report)
{
    const char *list = "";

    for (size_t i = 0; i < report->count; i++) {
        const struct sov_finding *finding = &report->findings[i];

        if (finding->class == SOV_CLASS_UNANCHORED) continue;
        list =
            sov_arena_printf(&p->j.f.arena, "%s%s%s %s %lld %s:%lld", list, *list ? ", " : "",
                             sov_class_word(finding->class), finding->kind, (long long)finding->seq,
                             finding->path ? finding->path : "", (long long)finding->line);
    }
    return list;
}

static void a_clone_is_judged_as_its_ledger_is(void **state)
{
    struct publishing *p = *state;
    struct sov_verify_options options = asked;
    struct sov_report clone = judged(p, asked, true), file;

    options.published = false;
    file = judged(p, options, true);
    assert_string_equal(list_of(p, &clone), "");
    assert_int_equal(clone.exit, SOV_OK);
    assert_string_equal(clone.mode, "published");
    assert_string_equal(file.mode, "ledger");
    assert_int_equal(clone.size, fixture_head(&p->j.f));
    assert_int_equal(clone.published_size, clone.size);
    assert_memory_equal(&clone.root, &file.root, sizeof clone.root);
    assert_memory_equal(&clone.ledger_id, &file.ledger_id, sizeof clone.ledger_id);
    for (enum sov_step_id step = 0; step < SOV_STEP_COUNT; step++) {
        bool of_a_file = step == SOV_STEP_FILE || step == SOV_STEP_SCHEMA || step == SOV_STEP_STATE;
        bool fails = step == SOV_STEP_ANCHORS; /* UNANCHORED, accepted */

        assert_int_equal(clone.steps[step].result, of_a_file ? SOV_STEP_NOT_ASKED
                                                   : fails   ? SOV_STEP_FAILED
                                                             : SOV_STEP_PASSED);
    }
    assert_int_equal(clone.steps[SOV_STEP_SIGNATURES].checked > 3, 1);
    assert_int_equal(clone.steps[SOV_STEP_CHECKPOINTS].checked, 3);
}

static void without_a_ledger_file_it_is_the_clone_that_is_judged(void **state)
{
    struct publishing *p = *state;
    struct sov_verify_options options = asked;
    struct sov_report report;

    options.published = false;
    sov_ledger_end(&p->j.f.ledger);
    move_at(p, ".sovereign/organization.db", ".sovereign/aside");
    report = judged(p, options, true);
    move_at(p, ".sovereign/aside", ".sovereign/organization.db");
    fixture_reopen(&p->j.f);
    assert_string_equal(report.mode, "published");
    assert_int_equal(report.exit, SOV_OK);
}

static void nothing_published_is_absent(void **state)
{
    struct publishing *p = *state;
    struct sov_report report;

    remove_at(p, "governance/checkpoints");
    report = judged(p, asked, false);
    assert_string_equal(list_of(p, &report), "ABSENT absent 0 :0");
    assert_int_equal(report.exit, SOV_ABSENT);
    remove_at(p, "governance");
    report = judged(p, asked, true);
    assert_int_equal(report.exit, SOV_ABSENT);
}

/* ---- damage ---- */

enum damage { EDIT, APPEND, CUT, REMOVE, COPY, LINK, CRLF, MODE };
static const struct row {
    enum damage damage;
    const char *path, *from, *to;
    const char *expected; /* among the findings; "": there is none */
    bool views;           /* only a comparison of the files finds it */
} rows[] = {
    { EDIT, "log/LOG", "\"seq\":2,", "\"seq\":3,", "TAMPER seq 2 ", false },
    { EDIT, "log/LOG", "principal", "principle", "TAMPER ", false },
    { EDIT, "log/LOG", "\n{", "\n {", "TAMPER octets 2 ", false },
    { EDIT, "log/LOG", "\n{", "\n\n{", "TAMPER line 2 governance/log/1-", false },
    { EDIT, "log/LOG", "\n{", "\n{\"x\":1,", "TAMPER octets 2 ", false },
    { EDIT, "log/LOG", "\"v\":1}\n", "\"v\":2}\n", "TAMPER ", false },
    { APPEND, "log/LOG", "{}\n", NULL, "TAMPER line ", false },
    { APPEND, "log/LOG", "x", NULL, "TAMPER line ", false },
    { CUT, "log/LOG", NULL, NULL, "TAMPER line ", false },
    { REMOVE, "log/LOG", NULL, NULL, "TAMPER gap 1 governance/log:0", false },
    { LINK, "log/LOG", NULL, NULL, "TAMPER gap 1 governance/log:0", false },
    { CRLF, "log/LOG", NULL, NULL, "DRIFT line_endings 0 governance/log/1-", false },
    { CRLF, "checkpoints/NOTE", NULL, NULL, "DRIFT line_endings 0 governance/checkpoints/", false },
    { CRLF, "policy.md", NULL, NULL, "DRIFT differs 0 governance/policy.md:1", true },
    { COPY, "checkpoints/NOTE", "checkpoints/3", NULL,
      "TAMPER checkpoint 0 governance/checkpoints/3", false },
    { EDIT, "checkpoints/NOTE", "/", "x/", "TAMPER checkpoint 0 governance/checkpoints/", false },
    { EDIT, "checkpoints/NOTE", "\n\n", "\n", "TAMPER checkpoint 0 governance/checkpoints/",
      false },
    { LINK, "checkpoints/NOTE", NULL, NULL, "TAMPER head ", false },
    { REMOVE, "checkpoints/NOTE", NULL, NULL, "DRIFT ", true },
    { LINK, "log", NULL, NULL, "TAMPER file_unsafe 0 governance:0", false },
    { LINK, "sows", NULL, NULL, "TAMPER file_unsafe 0 governance:0", false },
    { EDIT, "policy.md", "# Policy", "# policy", "DRIFT differs 0 governance/policy.md:1", true },
    { COPY, "policy.md", "more.md", NULL, "DRIFT extra 0 governance/more.md:0", true },
    { REMOVE, "README.md", NULL, NULL, "DRIFT missing 0 governance/README.md:0", true },
    { LINK, "README.md", NULL, NULL, "DRIFT link 0 governance/README.md:0", true },
    { MODE, "README.md", "0755", NULL, "DRIFT mode 0 governance/README.md:0", true },
    { MODE, "README.md", "0600", NULL, "", true },
    { MODE, "README.md", "0664", NULL, "", true },
};

static void end_in_crlf(struct publishing *p, const char *path)
{
    struct sov_bytes bytes = file_of(p, path);
    struct sov_buf out;

    sov_buf_init(&out, 64 << 20);
    for (size_t i = 0; i < bytes.size; i++) {
        if (bytes.data[i] == '\n') sov_buf_add_byte(&out, '\r');
        sov_buf_add_byte(&out, bytes.data[i]);
    }
    put_file(p, path, sov_buf_bytes(&out), 0644);
    sov_buf_release(&out);
}

static void damage(struct publishing *p, const struct row *row)
{
    const char *path = text_of(p, "governance/%s", row->path);
    const char *full = at_path(p, path);
    struct sov_bytes bytes;

    switch (row->damage) {
    case EDIT:
        edit(p, path, row->from, row->to);
        break;
    case APPEND:
        bytes = file_of(p, path);
        put_text(p, path,
                 sov_arena_printf(&p->j.f.arena, "%.*s%s", (int)bytes.size,
                                  (const char *)bytes.data, row->from));
        break;
    case CUT:
        assert_int_equal(truncate(full, (off_t)file_of(p, path).size - 1), 0);
        break;
    case REMOVE:
        assert_int_equal(unlink(full), 0);
        break;
    case COPY:
        put_file(p, text_of(p, "governance/%s", row->from), file_of(p, path), 0644);
        break;
    case LINK:
        assert_int_equal(rename(full, at_path(p, "aside")), 0);
        assert_int_equal(symlink(at_path(p, "aside"), full), 0);
        break;
    case CRLF:
        end_in_crlf(p, path);
        break;
    case MODE:
        assert_int_equal(chmod(full, (mode_t)strtol(row->from, NULL, 8)), 0);
        break;
    }
}

static enum sov_exit exit_of(const char *list)
{
    return strncmp(list, "DRIFT", 5) == 0 ? SOV_NO : *list ? SOV_INTEGRITY : SOV_OK;
}

static void each_damage_is_found_by_class_place_and_line(void **state)
{
    struct publishing *p = *state;

    copy_tree(p, "governance", "whole");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_report report;
        const char *list;

        damage(p, &rows[i]);
        report = judged(p, asked, rows[i].views);
        list = list_of(p, &report);
        if (!strstr(list, rows[i].expected) || (!*rows[i].expected && *list) ||
            report.exit != exit_of(rows[i].expected))
            fail_msg("row %zu, %s: %d %s", i, rows[i].expected, report.exit, list);
        remove_at(p, "governance");
        remove_at(p, "aside");
        copy_tree(p, "whole", "governance");
    }
    remove_at(p, "whole");
}

/* Whoever else reads an event that is none names its seq, never the log's first one. */
static void a_broken_event_is_named_by_its_own_seq(void **state)
{
    struct publishing *p = *state;
    const char *path = text_of(p, "governance/log/LOG");
    struct sov_bytes log = file_of(p, path);
    int64_t seq = 1, tried = 0;

    for (size_t at = 0; at < log.size; at++) {
        bool ends = log.data[at] == '}' && (at + 1 == log.size || log.data[at + 1] == '\n');
        struct sov_report report;
        uint8_t *bad;

        if (ends && seq > 1) {
            bad = sov_arena_array(&p->j.f.arena, log.size, 1);
            memcpy(bad, log.data, log.size);
            bad[at] = ')';
            put_file(p, path, sov_bytes(bad, log.size), 0644);
            report = judged(p, asked, true);
            if (report.first_bad_seq != seq || report.exit != SOV_INTEGRITY)
                fail_msg("event %lld: %s", (long long)seq, list_of(p, &report));
            tried++;
        }
        if (log.data[at] == '\n') seq++;
    }
    put_file(p, path, log, 0644);
    assert_true(tried > 10);
}

/* Who reads state from a clone gets none from a log that is wrong. */
static void a_reader_gets_nothing_from_a_damaged_log(void **state)
{
    struct publishing *p = *state;
    struct sov_ledger *ledger = NULL;
    struct sov_error err = { 0 };
    struct sov_clone clone;

    copy_tree(p, "governance", "whole");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool ok;

        damage(p, &rows[i]);
        ok =
            sov_clone_open(&p->repo, &p->j.f.seams, p->j.f.keys, NULL, NULL, &ledger, &clone, &err);
        if (ok != rows[i].views) fail_msg("row %zu, %s: %s", i, rows[i].expected, err.what);
        sov_ledger_end(&ledger);
        remove_at(p, "governance");
        remove_at(p, "aside");
        copy_tree(p, "whole", "governance");
    }
    remove_at(p, "whole");
}

static void overlapping_segments_hold_the_same_octets_or_are_a_fork(void **state)
{
    struct publishing *p = *state;
    long long head = fixture_head(&p->j.f);
    struct sov_error err = { 0 };
    struct sov_listing names;
    struct sov_report report;
    struct sov_buf all;

    assert_true(sov_folder_names(&p->repo, "governance/log", 100, &p->j.f.arena, &names, &err));
    assert_int_equal(names.count, 3);
    sov_buf_init(&all, 64 << 20);
    /* By name "1-..." is the first; the other two in order of their numbers. */
    sov_buf_add(&all, file_of(p, text_of(p, "governance/log/%s", names.name[0])));
    sov_buf_add(&all, file_of(p, text_of(p, "governance/log/%s", names.name[1])));
    sov_buf_add(&all, file_of(p, text_of(p, "governance/log/%s", names.name[2])));
    put_file(p, text_of(p, "governance/log/1-%lld.jsonl", head), sov_buf_bytes(&all), 0644);
    sov_buf_release(&all);
    report = judged(p, asked, true);
    assert_string_equal(list_of(p, &report), "");
    edit(p, text_of(p, "governance/log/1-%lld.jsonl", head), "\"seq\":2,", "\"seq\":3,");
    report = judged(p, asked, false);
    assert_string_equal(list_of(p, &report),
                        text_of(p, "FORK differs 2 governance/log/1-%lld.jsonl:2", head));
}

static void segments_behind_the_newest_checkpoint_are_not_read(void **state)
{
    struct publishing *p = *state;
    long long head = fixture_head(&p->j.f);
    struct sov_report report;

    put_text(p, text_of(p, "governance/log/%lld-%lld.jsonl", head + 1, head + 2), "x\n");
    report = judged(p, asked, false);
    assert_string_equal(list_of(p, &report), "");
    assert_non_null(strstr(report.notes[0], "behind the newest checkpoint"));
    report = judged(p, asked, true);
    assert_string_equal(list_of(p, &report),
                        text_of(p,
                                "DRIFT interrupted 0 governance:0, "
                                "DRIFT extra 0 governance/log/%lld-%lld.jsonl:0",
                                head + 1, head + 2));
}

/* Signed by the ledger's own key, chained, and still not what any operation would have appended. */
static void a_signed_log_that_breaks_a_rule_is_found(void **state)
{
    struct publishing *p = *state;
    struct sov_report report;
    int64_t head = fixture_head(&p->j.f);

    judging_forge(&p->j, "operator", SOV_EVENT_OUTCOME_BLOCKED, SOV_STREAM_OUTCOME,
                  judging_outcome(&p->j, "SKU-TEA"), 0, "{\"reason\":\"x\"}");
    publish(p);
    report = judged(p, asked, false);
    assert_int_equal(report.exit, SOV_INTEGRITY);
    assert_int_equal(report.findings[0].class, SOV_CLASS_TAMPER);
    assert_true(report.findings[0].seq > head);
}

/* ---- anchors ---- */

static struct sov_report anchored(struct publishing *p, struct sov_bytes note)
{
    struct sov_known_note known = { "NOTE", note };
    struct sov_verify_options options = asked;

    options.no_anchor = false;
    options.notes = &known;
    options.note_count = 1;
    return judged(p, options, false);
}

static void a_checkpoint_that_was_kept_elsewhere_vouches(void **state)
{
    struct publishing *p = *state;
    struct sov_bytes note = file_of(p, "governance/checkpoints/NOTE");
    struct sov_report report = anchored(p, note);
    int64_t head = fixture_head(&p->j.f);

    assert_int_equal(report.exit, SOV_OK);
    assert_int_equal(report.count, 0);
    assert_string_equal(report.anchors[0].kind, "checkpoint");
    assert_int_equal(report.unanchored_tail, 0);
    judging_outcome(&p->j, "SKU-TEA");
    publish(p);
    report = anchored(p, note);
    assert_int_equal(report.exit, SOV_OK);
    assert_int_equal(report.unanchored_tail, fixture_head(&p->j.f) - head);
}

static void one_of_another_history_is_a_fork_and_one_ahead_a_rollback(void **state)
{
    struct publishing *p = *state;
    struct sov_bytes before = ledger_octets(p), other;
    struct sov_report report;

    copy_tree(p, "governance", "whole");
    judging_outcome(&p->j, "SKU-TEA");
    publish(p);
    other = file_of(p, "governance/checkpoints/NOTE");
    remove_at(p, "governance");
    copy_tree(p, "whole", "governance");
    report = anchored(p, other);
    assert_int_equal(report.findings[0].class, SOV_CLASS_ROLLBACK);
    assert_int_equal(report.exit, SOV_INTEGRITY);
    ledger_put_back(p, before);
    fixture_tick(&p->j.f, 5000);
    judging_outcome(&p->j, "SKU-TEA");
    publish(p);
    report = anchored(p, other);
    assert_int_equal(report.findings[0].class, SOV_CLASS_FORK);
    assert_int_equal(report.exit, SOV_INTEGRITY);
    remove_at(p, "whole");
}

enum unread { LARGE, LINKED, FOLDER, ALL_A_FILE, ALL_A_LINK, PIN };
static void lay(struct publishing *p, enum unread what)
{
    static const uint8_t zeros[SOV_NOTE_SIZE_MAX + 1] = { 0 };
    struct sov_identity identity;
    char hex[SOV_HEX_HASH + 1];

    switch (what) {
    case LARGE:
        put_file(p, "governance/cosigned/9", sov_bytes(zeros, sizeof zeros), 0644);
        break;
    case LINKED:
        link_at(p, "governance/cosigned/9", "10");
        break;
    case FOLDER:
        folder_at(p, "governance/cosigned/9");
        break;
    case ALL_A_FILE:
        put_text(p, "governance/cosigned", "x");
        break;
    case ALL_A_LINK:
        link_at(p, "governance/cosigned", ".");
        break;
    case PIN:
        sov_ledger_identity(p->j.f.ledger, &identity);
        sov_hex(sov_hash_bytes(&identity.id), hex);
        folder_at(p, "pins");
        put_text(p, text_of(p, "pins/%s", hex), "x");
        break;
    }
}

static void expect_cosigned(struct publishing *p, struct sov_bytes note, const char *found)
{
    static const struct sov_trust nobody = { .nobody = true };
    struct sov_verify_options options = asked;
    struct sov_report report;
    const char *list;

    options.published = false;
    options.witnesses = &nobody;
    folder_at(p, "governance/cosigned");
    put_file(p, "governance/cosigned/9", note, 0644);
    report = judged(p, options, false);
    list = list_of(p, &report);
    if (!strstr(list, found)) fail_msg("%s", list);
    remove_at(p, "governance/cosigned");
}

static void what_cannot_be_read_among_the_anchors_hides_no_fork(void **state)
{
    static const struct {
        enum unread what;
        const char *at; /* NULL: no finding, the step says that it could not */
    } unread[] = { { LARGE, "/9:1" },    { LINKED, "/9:1" },   { FOLDER, "/9:1" },
                   { ALL_A_FILE, ":1" }, { ALL_A_LINK, ":1" }, { PIN, NULL } };
    static const struct sov_trust nobody = { .nobody = true };
    struct publishing *p = *state;
    struct sov_bytes before = ledger_octets(p);
    struct sov_known_note notes[2] = { { "NEW", { 0 } }, { "OTHER", { 0 } } };
    struct sov_verify_options options = asked;

    copy_tree(p, "governance", "whole");
    judging_outcome(&p->j, "SKU-TEA");
    publish(p);
    notes[1].octets = file_of(p, "governance/checkpoints/NOTE");
    remove_at(p, "governance");
    copy_tree(p, "whole", "governance");
    ledger_put_back(p, before);
    fixture_tick(&p->j.f, 5000);
    for (int i = 0; i < 2; i++) {
        judging_outcome(&p->j, "SKU-TEA");
        publish(p);
    }
    notes[0].octets = file_of(p, "governance/checkpoints/NOTE");
    options.published = false;
    options.witnesses = &nobody;
    options.notes = notes;
    options.note_count = 2;
    options.pins = at_path(p, "pins");
    for (size_t row = 0; row < sizeof unread / sizeof *unread; row++) {
        struct sov_report report;
        const char *list, *cosigned = "", *at = unread[row].at;

        if (at && *at == '/') folder_at(p, "governance/cosigned");
        lay(p, unread[row].what);
        report = judged(p, options, false);
        list = list_of(p, &report);
        if (at) cosigned = text_of(p, "TAMPER cosigned 0 governance/cosigned%s", at);
        if (!strstr(list, "FORK checkpoint ") || !strstr(list, cosigned) ||
            report.exit != SOV_INTEGRITY)
            fail_msg("row %zu: %d %s", row, report.exit, list);
        assert_int_equal(report.steps[SOV_STEP_ANCHORS].result == SOV_STEP_UNABLE, !at);
        if (is_there(p, "governance/cosigned")) remove_at(p, "governance/cosigned");
    }
    remove_at(p, "whole");
    remove_at(p, "pins");
    expect_cosigned(p, sov_bytes_text("x\n"), "TAMPER cosigned 0 governance/cosigned/9");
}

static void one_that_is_none_is_no_anchor_but_a_finding(void **state)
{
    struct publishing *p = *state;
    struct sov_report report = anchored(p, sov_bytes_text("example.org/x\n1\n\n"));

    assert_int_equal(report.exit, SOV_INTEGRITY);
    assert_string_equal(report.findings[0].kind, "checkpoint");
    report = anchored(p, sov_bytes_text(""));
    assert_int_equal(report.exit, SOV_INTEGRITY);
    assert_string_equal(report.findings[0].kind, "checkpoint");
}

static void a_pin_ahead_of_a_clone_is_a_note_and_of_a_ledger_a_rollback(void **state)
{
    struct publishing *p = *state;
    struct sov_verify_options options = asked;
    struct sov_error err = { 0 };
    struct sov_pin pin = { .size = fixture_head(&p->j.f) + 5 };
    struct sov_identity identity;
    struct sov_report report;

    sov_ledger_identity(p->j.f.ledger, &identity);
    pin.ledger_id = identity.id;
    options.pins = text_of(p, "%s/pins", p->j.f.root);
    assert_true(sov_pin_move(options.pins, &pin, &err));
    report = judged(p, options, true);
    assert_string_equal(list_of(p, &report), "");
    assert_int_equal(report.exit, SOV_OK);
    assert_string_equal(report.identity, "pinned");
    options.fresh = true;
    report = judged(p, options, true);
    assert_string_equal(list_of(p, &report), "DRIFT behind 0 governance:0");
    options.published = false;
    report = judged(p, options, false);
    assert_int_equal(report.findings[0].class, SOV_CLASS_ROLLBACK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, publishing_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_clone_is_judged_as_its_ledger_is),
        TEST(without_a_ledger_file_it_is_the_clone_that_is_judged),
        TEST(nothing_published_is_absent),
        TEST(each_damage_is_found_by_class_place_and_line),
        TEST(a_broken_event_is_named_by_its_own_seq),
        TEST(a_reader_gets_nothing_from_a_damaged_log),
        TEST(overlapping_segments_hold_the_same_octets_or_are_a_fork),
        TEST(segments_behind_the_newest_checkpoint_are_not_read),
        TEST(a_signed_log_that_breaks_a_rule_is_found),
        TEST(a_checkpoint_that_was_kept_elsewhere_vouches),
        TEST(one_of_another_history_is_a_fork_and_one_ahead_a_rollback),
        TEST(what_cannot_be_read_among_the_anchors_hides_no_fork),
        TEST(one_that_is_none_is_no_anchor_but_a_finding),
        TEST(a_pin_ahead_of_a_clone_is_a_note_and_of_a_ledger_a_rollback),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
