/* What a connection is set to, what a file is stamped with, and who may use which journal. */
#include "base/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/db_inside.h"

enum {
    APPLICATION_ID = 0x736f7631, /* "sov1" */
    PAGE_CACHE_KIB = 8 * 1024,
    PAGE_SIZE = 4096,
    JOURNAL_SIZE_MAX = 32 * 1024 * 1024 /* what a long transaction may leave behind */
};

/* Releases before can lose committed data in this mode; 3.52.0 was withdrawn. */
bool sov_db_wal_is_sound(int version_number)
{
    int release = version_number / 1000;

    if (release == 3044) return version_number >= 3044006;
    if (release == 3050) return version_number >= 3050007;
    return version_number >= 3051003 && version_number != 3052000;
}

/* Only constants of this file come here: a pragma takes no parameters. */
static bool pragma(struct sov_db *db, const char *name, int64_t n, struct sov_error *err)
{
    char sql[80];

    snprintf(sql, sizeof sql, "PRAGMA %s = %lld", name, (long long)n);
    return sov_db_exec_all(db, sql, err);
}

static bool set(struct sov_db *db, const char *name, int64_t n, struct sov_error *err)
{
    char sql[80], want[24], got[24];

    snprintf(sql, sizeof sql, "PRAGMA %s", name);
    snprintf(want, sizeof want, "%lld", (long long)n);
    if (!pragma(db, name, n, err) || !sov_db_ask(db, sql, got, sizeof got, err)) return false;
    if (strcmp(got, want) != 0)
        return sov_fail(err, SOV_UNABLE, "io_error", "%s: %s is %s and cannot be set to %s",
                        db->path, name, got, want);
    return true;
}

static bool set_journal(struct sov_db *db, struct sov_error *err)
{
    static const char asked[] = "PRAGMA main.journal_mode";
    static const char wal[] = "PRAGMA main.journal_mode = WAL";
    static const char persist[] = "PRAGMA main.journal_mode = PERSIST";
    static const char memory[] = "PRAGMA main.journal_mode = MEMORY";
    const char *want = sov_db_wal_is_sound(sov_db_library_number()) ? "wal" : "persist", *sql;

    if (!sov_db_ask(db, asked, db->journal, sizeof db->journal, err)) return false;
    if (db->mode == SOV_DB_MEMORY) want = "memory";
    /* A reader writes no journal; to leave WAL it would have to write into the file. */
    if (db->mode == SOV_DB_READ && strcmp(db->journal, "wal") == 0) return true;
    if (db->mode == SOV_DB_READ) want = "persist";
    /* Nothing that is tried reaches a disk: a WAL gets its pages at the commit. */
    if (db->mode == SOV_DB_TRY && strcmp(db->journal, "wal") == 0) return true;
    if (db->mode == SOV_DB_TRY) want = "memory";
    sql = strcmp(want, "wal") == 0 ? wal : strcmp(want, "memory") == 0 ? memory : persist;
    if (strcmp(db->journal, want) != 0 &&
        !sov_db_ask(db, sql, db->journal, sizeof db->journal, err))
        return false;
    if (strcmp(db->journal, want) != 0)
        return sov_fail(err, SOV_UNABLE, "io_error", "%s: the journal is %s and cannot be made %s",
                        db->path, db->journal, want);
    return true;
}

bool sov_db_set_all(struct sov_db *db, const struct sov_db_options *options, struct sov_error *err)
{
    static const struct {
        const char *name;
        int64_t want;
    } settings[] = {
        { "foreign_keys", 1 },
        { "recursive_triggers", 1 },
        { "trusted_schema", 0 },
        { "writable_schema", 0 },
        { "ignore_check_constraints", 0 },
        { "cell_size_check", 1 },
        { "read_uncommitted", 0 },
        { "secure_delete", 1 }, /* an erased blob must leave its pages */
        { "synchronous", 2 },   /* FULL: the only one that lost no acknowledged commit */
        { "temp_store", 2 },    /* memory: no file beside the one we were given */
        { "mmap_size", 0 },
        { "journal_size_limit", JOURNAL_SIZE_MAX },
    };
    bool fresh = options->mode == SOV_DB_CREATE || options->mode == SOV_DB_MEMORY;
    int64_t cache_kib = options->page_cache_kib ? options->page_cache_kib : PAGE_CACHE_KIB;

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (!set(db, settings[i].name, settings[i].want, err)) return false;
    return set(db, "cache_size", -cache_kib, err) &&
           (!fresh ||
            (set(db, "page_size", options->page_size ? options->page_size : PAGE_SIZE, err) &&
             set(db, "auto_vacuum", 0, err))) &&
           set_journal(db, err) &&
           (options->mode != SOV_DB_TRY || set(db, "cache_spill", 0, err)) &&
           set(db, "query_only", options->mode == SOV_DB_READ, err);
}

/* A journal that persists would keep the pages as they were. WAL frames go by a checkpoint, which a
 * reader can put off until the next one. */
bool sov_db_forget(struct sov_db *db, bool committed, struct sov_error *err)
{
    bool wal = strcmp(db->journal, "wal") == 0;

    if (!db->erases || wal != committed) return true;
    return sov_db_exec_all(
        db, wal ? "PRAGMA main.wal_checkpoint(TRUNCATE)" : "PRAGMA main.journal_size_limit = 0",
        err);
}

/* One step, whole or not at all: its statements and the number of the steps done. */
static bool migrate(struct sov_db *db, const char *sql, size_t number, struct sov_error *err)
{
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };

    return sov_txn_begin(&txn, db, err) && sov_db_exec_all(db, sql, err) &&
           pragma(db, "application_id", APPLICATION_ID, err) &&
           pragma(db, "user_version", (int64_t)number, err) && sov_txn_commit(&txn, err);
}

bool sov_db_migrate(struct sov_db *db, const struct sov_db_options *options, struct sov_error *err)
{
    if (options->migration_count == 0 && !migrate(db, "", 0, err)) return false;
    for (size_t i = 0; i < options->migration_count; i++)
        if (!migrate(db, options->migrations[i], i + 1, err)) return false;
    return true;
}

static bool ask_int(struct sov_db *db, const char *sql, int64_t *n_out, struct sov_error *err)
{
    char text[24];

    if (!sov_db_ask(db, sql, text, sizeof text, err)) return false;
    *n_out = strtoll(text, NULL, 10); /* SQLite's own spelling of an integer */
    return true;
}

bool sov_db_check_stamp(struct sov_db *db, size_t count, struct sov_error *err)
{
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
    int64_t application, version;

    if (!sov_txn_look(&txn, db, err) ||
        !ask_int(db, "PRAGMA main.application_id", &application, err) ||
        !ask_int(db, "PRAGMA main.user_version", &version, err))
        return false;
    if (application != APPLICATION_ID)
        return sov_fail(err, SOV_INTEGRITY, "corrupt", "%s is no file of sov", db->path);
    if (version > (int64_t)count)
        return sov_fail(err, SOV_UNABLE, "newer_format",
                        "%s has format %lld, this program knows %zu", db->path, (long long)version,
                        count);
    if (version < (int64_t)count)
        return sov_fail(err, SOV_UNABLE, "older_format",
                        "%s has format %lld, this program wants %zu", db->path, (long long)version,
                        count);
    return true;
}
