#include "cli/publish.h"

#include "base/file.h"

static bool pin_move(struct sov_call *call, int64_t size, struct sov_error *err)
{
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_pin pin;
    bool found;

    if (!sov_checkpoint_at(call->ledger, size, &checkpoint, &signature, &found, err)) return false;
    if (!found || (int64_t)checkpoint.size != size) return true;
    return sov_pin_of(call->ledger, size, call->arena, &pin, err) &&
           sov_pin_move(call->found.pins, &pin, err);
}

/* Before anything is written: behind it, a pin that is none would leave a publication half done. */
static bool pin_is_sound(struct sov_call *call, struct sov_error *err)
{
    struct sov_identity identity;
    struct sov_pin pin;
    bool found;

    sov_ledger_identity(call->ledger, &identity);
    return sov_pin_read(call->found.pins, &identity.id, call->arena, &pin, &found, err);
}

bool sov_publish_tree(struct sov_call *call, enum sov_publishing what, bool dry,
                      struct sov_published *published_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    struct sov_publish_options options = { .what = what, .dry = dry, .wait_ms = call->wait_ms };

    return sov_folder_open(&top, call->found.tree, err) && pin_is_sound(call, err) &&
           sov_publish(call->ledger, &top, &options, call->arena, published_out, err) &&
           (dry || !published_out->size || sov_ledger_is_copy(call->ledger) ||
            pin_move(call, published_out->size, err));
}

static void row(struct sov_call *call, struct sov_node *rows, const char *act, const char *path)
{
    struct sov_node *node = sov_add_object(rows, NULL);

    sov_add_text(node, "act", act);
    sov_add_text(node, "path", path);
    sov_out_line(call->out, "%s %s", path, act);
}

bool sov_publication_finish(struct sov_call *call, bool dry, struct sov_node *rows,
                            struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    struct sov_publication state;
    struct sov_published published;

    if (!sov_folder_open(&top, call->found.tree, err) ||
        !sov_publication_state(call->ledger, &top, call->arena, &state, err))
        return false;
    if (!state.interrupted) return true;
    if (!sov_publish_tree(call, SOV_PUBLISH, dry, &published, err)) return false;
    for (size_t i = 0; i < published.written_count; i++)
        row(call, rows, dry ? "would be written" : "written", published.written[i]);
    for (size_t i = 0; i < published.removed_count; i++)
        row(call, rows, dry ? "would be removed" : "removed", published.removed[i]);
    return true;
}

bool sov_published_size(struct sov_call *call, int64_t *size_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    struct sov_publication state;

    if (!sov_folder_open(&top, call->found.tree, err) ||
        !sov_publication_state(call->ledger, &top, call->arena, &state, err))
        return false;
    *size_out = state.there ? state.size : 0;
    return true;
}
