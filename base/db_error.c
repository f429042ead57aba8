/* What SQLite's codes mean here. */
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/db_inside.h"
#include "base/file.h"

/* Behind a failed COMMIT the library has not asked, and no call has failed since the one that did.
 */
static int system_error(sqlite3 *lib)
{
    int number = sqlite3_system_errno(lib);

    /* Elsewhere errno is of some call long before. */
    if (!number && (sqlite3_errcode(lib) & 0xff) == SQLITE_IOERR) number = errno;
    return number;
}

static bool no_room_left(sqlite3 *lib)
{
    int error = system_error(lib);

    return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

/* What the library cannot make it asks for once more, only to read it, which loses why. */
static bool no_room_beside(const struct sov_db *db)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    struct sov_error why = { 0 };
    char *parent = sov_db_parent(db->path);
    bool room = sov_folder_open(&folder, parent, &why) && sov_folder_has_room(&folder, &why);

    sov_free(parent);
    return !room && strcmp(why.code, "disk_full") == 0;
}

/* What the disk did to us: nothing after it can be believed, so the handle remembers. */
static bool poison(struct sov_db *db, enum sov_exit exit, const char *code, struct sov_error *err)
{
    int number = system_error(db->lib);
    char text[300];

    snprintf(text, sizeof text, "%s (sqlite %d%s%s)", sqlite3_errmsg(db->lib),
             sqlite3_extended_errcode(db->lib), number ? ", " : "", number ? strerror(number) : "");
    return sov_db_poison(db, exit, code, text, err);
}

/* SQLite's allocator got nothing. It has undone what it was at, and is asked nothing more. */
static bool no_memory(struct sov_db *db, struct sov_error *err)
{
    return sov_db_poison(db, SOV_UNABLE, "no_memory", "SQLite got no memory", err);
}

static bool fail_constraint(struct sov_db *db, int rc, struct sov_error *err)
{
    const char *text = sqlite3_errmsg(db->lib);

    if (rc == SQLITE_CONSTRAINT_COMMITHOOK)
        return sov_fail(err, SOV_INTEGRITY, "refused_by_schema",
                        "a commit outside of the transaction function");
    if (rc == SQLITE_CONSTRAINT_TRIGGER && sov_db_ends_with(text, "stale fence"))
        return sov_fail(err, SOV_CONFLICT, "stale_fence", "%s", text);
    return sov_fail(err, SOV_INTEGRITY, "refused_by_schema", "%s", text);
}

static bool fail_readonly(struct sov_db *db, int rc, struct sov_error *err)
{
    if (rc == SQLITE_READONLY_DBMOVED) return poison(db, SOV_UNABLE, "io_error", err);
    if (rc == SQLITE_READONLY_ROLLBACK || rc == SQLITE_READONLY_RECOVERY ||
        rc == SQLITE_READONLY_CANTINIT || rc == SQLITE_READONLY_CANTLOCK)
        return sov_fail(err, SOV_UNABLE, "needs_recovery",
                        "%s: an interrupted write must be rolled back by a writer first", db->path);
    return sov_fail(err, SOV_INTEGRITY, "refused_by_schema", "%s", sqlite3_errmsg(db->lib));
}

static bool fail_journal(struct sov_db *db, struct sov_error *err)
{
    bool lost = sqlite3_system_errno(db->lib) == ENOENT;

    if (lost && db->mode == SOV_DB_READ) /* a reader may make none */
        return fail_readonly(db, SQLITE_READONLY_CANTINIT, err);
    if (lost && no_room_beside(db))
        return sov_db_poison(db, SOV_UNABLE, "disk_full", "no room for a journal beside it", err);
    return poison(db, SOV_UNABLE, no_room_left(db->lib) ? "disk_full" : "io_error", err);
}

bool sov_db_fail(struct sov_db *db, int rc, struct sov_error *err)
{
    switch (rc & 0xff) {
    case SQLITE_NOMEM:
        return no_memory(db, err);
    case SQLITE_BUSY:
    case SQLITE_PROTOCOL:
        if (sov_pause_stopped(&db->pause, err)) return false;
        return sov_fail(err, SOV_UNABLE, "busy", "%s: %s after waiting %lld ms", db->path,
                        sqlite3_errmsg(db->lib), (long long)sov_pause_waited_ms(&db->pause));
    case SQLITE_FULL:
        return poison(db, SOV_UNABLE, "disk_full", err);
    case SQLITE_IOERR:
        if (rc == SQLITE_IOERR_NOMEM) return no_memory(db, err);
        return poison(db, SOV_UNABLE, no_room_left(db->lib) ? "disk_full" : "io_error", err);
    case SQLITE_CANTOPEN: /* a journal, the file itself is open */
        return fail_journal(db, err);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: /* also said of a schema of which a page could not be read */
        if (errno && errno != ENOENT) return poison(db, SOV_UNABLE, "io_error", err);
        return poison(db, SOV_INTEGRITY, "corrupt", err);
    case SQLITE_READONLY:
        return fail_readonly(db, rc, err);
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
        return fail_constraint(db, rc, err);
    case SQLITE_AUTH:
        return sov_fail(err, SOV_INTEGRITY, "refused_by_schema", "authorizer: %s",
                        sqlite3_errmsg(db->lib));
    default: /* SQLite's codes: the statement does not fit the schema of this file */
        return sov_fail(err, SOV_INTEGRITY, "schema", "%s: %s (sqlite %d)", db->path,
                        sqlite3_errmsg(db->lib), rc);
    }
}

/* The code with which a page could not be read, where the check of the pages says no more than
 * that; else 0. No name out of the file stands in what begins so. */
static int unread(const char *text)
{
    static const char with_code[] = ": unable to get the page. error code=";
    const char *at = strstr(text, with_code);

    if (at) return (int)strtol(at + sizeof with_code - 1, NULL, 10);
    return strstr(text, "failed to get page") && errno && errno != ENOENT ? SQLITE_IOERR : 0;
}

bool sov_db_fail_check(struct sov_db *db, const char *text, struct sov_error *err)
{
    static const char head[] = "*** in database main ***\n";
    const size_t size = sizeof head - 1;
    bool pages = strncmp(text, head, size) == 0;
    int code = pages ? unread(text) : 0;

    if (pages) text += size;
    if ((code & 0xff) == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM) return no_memory(db, err);
    if ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN)
        return sov_db_poison(db, SOV_UNABLE, "io_error", text, err);
    return sov_db_poison(db, SOV_INTEGRITY, "corrupt", text, err);
}
