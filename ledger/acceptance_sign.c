/* Preparing an acceptance on a snapshot, and signing it off inside the transaction. */
#include <assert.h>

#include "ledger/case.h"
#include "ledger/log.h"

static struct sov_observations seen_by(const struct sov_acceptance_request *request, int64_t basis)
{
    return request->observations ? *request->observations
                                 : (struct sov_observations){ .basis = basis };
}

static bool suffices(const struct sov_case *facts, struct sov_arena *arena)
{
    struct sov_person_facts *people =
        sov_arena_array(arena, facts->signers.count + 1, sizeof *people);
    struct sov_people signers = { people, facts->signers.count + 1 };

    if (facts->signers.count)
        memcpy(people, facts->signers.at, facts->signers.count * sizeof *people);
    people[facts->signers.count] = facts->accepter;
    return sov_policy_signers_suffice(facts->policy, &signers);
}

bool sov_acceptance_prepare(const struct sov_ledger *ledger, const char *actor,
                            const struct sov_acceptance_request *request, struct sov_arena *arena,
                            struct sov_acceptance_prepared *prepared_out, struct sov_error *err)
{
    struct sov_acceptance_prepared prepared = { .request = *request };
    struct sov_case_look look = { .ledger = ledger, .arena = arena, .request = request };
    struct sov_case *facts = sov_arena_take(arena, sizeof *facts);
    int64_t head;

    if (!sov_ledger_head(ledger, &head, err) ||
        !sov_policy_at(ledger, 0, arena, &facts->policy, err))
        return false;
    facts->asking = actor ? SOV_ASK_PREVIEW : SOV_ASK_NOBODY;
    look.seen = seen_by(request, head);
    if (!sov_case_read(&look, actor, facts, err)) return false;
    prepared.basis = look.seen.basis;
    prepared.facts = facts;
    prepared.verdict = sov_policy_accept(facts, arena);
    if (facts->outcome_there) {
        prepared.term = look.outcome.term;
        prepared.case_octets = look.octets;
        prepared.case_digest = look.digest;
        prepared.reads_digest = look.reads.digest;
        prepared.statement = sov_case_statement(&look);
        prepared.signatures = facts->signers.count;
        prepared.suffices = actor && suffices(facts, arena);
    }
    *prepared_out = prepared;
    return true;
}

/* ---- phase 2 ---- */

static void put_observations(struct sov_writer *w, const struct sov_observations *seen)
{
    sov_put_list(w, "observations");
    for (size_t i = 0; i < seen->count; i++) {
        sov_write_object(w);
        sov_put_text(w, "check", seen->at[i].check);
        sov_put_hex(w, "digest", sov_hash_bytes(&seen->at[i].digest));
        sov_put_bool(w, "success", seen->at[i].success);
        sov_write_end(w);
    }
    sov_write_end(w);
}

/* The signers of this very case so far, in the order they signed, and this one. */
static void put_signers(struct sov_writer *w, const struct sov_people *before, const char *signer)
{
    sov_put_list(w, "signers");
    for (size_t i = 0; i < before->count; i++) sov_write_text(w, sov_bytes_text(before->at[i].id));
    sov_write_text(w, sov_bytes_text(signer));
    sov_write_end(w);
}

static bool payload(struct sov_commit *commit, const struct sov_acceptance_prepared *prepared,
                    const struct sov_people *before, const struct sov_hash *reads,
                    const struct sov_signed_by *by, struct sov_bytes *data_out,
                    struct sov_error *err)
{
    static const struct sov_signed_by nobody = { .key = "none" };
    const struct sov_acceptance_request *request = &prepared->request;
    struct sov_observations seen = seen_by(request, prepared->basis);
    struct sov_writer w = sov_commit_writer(commit);
    char id[SOV_JUDGED_ID_SIZE];

    sov_write_object(&w);
    sov_put_int(&w, "basis", prepared->basis);
    sov_put_hex(&w, "case_digest", sov_hash_bytes(&prepared->case_digest));
    put_observations(&w, &seen);
    sov_put_text(&w, "outcome", sov_judged_id(SOV_STREAM_OUTCOME, request->outcome, id));
    sov_put_hex(&w, "reads_digest", sov_hash_bytes(reads));
    if (request->reason) sov_put_text(&w, "reason", request->reason);
    sov_write_key(&w, "sig");
    sov_signed_put(&w, by ? by : &nobody);
    put_signers(&w, before, commit->act.actor);
    sov_put_int(&w, "term", prepared->term);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* Every gate once more, on what the transaction sees. The signature is asked over what was signed,
 * so that something that moved in between is said to have moved. */
static bool gates(struct sov_commit *commit, const struct sov_acceptance_prepared *prepared,
                  const struct sov_signed_by *by, struct sov_case_look *look,
                  struct sov_case *facts, struct sov_error *err)
{
    struct sov_verdict verdict;

    facts->policy = commit->policy;
    facts->asking = SOV_ASK_DECIDE;
    if (!sov_case_read(look, commit->act.actor, facts, err)) return false;
    if (facts->outcome_there && prepared->statement.size &&
        !sov_judged_signature(commit->ledger, commit->act.actor, SOV_ACCEPT_TAG,
                              prepared->statement, by, 0, &facts->signature, err))
        return false;
    sov_judged_moved(&look->reads, prepared->basis, &commit->arena, &facts->moved);
    verdict = sov_policy_accept(facts, &commit->arena);
    if (!sov_policy_verdict(&verdict, facts->outcome, SOV_ACCEPTANCE_GATES, err)) return false;
    if (sov_hash_equal(&look->digest, &prepared->case_digest)) return true;
    sov_error_set(err, SOV_CONFLICT, "moved", "the case of %s is not the one that was signed",
                  facts->outcome);
    sov_error_ref(err, facts->outcome);
    return false;
}

bool sov_acceptance_sign(struct sov_commit *commit, const struct sov_acceptance_prepared *prepared,
                         const struct sov_signed_by *by, struct sov_done *done_out,
                         bool *accepted_out, struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_ACCEPTANCE_SIGNED };
    struct sov_case_look look = { .ledger = commit->ledger,
                                  .arena = &commit->arena,
                                  .request = &prepared->request };
    struct sov_stream outcome = sov_stream_numbered(SOV_STREAM_OUTCOME, prepared->request.outcome);
    struct sov_case *facts = sov_arena_take(&commit->arena, sizeof *facts);
    struct sov_people nobody = { 0 };
    bool again, complete;

    /* What is recalled decides nothing. */
    assert(prepared->request.observations || !prepared->facts->outcome_there);
    look.seen = seen_by(&prepared->request, prepared->basis);
    if (prepared->request.reason &&
        !sov_policy_reason(sov_bytes_text(prepared->request.reason), err))
        return false;
    if (!payload(commit, prepared, &nobody, &prepared->reads_digest, by, &lead.data, err) ||
        !sov_commit_repeats(commit, lead.type, NULL, lead.data, done_out, &again, err))
        return false;
    if (again) {
        *accepted_out = false;
        return true;
    }
    if (!sov_commit_expect(commit, &outcome, err) ||
        !gates(commit, prepared, by, &look, facts, err))
        return false;
    complete = suffices(facts, &commit->arena);
    lead.cause[0] = look.judged.verification.seq;
    if (!payload(commit, prepared, &facts->signers, &look.reads.digest, by, &lead.data, err) ||
        !sov_commit_next(commit, SOV_STREAM_ACCEPTANCE, &lead.stream, err) ||
        !sov_commit_lead(commit, &lead, done_out, err))
        return false;
    if (complete && !sov_outcome_follow_accepted(commit, prepared->request.outcome, lead.stream.n,
                                                 &prepared->case_digest, err))
        return false;
    *accepted_out = complete;
    return true;
}
