/* run.started, and what a new probe found behind it. */
#include <assert.h>
#include <string.h>

#include "ledger/assignment.h"
#include "ledger/claim_kind.h"
#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/run.h"

static void put_texts(struct sov_writer *w, const char *key, const struct sov_texts *texts)
{
    sov_put_list(w, key);
    for (size_t i = 0; i < texts->count; i++) sov_write_text(w, sov_bytes_text(texts->at[i]));
    sov_write_end(w);
}

static void put_words(struct sov_writer *w, const char *key, const struct sov_word *words,
                      size_t count)
{
    sov_put_object(w, key);
    for (size_t i = 0; i < count; i++) sov_put_text(w, words[i].name, words[i].text);
    sov_write_end(w);
}

static void put_root(struct sov_writer *w, const struct sov_run_start *start)
{
    if (!start->has_root) return;
    sov_put_object(w, "root");
    sov_put_int(w, "device", (int64_t)start->device);
    sov_put_int(w, "inode", (int64_t)start->inode);
    sov_write_end(w);
}

static bool payload(struct sov_commit *commit, const struct sov_run_start *start,
                    struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "adapter", start->adapter);
    sov_put_int(&w, "adapter_version", start->adapter_version);
    put_texts(&w, "argv", &start->argv);
    put_texts(&w, "credentials", &start->credentials);
    sov_put_text(&w, "egress", start->egress);
    put_texts(&w, "env", &start->environment);
    sov_put_hex(&w, "envelope", sov_hash_bytes(&start->envelope));
    if (start->executable) sov_put_hex(&w, "executable", sov_hash_bytes(start->executable));
    sov_put_object(&w, "limits");
    for (size_t i = 0; i < start->limit_count; i++)
        sov_put_int(&w, start->limits[i].name, start->limits[i].n);
    sov_write_end(&w);
    sov_put_bool(&w, "local", start->local);
    if (start->model) sov_put_text(&w, "model", start->model);
    put_words(&w, "planes", start->planes, start->plane_count);
    sov_put_text(&w, "provider", start->provider);
    put_root(&w, start);
    sov_put_text(&w, "sandbox", start->sandbox);
    sov_put_hex(&w, "schema", sov_hash_bytes(&start->schema));
    if (start->snapshot) sov_put_hex(&w, "snapshot", sov_hash_bytes(start->snapshot));
    sov_put_hex(&w, "stdin", sov_hash_bytes(&start->stdin_digest));
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

bool sov_run_start(struct sov_commit *commit, const struct sov_run_start *start,
                   struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = {
        .type = SOV_EVENT_RUN_STARTED,
        .stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, start->assignment),
        .fence = start->fence,
        .cause = { start->fence }, /* the claim */
    };
    struct sov_claim claim;
    struct sov_assignment assignment;
    bool again;

    if (!payload(commit, start, &addition.data, err)) return false;
    if (!sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return sov_claim_repeated(commit, done_out, start->fence, err);
    if (!sov_assignment_get(commit->ledger, start->assignment, &commit->arena, &assignment, err) ||
        !sov_commit_expect(commit, &addition.stream, err) ||
        !sov_claim_held(commit, start->assignment, start->fence, &claim, err))
        return false;
    if (claim.started) {
        sov_error_set(err, SOV_CONFLICT, "already_started", "the run of fence %lld has started",
                      (long long)start->fence);
        return sov_refuse_about(err, SOV_STREAM_ASSIGNMENT, start->assignment);
    }
    addition.cause[0] = claim.fence;
    return sov_commit_lead(commit, &addition, done_out, err) &&
           (!start->probe ||
            sov_provider_follow_probed(commit, start->provider, start->probe, err));
}
