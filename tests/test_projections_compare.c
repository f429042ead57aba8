/* A tree compared with its ledger: each damage is found, and where it lies. */
#include "tests/publishing_fixture.h"

#include "tests/unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum damage { EDIT, APPEND, CUT, REMOVE, TOUCH, FOLDER, LINK, NAME, MODE };
static const struct row {
    enum damage damage;
    const char *path, *from, *to; /* beneath governance/ */
    const char *expected;
} rows[] = {
    { EDIT, "sows/SOW-1.md", "DRAFT", "READY", "differs governance/sows/SOW-1.md:3" },
    { EDIT, "sows/SOW-1.json", "\"DRAFT\"", "\"READY\"", "differs governance/sows/SOW-1.json:" },
    { EDIT, ".gitattributes", "linguist", "x", "differs governance/.gitattributes:2" },
    { EDIT, "policy.md", "# Policy", "# Policy\n", "differs governance/policy.md:3" },
    { EDIT, "policy.md", "renderer 1", "renderer 2", "renderer governance/policy.md:" },
    { APPEND, "policy.md", "x", NULL, "differs governance/policy.md:" },
    { CUT, "policy.json", NULL, NULL, "differs governance/policy.json:" },
    { REMOVE, "README.md", NULL, NULL, "missing governance/README.md:0" },
    { REMOVE, ".gitattributes", NULL, NULL, "missing governance/.gitattributes:0" },
    { TOUCH, "sows/SOW-2.md", NULL, NULL, "extra governance/sows/SOW-2.md:0" },
    { TOUCH, "sows/SOW-01.md", NULL, NULL, "extra governance/sows/SOW-01.md:0" },
    { TOUCH, "sows/SOW-1.txt", NULL, NULL, "extra governance/sows/SOW-1.txt:0" },
    { TOUCH, "sows/SOW-.md", NULL, NULL, "extra governance/sows/SOW-.md:0" },
    { TOUCH, "actors/nobody.md", NULL, NULL, "extra governance/actors/nobody.md:0" },
    { TOUCH, "notes.txt", NULL, NULL, "extra governance/notes.txt:0" },
    { TOUCH, "sows/.sov-tmp-1-1", NULL, NULL, "extra governance/sows/.sov-tmp-1-1:0" },
    { FOLDER, "sows/more", NULL, NULL, "extra governance/sows/more:0" },
    { FOLDER, "more", NULL, NULL, "extra governance/more:0" },
    { LINK, "policy.md", NULL, NULL, "link governance/policy.md:0" },
    { LINK, "sows", NULL, NULL, "link governance/sows:0" },
    { LINK, "log/LOG", NULL, NULL, "link governance/log/1-" },
    { NAME, "policy.md", NULL, NULL, "link governance/policy.md:0" },
    { MODE, "policy.md", "755", NULL, "mode governance/policy.md:0" },
    { MODE, "README.md", "755", NULL, "mode governance/README.md:0" },
    { MODE, "checkpoints/NOTE", "755", NULL, "mode governance/checkpoints/" },
    { EDIT, "log/LOG", "principal", "principle", "differs governance/log/1-" },
    { APPEND, "log/LOG", "x", NULL, "differs governance/log/1-" },
    { CUT, "log/LOG", NULL, NULL, "differs governance/log/1-" },
    { REMOVE, "log/LOG", NULL, NULL, "missing governance/log/1-" },
    { TOUCH, "log/9-99999.jsonl", NULL, NULL, "extra governance/log/9-99999.jsonl:0" },
    { TOUCH, "log/9-8.jsonl", NULL, NULL, "extra governance/log/9-8.jsonl:0" },
    { TOUCH, "log/x", NULL, NULL, "extra governance/log/x:0" },
    { TOUCH, "log/.sov-tmp-1-1", NULL, NULL, "extra governance/log/.sov-tmp-1-1:0" },
    { TOUCH, "checkpoints/7", NULL, NULL, "differs governance/checkpoints/7:1" },
    { TOUCH, "checkpoints/07", NULL, NULL, "extra governance/checkpoints/07:0" },
    { EDIT, "checkpoints/NOTE", "\n\n", "\n", "differs governance/checkpoints/" },
    { REMOVE, "checkpoints/NOTE", NULL, NULL, "missing governance/checkpoints/" },
};

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
    case TOUCH:
        put_text(p, path, "");
        break;
    case FOLDER:
        folder_at(p, path);
        break;
    case LINK:
        assert_int_equal(rename(full, at_path(p, "aside")), 0);
        assert_int_equal(symlink(at_path(p, "aside"), full), 0);
        break;
    case NAME:
        assert_int_equal(link(full, at_path(p, "aside")), 0);
        break;
    case MODE:
        assert_int_equal(chmod(full, *row->from == '7' ? 0755 : 0600), 0);
        break;
    }
}

static void each_kind_of_damage_is_found_and_nothing_else(void **state)
{
    struct publishing *p = *state;
    struct sov_sow_request request = { .outcome = judging_outcome(&p->j, "SKU-TEA"),
                                       .title = "t",
                                       .scope = "s",
                                       .role = "operator",
                                       .done_when = "d" };
    int64_t size;

    FIXTURE_DO(&p->j.f, "master", &p->j.done, sov_sow_create(&commit, &request, &p->j.done, &err));
    size = publish(p).size;
    copy_tree(p, "governance", "whole");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct seen seen;

        damage(p, &rows[i]);
        compare_at(p, size, &seen);
        if (strncmp(seen.text, rows[i].expected, strlen(rows[i].expected)) != 0 ||
            strchr(seen.text, ','))
            fail_msg("row %zu, %s: %s", i, rows[i].expected, seen.text);
        remove_at(p, "governance");
        remove_at(p, "aside");
        copy_tree(p, "whole", "governance");
    }
    all_is_equal(p);
}

static void all_differences_are_told_not_the_first_alone(void **state)
{
    struct publishing *p = *state;
    struct seen seen;
    int64_t size = publish(p).size;

    edit(p, "governance/policy.md", "# Policy", "# policy");
    remove_at(p, "governance/README.md");
    put_text(p, "governance/notes.txt", "");
    put_text(p, "governance/log/x", "");
    assert_string_equal(compare_at(p, size, &seen),
                        "missing governance/README.md:0, differs governance/policy.md:1, "
                        "extra governance/notes.txt:0, extra governance/log/x:0");
}

static void newer_events_are_no_difference(void **state)
{
    struct publishing *p = *state;

    publish(p);
    judging_sow(&p->j, judging_outcome(&p->j, "SKU-TEA"), NULL, NULL);
    all_is_equal(p);
}

static void a_memory_of_that_size_is_as_good_as_the_ledger(void **state)
{
    struct publishing *p = *state;
    struct sov_ledger *folded, *live = p->j.f.ledger;
    struct sov_error err = { 0 };
    struct seen seen;
    int64_t size = publish(p).size;

    judging_outcome(&p->j, "SKU-TEA");
    assert_true(sov_ledger_fold_to(live, size, &folded, &err));
    p->j.f.ledger = folded;
    compare_at(p, size, &seen);
    p->j.f.ledger = live;
    sov_ledger_close(folded);
    assert_string_equal(seen.text, "");
}

static void overlapping_segments_are_fine_a_gap_is_not(void **state)
{
    struct publishing *p = *state;
    struct seen seen;
    struct sov_bytes first, second;
    struct sov_buf both;
    long long a, b;

    a = publish(p).size;
    judging_outcome(&p->j, "SKU-TEA");
    b = publish(p).size;
    first = file_of(p, text_of(p, "governance/log/1-%lld.jsonl", a));
    second = file_of(p, text_of(p, "governance/log/%lld-%lld.jsonl", a + 1, b));
    sov_buf_init(&both, 64 << 20);
    sov_buf_add(&both, first);
    sov_buf_add(&both, second);
    put_file(p, text_of(p, "governance/log/1-%lld.jsonl", b), sov_buf_bytes(&both), 0644);
    sov_buf_release(&both);
    all_is_equal(p);
    remove_at(p, text_of(p, "governance/log/1-%lld.jsonl", b));
    remove_at(p, text_of(p, "governance/log/%lld-%lld.jsonl", a + 1, b));
    assert_string_equal(compare_at(p, b, &seen),
                        text_of(p, "missing governance/log/%lld-%lld.jsonl:0", a + 1, b));
}

static void what_is_not_there_cannot_be_compared(void **state)
{
    struct publishing *p = *state;
    struct sov_compared compared;
    struct sov_error err = { 0 };

    assert_false(sov_tree_compare(p->j.f.ledger, &p->repo, 1, NULL, NULL, &compared, &err));
    assert_string_equal(err.code, "absent");
    publish(p);
    assert_false(sov_tree_compare(p->j.f.ledger, &p->repo, 99999, NULL, NULL, &compared, &err));
    assert_string_equal(err.code, "rollback");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, publishing_setup, publishing_teardown)
    const struct CMUnitTest tests[] = {
        T(each_kind_of_damage_is_found_and_nothing_else),
        T(all_differences_are_told_not_the_first_alone),
        T(newer_events_are_no_difference),
        T(a_memory_of_that_size_is_as_good_as_the_ledger),
        T(overlapping_segments_are_fine_a_gap_is_not),
        T(what_is_not_there_cannot_be_compared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
