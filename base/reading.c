#include "base/reading.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_open.h"
#include "base/shelf_inside.h"

bool sov_reading_open(struct sov_reading *reading, const struct sov_folder *folder,
                      const char *path, struct sov_file_facts *facts_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_reading_close) struct sov_reading made = { 0 };
    struct sov_file_facts facts, above;
    int fd;

    assert(reading && !reading->open && folder && folder->open && facts_out);
    if (!sov_path_check(path, err)) return false;
    if (folder->shelf) {
        if (!sov_shelf_read(folder, path, SIZE_MAX, &made.rest, err)) return false;
        sov_shelf_facts(folder, path, facts_out);
        *reading = (struct sov_reading){ .fd = -1, .open = true, .rest = made.rest };
        return true;
    }
    fd = sov_open_beneath(folder->fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (fd < 0) return sov_file_fail(path, -fd, err);
    made = (struct sov_reading){ .fd = fd, .open = true };
    if (!sov_reading_facts(&made, &facts, err) || !sov_folder_facts(folder, &above, err))
        return false;
    if (facts.device != above.device) return sov_file_fail(path, EXDEV, err);
    *facts_out = facts;
    *reading = made;
    made.open = false;
    return true;
}

void sov_reading_close(struct sov_reading *reading)
{
    if (reading->open && reading->fd >= 0) (void)close(reading->fd);
    reading->open = false;
}

bool sov_reading_facts(const struct sov_reading *reading, struct sov_file_facts *facts_out,
                       struct sov_error *err)
{
    struct sov_folder any = { .fd = reading->fd, .open = reading->open };

    return sov_folder_facts(&any, facts_out, err);
}

bool sov_reading_next(struct sov_reading *reading, uint8_t *octets, size_t room, size_t *size_out,
                      struct sov_error *err)
{
    size_t done = 0;

    assert(reading->open && octets && size_out);
    if (reading->fd < 0) {
        done = room < reading->rest.size ? room : reading->rest.size;
        if (done) memcpy(octets, reading->rest.data, done);
        reading->rest = sov_bytes(reading->rest.data + done, reading->rest.size - done);
        *size_out = done;
        return true;
    }
    while (done < room) {
        ssize_t n = read(reading->fd, octets + done, room - done);

        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return sov_file_fail("the open file", errno, err);
        if (n == 0) break;
        done += (size_t)n;
    }
    *size_out = done;
    return true;
}

bool sov_link_read(const struct sov_folder *folder, const char *path, struct sov_arena *arena,
                   struct sov_bytes *target_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_fd_end) int parent = -1;
    char target[PATH_MAX];
    const char *name;
    ssize_t n;

    assert(folder && folder->open && arena && target_out);
    if (!sov_path_check(path, err)) return false;
    parent = sov_open_parent(folder, path, &name);
    if (parent < 0) return sov_file_fail(path, -parent, err);
    n = readlinkat(parent, name, target, sizeof target);
    if (n < 0 && errno == EINVAL)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is no link", path);
    if (n < 0) return sov_file_fail(path, errno, err);
    *target_out = sov_arena_bytes(arena, sov_bytes(target, (size_t)n));
    return true;
}
