#ifndef SOV_TESTS_CREW_H
#define SOV_TESTS_CREW_H
/*
 * Processes that act on one ledger at the same moment, round after round: each has its own handle,
 * is told a word, acts, and says a word. A slice of the rounds; SOV_TIER other than "pr" runs all.
 */
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/ledger_fixture.h"

enum { CREW_MAX = 16 };

struct crew {
    int count;
    struct {
        pid_t pid;
        int go[2], said[2];
    } member[CREW_MAX];
};

static inline int crew_rounds(int slice, int all)
{
    const char *tier = getenv("SOV_TIER");

    return tier && strcmp(tier, "pr") != 0 ? all : slice;
}

static inline void crew_member(const struct crew *crew, int who, struct fixture *f,
                               int64_t (*act)(struct fixture *f, int who, int64_t told))
{
    struct sov_error err = { 0 };
    int64_t told, said;

    if (!sov_ledger_open(&f->places, SOV_LEDGER_WRITE, &f->seams, 60000, &f->ledger, &err))
        _exit(2);
    while (read(crew->member[who].go[0], &told, sizeof told) == sizeof told) {
        said = act(f, who, told);
        if (write(crew->member[who].said[1], &said, sizeof said) != sizeof said) _exit(3);
    }
    sov_ledger_close(f->ledger);
    _exit(0);
}

/* In each `f->ledger` is its own handle, and the clock goes on from where it is now. `act` gets who
 * of the crew it is and what it is told. */
static inline void crew_begin(struct crew *crew, int count, struct fixture *f,
                              int64_t (*act)(struct fixture *f, int who, int64_t told))
{
    crew->count = count;
    sov_ledger_close(f->ledger);
    f->ledger = NULL;
    fflush(NULL);
    for (int i = 0; i < count; i++) {
        assert_int_equal(pipe(crew->member[i].go), 0);
        assert_int_equal(pipe(crew->member[i].said), 0);
        crew->member[i].pid = fork();
        assert_true(crew->member[i].pid >= 0);
        if (crew->member[i].pid > 0) { /* so that the end of a member ends what is read of it */
            (void)close(crew->member[i].go[0]);
            (void)close(crew->member[i].said[1]);
            continue;
        }
        for (int k = 0; k <= i; k++) (void)close(crew->member[k].go[1]);
        crew_member(crew, i, f, act);
    }
    fixture_reopen(f);
}

static inline void crew_round(const struct crew *crew, int64_t told, int64_t said_out[CREW_MAX])
{
    for (int i = 0; i < crew->count; i++)
        assert_int_equal(write(crew->member[i].go[1], &told, sizeof told), sizeof told);
    for (int i = 0; i < crew->count; i++)
        assert_int_equal(read(crew->member[i].said[0], &said_out[i], sizeof said_out[i]),
                         sizeof said_out[i]);
}

static inline void crew_end(const struct crew *crew)
{
    for (int i = 0; i < crew->count; i++) {
        int status;

        (void)close(crew->member[i].go[1]);
        assert_int_equal(waitpid(crew->member[i].pid, &status, 0), crew->member[i].pid);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}
#endif
