#ifndef SOV_POLICY_DOCUMENT_H
#define SOV_POLICY_DOCUMENT_H
/*
 * The policy document `sov.policy.v1`: its strict form, its digest, and the struct that every
 * decision reads. Exactly the keys roles, ttl, limits, acceptance, review, separation, effects,
 * wake, each complete, and approval; anything else is policy_invalid with a JSON pointer, also a
 * knob that this build does not enforce. What came later (SOV_POLICY_NUMBERS_LATER, approval) may
 * be left out and then has its default: a document adopted before it was known is read for ever.
 */
#include "base/arena.h"
#include "base/crypto.h"
#include "policy/separation.h"

/* The closed set of authorities (model.md 2). */
#define SOV_AUTHORITIES(X)                                                                         \
    X(OBSERVE, "observe")                                                                          \
    X(CONVERSE, "converse")                                                                        \
    X(ADMINISTER, "administer")                                                                    \
    X(DEFINE, "define")                                                                            \
    X(STEER, "steer")                                                                              \
    X(CLOSE, "close")                                                                              \
    X(ACCEPT, "accept")                                                                            \
    X(RULE, "rule")                                                                                \
    X(WAIVE, "waive")                                                                              \
    X(APPROVE, "approve")                                                                          \
    X(PLAN, "plan")                                                                                \
    X(ASSIGN, "assign")                                                                            \
    X(REQUEST, "request")                                                                          \
    X(WORK, "work")                                                                                \
    X(REVIEW, "review")                                                                            \
    X(VERIFY, "verify")
enum sov_authority {
#define X(name, word) SOV_MAY_##name,
    SOV_AUTHORITIES(X)
#undef X
        SOV_AUTHORITY_COUNT
};

struct sov_role {
    const char *id;
    uint32_t may; /* one bit an authority; observe and converse are always among them */
};
enum sov_severity { SOV_INFO, SOV_WARNING, SOV_RESOLVED, SOV_SEVERITY_COUNT };
enum sov_origin { SOV_FROM_ASSIGNMENT, SOV_FROM_OUTSIDE };

/* An integer, or the name of a fact of the subject. */
struct sov_operand {
    const char *fact; /* NULL: the integer */
    int64_t n;
};
/* Account templates hold {subject} as a whole segment, or not at all. */
struct sov_term {
    const char *account;
    int64_t times;
};
struct sov_condition {
    const struct sov_term *terms;
    size_t term_count;
    bool below; /* "<", else ">=" */
    struct sov_operand value;
};
struct sov_posting_rule {
    const char *account;
    int64_t sign;                      /* 1 or -1 */
    const struct sov_operand *factors; /* the fact "quantity" is the quantity */
    size_t factor_count;
};
struct sov_emit_rule {
    const char *kind;
    enum sov_severity then, otherwise;
    const struct sov_condition *when; /* all true: then */
    size_t when_count;
};
struct sov_effect_kind {
    const char *kind, *subject, *unit; /* subject: a literal, or a prefix and * */
    enum sov_origin origin;
    bool approval; /* of an effect: E9 asks for one that allows this very effect */
    int64_t min, max;
    const struct sov_posting_rule *postings;
    size_t posting_count;
    const struct sov_condition *constraints;
    size_t constraint_count;
    const struct sov_emit_rule *emits;
    size_t emit_count;
};
/* Texts of the SOW may hold {subject} and {signal}. effect NULL: none. */
struct sov_wake_sow {
    const char *title, *scope, *done_when, *effect;
    bool effect_required;
    const char *const *deliverables, *const *non_goals;
    size_t deliverable_count, non_goal_count;
};
struct sov_wake_rule {
    const char *id;
    int64_t priority;
    bool enabled, reopen;
    const char *kind, *subject;
    const char *const *sources; /* each a literal, or a prefix and *; at least one */
    size_t source_count;
    bool severities[SOV_SEVERITY_COUNT];
    const struct sov_condition *when;
    size_t when_count;
    const char *planner;
    const char *worker;      /* an actor's id, or */
    const char *worker_role; /* a role ("role/operator" in the document); the other is NULL */
    struct sov_wake_sow sow;
};

/* Rows make struct, parser, default and print: section, key, default, least, most. */
#define SOV_POLICY_NUMBERS(X)                                                                      \
    X(ttl, attempt, 900, 1, 86400)                                                                 \
    X(ttl, defer, 300, 1, 86400)                                                                   \
    X(ttl, grace, 5, 0, 3600)                                                                      \
    X(ttl, heartbeat_interval, 30, 1, 86400)                                                       \
    X(ttl, heartbeat_stale, 900, 1, 31536000)                                                      \
    X(ttl, max, 14400, 1, 604800)                                                                  \
    X(ttl, max_skew, 300, 0, 86400)                                                                \
    X(limits, assignments_per_sow, 4, 1, 1000)                                                     \
    X(limits, attempts_per_assignment, 3, 1, 1000)                                                 \
    X(limits, deliverable_bytes, 67108864, 1, 1073741824)                                          \
    X(limits, live_attempts_per_actor, 1, 1, 1000)                                                 \
    X(limits, open_sows, 16, 1, 1000)                                                              \
    X(limits, pulse_signals, 256, 1, 100000)                                                       \
    X(limits, receipt_bytes, 268435456, 1, 4294967296)                                             \
    X(limits, signal_horizon, 2592000, 1, 315360000)                                               \
    X(limits, supervise_acts, 1000, 1, 100000)                                                     \
    X(acceptance, persons, 1, 0, 16)                                                               \
    X(acceptance, signers, 1, 1, 16)                                                               \
    X(review, count, 1, 1, 16)                                                                     \
    X(review, persons, 0, 0, 16)
#define SOV_POLICY_NUMBERS_LATER(X)                                                                \
    X(ttl, approval, 3600, 1, 604800)                                                              \
    X(ttl, delivery, 300, 1, 86400)                                                                \
    X(ttl, instance, 60, 1, 86400)                                                                 \
    X(ttl, message, 900, 1, 86400)                                                                 \
    X(ttl, session, 60, 1, 86400)                                                                  \
    X(limits, approvals_per_minute, 10, 1, 1000)                                                   \
    X(limits, delivery_attempts, 5, 1, 1000)                                                       \
    X(limits, delivery_backoff, 30, 1, 86400)                                                      \
    X(limits, delivery_backoff_max, 300, 1, 86400)                                                 \
    X(limits, message_retries, 3, 1, 1000)                                                         \
    X(approval, persons, 1, 0, 16)                                                                 \
    X(approval, quorum, 1, 1, 16)

struct sov_policy {
    struct sov_bytes octets;              /* canonical */
    struct sov_hash digest, rules_digest; /* of the document; of its `wake` alone */
    /* ttl_attempt, limits_open_sows, review_count ...; seconds or a count or bytes */
#define X(section, key, normal, least, most) int64_t section##_##key;
    SOV_POLICY_NUMBERS(X)
    SOV_POLICY_NUMBERS_LATER(X)
#undef X
    const char *const *acceptance_robots, *const *approval_robots;
    size_t acceptance_robot_count, approval_robot_count;
    bool answerable_required;
    const struct sov_role *roles; /* in the document's order, which is canonical: by id */
    const struct sov_effect_kind *effects;
    const struct sov_wake_rule *wake;
    size_t role_count, effect_count, wake_count;
};

/* `octets` are canonical (sov_json_canonical); they and everything in the policy are copied into
 * the arena. Fails policy_invalid naming the JSON pointer (also as the error's reference), or
 * bad_json, too_large. */
SOV_MUST_USE bool sov_policy_parse(struct sov_bytes octets, struct sov_arena *arena,
                                   const struct sov_policy **policy_out, struct sov_error *err);
/* The document that a founding commit adopts unless it is given another. */
struct sov_bytes sov_policy_default(void);

/* ---- authority (authority.c) ---- */
const char *sov_authority_word(enum sov_authority authority);
bool sov_authority_find(struct sov_bytes word, enum sov_authority *authority_out);
const struct sov_role *sov_policy_role(const struct sov_policy *policy, const char *role);
/* False too if the policy has no row for the role. */
bool sov_policy_may(const struct sov_policy *policy, const char *role,
                    enum sov_authority authority);
/* The same as a refusal: not_authorised, naming actor, role and authority. */
SOV_MUST_USE bool sov_policy_authorise(const struct sov_policy *policy, const char *actor,
                                       const char *role, enum sov_authority authority,
                                       struct sov_error *err);

/* An active actor, as the question "would anybody be left" needs it. */
struct sov_roster_row {
    const char *id, *role;
    enum sov_actor_kind kind;
};
/* Every role in use has a row (policy_orphans_role); then an active person keeps `administer` and
 * enough active actors may sign an acceptance (policy_locks_out). The roster lists the active
 * actors; `roles_in_use` those of suspended ones too. */
SOV_MUST_USE bool sov_policy_governs(const struct sov_policy *policy,
                                     const struct sov_roster_row *active, size_t active_count,
                                     const char *const *roles_in_use, size_t role_count,
                                     struct sov_error *err);
/* May this actor sign an acceptance at all (gate 3): a person, or named in acceptance.robots. */
bool sov_policy_may_sign(const struct sov_policy *policy, const char *id, enum sov_actor_kind kind);
/* May this actor vote on an approval: a person, or named in approval.robots. */
bool sov_policy_may_vote(const struct sov_policy *policy, const char *id, enum sov_actor_kind kind);
#endif
