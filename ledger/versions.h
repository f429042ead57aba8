#ifndef SOV_LEDGER_VERSIONS_H
#define SOV_LEDGER_VERSIONS_H
/*
 * The newest version of each numbered stream of a slice, in place of the rows of state_history that
 * say the same: for folds whose history is compared elsewhere. Private to ledger/.
 * Not here: named streams, which are few and stay in the table.
 */
#include "ledger/event.h"

struct sov_version {
    int64_t sv, seq; /* 0: no event yet */
};
struct sov_versions {
    int64_t first, last; /* numbers of the slice */
    struct {
        struct sov_version *at; /* by n - first */
        size_t room;
    } of[SOV_STREAM_COUNT];
};

void sov_versions_release(struct sov_versions *versions);
/* The event is the next of its stream: 1, 2, 3 ... each once; else event_invalid (6). The number
 * lies in the slice (asserted). */
SOV_MUST_USE bool sov_versions_add(struct sov_versions *versions, const struct sov_event *event,
                                   struct sov_error *err);
struct sov_version sov_versions_newest(const struct sov_versions *versions,
                                       const struct sov_stream *stream);
#endif
