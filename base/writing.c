#include "base/writing.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_open.h"
#include "base/place.h"

enum { GATHER = 256 << 10 };

bool sov_writing_begin(struct sov_writing *writing, const char *path, unsigned mode,
                       struct sov_error *err)
{
    struct sov_file_facts facts;

    assert(!writing->open);
    *writing = (struct sov_writing){ .path = path, .mode = mode, .fd = -1 };
    if (!sov_folder_above(&writing->folder, path, &writing->name, err)) return false;
    writing->open = true;
    sov_buf_init(&writing->gathered, 2 * GATHER);
    if (!sov_file_facts(&writing->folder, writing->name, &facts, err)) return false;
    if (facts.type != SOV_FILE_ABSENT && facts.type != SOV_FILE_REGULAR)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is not a regular file", path);
    writing->fd = sov_open_temporary(writing->folder.fd, writing->temporary);
    return writing->fd >= 0 || sov_file_fail(path, -writing->fd, err);
}

static bool flush(struct sov_writing *writing, struct sov_bytes octets, struct sov_error *err)
{
    int number;

    return sov_write_whole(writing->fd, octets, &number) ||
           sov_file_fail(writing->path, number, err);
}

bool sov_writing_add(struct sov_writing *writing, struct sov_bytes octets, struct sov_error *err)
{
    assert(writing->open && writing->fd >= 0);
    if (writing->gathered.size + octets.size > GATHER) {
        if (!flush(writing, sov_buf_bytes(&writing->gathered), err)) return false;
        sov_buf_clear(&writing->gathered);
    }
    if (octets.size > GATHER) return flush(writing, octets, err);
    sov_buf_add(&writing->gathered, octets);
    return true;
}

bool sov_writing_finish(struct sov_writing *writing, struct sov_error *err)
{
    int fd = writing->fd, folder = writing->folder.fd;

    assert(writing->open && fd >= 0);
    if (!flush(writing, sov_buf_bytes(&writing->gathered), err)) return false;
    if (fchmod(fd, writing->mode) != 0 || fsync(fd) != 0 ||
        renameat(folder, writing->temporary, folder, writing->name) != 0)
        return sov_file_fail(writing->path, errno, err);
    writing->fd = -1;
    (void)close(fd); /* it was synced */
    return sov_sync_folder(folder, writing->path, err);
}

void sov_writing_end(struct sov_writing *writing)
{
    if (!writing->open) return;
    if (writing->fd >= 0) {
        (void)close(writing->fd);
        (void)unlinkat(writing->folder.fd, writing->temporary, 0);
    }
    sov_folder_close(&writing->folder);
    sov_buf_release(&writing->gathered);
    writing->open = false;
}
