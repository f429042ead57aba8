#ifndef SOV_POLICY_LIFECYCLE_H
#define SOV_POLICY_LIFECYCLE_H
/*
 * The states of outcome, SOW, assignment, approval and message, and which event may lead from which
 * to which (model.md 3, 9). State 0 is NONE: not there yet. What is no arrow is wrong_state. Who
 * may take an arrow, and behind which lead, is the registry's business (ledger/event_types.def).
 */
#include <stdbool.h>
#include <stdint.h>

#define SOV_OUTCOME_STATES(X)                                                                      \
    X(NONE)                                                                                        \
    X(PROPOSED) X(ACTIVE) X(VERIFYING) X(ACCEPTED) X(VIOLATED) X(BLOCKED) X(FAILED) X(CANCELLED)
#define SOV_OUTCOME_EVENTS(X)                                                                      \
    X(DEFINED, "outcome.defined")                                                                  \
    X(REVISED, "outcome.revised")                                                                  \
    X(ACTIVATED, "outcome.activated")                                                              \
    X(VERIFYING, "outcome.verifying")                                                              \
    X(RESUMED, "outcome.resumed")                                                                  \
    X(ACCEPTED, "outcome.accepted")                                                                \
    X(VIOLATED, "outcome.violated")                                                                \
    X(REOPENED, "outcome.reopened")                                                                \
    X(BLOCKED, "outcome.blocked")                                                                  \
    X(UNBLOCKED, "outcome.unblocked")                                                              \
    X(FAILED, "outcome.failed")                                                                    \
    X(CANCELLED, "outcome.cancelled")
#define SOV_SOW_STATES(X)                                                                          \
    X(NONE)                                                                                        \
    X(DRAFT)                                                                                       \
    X(READY)                                                                                       \
    X(ASSIGNED)                                                                                    \
    X(RUNNING)                                                                                     \
    X(REVIEW) X(CHANGES_REQUESTED) X(ACCEPTED) X(BLOCKED) X(FAILED) X(WITHDRAWN) X(SUPERSEDED)
#define SOV_SOW_EVENTS(X)                                                                          \
    X(CREATED, "sow.created")                                                                      \
    X(REVISED, "sow.revised")                                                                      \
    X(READIED, "sow.readied")                                                                      \
    X(ASSIGNED, "sow.assigned")                                                                    \
    X(STARTED, "sow.started")                                                                      \
    X(RETURNED, "sow.returned")                                                                    \
    X(SUBMITTED, "sow.submitted")                                                                  \
    X(BLOCKED, "sow.blocked")                                                                      \
    X(FAILED, "sow.failed")                                                                        \
    X(ACCEPTED, "sow.accepted")                                                                    \
    X(CHANGES_REQUESTED, "sow.changes_requested")                                                  \
    X(REVERIFIED, "sow.reverified")                                                                \
    X(RETRIED, "sow.retried")                                                                      \
    X(WITHDRAWN, "sow.withdrawn")                                                                  \
    X(SUPERSEDED, "sow.superseded")
#define SOV_ASSIGNMENT_STATES(X)                                                                   \
    X(NONE) X(CREATED) X(RUNNING) X(COMPLETED) X(BLOCKED) X(FAILED) X(CANCELLED)
#define SOV_ASSIGNMENT_EVENTS(X)                                                                   \
    X(CREATED, "assignment.created")                                                               \
    X(CLAIMED, "claim.acquired")                                                                   \
    X(RENEWED, "claim.renewed")                                                                    \
    X(RELEASED, "claim.released")                                                                  \
    X(EXPIRED, "claim.expired")                                                                    \
    X(STARTED, "run.started")                                                                      \
    X(FINISHED, "run.finished")                                                                    \
    X(COMPLETED, "assignment.completed")                                                           \
    X(BLOCKED, "assignment.blocked")                                                               \
    X(FAILED, "assignment.failed")                                                                 \
    X(CANCELLED, "assignment.cancelled")
#define SOV_APPROVAL_STATES(X)                                                                     \
    X(NONE) X(PENDING) X(GRANTED) X(DENIED) X(EXPIRED) X(REVOKED) X(CONSUMED)
#define SOV_APPROVAL_EVENTS(X)                                                                     \
    X(REQUESTED, "approval.requested")                                                             \
    X(VOTED, "approval.voted")                                                                     \
    X(GRANTED, "approval.granted")                                                                 \
    X(DENIED, "approval.denied")                                                                   \
    X(EXPIRED, "approval.expired")                                                                 \
    X(REVOKED, "approval.revoked")                                                                 \
    X(CONSUMED, "approval.consumed")
#define SOV_MESSAGE_STATES(X) X(NONE) X(NEW) X(CLAIMED) X(DONE) X(DEAD)
#define SOV_MESSAGE_EVENTS(X)                                                                      \
    X(SENT, "message.sent")                                                                        \
    X(CLAIMED, "claim.acquired")                                                                   \
    X(RELEASED, "claim.released")                                                                  \
    X(EXPIRED, "claim.expired")                                                                    \
    X(DONE, "message.done")                                                                        \
    X(FAILED, "message.failed")                                                                    \
    X(REQUEUED, "message.requeued")
#define SOV_INSTANCE_STATES(X) X(NONE) X(REGISTERED) X(CLAIMED) X(RETIRED)
#define SOV_INSTANCE_EVENTS(X)                                                                     \
    X(REGISTERED, "instance.registered")                                                           \
    X(CLAIMED, "claim.acquired")                                                                   \
    X(RENEWED, "claim.renewed")                                                                    \
    X(EXPIRED, "claim.expired")                                                                    \
    X(RETIRED, "instance.retired")
#define SOV_SESSION_STATES(X) X(NONE) X(OPEN) X(CLAIMED) X(COMPLETED) X(ABANDONED)
#define SOV_SESSION_EVENTS(X)                                                                      \
    X(OPENED, "session.opened")                                                                    \
    X(CLAIMED, "claim.acquired")                                                                   \
    X(RENEWED, "claim.renewed")                                                                    \
    X(EXPIRED, "claim.expired")                                                                    \
    X(CLOSED, "session.closed")
#define SOV_DELIVERY_STATES(X)                                                                     \
    X(NONE) X(QUEUED) X(CLAIMED) X(STARTED) X(DELIVERED) X(DEAD) X(UNKNOWN)
#define SOV_DELIVERY_EVENTS(X)                                                                     \
    X(QUEUED, "delivery.queued")                                                                   \
    X(CLAIMED, "claim.acquired")                                                                   \
    X(EXPIRED, "claim.expired")                                                                    \
    X(STARTED, "delivery.started")                                                                 \
    X(SUCCEEDED, "delivery.succeeded")                                                             \
    X(FAILED, "delivery.failed")                                                                   \
    X(RESOLVED, "delivery.resolved")

enum sov_outcome_state {
#define X(name) SOV_OUTCOME_##name,
    SOV_OUTCOME_STATES(X)
#undef X
        SOV_OUTCOME_STATE_COUNT
};
enum sov_outcome_by {
#define X(name, type) SOV_OUTCOME_BY_##name,
    SOV_OUTCOME_EVENTS(X)
#undef X
        SOV_OUTCOME_BY_COUNT
};
enum sov_sow_state {
#define X(name) SOV_SOW_##name,
    SOV_SOW_STATES(X)
#undef X
        SOV_SOW_STATE_COUNT
};
enum sov_sow_by {
#define X(name, type) SOV_SOW_BY_##name,
    SOV_SOW_EVENTS(X)
#undef X
        SOV_SOW_BY_COUNT
};
enum sov_assignment_state {
#define X(name) SOV_ASSIGNMENT_##name,
    SOV_ASSIGNMENT_STATES(X)
#undef X
        SOV_ASSIGNMENT_STATE_COUNT
};
enum sov_assignment_by {
#define X(name, type) SOV_ASSIGNMENT_BY_##name,
    SOV_ASSIGNMENT_EVENTS(X)
#undef X
        SOV_ASSIGNMENT_BY_COUNT
};
enum sov_approval_state {
#define X(name) SOV_APPROVAL_##name,
    SOV_APPROVAL_STATES(X)
#undef X
        SOV_APPROVAL_STATE_COUNT
};
enum sov_approval_by {
#define X(name, type) SOV_APPROVAL_BY_##name,
    SOV_APPROVAL_EVENTS(X)
#undef X
        SOV_APPROVAL_BY_COUNT
};
enum sov_message_state {
#define X(name) SOV_MESSAGE_##name,
    SOV_MESSAGE_STATES(X)
#undef X
        SOV_MESSAGE_STATE_COUNT
};
enum sov_message_by {
#define X(name, type) SOV_MESSAGE_BY_##name,
    SOV_MESSAGE_EVENTS(X)
#undef X
        SOV_MESSAGE_BY_COUNT
};
enum sov_instance_state {
#define X(name) SOV_INSTANCE_##name,
    SOV_INSTANCE_STATES(X)
#undef X
        SOV_INSTANCE_STATE_COUNT
};
enum sov_instance_by {
#define X(name, type) SOV_INSTANCE_BY_##name,
    SOV_INSTANCE_EVENTS(X)
#undef X
        SOV_INSTANCE_BY_COUNT
};
enum sov_session_state {
#define X(name) SOV_SESSION_##name,
    SOV_SESSION_STATES(X)
#undef X
        SOV_SESSION_STATE_COUNT
};
enum sov_session_by {
#define X(name, type) SOV_SESSION_BY_##name,
    SOV_SESSION_EVENTS(X)
#undef X
        SOV_SESSION_BY_COUNT
};
enum sov_delivery_state {
#define X(name) SOV_DELIVERY_##name,
    SOV_DELIVERY_STATES(X)
#undef X
        SOV_DELIVERY_STATE_COUNT
};
enum sov_delivery_by {
#define X(name, type) SOV_DELIVERY_BY_##name,
    SOV_DELIVERY_EVENTS(X)
#undef X
        SOV_DELIVERY_BY_COUNT
};

bool sov_policy_outcome_arrow(enum sov_outcome_state from, enum sov_outcome_by by,
                              enum sov_outcome_state to);
bool sov_policy_sow_arrow(enum sov_sow_state from, enum sov_sow_by by, enum sov_sow_state to);
bool sov_policy_assignment_arrow(enum sov_assignment_state from, enum sov_assignment_by by,
                                 enum sov_assignment_state to);
bool sov_policy_approval_arrow(enum sov_approval_state from, enum sov_approval_by by,
                               enum sov_approval_state to);
bool sov_policy_message_arrow(enum sov_message_state from, enum sov_message_by by,
                              enum sov_message_state to);
bool sov_policy_instance_arrow(enum sov_instance_state from, enum sov_instance_by by,
                               enum sov_instance_state to);
bool sov_policy_session_arrow(enum sov_session_state from, enum sov_session_by by,
                              enum sov_session_state to);
bool sov_policy_delivery_arrow(enum sov_delivery_state from, enum sov_delivery_by by,
                               enum sov_delivery_state to);
const char *sov_policy_outcome_name(enum sov_outcome_state state); /* "ACTIVE" */
const char *sov_policy_sow_name(enum sov_sow_state state);
const char *sov_policy_assignment_name(enum sov_assignment_state state);
const char *sov_policy_approval_name(enum sov_approval_state state);
const char *sov_policy_message_name(enum sov_message_state state);
const char *sov_policy_instance_name(enum sov_instance_state state);
const char *sov_policy_session_name(enum sov_session_state state);
const char *sov_policy_delivery_name(enum sov_delivery_state state);
/* The state of that name; false if there is none (NONE is no name of a state). */
bool sov_policy_outcome_state(const char *name, enum sov_outcome_state *state_out);
bool sov_policy_sow_state(const char *name, enum sov_sow_state *state_out);
bool sov_policy_assignment_state(const char *name, enum sov_assignment_state *state_out);
bool sov_policy_approval_state(const char *name, enum sov_approval_state *state_out);
bool sov_policy_message_state(const char *name, enum sov_message_state *state_out);
bool sov_policy_instance_state(const char *name, enum sov_instance_state *state_out);
bool sov_policy_session_state(const char *name, enum sov_session_state *state_out);
bool sov_policy_delivery_state(const char *name, enum sov_delivery_state *state_out);

bool sov_policy_outcome_is_open(enum sov_outcome_state state); /* ACTIVE or VERIFYING */
bool sov_policy_sow_is_live(enum sov_sow_state state); /* not ACCEPTED, WITHDRAWN, SUPERSEDED */
bool sov_policy_sow_counts(enum sov_sow_state state);  /* neither WITHDRAWN nor SUPERSEDED */
bool sov_policy_assignment_is_live(enum sov_assignment_state state); /* CREATED or RUNNING */

/* The same tables for those who list them (sov schema --states, docs, tests). */
struct sov_lifecycle {
    const char *name; /* "outcome" */
    const char *const *states, *const *events;
    unsigned state_count, event_count;
    const uint32_t *arrows; /* [from * state_count + to]: one bit an event */
};
enum { SOV_LIFECYCLE_COUNT = 8 };
const struct sov_lifecycle *sov_policy_lifecycle(unsigned n);
bool sov_lifecycle_allows(const struct sov_lifecycle *table, unsigned from, unsigned by,
                          unsigned to);
bool sov_lifecycle_is_terminal(const struct sov_lifecycle *table, unsigned state);
#endif
