#include "tests/simulator/words.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

uint64_t draw(uint64_t n)
{
    return chance_below(&the_world()->load, n);
}

void say(struct words *words, const char *fmt, ...)
{
    va_list args;
    int size;

    va_start(args, fmt);
    size = vsnprintf(words->room + words->used, sizeof words->room - words->used, fmt, args);
    va_end(args);
    if (size < 0 || words->used + (size_t)size + 1 > sizeof words->room || words->count == SIM_ARGS)
        abort();
    words->at[words->count++] = words->room + words->used;
    words->used += (size_t)size + 1;
    words->at[words->count] = NULL;
}

/* Words without blanks in them, at once. */
void say_all(struct words *words, const char *text)
{
    while (*text) {
        size_t size = strcspn(text, " ");

        say(words, "%.*s", (int)size, text);
        text += size + (text[size] == ' ');
    }
}

void say_number(struct words *words, const char *prefix, int64_t n)
{
    say(words, "%s-%lld", prefix, (long long)n);
}

void say_reason(struct words *words)
{
    static const char *const reasons[] = { "so it was agreed", "the list says so", "a | b `c`",
                                           "<b>x</b> @all, fixes #12" };

    say(words, "--reason");
    if (world_fault(FAULT_HOSTILE))
        say(words, "\xe2\x80\xae\x1b[2J[x](javascript:1)\xf3\xa0\x81\x81 closes #1");
    else
        say(words, "%s", reasons[draw(4)]);
}

void say_fence(struct words *words, const struct oracle_entity *of)
{
    int64_t fence = of->fence;

    if (draw(12) == 0)
        fence -= 1 + (int64_t)draw(20);
    else if (of->past && draw(4) == 0)
        fence = of->past;
    say(words, "--fence");
    say(words, "%lld", (long long)fence);
}

/* Words become the standard input instead. */
void input_last(struct words *words)
{
    words->input = words->at[--words->count];
    words->at[words->count] = NULL;
}

void words_copy(struct words *to, const struct words *from)
{
    *to = *from;
    for (size_t i = 0; i < from->count; i++) to->at[i] = to->room + (from->at[i] - from->room);
    if (from->input >= from->room && from->input < from->room + sizeof from->room)
        to->input = to->room + (from->input - from->room);
}
