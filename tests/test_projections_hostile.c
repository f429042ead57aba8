/* Text from outside in every field that has room for it: no page gets another outline by it. */
#include "tests/judgement_fixture.h"

#include "tests/unit.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/markdown.h"
#include "base/text.h"
#include "tests/report_unit.h"

/* Each at most 200 octets, so that it fits where a title does. */
static const char *const texts[] = {
    "# not a heading\n\n- not an item\n\n| a | b |\n| - | - |\n\n```\nfence\n```\n***\n> quote",
    "`` ` ``` ~~~ **x** _y_ [l](http://x) ![i](http://x) <b>h</b> <!-- c --> &amp; &#35; \\ ",
    "@everyone #12 GH-12 a/b#12 [[wiki]] http://evil.example www.x.y me@x.y !3 ##vso[x] ##[y]",
    "\xe2\x80\xae"
    "desrever \xe2\x80\x8b zero \x1b[31m red \x7f del \xf3\xa0\x81\x81 tag \xef\xbb\xbf bom",
    "\"] --> n9[\"evil\"]\n  click n1 \"http://x\"\nend;%%{init}%%<br/>#quot;",
    "a | b \\| c || d `e|f` g&#124;h",
    "\n\n    indented\n\tcode\r\nLast event: 999 \xc2\xb7 renderer 1 \xc2\xb7 "
    "sha256:000000000000\n",
    "---\ntitle: x\n---\n1. one\n2) two\n+ plus\nSetext\n===\n\nTerm\n: definition[^1]\n\n[^1]: "
    "note",
    "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81 \xea\x9c\xb0 \xee\x80\x80 $x^2$ $$y$$ "
    ":smile: ~~no~~ ==m==",
    "<script>alert(1)</script><details open><summary>s</summary></details><img src=x onerror=y>",
};
enum { TEXTS = sizeof texts / sizeof *texts };

static void must(bool ok, const struct sov_error *err)
{
    if (!ok) fail_msg("%s: %s", err->code, err->what);
}

static const char *cut(struct judging *j, const char *text, size_t size_max)
{
    struct sov_bytes bytes = sov_bytes_text(text);

    if (bytes.size > size_max) bytes.size = size_max;
    while (bytes.size && !sov_text_is_utf8(bytes)) bytes.size--;
    return sov_arena_text(&j->f.arena, bytes);
}

/* What a safe path may hold of it. */
static const char *path_of(struct judging *j, size_t n)
{
    static const char *const paths[] = {
        "a|b", "`x`", "<b>", "[l](x)", "&amp;", "@a", "#12", "**s**", "\xc3\xa9t\xc3\xa9", "a\"b"
    };

    return sov_arena_printf(&j->f.arena, "out/%s", paths[n % 10]);
}

static struct sov_bytes checks_of(struct judging *j, size_t n)
{
    struct sov_buf out;
    struct sov_writer w;
    struct sov_bytes octets;

    sov_buf_init(&out, 1 << 16);
    sov_writer_init(&w, &out);
    sov_write_list(&w);
    sov_write_object(&w);
    sov_put_text(&w, "id", "the_first.check");
    sov_put_text(&w, "kind", "command");
    sov_put_object(&w, "params");
    sov_put_list(&w, "argv");
    sov_write_text(&w, sov_bytes_text("/bin/echo"));
    sov_write_text(&w, sov_bytes_text(texts[n]));
    sov_write_end(&w);
    sov_write_end(&w);
    sov_write_end(&w);
    sov_write_end(&w);
    octets = sov_arena_bytes(&j->f.arena, sov_buf_bytes(&out));
    sov_buf_release(&out);
    return octets;
}

static int64_t hostile_outcome(struct judging *j, size_t n)
{
    struct sov_outcome_request request = { .title = cut(j, texts[n], 200),
                                           .desired_state = texts[n],
                                           .subject = cut(j, texts[n], 200),
                                           .checks = checks_of(j, n),
                                           .reason = texts[n] };
    int64_t outcome;

    FIXTURE_DO(&j->f, "principal", j->done, sov_outcome_define(&commit, &request, &j->done, &err));
    outcome = sov_id_number(sov_bytes_text(j->done.id), SOV_STREAM_OUTCOME);
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_outcome_revise(&commit, outcome, &request, &j->done, &err));
    FIXTURE_DO(&j->f, "master", j->done, sov_outcome_activate(&commit, outcome, &j->done, &err));
    FIXTURE_DO(&j->f, "master", j->done,
               sov_outcome_block(&commit, outcome, texts[n], &j->done, &err));
    FIXTURE_DO(&j->f, "master", j->done,
               sov_outcome_unblock(&commit, outcome, texts[n], &j->done, &err));
    return outcome;
}

static int64_t hostile_sow(struct judging *j, int64_t outcome, size_t n)
{
    const char *path = path_of(j, n);
    struct sov_sow_request request = { .outcome = outcome,
                                       .title = cut(j, texts[n], 200),
                                       .scope = texts[n],
                                       .role = "operator",
                                       .done_when = texts[n],
                                       .deliverables = &path,
                                       .deliverable_count = 1,
                                       .non_goals = &texts[n],
                                       .non_goal_count = 1,
                                       .reason = texts[n] };
    int64_t sow;

    FIXTURE_DO(&j->f, "master", j->done, sov_sow_create(&commit, &request, &j->done, &err));
    sow = sov_id_number(sov_bytes_text(j->done.id), SOV_STREAM_SOW);
    FIXTURE_DO(&j->f, "master", j->done, sov_sow_revise(&commit, sow, &request, &j->done, &err));
    FIXTURE_DO(&j->f, "master", j->done, sov_sow_ready(&commit, sow, &j->done, &err));
    return sow;
}

/* A run that proposes and reports what it likes. */
static void hostile_run(struct judging *j, int64_t assignment, size_t n)
{
    struct sov_who who = { .machine = "m", .boot = "b", .pid = 1 };
    struct sov_proposal proposal = { cut(j, texts[n], 64), cut(j, texts[n], 200), NULL, true, 1 };
    struct sov_run_file file = { path_of(j, n), sov_bytes_text(texts[n]) };
    struct sov_run_start start = { .assignment = assignment,
                                   .provider = "scripted",
                                   .adapter = "scripted",
                                   .adapter_version = 1,
                                   .egress = "public",
                                   .sandbox = "none",
                                   .model = cut(j, texts[n], 128) };
    struct sov_run_finish finish = { .assignment = assignment,
                                     .message = texts[n],
                                     .model = cut(j, texts[n], 128),
                                     .ended_by = "self",
                                     .proposals = { &proposal, n % 2 },
                                     .files = &file,
                                     .file_count = 1,
                                     .has_report = true,
                                     .report = sov_bytes_text(texts[n]) };
    struct sov_run_end end = { 0 };

    FIXTURE_DO(&j->f, "operator", j->done,
               sov_claim_acquire(&commit, assignment, 0, &who, &start.fence, &j->done, &err));
    finish.fence = start.fence;
    finish.observed.report = SOV_REPORT_COMPLETED;
    FIXTURE_DO(&j->f, "operator", j->done, sov_run_start(&commit, &start, &j->done, &err));
    FIXTURE_DO(&j->f, "operator", j->done, sov_run_finish(&commit, &finish, &j->done, &end, &err));
}

static void hostile_review(struct judging *j, int64_t sow, size_t n)
{
    struct sov_review_request request = { .sow = sow,
                                          .decision = SOV_REVIEW_REJECTED,
                                          .rationale = texts[n] };
    struct sov_review_prepared prepared;
    struct sov_signed_by by;
    struct sov_error why = { 0 };

    must(sov_review_prepare(j->f.ledger, "sparring", &request, &j->f.arena, &prepared, &why), &why);
    must(sov_statement_sign(j->f.ledger, "sparring", NULL, SOV_REVIEW_TAG, prepared.statement, &by,
                            &why),
         &why);
    FIXTURE_DO(&j->f, "sparring", j->done,
               sov_review_decide(&commit, &prepared, &by, &j->done, &err));
}

static void hostile_ruling(struct judging *j, size_t n)
{
    struct sov_ruling_request request = { texts[n], texts[n], texts[n], "OUT-1", NULL, 0 };
    struct sov_bytes statement;
    struct sov_signed_by by;
    struct sov_error why = { 0 };

    must(sov_ruling_statement(j->f.ledger, &request, &j->f.arena, &statement, &why), &why);
    must(sov_statement_sign(j->f.ledger, "principal", NULL, SOV_RULING_TAG, statement, &by, &why),
         &why);
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_ruling_decide(&commit, &request, &by, &j->done, &err));
}

static void everything_once(struct judging *j, size_t n)
{
    struct sov_inspection inspection = { "irrelevant", texts[n] };
    int64_t outcome = hostile_outcome(j, n), sow = hostile_sow(j, outcome, n), other;
    const char *actor = sov_arena_printf(&j->f.arena, "a%zu_b.c-d", n);
    int64_t assignment = judging_assign(j, sow, "operator");

    FIXTURE_DO(&j->f, "master", j->done,
               sov_assignment_cancel(&commit, assignment, texts[n], &j->done, &err));
    hostile_run(j, judging_assign(j, sow, "operator"), n);
    if (judging_sow_state(j, sow) == SOV_SOW_REVIEW) {
        judging_verify(j, "verifier", sow, 0, false, NULL);
        hostile_review(j, sow, n);
    }
    FIXTURE_DO(&j->f, "master", j->done,
               sov_sow_retry(&commit, sow, texts[n], &inspection, &j->done, &err));
    other = hostile_sow(j, outcome, n);
    FIXTURE_DO(&j->f, "master", j->done,
               sov_sow_supersede(&commit, sow, other, texts[n], &j->done, &err));
    hostile_ruling(j, n);
    judging_actor(j, actor, "person", "operator", NULL);
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_actor_change(&commit, actor, SOV_ACTOR_SUSPEND, texts[n], &j->done, &err));
}

/* The judge of a page was asked while it was rendered; this one shares nothing with the writer. */
static void page_is_harmless(struct judging *j, const struct sov_document *document)
{
    static const char *const never[] = { "html",  "image ",   "emph", "break", "active",
                                         "quote", "indented", "rule", NULL };
    const char *lines;
    struct sov_buf outline;
    struct sov_error err = { 0 };

    sov_buf_init(&outline, 8 << 20);
    must(sov_markdown_outline(document->bytes, &outline, &err), &err);
    lines = sov_arena_text(&j->f.arena, sov_buf_bytes(&outline));
    sov_buf_release(&outline);
    for (const char *at = lines; *at; at += strcspn(at, "\n"), at += *at == '\n')
        for (size_t i = 0; never[i]; i++)
            if (strncmp(at, never[i], strlen(never[i])) == 0)
                fail_msg("%s: %.*s", document->path, (int)strcspn(at, "\n"), at);
    lines = sov_arena_text(&j->f.arena, document->bytes);
    assert_null(strstr(strstr(lines, "\nLast event: ") + 1, "\nLast event: "));
    assert_null(strstr(lines, "evil.example)"));
}

static void facts_are_json(struct judging *j, const struct sov_document *document)
{
    struct sov_scan_rules rules = { 64 << 20, 16, false };
    struct sov_buf canonical;
    struct sov_error err = { 0 };
    uint32_t point;

    sov_buf_init(&canonical, 64 << 20);
    must(sov_scan(document->bytes, &rules, &err), &err);
    must(sov_json_canonical(document->bytes, &rules, &canonical, &err), &err);
    must(sov_scan_canonical(sov_buf_bytes(&canonical), &rules, &err), &err);
    sov_buf_release(&canonical);
    for (size_t at = 0, size; at < document->bytes.size; at += size) {
        size = sov_text_decode(document->bytes, at, &point);
        assert_true(size > 0);
        if (point != '\n' && sov_text_is_active(point))
            fail_msg("%s: U+%04X is there as it is", document->path, point);
    }
    (void)j;
}

static void no_text_changes_what_a_page_is(void **state)
{
    struct sov_documents tree;
    struct sov_error why = { 0 };
    struct judging j;

    (void)state;
    judging_open(&j);
    for (size_t n = 0; n < TEXTS; n++) everything_once(&j, n);
    must(sov_tree_render(j.f.ledger, &j.f.arena, &tree, &why), &why);
    assert_true(tree.count > TEXTS * 6);
    for (size_t i = 0; i < tree.count; i++) {
        const char *dot = strrchr(tree.at[i].path, '.');

        if (strcmp(dot, ".md") == 0) page_is_harmless(&j, &tree.at[i]);
        if (strcmp(dot, ".json") == 0) facts_are_json(&j, &tree.at[i]);
    }
    assert_non_null(strstr(report_of(j.f.ledger, NULL, &j.f.arena), "id=\"checkpoint\""));
    judging_close(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(no_text_changes_what_a_page_is) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
