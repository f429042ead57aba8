/* Of content that is missing so many names are kept, and what is missing beyond them counts, too.
 */
#include "tests/unit.h"

#include <string.h>

#include "base/alloc.h"
#include "verify/judge.h"

/* One name more than there is room for, of event 20; a restore of event `seq` lost all to `from`.
 */
static void end(struct sov_report *report, struct sov_arena *arena, int64_t from)
{
    struct sov_restore_seen restore = { .seq = from + 1, .from_size = from };
    struct sov_judge judge = { .report = report };

    *report = (struct sov_report){ .arena = arena };
    judge.blobs.gone = sov_alloc(sizeof *judge.blobs.gone);
    *judge.blobs.gone = (struct sov_gone){ .beyond = 9, .beyond_seq = 20 };
    judge.restores.at = &restore;
    judge.restores.count = 1;
    sov_blobs_end(&judge);
    sov_free(judge.blobs.gone);
}

static void what_no_restore_lost_is_missing_beyond_the_room_too(void **state)
{
    struct sov_arena arena;
    struct sov_report report;

    (void)state;
    sov_arena_init(&arena, 1 << 20);
    end(&report, &arena, 19);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.findings[0].class, SOV_CLASS_TAMPER);
    assert_string_equal(report.findings[0].kind, "blob_missing");
    assert_int_equal(report.findings[0].seq, 20);
    assert_int_equal(report.note_count, 0);
    sov_arena_release(&arena);
}

static void what_a_restore_lost_is_counted_beyond_the_room(void **state)
{
    struct sov_arena arena;
    struct sov_report report;

    (void)state;
    sov_arena_init(&arena, 1 << 20);
    end(&report, &arena, 20);
    assert_int_equal(report.count, 0);
    assert_int_equal(report.note_count, 1);
    assert_non_null(strstr(report.notes[0], "9 contents did not come back"));
    sov_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_restore_lost_is_missing_beyond_the_room_too),
        cmocka_unit_test(what_a_restore_lost_is_counted_beyond_the_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
