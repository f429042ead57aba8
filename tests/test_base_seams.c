#include "tests/unit.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/seams.h"

static void the_system_clock_tells_what_kernel_and_files_say(void **state)
{
    const struct sov_clock clock = sov_clock_system();
    struct sov_now a, b;
    struct sov_error err;

    (void)state;
    assert_true(clock.read(clock.self, &a, &err));
    assert_true(clock.read(clock.self, &b, &err));
    assert_true(a.wall.ms > INT64_C(1577836800000)); /* 2020: seconds or microseconds would fail */
    assert_true(a.wall.ms < INT64_C(7258118400000)); /* 2200 */
    assert_true(a.boot_ms >= 0 && b.boot_ms >= a.boot_ms);
    assert_int_equal(strlen(a.boot), SOV_BOOT_ID_SIZE);
    assert_int_equal(strspn(a.boot, "0123456789abcdef-"), SOV_BOOT_ID_SIZE);
    assert_string_equal(a.boot, b.boot);
    assert_int_equal(strlen(a.machine), SOV_MACHINE_SIZE);
    assert_int_equal(strspn(a.machine, "0123456789abcdef"), SOV_MACHINE_SIZE);
    assert_string_equal(a.machine, b.machine);
}

static void name_of_machine(char text_out[SOV_MACHINE_SIZE + 1])
{
    const struct sov_clock clock = sov_clock_system();
    struct sov_now now;
    struct sov_error err;

    assert_true(clock.read(clock.self, &now, &err));
    memcpy(text_out, now.machine, sizeof now.machine);
}

/* A container shares boot and clock with its host, and the files too if it is told so; but what has
 * the number 7 here is somebody else there. */
static void another_space_of_processes_is_another_machine(void **state)
{
    char here[SOV_MACHINE_SIZE + 1], there[SOV_MACHINE_SIZE + 1];
    int ends[2], status;
    pid_t child;

    (void)state;
    name_of_machine(here);
    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (unshare(CLONE_NEWPID) != 0) _exit(77);
        child = fork();
        if (child == 0) {
            /* /proc is of the space above: it tells of ourselves by no number. */
            if (unshare(CLONE_NEWNS) != 0 ||
                mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
                mount("proc", "/proc", "proc", 0, NULL) != 0)
                _exit(77);
            name_of_machine(there);
            _exit(write(ends[1], there, sizeof there) == (ssize_t)sizeof there ? 0 : 1);
        }
        _exit(waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    }
    (void)close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) {
        (void)close(ends[0]);
        skip(); /* no namespaces here */
    }
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(read(ends[0], there, sizeof there), sizeof there);
    (void)close(ends[0]);
    assert_string_not_equal(here, there);
}

static void a_machine_is_named_by_a_tagged_digest(void **state)
{
    const struct sov_clock clock = sov_clock_system();
    struct sov_bytes parts[3] = { sov_bytes_text("sov.machine.v1\n") };
    struct sov_hash hash;
    struct sov_now now;
    struct sov_error err;
    char id[200] = { 0 }, space[64] = { 0 }, hex[SOV_HEX_HASH + 1];
    FILE *file = fopen("/etc/machine-id", "r");

    (void)state;
    if (file) {
        if (!fgets(id, sizeof id, file)) id[0] = 0;
        fclose(file);
        id[strcspn(id, "\n")] = 0;
    }
    if (id[0] == 0) assert_int_equal(gethostname(id, sizeof id - 1), 0);
    parts[1] = sov_bytes_text(id);
    /* Where a kernel was booted nothing is added: the first space of processes has this name. */
    if (readlink("/proc/self/ns/pid", space, sizeof space - 1) > 0 &&
        strcmp(space, "pid:[4026531836]") != 0)
        parts[2] = sov_bytes_text(space);
    hash = sov_sha256_parts(parts, 3);
    sov_hex(sov_hash_bytes(&hash), hex);
    assert_true(clock.read(clock.self, &now, &err));
    assert_memory_equal(now.machine, hex, SOV_MACHINE_SIZE);
    assert_null(strstr(now.machine, id));
}

static void the_system_gives_every_octet_asked_for(void **state)
{
    const struct sov_random random = sov_random_system();
    struct sov_error err;
    uint8_t octets[1000];
    bool seen[sizeof octets] = { false };

    (void)state;
    octets[999] = 7;
    assert_true(random.fill(random.self, octets, 0, &err));
    assert_int_equal(octets[999], 7);
    /* 20 draws that all leave an octet at zero: less likely than 2^-150. */
    for (int i = 0; i < 20; i++) {
        memset(octets, 0, sizeof octets);
        assert_true(random.fill(random.self, octets, sizeof octets, &err));
        for (size_t at = 0; at < sizeof octets; at++) seen[at] |= octets[at] != 0;
    }
    for (size_t at = 0; at < sizeof octets; at++)
        if (!seen[at]) fail_msg("octet %zu is always 0", at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_system_clock_tells_what_kernel_and_files_say),
        cmocka_unit_test(a_machine_is_named_by_a_tagged_digest),
        cmocka_unit_test(another_space_of_processes_is_another_machine),
        cmocka_unit_test(the_system_gives_every_octet_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
