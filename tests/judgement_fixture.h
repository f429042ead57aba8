#ifndef SOV_TESTS_JUDGEMENT_FIXTURE_H
#define SOV_TESTS_JUDGEMENT_FIXTURE_H
/*
 * The store, far enough along that something can be judged. What the checks see is what the test
 * says: each of two declared checks shows one integer, and fails if told to.
 * A call with `expected` NULL must succeed; otherwise it must be refused with that code, and leave
 * every table as it was.
 */
#include "tests/ledger_fixture.h"

enum { JUDGING_CHECKS = 2 };
struct judging {
    struct fixture f;
    int64_t fact[JUDGING_CHECKS];
    bool fails[JUDGING_CHECKS];
    struct sov_done done; /* of the newest operation */
};

void judging_open(struct judging *j);  /* the store's policy, SKU-TEA and its accounts */
void judging_close(struct judging *j); /* the refolded state is the one that was kept */

/* An active actor with a key, registered by principal; represents NULL: nobody. */
void judging_actor(struct judging *j, const char *id, const char *kind, const char *role,
                   const char *represents);
/* Adopts the store's policy with the first occurrence of one text replaced by another. */
void judging_policy(struct judging *j, const char *from, const char *to);

int64_t judging_outcome(struct judging *j, const char *subject); /* ACTIVE; its number */
/* READY. `effect` NULL: none, else it is required; `deliverable` NULL: none. */
int64_t judging_sow(struct judging *j, int64_t outcome, const char *effect,
                    const char *deliverable);
int64_t judging_assign(struct judging *j, int64_t sow, const char *worker);
struct judging_run {
    const char *path, *content; /* a deliverable; NULL: none */
    int64_t quantity;           /* of a proposal on SKU-TEA; 0: none */
    bool violated, failed;
};
/* Claims, starts and finishes; returns the receipt. */
int64_t judging_run(struct judging *j, int64_t assignment, const char *worker,
                    const struct judging_run *run);
/* A SOW without effect or deliverable, assigned to operator and run to REVIEW; its number. */
int64_t judging_work(struct judging *j, int64_t outcome);

/* What the checks of an outcome see at this moment, in the fixture's arena. */
struct sov_observations judging_see(struct judging *j, int64_t outcome);
/* Of a SOW (outcome 0) or an outcome (sow 0). Returns the number of the verification, 0: refused.
 */
int64_t judging_verify(struct judging *j, const char *who, int64_t sow, int64_t outcome,
                       bool recheck, const char *expected);
int64_t judging_review(struct judging *j, const char *who, int64_t sow, enum sov_decision decision,
                       const char *expected);
/* *accepted_out may be NULL. */
int64_t judging_accept(struct judging *j, const char *who, int64_t outcome, bool *accepted_out,
                       const char *expected);
int64_t judging_rule(struct judging *j, const char *who, const char *effect, const char *applies_to,
                     int64_t receipt, const char *expected);
void judging_revoke(struct judging *j, const char *who, int64_t ruling, const char *expected);

/* Asks for leave to commit a replenishment of SKU-TEA; its number. */
int64_t judging_ask(struct judging *j, const char *who, int64_t assignment, int64_t quantity);
/* The state that the vote leaves; NONE: refused. */
enum sov_approval_state judging_vote(struct judging *j, const char *who, int64_t approval,
                                     bool grants, const char *expected);

/* Verified twice (SOW, outcome), reviewed by sparring: only the acceptance is missing. The SOW. */
int64_t judging_ready(struct judging *j, int64_t outcome);

/* The parts of an acceptance, for a test that does something in between. */
struct judging_signing {
    struct sov_acceptance_prepared prepared;
    struct sov_observations seen;
    struct sov_signed_by by;
    bool is_signed;
};
void judging_sign(struct judging *j, const char *who, int64_t outcome, struct judging_signing *out);
int64_t judging_append(struct judging *j, const char *who, const struct judging_signing *signing,
                       bool *accepted_out, const char *expected);

enum sov_outcome_state judging_outcome_state(struct judging *j, int64_t outcome);
enum sov_sow_state judging_sow_state(struct judging *j, int64_t sow);
/* Types of the events after a seq, joined by spaces. */
const char *judging_events(struct judging *j, int64_t after);

/* ---- past the operations: well-formed events that none of them would append ---- */
void judging_forge(struct judging *j, const char *who, enum sov_event_type type,
                   enum sov_stream_kind kind, int64_t n, int64_t fence, const char *data);
void judging_sow_accepted(struct judging *j, int64_t sow);
const char *judging_text(struct judging *j, const char *fmt, ...) SOV_PRINTF(2, 3);
const char *judging_hex(struct judging *j, const struct sov_hash *hash);
#endif
