/* Which pages a publication is of, and from which head. */
#include "tests/publishing_fixture.h"

#include "tests/unit.h"

#include <sqlite3.h>
#include <stdio.h>

static void each_named_page_that_is_touched_is_written_once(void **state)
{
    static const char *const ids[] = { "ann", "bob", "cat" };
    struct publishing *p = *state;
    struct judging *j = &p->j;
    struct sov_published published;
    long long first, last;

    first = publish(p).size + 1;
    for (size_t i = 0; i < 3; i++) {
        struct sov_actor_request request = { ids[i], "robot", "operator", "scripted", NULL, NULL };

        FIXTURE_DO(&j->f, "principal", &j->done,
                   sov_actor_register(&commit, &request, &j->done, &err));
    }
    for (size_t i = 0; i < 3; i++)
        FIXTURE_DO(&j->f, "principal", &j->done,
                   sov_actor_change(&commit, ids[i], SOV_ACTOR_SUSPEND, "x", &j->done, &err));
    last = fixture_head(&j->f);
    published = publish(p);
    assert_string_equal(written(p, &published),
                        text_of(p,
                                "log/%lld-%lld.jsonl actors/ann.md actors/ann.json actors/bob.md "
                                "actors/bob.json actors/cat.md actors/cat.json checkpoints/%lld",
                                first, last, last));
    all_is_equal(p);
}

/* A stranger beside the open handle, with triggers out of the way. */
static void tamper(struct publishing *p, const char *sql)
{
    char path[160];
    sqlite3 *db;

    snprintf(path, sizeof path, "%s/organization.db", p->j.f.home);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void a_head_without_its_checkpoint_is_not_published(void **state)
{
    struct publishing *p = *state;
    struct sov_bytes whole;

    publish(p);
    judging_outcome(&p->j, "SKU-TEA");
    whole = ledger_octets(p);
    tamper(p, "DELETE FROM checkpoint WHERE size = (SELECT max(size) FROM checkpoint)");
    refused(p, "head_mismatch"); /* no file touched */
    ledger_put_back(p, whole);
    publish(p);
    all_is_equal(p);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, publishing_setup, publishing_teardown)
    const struct CMUnitTest tests[] = {
        T(each_named_page_that_is_touched_is_written_once),
        T(a_head_without_its_checkpoint_is_not_published),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
