/* A review: its facts, what is signed, the decision and what follows for the SOW. */
#include <assert.h>

#include "base/text.h"
#include "ledger/actor.h"
#include "ledger/judged.h"
#include "ledger/log.h"
#include "ledger/message.h"
#include "ledger/receipt.h"
#include "ledger/review.h"
#include "ledger/row.h"
#include "ledger/ruling.h"
#include "ledger/sets.h"
#include "ledger/statement.h"

/* Everything that a review looks at. */
struct looking {
    const struct sov_ledger *ledger;
    struct sov_arena *arena;
    struct sov_sow sow;
    struct sov_outcome outcome;
    struct sov_judged judged; /* the current verification */
    struct sov_receipt receipt;
    struct sov_reads reads;
};

static struct sov_bytes rationale_of(const struct sov_review_request *request)
{
    return sov_bytes_text(request->rationale ? request->rationale : "");
}

static bool is_text(const struct sov_review_request *request, struct sov_error *err)
{
    return sov_text_is_utf8(rationale_of(request)) ||
           sov_fail(err, SOV_USAGE, "bad_text", "the rationale is not valid UTF-8");
}

static bool deciders(const struct looking *at, struct sov_people *people_out, struct sov_error *err)
{
    struct sov_person_facts *people;
    struct sov_reviews reviews;
    size_t count = 0;

    if (!sov_review_list(at->ledger, at->sow.n, at->arena, &reviews, err)) return false;
    people = sov_arena_array(at->arena, reviews.count, sizeof *people);
    for (size_t i = 0; i < reviews.count; i++)
        if (reviews.at[i].verification == at->judged.verification.n &&
            !sov_actor_person(at->ledger, reviews.at[i].reviewer, at->arena, &people[count++], err))
            return false;
    *people_out = (struct sov_people){ people, count };
    return true;
}

static bool boundary_kept(const struct looking *at, bool *kept_out, struct sov_error *err)
{
    int64_t waiver = 0;

    if (at->receipt.boundary.violated &&
        !sov_ruling_in_force(at->ledger, SOV_RULING_WAIVE, NULL, at->receipt.n, &waiver, err))
        return false;
    *kept_out = !at->receipt.boundary.violated || waiver;
    return true;
}

/* The current verification, its receipt, and what the gates ask of them. */
static bool look_at_work(struct looking *at, struct sov_review_case *c, struct sov_error *err)
{
    struct sov_verification verification;
    bool found;

    if (!sov_verification_current(at->ledger, at->sow.n, at->arena, &verification, &found, err))
        return false;
    if (!found) return true;
    if (!sov_judged_verification(at->ledger, &verification, at->arena, &at->judged, err) ||
        !sov_receipt_get(at->ledger, verification.receipt, at->arena, &at->receipt, err))
        return false;
    c->verification_there = true;
    c->definition_same =
        sov_hash_equal(&verification.definition_digest, &at->outcome.definition_digest);
    c->aggregate_same = at->judged.aggregate_same;
    /* Under another definition other checks were declared: that is a gate of its own. */
    c->verification_passed =
        at->judged.passed &&
        (!c->definition_same || sov_judged_is_whole(&at->judged, at->outcome.checks));
    c->receipt_completed = at->receipt.status == SOV_RECEIPT_COMPLETED;
    return boundary_kept(at, &c->boundary_kept, err) && deciders(at, &c->deciders, err);
}

static bool look(struct looking *at, const char *actor, const struct sov_review_request *request,
                 struct sov_review_case *c, struct sov_error *err)
{
    struct sov_stream held[2];

    if (!sov_sow_get(at->ledger, request->sow, at->arena, &at->sow, err) ||
        !sov_outcome_get(at->ledger, at->sow.outcome, at->arena, &at->outcome, err) ||
        !sov_reads_of(at->ledger, at->outcome.n, actor, at->arena, &at->reads, err))
        return false;
    held[0] = sov_stream_numbered(SOV_STREAM_SOW, at->sow.n);
    held[1] = sov_stream_numbered(SOV_STREAM_OUTCOME, at->outcome.n);
    c->decision = request->decision;
    c->rationale = rationale_of(request);
    /* Work of an earlier term is over, whatever the outcome is in now. */
    c->outcome_open =
        sov_policy_outcome_is_open(at->outcome.state) && at->sow.term == at->outcome.term;
    return sov_actor_person(at->ledger, actor, at->arena, &c->reviewer, err) &&
           sov_key_is_there(at->ledger, actor, &c->has_key, err) &&
           sov_term_sets(at->ledger, at->outcome.n, at->outcome.term, at->arena, &c->sets, err) &&
           sov_judged_holds(at->ledger, held, 2, at->arena, &c->holds, err) &&
           look_at_work(at, c, err);
}

static struct sov_review_said said(const struct sov_review_prepared *prepared,
                                   const struct sov_hash *receipt_hash)
{
    return (struct sov_review_said){
        .sow = prepared->request.sow,
        .verification = prepared->verification,
        .receipt_hash = *receipt_hash,
        .aggregate = prepared->aggregate_digest,
        .decision = sov_policy_decision_word(prepared->request.decision),
        .rationale = rationale_of(&prepared->request),
    };
}

bool sov_review_prepare(const struct sov_ledger *ledger, const char *actor,
                        const struct sov_review_request *request, struct sov_arena *arena,
                        struct sov_review_prepared *prepared_out, struct sov_error *err)
{
    struct sov_review_prepared prepared = { .request = *request };
    struct looking at = { .ledger = ledger, .arena = arena };
    struct sov_review_case c = { .asking = SOV_ASK_PREVIEW };
    struct sov_review_said statement;

    assert(actor);
    if (!is_text(request, err) || !sov_ledger_head(ledger, &prepared.basis, err) ||
        !sov_policy_at(ledger, 0, arena, &c.policy, err) || !look(&at, actor, request, &c, err))
        return false;
    prepared.reads_digest = at.reads.digest;
    if (at.judged.there) {
        prepared.verification = at.judged.verification.n;
        prepared.receipt = at.receipt.n;
        prepared.aggregate_digest = at.judged.verification.aggregate_digest;
        statement = said(&prepared, &at.receipt.hash);
        prepared.statement = sov_review_statement(ledger, &statement, arena);
    }
    c.verification_named = !request->verification || request->verification == prepared.verification;
    prepared.verdict = sov_policy_review(&c, arena);
    *prepared_out = prepared;
    return true;
}

/* ---- phase 2 ---- */

static bool payload(struct sov_commit *commit, const struct sov_review_prepared *prepared,
                    const struct sov_hash *reads, const struct sov_signed_by *by,
                    struct sov_bytes *data_out, struct sov_error *err)
{
    static const struct sov_signed_by nobody = { .key = "none" };
    int64_t meant =
        prepared->request.verification ? prepared->request.verification : prepared->verification;
    struct sov_writer w = sov_commit_writer(commit);
    char id[SOV_JUDGED_ID_SIZE];

    sov_write_object(&w);
    sov_put_hex(&w, "aggregate_digest", sov_hash_bytes(&prepared->aggregate_digest));
    sov_put_int(&w, "basis", prepared->basis);
    sov_put_text(&w, "decision", sov_policy_decision_word(prepared->request.decision));
    sov_put_bytes(&w, "rationale", rationale_of(&prepared->request));
    sov_put_hex(&w, "reads_digest", sov_hash_bytes(reads));
    /* Without a verification there is no receipt either: a placeholder that no gate lets pass. */
    sov_put_text(&w, "receipt",
                 sov_judged_id(SOV_STREAM_RECEIPT, prepared->receipt ? prepared->receipt : 1, id));
    sov_write_key(&w, "sig");
    sov_signed_put(&w, by ? by : &nobody);
    sov_put_text(&w, "sow", sov_judged_id(SOV_STREAM_SOW, prepared->request.sow, id));
    if (meant) sov_put_text(&w, "verification", sov_judged_id(SOV_STREAM_VERIFICATION, meant, id));
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* The SOW is in REVIEW: the arrow that this decision would take. */
static bool in_review(const struct looking *at, enum sov_decision decision, struct sov_error *err)
{
    enum sov_sow_by by = decision == SOV_REVIEW_ACCEPTED            ? SOV_SOW_BY_ACCEPTED
                         : decision == SOV_REVIEW_CHANGES_REQUESTED ? SOV_SOW_BY_CHANGES_REQUESTED
                                                                    : SOV_SOW_BY_FAILED;
    enum sov_sow_state to = decision == SOV_REVIEW_ACCEPTED            ? SOV_SOW_ACCEPTED
                            : decision == SOV_REVIEW_CHANGES_REQUESTED ? SOV_SOW_CHANGES_REQUESTED
                                                                       : SOV_SOW_FAILED;

    if (at->sow.state == SOV_SOW_REVIEW && sov_policy_sow_arrow(at->sow.state, by, to)) return true;
    return sov_refuse_state(err, SOV_STREAM_SOW, at->sow.n, sov_policy_sow_name(at->sow.state),
                            "a review is of work in REVIEW");
}

/* An accepting review moves the SOW when policy's count is reached and nobody said otherwise. */
static bool accept_follows(struct sov_commit *commit, const struct sov_review_prepared *prepared,
                           struct sov_error *err)
{
    struct sov_arena *arena = &commit->arena;
    struct sov_case_review *cases;
    struct sov_reviews reviews;
    int64_t *numbers;
    size_t count = 0;

    if (!sov_review_list(commit->ledger, prepared->request.sow, arena, &reviews, err)) return false;
    cases = sov_arena_array(arena, reviews.count, sizeof *cases);
    numbers = sov_arena_array(arena, reviews.count, sizeof *numbers);
    for (size_t i = 0; i < reviews.count; i++) {
        const struct sov_review *review = &reviews.at[i];

        if (review->verification != prepared->verification) continue;
        if (!sov_policy_decision(review->decision, &cases[count].decision) ||
            !sov_actor_person(commit->ledger, review->reviewer, arena, &cases[count].reviewer, err))
            return false;
        cases[count].valid = true;
        numbers[count++] = review->n;
    }
    return !sov_policy_reviews_suffice(commit->policy, cases, count) ||
           sov_sow_follow_accepted(commit, prepared->request.sow, numbers, count, err);
}

/* What did not pass moves the SOW at once, and its worker is told why. */
static bool follow(struct sov_commit *commit, const struct sov_review_prepared *prepared,
                   int64_t review, struct sov_error *err)
{
    struct sov_sow_failure failure = { .review = review, .why = "rejected" };
    int64_t sow = prepared->request.sow;
    bool moved = false;

    switch (prepared->request.decision) {
    case SOV_REVIEW_ACCEPTED:
        return accept_follows(commit, prepared, err);
    case SOV_REVIEW_CHANGES_REQUESTED:
        moved = sov_sow_follow_changes_requested(commit, sow, &review, 1, err);
        break;
    case SOV_REVIEW_REJECTED:
        moved = sov_sow_follow_failed(commit, sow, &failure, err);
        break;
    }
    return moved && sov_message_follow_review(commit, review, sow,
                                              sov_policy_decision_word(prepared->request.decision),
                                              rationale_of(&prepared->request), err);
}

/* Gates 1 to 14, on what the transaction sees. */
static bool gates(struct sov_commit *commit, const struct sov_review_prepared *prepared,
                  const struct sov_signed_by *by, struct looking *at, struct sov_review_case *c,
                  struct sov_error *err)
{
    int64_t meant =
        prepared->request.verification ? prepared->request.verification : prepared->verification;
    struct sov_verdict verdict;

    c->policy = commit->policy;
    c->asking = SOV_ASK_DECIDE;
    c->verification_named =
        at->judged.there && meant == at->judged.verification.n && meant == prepared->verification;
    if (prepared->statement.size &&
        !sov_judged_signature(commit->ledger, commit->act.actor, SOV_REVIEW_TAG,
                              prepared->statement, by, 0, &c->signature, err))
        return false;
    sov_judged_moved(&at->reads, prepared->basis, &commit->arena, &c->moved);
    verdict = sov_policy_review(c, &commit->arena);
    return sov_policy_verdict(&verdict, sov_judged_name(SOV_STREAM_SOW, at->sow.n, &commit->arena),
                              SOV_REVIEW_GATES, err);
}

bool sov_review_decide(struct sov_commit *commit, const struct sov_review_prepared *prepared,
                       const struct sov_signed_by *by, struct sov_done *done_out,
                       struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_REVIEW_DECIDED };
    struct looking at = { .ledger = commit->ledger, .arena = &commit->arena };
    struct sov_hash reads = prepared->reads_digest;
    struct sov_review_case c = { 0 };
    struct sov_stream sow = sov_stream_numbered(SOV_STREAM_SOW, prepared->request.sow);
    bool again;

    if (!payload(commit, prepared, &reads, by, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, NULL, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!look(&at, commit->act.actor, &prepared->request, &c, err) ||
        !sov_commit_expect(commit, &sow, err) || !in_review(&at, prepared->request.decision, err) ||
        !gates(commit, prepared, by, &at, &c, err))
        return false;
    lead.cause[0] = at.judged.verification.seq;
    return payload(commit, prepared, &at.reads.digest, by, &lead.data, err) &&
           sov_commit_next(commit, SOV_STREAM_REVIEW, &lead.stream, err) &&
           sov_commit_lead(commit, &lead, done_out, err) &&
           follow(commit, prepared, lead.stream.n, err);
}
