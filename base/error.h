#ifndef SOV_BASE_ERROR_H
#define SOV_BASE_ERROR_H
/*
 * How anything in sov fails: a class (what the caller does next), a fixed code, a sentence.
 * Owns: the exit classes and struct sov_error.
 * Not here: why, inspect and next of a code (policy/refusals.def, cli/errors.c); printing
 * (cli/out.c).
 */
#include <stdbool.h>
#include <stdint.h>

#define SOV_MUST_USE __attribute__((warn_unused_result))
#define SOV_PRINTF(f, a) __attribute__((format(printf, f, a)))
/* Scope cleanup, for four things only: statement, transaction, file, secret (and what owns them).
 */
#define SOV_CLEANUP(f) __attribute__((cleanup(f)))

/* The exit status of the command line, by what its caller does next (docs: sov help exit-codes). */
#define SOV_EXITS(X)                                                                               \
    X(SOV_OK, 0, "ok")                                                                             \
    X(SOV_NO, 1, "no")                                                                             \
    X(SOV_USAGE, 2, "invalid")                                                                     \
    X(SOV_ABSENT, 3, "not found")                                                                  \
    X(SOV_DENIED, 4, "denied")                                                                     \
    X(SOV_CONFLICT, 5, "conflict")                                                                 \
    X(SOV_INTEGRITY, 6, "integrity")                                                               \
    X(SOV_UNABLE, 7, "not possible now")                                                           \
    X(SOV_INTERNAL, 70, "internal error")                                                          \
    X(SOV_INTERRUPTED, 130, "interrupted")                                                         \
    X(SOV_PIPE, 141, "pipe closed")                                                                \
    X(SOV_TERMINATED, 143, "terminated")

enum sov_exit {
#define X(name, status, word) name = status,
    SOV_EXITS(X)
#undef X
};

enum { SOV_ERROR_REFS = 4, SOV_ERROR_REF_SIZE = 200 };

/*
 * What went wrong. `code` is a string constant; `what` is lower case, without a full stop.
 * `why` is empty unless the code's own row does not say enough (the open gates of an acceptance).
 * `refs` are the entities meant ("SOW-7"), for the inspect and next lines. `seq` is that of the
 * event which records the refusal, 0 if there is none. Text from outside may stand in `what`,
 * `why` and `refs`: it is made visible where it is printed, never before.
 */
struct sov_error {
    enum sov_exit exit;
    const char *code;
    char what[512];
    char why[1024];
    char refs[SOV_ERROR_REFS][SOV_ERROR_REF_SIZE];
    unsigned ref_count;
    int64_t seq;
};

const char *sov_exit_word(enum sov_exit exit);

/* The only way to fail. A macro, so that the compiler sees the constant: `return sov_fail(...)`. */
#define sov_fail(err, ...) (sov_error_set((err), __VA_ARGS__), false)
void sov_error_set(struct sov_error *err, enum sov_exit exit, const char *code, const char *fmt,
                   ...) SOV_PRINTF(4, 5);
/* Says more about the error that is set: an entity meant; a reason beyond the code's row. */
void sov_error_ref(struct sov_error *err, const char *ref);
void sov_error_why(struct sov_error *err, const char *fmt, ...) SOV_PRINTF(2, 3);
#endif
