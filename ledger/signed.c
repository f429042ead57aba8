#include "ledger/signed.h"

#include <string.h>

#include "ledger/log.h"
#include "ledger/statement.h"

static const char *text(const struct sov_event *event, const char *key, struct sov_arena *arena)
{
    return sov_arena_text(arena, sov_data_text(event, key, arena));
}

static bool hash(const struct sov_event *event, const char *key, struct sov_hash *hash_out,
                 struct sov_error *err)
{
    bool ok = sov_unhex(sov_value_plain(sov_data(event, key)), hash_out->octets, SOV_HASH_SIZE);

    return ok ? true : sov_fail(err, SOV_INTEGRITY, "event_invalid", "%s cannot be read", key);
}

static bool adoption(const struct sov_ledger *ledger, const struct sov_event *event,
                     struct sov_arena *arena, struct sov_bytes *statement_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_hash digest;

    if (!hash(event, "digest", &digest, err)) return false;
    sov_buf_init(&out, 1024);
    sov_policy_statement(ledger, &digest, &out);
    *statement_out = sov_arena_bytes(arena, sov_buf_bytes(&out));
    return true;
}

static bool review(const struct sov_ledger *ledger, const struct sov_event *event,
                   struct sov_arena *arena, struct sov_bytes *statement_out, struct sov_error *err)
{
    struct sov_review_said said = {
        .sow = sov_data_number(event, "sow", SOV_STREAM_SOW),
        .verification = sov_data_number(event, "verification", SOV_STREAM_VERIFICATION),
        .decision = text(event, "decision", arena),
        .rationale = sov_data_text(event, "rationale", arena),
    };
    struct sov_receipt receipt;
    bool found;

    if (!sov_receipt_find(ledger, sov_data_number(event, "receipt", SOV_STREAM_RECEIPT), arena,
                          &receipt, &found, err))
        return false;
    if (!hash(event, "aggregate_digest", &said.aggregate, err)) return false;
    if (!found)
        return sov_fail(err, SOV_ABSENT, "no_such_id", "the receipt of a review is not there");
    said.receipt_hash = receipt.hash;
    *statement_out = sov_review_statement(ledger, &said, arena);
    return true;
}

static bool ruling(const struct sov_ledger *ledger, const struct sov_event *event,
                   struct sov_arena *arena, struct sov_bytes *statement_out, struct sov_error *err)
{
    struct sov_value effect = sov_data(event, "effect");
    struct sov_value receipt = sov_value_get(effect, "receipt");
    struct sov_ruling_request request = {
        .question = text(event, "question", arena),
        .decision = text(event, "decision", arena),
        .rationale = text(event, "rationale", arena),
        .applies_to = text(event, "applies_to", arena),
        .effect = sov_arena_text(arena, sov_value_plain(sov_value_get(effect, "kind"))),
    };

    if (sov_value_there(receipt))
        request.receipt = sov_id_number(sov_value_plain(receipt), SOV_STREAM_RECEIPT);
    return sov_ruling_statement(ledger, &request, arena, statement_out, err);
}

static bool acceptance(const struct sov_ledger *ledger, const struct sov_event *event,
                       struct sov_arena *arena, struct sov_bytes *statement_out,
                       struct sov_error *err)
{
    struct sov_hash digest;

    if (!hash(event, "case_digest", &digest, err)) return false;
    *statement_out = sov_acceptance_statement(ledger, &digest,
                                              sov_data_number(event, "outcome", SOV_STREAM_OUTCOME),
                                              sov_data_int(event, "term"), arena);
    return true;
}

bool sov_signed_statement(const struct sov_ledger *ledger, const struct sov_event *event,
                          struct sov_arena *arena, const char **tag_out,
                          struct sov_bytes *statement_out, struct sov_error *err)
{
    *tag_out = NULL;
    if (event->type == SOV_EVENT_POLICY_ADOPTED) {
        *tag_out = SOV_ADOPT_TAG;
        return adoption(ledger, event, arena, statement_out, err);
    }
    if (event->type == SOV_EVENT_REVIEW_DECIDED) {
        *tag_out = SOV_REVIEW_TAG;
        return review(ledger, event, arena, statement_out, err);
    }
    if (event->type == SOV_EVENT_ACCEPTANCE_SIGNED) {
        *tag_out = SOV_ACCEPT_TAG;
        return acceptance(ledger, event, arena, statement_out, err);
    }
    if (event->type == SOV_EVENT_RULING_DECIDED) {
        *tag_out = SOV_RULING_TAG;
        return ruling(ledger, event, arena, statement_out, err);
    }
    if (event->type == SOV_EVENT_RULING_REVOKED) {
        *tag_out = SOV_RULING_TAG;
        return sov_ruling_revocation_statement(
            ledger, event->stream.n, text(event, "reason", arena), arena, statement_out, err);
    }
    if (event->type == SOV_EVENT_APPROVAL_VOTED) {
        *tag_out = SOV_APPROVAL_TAG;
        return sov_approval_statement(ledger, event->stream.n,
                                      sov_bytes_is(sov_data_text(event, "vote", arena), "grant"),
                                      text(event, "reason", arena), arena, statement_out, err);
    }
    return true;
}
