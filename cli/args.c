#include "cli/args.h"

#include <assert.h>
#include <stdio.h>

#include "base/text.h"

static const struct sov_flag_row rows[] = {
#define X(id, word, letter, kind, value, help) { word, letter, SOV_FLAG_##kind, value, help },
#include "cli/flags.def"
#undef X
};
_Static_assert(SOV_FLAG_COUNT <= 128, "struct sov_flags is too small");

const struct sov_flag_row *sov_flag_row(enum sov_flag flag)
{
    assert(flag < SOV_FLAG_COUNT);
    return &rows[flag];
}

bool sov_flag_is_common(enum sov_flag flag)
{
    return flag <= SOV_FLAG_HELP;
}

bool sov_flag_is_of_writes(enum sov_flag flag)
{
    return flag >= SOV_FLAG_DRY_RUN && flag <= SOV_FLAG_EXPECT_VERSION;
}

void sov_nearest_try(struct sov_nearest *nearest, const char *name)
{
    unsigned distance = sov_text_distance(nearest->word, name, 2);

    /* A name that shares no letter with a short word is no help. */
    if (distance > 2 || distance >= strlen(nearest->word)) return;
    if (nearest->best && distance >= nearest->distance) return;
    nearest->best = name;
    nearest->distance = distance;
}

/* ---- splitting ---- */

struct split {
    int argc, at;
    char **argv;
    struct sov_arena *arena;
    struct sov_given *given;
    const char **words;
    struct sov_args args;
};

static bool find_long(const char *word, size_t size, enum sov_flag *flag_out)
{
    for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT; flag++) {
        if (strlen(rows[flag].word) != size || memcmp(rows[flag].word, word, size) != 0) continue;
        *flag_out = flag;
        return true;
    }
    return false;
}

bool sov_flag_at(const char *text, enum sov_flag *flag_out)
{
    return find_long(text, strspn(text, "abcdefghijklmnopqrstuvwxyz-"), flag_out);
}

static bool find_short(const char *word, enum sov_flag *flag_out)
{
    for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT; flag++) {
        if (!rows[flag].letter || word[0] != rows[flag].letter || word[1]) continue;
        *flag_out = flag;
        return true;
    }
    return false;
}

static bool take(struct split *s, enum sov_flag flag, const char *value, struct sov_error *err)
{
    const struct sov_flag_row *row = &rows[flag];

    if (row->kind == SOV_FLAG_BARE && value)
        return sov_fail(err, SOV_USAGE, "usage", "--%s takes no value", row->word);
    if ((row->kind == SOV_FLAG_ONE || row->kind == SOV_FLAG_MANY) && !value) {
        if (s->at + 1 == s->argc)
            return sov_fail(err, SOV_USAGE, "usage", "--%s needs a value: %s", row->word,
                            row->value);
        value = s->argv[++s->at];
    }
    if (value && !*value)
        return sov_fail(err, SOV_USAGE, "usage", "the value of --%s is empty", row->word);
    s->given[s->args.given_count++] = (struct sov_given){ flag, value };
    return true;
}

static bool flag(struct split *s, const char *word, struct sov_error *err)
{
    const char *value = NULL;
    enum sov_flag flag;

    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        size_t size = equals ? (size_t)(equals - word) : strlen(word);

        if (equals) value = equals + 1;
        if (find_long(word + 2, size - 2, &flag)) return take(s, flag, value, err);
        if (!s->args.unknown) s->args.unknown = sov_arena_text(s->arena, sov_bytes(word, size));
        return true;
    }
    if (find_short(word + 1, &flag)) return take(s, flag, NULL, err);
    if (!s->args.unknown) s->args.unknown = word;
    return true;
}

static bool words(struct split *s, struct sov_error *err)
{
    for (s->at = 1; s->at < s->argc; s->at++) {
        const char *word = s->argv[s->at];

        if (!sov_text_is_utf8(sov_bytes_text(word)))
            return sov_fail(err, SOV_USAGE, "bad_text", "argument %d is no UTF-8", s->at);
        if (s->args.has_rest) {
            s->words[s->args.word_count + s->args.rest_count++] = word;
        } else if (strcmp(word, "--") == 0) {
            s->args.has_rest = true;
        } else if (word[0] == '-' && word[1]) {
            if (!flag(s, word, err)) return false;
        } else {
            s->words[s->args.word_count++] = word;
        }
    }
    return true;
}

bool sov_args_split(int argc, char **argv, struct sov_arena *arena, struct sov_args *args_out,
                    struct sov_error *err)
{
    struct split s = { .argc = argc, .argv = argv, .arena = arena };
    size_t room = argc > 0 ? (size_t)argc : 1;

    s.given = sov_arena_array(arena, room, sizeof *s.given);
    s.words = sov_arena_array(arena, room, sizeof *s.words);
    if (!words(&s, err)) return false;
    s.args.given = s.given;
    s.args.words = s.words;
    s.args.rest = s.words + s.args.word_count;
    *args_out = s.args;
    return true;
}

/* ---- what a verb knows ---- */

static bool unknown(const char *typed, const struct sov_flags *flags, const char *verb,
                    struct sov_error *err)
{
    struct sov_nearest nearest = { .word = typed + strspn(typed, "-") };

    for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT; flag++)
        if (sov_flags_have(flags, flag)) sov_nearest_try(&nearest, rows[flag].word);
    if (nearest.best)
        return sov_fail(err, SOV_USAGE, "unknown_flag", "%s has no %s; did you mean --%s?", verb,
                        typed, nearest.best);
    return sov_fail(err, SOV_USAGE, "unknown_flag", "%s has no %s", verb, typed);
}

bool sov_args_allow(const struct sov_args *args, const struct sov_flags *flags, const char *verb,
                    struct sov_error *err)
{
    char typed[64];

    if (args->unknown) return unknown(args->unknown, flags, verb, err);
    for (size_t i = 0; i < args->given_count; i++) {
        const struct sov_flag_row *row = &rows[args->given[i].flag];

        snprintf(typed, sizeof typed, "--%s", row->word);
        if (!sov_flags_have(flags, args->given[i].flag)) return unknown(typed, flags, verb, err);
        if (row->kind != SOV_FLAG_ONE && row->kind != SOV_FLAG_MAYBE) continue;
        for (size_t before = 0; before < i; before++)
            if (args->given[before].flag == args->given[i].flag)
                return sov_fail(err, SOV_USAGE, "usage", "%s is given twice", typed);
    }
    return true;
}

bool sov_args_have(const struct sov_args *args, enum sov_flag flag)
{
    for (size_t i = 0; i < args->given_count; i++)
        if (args->given[i].flag == flag) return true;
    return false;
}

const char *sov_args_value(const struct sov_args *args, enum sov_flag flag)
{
    for (size_t i = 0; i < args->given_count; i++)
        if (args->given[i].flag == flag) return args->given[i].value;
    return NULL;
}
