/*
 * Views over a history that has most of what can happen: after each act the pages are those of a
 * fold to that size, and only those differ that the new events touch. At its end they are the
 * golden ones of fixtures/views (written anew where SOV_GOLDEN is set).
 */
#include "tests/judgement_fixture.h"

#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/report_unit.h"

struct history {
    struct judging j;
    struct sov_documents tree; /* as of the last look */
    int64_t size, out1, sow1, sow2, sow3, out2;
};

static void must(bool ok, const struct sov_error *err)
{
    if (!ok) fail_msg("%s: %s", err->code, err->what);
}

static const struct sov_document *find(const struct sov_documents *tree, const char *path)
{
    for (size_t i = 0; i < tree->count; i++)
        if (strcmp(tree->at[i].path, path) == 0) return &tree->at[i];
    return NULL;
}

static struct sov_documents render(struct history *h, const struct sov_ledger *ledger)
{
    struct sov_documents tree;
    struct sov_error err = { 0 };

    must(sov_tree_render(ledger, &h->j.f.arena, &tree, &err), &err);
    return tree;
}

/* ---- what must hold after each act ---- */

static void same_as_folded(struct history *h, const struct sov_documents *live, int64_t size)
{
    struct sov_ledger *folded;
    struct sov_documents again;
    struct sov_error err = { 0 };

    must(sov_ledger_fold_to(h->j.f.ledger, size, &folded, &err), &err);
    again = render(h, folded);
    sov_ledger_close(folded);
    assert_int_equal(again.count, live->count);
    for (size_t i = 0; i < live->count; i++) {
        assert_string_equal(again.at[i].path, live->at[i].path);
        assert_true(sov_bytes_equal(again.at[i].bytes, live->at[i].bytes));
        assert_true(sov_fingerprint_equal(again.at[i].fingerprint, live->at[i].fingerprint));
    }
}

/* The newest event of a window that touches the view at this path; 0: none. */
static int64_t touched_at(struct history *h, int64_t from, int64_t to, const char *path)
{
    int64_t newest = 0;

    for (int64_t seq = from; seq <= to; seq++) {
        struct sov_views touched;
        struct sov_event event;
        struct sov_error err = { 0 };

        must(sov_log_event(h->j.f.ledger, seq, &h->j.f.arena, &event, &err), &err);
        must(sov_view_touched(h->j.f.ledger, &event, &h->j.f.arena, &touched, &err), &err);
        for (size_t i = 0; i < touched.count; i++)
            if (strcmp(sov_view_path(&touched.at[i], false, &h->j.f.arena), path) == 0 ||
                strcmp(sov_view_path(&touched.at[i], true, &h->j.f.arena), path) == 0)
                newest = seq;
    }
    return newest;
}

/* A page changes if and only if its last event does, and then an event of the window touched it. */
static void changed_as_touched(struct history *h, const struct sov_documents *now, int64_t size)
{
    for (size_t i = 0; i < now->count; i++) {
        const struct sov_document *document = &now->at[i], *before = find(&h->tree, document->path);
        bool same = before && sov_bytes_equal(before->bytes, document->bytes);
        bool same_event = before && before->last_event == document->last_event;
        int64_t touched = touched_at(h, h->size + 1, size, document->path);

        if (same != same_event) fail_msg("%s: bytes and last event disagree", document->path);
        if ((!same || touched) && document->last_event != touched && document->last_event)
            fail_msg("%s changed by event %lld, touched by %lld", document->path,
                     (long long)document->last_event, (long long)touched);
    }
    assert_true(now->count >= h->tree.count);
}

static void step(struct history *h)
{
    int64_t size = fixture_head(&h->j.f);
    struct sov_documents now = render(h, h->j.f.ledger);

    same_as_folded(h, &now, size);
    changed_as_touched(h, &now, size);
    h->tree = now;
    h->size = size;
    fixture_tick(&h->j.f, 61000);
}

#define ACT(h, who, operation)                                                                     \
    do {                                                                                           \
        FIXTURE_DO(&(h)->j.f, who, (h)->j.done, operation);                                        \
        step(h);                                                                                   \
    } while (0)

/* ---- the history ---- */

static void first_round(struct history *h)
{
    struct judging *j = &h->j;
    struct judging_run run = { .path = "report.json", .content = "{\"ordered\":0}" };

    h->out1 = judging_outcome(j, "SKU-TEA");
    step(h);
    h->sow1 = judging_sow(j, h->out1, "replenishment", "report.json");
    step(h);
    judging_run(j, judging_assign(j, h->sow1, "operator"), "operator", &run);
    step(h);
    j->fails[1] = true;
    judging_verify(j, "verifier", h->sow1, 0, false, NULL);
    step(h);
    judging_review(j, "sparring", h->sow1, SOV_REVIEW_CHANGES_REQUESTED, NULL);
    step(h);
}

static void second_round(struct history *h)
{
    struct judging *j = &h->j;
    struct judging_run run = {
        .path = "report.json", .content = "{\"ordered\":6}", .quantity = 6, .violated = true
    };
    int64_t receipt, ruling;

    receipt = judging_run(j, judging_assign(j, h->sow1, "operator"), "operator", &run);
    step(h);
    j->fails[1] = false;
    judging_verify(j, "verifier", h->sow1, 0, false, NULL);
    step(h);
    ruling = judging_rule(j, "principal", SOV_RULING_HOLD, "SOW-1", 0, NULL);
    step(h);
    judging_revoke(j, "principal", ruling, NULL);
    step(h);
    judging_rule(j, "principal", SOV_RULING_WAIVE, "SOW-1", receipt, NULL);
    step(h);
    judging_review(j, "sparring", h->sow1, SOV_REVIEW_ACCEPTED, NULL);
    step(h);
    judging_verify(j, "verifier", 0, h->out1, false, NULL);
    step(h);
    judging_accept(j, "principal", h->out1, NULL, NULL);
    step(h);
}

/* A sale empties the shelf; the recheck fails, the pulse reopens and orders work. */
static void second_term(struct history *h)
{
    struct judging *j = &h->j;
    struct sov_change_request sale = { "sale", "SKU-TEA", "till", 8, NULL, NULL };
    struct sov_pulse_options all = { 0 };
    struct sov_pulseds pulsed;
    struct sov_error why = { 0 };

    ACT(h, "operator", sov_change_record(&commit, &sale, &j->done, &err));
    j->fails[1] = true;
    judging_verify(j, "verifier", 0, h->out1, true, NULL);
    step(h);
    must(sov_pulse(j->f.ledger, &all, &j->f.arena, &pulsed, &why), &why);
    step(h);
    h->sow2 = h->sow1 + 1;
}

static int64_t claim(struct history *h, int64_t assignment)
{
    struct judging *j = &h->j;
    int64_t fence = 0;

    FIXTURE_DO(&j->f, "operator", j->done,
               sov_claim_acquire(&commit, assignment, 0,
                                 &(struct sov_who){ .machine = "m", .boot = "b", .pid = 1 }, &fence,
                                 &j->done, &err));
    step(h);
    return fence;
}

static void many_ways_to_fail(struct history *h)
{
    struct judging *j = &h->j;
    struct sov_who who = { .machine = "m", .boot = "b", .pid = 1 };
    struct judging_run failed = { .failed = true };
    struct sov_inspection inspection = { "did_not_happen", "nothing was ordered" };
    int64_t assignment = h->sow1 + 2, fence, sow = h->sow2;

    fence = claim(h, assignment);
    ACT(h, "operator", sov_claim_renew(&commit, assignment, fence, 0, &who, &j->done, &err));
    ACT(h, "operator", sov_claim_release(&commit, assignment, fence, "not now", &j->done, &err));
    judging_run(j, assignment, "operator", &failed);
    step(h);
    ACT(h, "master", sov_sow_retry(&commit, sow, "again", &inspection, &j->done, &err));
    assignment = judging_assign(j, sow, "operator");
    step(h);
    ACT(h, "master", sov_assignment_cancel(&commit, assignment, "another way", &j->done, &err));
    h->sow3 = judging_sow(j, h->out1, NULL, NULL);
    step(h);
    ACT(h, "master", sov_sow_supersede(&commit, sow, h->sow3, "simpler", &j->done, &err));
    ACT(h, "master", sov_outcome_block(&commit, h->out1, "the shop is closed", &j->done, &err));
    ACT(h, "master", sov_outcome_unblock(&commit, h->out1, "it is open", &j->done, &err));
}

static void other_pages(struct history *h)
{
    struct judging *j = &h->j;
    struct sov_hash blob = sov_sha256(sov_bytes_text("{\"ordered\":0}"));
    struct sov_outcome_request proposed = {
        .title = "Coffee too",
        .desired_state = "as with tea",
        .checks = sov_bytes_text("[{\"id\":\"there\",\"kind\":\"file-exists\",\"params\":"
                                 "{\"path\":\"coffee\"}}]"),
        .reason = "said better",
    };

    judging_actor(j, "auditor.two", "person", "principal", "principal");
    step(h);
    ACT(h, "principal",
        sov_actor_change(&commit, "auditor.two", SOV_ACTOR_SUSPEND, "on leave", &j->done, &err));
    ACT(h, "principal", sov_key_rotate(&commit, "principal", "yearly", NULL, &j->done, &err));
    judging_policy(j, "\"min\":1", "\"min\":2");
    step(h);
    judging_rule(j, "principal", SOV_RULING_NONE, "OUT-1", 0, NULL);
    step(h);
    ACT(h, "principal", sov_blob_erase(&commit, &blob, "private", &j->done, &err));
    h->out2 = judging_outcome(j, NULL);
    step(h);
    judging_work(j, h->out2);
    step(h);
    ACT(h, "principal", sov_outcome_cancel(&commit, h->out2, "no need", h->out1, &j->done, &err));
    ACT(h, "principal", sov_outcome_define(&commit, &proposed, &j->done, &err));
    ACT(h, "principal", sov_outcome_revise(&commit, h->out2 + 1, &proposed, &j->done, &err));
}

/* Asked for, denied, taken back, and used by an effect. */
static void approvals(struct history *h)
{
    struct judging *j = &h->j;
    struct judging_run run = { .quantity = 6 };
    int64_t sow, assignment;

    judging_policy(j, "\"kind\":\"replenishment\",\"origin\"",
                   "\"approval\":true,\"kind\":\"replenishment\",\"origin\"");
    step(h);
    sow = judging_sow(j, h->out1, "replenishment", NULL);
    assignment = judging_assign(j, sow, "operator");
    step(h);
    judging_ask(j, "operator", assignment, 6);
    step(h);
    judging_ask(j, "operator", assignment, 50);
    step(h);
    judging_vote(j, "principal", 2, false, NULL);
    step(h);
    judging_ask(j, "master", assignment, 7);
    step(h);
    ACT(h, "master", sov_approval_revoke(&commit, 3, "six will do", &j->done, &err));
    judging_vote(j, "principal", 1, true, NULL);
    step(h);
    judging_run(j, assignment, "operator", &run);
    step(h);
    judging_ask(j, "operator", assignment, 8);
    step(h);
}

/* ---- golden pages ---- */

static void golden_write(struct history *h, const struct sov_document *document)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder here = { 0 };
    const char *path = sov_arena_printf(&h->j.f.arena, "fixtures/views/%s", document->path);
    const char *folder =
        sov_arena_printf(&h->j.f.arena, "%.*s", (int)(strrchr(path, '/') - path), path);
    struct sov_error err = { 0 };

    must(sov_folder_open(&here, ".", &err), &err);
    must(sov_folder_make(&here, folder, 0755, &err), &err);
    must(sov_file_replace(&here, path, 0644, document->bytes, &err), &err);
}

static void golden(struct history *h)
{
    for (size_t i = 0; i < h->tree.count; i++) {
        const struct sov_document *document = &h->tree.at[i];
        const char *path = sov_arena_printf(&h->j.f.arena, "fixtures/views/%s", document->path);
        struct sov_bytes kept;
        struct sov_error err = { 0 };

        if (getenv("SOV_GOLDEN")) golden_write(h, document);
        must(sov_file_read_named(path, 8 << 20, &h->j.f.arena, &kept, &err), &err);
        if (!sov_bytes_equal(kept, document->bytes)) fail_msg("%s is another one", path);
    }
}

/* The same history as a report. */
static void golden_report(struct history *h)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder here = { 0 };
    const char *text = report_of(h->j.f.ledger, NULL, &h->j.f.arena);
    struct sov_bytes kept;
    struct sov_error err = { 0 };

    must(sov_folder_open(&here, ".", &err), &err);
    if (getenv("SOV_GOLDEN"))
        must(sov_file_replace(&here, "fixtures/report.html", 0644, sov_bytes_text(text), &err),
             &err);
    must(sov_file_read_named("fixtures/report.html", 8 << 20, &h->j.f.arena, &kept, &err), &err);
    if (!sov_bytes_is(kept, text)) fail_msg("fixtures/report.html is another one");
}

static bool stands_there(struct history *h, const char *text, const char *anchor)
{
    return strstr(text, sov_arena_printf(&h->j.f.arena, "<section id=\"%s\">", anchor)) != NULL;
}

/* What is asked for, what it links to, and who they are; nothing else. */
static void part_of_it(struct history *h)
{
    static const char *const of_sow[] = { "SOW-1",        "OUT-1",          "RUL-1",
                                          "RUL-2",        "actor-operator", "actor-principal",
                                          "actor-master", "checkpoint",     NULL };
    static const char *const not_of_sow[] = { "SOW-2", "OUT-2", "RUL-3", "APR-1", "policy", NULL };
    const char *text = report_of(h->j.f.ledger, "SOW-1", &h->j.f.arena);

    for (size_t i = 0; of_sow[i]; i++)
        if (!stands_there(h, text, of_sow[i])) fail_msg("%s is not there", of_sow[i]);
    for (size_t i = 0; not_of_sow[i]; i++)
        if (stands_there(h, text, not_of_sow[i])) fail_msg("%s is there", not_of_sow[i]);
    assert_non_null(strstr(text, "sov export SOW-1 --format html"));
    assert_null(strstr(text, "href=\"#SOW-2\""));
    text = report_of(h->j.f.ledger, "OUT-1", &h->j.f.arena);
    assert_true(stands_there(h, text, "SOW-3") && stands_there(h, text, "SOW-1"));
    assert_true(stands_there(h, text, "actor-sparring") && !stands_there(h, text, "SOW-4"));
}

static void pages_follow_the_events_that_touch_them(void **state)
{
    struct history h = { .size = 0 };

    (void)state;
    judging_open(&h.j);
    step(&h);
    first_round(&h);
    second_round(&h);
    second_term(&h);
    many_ways_to_fail(&h);
    other_pages(&h);
    approvals(&h);
    golden(&h);
    golden_report(&h);
    part_of_it(&h);
    judging_close(&h.j);
}

/* ---- single facts ---- */

static struct sov_bytes page(struct judging *j, const char *id, bool json)
{
    struct sov_documents documents;
    struct sov_view view;
    struct sov_error err = { 0 };
    bool found;

    must(sov_view_find(j->f.ledger, id, &j->f.arena, &view, &found, &err), &err);
    assert_true(found);
    must(sov_view_render(j->f.ledger, &view, &j->f.arena, &documents, &err), &err);
    return documents.at[json ? 1 : 0].bytes;
}

static const char *line_of(struct judging *j, struct sov_bytes text, size_t n)
{
    const char *at = sov_arena_text(&j->f.arena, text);

    while (--n) at = strchr(at, '\n') + 1;
    return sov_arena_printf(&j->f.arena, "%.*s", (int)strcspn(at, "\n"), at);
}

static void a_view_is_found_by_its_id(void **state)
{
    static const struct {
        const char *id, *path;
    } rows[] = {
        { "OUT-1", "outcomes/OUT-1.md" },
        { "SOW-1", "sows/SOW-1.md" },
        { "operator", "actors/operator.md" },
        { "policy", "policy.md" },
        { "readme", "README.md" },
        { "OUT-2", NULL },
        { "SOW-2", NULL },
        { "RUL-1", NULL },
        { "APR-1", NULL },
        { "ASG-1", NULL },
        { "nobody", NULL },
        { "", NULL },
        { "../x", NULL },
    };
    struct judging j;

    (void)state;
    judging_open(&j);
    judging_sow(&j, judging_outcome(&j, NULL), NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_view view;
        struct sov_error err = { 0 };
        bool found;

        must(sov_view_find(j.f.ledger, rows[i].id, &j.f.arena, &view, &found, &err), &err);
        assert_int_equal(found, rows[i].path != NULL);
        if (found) assert_string_equal(sov_view_path(&view, false, &j.f.arena), rows[i].path);
    }
    judging_close(&j);
}

static void the_third_line_says_where_it_stands_and_the_last_what_was_last(void **state)
{
    struct judging j;
    struct sov_bytes text;
    struct sov_hash above;
    char hex[SOV_HEX_HASH + 1];
    const char *last;
    int64_t sow;

    (void)state;
    judging_open(&j);
    sow = judging_work(&j, judging_outcome(&j, NULL));
    assert_string_equal(line_of(&j, page(&j, "SOW-1", false), 3),
                        "**REVIEW** · open: a verification of RCP-1 · next: `sov check SOW-1`");
    j.fails[0] = true;
    judging_verify(&j, "verifier", sow, 0, false, NULL);
    assert_string_equal(line_of(&j, page(&j, "SOW-1", false), 3),
                        "**REVIEW** · ✘ failed check: first · open: "
                        "a review of VER-1 by another actor than operator · next: `sov review "
                        "SOW-1 --request-changes --reason "
                        "TEXT --actor REVIEWER`");
    assert_string_equal(line_of(&j, page(&j, "OUT-1", false), 3),
                        "**ACTIVE** · open: SOW-1 is REVIEW `sow_open` · next: `sov show SOW-1`");
    text = page(&j, "SOW-1", false);
    last = sov_arena_text(&j.f.arena, text);
    last = strstr(last, "Last event: ");
    above = sov_sha256(sov_bytes(text.data, text.size - strlen(last)));
    sov_hex(sov_hash_bytes(&above), hex);
    assert_string_equal(last, sov_arena_printf(&j.f.arena,
                                               "Last event: %lld · renderer 1 · sha256:%.12s\n",
                                               (long long)fixture_head(&j.f), hex));
    judging_close(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_follow_the_events_that_touch_them),
        cmocka_unit_test(a_view_is_found_by_its_id),
        cmocka_unit_test(the_third_line_says_where_it_stands_and_the_last_what_was_last),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
