/*
 * What the libraries cost by themselves, in a process of its own: opens a database, then commits
 * one row in the mode the ledger uses, or reads the newest.   raw commit FILE | raw head FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmark.h>
#include <sodium.h>
#include <sqlite3.h>
#include <xxhash.h>

static void run(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK) return;
    fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
    exit(1);
}

int main(int argc, char **argv)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;

    if (argc != 3 || sodium_init() < 0) return 2;
    /* Linked like sov, so that loading costs the same. */
    if (XXH3_64bits("", 0) == 0 || !cJSON_Version() || !cmark_version()) return 2;
    if (sqlite3_open(argv[2], &db) != SQLITE_OK) return 1;
    run(db, "PRAGMA journal_mode = PERSIST");
    run(db, "PRAGMA synchronous = FULL");
    if (strcmp(argv[1], "commit") == 0) {
        run(db, "BEGIN IMMEDIATE");
        run(db, "INSERT INTO row (octets) VALUES (zeroblob(320))");
        run(db, "COMMIT");
    } else {
        if (sqlite3_prepare_v2(db, "SELECT seq, octets FROM row ORDER BY seq DESC LIMIT 1", -1,
                               &stmt, NULL) != SQLITE_OK ||
            sqlite3_step(stmt) != SQLITE_ROW)
            return 1;
        printf("%lld\n", sqlite3_column_int64(stmt, 0));
        sqlite3_finalize(stmt);
    }
    sqlite3_close(db);
    return 0;
}
