#ifndef SOV_SIMULATOR_LOAD_H
#define SOV_SIMULATOR_LOAD_H
/* Who does what: the actors of a run, and the words that each of them gives next. */
#include "tests/simulator/words.h"

struct actor {
    const char *name; /* of the harness */
    const char *id;   /* of the roster; "" for a pass, which acts as host */
    bool (*choose)(struct actor *actor, struct words *words); /* false: nothing to do now */
    bool reads;                                               /* it only looks */
    int64_t every_s;                                          /* on the average */
    int64_t next_ns;
    struct process *process;
    struct words last; /* what was given last, for those who repeat it */
    bool again;        /* it got no answer: the same words once more */
    uint64_t keys;
};

/* Founds the store and all who work in it. */
void load_found(void);
/* Behind them stands one more, who repeats what others just said. */
struct actor *load_actors(size_t *count_out);
/* The words that the actor gives now; false: none. */
bool load_words(struct actor *actor, struct words *words);
void load_copy(const char *from, const char *to); /* a folder and all in it; onto nothing */
void load_said(FILE *to);                         /* what sov lists, kind by kind */
/* sov with these words, by itself; its exit status. NULL ends the words. */
int load_do(const char *actor, ...);
#endif
