#include "tests/unit.h"

#include "base/child.h"
#include "base/ssh_agent.h"
#include "base/ssh_wire.h"
#include "base/sshsig.h"
#include "tests/ssh_fixture.h"

#include <errno.h>
#include <fcntl.h>
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
    size_t heard;      /* octets of the question that it waits for; 0: the first that come */
    bool alarms;       /* sends the asker a signal before each octet */
    bool deaf;         /* hears one octet of it and hangs up */
};

struct serving {
    char folder[32], path[48];
    pid_t pid;
};

static void serve(int listening, const struct answer *answer)
{
    uint8_t question[4096];
    int line = accept(listening, NULL, NULL);
    size_t heard = 0, room = answer->deaf ? 1 : sizeof question;

    do {
        ssize_t n = line < 0 ? -1 : read(line, question, room);

        if (n <= 0) _exit(1);
        heard += (size_t)n;
    } while (heard < answer->heard);
    if (answer->deaf) _exit(0);
    for (size_t done = 0; done < answer->size;) {
        ssize_t n;

        if (answer->alarms) (void)kill(getppid(), SIGALRM);
        n = write(line, answer->octets + done, answer->drips ? 1 : answer->size - done);
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

static int descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 256; fd++) count += fcntl(fd, F_GETFD) != -1;
    return count;
}

/* What a call before has left in errno says nothing about the next one: it is set to `stale`. */
static bool asked_about(const struct answer *answer, int32_t wait_ms, struct sov_bytes message,
                        bool *has_out, int stale, struct sov_error *err)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *mine = secret();
    struct sov_public_key key = sov_secret_public(mine);
    struct sov_signature signature = { { 1 } };
    struct serving s = { 0 };
    struct sov_agent agent = { s.path, wait_ms };
    int open_before;
    bool ok;

    serving_begin(&s, answer);
    open_before = descriptors();
    errno = stale;
    ok = has_out ? sov_agent_has(&agent, &key, has_out, err)
                 : sov_agent_sign(&agent, &key, message, &signature, err);
    assert_int_equal(descriptors(), open_before);
    serving_end(&s);
    if (ok && !has_out) assert_true(sov_signature_holds(&key, message, &signature));
    if (!ok && !has_out) assert_int_equal(signature.octets[0], 1);
    return ok;
}

static const char *asked(const struct answer *answer, int32_t wait_ms, bool *has_out)
{
    struct sov_error err = { 0 };
    bool ok = asked_about(answer, wait_ms, sov_bytes_text("words"), has_out, 0, &err);

    return ok ? NULL : err.code;
}

/* Refused, in these words. */
static void expect(const struct answer *answer, int32_t wait_ms, bool list, int stale,
                   const char *what)
{
    struct sov_error err = { 0 };
    bool has = false;

    if (asked_about(answer, wait_ms, sov_bytes_text("words"), list ? &has : NULL, stale, &err))
        fail_msg("not: %s", what);
    assert_string_equal(err.code, "agent_unavailable");
    assert_int_equal(err.exit, SOV_UNABLE);
    assert_false(has);
    if (strncmp(err.what, what, strlen(what)) != 0) fail_msg("%s, not: %s", err.what, what);
}

enum { LONG_MS = 20000, SHORT_MS = 150, LARGE = 250000 };

static void a_good_answer_is_taken_whole_or_in_pieces(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

    (void)state;
    put_signed(&out, "ssh-ed25519", SOV_SIGNATURE_SIZE, false, sov_bytes_text("words"));
    for (int drips = 0; drips < 2; drips++) {
        struct answer answer = {
            .octets = out.data, .size = out.size, .drips = drips, .hangs = true
        };

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
        answer = (struct answer){ .octets = out.data, .size = out.size, .hangs = true };
        code = asked(&answer, LONG_MS, NULL);
        if (!code || strcmp(code, "agent_unavailable") != 0) fail_msg("row %zu", i);
    }
}

static void what_is_no_answer_is_refused(void **state)
{
    static const char none[] = "the agent hung up", cut[] = "the agent's list of keys is cut",
                      other[] = "the agent's signature is none of ssh-ed25519",
                      kind_12[] = "the agent answers 12", kind_14[] = "the agent answers 14";
    static const struct {
        uint8_t octets[16];
        size_t size;
        bool hangs;
        const char *what[2]; /* of a signature, of a list */
    } rows[] = {
        { { 0 }, 0, false, { none, none } },
        { { 0 }, 3, false, { none, none } }, /* within the size */
        { { 0, 0, 0, 0 }, 4, true, { "the agent announces 0 octets", NULL } },
        { { 0xff, 0xff, 0xff, 0xff }, 4, true, { "the agent announces 4294967295 octets", NULL } },
        { { 0, 4, 0, 1 }, 4, true, { "the agent announces 262145 octets", NULL } },
        { { 0, 0, 0, 9, 12 }, 5, false, { none, none } }, /* cut */
        { { 0, 0, 0, 1, 5 }, 5, true, { "the agent refuses", NULL } },
        { { 0, 0, 0, 1, 12 }, 5, true, { kind_12, "the agent lists no keys" } },
        { { 0, 0, 0, 1, 14 }, 5, true, { other, kind_14 } },
        { { 0, 0, 0, 5, 12, 0, 0, 0, 1 }, 9, true, { kind_12, cut } },
        { { 0, 0, 0, 5, 12, 255, 255, 255, 255 }, 9, true, { kind_12, cut } },
        { { 0, 0, 0, 6, 12, 0, 0, 0, 0, 1 },
          10,
          true,
          { kind_12, "the agent's list of keys goes on behind its end" } },
        { { 0, 0, 0, 9, 12, 0, 0, 0, 1, 0, 0, 0, 9 }, 13, true, { kind_12, cut } },
        { { 0, 0, 0, 5, 14, 0, 0, 0, 9 }, 9, true, { other, kind_14 } },
        { { 'S', 'S', 'H', '-', '2', '.', '0' },
          7,
          true,
          { "the agent announces 1397966893 octets", NULL } },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int list = 0; list < 2; list++) {
            struct answer answer = { .octets = rows[i].octets,
                                     .size = rows[i].size,
                                     .hangs = rows[i].hangs };
            const char *what = rows[i].what[list] ? rows[i].what[list] : rows[i].what[0];

            expect(&answer, LONG_MS, list, list ? EAGAIN : 0, what);
        }
}

static void who_says_nothing_is_not_waited_for(void **state)
{
    static const uint8_t half[] = { 0, 0, 0, 9, 14, 0 };
    const struct answer silent = { .hangs = true };
    const struct answer stuck = { .octets = half, .size = sizeof half, .hangs = true };

    (void)state;
    expect(&silent, SHORT_MS, false, 0, "the agent does not answer");
    expect(&stuck, SHORT_MS, false, EINTR, "the agent does not answer");
    expect(&stuck, 0, true, EINTR, "the agent does not answer");
}

/* What is left unread of a question is a line that was torn down, and no end of it. */
static void who_hangs_up_on_a_question_is_told_from_who_has_answered(void **state)
{
    const struct answer deaf = { .deaf = true };
    uint8_t *message = test_calloc(1, LARGE);
    struct sov_error err = { 0 };

    (void)state;
    expect(&deaf, LONG_MS, false, 0, "the agent does not answer: Connection reset");
    expect(&deaf, LONG_MS, true, 0, "the agent does not answer: Connection reset");
    assert_false(asked_about(&deaf, LONG_MS, sov_bytes(message, LARGE), NULL, 0, &err));
    if (strncmp(err.what, "the agent does not listen: ", 27) != 0) fail_msg("%s", err.what);
    test_free(message);
}

static void a_long_question_is_heard_to_its_end(void **state)
{
    static const int stale[] = { 0, EAGAIN, EINTR };
    struct sov_bytes message = sov_bytes(test_calloc(1, LARGE), LARGE);

    (void)state;
    for (size_t i = 0; i < COUNT(stale); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
        struct answer answer = { .hangs = true, .heard = LARGE };
        struct sov_error err = { 0 };

        put_signed(&out, "ssh-ed25519", SOV_SIGNATURE_SIZE, false, message);
        answer.octets = out.data;
        answer.size = out.size;
        if (!asked_about(&answer, LONG_MS, message, NULL, stale[i], &err)) fail_msg("%s", err.what);
    }
    test_free((void *)message.data);
}

/* One key, with a comment that makes the answer as long as one may be. */
static void the_longest_answer_is_taken(void **state)
{
    enum { MOST = 256 * 1024, AROUND = 1 + 4 + 4 + 7 + 4 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf body = { 0 }, out = { 0 };
    uint8_t *comment = test_calloc(1, MOST);
    struct answer answer = { .hangs = true };
    struct sov_error err = { 0 };
    bool has = true;

    (void)state;
    sov_buf_init(&body, MOST);
    sov_wire_put_uint(&body, 1);
    sov_wire_put(&body, sov_bytes_text("another"));
    sov_wire_put(&body, sov_bytes(comment, MOST - AROUND));
    assert_int_equal(body.size + 1, MOST);
    put_answer(&out, 12, sov_buf_bytes(&body));
    answer.octets = out.data;
    answer.size = out.size;
    if (!asked_about(&answer, LONG_MS, sov_bytes(NULL, 0), &has, 0, &err)) fail_msg("%s", err.what);
    assert_false(has);
    test_free(comment);
}

static void on_alarm(int number)
{
    (void)number;
}

static void signals_that_are_of_nobodys_concern_are_waited_out(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sigaction action = { .sa_handler = on_alarm }, before;
    struct answer answer = { .hangs = true, .drips = true, .alarms = true };
    struct sov_error err = { 0 };
    bool ok;

    (void)state;
    put_signed(&out, "ssh-ed25519", SOV_SIGNATURE_SIZE, false, sov_bytes_text("words"));
    answer.octets = out.data;
    answer.size = out.size;
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    ok = asked_about(&answer, LONG_MS, sov_bytes_text("words"), NULL, 0, &err);
    assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
    if (!ok) fail_msg("%s", err.what);
}

/* In a process of its own, whose signals stay held back. */
static void the_wait_for_an_agent_ends_by_a_signal_of_its_name(void **state)
{
    static const struct {
        int number;
        const char *code;
        enum sov_exit exit;
    } rows[] = {
        { SIGTERM, "terminated", SOV_TERMINATED },
        { SIGINT, "interrupted", SOV_INTERRUPTED },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int status = 0;
        pid_t child = fork();

        if (child == 0) {
            SOV_CLEANUP(sov_secret_end) struct sov_secret *mine = secret();
            struct sov_public_key key = sov_secret_public(mine);
            const struct answer silent = { .hangs = true };
            struct serving s = { 0 };
            struct sov_agent agent = { s.path, LONG_MS };
            struct sov_error err = { 0 };
            bool has = false, ok;

            serving_begin(&s, &silent);
            (void)signal(rows[i].number, SIG_DFL); /* in the background it is ignored */
            sov_signals_watch();
            (void)raise(rows[i].number);
            ok = sov_agent_has(&agent, &key, &has, &err);
            serving_end(&s);
            _exit(ok || has || strcmp(err.code, rows[i].code) != 0 || err.exit != rows[i].exit);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        if (status != 0) fail_msg("row %zu: status %d", i, status);
    }
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
        answer = (struct answer){ .octets = out.data, .size = out.size, .hangs = true };
        assert_null(asked(&answer, LONG_MS, &has));
        assert_int_equal(has, there);
    }
}

static void where_no_agent_is_none_is_asked(void **state)
{
    enum { ROOM = sizeof((struct sockaddr_un *)0)->sun_path };
    SOV_CLEANUP(sov_secret_end) struct sov_secret *mine = secret();
    struct sov_public_key key = sov_secret_public(mine);
    char fits[ROOM], larger[ROOM + 1];
    const struct {
        const char *place, *what;
    } rows[] = {
        { NULL, "SSH_AUTH_SOCK names no agent" },
        { "", "SSH_AUTH_SOCK names no agent" },
        { "/nonexistent/agent", "the agent cannot be reached: " },
        { "/dev/null", "the agent cannot be reached: " },
        { fits, "the agent cannot be reached: " },
        { larger, "the agent's socket has too long a name" },
    };

    (void)state;
    memset(fits, 'x', sizeof fits);
    memset(larger, 'x', sizeof larger);
    fits[ROOM - 1] = larger[ROOM] = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sov_agent agent = { rows[i].place, LONG_MS };
        struct sov_error err = { 0 };
        int open_before = descriptors();
        bool has = false;

        if (sov_agent_has(&agent, &key, &has, &err)) fail_msg("row %zu", i);
        assert_string_equal(err.code, "agent_unavailable");
        if (strncmp(err.what, rows[i].what, strlen(rows[i].what)) != 0)
            fail_msg("row %zu: %s", i, err.what);
        assert_int_equal(descriptors(), open_before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_answer_is_taken_whole_or_in_pieces),
        cmocka_unit_test(a_signature_that_is_none_is_refused),
        cmocka_unit_test(what_is_no_answer_is_refused),
        cmocka_unit_test(who_says_nothing_is_not_waited_for),
        cmocka_unit_test(who_hangs_up_on_a_question_is_told_from_who_has_answered),
        cmocka_unit_test(a_long_question_is_heard_to_its_end),
        cmocka_unit_test(the_longest_answer_is_taken),
        cmocka_unit_test(signals_that_are_of_nobodys_concern_are_waited_out),
        cmocka_unit_test(the_wait_for_an_agent_ends_by_a_signal_of_its_name),
        cmocka_unit_test(a_list_says_whether_the_key_is_there),
        cmocka_unit_test(where_no_agent_is_none_is_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
