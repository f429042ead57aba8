#include "cli/publish.h"

static struct sov_node *paths(struct sov_node *data, const char *key, const char *const *list,
                              size_t count)
{
    struct sov_node *node = sov_add_list(data, key);

    for (size_t i = 0; i < count; i++) sov_add_text(node, NULL, list[i]);
    return node;
}

static void say(struct sov_call *call, const struct sov_published *published, bool dry)
{
    struct sov_out *out = call->out;

    if (out->quiet) {
        sov_out_line(out, "%lld", (long long)published->size);
        return;
    }
    if (!published->events && !published->written_count && !published->removed_count)
        sov_out_line(out, "nothing new, published size %lld", (long long)published->size);
    else if (!published->events)
        sov_out_line(out, "%s %zu files, published size %lld", dry ? "would restore" : "restored",
                     published->written_count + published->removed_count,
                     (long long)published->size);
    else
        sov_out_line(out, "%s %lld (%lld events, %zu files)", dry ? "would publish" : "published",
                     (long long)published->size, (long long)published->events,
                     published->written_count + published->removed_count);
    for (size_t i = 0; i < published->written_count && (dry || out->verbose); i++)
        sov_out_line(out, "  %s", published->written[i]);
    for (size_t i = 0; i < published->removed_count && (dry || out->verbose); i++)
        sov_out_line(out, "  %s removed", published->removed[i]);
}

static bool project(struct sov_call *call, struct sov_error *err)
{
    bool dry = sov_given(call, SOV_FLAG_DRY_RUN);
    struct sov_node *data = sov_node_object(call->arena);
    struct sov_published published = { 0 };
    bool any;

    sov_call_release(call);
    if (!sov_publish_tree(call, SOV_PUBLISH, dry, &published, err)) return false;
    any = published.events || published.written_count || published.removed_count;
    sov_add_int(data, "size", published.size);
    sov_add_text(data, "effect", !any ? "noop" : dry ? "would" : "created");
    sov_add_int(data, "before", published.before);
    sov_add_int(data, "events", published.events);
    paths(data, "written", published.written, published.written_count);
    paths(data, "removed", published.removed, published.removed_count);
    say(call, &published, dry);
    sov_out_data(call->out, data);
    if (any && !dry) sov_out_next(call->out, "git add governance");
    return true;
}

static const struct sov_form forms[] = {
    { "", project, SOV_READS | SOV_DRY, 0, 0, "",
      "publish: new log segment, checkpoint, changed views, pin",
      "size:i effect:s before:i events:i written:a removed:a",
      "6 more is published than this ledger holds, or another ledger", "sov project", NULL },
};
static const struct sov_verb verb = { "project",
                                      "publish the log and its views under governance/",
                                      "With nothing new it restores any view that differs. "
                                      "Segments and checkpoints are never edited.",
                                      forms,
                                      1,
                                      SOV_GROUP_JUDGE };

const struct sov_verb *sov_verb_project(void)
{
    return &verb;
}
