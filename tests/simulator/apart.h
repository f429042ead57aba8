#ifndef SOV_SIMULATOR_APART_H
#define SOV_SIMULATOR_APART_H
/*
 * Two machines, each with a home of its own, on one file whose locks the other does not see (S13),
 * or whose older copy is put back: commits may be lost, the file may be torn, and nobody can help
 * it. But whatever a machine has pinned is there, or the next look of one of them says what is
 * wrong.
 */
#include <stdbool.h>
#include <stdint.h>

struct apart_plan {
    int64_t rounds; /* in each of which both write and both look */
    bool together;  /* they do see the locks: all must be well */
    bool old;       /* in the middle the file of two rounds before is put back */
    bool blind;     /* no look knows of a pin: the judge has something to find */
};
/* The last line says how it ended. */
void apart_run(const struct apart_plan *plan);
#endif
