#ifndef SOV_CLI_ARGS_H
#define SOV_CLI_ARGS_H
/*
 * The words of one command: flags from rows, the rest by place. Owns: splitting, refusing what is
 * unknown, doubled, empty or another verb's, with the nearest name. Not here: what a value means.
 */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

enum sov_flag {
#define X(id, word, letter, kind, value, help) SOV_FLAG_##id,
#include "cli/flags.def"
#undef X
    SOV_FLAG_COUNT
};
enum sov_flag_kind { SOV_FLAG_BARE, SOV_FLAG_ONE, SOV_FLAG_MANY, SOV_FLAG_MAYBE };
struct sov_flag_row {
    const char *word;
    char letter; /* 0: none */
    enum sov_flag_kind kind;
    const char *value, *help;
};
const struct sov_flag_row *sov_flag_row(enum sov_flag flag);
/* The flag whose long word the text begins with, up to what no word has; false: none. */
bool sov_flag_at(const char *text, enum sov_flag *flag_out);

/* A set of flags. */
struct sov_flags {
    uint64_t bits[2];
};
static inline bool sov_flags_have(const struct sov_flags *flags, enum sov_flag flag)
{
    return flags->bits[flag / 64] >> flag % 64 & 1;
}
static inline void sov_flags_add(struct sov_flags *flags, enum sov_flag flag)
{
    flags->bits[flag / 64] |= UINT64_C(1) << flag % 64;
}
/* of every verb; of every write; of every signed decision */
bool sov_flag_is_common(enum sov_flag flag);
bool sov_flag_is_of_writes(enum sov_flag flag);

struct sov_given {
    enum sov_flag flag;
    const char *value; /* NULL: none was given */
};
struct sov_args {
    const struct sov_given *given; /* in order */
    size_t given_count;
    const char *const *words; /* by place, verb first; those behind -- too */
    size_t word_count;
    const char *const *rest; /* behind -- */
    size_t rest_count;
    bool has_rest;
    const char *unknown; /* the first flag of no verb, as typed; NULL: none */
};
/* Splits. Fails usage for an empty value, a missing one, one that a bare flag does not take;
 * bad_text for what is no UTF-8. An unknown flag is remembered, for which verb it is not known. */
SOV_MUST_USE bool sov_args_split(int argc, char **argv, struct sov_arena *arena,
                                 struct sov_args *args_out, struct sov_error *err);
/* Each given flag is one of `flags`, and a single-valued one was given once: unknown_flag, usage.
 * `verb` is for the message. */
SOV_MUST_USE bool sov_args_allow(const struct sov_args *args, const struct sov_flags *flags,
                                 const char *verb, struct sov_error *err);
bool sov_args_have(const struct sov_args *args, enum sov_flag flag);
const char *sov_args_value(const struct sov_args *args, enum sov_flag flag); /* NULL: none */

/* The nearest of `count` names within Damerau distance 2, or NULL. */
struct sov_nearest {
    const char *word, *best;
    unsigned distance;
};
void sov_nearest_try(struct sov_nearest *nearest, const char *name);
#endif
