/* Files under in/ that a signal brought, and whether this provider may see them. */
#include <string.h>

#include "providers/attempt.h"

/* The signal that a wake decision stands on. */
static bool signal_of(struct sov_attempt *a, struct sov_signal *signal_out, bool *found_out,
                      struct sov_error *err)
{
    struct sov_event wake;

    *found_out = false;
    if (!a->sow.origin_seq) return true;
    if (!sov_log_named(a->ledger, a->sow.origin_seq, SOV_EVENT_WAKE_DECIDED, a->arena, &wake, err))
        return false;
    return sov_signal_find(a->ledger, wake.stream.n, a->arena, signal_out, found_out, err);
}

bool sov_attempt_inputs(struct sov_attempt *a, struct sov_error *err)
{
    struct sov_signal signal;
    struct sov_stream stream;
    struct sov_blob blob;
    bool found;

    if (!signal_of(a, &signal, &found, err)) return false;
    if (!found || !signal.has_payload) return true;
    if (!sov_blob_find(a->ledger, &signal.payload.digest, a->arena, &blob, &found, err))
        return false;
    /* What was erased can be given to nobody; the assignment stands without it. */
    if (!found || blob.erased) return true;
    stream = sov_stream_numbered(SOV_STREAM_SIGNAL, signal.n);
    if (blob.confidential && !a->local && !a->provider.confidential) {
        sov_error_set(
            err, SOV_DENIED, "egress_refusal",
            "the payload of SIG-%lld is confidential, %s is a provider for public content",
            (long long)signal.n, a->provider.name);
        sov_error_ref(err, sov_stream_id(&stream, a->arena));
        return false;
    }
    a->inputs = sov_arena_array(a->arena, 1, sizeof *a->inputs);
    a->inputs[0] = (struct sov_run_input){
        .said = { .path = "signal/payload",
                  .sha256 = sov_sha256(blob.content),
                  .size = (int64_t)blob.content.size,
                  .media_type = blob.ref.media_type,
                  .said_by = sov_stream_id(&stream, a->arena),
                  .untrusted = true },
        .content = blob.content,
    };
    a->input_count = 1;
    return true;
}
