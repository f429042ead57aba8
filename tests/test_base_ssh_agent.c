#include "tests/unit.h"

#include "base/ssh_agent.h"
#include "base/ssh_wire.h"
#include "base/sshsig.h"
#include "tests/ssh_fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* ---- an agent of our own, that answers one question with these octets ---- */

struct answer {
    const uint8_t *octets;
    size_t size;
    bool drips, hangs; /* an octet at a time; keeps the line open afterwards */
};

struct serving {
    char folder[32], path[48];
    pid_t pid;
};

static void serve(int listening, const struct answer *answer)
{
    uint8_t question[4096];
    int line = accept(listening, NULL, NULL);

    if (line < 0 || read(line, question, sizeof question) <= 0) _exit(1);
    for (size_t done = 0; done < answer->size;) {
        ssize_t n = write(line, answer->octets + done, answer->drips ? 1 : answer->size - done);

        if (n <= 0) _exit(1);
        done += (size_t)n;
        if (answer->drips) (void)usleep(1000);
    }
    if (answer->hangs) (void)pause();
    _exit(0);
}

static void serving_begin(struct serving *s, const struct answer *answer)
{
    struct sockaddr_un place = { .sun_family = AF_UNIX };
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(s->folder, sizeof s->folder, "/tmp/sov-test-agent-XXXXXX");
    assert_non_null(mkdtemp(s->folder));
    snprintf(s->path, sizeof s->path, "%s/agent", s->folder);
    snprintf(place.sun_path, sizeof place.sun_path, "%s", s->path);
    assert_int_equal(bind(listening, (struct sockaddr *)&place, sizeof place), 0);
    assert_int_equal(listen(listening, 1), 0);
    s->pid = fork();
    if (s->pid == 0) serve(listening, answer);
    (void)close(listening);
}

static void serving_end(struct serving *s)
{
    (void)kill(s->pid, SIGKILL);
    (void)waitpid(s->pid, NULL, 0);
    (void)unlink(s->path);
    (void)rmdir(s->folder);
}

/* ---- what it may say ---- */

static struct sov_secret *secret(void)
{
    struct sov_secret *made = NULL;
    struct sov_error err = { 0 };

    assert_true(sov_ssh_private_read(sov_bytes_text(SSH_PRIVATE), "id", &made, &err));
    return made;
}

static void put_answer(struct sov_buf *out, uint8_t kind, struct sov_bytes body)
{
    sov_buf_init(out, 1 << 20);
    sov_wire_put_uint(out, (uint32_t)body.size + 1);
    sov_buf_add_byte(out, kind);
    sov_buf_add(out, body);
}

/* A signature as a good agent gives it; `kind` and `size` say how it is not one. */
static void put_signed(struct sov_buf *out, const char *kind, size_t size, bool flipped,
                       struct sov_bytes message)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *mine = secret();
    SOV_CLEANUP(sov_buf_release) struct sov_buf inner = { 0 }, body = { 0 };
    struct sov_signature signature = sov_sign(mine, message);
    uint8_t octets[2 * SOV_SIGNATURE_SIZE] = { 0 };

    memcpy(octets, signature.octets, sizeof signature.octets);
    octets[7] ^= flipped;
    sov_buf_init(&inner, 1024);
    sov_buf_init(&body, 1024);
    sov_wire_put(&inner, sov_bytes_text(kind));
    sov_wire_put(&inner, sov_bytes(octets, size));
    sov_wire_put(&body, sov_buf_bytes(&inner));
    put_answer(out, 14, sov_buf_bytes(&body));
}

static const char *asked(const struct answer *answer, int64_t wait_ms, bool *has_out)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *mine = secret();
    struct sov_public_key key = sov_secret_public(mine);
    struct sov_signature signature = { { 1 } };
    struct serving s = { 0 };
    struct sov_agent agent = { s.path, wait_ms };
    struct sov_error err = { 0 };
    bool ok;

    serving_begin(&s, answer);
    ok = has_out ? sov_agent_has(&agent, &key, has_out, &err)
                 : sov_agent_sign(&agent, &key, sov_bytes_text("words"), &signature, &err);
    serving_end(&s);
    if (ok && !has_out) assert_true(sov_signature_holds(&key, sov_bytes_text("words"), &signature));
    if (!ok && !has_out) assert_int_equal(signature.octets[0], 1);
    return ok ? NULL : err.code;
}

enum { LONG_MS = 20000, SHORT_MS = 150 };

static void a_good_answer_is_taken_whole_or_in_pieces(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

    (void)state;
    put_signed(&out, "ssh-ed25519", SOV_SIGNATURE_SIZE, false, sov_bytes_text("words"));
    for (int drips = 0; drips < 2; drips++) {
        struct answer answer = { out.data, out.size, drips, true };

        assert_null(asked(&answer, LONG_MS, NULL));
    }
}

static void a_signature_that_is_none_is_refused(void **state)
{
    static const struct {
        const char *kind, *message;
        size_t size;
        bool flipped;
    } rows[] = {
        { "ssh-ed25519", "words", SOV_SIGNATURE_SIZE, true },
        { "ssh-ed25519", "other words", SOV_SIGNATURE_SIZE, false },
        { "ssh-ed25519", "words", SOV_SIGNATURE_SIZE - 1, false },
        { "ssh-ed25519", "words", SOV_SIGNATURE_SIZE + 1, false },
        { "ssh-ed25519", "words", 0, false },
        { "ssh-rsa", "words", SOV_SIGNATURE_SIZE, false },
        { "", "words", SOV_SIGNATURE_SIZE, false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
        struct answer answer;
        const char *code;

        put_signed(&out, rows[i].kind, rows[i].size, rows[i].flipped,
                   sov_bytes_text(rows[i].message));
        answer = (struct answer){ out.data, out.size, false, true };
        code = asked(&answer, LONG_MS, NULL);
        if (!code || strcmp(code, "agent_unavailable") != 0) fail_msg("row %zu", i);
    }
}

static void what_is_no_answer_is_refused(void **state)
{
    static const struct {
        uint8_t octets[16];
        size_t size;
        bool hangs;
    } rows[] = {
        { { 0 }, 0, false },                         /* hangs up */
        { { 0 }, 3, false },                         /* within the size */
        { { 0, 0, 0, 0 }, 4, true },                 /* of nothing */
        { { 0xff, 0xff, 0xff, 0xff }, 4, true },     /* of 4 GiB */
        { { 0, 4, 0, 1 }, 4, true },                 /* of one more than the most */
        { { 0, 0, 0, 9, 12 }, 5, false },            /* cut */
        { { 0, 0, 0, 1, 5 }, 5, true },              /* no */
        { { 0, 0, 0, 1, 12 }, 5, true },             /* a list without a count, or no signature */
        { { 0, 0, 0, 1, 14 }, 5, true },             /* a signature without one, or no list */
        { { 0, 0, 0, 5, 12, 0, 0, 0, 1 }, 9, true }, /* a list that is cut */
        { { 0, 0, 0, 5, 12, 255, 255, 255, 255 }, 9, true },
        { { 0, 0, 0, 6, 12, 0, 0, 0, 0, 1 }, 10, true }, /* goes on behind its end */
        { { 0, 0, 0, 9, 12, 0, 0, 0, 1, 0, 0, 0, 9 }, 13, true },
        { { 0, 0, 0, 5, 14, 0, 0, 0, 9 }, 9, true },
        { { 'S', 'S', 'H', '-', '2', '.', '0' }, 7, true },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int list = 0; list < 2; list++) {
            struct answer answer = { rows[i].octets, rows[i].size, false, rows[i].hangs };
            bool has = false;
            const char *code = asked(&answer, LONG_MS, list ? &has : NULL);

            if (!code || strcmp(code, "agent_unavailable") != 0) fail_msg("row %zu", i);
            assert_false(has);
        }
}

static void who_says_nothing_is_not_waited_for(void **state)
{
    struct answer silent = { NULL, 0, false, true };
    static const uint8_t half[] = { 0, 0, 0, 9, 14, 0 };
    struct answer stuck = { half, sizeof half, false, true };

    (void)state;
    assert_string_equal(asked(&silent, SHORT_MS, NULL), "agent_unavailable");
    assert_string_equal(asked(&stuck, SHORT_MS, NULL), "agent_unavailable");
}

static void a_list_says_whether_the_key_is_there(void **state)
{
    (void)state;
    for (int there = 0; there < 2; there++) {
        SOV_CLEANUP(sov_secret_end) struct sov_secret *mine = secret();
        SOV_CLEANUP(sov_buf_release) struct sov_buf blob = { 0 }, body = { 0 }, out = { 0 };
        struct sov_public_key key = sov_secret_public(mine);
        struct answer answer;
        bool has = !there;

        sov_buf_init(&blob, 64);
        sov_buf_init(&body, 1024);
        if (!there) key.octets[0] ^= 1;
        sov_ssh_key_blob(&key, &blob);
        sov_wire_put_uint(&body, 2);
        sov_wire_put(&body, sov_bytes_text("an RSA key"));
        sov_wire_put(&body, sov_bytes_text("comment"));
        sov_wire_put(&body, sov_buf_bytes(&blob));
        sov_wire_put(&body, sov_bytes_text(""));
        put_answer(&out, 12, sov_buf_bytes(&body));
        answer = (struct answer){ out.data, out.size, false, true };
        assert_null(asked(&answer, LONG_MS, &has));
        assert_int_equal(has, there);
    }
}

static void where_no_agent_is_none_is_asked(void **state)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *mine = secret();
    struct sov_public_key key = sov_secret_public(mine);
    char long_name[200];
    const char *const places[] = { NULL, "", "/nonexistent/agent", "/dev/null", long_name };

    (void)state;
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    for (size_t i = 0; i < COUNT(places); i++) {
        struct sov_agent agent = { places[i], LONG_MS };
        struct sov_error err = { 0 };
        bool has = false;

        if (sov_agent_has(&agent, &key, &has, &err)) fail_msg("row %zu", i);
        assert_string_equal(err.code, "agent_unavailable");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_answer_is_taken_whole_or_in_pieces),
        cmocka_unit_test(a_signature_that_is_none_is_refused),
        cmocka_unit_test(what_is_no_answer_is_refused),
        cmocka_unit_test(who_says_nothing_is_not_waited_for),
        cmocka_unit_test(a_list_says_whether_the_key_is_there),
        cmocka_unit_test(where_no_agent_is_none_is_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
