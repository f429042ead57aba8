#ifndef SOV_SIMULATOR_ORACLE_H
#define SOV_SIMULATOR_ORACLE_H
/*
 * What must hold, by a reader that shares only SQLite with the program: the log as it stands after
 * each commit, folded here anew. Owns: I1 to I6 of the list of invariants, and the knowledge by
 * which load.c chooses words that make sense. Not here: what only the second model knows.
 */
#include "tests/simulator/world.h"

enum oracle_kind {
    KIND_OUTCOME,
    KIND_SOW,
    KIND_ASSIGNMENT,
    KIND_MESSAGE,
    KIND_APPROVAL,
    KIND_INSTANCE,
    KIND_SESSION,
    KIND_DELIVERY,
    KIND_SIGNAL,
    ORACLE_KINDS
};
struct oracle_entity {
    char state;    /* first letter of the state; see oracle.c */
    bool started;  /* of an assignment: a run has begun under the live fence */
    int64_t fence; /* live, or 0 */
    int64_t past;  /* the newest that is live no more */
    char holder[24];
    int64_t of;     /* of a SOW its outcome, of an assignment its SOW */
    int64_t term;   /* of a SOW */
    bool unknown;   /* of a SOW: whether its last run had effects */
    uint64_t rules; /* of a signal: under which its newest decision was made */
    int64_t at_s;   /* of a signal */
    char to[24];    /* of an assignment its actor, of a message its addressee */
};
enum { ORACLE_ENTITIES = 4096 };

void oracle_begin(void);
void oracle_close(void); /* its connection: what that has in memory is no more */
/* All that is known of one; a zeroed one if there is none. Numbers begin with 1. */
const struct oracle_entity *oracle_entity(enum oracle_kind kind, int64_t n);
int64_t oracle_count(enum oracle_kind kind);
/* One of these states, drawn; 0: there is none. */
int64_t oracle_pick(enum oracle_kind kind, const char *states, struct chance *chance);
int64_t oracle_head(void);
const char *oracle_event(int64_t seq); /* its octets; it is there */
unsigned oracle_live_claims(void);
uint64_t oracle_digest(void); /* of all events */
/* The end of a process that was not killed: what it said against what it did. */
void oracle_ended(const struct process *process);
/* The log, read again as a whole, against all that was ever seen of it. `lost`: a crash may have
 * taken what nobody was told. */
void oracle_whole(bool lost);
/* No signal waits for an answer, nor has one that the rules of now did not give: those of the
 * newest signal, which was decided just now. How old one is goes by the log's own time. */
void oracle_decided(void);
void oracle_print(FILE *to); /* the events, one a line */
#endif
