#ifndef SOV_LEDGER_APPROVAL_H
#define SOV_LEDGER_APPROVAL_H
/*
 * Approvals: leave for one exact act, asked for by one actor and voted on by others (model.md 9).
 * Bound to the digest of the canonical arguments, to the policy in force at the request, and to
 * the requester; used in the very commit of the act. Owns: state_approval, state_approval_vote.
 */
#include "ledger/blob.h"
#include "ledger/key.h"
#include "policy/policy.h"

#define SOV_APPROVAL_TAG "sov.approval.v1"
/* The action of an effect: on "assignment/ASG-n", over {assignment, kind, quantity, subject}. */
#define SOV_APPROVAL_EFFECT "effect.commit"

enum { SOV_APPROVAL_ARGS_MAX = 65536 };

struct sov_approval_vote {
    const char *voter, *reason;
    bool grants; /* else it denies */
    struct sov_signed_by by;
    int64_t seq;
};
struct sov_approval {
    int64_t n;
    const char *action;
    const char *resource; /* a stream: "assignment/ASG-3" */
    struct sov_approval_facts facts;
    struct sov_blob_ref args; /* the bytes that voters are shown */
    int64_t quorum, persons;
    const char *requester, *used_by; /* used_by: a stream, NULL until it is CONSUMED */
    struct sov_hash hash;            /* of approval.requested */
    int64_t seq, last_seq;
};
struct sov_approvals {
    const struct sov_approval *at;
    size_t count;
};
struct sov_approval_votes {
    const struct sov_approval_vote *at;
    size_t count;
};
SOV_MUST_USE bool sov_approval_find(const struct sov_ledger *ledger, int64_t n,
                                    struct sov_arena *arena, struct sov_approval *approval_out,
                                    bool *found_out, struct sov_error *err);
SOV_MUST_USE bool sov_approval_get(const struct sov_ledger *ledger, int64_t n,
                                   struct sov_arena *arena, struct sov_approval *approval_out,
                                   struct sov_error *err); /* no_such_id */
/* Of one action and resource, or all (action NULL), oldest first. */
SOV_MUST_USE bool sov_approval_list(const struct sov_ledger *ledger, const char *action,
                                    const char *resource, struct sov_arena *arena,
                                    struct sov_approvals *list_out, struct sov_error *err);
/* PENDING or GRANTED ones whose time is over then. */
SOV_MUST_USE bool sov_approval_over(const struct sov_ledger *ledger, int64_t at_ms,
                                    struct sov_arena *arena, struct sov_approvals *list_out,
                                    struct sov_error *err);
/* In the order of the log. */
SOV_MUST_USE bool sov_approval_votes(const struct sov_ledger *ledger, int64_t n,
                                     struct sov_arena *arena, struct sov_approval_votes *votes_out,
                                     struct sov_error *err);
/* Those who voted, or only those who granted, as separation sees them today. */
SOV_MUST_USE bool sov_approval_voters(const struct sov_ledger *ledger, int64_t n, bool granted,
                                      struct sov_arena *arena, struct sov_people *people_out,
                                      struct sov_error *err);

/* ---- operations ---- */
struct sov_approval_request {
    const char *action;
    const char *resource;  /* a stream, or a numbered id */
    struct sov_bytes args; /* canonical JSON, an object */
    int64_t expires_ms;    /* 0: ttl.approval from now on */
};
/* The same requester, action, resource and arguments still PENDING: that one, a noop.
 * too_many_requests. */
SOV_MUST_USE bool sov_approval_ask(struct sov_commit *commit,
                                   const struct sov_approval_request *request,
                                   struct sov_done *done_out, struct sov_error *err);
/* The statement to sign before the commit, under SOV_APPROVAL_TAG. */
SOV_MUST_USE bool sov_approval_statement(const struct sov_ledger *ledger, int64_t n, bool grants,
                                         const char *reason, struct sov_arena *arena,
                                         struct sov_bytes *statement_out, struct sov_error *err);
/* *state_out: where the vote leaves it. */
SOV_MUST_USE bool sov_approval_decide(struct sov_commit *commit, int64_t n, bool grants,
                                      const char *reason, const struct sov_signed_by *by,
                                      enum sov_approval_state *state_out, struct sov_done *done_out,
                                      struct sov_error *err);
SOV_MUST_USE bool sov_approval_revoke(struct sov_commit *commit, int64_t n, const char *reason,
                                      struct sov_done *done_out, struct sov_error *err);
/* A pass: its time is over by the commit's clock, else wrong_state. */
SOV_MUST_USE bool sov_approval_expire(struct sov_commit *commit, int64_t n,
                                      struct sov_done *done_out, struct sov_error *err);
/* Behind the act that it allows; `used_by` is the stream that came of it, `cause` its event. */
SOV_MUST_USE bool sov_approval_follow_consumed(struct sov_commit *commit, int64_t n,
                                               const struct sov_stream *used_by, int64_t cause,
                                               struct sov_error *err);
/* The digest of the arguments of an effect, as an approval of it must have them. */
SOV_MUST_USE bool sov_approval_effect_args(int64_t assignment, const char *kind, int64_t quantity,
                                           const char *subject, struct sov_arena *arena,
                                           struct sov_bytes *args_out, struct sov_error *err);
#endif
