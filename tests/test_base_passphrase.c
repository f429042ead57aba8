#include "tests/unit.h"

#include "base/crypto.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static struct sov_passphrase *said(const char *words)
{
    struct sov_passphrase *passphrase = sov_passphrase_new();
    struct sov_error err = { 0 };

    memcpy(sov_passphrase_room(passphrase), words, strlen(words));
    if (!sov_passphrase_is(passphrase, strlen(words), &err)) fail_msg("%s", err.what);
    return passphrase;
}

static bool counting(void *self, uint8_t *octets, size_t size, struct sov_error *err)
{
    uint8_t *next = self;

    (void)err;
    for (size_t i = 0; i < size; i++) octets[i] = (*next)++;
    return true;
}

static struct sov_sealed sealed_with(const char *words, uint8_t seed_out[SOV_SEED_SIZE])
{
    SOV_CLEANUP(sov_passphrase_end) struct sov_passphrase *passphrase = said(words);
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
    SOV_CLEANUP(sov_seal_end) struct sov_seal *seal = NULL;
    uint8_t next = 1;
    const struct sov_random random = { &next, counting };
    struct sov_sealed sealed;
    struct sov_error err = { 0 };

    assert_true(sov_secret_new(&random, &secret, &err));
    assert_true(sov_seal_new(passphrase, &random, &seal, &err));
    assert_true(sov_secret_seal(secret, seal, &random, &sealed, &err));
    sov_secret_seed(secret, seed_out);
    return sealed;
}

/* NULL: it opened. */
static const char *opened(const struct sov_sealed *sealed, const char *words, uint8_t *seed_out)
{
    SOV_CLEANUP(sov_passphrase_end) struct sov_passphrase *passphrase = said(words);
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
    struct sov_error err = { 0 };

    if (!sov_secret_unseal(sealed, passphrase, &secret, &err)) {
        assert_null(secret);
        return err.code;
    }
    if (seed_out) sov_secret_seed(secret, seed_out);
    return NULL;
}

static void a_seed_comes_back_under_its_passphrase_alone(void **state)
{
    uint8_t seed[SOV_SEED_SIZE], back[SOV_SEED_SIZE];
    struct sov_sealed sealed = sealed_with("open sesame", seed);

    (void)state;
    assert_null(memmem(&sealed, sizeof sealed, seed, 8));
    assert_null(opened(&sealed, "open sesame", back));
    assert_memory_equal(back, seed, sizeof seed);
    assert_string_equal(opened(&sealed, "open sesame ", NULL), "passphrase_wrong");
    assert_string_equal(opened(&sealed, "open sesam", NULL), "passphrase_wrong");
}

static void what_was_changed_does_not_open(void **state)
{
    uint8_t seed[SOV_SEED_SIZE];
    const struct sov_sealed sealed = sealed_with("open sesame", seed);
    struct sov_sealed bad[6];

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) bad[i] = sealed;
    bad[0].salt[15] ^= 1;
    bad[1].nonce[23] ^= 0x80;
    bad[2].box[0] ^= 1;
    bad[3].box[SOV_SEAL_BOX - 1] ^= 0x80;
    bad[4].passes -= 1;
    bad[5].kib -= 1;
    for (size_t i = 0; i < COUNT(bad); i++) {
        const char *code = opened(&bad[i], "open sesame", NULL);

        if (!code || strcmp(code, "passphrase_wrong") != 0) fail_msg("row %zu", i);
    }
}

/* Files of before must open for ever: what this build wrote once, written down. */
static void a_box_of_before_opens(void **state)
{
    static const char salt[] = "2122232425262728292a2b2c2d2e2f30";
    uint8_t seed[SOV_SEED_SIZE], octets[SOV_SEAL_SALT];
    struct sov_sealed sealed = sealed_with("tr\303\274b", seed);
    char box[2 * SOV_SEAL_BOX + 1];

    (void)state;
    assert_int_equal(sealed.passes, 3);
    assert_int_equal(sealed.kib, 65536);
    assert_true(sov_unhex(sov_bytes_text(salt), octets, sizeof octets));
    assert_memory_equal(sealed.salt, octets, sizeof octets);
    sov_hex(sov_bytes(sealed.box, sizeof sealed.box), box);
    assert_string_equal(box, "f86bf6f13cc887eaeec757ecd66d1977765b14652fd1ddb6f2643dbc76f8745e"
                              "3578cdd681be928638b630d4ba5912c5");
}

static void what_asks_for_too_much_is_refused_before_any_work(void **state)
{
    static const struct {
        uint32_t passes, kib;
    } rows[] = { { 0, 64 },      { 17, 64 },        { UINT32_MAX, 64 },
                 { 1, 7 },       { 1, 0 },          { 1, SOV_SEAL_KIB_MAX + 1 },
                 { 1, 1 << 26 }, { 1, UINT32_MAX }, { UINT32_MAX, UINT32_MAX } };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sov_sealed sealed = { .passes = rows[i].passes, .kib = rows[i].kib };
        const char *code = opened(&sealed, "x", NULL);

        if (!code || strcmp(code, "bad_value") != 0) fail_msg("row %zu: %s", i, code ? code : "ok");
    }
}

static void a_passphrase_is_some_octets_and_no_nul(void **state)
{
    SOV_CLEANUP(sov_passphrase_end) struct sov_passphrase *passphrase = sov_passphrase_new();
    struct sov_error err = { 0 };

    (void)state;
    assert_false(sov_passphrase_is(passphrase, 0, &err));
    assert_string_equal(err.code, "bad_value");
    assert_false(sov_passphrase_is(passphrase, SOV_PASSPHRASE_MAX + 1, &err));
    assert_false(sov_passphrase_is(passphrase, 3, &err)); /* all of it is NUL yet */
    memset(sov_passphrase_room(passphrase), 'x', SOV_PASSPHRASE_MAX);
    assert_true(sov_passphrase_is(passphrase, SOV_PASSPHRASE_MAX, &err));
}

/* ---- what a crash leaves ---- */

/* The status of a child that does this and then aborts, where it may write a core. */
static int crashed_after(void (*act)(void))
{
    const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
    char folder[] = "/tmp/sov-test-core-XXXXXX";
    int status = 0;
    pid_t pid;

    assert_non_null(mkdtemp(folder));
    pid = fork();
    if (pid == 0) {
        (void)signal(SIGABRT, SIG_DFL);
        if (setrlimit(RLIMIT_CORE, &all) != 0 || chdir(folder) != 0) _exit(9);
        act();
        abort();
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFSIGNALED(status)) {
        char core[sizeof folder + 20];

        for (size_t i = 0; i < 2; i++) {
            snprintf(core, sizeof core, i ? "%s/core.%d" : "%s/core", folder, (int)pid);
            (void)unlink(core);
        }
    }
    (void)rmdir(folder);
    return status;
}

static void nothing(void)
{
}

static void hold_secret(void)
{
    static const uint8_t seed[SOV_SEED_SIZE] = { 7 };
    struct sov_secret *secret;
    struct sov_error err;

    if (!sov_secret_load(sov_bytes(seed, sizeof seed), &secret, &err)) _exit(9);
}

static void hold_passphrase(void)
{
    (void)said("open sesame");
    if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0) _exit(8);
}

static void who_holds_a_secret_leaves_no_core(void **state)
{
    int plain = crashed_after(nothing);

    (void)state;
    if (!WIFSIGNALED(plain) || !WCOREDUMP(plain)) skip(); /* nobody leaves one here */
    for (size_t i = 0; i < 2; i++) {
        int status = crashed_after(i ? hold_passphrase : hold_secret);

        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        assert_false(WCOREDUMP(status));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_holds_a_secret_leaves_no_core), /* first: this process holds none */
        cmocka_unit_test(a_seed_comes_back_under_its_passphrase_alone),
        cmocka_unit_test(what_was_changed_does_not_open),
        cmocka_unit_test(a_box_of_before_opens),
        cmocka_unit_test(what_asks_for_too_much_is_refused_before_any_work),
        cmocka_unit_test(a_passphrase_is_some_octets_and_no_nul),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
