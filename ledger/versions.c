#include "ledger/versions.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "ledger/log.h"

void sov_versions_release(struct sov_versions *versions)
{
    for (size_t kind = 0; kind < SOV_STREAM_COUNT; kind++) sov_free(versions->of[kind].at);
    *versions = (struct sov_versions){ 0 };
}

static struct sov_version *place(struct sov_versions *versions, const struct sov_stream *stream)
{
    size_t at = (size_t)(stream->n - versions->first);
    size_t room = versions->of[stream->kind].room;

    assert(stream->n >= versions->first && stream->n <= versions->last);
    if (at >= room) {
        size_t more = room ? room : 64;

        while (more <= at) more *= 2;
        versions->of[stream->kind].at =
            sov_alloc_grow(versions->of[stream->kind].at, more * sizeof(struct sov_version));
        memset(versions->of[stream->kind].at + room, 0, (more - room) * sizeof(struct sov_version));
        versions->of[stream->kind].room = more;
    }
    return &versions->of[stream->kind].at[at];
}

bool sov_versions_add(struct sov_versions *versions, const struct sov_event *event,
                      struct sov_error *err)
{
    struct sov_version *version = place(versions, &event->stream);

    if (event->sv > version->sv + 1)
        return sov_fold_fail(err, event, "event %lld skips a version of its stream",
                             (long long)event->seq);
    if (event->sv <= version->sv)
        return sov_fold_fail(err, event, "event %lld repeats a version of its stream",
                             (long long)event->seq);
    *version = (struct sov_version){ event->sv, event->seq };
    return true;
}

struct sov_version sov_versions_newest(const struct sov_versions *versions,
                                       const struct sov_stream *stream)
{
    size_t at = (size_t)(stream->n - versions->first);

    if (stream->n < versions->first || at >= versions->of[stream->kind].room)
        return (struct sov_version){ 0 };
    return versions->of[stream->kind].at[at];
}
