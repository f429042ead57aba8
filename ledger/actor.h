#ifndef SOV_LEDGER_ACTOR_H
#define SOV_LEDGER_ACTOR_H
/* Actors: who may act, in which role, answerable to whom. Changed only by events (model.md 2). */
#include "ledger/commit.h"
#include "policy/policy.h"

struct sov_actor {
    const char *id, *kind, *role, *provider, *represents, *status; /* represents may be NULL */
    int64_t seq;                                                   /* of its registration */
};
struct sov_actors {
    const struct sov_actor *at;
    size_t count;
};
/* In the arena; *found_out false if there is no such actor. */
SOV_MUST_USE bool sov_actor_find(const struct sov_ledger *ledger, const char *id,
                                 struct sov_arena *arena, struct sov_actor *actor_out,
                                 bool *found_out, struct sov_error *err);
/* All of them, by id. */
SOV_MUST_USE bool sov_actor_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                                 struct sov_actors *actors_out, struct sov_error *err);
/* An actor as separation sees it: every key ever registered, the end of represents. no_such_id. */
SOV_MUST_USE bool sov_actor_person(const struct sov_ledger *ledger, const char *id,
                                   struct sov_arena *arena, struct sov_person_facts *person_out,
                                   struct sov_error *err);

struct sov_actor_request {
    const char *id, *kind, *role, *provider, *represents, *reason; /* NULL: not given */
};
SOV_MUST_USE bool sov_actor_register(struct sov_commit *commit,
                                     const struct sov_actor_request *request,
                                     struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_actor_revise(struct sov_commit *commit,
                                   const struct sov_actor_request *request,
                                   struct sov_done *done_out, struct sov_error *err);
enum sov_actor_change { SOV_ACTOR_SUSPEND, SOV_ACTOR_RESUME, SOV_ACTOR_RETIRE };
SOV_MUST_USE bool sov_actor_change(struct sov_commit *commit, const char *id,
                                   enum sov_actor_change change, const char *reason,
                                   struct sov_done *done_out, struct sov_error *err);
#endif
