#ifndef SOV_TESTS_STARVED_STARVED_H
#define SOV_TESTS_STARVED_STARVED_H
/*
 * What a sov that is kept short, and whoever keeps it so, say to each other: build/starved/sov is
 * the seeded program with both of its allocators, SQLite's and ours, led through counters in a
 * file that its environment names, SOV_TEST_STARVED="FILE". Before main it begins to serve: for
 * each octet that it reads from STARVED_GO it makes a child, which enters $PWD and goes on to main,
 * and when that and all that it started have ended it writes a struct starved_end to STARVED_ENDED.
 * Not short are cJSON and cmark, which end the process as our allocator does, and the processes
 * that the child starts, but for the room of their files.
 */
enum { STARVED_GO = 198, STARVED_ENDED = 199 };
struct starved_end {
    int status; /* as of waitpid */
    int late;   /* whether a descendant was left after two seconds */
};
enum starved_of { STARVED_LIB, STARVED_OWN, STARVED_KINDS };
enum { STARVED_WAYS = 200000 };
struct starved {
    unsigned n[STARVED_KINDS];   /* the nth allocation fails; 0: none */
    unsigned met[STARVED_KINDS]; /* how many were asked for */
    int live[STARVED_KINDS];     /* given and not given back */
    int ever;                    /* and each later one */
    unsigned fired;              /* how many were refused, and writes beyond the limit of a file */
    unsigned limited, limit;     /* if so: octets of a file that may be written */
    int pid;                     /* of the child */
    int traced;                  /* the way to each is asked for */
    unsigned way[STARVED_KINDS][STARVED_WAYS]; /* to the nth: alike if all its callers are */
};
#endif
