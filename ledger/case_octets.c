/* The case as octets: what every signer of one acceptance signs, by its digest. */
#include <assert.h>

#include "base/canonical.h"
#include "ledger/case.h"
#include "ledger/log.h"

enum { CASE_OCTETS_MAX = 64 << 20 };

static void put_checks(struct sov_writer *w, const struct sov_case *facts)
{
    sov_put_list(w, "checks");
    for (size_t i = 0; i < facts->check_count; i++) {
        sov_write_object(w);
        sov_put_text(w, "check", facts->checks[i].id);
        sov_put_hex(w, "observation_digest", sov_hash_bytes(&facts->checks[i].digest_now));
        sov_write_end(w);
    }
    sov_write_end(w);
}

static void put_work(struct sov_writer *w, const struct sov_case_work *work)
{
    char id[SOV_JUDGED_ID_SIZE];

    sov_write_object(w);
    if (work->judged.there)
        sov_put_hex(w, "aggregate_digest",
                    sov_hash_bytes(&work->judged.verification.aggregate_digest));
    sov_judged_put(w, "assignment", SOV_STREAM_ASSIGNMENT, work->execution.n);
    sov_put_list(w, "deliverables");
    for (size_t i = 0; i < work->receipt.deliverable_count; i++) {
        sov_write_object(w);
        sov_put_hex(w, "digest", sov_hash_bytes(&work->receipt.deliverables[i].digest));
        sov_put_text(w, "path", work->receipt.deliverables[i].path);
        sov_put_int(w, "size", work->receipt.deliverables[i].size);
        sov_write_end(w);
    }
    sov_write_end(w);
    sov_put_list(w, "effects");
    for (size_t i = 0; i < work->effect_count; i++)
        sov_write_text(w, sov_bytes_text(sov_judged_id(SOV_STREAM_EFFECT, work->effects[i], id)));
    sov_write_end(w);
    if (work->receipt.n) sov_put_hex(w, "receipt_hash", sov_hash_bytes(&work->receipt.hash));
    sov_put_list(w, "reviews");
    for (size_t i = 0; i < work->review_count; i++)
        sov_write_hex(w, sov_hash_bytes(&work->reviews[i]));
    sov_write_end(w);
    sov_judged_put(w, "sow", SOV_STREAM_SOW, work->sow.n);
    sov_write_end(w);
}

void sov_case_bind(struct sov_case_look *look, const struct sov_case *facts)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_bytes parts[2] = { sov_bytes_text("sov.case.v1\n"), { 0 } };
    struct sov_writer w;

    sov_buf_init(&out, CASE_OCTETS_MAX);
    sov_writer_init(&w, &out);
    sov_write_object(&w);
    if (look->judged.there)
        sov_put_hex(&w, "aggregate_digest",
                    sov_hash_bytes(&look->judged.verification.aggregate_digest));
    put_checks(&w, facts);
    sov_put_hex(&w, "definition_digest", sov_hash_bytes(&look->outcome.definition_digest));
    sov_judged_put(&w, "outcome", SOV_STREAM_OUTCOME, look->outcome.n);
    sov_put_hex(&w, "policy_digest", sov_hash_bytes(&facts->policy->digest));
    sov_put_list(&w, "sows");
    for (size_t i = 0; i < look->work_count; i++) put_work(&w, &look->works[i]);
    sov_write_end(&w);
    sov_put_int(&w, "term", look->outcome.term);
    sov_judged_put(&w, "verification", SOV_STREAM_VERIFICATION, look->judged.verification.n);
    sov_write_end(&w);
    assert(!out.cut && sov_writer_done(&w));
    look->octets = sov_arena_bytes(look->arena, sov_buf_bytes(&out));
    parts[1] = look->octets;
    look->digest = sov_sha256_parts(parts, 2);
}

struct sov_bytes sov_acceptance_statement(const struct sov_ledger *ledger,
                                          const struct sov_hash *case_digest, int64_t outcome,
                                          int64_t term, struct sov_arena *arena)
{
    enum { ACCEPT_STATEMENT_MAX = 1024 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_identity identity;
    struct sov_writer w;

    sov_ledger_identity(ledger, &identity);
    sov_buf_init(&out, ACCEPT_STATEMENT_MAX);
    sov_writer_init(&w, &out);
    sov_write_object(&w);
    sov_put_hex(&w, "case_digest", sov_hash_bytes(case_digest));
    sov_put_text(&w, "decision", "accepted");
    sov_put_hex(&w, "ledger", sov_hash_bytes(&identity.id));
    sov_judged_put(&w, "outcome", SOV_STREAM_OUTCOME, outcome);
    sov_put_int(&w, "term", term);
    sov_write_end(&w);
    return sov_arena_bytes(arena, sov_buf_bytes(&out));
}

struct sov_bytes sov_case_statement(const struct sov_case_look *look)
{
    return sov_acceptance_statement(look->ledger, &look->digest, look->outcome.n,
                                    look->outcome.term, look->arena);
}
