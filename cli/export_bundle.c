/* An acceptance as a folder: events, proofs, checkpoint, keys, what was signed, how to check it. */
#include "base/file.h"
#include "base/place.h"
#include "base/sshsig.h"
#include "base/staging.h"
#include "cli/bundle.h"
#include "cli/passphrase.h"

enum { TEXT_MAX = 4 << 20, BUNDLE_MODE = 0644 };

struct bundling {
    struct sov_exporting *e;
    struct sov_staging staging;
    struct sov_folder folder;
    struct sov_dossier dossier;
    struct sov_buf text, sums;
    const char *ledger; /* its id in hex */
};

static void bundling_end(struct bundling *b)
{
    sov_folder_close(&b->folder);
    sov_staging_end(&b->staging);
    sov_buf_release(&b->text);
    sov_buf_release(&b->sums);
}

static bool put_file(struct bundling *b, const char *path, struct sov_bytes content,
                     struct sov_error *err)
{
    struct sov_hash hash = sov_sha256(content);
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&hash), hex);
    sov_buf_printf(&b->sums, "%s  %s\n", hex, path);
    return sov_file_create(&b->folder, path, BUNDLE_MODE, content, err);
}

/* What was gathered in b->text, which is empty afterwards. */
static bool put_text(struct bundling *b, const char *path, struct sov_error *err)
{
    bool done =
        sov_buf_whole(&b->text, path, err) && put_file(b, path, sov_buf_bytes(&b->text), err);

    sov_buf_clear(&b->text);
    return done;
}

static bool put_key(struct bundling *b, const char *name, const struct sov_public_key *key,
                    struct sov_error *err)
{
    const char *path = sov_arena_printf(b->e->call->arena, "keys/%s.pem", name);
    struct sov_file_facts facts;

    if (!sov_file_facts(&b->folder, path, &facts, err)) return false;
    if (facts.type != SOV_FILE_ABSENT) return true; /* it signed more than once */
    sov_key_pem(key, &b->text);
    return put_text(b, path, err);
}

/* ---- one event ---- */

/* What `ssh-keygen -Y verify -f` reads: the key's id, for what it signs, the key. */
static bool put_allowed(struct bundling *b, const struct sov_actor_key *key, struct sov_error *err)
{
    const char *path = sov_arena_printf(b->e->call->arena, "keys/%s.ssh", key->id);
    struct sov_file_facts facts;

    if (!sov_file_facts(&b->folder, path, &facts, err)) return false;
    if (facts.type != SOV_FILE_ABSENT) return true;
    sov_buf_printf(&b->text, "%s namespaces=\"sov.*\" ", key->id);
    sov_ssh_key_line(&key->key, &b->text);
    sov_buf_add_byte(&b->text, '\n');
    return put_text(b, path, err);
}

static bool put_signature(struct bundling *b, int64_t seq, const char *tag,
                          const struct sov_actor_key *key, const struct sov_signature *signature,
                          struct sov_error *err)
{
    const char *path = sov_arena_printf(b->e->call->arena, "signed/%lld.sig", (long long)seq);

    if (strcmp(key->algorithm, "ssh") != 0)
        return put_file(b, path, sov_bytes(signature->octets, SOV_SIGNATURE_SIZE), err);
    sov_sshsig_armor(&key->key, tag, signature, &b->text);
    return put_text(b, path, err) && put_allowed(b, key, err);
}

static bool put_signed(struct bundling *b, const struct sov_event *event, struct sov_error *err)
{
    struct sov_arena *arena = b->e->call->arena;
    struct sov_actor_key key;
    struct sov_bytes statement;
    struct sov_signed_by by;
    const char *tag = NULL;
    bool found;

    if (!sov_signed_statement(b->e->call->ledger, event, arena, &tag, &statement, err))
        return false;
    if (!tag) return true;
    if (!sov_signed_read(sov_data(event, "sig"), &by))
        return sov_fail(err, SOV_INTEGRITY, "event_invalid", "event %lld has no signature",
                        (long long)event->seq);
    if (!sov_key_find(b->e->call->ledger, by.key, arena, &key, &found, err)) return false;
    if (!found)
        return sov_fail(err, SOV_INTEGRITY, "event_invalid", "the key %s is not registered",
                        by.key);
    sov_buf_printf(&b->text, "%s\n", tag);
    sov_buf_add(&b->text, statement);
    return put_text(b, sov_arena_printf(arena, "signed/%lld.message", (long long)event->seq),
                    err) &&
           put_signature(b, event->seq, tag, &key, &by.signature, err) &&
           put_key(b, by.key, &key.key, err);
}

static bool put_event(struct bundling *b, int64_t seq, struct sov_error *err)
{
    struct sov_arena *arena = b->e->call->arena;
    struct sov_tree_proof proof;
    struct sov_event event;

    if (!sov_log_event(b->e->call->ledger, seq, arena, &event, err) ||
        !put_file(b, sov_arena_printf(arena, "events/%lld.json", (long long)seq), event.octets,
                  err) ||
        !sov_prove_event(b->e->call->ledger, seq, arena, &proof, err))
        return false;
    sov_proof_write(&proof, &b->text);
    return put_text(b, sov_arena_printf(arena, "proofs/%lld.tlog-proof", (long long)seq), err) &&
           put_signed(b, &event, err);
}

static bool put_events(struct bundling *b, struct sov_error *err)
{
    static const char *const folders[] = { "events", "proofs", "signed", "keys" };
    struct sov_arena_mark mark = sov_arena_mark(b->e->call->arena);

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!sov_folder_make(&b->folder, folders[i], 0755, err)) return false;
    for (size_t i = 0; i < b->dossier.count; i++, sov_arena_rewind(b->e->call->arena, mark))
        if (!sov_call_goes_on(err) || !put_event(b, b->dossier.seqs[i], err)) return false;
    return true;
}

/* ---- the whole ---- */

static bool put_checkpoint(struct bundling *b, struct sov_error *err)
{
    struct sov_identity identity;

    sov_ledger_identity(b->e->call->ledger, &identity);
    return sov_checkpoint_note(b->e->call->ledger, (int64_t)b->e->checkpoint.size, &b->text, err) &&
           put_text(b, "checkpoint", err) && put_key(b, "ledger", &identity.key, err);
}

static bool put_statement(struct bundling *b, struct sov_attestation *by_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf statement = { 0 }, message = { 0 };
    SOV_CLEANUP(sov_asker_end) struct sov_asker asker = { .call = b->e->call };
    struct sov_signing with = sov_asker_signing(&asker);
    struct sov_dsse dsse = { .type = SOV_DSSE_IN_TOTO };

    sov_buf_init(&statement, TEXT_MAX);
    sov_buf_init(&message, TEXT_MAX + 100);
    if (!sov_bundle_statement(b->e, &b->dossier, &statement, err)) return false;
    dsse.payload = sov_buf_bytes(&statement);
    sov_dsse_encode(dsse.type, dsse.payload, &message);
    if (!sov_ledger_attest(b->e->call->ledger, &with, sov_buf_bytes(&message), by_out, err))
        return false;
    dsse.key = by_out->key;
    dsse.signature = by_out->signature;
    if (!put_file(b, "statement.json", dsse.payload, err)) return false;
    sov_dsse_write(&dsse, &b->text);
    if (!put_text(b, "statement.dsse.json", err)) return false;
    sov_dsse_bundle(&dsse, &b->text);
    return put_text(b, "statement.sigstore.json", err) &&
           (by_out->by_ledger || put_key(b, by_out->key, &by_out->public_key, err));
}

static bool put_readme(struct bundling *b, const struct sov_attestation *by, struct sov_error *err)
{
    const struct sov_dossier *dossier = &b->dossier;
    const struct sov_acceptance *last = &dossier->signatures[dossier->signature_count - 1];
    struct sov_arena *arena = b->e->call->arena;
    const char *who = dossier->signatures[0].signer;
    struct sov_bundle_words words = {
        .acceptance = sov_arena_printf(arena, "ACC-%lld", (long long)last->n),
        .outcome = sov_arena_printf(arena, "OUT-%lld", (long long)dossier->outcome.n),
        .ledger = b->ledger,
        .size = sov_arena_printf(arena, "%lld", (long long)b->e->checkpoint.size),
        .seq = sov_arena_printf(arena, "%lld", (long long)last->seq),
        .signer = by->by_ledger ? "ledger" : by->key,
        .registered = by->by_ledger ? "" : sov_arena_printf(arena, "registered %s\n", by->key),
    };

    for (size_t i = 1; i < dossier->signature_count; i++)
        who = sov_arena_printf(arena, "%s`, `%s", who, dossier->signatures[i].signer);
    words.who = who;
    sov_bundle_readme(&words, &b->text);
    return put_text(b, "README.md", err) && sov_buf_whole(&b->sums, "the sums", err) &&
           sov_file_create(&b->folder, "SHA256SUMS", BUNDLE_MODE, sov_buf_bytes(&b->sums), err);
}

/* An acceptance by its id, or the one that an outcome rests on. */
static bool acceptance_of(struct sov_exporting *e, int64_t *n_out, struct sov_error *err)
{
    const struct sov_stream *stream = &e->ref.stream;
    struct sov_outcome outcome;

    *n_out = stream->n;
    if (e->has_ref && !e->ref.seq && stream->kind == SOV_STREAM_ACCEPTANCE) return true;
    if (!e->has_ref || e->ref.seq || stream->kind != SOV_STREAM_OUTCOME)
        return sov_fail(err, SOV_USAGE, "usage", "--format intoto is of an acceptance: ACC-1");
    if (!sov_outcome_get(e->call->ledger, stream->n, e->call->arena, &outcome, err)) return false;
    *n_out = outcome.acceptance;
    return *n_out ? true
                  : sov_fail(err, SOV_ABSENT, "no_such_id", "OUT-%lld was not accepted",
                             (long long)stream->n);
}

static bool begin(struct bundling *b, struct sov_error *err)
{
    struct sov_arena *arena = b->e->call->arena;
    struct sov_identity identity;
    struct sov_file_facts facts;
    char hex[SOV_HEX_HASH + 1];

    sov_ledger_identity(b->e->call->ledger, &identity);
    sov_hex(sov_hash_bytes(&identity.id), hex);
    b->ledger = sov_arena_printf(arena, "%s", hex);
    sov_buf_init(&b->text, TEXT_MAX);
    sov_buf_init(&b->sums, TEXT_MAX);
    if (!sov_staging_begin(&b->staging, b->e->file, arena, err) ||
        !sov_file_facts(&b->staging.above, b->staging.name, &facts, err))
        return false;
    if (facts.type == SOV_FILE_ABSENT) return sov_folder_open(&b->folder, b->staging.path, err);
    sov_error_set(err, SOV_CONFLICT, "exists", "%s is there already", b->e->file);
    sov_error_ref(err, b->e->file);
    return false;
}

bool sov_export_bundle(struct sov_exporting *e, struct sov_error *err)
{
    SOV_CLEANUP(bundling_end) struct bundling b = { .e = e };
    struct sov_attestation by;
    int64_t n;

    if (!acceptance_of(e, &n, err) || !begin(&b, err) ||
        !sov_dossier_of(e->call->ledger, n, e->call->arena, &b.dossier, err) ||
        !put_events(&b, err) || !put_checkpoint(&b, err) || !put_statement(&b, &by, err) ||
        !put_readme(&b, &by, err) ||
        !sov_file_set_mode(&b.staging.above, b.staging.temporary, 0755, err) ||
        !sov_staging_give(&b.staging, NULL, b.staging.name, e->call->arena, err))
        return false;
    sov_add_text(e->data, "checkpoint", sov_arena_printf(e->call->arena, "%s/checkpoint", e->file));
    sov_add_int(e->data, "events", (int64_t)b.dossier.count);
    return true;
}
