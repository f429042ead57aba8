/* Publication: what is written, what is refused, what a crash leaves behind. */
#include "tests/publishing_fixture.h"

#include "tests/unit.h"

#include <sys/stat.h>
#include <unistd.h>

static void assert_same(struct sov_hash a, struct sov_hash b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

/* ---- what is written ---- */

static void a_first_publication_writes_everything_and_the_checkpoint_last(void **state)
{
    struct publishing *p = *state;
    struct judging *j = &p->j;
    int64_t head;
    struct sov_published published;
    const char *note;

    judging_ready(j, judging_outcome(j, "SKU-TEA"));
    head = fixture_head(&j->f);
    published = publish(p);
    note = text_of(p, "governance/checkpoints/%lld", (long long)head);
    assert_int_equal(published.size, head);
    assert_int_equal(published.before, 0);
    assert_int_equal(published.events, head);
    assert_string_equal(published.written[published.written_count - 1], note);
    assert_string_equal(published.written[0],
                        text_of(p, "governance/log/1-%lld.jsonl", (long long)head));
    assert_true(wrote(&published, "governance/.gitattributes"));
    assert_true(wrote(&published, "governance/README.md"));
    assert_true(wrote(&published, "governance/policy.json"));
    assert_true(wrote(&published, "governance/actors/sparring.md"));
    assert_true(wrote(&published, "governance/outcomes/OUT-1.md"));
    assert_true(wrote(&published, "governance/sows/SOW-1.json"));
    assert_int_equal(look(p).size, head);
    assert_false(look(p).interrupted);
    all_is_equal(p);
}

static void a_segment_holds_the_octets_of_its_events(void **state)
{
    struct publishing *p = *state;
    struct judging *j = &p->j;
    struct sov_buf lines;
    int64_t head = fixture_head(&j->f);
    struct sov_bytes segment;

    publish(p);
    segment = file_of(p, text_of(p, "governance/log/1-%lld.jsonl", (long long)head));
    sov_buf_init(&lines, 64 << 20);
    for (int64_t seq = 1; seq <= head; seq++) {
        struct sov_error err = { 0 };
        struct sov_event event;

        assert_true(sov_log_event(j->f.ledger, seq, &j->f.arena, &event, &err));
        sov_buf_add(&lines, event.octets);
        sov_buf_add_byte(&lines, '\n');
    }
    assert_true(sov_bytes_equal(segment, sov_buf_bytes(&lines)));
    sov_buf_release(&lines);
}

static void with_nothing_new_nothing_is_written(void **state)
{
    struct publishing *p = *state;
    struct sov_published again;
    struct sov_hash before;

    publish(p);
    before = digest_of(p, "", false);
    again = publish(p);
    assert_int_equal(again.written_count, 0);
    assert_int_equal(again.removed_count, 0);
    assert_int_equal(again.events, 0);
    assert_same(digest_of(p, "", false), before);
}

static void only_what_an_event_touches_is_written(void **state)
{
    struct publishing *p = *state;
    struct judging *j = &p->j;
    int64_t outcome = judging_outcome(j, "SKU-TEA");
    struct sov_published published;
    long long n;

    judging_sow(j, outcome, NULL, NULL);
    publish(p);
    n = fixture_head(&j->f) + 1;
    judging_rule(j, "principal", "none", "SOW-1", 0, NULL);
    published = publish(p);
    assert_string_equal(written(p, &published),
                        text_of(p,
                                "log/%lld-%lld.jsonl rulings/RUL-1.md rulings/RUL-1.json "
                                "sows/SOW-1.md sows/SOW-1.json outcomes/OUT-1.md "
                                "outcomes/OUT-1.json checkpoints/%lld",
                                n, n, n));
    n++;
    FIXTURE_DO(&j->f, "principal", &j->done,
               sov_account_open(&commit, "other", "unit", 0, &j->done, &err));
    published = publish(p);
    assert_string_equal(written(p, &published),
                        text_of(p, "log/%lld-%lld.jsonl checkpoints/%lld", n, n, n));
    all_is_equal(p);
}

static void many_small_publications_end_like_a_large_one(void **state)
{
    struct publishing *p = *state;
    struct judging *j = &p->j;
    int64_t outcome = judging_outcome(j, "SKU-TEA"), sow;
    struct judging_run run = { .path = "report.json", .content = "{}", .quantity = 6 };
    struct sov_hash small;

    publish(p);
    sow = judging_sow(j, outcome, "replenishment", "report.json");
    publish(p);
    judging_run(j, judging_assign(j, sow, "operator"), "operator", &run);
    publish(p);
    judging_verify(j, "verifier", sow, 0, false, NULL);
    publish(p);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    publish(p);
    judging_accept(j, "principal", outcome, NULL, NULL);
    publish(p);
    all_is_equal(p);
    small = digest_of(p, "governance", true);
    remove_at(p, "governance");
    publish(p);
    assert_same(digest_of(p, "governance", true), small);
}

/* More than are rendered in one moment. */
static void many_touched_views_are_written_and_no_others(void **state)
{
    struct publishing *p = *state;
    struct sov_published published;
    long long before, head;

    before = publish(p).size;
    for (int i = 0; i < 70; i++) judging_outcome(&p->j, NULL);
    head = fixture_head(&p->j.f);
    published = publish(p);
    assert_int_equal(published.written_count, 1 + 2 * 70 + 1);
    assert_string_equal(published.written[0],
                        text_of(p, "governance/log/%lld-%lld.jsonl", before + 1, head));
    assert_string_equal(published.written[1], "governance/outcomes/OUT-1.md");
    assert_string_equal(published.written[140], "governance/outcomes/OUT-70.json");
    all_is_equal(p);
}

static void modes_are_the_same_under_any_umask(void **state)
{
    static const mode_t masks[] = { 000, 077, 022 };
    struct publishing *p = *state;
    struct sov_hash first;

    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        mode_t before = umask(masks[i]);
        struct stat st;

        publish(p);
        umask(before);
        assert_int_equal(stat(at_path(p, "governance/README.md"), &st), 0);
        assert_int_equal(st.st_mode & 07777, 0644);
        assert_int_equal(stat(at_path(p, "governance/log"), &st), 0);
        assert_int_equal(st.st_mode & 07777, 0755);
        if (i) assert_same(digest_of(p, "governance", false), first);
        first = digest_of(p, "governance", false);
        remove_at(p, "governance");
    }
}

static void a_dry_call_says_the_same_and_writes_nothing(void **state)
{
    struct publishing *p = *state;
    struct sov_published dry =
        publishing_act(p, (struct sov_publish_options){ .what = SOV_PUBLISH, .dry = true }, NULL);
    struct sov_published real;

    assert_false(is_there(p, "governance"));
    real = publish(p);
    assert_string_equal(written(p, &dry), written(p, &real));
}

static void small_deliverables_are_published_until_they_are_erased(void **state)
{
    struct publishing *p = *state;
    struct judging *j = &p->j;
    struct judging_run run = { .path = "report.json", .content = "{\"n\":1}" };
    struct sov_hash digest = sov_sha256(sov_bytes_text(run.content));
    int64_t outcome = judging_outcome(j, "SKU-TEA");
    int64_t sow = judging_sow(j, outcome, NULL, "report.json");
    struct sov_published published;
    char hex[SOV_HEX_HASH + 1];
    const char *path;

    sov_hex(sov_hash_bytes(&digest), hex);
    path = text_of(p, "governance/blobs/%s", hex);
    judging_run(j, judging_assign(j, sow, "operator"), "operator", &run);
    publish(p);
    assert_true(sov_bytes_is(file_of(p, path), run.content));
    FIXTURE_DO(&j->f, "principal", &j->done,
               sov_blob_erase(&commit, &digest, "as asked", &j->done, &err));
    all_is_equal(p); /* at the published size it was there */
    assert_int_equal(unlink(at_path(p, path)), 0);
    all_is_equal(p); /* and cannot be missed */
    put_text(p, path, run.content);
    published = publish(p);
    assert_false(is_there(p, path));
    assert_int_equal(published.removed_count, 1);
    assert_string_equal(published.removed[0], path);
    all_is_equal(p);
}

/* ---- what is refused ---- */

static void an_old_copy_of_the_ledger_is_a_rollback(void **state)
{
    struct publishing *p = *state;
    struct judging *j = &p->j;
    struct sov_bytes copy = ledger_octets(p);

    judging_outcome(j, "SKU-TEA");
    publish(p);
    ledger_put_back(p, copy);
    refused(p, "rollback");
    publishing_act(p, (struct sov_publish_options){ .what = SOV_PUBLISH_RESTORE }, "rollback");
}

static void a_segment_of_events_that_are_gone_is_a_rollback(void **state)
{
    struct publishing *p = *state;
    struct judging *j = &p->j;
    struct sov_bytes copy;
    int64_t head;

    publish(p);
    copy = ledger_octets(p);
    judging_outcome(j, "SKU-TEA");
    publish(p);
    head = fixture_head(&j->f);
    assert_int_equal(unlink(at_path(p, text_of(p, "governance/checkpoints/%lld", (long long)head))),
                     0);
    ledger_put_back(p, copy);
    refused(p, "rollback");
}

static void another_history_of_the_same_ledger_is_a_fork(void **state)
{
    struct publishing *p = *state;
    struct judging *j = &p->j;
    struct sov_bytes copy = ledger_octets(p);

    judging_outcome(j, "SKU-TEA");
    publish(p);
    ledger_put_back(p, copy);
    fixture_tick(&j->f, 1000);
    judging_outcome(j, "SKU-TEA");
    judging_outcome(j, "SKU-TEA");
    refused(p, "fork");
}

static void the_tree_of_another_ledger_is_a_fork(void **state)
{
    struct publishing *p = *state;

    publish(p);
    /* A first line that no signature bears out is damage; the own note of another log names it
     * twice. */
    edit(p, "governance/checkpoints/NOTE", "the-store/", "the-shop/");
    refused(p, "bad_signature");
    edit(p, "governance/checkpoints/NOTE", "the-store/", "the-shop/");
    refused(p, "fork");
}

static void a_checkpoint_that_was_touched_is_refused(void **state)
{
    struct publishing *p = *state;
    struct sov_bytes note;
    char *text;

    publish(p);
    note = file_of(p, "governance/checkpoints/NOTE");
    text = sov_arena_text(&p->j.f.arena, note);
    text[strlen(text) - 10] = text[strlen(text) - 10] == 'A' ? 'B' : 'A';
    put_text(p, "governance/checkpoints/NOTE", text);
    refused(p, "bad_signature");
    put_text(p, "governance/checkpoints/NOTE", "");
    refused(p, "checkpoint_invalid");
    remove_at(p, "governance/checkpoints/NOTE");
    put_file(p, "governance/checkpoints/7", note, 0644);
    refused(p, "checkpoint_invalid");
}

static void a_folder_that_is_a_link_is_refused(void **state)
{
    static const char *const folders[] = { "sows", "log", "checkpoints", "blobs" };
    struct publishing *p = *state;

    publish(p);
    folder_at(p, "elsewhere");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *path = text_of(p, "governance/%s", folders[i]);
        bool there = is_there(p, path);

        if (there) move_at(p, path, "kept");
        link_at(p, path, "../elsewhere");
        refused(p, "file_unsafe");
        assert_int_equal(unlink(at_path(p, path)), 0);
        if (there) move_at(p, "kept", path);
    }
    move_at(p, "governance", "real");
    link_at(p, "governance", "real");
    refused(p, "file_unsafe");
    assert_int_equal(unlink(at_path(p, "governance")), 0);
    move_at(p, "real", "governance");
    all_is_equal(p);
}

static void a_view_that_is_a_link_is_replaced_and_not_followed(void **state)
{
    struct publishing *p = *state;
    struct stat st;

    publish(p);
    put_text(p, "mine", "mine");
    assert_int_equal(unlink(at_path(p, "governance/policy.md")), 0);
    link_at(p, "governance/policy.md", "../mine");
    publish(p);
    assert_true(sov_bytes_is(file_of(p, "mine"), "mine"));
    assert_int_equal(lstat(at_path(p, "governance/policy.md"), &st), 0);
    assert_true(S_ISREG(st.st_mode));
    all_is_equal(p);
}

static void nothing_published_cannot_be_restored(void **state)
{
    struct publishing *p = *state;

    publishing_act(p, (struct sov_publish_options){ .what = SOV_PUBLISH_RESTORE, .dry = true },
                   "absent");
}

/* ---- what a crash leaves, what a hand does ---- */

static void an_interrupted_publication_is_seen_and_finished(void **state)
{
    struct publishing *p = *state;
    struct judging *j = &p->j;
    struct sov_published published;
    int64_t before, cut;

    publish(p);
    before = fixture_head(&j->f);
    judging_outcome(j, "SKU-TEA");
    publish(p);
    cut = fixture_head(&j->f);
    /* As if it had died before the checkpoint, in the middle of a view. */
    assert_int_equal(unlink(at_path(p, text_of(p, "governance/checkpoints/%lld", (long long)cut))),
                     0);
    assert_int_equal(unlink(at_path(p, "governance/outcomes/OUT-1.json")), 0);
    put_text(p, "governance/outcomes/.sov-tmp-77-1", "half");
    assert_true(look(p).interrupted);
    assert_int_equal(look(p).size, before);
    judging_outcome(j, "SKU-TEA");
    published = publish(p);
    assert_int_equal(published.before, before);
    assert_int_equal(published.removed_count, 2);
    assert_false(is_there(p, "governance/outcomes/.sov-tmp-77-1"));
    assert_false(is_there(
        p, text_of(p, "governance/log/%lld-%lld.jsonl", (long long)before + 1, (long long)cut)));
    assert_false(look(p).interrupted);
    all_is_equal(p);
}

static void the_same_publication_again_takes_what_is_there(void **state)
{
    struct publishing *p = *state;
    struct sov_published published;

    publish(p);
    judging_outcome(&p->j, "SKU-TEA");
    publish(p);
    remove_at(p, "governance/checkpoints/NOTE");
    published = publish(p);
    assert_string_equal(written(p, &published),
                        text_of(p, "checkpoints/%lld", (long long)fixture_head(&p->j.f)));
    assert_int_equal(published.removed_count, 0);
    all_is_equal(p);
}

static void a_temporary_file_alone_is_an_interruption(void **state)
{
    static const char *const folders[] = { "", "sows/", "log/", "checkpoints/", "actors/" };
    struct publishing *p = *state;
    struct judging *j = &p->j;

    judging_sow(j, judging_outcome(j, "SKU-TEA"), NULL, NULL);
    publish(p);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *path = text_of(p, "governance/%s.sov-tmp-123-4", folders[i]);

        put_text(p, path, "half");
        assert_true(look(p).interrupted);
        assert_int_equal(publish(p).removed_count, 1);
        assert_false(is_there(p, path));
        assert_false(look(p).interrupted);
    }
    all_is_equal(p);
}

static void what_was_edited_deleted_or_added_is_restored(void **state)
{
    struct publishing *p = *state;
    struct judging *j = &p->j;
    struct sov_published published;
    struct sov_hash before;
    int64_t size;

    judging_sow(j, judging_outcome(j, "SKU-TEA"), NULL, NULL);
    publish(p);
    size = fixture_head(&j->f);
    before = digest_of(p, "governance", false);
    judging_outcome(j, "SKU-TEA"); /* newer than what is published */
    put_text(p, "governance/sows/SOW-1.md", "| VER-8 | all is well |\n");
    assert_int_equal(unlink(at_path(p, "governance/README.json")), 0);
    assert_int_equal(chmod(at_path(p, "governance/policy.md"), 0755), 0);
    put_text(p, "governance/sows/SOW-2.md", "not there");
    put_text(p, "governance/notes.txt", "mine");
    folder_at(p, "governance/blobs");
    put_text(p, "governance/blobs/00", "mine");
    published = restore(p);
    assert_int_equal(published.size, size);
    assert_int_equal(published.events, 0);
    assert_int_equal(published.written_count, 3);
    assert_int_equal(published.removed_count, 3);
    assert_int_equal(rmdir(at_path(p, "governance/blobs")), 0);
    assert_same(digest_of(p, "governance", false), before);
    all_is_equal(p);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, publishing_setup, publishing_teardown)
    const struct CMUnitTest tests[] = {
        T(a_first_publication_writes_everything_and_the_checkpoint_last),
        T(a_segment_holds_the_octets_of_its_events),
        T(with_nothing_new_nothing_is_written),
        T(only_what_an_event_touches_is_written),
        T(many_small_publications_end_like_a_large_one),
        T(many_touched_views_are_written_and_no_others),
        T(modes_are_the_same_under_any_umask),
        T(a_dry_call_says_the_same_and_writes_nothing),
        T(small_deliverables_are_published_until_they_are_erased),
        T(an_old_copy_of_the_ledger_is_a_rollback),
        T(a_segment_of_events_that_are_gone_is_a_rollback),
        T(another_history_of_the_same_ledger_is_a_fork),
        T(the_tree_of_another_ledger_is_a_fork),
        T(a_checkpoint_that_was_touched_is_refused),
        T(a_folder_that_is_a_link_is_refused),
        T(a_view_that_is_a_link_is_replaced_and_not_followed),
        T(nothing_published_cannot_be_restored),
        T(an_interrupted_publication_is_seen_and_finished),
        T(the_same_publication_again_takes_what_is_there),
        T(a_temporary_file_alone_is_an_interruption),
        T(what_was_edited_deleted_or_added_is_restored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
