/*
 * The clock and the random source of the transcript binary, linked in the place of base/clock.c
 * and base/random.c: the same command under the same environment does the same, to the octet.
 *   SOV_TEST_CLOCK    the wall clock, an RFC 3339 instant      2026-01-01T00:00:00.000Z
 *   SOV_TEST_BOOT_MS  milliseconds since boot                  1000000
 *   SOV_TEST_BOOT     the boot id                              00000000-0000-4000-8000-000000000001
 *   SOV_TEST_MACHINE  the digest that stands for the machine   00000000000000000000000000000001
 *   SOV_TEST_SEED     what all random octets follow from       sov
 *   SOV_TEST_PROCESS  "PID START" of whoever acts              what the kernel says
 * Two commands under one seed draw the same octets: a transcript that makes two keys gives each
 * command its own seed. The shipped program knows none of these names.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/child.h"
#include "base/crypto.h"
#include "base/env.h"
#include "base/seams.h"

static const char *set_or(const char *name, const char *otherwise)
{
    const char *value = sov_env(name);

    return value ? value : otherwise;
}

static bool word(const char *name, const char *otherwise, const char *alphabet, char *text_out,
                 size_t size, struct sov_error *err)
{
    const char *value = set_or(name, otherwise);

    if (strlen(value) != size || strspn(value, alphabet) != size)
        return sov_fail(err, SOV_USAGE, "bad_value", "%s: %zu of %s wanted", name, size, alphabet);
    memcpy(text_out, value, size + 1);
    return true;
}

static bool boot_clock(int64_t *ms_out, struct sov_error *err)
{
    const char *value = set_or("SOV_TEST_BOOT_MS", "1000000");
    char *end;
    long long ms;

    errno = 0;
    ms = strtoll(value, &end, 10);
    if (errno || end == value || *end || ms < 0)
        return sov_fail(err, SOV_USAGE, "bad_value", "SOV_TEST_BOOT_MS is no number");
    *ms_out = ms;
    return true;
}

static bool read_clock(void *self, struct sov_now *now_out, struct sov_error *err)
{
    struct sov_now now;
    const char *wall = set_or("SOV_TEST_CLOCK", "2026-01-01T00:00:00.000Z");

    (void)self;
    if (!sov_instant_parse_foreign(sov_bytes_text(wall), &now.wall, err) ||
        !boot_clock(&now.boot_ms, err) ||
        !word("SOV_TEST_BOOT", "00000000-0000-4000-8000-000000000001", "0123456789abcdef-",
              now.boot, SOV_BOOT_ID_SIZE, err) ||
        !word("SOV_TEST_MACHINE", "00000000000000000000000000000001", "0123456789abcdef",
              now.machine, SOV_MACHINE_SIZE, err))
        return false;
    *now_out = now;
    return true;
}

struct sov_clock sov_clock_system(void)
{
    return (struct sov_clock){ .read = read_clock };
}

/* Deadlines of children are never recorded: they run on the machine's own clock here, too. */
int64_t sov_monotonic_ms(void)
{
    struct timespec t = { 0 };

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool fill(void *self, uint8_t *octets, size_t size, struct sov_error *err)
{
    uint64_t *drawn = self;
    const char *seed = set_or("SOV_TEST_SEED", "sov");
    char count[24];

    (void)err;
    while (size > 0) {
        int digits = snprintf(count, sizeof count, "%" PRIu64 "\n", (*drawn)++);
        const struct sov_bytes parts[] = { sov_bytes(count, (size_t)digits), sov_bytes_text(seed) };
        struct sov_hash block = sov_sha256_parts(parts, 2);
        size_t part = size < sizeof block.octets ? size : sizeof block.octets;

        memcpy(octets, block.octets, part);
        octets += part;
        size -= part;
    }
    return true;
}

struct sov_random sov_random_system(void)
{
    /* Of the whole process: a second source made in it goes on where the first one is. */
    static uint64_t drawn;

    return (struct sov_random){ &drawn, fill };
}

/* The linker leads calls of sov_process_self here (--wrap), its own is the real one. */
bool __real_sov_process_self(struct sov_process_id *id_out, struct sov_error *err);
bool __wrap_sov_process_self(struct sov_process_id *id_out, struct sov_error *err);

bool __wrap_sov_process_self(struct sov_process_id *id_out, struct sov_error *err)
{
    const char *value = sov_env("SOV_TEST_PROCESS");
    long long pid, start;

    if (!value) return __real_sov_process_self(id_out, err);
    if (sscanf(value, "%lld %lld", &pid, &start) != 2)
        return sov_fail(err, SOV_USAGE, "bad_value", "SOV_TEST_PROCESS is no PID START");
    *id_out = (struct sov_process_id){ pid, start };
    return true;
}
