/* Which claim is live at each event, from the claim events alone: no stored claim is asked. */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "verify/judge.h"

/* A resource as one number: 0 is none, for n is above 0. */
static uint64_t key_of(const struct sov_stream *resource)
{
    return (uint64_t)resource->n * SOV_STREAM_COUNT + resource->kind;
}

static size_t slot(const struct sov_fences *fences, uint64_t resource)
{
    size_t at = (size_t)(resource * UINT64_C(0x9e3779b97f4a7c15)) & (fences->room - 1);

    while (fences->resource[at] && fences->resource[at] != resource)
        at = (at + 1) & (fences->room - 1);
    return at;
}

static void grow(struct sov_fences *fences)
{
    struct sov_fences more = { .room = fences->room ? fences->room * 2 : 256,
                               .used = fences->used };

    more.resource = sov_alloc_array(more.room, sizeof *more.resource);
    more.fence = sov_alloc_array(more.room, sizeof *more.fence);
    for (size_t i = 0; i < fences->room; i++) {
        size_t at;

        if (!fences->resource[i]) continue;
        at = slot(&more, fences->resource[i]);
        more.resource[at] = fences->resource[i];
        more.fence[at] = fences->fence[i];
    }
    sov_fences_release(fences);
    *fences = more;
}

void sov_fences_release(struct sov_fences *fences)
{
    sov_free(fences->resource);
    sov_free(fences->fence);
    *fences = (struct sov_fences){ 0 };
}

static int64_t *live(struct sov_fences *fences, uint64_t resource)
{
    size_t at;

    if (fences->used * 2 >= fences->room) grow(fences);
    at = slot(fences, resource);
    if (!fences->resource[at]) {
        fences->resource[at] = resource;
        fences->used++;
    }
    return &fences->fence[at];
}

static bool ends_claim(enum sov_event_type type)
{
    return type == SOV_EVENT_CLAIM_RELEASED || type == SOV_EVENT_CLAIM_EXPIRED ||
           type == SOV_EVENT_ASSIGNMENT_COMPLETED || type == SOV_EVENT_ASSIGNMENT_BLOCKED ||
           type == SOV_EVENT_ASSIGNMENT_FAILED || type == SOV_EVENT_MESSAGE_DONE ||
           type == SOV_EVENT_MESSAGE_FAILED || type == SOV_EVENT_INSTANCE_RETIRED ||
           type == SOV_EVENT_SESSION_CLOSED || type == SOV_EVENT_DELIVERY_SUCCEEDED ||
           type == SOV_EVENT_DELIVERY_FAILED;
}

void sov_fences_event(struct sov_judge *judge, const struct sov_event *event)
{
    struct sov_stream resource;
    int64_t *fence;

    if (!event->fence && event->type != SOV_EVENT_CLAIM_ACQUIRED) return;
    judge->report->steps[SOV_STEP_FENCES].checked++;
    resource = sov_event_resource(event);
    if (!resource.n) {
        sov_report_event(judge->report, SOV_STEP_FENCES, SOV_CLASS_TAMPER, "fence", event->seq,
                         "event %lld carries a fence and names nothing that is claimed",
                         (long long)event->seq);
        return;
    }
    fence = live(&judge->fences, key_of(&resource));
    if (event->type == SOV_EVENT_CLAIM_ACQUIRED) {
        if (*fence)
            sov_report_event(judge->report, SOV_STEP_FENCES, SOV_CLASS_TAMPER, "two_claims",
                             event->seq, "%s is claimed while the claim %lld is live",
                             sov_stream_id(&resource, &judge->scratch), (long long)*fence);
        *fence = event->seq;
        return;
    }
    if (event->fence != *fence)
        sov_report_event(judge->report, SOV_STEP_FENCES, SOV_CLASS_TAMPER, "fence", event->seq,
                         "event %lld acts under the fence %lld, live on %s is %lld",
                         (long long)event->seq, (long long)event->fence,
                         sov_stream_id(&resource, &judge->scratch), (long long)*fence);
    if (ends_claim(event->type)) *fence = 0;
}
