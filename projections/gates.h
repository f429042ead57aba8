#ifndef SOV_PROJECTIONS_GATES_H
#define SOV_PROJECTIONS_GATES_H
/*
 * The gates of an acceptance as a page can show them: those that the events of the outcome, of its
 * SOWs and of their reviews decide. What hangs on today's actors, on the policy or on the world is
 * asked at acceptance (policy/gates.h, which is right where the two differ).
 */
#include "projections/work.h"

enum sov_gate_state {
    SOV_GATE_ASKED, /* at acceptance */
    SOV_GATE_MET,
    SOV_GATE_OPEN,
    SOV_GATE_IDLE /* there is nothing yet, or nothing at all, that it could be asked of */
};
struct sov_gate_seen {
    const struct sov_gate *gate;
    enum sov_gate_state state;
    const char *code;   /* of an open one */
    const char *detail; /* of an open one: text that may hold what came from outside */
    const char *by;     /* of a met one: ids, ours; empty for the outcome's own */
    int64_t sow;        /* of an open one about a SOW; 0: none */
};
struct sov_gates_seen {
    struct sov_gate_seen at[SOV_ACCEPTANCE_GATES];
    const struct sov_gate_seen *first; /* the first open one; NULL: none */
    size_t open;
};
void sov_gates_see(const struct sov_story *story, struct sov_arena *arena,
                   struct sov_gates_seen *gates_out);
#endif
