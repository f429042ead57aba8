#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/seams.h"

/* The first octets of a small file, without white space at the end. */
static bool small_file(const char *path, char *text, size_t room, size_t *size_out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    size_t size = 0;
    ssize_t got = 0;

    if (fd < 0) return false;
    while (size < room) {
        got = read(fd, text + size, room - size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        size += (size_t)got;
    }
    close(fd);
    if (got < 0) return false;
    while (size > 0 && strchr(" \t\r\n", text[size - 1])) size--;
    *size_out = size;
    return true;
}

static bool clock_ms(clockid_t id, int64_t *ms_out, struct sov_error *err)
{
    struct timespec t;

    if (clock_gettime(id, &t) != 0)
        return sov_fail(err, SOV_UNABLE, "io_error", "the clock cannot be read: %s",
                        strerror(errno));
    *ms_out = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
    return true;
}

int64_t sov_monotonic_ms(void)
{
    struct timespec t = { 0 };

    /* Refused for unknown clocks and bad addresses only. */
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool boot_id(char text_out[SOV_BOOT_ID_SIZE + 1], struct sov_error *err)
{
    static const char path[] = "/proc/sys/kernel/random/boot_id";
    char text[SOV_BOOT_ID_SIZE + 2] = { 0 };
    size_t size;

    if (!small_file(path, text, sizeof text, &size) || size != SOV_BOOT_ID_SIZE ||
        strspn(text, "0123456789abcdef-") < size)
        return sov_fail(err, SOV_UNABLE, "io_error", "%s cannot be read", path);
    memcpy(text_out, text, size);
    text_out[size] = 0;
    return true;
}

/* Numbers of processes mean something within one namespace of them alone: another one is as another
 * machine, or its living would be taken for dead. The first of each boot has this name. */
static const char first_space[] = "pid:[4026531836]";

static struct sov_bytes process_space(char text[64])
{
    ssize_t size = readlink("/proc/self/ns/pid", text, 63);
    struct sov_bytes space = sov_bytes(text, size > 0 ? (size_t)size : 0);

    return sov_bytes_is(space, first_space) ? sov_bytes(NULL, 0) : space;
}

/* The id itself is meant to stay on its machine (machine-id(5)): only a tagged digest leaves. */
static bool machine(char text_out[SOV_MACHINE_SIZE + 1], struct sov_error *err)
{
    char id[128], space[64], hex[SOV_HEX_HASH + 1];
    size_t size;
    struct utsname node;
    struct sov_bytes parts[3] = { sov_bytes_text("sov.machine.v1\n") };
    struct sov_hash hash;

    if (small_file("/etc/machine-id", id, sizeof id, &size) && size > 0 &&
        !sov_bytes_is(sov_bytes(id, size), "uninitialized")) {
        parts[1] = sov_bytes(id, size);
    } else {
        if (uname(&node) != 0)
            return sov_fail(err, SOV_UNABLE, "io_error", "the machine has no name: %s",
                            strerror(errno));
        parts[1] = sov_bytes_text(node.nodename);
    }
    parts[2] = process_space(space);
    hash = sov_sha256_parts(parts, 3);
    sov_hex(sov_hash_bytes(&hash), hex);
    memcpy(text_out, hex, SOV_MACHINE_SIZE);
    text_out[SOV_MACHINE_SIZE] = 0;
    return true;
}

static bool read_clock(void *self, struct sov_now *now_out, struct sov_error *err)
{
    static const int64_t year_10000_ms = INT64_C(253402300800000);
    struct sov_now now;

    (void)self;
    if (!clock_ms(CLOCK_REALTIME, &now.wall.ms, err) ||
        !clock_ms(CLOCK_BOOTTIME, &now.boot_ms, err) || !boot_id(now.boot, err) ||
        !machine(now.machine, err))
        return false;
    if (now.wall.ms < 0 || now.wall.ms >= year_10000_ms)
        return sov_fail(err, SOV_UNABLE, "io_error", "the clock is not between 1970 and 9999");
    *now_out = now;
    return true;
}

struct sov_clock sov_clock_system(void)
{
    return (struct sov_clock){ .read = read_clock };
}
