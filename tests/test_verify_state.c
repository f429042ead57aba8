/*
 * The derived tables of logs that hold every kind of entity: whatever column, row or order in them
 * is not what the events give, verify says so, in one slice and in many.
 */
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#include "tests/chain_fixture.h"
#include "verify/verify.h"

static const char *const logs[] = { "good-store", "good-red", "good-lost", "good-law" };
enum { LOGS = sizeof logs / sizeof *logs, NAMES = 64 };

struct column {
    char name[NAMES], type[NAMES];
};
struct table {
    const char *name;
    struct column column[32];
    int count;
};

static bool told(struct chain *c, const char *what, int64_t slice)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_verify_options options = { .places = &c->f.places,
                                          .seams = &c->f.seams,
                                          .wait_ms = 1000,
                                          .no_anchor = true,
                                          .slice = slice };
    struct sov_report report;
    struct sov_error err = { 0 };
    bool state = false;

    sov_arena_init(&arena, 16 << 20);
    if (!sov_verify(&options, &arena, &report, &err)) fail_msg("%s: %s", what, err.what);
    for (size_t i = 0; i < report.count; i++)
        state = state || report.findings[i].class == SOV_CLASS_STATE ||
                strcmp(report.findings[i].kind, "key_twice") == 0; /* of state_idempotency */
    return state && report.exit == SOV_INTEGRITY;
}

static void columns_of(sqlite3 *db, struct table *table)
{
    sqlite3_stmt *stmt;
    char sql[200];

    table->count = 0;
    snprintf(sql, sizeof sql, "SELECT name, type FROM pragma_table_info('%s') ORDER BY cid",
             table->name);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        struct column *column = &table->column[table->count++];

        snprintf(column->name, NAMES, "%s", (const char *)sqlite3_column_text(stmt, 0));
        snprintf(column->type, NAMES, "%s", (const char *)sqlite3_column_text(stmt, 1));
    }
    sqlite3_finalize(stmt);
}

/* Another value of the same type. */
static void other(const struct column *column, char *out, size_t room)
{
    if (strcmp(column->type, "INTEGER") == 0)
        snprintf(out, room, "coalesce(%s, 0) + 1", column->name);
    else if (strcmp(column->type, "TEXT") == 0)
        snprintf(out, room, "coalesce(%s, '') || 'x'", column->name);
    else
        snprintf(out, room, "zeroblob(coalesce(length(%s), 32))", column->name);
}

static sqlite3_int64 changed_rows(sqlite3 *db, const char *sql)
{
    int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);

    if (rc == SQLITE_CONSTRAINT) return 0; /* a unique index stands: such a row cannot be there */
    if (rc != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    return sqlite3_changes64(db);
}

/* The table is put back as it was after each change. */
static int64_t change(struct chain *c, const struct table *table, const char *sql, int64_t slice)
{
    char text[300];
    sqlite3 *db = chain_raw(c);
    sqlite3_int64 rows;

    snprintf(text, sizeof text, "CREATE TEMP TABLE kept AS SELECT * FROM %s", table->name);
    chain_sql(db, text);
    rows = changed_rows(db, sql);
    if (rows && !told(c, sql, slice)) fail_msg("not noticed: %s", sql);
    snprintf(text, sizeof text, "DELETE FROM %s; INSERT INTO %s SELECT * FROM kept", table->name,
             table->name);
    chain_sql(db, text);
    sqlite3_close(db);
    return rows;
}

static void change_each(struct chain *c, struct table *table)
{
    char sql[1200], value[300], list[900] = "";
    const char *key = table->column[0].name;
    sqlite3 *db = chain_raw(c);

    columns_of(db, table);
    sqlite3_close(db);
    key = table->column[0].name;
    for (int i = 0; i < table->count; i++) {
        other(&table->column[i], value, sizeof value);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
                 i ? table->column[i].name : value);
        /* The statements of acts are made from these rows, whose reader asserts their form. */
        if (i && strcmp(table->name, "state_receipt") == 0 &&
            strcmp(table->column[i].type, "TEXT") == 0)
            continue;
        /* The last by its first column: one more of an integer key is free. */
        snprintf(sql, sizeof sql, "UPDATE %s SET %s = %s WHERE %s = (SELECT max(%s) FROM %s)",
                 table->name, table->column[i].name, value, key, key, table->name);
        if (strcmp(table->name, "state_history") == 0)
            snprintf(sql, sizeof sql, "UPDATE %s SET %s = %s WHERE seq = (SELECT max(seq) FROM %s)",
                     table->name, table->column[i].name, value, table->name);
        change(c, table, sql, 1);
    }
    for (int i = 0; i < 2 && strcmp(key, "n") == 0; i++) { /* a number that no entity has */
        snprintf(sql, sizeof sql, "UPDATE %s SET n = n %s WHERE n = (SELECT max(n) FROM %s)",
                 table->name, i ? "+ 1000000" : "- 1000000", table->name);
        change(c, table, sql, 1);
        snprintf(sql, sizeof sql, "INSERT INTO %s SELECT n %s%s FROM %s WHERE n = 1", table->name,
                 i ? "+ 1000000" : "- 1000000", strstr(list, ") + 1") + strlen(") + 1"),
                 table->name);
        change(c, table, sql, 1);
    }
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE %s = (SELECT min(%s) FROM %s)", table->name,
             key, key, table->name);
    change(c, table, sql, 1);
    snprintf(sql, sizeof sql,
             "INSERT INTO %s SELECT %s FROM %s WHERE %s = (SELECT max(%s) FROM %s)", table->name,
             list, table->name, key, key, table->name);
    if (strcmp(table->name, "state_range") != 0) change(c, table, sql, 1);
}

static void every_derived_column_and_row_is_compared(void **state)
{
    size_t count;
    const struct sov_state_table *tables = sov_state_tables(&count);
    int64_t filled[64] = { 0 };

    (void)state;
    assert_true(count <= sizeof filled / sizeof *filled);
    for (size_t i = 0; i < LOGS; i++) {
        struct sov_error err = { 0 };
        struct chain c;

        chain_open(&c, logs[i], logs[i]);
        chain_write(&c, c.count);
        if (!chain_rebuilt(&c, &err)) fail_msg("%s: %s", logs[i], err.what);
        for (size_t t = 0; t < count; t++) {
            struct table table = { .name = tables[t].name };
            char sql[200];

            if (filled[t]) continue; /* one log that has such rows is enough */
            snprintf(sql, sizeof sql, "DELETE FROM %s", table.name);
            filled[t] = change(&c, &table, sql, 0);
            if (filled[t]) change_each(&c, &table);
        }
        fixture_close(&c.f);
    }
    for (size_t t = 0; t < count; t++)
        if (!filled[t]) print_message("# no log has rows of %s\n", tables[t].name);
}

/* As many rows, each of some event, and yet not theirs. */
static void versions_that_changed_places_are_noticed(void **state)
{
    static const char *const swaps[] = {
        "UPDATE state_history SET seq = 3 WHERE seq = 4",
        "UPDATE state_history SET seq = CASE seq WHEN 3 THEN 4 ELSE 3 END WHERE seq IN (3, 4)",
        "UPDATE state_history SET seq = CASE seq WHEN (SELECT max(seq) FROM state_history) THEN "
        "(SELECT max(seq) - 1 FROM state_history) ELSE (SELECT max(seq) FROM state_history) END "
        "WHERE seq >= (SELECT max(seq) - 1 FROM state_history)",
    };
    struct table table = { .name = "state_history" };
    struct sov_error err = { 0 };
    struct chain c;

    (void)state;
    chain_open(&c, logs[0], logs[0]);
    chain_write(&c, c.count);
    assert_true(chain_rebuilt(&c, &err));
    for (size_t i = 0; i < sizeof swaps / sizeof *swaps; i++) {
        assert_true(change(&c, &table, swaps[i], 0) > 0);
        assert_true(change(&c, &table, swaps[i], 1) > 0);
    }
    fixture_close(&c.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_derived_column_and_row_is_compared),
        cmocka_unit_test(versions_that_changed_places_are_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
