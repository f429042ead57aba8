#ifndef SOV_LEDGER_CHECK_H
#define SOV_LEDGER_CHECK_H
/*
 * Declared checks of an outcome: {id, kind, params}, read strictly (model.md 8).
 * Owns: the specs and the definition digest. Not here: running them (verify/).
 */
#include "base/arena.h"
#include "base/crypto.h"
#include "base/scan.h"
#include "policy/policy.h"

#define SOV_CHECK_KINDS(X)                                                                         \
    X(BALANCE_AT_LEAST, "balance-at-least")                                                        \
    X(POSTINGS_MATCH, "postings-match")                                                            \
    X(EFFECT_PRESENT, "effect-present")                                                            \
    X(FILE_EXISTS, "file-exists")                                                                  \
    X(FILE_DIGEST, "file-digest")                                                                  \
    X(JSON_EQUALS, "json-equals")                                                                  \
    X(COMMAND, "command")
enum sov_check_kind {
#define X(name, word) SOV_CHECK_##name,
    SOV_CHECK_KINDS(X)
#undef X
        SOV_CHECK_KIND_COUNT
};
const char *sov_check_word(enum sov_check_kind kind);

/* A param that its kind does not have is zero. Texts are in the arena. */
struct sov_check {
    const char *id;
    enum sov_check_kind kind;
    struct sov_bytes spec;        /* its canonical octets, defaults as left out */
    bool needs_subject;           /* its meaning depends on a declared subject of the outcome */
    const struct sov_term *terms; /* balance-at-least: accounts may hold {subject} */
    size_t term_count;
    struct sov_operand min;
    const char *effect; /* postings-match, effect-present: the kind of effect */
    int64_t count;      /* effect-present: 1 if not said */
    const char *path;   /* file-exists, file-digest, json-equals */
    struct sov_hash sha256;
    const char *pointer;     /* json-equals: RFC 6901 */
    struct sov_value value;  /* json-equals: a scalar, borrowed from the octets handed in */
    const char *const *argv; /* command */
    size_t argv_count;
    int64_t exit, timeout_ms; /* 0 and 60,000 if not said */
    bool observe_stdout;
};
struct sov_checks {
    const struct sov_check *at;
    size_t count;
};

/* A canonical list of 1 to 32 specs: checks_missing, too_large, check_invalid (the error's
 * reference is the check's id where it has one). `checks` must outlive the result. */
SOV_MUST_USE bool sov_checks_read(struct sov_bytes checks, struct sov_arena *arena,
                                  struct sov_checks *checks_out, struct sov_error *err);
/* SHA-256 over "sov.definition.v1\n" and canonical {checks, desired_state, subject?}; subject NULL:
 * left out. */
struct sov_hash sov_definition_digest(struct sov_bytes checks, struct sov_bytes desired_state,
                                      const char *subject);
#endif
