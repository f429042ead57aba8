#include "verify/kept.h"

#include "policy/policy.h"

struct kept {
    const struct sov_folder *home;
    struct sov_arena *arena;
    struct sov_workspace_change *at;
    size_t count;
};

static bool is_unable(const struct sov_error *why, struct sov_error *err)
{
    if (why->exit != SOV_UNABLE) return false;
    *err = *why;
    return true;
}

static void changed(struct kept *kept, int64_t receipt, const char *path)
{
    kept->at[kept->count++] = (struct sov_workspace_change){ receipt, path };
}

/* Gone, edited, replaced by a link, or by anything else that is no safe file: each is a change. */
static bool look_at_file(struct kept *kept, const struct sov_folder *out, int64_t receipt,
                         const struct sov_deliverable *deliverable, struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_error why = { 0 };
    struct sov_bytes content;
    struct sov_hash digest;

    sov_arena_init(&arena, (size_t)deliverable->size + (4 << 20));
    if (!sov_file_read(out, deliverable->path, (size_t)deliverable->size, &arena, &content, &why)) {
        if (is_unable(&why, err)) return false;
        changed(kept, receipt, deliverable->path);
        return true;
    }
    digest = sov_sha256(content);
    if (!sov_hash_equal(&digest, &deliverable->digest)) changed(kept, receipt, deliverable->path);
    return true;
}

static bool look_at_run(struct kept *kept, const struct sov_receipt *receipt, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder out = { 0 };
    struct sov_error why = { 0 };
    const char *path = sov_arena_printf(kept->arena, "runs/ASG-%lld.%lld/ws/out",
                                        (long long)receipt->assignment, (long long)receipt->fence);
    bool there = sov_folder_beneath(&out, kept->home, path, &why);
    struct sov_workspace_change *more =
        sov_arena_array(kept->arena, kept->count + receipt->deliverable_count, sizeof *more);

    if (!there && strcmp(why.code, "no_such_file") == 0) return true;
    if (!there && is_unable(&why, err)) return false;
    if (kept->count) memcpy(more, kept->at, kept->count * sizeof *more);
    kept->at = more;
    for (size_t i = 0; i < receipt->deliverable_count; i++) {
        const struct sov_deliverable *deliverable = &receipt->deliverables[i];

        if (!there)
            changed(kept, receipt->n, deliverable->path);
        else if (!look_at_file(kept, &out, receipt->n, deliverable, err))
            return false;
    }
    return true;
}

/* The newest COMPLETED assignment of a SOW is its current execution. */
static bool look_at_sow(struct kept *kept, const struct sov_ledger *ledger, int64_t sow,
                        struct sov_error *err)
{
    struct sov_assignments list;
    struct sov_receipt receipt;
    bool found;

    if (!sov_assignment_list(ledger, sow, kept->arena, &list, err)) return false;
    for (size_t i = list.count; i-- > 0;) {
        if (list.at[i].state != SOV_ASSIGNMENT_COMPLETED) continue;
        if (!sov_receipt_find(ledger, list.at[i].receipt, kept->arena, &receipt, &found, err))
            return false;
        return !found || look_at_run(kept, &receipt, err);
    }
    return true;
}

bool sov_kept_changes(const struct sov_ledger *ledger, int64_t outcome,
                      const struct sov_folder *home, struct sov_arena *arena,
                      const struct sov_workspace_change **changes_out, size_t *count_out,
                      struct sov_error *err)
{
    struct kept kept = { .home = home, .arena = arena };
    struct sov_outcome row;
    struct sov_sows sows;

    if (!sov_outcome_get(ledger, outcome, arena, &row, err) ||
        !sov_sow_list(ledger, outcome, row.term, arena, &sows, err))
        return false;
    for (size_t i = 0; i < sows.count; i++)
        if (sov_policy_sow_counts(sows.at[i].state) &&
            !look_at_sow(&kept, ledger, sows.at[i].n, err))
            return false;
    *changes_out = kept.at;
    *count_out = kept.count;
    return true;
}
