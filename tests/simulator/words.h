#ifndef SOV_SIMULATOR_WORDS_H
#define SOV_SIMULATOR_WORDS_H
/* One command as it is given: its words, and its standard input. */
#include "tests/simulator/oracle.h"

enum { WORDS_ROOM = 8192 };
struct words {
    const char *at[SIM_ARGS + 1];
    size_t count, used;
    char room[WORDS_ROOM];
    const char *input;
};
uint64_t draw(uint64_t n); /* below n, from the stream of the load */
void say(struct words *words, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void say_all(struct words *words, const char *text); /* words without blanks in them, at once */
void say_number(struct words *words, const char *prefix, int64_t n);
void say_reason(struct words *words); /* now and then what no page may show as it is */
/* The live one; now and then one that was, or that never will be. */
void say_fence(struct words *words, const struct oracle_entity *of);
void input_last(struct words *words); /* the last word becomes the standard input instead */
void words_copy(struct words *to, const struct words *from);
#endif
