#ifndef SOV_POLICY_GATES_H
#define SOV_POLICY_GATES_H
/*
 * The ordered gates of review and acceptance (model.md 5). The caller establishes every fact, from
 * the log and from the checks run now; here they are only judged. A zeroed fact is the one that
 * shuts its gate, wherever there is such a thing: what was forgotten refuses.
 */
#include "base/arena.h"
#include "policy/document.h"
#include "policy/lifecycle.h"

struct sov_names {
    const char *const *at;
    size_t count;
};
/* DECIDE: an event follows. PREVIEW: could it be? the signature is not asked yet. NOBODY: a preview
 * without an actor; what is asked of the actor is left out. */
enum sov_asking { SOV_ASK_DECIDE, SOV_ASK_PREVIEW, SOV_ASK_NOBODY };
enum sov_signature_state {
    SOV_SIGNATURE_NONE,
    SOV_SIGNATURE_HOLDS,
    SOV_SIGNATURE_KEY_INVALID, /* outside its seq interval, revoked, another's */
    SOV_SIGNATURE_BAD
};
enum sov_decision { SOV_REVIEW_ACCEPTED, SOV_REVIEW_CHANGES_REQUESTED, SOV_REVIEW_REJECTED };
const char *sov_policy_decision_word(enum sov_decision decision); /* "changes_requested" */
bool sov_policy_decision(const char *word, enum sov_decision *decision_out);

/* ---- review ---- */
struct sov_review_case {
    const struct sov_policy *policy;
    enum sov_asking asking;
    struct sov_person_facts reviewer;
    bool has_key;      /* a valid one, now */
    bool outcome_open; /* ACTIVE or VERIFYING */
    struct sov_sets sets;
    enum sov_decision decision;
    struct sov_bytes rationale;
    bool verification_there;    /* one of the current execution */
    bool verification_named;    /* the one the caller means is the current one */
    struct sov_people deciders; /* of this verification so far */
    bool definition_same, aggregate_same, verification_passed, receipt_completed;
    bool boundary_kept;     /* not violated, or waived by an unrevoked ruling */
    struct sov_names holds; /* streams under an unrevoked hold: the SOW, the outcome */
    enum sov_signature_state signature;
    struct sov_names moved; /* streams read that have moved since the basis */
};

/* ---- acceptance ---- */
struct sov_case_review {
    const char *id;
    struct sov_person_facts reviewer;
    enum sov_decision decision;
    bool valid; /* statement and signature verify, digests equal the log's */
};
/* One SOW of the term that is neither WITHDRAWN nor SUPERSEDED. */
struct sov_case_sow {
    const char *id;
    enum sov_sow_state state;
    bool has_execution; /* a COMPLETED assignment */
    bool has_receipt, receipt_bound, receipt_completed;
    struct sov_names paths_unsafe, paths_missing, paths_changed;
    bool effect_required, effect_committed;
    struct sov_names effects_wrong; /* whose postings are not what policy and facts give */
    bool boundary_kept;             /* not violated, or waived */
    bool has_verification, verification_passed, definition_same; /* of the current execution */
    const struct sov_case_review *reviews;                       /* of that verification */
    size_t review_count;
};
/* One declared check, run again now, beside its evidence in the outcome's current verification. */
struct sov_case_check {
    const char *id;
    bool passes_now;
    const char *seen; /* what was seen now, for people; may be NULL */
    struct sov_hash digest_now;
    bool has_evidence, evidence_success;
    bool evidence_own; /* of this outcome, term, definition and batch */
    struct sov_hash evidence_digest;
};
struct sov_case {
    const struct sov_policy *policy;
    enum sov_asking asking;
    bool accepter_there, accepter_active;
    struct sov_person_facts accepter;
    const char *accepter_role;
    bool accepter_has_key;
    const char *outcome; /* id, for the texts */
    bool outcome_there;
    enum sov_outcome_state state;
    struct sov_names holds; /* the outcome and its SOWs under an unrevoked hold */
    struct sov_sets sets;
    struct sov_people signers;       /* who signed this very case_digest */
    const struct sov_case_sow *sows; /* by number */
    size_t sow_count;
    const struct sov_case_check *checks; /* in declared order */
    size_t check_count;
    bool has_verification, verification_passed; /* at outcome level, the newest of the term */
    bool verification_recent; /* not older than the newest receipt or effect of the term */
    bool aggregate_same;
    enum sov_signature_state signature;
    struct sov_names moved;
};

enum { SOV_REVIEW_GATES = 14, SOV_ACCEPTANCE_GATES = 36 };
struct sov_gate {
    int number;
    const char *codes[2]; /* the second may be NULL */
    const char *title;    /* what must hold */
};
const struct sov_gate *sov_policy_review_gates(size_t *count_out);
const struct sov_gate *sov_policy_acceptance_gates(size_t *count_out);

struct sov_shut {
    int gate;
    const char *code;
    const char *sow;    /* of gates 15 to 28, else NULL */
    const char *detail; /* what exactly, lower case; never NULL */
};
struct sov_verdict {
    const struct sov_shut *shut; /* in order; none: it may be */
    size_t count;
};
struct sov_verdict sov_policy_review(const struct sov_review_case *c, struct sov_arena *arena);
struct sov_verdict sov_policy_accept(const struct sov_case *c, struct sov_arena *arena);
/* True if nothing is shut; else fails with the first code, its class, and all of them in why.
 * `thing` is what cannot be accepted or reviewed. */
SOV_MUST_USE bool sov_policy_verdict(const struct sov_verdict *verdict, const char *thing,
                                     size_t gates, struct sov_error *err);

/* Do these reviews of one verification move the SOW to ACCEPTED: count and persons reached by
 * pairwise distinct accepting reviewers, nobody deciding otherwise? */
bool sov_policy_reviews_suffice(const struct sov_policy *policy,
                                const struct sov_case_review *reviews, size_t count);
/* Are these signers (pairwise distinct, persons counted) as many as acceptance asks? */
bool sov_policy_signers_suffice(const struct sov_policy *policy, const struct sov_people *signers);
#endif
