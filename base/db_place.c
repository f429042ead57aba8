/* The name of a database file: what may stand there, and how SQLite is told. */
#include "base/db.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/db_inside.h"

bool sov_db_place_check(const char *path, enum sov_db_mode mode, struct sov_error *err)
{
    struct stat facts;

    if (lstat(path, &facts) != 0) return true; /* absent, or known to another file system */
    if (mode == SOV_DB_CREATE)
        return sov_fail(err, SOV_CONFLICT, "exists", "%s is there already", path);
    if (!S_ISREG(facts.st_mode) || facts.st_nlink != 1)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is no regular file with one name",
                        path);
    return true;
}

char *sov_db_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t size = slash && slash > path ? (size_t)(slash - path) : 1;
    char *parent = sov_alloc(size + 1);

    memcpy(parent, slash ? path : ".", size);
    return parent;
}

bool sov_db_is_folder(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static bool plain_in_uri(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("/._-", c);
}

char *sov_db_uri(const char *path, enum sov_db_mode mode)
{
    static const char digit[] = "0123456789ABCDEF";
    /* A reader makes no index of the WAL either. */
    const char *tail = mode == SOV_DB_READ ? "?readonly_shm=1" : "";
    size_t room = 3 * strlen(path) + 32;
    char *uri = sov_alloc(room);
    size_t size = (size_t)snprintf(uri, room, "file:%s", path[0] == '/' ? "" : "./");

    for (const char *c = path; *c; c++) {
        if (plain_in_uri(*c)) {
            uri[size++] = *c;
            continue;
        }
        uri[size++] = '%';
        uri[size++] = digit[(uint8_t)*c >> 4];
        uri[size++] = digit[(uint8_t)*c & 15];
    }
    snprintf(uri + size, room - size, "%s", tail);
    return uri;
}
