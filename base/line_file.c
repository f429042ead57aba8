#include "base/line_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file_open.h"

enum { AHEAD = 64 << 10 };

bool sov_line_file_open(struct sov_line_file *file, const char *path, size_t line_max,
                        struct sov_error *err)
{
    int fd = STDIN_FILENO;

    assert(!file->open && line_max);
    if (strcmp(path, "-") != 0) fd = sov_open_named(path, O_RDONLY);
    if (fd < 0) return sov_file_fail(path, -fd, err);
    *file = (struct sov_line_file){ .path = path, .line_max = line_max, .fd = fd, .open = true };
    file->room = sov_alloc(line_max + 1 + AHEAD);
    return true;
}

void sov_line_file_close(struct sov_line_file *file)
{
    if (!file->open) return;
    if (file->fd != STDIN_FILENO) (void)close(file->fd);
    sov_free(file->room);
    file->open = false;
}

/* What is not looked at yet goes to the front; behind it there is room for more. */
static bool fill(struct sov_line_file *file, struct sov_error *err)
{
    ssize_t n;

    memmove(file->room, file->room + file->from, file->to - file->from);
    file->to -= file->from;
    file->from = 0;
    do n = read(file->fd, file->room + file->to, file->line_max + 1 + AHEAD - file->to);
    while (n < 0 && errno == EINTR);
    if (n < 0) return sov_file_fail(file->path, errno, err);
    file->ended = n == 0;
    file->to += (size_t)n;
    return true;
}

bool sov_line_file_next(struct sov_line_file *file, struct sov_bytes *line_out, bool *found_out,
                        struct sov_error *err)
{
    assert(file->open);
    for (;;) {
        const uint8_t *at = file->room + file->from;
        size_t size = file->to - file->from;
        const uint8_t *feed = size ? memchr(at, '\n', size) : NULL;

        if (feed && (size_t)(feed - at) <= file->line_max) {
            *line_out = sov_bytes(at, (size_t)(feed - at));
            file->from += (size_t)(feed - at) + 1;
            *found_out = true;
            return true;
        }
        if (feed || size > file->line_max)
            return sov_fail(err, SOV_USAGE, "bad_text", "%s: a line of more than %zu bytes",
                            file->path, file->line_max);
        if (file->ended && size)
            return sov_fail(err, SOV_USAGE, "bad_text", "%s: the last line has no line feed",
                            file->path);
        if (file->ended) {
            *found_out = false;
            return true;
        }
        if (!fill(file, err)) return false;
    }
}
