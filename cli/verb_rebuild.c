#include "cli/publish.h"

static bool views(struct sov_call *call, bool dry, struct sov_node *data, struct sov_error *err)
{
    struct sov_published published = { 0 };
    struct sov_node *list = sov_add_list(data, "files");
    int64_t size;

    if (!sov_published_size(call, &size, err)) return false;
    if (size && !sov_publish_tree(call, SOV_PUBLISH_RESTORE, dry, &published, err)) return false;
    for (size_t i = 0; i < published.written_count; i++)
        sov_add_text(list, NULL, published.written[i]);
    for (size_t i = 0; i < published.removed_count; i++)
        sov_add_text(list, NULL, published.removed[i]);
    for (const struct sov_node *file = list->first; file; file = file->next)
        sov_out_line(call->out, "  %.*s", (int)file->text.size, (const char *)file->text.data);
    sov_add_int(data, "published_size", size);
    return true;
}

/* A clone has no derived tables, only views. */
static bool refold(struct sov_call *call, bool dry, bool clone, int64_t *events_out,
                   struct sov_error *err)
{
    if (dry || clone ? !sov_call_read(call, err) : !sov_call_write(call, err)) return false;
    sov_call_release(call);
    return dry || clone ? sov_ledger_head(call->ledger, events_out, err)
                        : sov_ledger_rebuild(call->ledger, events_out, err);
}

static bool rebuild(struct sov_call *call, struct sov_error *err)
{
    bool dry = sov_given(call, SOV_FLAG_DRY_RUN);
    struct sov_node *data = sov_node_object(call->arena);
    int64_t events = 0;
    bool clone;

    if (!sov_call_is_clone(call, &clone, err) || !refold(call, dry, clone, &events, err))
        return false;
    sov_add_int(data, "events", events);
    sov_add_text(data, "effect", dry ? "would" : "created");
    if (!call->out->quiet)
        sov_out_line(call->out, "%s %lld events",
                     clone ? "read"
                     : dry ? "would refold"
                           : "refolded",
                     (long long)events);
    if (!views(call, dry, data, err)) return false;
    sov_out_data(call->out, data);
    return sov_call_head(call, err);
}

static const struct sov_form forms[] = {
    { "", rebuild, SOV_DRY | SOV_CLONES, 0, 0, "",
      "empty and refold the derived tables, render the views again at the published size",
      "events:i effect:s files:a published_size:i", "6 an event cannot be folded", "sov rebuild",
      NULL },
};
static const struct sov_verb verb = { "rebuild",
                                      "derive tables and views again from the log",
                                      "Adds no event, segment or checkpoint. Views that differ are "
                                      "restored, and what does not belong\n"
                                      "among them is removed. Without a ledger file the views are "
                                      "rendered from the published log.",
                                      forms,
                                      1,
                                      SOV_GROUP_CARE };

const struct sov_verb *sov_verb_rebuild(void)
{
    return &verb;
}
