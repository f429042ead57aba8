/* A witness of other logs: what it answers, what it remembers, and what it never signs. */
#include "tests/unit.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ledger/witness.h"
#include "tests/ledger_fixture.h"

enum { LOG, WITNESS, TWIN, LOGS };

struct world {
    struct fixture f[LOGS]; /* TWIN: the log's own key, another history behind its founding */
    struct sov_trust *trust;
    struct sov_note_key cosigner;
    char folder[256]; /* what the witness remembers */
};

static void enrol(struct fixture *f, int from, int to)
{
    for (int i = from; i < to; i++) {
        char id[16];
        struct sov_actor_request request = { id, "robot", "operator", "scripted", NULL, NULL };
        struct sov_done done;

        snprintf(id, sizeof id, "builder-%d", i);
        fixture_tick(f, 1000);
        FIXTURE_DO(f, "principal", &done,
                   (commit.act.key = id, true) &&
                       sov_actor_register(&commit, &request, &done, &err));
    }
}

static int setup(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct sov_identity identity;
    struct sov_error err = { 0 };
    char hex[SOV_HEX_HASH + 1];
    bool made;

    fixture_open(&w->f[LOG]);
    fixture_open(&w->f[TWIN]);
    fixture_open_by_chance(&w->f[WITNESS], 99);
    enrol(&w->f[LOG], 0, 8);
    enrol(&w->f[TWIN], 40, 48);
    w->trust = calloc(1, sizeof *w->trust);
    sov_ledger_identity(w->f[LOG].ledger, &identity);
    snprintf(w->trust->logs[0].name, sizeof w->trust->logs[0].name, "%s", identity.origin);
    w->trust->logs[0].key = identity.key;
    w->trust->log_count = 1;
    assert_true(sov_witness_make(w->f[WITNESS].ledger, &w->f[WITNESS].seams.random, &w->cosigner,
                                 &made, &err));
    assert_true(made);
    sov_ledger_identity(w->f[WITNESS].ledger, &identity);
    sov_hex(sov_hash_bytes(&identity.id), hex);
    snprintf(w->folder, sizeof w->folder, "%s/%s/witness", w->f[WITNESS].keys, hex);
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;

    for (int i = 0; i < LOGS; i++) fixture_close(&w->f[i]);
    free(w->trust);
    free(w);
    return 0;
}

static struct sov_bytes request_of(struct world *w, int log, int64_t old, int64_t size)
{
    struct fixture *f = &w->f[log];
    struct sov_error err = { 0 };
    struct sov_buf text = { 0 };
    struct sov_bytes kept;

    sov_buf_init(&text, SOV_COSIGN_REQUEST_MAX);
    if (!sov_witness_request(f->ledger, old, size, &f->arena, &text, &err))
        fail_msg("%s", err.what);
    kept = sov_arena_bytes(&f->arena, sov_buf_bytes(&text));
    sov_buf_release(&text);
    return kept;
}

static struct sov_cosign_answer answer_of(struct world *w, struct sov_bytes request)
{
    struct fixture *f = &w->f[WITNESS];
    struct sov_cosign_answer answer;
    struct sov_error err = { 0 };

    if (!sov_witness_answer(f->ledger, w->trust, request, &f->seams, 1000, &f->arena, &answer,
                            &err))
        fail_msg("%s: %s", err.code, err.what);
    return answer;
}

static int status_of(struct world *w, int log, int64_t old, int64_t size)
{
    return answer_of(w, request_of(w, log, old, size)).status;
}

/* The answer's line under the note that was asked for. */
static void assert_cosigned(struct world *w, struct sov_bytes request,
                            const struct sov_cosign_answer *answer)
{
    struct sov_cosign_request asked;
    struct sov_buf note = { 0 };
    struct sov_bytes line;
    int64_t time_s;

    assert_int_equal(answer->status, 200);
    assert_true(sov_cosign_request_read(request, &asked));
    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    sov_buf_add(&note, asked.note);
    sov_buf_add(&note, answer->body);
    assert_int_equal(sov_cosign_find(sov_buf_bytes(&note), &w->cosigner, &time_s, &line),
                     SOV_COSIGNED);
    assert_int_equal(time_s, w->f[WITNESS].now.wall.ms / 1000);
    sov_buf_release(&note);
}

static void growth_is_cosigned(void **state)
{
    struct world *w = *state;
    static const int64_t sizes[] = { 12, 13, 17, 17, 20 };
    int64_t old = 0;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct sov_bytes request = request_of(w, LOG, old, sizes[i]);
        struct sov_cosign_answer answer = answer_of(w, request);

        assert_cosigned(w, request, &answer);
        assert_int_equal(answer.checkpoint.size, sizes[i]);
        old = sizes[i];
    }
}

static void an_older_size_is_a_conflict_that_names_the_last(void **state)
{
    struct world *w = *state;
    struct sov_cosign_answer answer;

    assert_int_equal(status_of(w, LOG, 0, 15), 200);
    answer = answer_of(w, request_of(w, LOG, 0, 15));
    assert_int_equal(answer.status, 409);
    assert_true(sov_bytes_is(answer.body, "15\n"));
    assert_int_equal(status_of(w, LOG, 0, 13), 409);
    assert_int_equal(status_of(w, LOG, 13, 14), 409);
    assert_int_equal(status_of(w, LOG, 14, 20), 409);
    assert_int_equal(status_of(w, LOG, 15, 16), 200);
    assert_int_equal(status_of(w, LOG, 15, 16), 409); /* a replay */
}

static void no_two_roots_of_one_size_are_signed(void **state)
{
    struct world *w = *state;

    assert_int_equal(status_of(w, LOG, 0, 15), 200);
    assert_int_equal(status_of(w, TWIN, 15, 15), 409);
    assert_int_equal(status_of(w, TWIN, 15, 18), 422);
    assert_int_equal(status_of(w, TWIN, 12, 18), 409);
    assert_int_equal(status_of(w, TWIN, 0, 18), 409);
    assert_int_equal(status_of(w, LOG, 15, 18), 200);
}

/* ---- requests that are none ---- */

static struct sov_bytes edited(struct world *w, struct sov_bytes request, const char *what,
                               const char *with)
{
    struct fixture *f = &w->f[LOG];
    const uint8_t *at = memmem(request.data, request.size, what, strlen(what));
    size_t before = (size_t)(at - request.data), size = before + strlen(with);
    uint8_t *made;

    assert_non_null(at);
    made = sov_arena_array(&f->arena, request.size + strlen(with), 1);
    memcpy(made, request.data, before);
    memcpy(made + before, with, strlen(with));
    memcpy(made + size, at + strlen(what), request.size - before - strlen(what));
    return sov_bytes(made, request.size - strlen(what) + strlen(with));
}

static void what_is_no_request_is_answered_and_changes_nothing(void **state)
{
    struct world *w = *state;
    struct sov_bytes good = request_of(w, LOG, 13, 19), first = request_of(w, LOG, 0, 13);
    struct sov_bytes foreign = request_of(w, WITNESS, 0, 12);
    char *big = calloc(1, SOV_COSIGN_REQUEST_MAX + 2);
    const struct {
        struct sov_bytes request;
        int status;
    } rows[] = {
        { sov_bytes_text(""), 400 },
        { sov_bytes_text("old 13\n\n"), 400 },
        { sov_bytes("old 13\n\0\n\n", 10), 400 },
        { sov_bytes(big, SOV_COSIGN_REQUEST_MAX + 1), 400 },
        { sov_bytes(good.data, good.size - 1), 400 },
        { edited(w, good, "old 13\n", "old 13\r\n"), 400 },
        { edited(w, good, "old 13\n", "old 013\n"), 400 },
        { edited(w, good, "old 13\n", "old 20\n"), 400 },
        { edited(w, good, "\n19\n", "\n19\r\n"), 400 },
        { foreign, 404 },
        { edited(w, good, "\n\n", "\n\nx"), 404 },
        { edited(w, good, "\n19\n", "\n18\n"), 403 },
        { edited(w, good, "old 13\n", "old 12\n"), 409 },
        { edited(w, good, "old 13\n", "old 0\n"), 409 },
        { edited(w, good, "old 13\n", "old 13\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"),
          422 },
        { edited(w, request_of(w, LOG, 13, 13), "old 13\n",
                 "old 13\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"),
          422 },
    };

    assert_int_equal(answer_of(w, edited(w, first, "old 0\n",
                                         "old 0\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"))
                         .status,
                     422);
    assert_int_equal(answer_of(w, first).status, 200);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (answer_of(w, rows[i].request).status != rows[i].status)
            fail_msg("row %zu: %d, not %d", i, answer_of(w, rows[i].request).status,
                     rows[i].status);
    assert_int_equal(answer_of(w, good).status, 200); /* it still stands at 13 */
    free(big);
}

static void no_octet_of_a_request_can_be_another_one(void **state)
{
    struct world *w = *state;
    struct sov_bytes good;
    struct sov_arena_mark mark;
    uint8_t *octets;

    assert_int_equal(status_of(w, LOG, 0, 13), 200);
    good = request_of(w, LOG, 13, 19);
    octets = sov_arena_array(&w->f[LOG].arena, good.size, 1);
    memcpy(octets, good.data, good.size);
    mark = sov_arena_mark(&w->f[WITNESS].arena);
    for (size_t i = 0; i < good.size; i++) {
        int status;

        octets[i] ^= 1;
        status = answer_of(w, sov_bytes(octets, good.size)).status;
        if (status == 200) fail_msg("octet %zu", i);
        octets[i] ^= 1;
        sov_arena_rewind(&w->f[WITNESS].arena, mark);
    }
    assert_int_equal(answer_of(w, good).status, 200);
}

/* ---- what is remembered ---- */

static void refuses(struct world *w, const char *code)
{
    struct fixture *f = &w->f[WITNESS];
    struct sov_cosign_answer answer;
    struct sov_error err = { 0 };

    assert_false(sov_witness_answer(f->ledger, w->trust, request_of(w, LOG, 15, 18), &f->seams, 100,
                                    &f->arena, &answer, &err));
    assert_string_equal(err.code, code);
}

static void remembered(struct world *w, char *path, size_t room)
{
    DIR *folder = opendir(w->folder);
    struct dirent *entry;

    assert_non_null(folder);
    *path = 0;
    while ((entry = readdir(folder)))
        if (strlen(entry->d_name) == SOV_HEX_HASH)
            snprintf(path, room, "%s/%s", w->folder, entry->d_name);
    closedir(folder);
    assert_true(*path);
}

static void a_memory_that_is_damaged_or_gone_signs_nothing(void **state)
{
    struct world *w = *state;
    char path[512], octets[SOV_NOTE_SIZE_MAX], aside[300];
    size_t size;
    FILE *file;

    assert_int_equal(status_of(w, LOG, 0, 15), 200);
    remembered(w, path, sizeof path);
    file = fopen(path, "r");
    size = fread(octets, 1, sizeof octets, file);
    fclose(file);
    for (size_t i = 0; i <= size; i++) { /* each octet changed, and last the file emptied */
        file = fopen(path, "w");
        if (i < size) octets[i] ^= 1;
        fwrite(octets, 1, i < size ? size : 0, file);
        if (i < size) octets[i] ^= 1;
        fclose(file);
        refuses(w, "witness_state");
    }
    file = fopen(path, "w");
    fwrite(octets, 1, size, file);
    fclose(file);
    snprintf(aside, sizeof aside, "%s.aside", w->folder);
    assert_int_equal(rename(w->folder, aside), 0);
    refuses(w, "witness_state");
    assert_int_equal(rename(aside, w->folder), 0);
    assert_int_equal(status_of(w, LOG, 15, 18), 200);
}

static void without_a_key_nothing_is_cosigned(void **state)
{
    struct world *w = *state;
    struct fixture *f = &w->f[TWIN];
    struct sov_cosign_answer answer;
    struct sov_error err = { 0 };

    assert_false(sov_witness_answer(f->ledger, w->trust, request_of(w, LOG, 0, 15), &f->seams, 100,
                                    &f->arena, &answer, &err));
    assert_string_equal(err.code, "no_key");
}

static void the_key_is_made_once(void **state)
{
    struct world *w = *state;
    struct sov_note_key again;
    struct sov_error err = { 0 };
    struct sov_identity identity;
    bool made = true;

    assert_true(
        sov_witness_make(w->f[WITNESS].ledger, &w->f[WITNESS].seams.random, &again, &made, &err));
    assert_false(made);
    assert_memory_equal(&again, &w->cosigner, sizeof again);
    sov_ledger_identity(w->f[WITNESS].ledger, &identity);
    assert_memory_not_equal(&again.key, &identity.key, sizeof again.key);
}

/* ---- killed, and two at once ---- */

static bool killed_at_the_clock(void *self, struct sov_now *now_out, struct sov_error *err)
{
    (void)self;
    (void)now_out;
    (void)err;
    raise(SIGKILL); /* what was cosigned last is read, what is cosigned next not yet written */
    return false;
}

static void killed_before_it_remembers_it_has_signed_nothing(void **state)
{
    struct world *w = *state;
    struct sov_bytes request = request_of(w, LOG, 15, 18);
    char left[300];
    int status;
    pid_t child;

    assert_int_equal(status_of(w, LOG, 0, 15), 200);
    child = fork();
    if (!child) {
        struct sov_seams seams = w->f[WITNESS].seams;
        struct sov_cosign_answer answer;
        struct sov_error err = { 0 };

        seams.clock.read = killed_at_the_clock;
        _exit(sov_witness_answer(w->f[WITNESS].ledger, w->trust, request, &seams, 1000,
                                 &w->f[WITNESS].arena, &answer, &err));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    snprintf(left, sizeof left, "%s/.sov-tmp-1-0", w->folder); /* of one killed in the write */
    fclose(fopen(left, "w"));
    assert_int_equal(status_of(w, TWIN, 15, 15), 409);
    assert_int_equal(answer_of(w, request).status, 200);
}

static void killed_before_its_answer_is_heard_it_signs_the_same_again(void **state)
{
    struct world *w = *state;
    struct sov_bytes request = request_of(w, LOG, 15, 18), again;
    struct sov_cosign_answer answer;

    assert_int_equal(status_of(w, LOG, 0, 15), 200);
    assert_int_equal(answer_of(w, request).status, 200); /* lost */
    answer = answer_of(w, request);
    assert_int_equal(answer.status, 409);
    assert_true(sov_bytes_is(answer.body, "18\n"));
    assert_int_equal(status_of(w, TWIN, 18, 18), 409);
    again = request_of(w, LOG, 18, 18);
    answer = answer_of(w, again);
    assert_cosigned(w, again, &answer);
}

static void of_several_that_ask_at_once_one_is_cosigned(void **state)
{
    enum { ASKERS = 8 };
    struct world *w = *state;
    struct sov_bytes request[ASKERS];
    int cosigned = 0, status;

    for (int i = 0; i < ASKERS; i++) request[i] = request_of(w, i % 2 ? TWIN : LOG, 0, 13 + i / 2);
    for (int i = 0; i < ASKERS; i++)
        if (!fork()) _exit(answer_of(w, request[i]).status == 200);
    for (int i = 0; i < ASKERS; i++) {
        assert_true(wait(&status) > 0);
        assert_true(WIFEXITED(status));
        cosigned += WEXITSTATUS(status);
    }
    assert_int_equal(cosigned, 1);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(growth_is_cosigned),
        T(an_older_size_is_a_conflict_that_names_the_last),
        T(no_two_roots_of_one_size_are_signed),
        T(what_is_no_request_is_answered_and_changes_nothing),
        T(no_octet_of_a_request_can_be_another_one),
        T(a_memory_that_is_damaged_or_gone_signs_nothing),
        T(without_a_key_nothing_is_cosigned),
        T(the_key_is_made_once),
        T(killed_before_it_remembers_it_has_signed_nothing),
        T(killed_before_its_answer_is_heard_it_signs_the_same_again),
        T(of_several_that_ask_at_once_one_is_cosigned),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
