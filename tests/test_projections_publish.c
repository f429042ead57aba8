/* Publication and comparison: what is written, what is refused, what a crash leaves behind. */
#include "tests/judgement_fixture.h"

#include "tests/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "projections/projections.h"
#include "tests/remove.h"

static int setup(void **state)
{
    struct judging *j = calloc(1, sizeof *j);

    judging_open(j);
    *state = j;
    return 0;
}

static int teardown(void **state)
{
    judging_close(*state);
    free(*state);
    return 0;
}

/* ---- files, without the code under test ---- */

static const char *path_of(struct judging *j, const char *path)
{
    return sov_arena_printf(&j->f.arena, "%s/%s", j->f.repo, path);
}

static struct sov_bytes file(struct judging *j, const char *path)
{
    struct sov_error err = { 0 };
    struct sov_bytes bytes;

    if (!sov_file_read_named(path_of(j, path), 64 << 20, &j->f.arena, &bytes, &err))
        fail_msg("%s: %s", path, err.what);
    return bytes;
}

static bool is_file(struct judging *j, const char *path)
{
    struct stat st;

    return lstat(path_of(j, path), &st) == 0;
}

static void write_file(struct judging *j, const char *path, const char *text)
{
    FILE *f = fopen(path_of(j, path), "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}

/* A digest of names, modes and octets of everything beneath governance/. */
static const char *tree_digest(struct judging *j)
{
    char *line = sov_arena_take(&j->f.arena, 256);
    const char *command = sov_arena_printf(
        &j->f.arena,
        "cd %s && { find governance -printf '%%p %%y %%m\\n' | sort; find governance "
        "-type f | sort | xargs -r cat; } 2>&1 | sha256sum",
        j->f.repo);
    FILE *f = popen(command, "r");

    assert_non_null(f);
    assert_non_null(fgets(line, 256, f));
    assert_int_equal(pclose(f), 0);
    return line;
}

/* ---- the code under test ---- */

static struct sov_published act(struct judging *j, struct sov_publish_options options,
                                const char *expected)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    struct sov_published published = { .size = -1 };
    struct sov_error err = { 0 };
    const char *before = expected || options.dry ? tree_digest(j) : NULL;
    bool ok;

    assert_true(sov_folder_open(&top, j->f.repo, &err));
    ok = sov_publish(j->f.ledger, &top, &options, &j->f.arena, &published, &err);
    if (!expected && !ok) fail_msg("%s: %s", err.code, err.what);
    if (before) assert_string_equal(tree_digest(j), before);
    if (!expected) return published;
    assert_false(ok);
    assert_string_equal(err.code, expected);
    assert_int_equal(published.size, -1);
    return published;
}

static struct sov_published publish(struct judging *j)
{
    return act(j, (struct sov_publish_options){ .what = SOV_PUBLISH }, NULL);
}

static struct sov_published restore(struct judging *j)
{
    return act(j, (struct sov_publish_options){ .what = SOV_PUBLISH_RESTORE }, NULL);
}

static void refused(struct judging *j, const char *code)
{
    act(j, (struct sov_publish_options){ .what = SOV_PUBLISH }, code);
}

static struct sov_publication look(struct judging *j)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    struct sov_publication publication;
    struct sov_error err = { 0 };

    assert_true(sov_folder_open(&top, j->f.repo, &err));
    if (!sov_publication_state(j->f.ledger, &top, &j->f.arena, &publication, &err))
        fail_msg("%s: %s", err.code, err.what);
    return publication;
}

struct seen {
    struct judging *j;
    char text[4096];
    struct sov_compared compared;
};

static void see(void *context, const struct sov_difference *difference)
{
    struct seen *seen = context;
    size_t at = strlen(seen->text);

    snprintf(seen->text + at, sizeof seen->text - at, "%s%s %s:%lld", at ? ", " : "",
             sov_difference_word(difference->kind), difference->path, (long long)difference->line);
}

static const char *compare_at(struct judging *j, int64_t size, struct seen *seen)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    struct sov_error err = { 0 };

    *seen = (struct seen){ .j = j };
    assert_true(sov_folder_open(&top, j->f.repo, &err));
    if (!sov_tree_compare(j->f.ledger, &top, size, see, seen, &seen->compared, &err))
        fail_msg("%s: %s", err.code, err.what);
    return seen->text;
}

static const char *compare(struct judging *j, struct seen *seen)
{
    return compare_at(j, look(j).size, seen);
}

static void all_is_equal(struct judging *j)
{
    struct seen seen;

    assert_string_equal(compare(j, &seen), "");
    assert_true(seen.compared.views > 0 && seen.compared.segments > 0 &&
                seen.compared.checkpoints > 0);
}

static bool wrote(const struct sov_published *published, const char *path)
{
    for (size_t i = 0; i < published->written_count; i++)
        if (strcmp(published->written[i], path) == 0) return true;
    return false;
}

static void wrote_exactly(struct judging *j, const struct sov_published *published,
                          const char *expected)
{
    const char *list = "";

    for (size_t i = 0; i < published->written_count; i++)
        list = sov_arena_printf(&j->f.arena, "%s%s%s", list, *list ? " " : "",
                                published->written[i] + strlen("governance/"));
    assert_string_equal(list, expected);
}

/* ---- what is written ---- */

static void a_first_publication_writes_everything_and_the_checkpoint_last(void **state)
{
    struct judging *j = *state;
    int64_t head;
    struct sov_published published;
    const char *note;

    judging_ready(j, judging_outcome(j, "SKU-TEA"));
    head = fixture_head(&j->f);
    published = publish(j);
    note = sov_arena_printf(&j->f.arena, "governance/checkpoints/%lld", (long long)head);
    assert_int_equal(published.size, head);
    assert_int_equal(published.before, 0);
    assert_int_equal(published.events, head);
    assert_string_equal(published.written[published.written_count - 1], note);
    assert_string_equal(
        published.written[0],
        sov_arena_printf(&j->f.arena, "governance/log/1-%lld.jsonl", (long long)head));
    assert_true(wrote(&published, "governance/.gitattributes"));
    assert_true(wrote(&published, "governance/README.md"));
    assert_true(wrote(&published, "governance/policy.json"));
    assert_true(wrote(&published, "governance/actors/sparring.md"));
    assert_true(wrote(&published, "governance/outcomes/OUT-1.md"));
    assert_true(wrote(&published, "governance/sows/SOW-1.json"));
    assert_int_equal(look(j).size, head);
    assert_false(look(j).interrupted);
    all_is_equal(j);
}

static void a_segment_holds_the_octets_of_its_events(void **state)
{
    struct judging *j = *state;
    struct sov_buf lines;
    int64_t head = fixture_head(&j->f);
    struct sov_bytes segment;

    publish(j);
    segment =
        file(j, sov_arena_printf(&j->f.arena, "governance/log/1-%lld.jsonl", (long long)head));
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
    struct judging *j = *state;
    struct sov_published again;
    const char *before;

    publish(j);
    before = tree_digest(j);
    again = publish(j);
    assert_int_equal(again.written_count, 0);
    assert_int_equal(again.removed_count, 0);
    assert_int_equal(again.events, 0);
    assert_string_equal(tree_digest(j), before);
}

static void only_what_an_event_touches_is_written(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, "SKU-TEA"), n;
    struct sov_published published;

    judging_sow(j, outcome, NULL, NULL);
    publish(j);
    n = fixture_head(&j->f) + 1;
    judging_rule(j, "principal", "none", "SOW-1", 0, NULL);
    published = publish(j);
    wrote_exactly(j, &published,
                  sov_arena_printf(&j->f.arena,
                                   "log/%lld-%lld.jsonl rulings/RUL-1.md rulings/RUL-1.json "
                                   "sows/SOW-1.md sows/SOW-1.json outcomes/OUT-1.md "
                                   "outcomes/OUT-1.json checkpoints/%lld",
                                   (long long)n, (long long)n, (long long)n));
    n++;
    FIXTURE_DO(&j->f, "principal", &j->done,
               sov_account_open(&commit, "other", "unit", 0, &j->done, &err));
    published = publish(j);
    wrote_exactly(j, &published,
                  sov_arena_printf(&j->f.arena, "log/%lld-%lld.jsonl checkpoints/%lld",
                                   (long long)n, (long long)n, (long long)n));
    all_is_equal(j);
}

static void many_small_publications_end_like_a_large_one(void **state)
{
    struct judging *j = *state;
    const char *views =
        sov_arena_printf(&j->f.arena,
                         "cd %s && find governance -type f -not -path '*/log/*' -not -path "
                         "'*/checkpoints/*' | sort | xargs sha256sum > %s/views",
                         j->f.repo, j->f.root);
    int64_t outcome = judging_outcome(j, "SKU-TEA"), sow;
    struct judging_run run = { .path = "report.json", .content = "{}", .quantity = 6 };

    publish(j);
    sow = judging_sow(j, outcome, "replenishment", "report.json");
    publish(j);
    judging_run(j, judging_assign(j, sow, "operator"), "operator", &run);
    publish(j);
    judging_verify(j, "verifier", sow, 0, false, NULL);
    publish(j);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    publish(j);
    judging_accept(j, "principal", outcome, NULL, NULL);
    publish(j);
    all_is_equal(j);
    assert_int_equal(system(views), 0);
    remove_tree(path_of(j, "governance"));
    publish(j);
    assert_int_equal(system(sov_arena_printf(&j->f.arena, "cd %s && sha256sum -c --quiet %s/views",
                                             j->f.repo, j->f.root)),
                     0);
}

static void modes_are_the_same_under_any_umask(void **state)
{
    static const mode_t masks[] = { 000, 077, 022 };
    struct judging *j = *state;
    const char *first = NULL;

    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        mode_t before = umask(masks[i]);
        struct stat st;

        publish(j);
        umask(before);
        assert_int_equal(stat(path_of(j, "governance/README.md"), &st), 0);
        assert_int_equal(st.st_mode & 07777, 0644);
        assert_int_equal(stat(path_of(j, "governance/log"), &st), 0);
        assert_int_equal(st.st_mode & 07777, 0755);
        if (first) assert_string_equal(tree_digest(j), first);
        first = tree_digest(j);
        remove_tree(path_of(j, "governance"));
    }
}

static void a_dry_call_says_the_same_and_writes_nothing(void **state)
{
    struct judging *j = *state;
    struct sov_published dry =
        act(j, (struct sov_publish_options){ .what = SOV_PUBLISH, .dry = true }, NULL);
    struct sov_published real;

    assert_false(is_file(j, "governance"));
    real = publish(j);
    assert_int_equal(dry.written_count, real.written_count);
    for (size_t i = 0; i < real.written_count; i++)
        assert_string_equal(dry.written[i], real.written[i]);
}

static void small_deliverables_are_published_until_they_are_erased(void **state)
{
    struct judging *j = *state;
    struct judging_run run = { .path = "report.json", .content = "{\"n\":1}" };
    struct sov_hash digest = sov_sha256(sov_bytes_text(run.content));
    int64_t outcome = judging_outcome(j, "SKU-TEA");
    int64_t sow = judging_sow(j, outcome, NULL, "report.json");
    struct sov_published published;
    char hex[SOV_HEX_HASH + 1];
    const char *path;

    sov_hex(sov_hash_bytes(&digest), hex);
    path = sov_arena_printf(&j->f.arena, "governance/blobs/%s", hex);
    judging_run(j, judging_assign(j, sow, "operator"), "operator", &run);
    publish(j);
    assert_true(sov_bytes_is(file(j, path), run.content));
    FIXTURE_DO(&j->f, "principal", &j->done,
               sov_blob_erase(&commit, &digest, "as asked", &j->done, &err));
    all_is_equal(j); /* at the published size it was there */
    assert_int_equal(unlink(path_of(j, path)), 0);
    all_is_equal(j); /* and cannot be missed */
    write_file(j, path, run.content);
    published = publish(j);
    assert_false(is_file(j, path));
    assert_int_equal(published.removed_count, 1);
    assert_string_equal(published.removed[0], path);
    all_is_equal(j);
}

/* ---- what is refused ---- */

static const char *copy_of_ledger(struct judging *j)
{
    const char *copy = sov_arena_printf(&j->f.arena, "%s/copy.db", j->f.root);

    assert_int_equal(
        system(sov_arena_printf(&j->f.arena, "cp %s/organization.db %s", j->f.home, copy)), 0);
    return copy;
}

static void put_back(struct judging *j, const char *copy)
{
    sov_ledger_close(j->f.ledger);
    j->f.ledger = NULL;
    assert_int_equal(system(sov_arena_printf(&j->f.arena,
                                             "rm -f %s/organization.db-* && cp %s "
                                             "%s/organization.db",
                                             j->f.home, copy, j->f.home)),
                     0);
    fixture_reopen(&j->f);
}

static void an_old_copy_of_the_ledger_is_a_rollback(void **state)
{
    struct judging *j = *state;
    const char *copy = copy_of_ledger(j);

    judging_outcome(j, "SKU-TEA");
    publish(j);
    put_back(j, copy);
    refused(j, "rollback");
    act(j, (struct sov_publish_options){ .what = SOV_PUBLISH_RESTORE }, "rollback");
}

static void a_segment_of_events_that_are_gone_is_a_rollback(void **state)
{
    struct judging *j = *state;
    const char *copy;
    int64_t head;

    publish(j);
    copy = copy_of_ledger(j);
    judging_outcome(j, "SKU-TEA");
    publish(j);
    head = fixture_head(&j->f);
    assert_int_equal(unlink(path_of(j, sov_arena_printf(&j->f.arena, "governance/checkpoints/%lld",
                                                        (long long)head))),
                     0);
    put_back(j, copy);
    refused(j, "rollback");
}

static void another_history_of_the_same_ledger_is_a_fork(void **state)
{
    struct judging *j = *state;
    const char *copy = copy_of_ledger(j);

    judging_outcome(j, "SKU-TEA");
    publish(j);
    put_back(j, copy);
    fixture_tick(&j->f, 1000);
    judging_outcome(j, "SKU-TEA");
    judging_outcome(j, "SKU-TEA");
    refused(j, "fork");
}

static void the_tree_of_another_ledger_is_a_fork(void **state)
{
    struct judging *j = *state;

    publish(j);
    assert_int_equal(system(sov_arena_printf(
                         &j->f.arena, "sed -i '1s/.$/x/' %s/governance/checkpoints/*", j->f.repo)),
                     0);
    refused(j, "fork");
}

static void a_checkpoint_that_was_touched_is_refused(void **state)
{
    struct judging *j = *state;
    const char *path;
    struct sov_bytes note;
    char *text;

    publish(j);
    path = sov_arena_printf(&j->f.arena, "governance/checkpoints/%lld",
                            (long long)fixture_head(&j->f));
    note = file(j, path);
    text = sov_arena_text(&j->f.arena, note);
    text[strlen(text) - 10] ^= 1;
    write_file(j, path, text);
    refused(j, "bad_signature");
    write_file(j, path, "");
    refused(j, "fork");
    assert_int_equal(rename(path_of(j, path), path_of(j, "governance/checkpoints/7")), 0);
    write_file(j, "governance/checkpoints/7", sov_arena_text(&j->f.arena, note));
    refused(j, "checkpoint_invalid");
}

static void links_in_the_tree_are_refused_or_replaced_never_followed(void **state)
{
    static const char *const folders[] = { "sows", "log", "checkpoints", "blobs" };
    struct judging *j = *state;
    struct stat st;

    publish(j);
    assert_int_equal(mkdir(path_of(j, "elsewhere"), 0755), 0);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *path = sov_arena_printf(&j->f.arena, "governance/%s", folders[i]);
        const char *kept = sov_arena_printf(&j->f.arena, "%s.kept", path);
        bool there = is_file(j, path);

        if (there) assert_int_equal(rename(path_of(j, path), path_of(j, kept)), 0);
        assert_int_equal(symlink("../elsewhere", path_of(j, path)), 0);
        refused(j, "file_unsafe");
        assert_int_equal(unlink(path_of(j, path)), 0);
        if (there) assert_int_equal(rename(path_of(j, kept), path_of(j, path)), 0);
    }
    write_file(j, "elsewhere/mine", "mine");
    assert_int_equal(unlink(path_of(j, "governance/policy.md")), 0);
    assert_int_equal(symlink("../elsewhere/mine", path_of(j, "governance/policy.md")), 0);
    publish(j);
    assert_true(sov_bytes_is(file(j, "elsewhere/mine"), "mine"));
    assert_int_equal(lstat(path_of(j, "governance/policy.md"), &st), 0);
    assert_true(S_ISREG(st.st_mode));
    assert_int_equal(rename(path_of(j, "governance"), path_of(j, "real")), 0);
    assert_int_equal(symlink("real", path_of(j, "governance")), 0);
    refused(j, "file_unsafe");
    assert_int_equal(unlink(path_of(j, "governance")), 0);
    assert_int_equal(rename(path_of(j, "real"), path_of(j, "governance")), 0);
    all_is_equal(j);
}

static void nothing_published_cannot_be_restored(void **state)
{
    struct judging *j = *state;

    act(j, (struct sov_publish_options){ .what = SOV_PUBLISH_RESTORE, .dry = true }, "absent");
}

/* ---- what a crash leaves, what a hand does ---- */

static void an_interrupted_publication_is_seen_and_finished(void **state)
{
    struct judging *j = *state;
    struct sov_published published;
    int64_t before, cut;

    publish(j);
    before = fixture_head(&j->f);
    judging_outcome(j, "SKU-TEA");
    publish(j);
    cut = fixture_head(&j->f);
    /* As if it had died before the checkpoint, in the middle of a view. */
    assert_int_equal(unlink(path_of(j, sov_arena_printf(&j->f.arena, "governance/checkpoints/%lld",
                                                        (long long)cut))),
                     0);
    assert_int_equal(unlink(path_of(j, "governance/outcomes/OUT-1.json")), 0);
    write_file(j, "governance/outcomes/.sov-tmp-77-1", "half");
    assert_true(look(j).interrupted);
    assert_int_equal(look(j).size, before);
    judging_outcome(j, "SKU-TEA");
    published = publish(j);
    assert_int_equal(published.before, before);
    assert_int_equal(published.removed_count, 2);
    assert_false(is_file(j, "governance/outcomes/.sov-tmp-77-1"));
    assert_false(is_file(j, sov_arena_printf(&j->f.arena, "governance/log/%lld-%lld.jsonl",
                                             (long long)before + 1, (long long)cut)));
    assert_false(look(j).interrupted);
    all_is_equal(j);
}

static void the_same_publication_again_takes_what_is_there(void **state)
{
    struct judging *j = *state;
    struct sov_published published;
    int64_t head;

    publish(j);
    judging_outcome(j, "SKU-TEA");
    publish(j);
    head = fixture_head(&j->f);
    assert_int_equal(unlink(path_of(j, sov_arena_printf(&j->f.arena, "governance/checkpoints/%lld",
                                                        (long long)head))),
                     0);
    published = publish(j);
    wrote_exactly(j, &published,
                  sov_arena_printf(&j->f.arena, "checkpoints/%lld", (long long)head));
    assert_int_equal(published.removed_count, 0);
    all_is_equal(j);
}

static void a_temporary_file_alone_is_an_interruption(void **state)
{
    static const char *const folders[] = { "", "sows/", "log/", "checkpoints/", "actors/" };
    struct judging *j = *state;

    judging_sow(j, judging_outcome(j, "SKU-TEA"), NULL, NULL);
    publish(j);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *path = sov_arena_printf(&j->f.arena, "governance/%s.sov-tmp-123-4", folders[i]);

        write_file(j, path, "half");
        assert_true(look(j).interrupted);
        assert_int_equal(publish(j).removed_count, 1);
        assert_false(is_file(j, path));
        assert_false(look(j).interrupted);
    }
    all_is_equal(j);
}

static void what_was_edited_deleted_or_added_is_restored(void **state)
{
    struct judging *j = *state;
    struct sov_published published;
    const char *before;
    int64_t size;

    judging_sow(j, judging_outcome(j, "SKU-TEA"), NULL, NULL);
    publish(j);
    size = fixture_head(&j->f);
    before = tree_digest(j);
    judging_outcome(j, "SKU-TEA"); /* newer than what is published */
    write_file(j, "governance/sows/SOW-1.md", "| VER-8 | all is well |\n");
    assert_int_equal(unlink(path_of(j, "governance/README.json")), 0);
    assert_int_equal(chmod(path_of(j, "governance/policy.md"), 0755), 0);
    write_file(j, "governance/sows/SOW-2.md", "not there");
    write_file(j, "governance/notes.txt", "mine");
    assert_int_equal(mkdir(path_of(j, "governance/blobs"), 0755), 0);
    write_file(j, "governance/blobs/00", "mine");
    published = restore(j);
    assert_int_equal(published.size, size);
    assert_int_equal(published.events, 0);
    assert_int_equal(published.written_count, 3);
    assert_int_equal(published.removed_count, 3);
    assert_int_equal(rmdir(path_of(j, "governance/blobs")), 0);
    assert_string_equal(tree_digest(j), before);
    all_is_equal(j);
}

/* ---- comparison ---- */

static void each_kind_of_difference_is_found(void **state)
{
    static const struct {
        const char *command, *expected;
    } rows[] = {
        { "sed -i '3s/DRAFT/ACCEPTED/' sows/SOW-1.md", "differs governance/sows/SOW-1.md:3" },
        { "printf x >> policy.md", "differs governance/policy.md:" },
        { "truncate -s -1 policy.json", "differs governance/policy.json:" },
        { "rm README.md", "missing governance/README.md:0" },
        { "touch sows/SOW-2.md", "extra governance/sows/SOW-2.md:0" },
        { "touch sows/SOW-01.md", "extra governance/sows/SOW-01.md:0" },
        { "touch actors/nobody.md", "extra governance/actors/nobody.md:0" },
        { "mkdir sows/more", "extra governance/sows/more:0" },
        { "mkdir more", "extra governance/more:0" },
        { "mkdir -p blobs && touch blobs/00", "extra governance/blobs/00:0" },
        { "mv policy.md ../p && ln -s ../p policy.md", "link governance/policy.md:0" },
        { "ln policy.md ../p", "link governance/policy.md:0" },
        { "mv sows ../s && ln -s ../s sows", "link governance/sows:0" },
        { "chmod 755 policy.md", "mode governance/policy.md:0" },
        { "chmod 600 policy.md", "mode governance/policy.md:0" },
        { "sed -i '$s/renderer 1/renderer 2/' policy.md", "renderer governance/policy.md:" },
        { "sed -i '2s/principal/principle/' log/1-*.jsonl", "differs governance/log/1-" },
        { "printf x | tee -a log/1-*.jsonl > /dev/null", "differs governance/log/1-" },
        { "truncate -s -1 log/1-*.jsonl", "differs governance/log/1-" },
        { "rm log/1-*.jsonl", "missing governance/log/1-" },
        { "touch log/9-99999.jsonl", "extra governance/log/9-99999.jsonl:0" },
        { "touch log/x", "extra governance/log/x:0" },
        { "touch log/.sov-tmp-1-1", "extra governance/log/.sov-tmp-1-1:0" },
        { "cp checkpoints/* checkpoints/7", "differs governance/checkpoints/7:1" },
        { "touch checkpoints/07", "extra governance/checkpoints/07:0" },
        { "sed -i 's/linguist/x/' .gitattributes", "differs governance/.gitattributes:2" },
    };
    struct judging *j = *state;
    const char *whole;
    int64_t size;

    {
        struct sov_sow_request request = { .outcome = judging_outcome(j, "SKU-TEA"),
                                           .title = "t",
                                           .scope = "s",
                                           .role = "operator",
                                           .done_when = "d" };

        FIXTURE_DO(&j->f, "master", &j->done, sov_sow_create(&commit, &request, &j->done, &err));
    }
    publish(j);
    size = fixture_head(&j->f);
    whole = sov_arena_printf(&j->f.arena, "cp -a %s/governance %s/whole", j->f.repo, j->f.root);
    assert_int_equal(system(whole), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct seen seen;
        const char *damage =
            sov_arena_printf(&j->f.arena, "cd %s/governance && %s", j->f.repo, rows[i].command);
        const char *mend = sov_arena_printf(
            &j->f.arena, "cd %s && rm -rf governance p s && cp -a %s/whole governance", j->f.repo,
            j->f.root);

        assert_int_equal(system(damage), 0);
        compare_at(j, size, &seen);
        if (strncmp(seen.text, rows[i].expected, strlen(rows[i].expected)) != 0 ||
            strchr(seen.text, ','))
            fail_msg("%s: %s", rows[i].command, seen.text);
        assert_int_equal(system(mend), 0);
    }
    all_is_equal(j);
}

static void newer_events_are_no_difference(void **state)
{
    struct judging *j = *state;

    publish(j);
    judging_sow(j, judging_outcome(j, "SKU-TEA"), NULL, NULL);
    all_is_equal(j);
}

static void overlapping_segments_are_fine_a_gap_is_not(void **state)
{
    struct judging *j = *state;
    struct seen seen;
    int64_t a, b;

    publish(j);
    a = fixture_head(&j->f);
    judging_outcome(j, "SKU-TEA");
    publish(j);
    b = fixture_head(&j->f);
    assert_int_equal(system(sov_arena_printf(&j->f.arena,
                                             "cd %s/governance/log && cat 1-%lld.jsonl "
                                             "%lld-%lld.jsonl > 1-%lld.jsonl",
                                             j->f.repo, (long long)a, (long long)a + 1,
                                             (long long)b, (long long)b)),
                     0);
    all_is_equal(j);
    assert_int_equal(
        system(sov_arena_printf(&j->f.arena,
                                "cd %s/governance/log && rm 1-%lld.jsonl "
                                "%lld-%lld.jsonl",
                                j->f.repo, (long long)b, (long long)a + 1, (long long)b)),
        0);
    assert_string_equal(compare(j, &seen),
                        sov_arena_printf(&j->f.arena, "missing governance/log/%lld-%lld.jsonl:0",
                                         (long long)a + 1, (long long)b));
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(a_first_publication_writes_everything_and_the_checkpoint_last),
        T(a_segment_holds_the_octets_of_its_events),
        T(with_nothing_new_nothing_is_written),
        T(only_what_an_event_touches_is_written),
        T(many_small_publications_end_like_a_large_one),
        T(modes_are_the_same_under_any_umask),
        T(a_dry_call_says_the_same_and_writes_nothing),
        T(small_deliverables_are_published_until_they_are_erased),
        T(an_old_copy_of_the_ledger_is_a_rollback),
        T(a_segment_of_events_that_are_gone_is_a_rollback),
        T(another_history_of_the_same_ledger_is_a_fork),
        T(the_tree_of_another_ledger_is_a_fork),
        T(a_checkpoint_that_was_touched_is_refused),
        T(links_in_the_tree_are_refused_or_replaced_never_followed),
        T(nothing_published_cannot_be_restored),
        T(an_interrupted_publication_is_seen_and_finished),
        T(the_same_publication_again_takes_what_is_there),
        T(a_temporary_file_alone_is_an_interruption),
        T(what_was_edited_deleted_or_added_is_restored),
        T(each_kind_of_difference_is_found),
        T(newer_events_are_no_difference),
        T(overlapping_segments_are_fine_a_gap_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
