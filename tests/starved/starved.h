#ifndef SOV_TESTS_STARVED_STARVED_H
#define SOV_TESTS_STARVED_STARVED_H
/*
 * What a sov that is kept short, and whoever keeps it so, say to each other: build/starved/sov is
 * the seeded program with both of its allocators, SQLite's and ours, led through counters in a
 * file that its environment names, SOV_TEST_STARVED="FILE". Not in it: the memory of cJSON and
 * cmark, which end the process as ours does, and of children: of a process that forks, only the
 * first is short.
 */
enum starved_of { STARVED_LIB, STARVED_OWN, STARVED_KINDS };
enum { STARVED_WAYS = 200000 };
struct starved {
    unsigned n[STARVED_KINDS];   /* the nth allocation fails; 0: none */
    unsigned met[STARVED_KINDS]; /* how many were asked for */
    int live[STARVED_KINDS];     /* given and not given back */
    int ever;                    /* and each later one */
    unsigned fired;              /* how many were refused, and writes beyond the limit of a file */
    int traced;                  /* the way to each is asked for */
    unsigned way[STARVED_KINDS][STARVED_WAYS]; /* to the nth: alike if all its callers are */
};
#endif
