/* An acceptance as an in-toto Statement: about the deliverables and the event that accepted them.
 */
#include "cli/bundle.h"

static void put_subject(struct sov_writer *w, const char *name, const struct sov_hash *digest)
{
    sov_write_object(w);
    sov_put_object(w, "digest");
    sov_put_hex(w, "sha256", sov_hash_bytes(digest));
    sov_write_end(w);
    sov_put_text(w, "name", name);
    sov_write_end(w);
}

static bool digest_of(const struct sov_exporting *e, int64_t seq, struct sov_hash *digest_out,
                      struct sov_event *event_out, struct sov_error *err)
{
    if (!sov_log_event(e->call->ledger, seq, e->call->arena, event_out, err)) return false;
    *digest_out = sov_sha256(event_out->octets);
    return true;
}

/* The event that completed it, or its newest signature; then what the receipts hold. */
static bool put_subjects(struct sov_writer *w, const struct sov_exporting *e,
                         const struct sov_dossier *dossier, int64_t seq, struct sov_error *err)
{
    struct sov_arena *arena = e->call->arena;
    struct sov_hash digest;
    struct sov_event event;

    if (!digest_of(e, seq, &digest, &event, err)) return false;
    sov_put_list(w, "subject");
    put_subject(w, sov_arena_printf(arena, "events/%lld.json", (long long)seq), &digest);
    for (size_t r = 0; r < dossier->receipt_count; r++) {
        const struct sov_receipt *receipt = &dossier->receipts[r];

        for (size_t i = 0; i < receipt->deliverable_count; i++)
            put_subject(w,
                        sov_arena_printf(arena, "RCP-%lld/%s", (long long)receipt->n,
                                         receipt->deliverables[i].path),
                        &receipt->deliverables[i].digest);
    }
    sov_write_end(w);
    return true;
}

static bool put_events(struct sov_writer *w, const struct sov_exporting *e,
                       const struct sov_dossier *dossier, struct sov_error *err)
{
    struct sov_hash digest;
    struct sov_event event;

    sov_put_list(w, "events");
    for (size_t i = 0; i < dossier->count; i++) {
        struct sov_arena_mark mark = sov_arena_mark(e->call->arena);

        if (!digest_of(e, dossier->seqs[i], &digest, &event, err)) return false;
        sov_write_object(w);
        sov_put_int(w, "seq", event.seq);
        sov_put_hex(w, "sha256", sov_hash_bytes(&digest));
        sov_write_end(w);
        sov_arena_rewind(e->call->arena, mark);
    }
    sov_write_end(w);
    return true;
}

static void put_ledger(struct sov_writer *w, const struct sov_exporting *e)
{
    struct sov_identity identity;

    sov_ledger_identity(e->call->ledger, &identity);
    sov_put_object(w, "ledger");
    sov_put_hex(w, "id", sov_hash_bytes(&identity.id));
    sov_put_text(w, "origin", identity.origin);
    sov_put_hex(w, "public_key", sov_bytes(identity.key.octets, SOV_PUBLIC_KEY_SIZE));
    sov_write_end(w);
}

static bool put_predicate(struct sov_writer *w, const struct sov_exporting *e,
                          const struct sov_dossier *dossier, struct sov_error *err)
{
    const struct sov_acceptance *last = &dossier->signatures[dossier->signature_count - 1];
    struct sov_arena *arena = e->call->arena;

    sov_put_object(w, "predicate");
    sov_put_text(w, "acceptance", sov_arena_printf(arena, "ACC-%lld", (long long)last->n));
    sov_put_hex(w, "case_digest", sov_hash_bytes(&last->case_digest));
    sov_put_object(w, "checkpoint");
    sov_put_hex(w, "root", sov_hash_bytes(&e->checkpoint.root));
    sov_put_int(w, "size", (int64_t)e->checkpoint.size);
    sov_write_end(w);
    sov_put_bool(w, "complete", dossier->accepted_seq != 0);
    if (!put_events(w, e, dossier, err)) return false;
    put_ledger(w, e);
    sov_put_object(w, "outcome");
    sov_put_text(w, "id", sov_arena_printf(arena, "OUT-%lld", (long long)dossier->outcome.n));
    sov_put_int(w, "term", dossier->term);
    sov_write_end(w);
    sov_put_list(w, "signers");
    for (size_t i = 0; i < dossier->signature_count; i++)
        sov_write_text(w, sov_bytes_text(dossier->signatures[i].signer));
    sov_write_end(w);
    sov_write_end(w);
    return true;
}

bool sov_bundle_statement(const struct sov_exporting *e, const struct sov_dossier *dossier,
                          struct sov_buf *out, struct sov_error *err)
{
    int64_t seq = dossier->accepted_seq ? dossier->accepted_seq
                                        : dossier->signatures[dossier->signature_count - 1].seq;
    struct sov_writer w;

    sov_writer_init(&w, out);
    sov_write_object(&w);
    sov_put_text(&w, "_type", "https://in-toto.io/Statement/v1");
    if (!put_predicate(&w, e, dossier, err)) return false;
    sov_put_text(&w, "predicateType", "urn:sov:predicate:acceptance:v1");
    if (!put_subjects(&w, e, dossier, seq, err)) return false;
    sov_write_end(&w);
    return sov_buf_whole(out, "the statement", err);
}
