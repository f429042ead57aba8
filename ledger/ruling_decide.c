/* Deciding and revoking a ruling. */
#include <assert.h>

#include "base/text.h"
#include "ledger/actor.h"
#include "ledger/judged.h"
#include "ledger/log.h"
#include "ledger/receipt.h"
#include "ledger/row.h"
#include "ledger/ruling.h"
#include "ledger/sets.h"

enum { STATEMENT_MAX = 65536 };

static const char *effect_of(const struct sov_ruling_request *request)
{
    return request->effect ? request->effect : SOV_RULING_NONE;
}

static struct sov_bytes said(const char *text)
{
    return sov_bytes_text(text ? text : "");
}

/* The stream that a ruling is about, from either spelling: bad_value. */
static bool target(const struct sov_ruling_request *request, struct sov_arena *arena,
                   struct sov_stream *stream_out, const char **text_out, struct sov_error *err)
{
    struct sov_bytes about = said(request->applies_to);
    bool held = strcmp(effect_of(request), SOV_RULING_HOLD) == 0;
    bool reopens = strcmp(effect_of(request), SOV_RULING_REOPEN) == 0;
    struct sov_stream stream;

    if (!sov_stream_parse_id(about, &stream) && !sov_stream_parse(about, &stream))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "a ruling applies to a stream: OUT-3, or outcome/OUT-3");
    if ((held && stream.kind != SOV_STREAM_OUTCOME && stream.kind != SOV_STREAM_SOW) ||
        (reopens && stream.kind != SOV_STREAM_OUTCOME))
        return sov_fail(err, SOV_USAGE, "bad_value", "a %s applies to an outcome%s",
                        effect_of(request), held ? " or a SOW" : "");
    if ((strcmp(effect_of(request), SOV_RULING_WAIVE) == 0) != (request->receipt > 0))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "a waiver names a receipt, and nothing else does");
    *stream_out = stream;
    *text_out = sov_arena_printf(arena, "%s/%s", sov_stream_word(stream.kind),
                                 sov_stream_id(&stream, arena));
    return true;
}

static bool texts_hold(const struct sov_ruling_request *request, struct sov_error *err)
{
    if (sov_text_is_utf8(said(request->rationale)) && sov_text_is_blank(said(request->rationale)))
        return sov_fail(err, SOV_USAGE, "reason_missing", "the ruling gives no reason");
    return sov_policy_text("the question", said(request->question), SOV_TEXT_REASON, err) &&
           sov_policy_text("the decision", said(request->decision), SOV_TEXT_RATIONALE, err) &&
           sov_policy_text("the rationale", said(request->rationale), SOV_TEXT_RATIONALE, err);
}

static void put_effect(struct sov_writer *w, const struct sov_ruling_request *request)
{
    sov_put_object(w, "effect");
    sov_put_text(w, "kind", effect_of(request));
    sov_judged_put(w, "receipt", SOV_STREAM_RECEIPT, request->receipt);
    sov_write_end(w);
}

bool sov_ruling_statement(const struct sov_ledger *ledger, const struct sov_ruling_request *request,
                          struct sov_arena *arena, struct sov_bytes *statement_out,
                          struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_stream stream;
    struct sov_receipt receipt;
    struct sov_identity identity;
    struct sov_writer w;
    const char *applies_to;

    if (!texts_hold(request, err) || !target(request, arena, &stream, &applies_to, err))
        return false;
    if (request->receipt && !sov_receipt_get(ledger, request->receipt, arena, &receipt, err))
        return false;
    sov_ledger_identity(ledger, &identity);
    sov_buf_init(&out, STATEMENT_MAX);
    sov_writer_init(&w, &out);
    sov_write_object(&w);
    sov_put_text(&w, "applies_to", applies_to);
    sov_put_text(&w, "decision", request->decision);
    put_effect(&w, request);
    sov_put_hex(&w, "ledger", sov_hash_bytes(&identity.id));
    sov_put_text(&w, "question", request->question);
    sov_put_text(&w, "rationale", request->rationale);
    if (request->receipt) sov_put_hex(&w, "receipt_hash", sov_hash_bytes(&receipt.hash));
    sov_write_end(&w);
    if (!sov_buf_whole(&out, "the statement", err)) return false;
    *statement_out = sov_arena_bytes(arena, sov_buf_bytes(&out));
    return true;
}

/* A waiver: not by a performer of the term that the receipt's work belongs to, and of something. */
static bool may_waive(struct sov_commit *commit, const struct sov_receipt *receipt,
                      struct sov_error *err)
{
    struct sov_arena *arena = &commit->arena;
    struct sov_assignment assignment;
    struct sov_person_facts ruler;
    struct sov_sets sets;
    struct sov_sow sow;

    if (!sov_assignment_get(commit->ledger, receipt->assignment, arena, &assignment, err) ||
        !sov_sow_get(commit->ledger, assignment.sow, arena, &sow, err) ||
        !sov_term_sets(commit->ledger, sow.outcome, sow.term, arena, &sets, err) ||
        !sov_actor_person(commit->ledger, commit->act.actor, arena, &ruler, err) ||
        !sov_policy_waiver(&ruler, &sets.of[SOV_PERFORMERS], err))
        return false;
    if (receipt->boundary.violated) return true;
    sov_error_set(err, SOV_CONFLICT, "nothing_to_waive", "%s violated no boundary",
                  sov_judged_name(SOV_STREAM_RECEIPT, receipt->n, arena));
    return sov_refuse_about(err, SOV_STREAM_RECEIPT, receipt->n);
}

static bool stream_is_there(struct sov_commit *commit, const struct sov_stream *stream,
                            struct sov_error *err)
{
    int64_t sv, seq;

    if (!sov_stream_newest(commit->ledger->state, stream, &sv, &seq, err)) return false;
    if (sv) return true;
    sov_error_set(err, SOV_ABSENT, "no_such_id", "there is no %s %s", sov_stream_word(stream->kind),
                  sov_stream_id(stream, &commit->arena));
    sov_error_ref(err, sov_stream_id(stream, &commit->arena));
    return false;
}

static bool signature_holds(struct sov_commit *commit, struct sov_bytes statement,
                            const struct sov_signed_by *by, struct sov_error *err)
{
    if (!by) return sov_fail(err, SOV_INTEGRITY, "bad_signature", "the ruling is not signed");
    return sov_statement_check(commit->ledger, commit->act.actor, SOV_RULING_TAG, statement, by, 0,
                               err);
}

static bool ruling_payload(struct sov_commit *commit, const struct sov_ruling_request *request,
                           const char *applies_to, const struct sov_signed_by *by,
                           struct sov_bytes *data_out, struct sov_error *err)
{
    static const struct sov_signed_by nobody = { .key = "none" };
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "applies_to", applies_to);
    sov_put_text(&w, "decision", request->decision);
    put_effect(&w, request);
    sov_put_text(&w, "question", request->question);
    sov_put_text(&w, "rationale", request->rationale);
    sov_write_key(&w, "sig");
    sov_signed_put(&w, by ? by : &nobody);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

bool sov_ruling_decide(struct sov_commit *commit, const struct sov_ruling_request *request,
                       const struct sov_signed_by *by, struct sov_done *done_out,
                       struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_RULING_DECIDED };
    struct sov_receipt receipt = { 0 };
    struct sov_bytes statement;
    struct sov_stream stream;
    const char *applies_to;
    bool again;

    if (!texts_hold(request, err) || !target(request, &commit->arena, &stream, &applies_to, err) ||
        !ruling_payload(commit, request, applies_to, by, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, NULL, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    if ((strcmp(effect_of(request), SOV_RULING_WAIVE) == 0 ||
         strcmp(effect_of(request), SOV_RULING_REOPEN) == 0) &&
        !sov_commit_authorise(commit, SOV_MAY_WAIVE, err))
        return false;
    if (!stream_is_there(commit, &stream, err)) return false;
    if (request->receipt &&
        !sov_receipt_get(commit->ledger, request->receipt, &commit->arena, &receipt, err))
        return false;
    if (!sov_commit_expect(commit, NULL, err)) return false;
    if (request->receipt && !may_waive(commit, &receipt, err)) return false;
    return sov_ruling_statement(commit->ledger, request, &commit->arena, &statement, err) &&
           signature_holds(commit, statement, by, err) &&
           sov_commit_next(commit, SOV_STREAM_RULING, &lead.stream, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

/* ---- revoking ---- */

static bool find_ruling(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                        struct sov_ruling *ruling_out, struct sov_error *err)
{
    bool found;

    if (!sov_ruling_find(ledger, n, arena, ruling_out, &found, err)) return false;
    return found || sov_refuse_absent(err, SOV_STREAM_RULING, n);
}

bool sov_ruling_revocation_statement(const struct sov_ledger *ledger, int64_t n, const char *reason,
                                     struct sov_arena *arena, struct sov_bytes *statement_out,
                                     struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_identity identity;
    struct sov_ruling ruling;
    struct sov_writer w;
    struct sov_hash hash;

    if (!sov_policy_reason(said(reason), err) || !find_ruling(ledger, n, arena, &ruling, err) ||
        !sov_judged_event_hash(ledger, ruling.seq, arena, &hash, err))
        return false;
    sov_ledger_identity(ledger, &identity);
    sov_buf_init(&out, STATEMENT_MAX);
    sov_writer_init(&w, &out);
    sov_write_object(&w);
    sov_put_text(&w, "decision", "revoked");
    sov_put_hex(&w, "ledger", sov_hash_bytes(&identity.id));
    sov_put_text(&w, "reason", reason);
    sov_put_text(&w, "ruling", sov_judged_name(SOV_STREAM_RULING, n, arena));
    sov_put_hex(&w, "ruling_hash", sov_hash_bytes(&hash));
    sov_write_end(&w);
    if (!sov_buf_whole(&out, "the statement", err)) return false;
    *statement_out = sov_arena_bytes(arena, sov_buf_bytes(&out));
    return true;
}

bool sov_ruling_revoke(struct sov_commit *commit, int64_t n, const char *reason,
                       const struct sov_signed_by *by, struct sov_done *done_out,
                       struct sov_error *err)
{
    static const struct sov_signed_by nobody = { .key = "none" };
    struct sov_addition lead = { .type = SOV_EVENT_RULING_REVOKED };
    struct sov_ruling ruling;
    struct sov_bytes statement;
    struct sov_writer w;
    bool again;

    lead.stream = sov_stream_numbered(SOV_STREAM_RULING, n);
    if (!sov_policy_reason(said(reason), err)) return false;
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    sov_write_key(&w, "sig");
    sov_signed_put(&w, by ? by : &nobody);
    sov_write_end(&w);
    if (!sov_commit_payload(commit, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!find_ruling(commit->ledger, n, &commit->arena, &ruling, err)) return false;
    if ((strcmp(ruling.effect, SOV_RULING_WAIVE) == 0 ||
         strcmp(ruling.effect, SOV_RULING_REOPEN) == 0) &&
        !sov_commit_authorise(commit, SOV_MAY_WAIVE, err))
        return false;
    if (!sov_commit_expect(commit, &lead.stream, err)) return false;
    if (ruling.revoked_seq)
        return sov_refuse_state(err, SOV_STREAM_RULING, n, "REVOKED", "it was revoked before");
    return sov_ruling_revocation_statement(commit->ledger, n, reason, &commit->arena, &statement,
                                           err) &&
           signature_holds(commit, statement, by, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}
