#ifndef SOV_LEDGER_MESSAGE_H
#define SOV_LEDGER_MESSAGE_H
/*
 * The mailbox between actors (model.md 9). A message is information, never authority: nothing else
 * moves by it. Owns: state_message, message.*, and what a claim does to a message.
 */
#include "ledger/blob.h"
#include "ledger/claim.h"
#include "policy/policy.h"

enum { SOV_MESSAGE_BODY_MAX = 1 << 20 };

struct sov_message {
    int64_t n;
    const char *to;              /* an actor, or "role/ROLE" */
    const char *from;            /* an actor, or "host" */
    const char *subject, *about; /* about: a stream, or NULL */
    int64_t reply_to;            /* 0: none */
    enum sov_message_state state;
    int64_t retries, seq;
};
struct sov_messages {
    const struct sov_message *at;
    size_t count;
};
SOV_MUST_USE bool sov_message_find(const struct sov_ledger *ledger, int64_t n,
                                   struct sov_arena *arena, struct sov_message *message_out,
                                   bool *found_out, struct sov_error *err);
SOV_MUST_USE bool sov_message_get(const struct sov_ledger *ledger, int64_t n,
                                  struct sov_arena *arena, struct sov_message *message_out,
                                  struct sov_error *err); /* no_such_id */
/* All, oldest first. */
SOV_MUST_USE bool sov_message_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                                   struct sov_messages *list_out, struct sov_error *err);
/* NEW or CLAIMED ones for an actor or its role; oldest first. */
SOV_MUST_USE bool sov_message_waiting(const struct sov_ledger *ledger, const char *actor,
                                      const char *role, struct sov_arena *arena,
                                      struct sov_messages *list_out, struct sov_error *err);
/* It is for this actor, or for his role. */
bool sov_message_is_for(const struct sov_message *message, const char *actor, const char *role);

/* ---- operations ---- */
struct sov_message_request {
    const char *to, *subject;
    const char *about;     /* a stream or an id; NULL: nothing */
    int64_t reply_to;      /* 0: none */
    struct sov_bytes body; /* UTF-8; .data NULL: none. Over SOV_TEXT_MESSAGE bytes it is a blob. */
};
/* no_such_id, role_unknown. */
SOV_MUST_USE bool sov_message_send(struct sov_commit *commit,
                                   const struct sov_message_request *request,
                                   struct sov_done *done_out, struct sov_error *err);
/* not_addressed, claim_held. ttl_s 0: the policy's. */
SOV_MUST_USE bool sov_message_claim(struct sov_commit *commit, int64_t n, int64_t ttl_s,
                                    const struct sov_who *who, int64_t *fence_out,
                                    struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_message_release(struct sov_commit *commit, int64_t n, int64_t fence,
                                      const char *reason, struct sov_done *done_out,
                                      struct sov_error *err);
/* `result` may be NULL. */
SOV_MUST_USE bool sov_message_done(struct sov_commit *commit, int64_t n, int64_t fence,
                                   const char *result, struct sov_done *done_out,
                                   struct sov_error *err);
/* *state_out: NEW again, or DEAD at the limit of retries. */
SOV_MUST_USE bool sov_message_fail(struct sov_commit *commit, int64_t n, int64_t fence,
                                   const char *reason, enum sov_message_state *state_out,
                                   struct sov_done *done_out, struct sov_error *err);
/* By its sender, or one who may plan. */
SOV_MUST_USE bool sov_message_requeue(struct sov_commit *commit, int64_t n, const char *reason,
                                      struct sov_done *done_out, struct sov_error *err);
/* By host behind a review that did not accept the work: to its worker, with the rationale. */
SOV_MUST_USE bool sov_message_follow_review(struct sov_commit *commit, int64_t review, int64_t sow,
                                            const char *decision, struct sov_bytes rationale,
                                            struct sov_error *err);
#endif
