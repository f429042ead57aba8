#include "base/file.h"
#include "cli/verb.h"
#include "projections/projections.h"

enum { PAGE_MAX = 48 << 20, PAGE_MODE = 0644 };

/* What git leaves in OURS is what the merge takes. */
static bool merge(struct sov_call *call, struct sov_error *err)
{
    const char *ours = call->words[1], *theirs = call->words[2], *path = call->words[3];
    struct sov_node *data = sov_node_object(call->arena);
    struct sov_bytes a, b;
    enum sov_merged merged;

    if (!sov_file_of(call, ours, PAGE_MAX, &a, err) ||
        !sov_file_of(call, theirs, PAGE_MAX, &b, err))
        return false;
    merged = sov_view_merge(a, b);
    if (merged == SOV_MERGED_THEIRS && !sov_file_replace_named(ours, PAGE_MODE, b, err))
        return false;
    sov_add_text(data, "path", path);
    sov_add_text(data, "taken",
                 merged == SOV_MERGED_OURS     ? "ours"
                 : merged == SOV_MERGED_THEIRS ? "theirs"
                                               : NULL);
    sov_out_data(call->out, data);
    if (merged != SOV_MERGED_NEITHER) return true;
    call->answer = SOV_NO;
    sov_out_note(call->out, "%s: neither side is the later one; sov rebuild settles it", path);
    return true;
}

static const struct sov_form forms[] = {
    { "", merge, 0, 4, 4, "BASE OURS THEIRS PATH",
      "of two versions of a view, leave the later one in OURS", "path:s taken:s?",
      "1 neither is the later one: a conflict", "sov merge-driver %O %A %B %P", NULL },
};
static const struct sov_verb verb = {
    "merge-driver",
    "for git: merge two versions of a view",
    "git calls it for files of governance/ that both sides changed, if its configuration says\n"
    "merge.sov.driver = sov merge-driver %O %A %B %P. The version with the larger Last event wins, "
    "if both\n"
    "are of the same renderer and whole. It needs no ledger. sov verify judges what came of it.",
    forms,
    1,
    SOV_GROUP_CARE
};

const struct sov_verb *sov_verb_merge_driver(void)
{
    return &verb;
}
