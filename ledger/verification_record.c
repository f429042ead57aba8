/* Recording a batch of checks: its events and what follows for SOW or outcome. */
#include <assert.h>

#include "ledger/actor.h"
#include "ledger/blob.h"
#include "ledger/judged.h"
#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/sets.h"

/* What a request is about, as the transaction sees it. */
struct batch {
    struct sov_verification row; /* what will stand in the log */
    struct sov_outcome outcome;
    struct sov_sow sow;
    struct sov_assignment execution;
    bool executed;
    struct sov_reads reads;
    struct sov_evidences evidence;
};

static const char *scope_of(const struct sov_verification_request *request)
{
    return request->sow ? SOV_SCOPE_SOW : request->recheck ? SOV_SCOPE_RECHECK : SOV_SCOPE_OUTCOME;
}

bool sov_verification_target(const struct sov_ledger *ledger,
                             const struct sov_verification_request *request, int64_t *outcome_out,
                             struct sov_error *err)
{
    struct sov_arena arena = { 0 };
    struct sov_outcome outcome;
    struct sov_sow sow = { .outcome = request->outcome };
    bool ok;

    assert(!request->sow != !request->outcome && !(request->sow && request->recheck));
    sov_arena_init(&arena, 64 << 20);
    ok = (!request->sow || sov_sow_get(ledger, request->sow, &arena, &sow, err)) &&
         sov_outcome_get(ledger, sow.outcome, &arena, &outcome, err);
    if (ok) *outcome_out = sow.outcome;
    sov_arena_release(&arena);
    return ok;
}

bool sov_verification_prepare(const struct sov_ledger *ledger, const char *actor,
                              const struct sov_verification_request *request,
                              const struct sov_observations *observations, struct sov_arena *arena,
                              struct sov_verification_prepared *prepared_out, struct sov_error *err)
{
    struct sov_reads reads;
    int64_t outcome;

    if (!sov_verification_target(ledger, request, &outcome, err) ||
        !sov_reads_of(ledger, outcome, actor, arena, &reads, err))
        return false;
    *prepared_out = (struct sov_verification_prepared){
        .request = *request,
        .outcome = outcome,
        .observations = *observations,
        .reads_digest = reads.digest,
    };
    return true;
}

static bool payload(struct sov_commit *commit, const struct batch *batch,
                    struct sov_bytes *data_out, struct sov_error *err)
{
    const struct sov_verification *row = &batch->row;
    struct sov_writer w = sov_commit_writer(commit);
    char id[SOV_JUDGED_ID_SIZE];

    sov_write_object(&w);
    sov_put_hex(&w, "aggregate_digest", sov_hash_bytes(&row->aggregate_digest));
    sov_judged_put(&w, "assignment", SOV_STREAM_ASSIGNMENT, row->assignment);
    sov_put_int(&w, "basis", row->basis);
    sov_put_hex(&w, "definition_digest", sov_hash_bytes(&row->definition_digest));
    sov_put_list(&w, "evidence");
    for (size_t i = 0; i < batch->evidence.count; i++)
        sov_write_text(
            &w, sov_bytes_text(sov_judged_id(SOV_STREAM_EVIDENCE, batch->evidence.at[i].n, id)));
    sov_write_end(&w);
    sov_put_number(&w, "outcome", SOV_STREAM_OUTCOME, row->outcome);
    sov_put_bool(&w, "passed", row->passed);
    sov_put_hex(&w, "reads_digest", sov_hash_bytes(&row->reads_digest));
    sov_judged_put(&w, "receipt", SOV_STREAM_RECEIPT, row->receipt);
    sov_put_text(&w, "scope", row->scope);
    sov_judged_put(&w, "sow", SOV_STREAM_SOW, row->sow);
    sov_put_int(&w, "term", row->term);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* ---- may it be recorded ---- */

static bool refuse(struct sov_error *err, enum sov_exit exit, const char *code, const char *id,
                   const char *why)
{
    sov_error_set(err, exit, code, "%s %s", id, why);
    sov_error_ref(err, id);
    return false;
}

static bool separated(struct sov_commit *commit, const struct batch *batch, struct sov_error *err)
{
    struct sov_person_facts verifier;
    struct sov_sets sets;

    return sov_term_sets(commit->ledger, batch->outcome.n, batch->row.term, &commit->arena, &sets,
                         err) &&
           sov_actor_person(commit->ledger, commit->act.actor, &commit->arena, &verifier, err) &&
           sov_policy_separate(SOV_VERIFIERS, &verifier, &sets, err);
}

static bool sow_allows(struct sov_commit *commit, const struct batch *batch, struct sov_error *err)
{
    const char *id = sov_judged_name(SOV_STREAM_SOW, batch->sow.n, &commit->arena);

    if (!sov_outcome_open(&batch->outcome, err)) return false;
    if (batch->sow.term != batch->outcome.term)
        return refuse(err, SOV_CONFLICT, "outcome_not_open", id, "belongs to a term that is over");
    if (batch->sow.state != SOV_SOW_REVIEW && batch->sow.state != SOV_SOW_ACCEPTED)
        return refuse(err, SOV_CONFLICT, "wrong_state", id, "is neither in REVIEW nor ACCEPTED");
    return batch->executed ||
           refuse(err, SOV_DENIED, "execution_missing", id, "has no completed assignment");
}

static bool outcome_allows(struct sov_commit *commit, const struct batch *batch, bool recheck,
                           struct sov_error *err)
{
    const char *id = sov_judged_name(SOV_STREAM_OUTCOME, batch->outcome.n, &commit->arena);
    enum sov_outcome_state state = batch->outcome.state;

    if (recheck)
        return state == SOV_OUTCOME_ACCEPTED || state == SOV_OUTCOME_VIOLATED ||
               refuse(err, SOV_CONFLICT, "wrong_state", id, "is neither ACCEPTED nor VIOLATED");
    if (!sov_outcome_open(&batch->outcome, err)) return false;
    return batch->executed || refuse(err, SOV_DENIED, "execution_missing", id,
                                     "has no completed assignment in this term");
}

/* Of the SOW; of an outcome: any in its term. */
static bool find_execution(struct sov_commit *commit, struct batch *batch, struct sov_error *err)
{
    struct sov_arena *arena = &commit->arena;
    struct sov_sows sows;

    if (batch->sow.n)
        return sov_judged_execution(commit->ledger, batch->sow.n, arena, &batch->execution,
                                    &batch->executed, err);
    if (!sov_sow_list(commit->ledger, batch->outcome.n, batch->outcome.term, arena, &sows, err))
        return false;
    for (size_t i = 0; i < sows.count && !batch->executed; i++)
        if (!sov_judged_execution(commit->ledger, sows.at[i].n, arena, &batch->execution,
                                  &batch->executed, err))
            return false;
    return true;
}

static bool nothing_moved(struct sov_commit *commit, const struct batch *batch,
                          struct sov_error *err)
{
    struct sov_names moved;

    sov_judged_moved(&batch->reads, batch->row.basis, &commit->arena, &moved);
    if (!moved.count) return true;
    sov_error_set(err, SOV_CONFLICT, "moved", "%s and %zu more have moved since the checks ran",
                  moved.at[0], moved.count - 1);
    sov_error_ref(err, moved.at[0]);
    return false;
}

/* ---- what was seen ---- */

/* The observations are those of the declared checks, in order, and digest what they say. */
static bool observations_fit(const struct sov_outcome *outcome,
                             const struct sov_observations *observations, struct sov_error *err)
{
    struct sov_value item;
    size_t at = 0, n = 0;

    while (sov_value_item(sov_value(outcome->checks), &at, &item)) {
        const struct sov_observation *seen = n < observations->count ? &observations->at[n] : NULL;
        struct sov_hash digest;

        if (!seen || !sov_bytes_is(sov_value_plain(sov_value_get(item, "id")), seen->check) ||
            !sov_bytes_is(sov_value_plain(sov_value_get(item, "kind")), seen->kind))
            return sov_fail(err, SOV_USAGE, "bad_value",
                            "the observations are not those of the declared checks");
        digest = sov_observation_digest(item.octets, seen->observed);
        if (!sov_hash_equal(&digest, &seen->digest))
            return sov_fail(err, SOV_USAGE, "bad_value", "the observation of %s has another digest",
                            seen->check);
        n++;
    }
    if (n == observations->count) return true;
    return sov_fail(err, SOV_USAGE, "bad_value",
                    "the observations are not those of the declared checks");
}

static bool gather(struct sov_commit *commit, const struct sov_observations *observations,
                   struct batch *batch, struct sov_error *err)
{
    struct sov_evidence *rows = sov_arena_array(&commit->arena, observations->count, sizeof *rows);
    struct sov_stream next;

    if (!sov_commit_next(commit, SOV_STREAM_EVIDENCE, &next, err)) return false;
    batch->row.passed = observations->count > 0;
    for (size_t i = 0; i < observations->count; i++) {
        const struct sov_observation *seen = &observations->at[i];

        rows[i] = (struct sov_evidence){
            .n = next.n + (int64_t)i,
            .check = seen->check,
            .kind = seen->kind,
            .success = seen->success,
            .code = seen->code,
            .observation_digest = seen->digest,
            .observed = seen->observed,
        };
        batch->row.passed = batch->row.passed && seen->success;
    }
    batch->evidence = (struct sov_evidences){ rows, observations->count };
    batch->row.aggregate_digest = sov_aggregate_digest(&batch->row, &batch->evidence);
    return true;
}

static bool add_evidence(struct sov_commit *commit, const struct sov_evidence *e,
                         int64_t verification, struct sov_error *err)
{
    struct sov_addition addition = {
        .type = SOV_EVENT_EVIDENCE_RECORDED,
        .stream = sov_stream_numbered(SOV_STREAM_EVIDENCE, e->n),
    };
    bool large = e->observed.size > SOV_TEXT_OBSERVED;
    struct sov_blob_ref ref = { 0 };
    struct sov_writer w;
    char id[SOV_JUDGED_ID_SIZE];

    if (large && !sov_blob_put(commit, e->observed, "application/json", false, &ref, err))
        return false;
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_list(&w, "artifacts");
    sov_write_end(&w);
    sov_put_text(&w, "check", e->check);
    if (e->code) sov_put_text(&w, "code", e->code);
    sov_put_text(&w, "kind", e->kind);
    sov_put_hex(&w, "observation_digest", sov_hash_bytes(&e->observation_digest));
    if (large)
        sov_blob_ref_put(&w, "observed_ref", &ref);
    else
        sov_put_raw(&w, "observed", e->observed);
    sov_put_bool(&w, "success", e->success);
    sov_put_text(&w, "verification", sov_judged_id(SOV_STREAM_VERIFICATION, verification, id));
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}

/* ---- what follows ---- */

static bool follow(struct sov_commit *commit, const struct batch *batch, int64_t verification,
                   struct sov_error *err)
{
    const char **failing = sov_arena_array(&commit->arena, batch->evidence.count, sizeof *failing);
    int64_t outcome = batch->outcome.n;
    size_t count = 0;

    for (size_t i = 0; i < batch->evidence.count; i++)
        if (!batch->evidence.at[i].success) failing[count++] = batch->evidence.at[i].check;
    if (batch->sow.n)
        return batch->sow.state != SOV_SOW_ACCEPTED ||
               sov_sow_follow_reverified(commit, batch->sow.n, verification, err);
    if (strcmp(batch->row.scope, SOV_SCOPE_RECHECK) == 0)
        return batch->row.passed || batch->outcome.state != SOV_OUTCOME_ACCEPTED ||
               sov_outcome_follow_violated(commit, outcome, verification, failing, count, err);
    if (!batch->row.passed)
        return sov_outcome_follow_resumed(commit, outcome, "verification_failed", err);
    return batch->outcome.state == SOV_OUTCOME_VERIFYING ||
           sov_outcome_follow_verifying(commit, outcome, verification, err);
}

/* C5 and what the final payload says of the world at this moment. */
static bool look(struct sov_commit *commit, const struct sov_verification_prepared *prepared,
                 struct batch *batch, struct sov_error *err)
{
    const struct sov_verification_request *request = &prepared->request;
    struct sov_arena *arena = &commit->arena;

    if (request->sow && !sov_sow_get(commit->ledger, request->sow, arena, &batch->sow, err))
        return false;
    if (!sov_outcome_get(commit->ledger, prepared->outcome, arena, &batch->outcome, err) ||
        !sov_reads_of(commit->ledger, prepared->outcome, commit->act.actor, arena, &batch->reads,
                      err) ||
        !find_execution(commit, batch, err))
        return false;
    batch->row.term = batch->outcome.term;
    batch->row.definition_digest = batch->outcome.definition_digest;
    batch->row.reads_digest = batch->reads.digest;
    if (!request->sow) return true;
    batch->row.sow = batch->sow.n;
    batch->row.assignment = batch->execution.n;
    batch->row.receipt = batch->execution.receipt;
    return true;
}

static bool allowed(struct sov_commit *commit, const struct sov_verification_prepared *prepared,
                    const struct batch *batch, struct sov_error *err)
{
    struct sov_stream stream = batch->sow.n
                                   ? sov_stream_numbered(SOV_STREAM_SOW, batch->sow.n)
                                   : sov_stream_numbered(SOV_STREAM_OUTCOME, batch->outcome.n);

    return sov_commit_expect(commit, &stream, err) && separated(commit, batch, err) &&
           (batch->sow.n ? sow_allows(commit, batch, err)
                         : outcome_allows(commit, batch, prepared->request.recheck, err)) &&
           nothing_moved(commit, batch, err) &&
           observations_fit(&batch->outcome, &prepared->observations, err);
}

bool sov_verification_record(struct sov_commit *commit,
                             const struct sov_verification_prepared *prepared,
                             struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_VERIFICATION_RECORDED };
    struct batch batch = { 0 };
    bool again;

    batch.row.scope = scope_of(&prepared->request);
    batch.row.outcome = prepared->outcome;
    batch.row.sow = prepared->request.sow;
    batch.row.basis = prepared->observations.basis;
    if (!payload(commit, &batch, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, NULL, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!look(commit, prepared, &batch, err) || !allowed(commit, prepared, &batch, err) ||
        !gather(commit, &prepared->observations, &batch, err) ||
        !payload(commit, &batch, &lead.data, err) ||
        !sov_commit_next(commit, SOV_STREAM_VERIFICATION, &lead.stream, err) ||
        !sov_commit_lead(commit, &lead, done_out, err))
        return false;
    for (size_t i = 0; i < batch.evidence.count; i++)
        if (!add_evidence(commit, &batch.evidence.at[i], lead.stream.n, err)) return false;
    return follow(commit, &batch, lead.stream.n, err);
}
