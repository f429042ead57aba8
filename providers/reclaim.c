/* Folders of runs that have ended: kept as an archive or as blobs, then removed, or left and said.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/reading.h"
#include "base/removal.h"
#include "providers/providers.h"
#include "providers/ustar.h"
#include "providers/workspace.h"

enum { ARCHIVE_MAX = 256 << 20, NAMES_MAX = 1 << 20, DEPTH_MAX = 64 };
static const char runs[] = ".sovereign/runs";
static const size_t arena_most = (size_t)600 << 20;

struct pass {
    struct sov_ledger *ledger;
    const struct sov_reclaim_options *options;
    const struct sov_policy *policy;
    struct sov_folder top;
    const char *path; /* of runs/, absolute and without links */
    struct sov_now now;
    struct sov_arena *arena;
    struct sov_arena each; /* of one folder: its archive, its files */
    struct sov_reclaim_act *acts;
    size_t act_count;
};

/* ---- may it go? ---- */

/* Its device and inode, with no link on the way; *there_out false: nothing of that name. */
static const char *root_judge(const struct pass *p, const struct sov_reclaim *r, const char *name,
                              struct sov_folder *root, bool *there_out)
{
    const char *path = sov_arena_printf(p->arena, "%s/%s", runs, name);
    struct sov_file_facts facts;
    struct sov_error err = { 0 };

    *there_out = true;
    if (!sov_workspace_check(&p->top, &err) || !sov_file_facts(&p->top, path, &facts, &err))
        return "replaced";
    if (facts.type == SOV_FILE_ABSENT) {
        *there_out = false;
        return NULL;
    }
    if (!sov_folder_beneath(root, &p->top, path, &err) || !sov_folder_facts(root, &facts, &err) ||
        facts.device != r->device || facts.inode != r->inode)
        return "replaced";
    return NULL;
}

static bool is_kept(const struct pass *p, const struct sov_hash *digest, bool *kept_out,
                    struct sov_error *err)
{
    struct sov_arena_mark mark = sov_arena_mark(p->arena);
    struct sov_hash found_digest;
    struct sov_blob blob;
    bool found;

    if (!sov_blob_find(p->ledger, digest, p->arena, &blob, &found, err)) return false;
    *kept_out = found && !blob.erased;
    if (*kept_out) {
        found_digest = sov_sha256(blob.content);
        *kept_out = sov_hash_equal(&found_digest, digest);
    }
    sov_arena_rewind(p->arena, mark);
    return true;
}

static bool blobs_judge(const struct pass *p, const struct sov_receipt *receipt,
                        const char **why_out, struct sov_error *err)
{
    for (size_t i = 0; i < receipt->deliverable_count && !*why_out; i++) {
        bool kept;

        if (!is_kept(p, &receipt->deliverables[i].digest, &kept, err)) return false;
        if (!kept) *why_out = "blob_missing";
    }
    return true;
}

static bool is_delivered(const struct sov_receipt *receipt, const struct sov_hash *digest)
{
    for (size_t i = 0; i < receipt->deliverable_count; i++)
        if (sov_hash_equal(&receipt->deliverables[i].digest, digest)) return true;
    return false;
}

static bool file_is_saved(const struct sov_folder *folder, const char *name,
                          const struct sov_receipt *receipt)
{
    SOV_CLEANUP(sov_reading_close) struct sov_reading reading = { 0 };
    struct sov_file_facts facts;
    struct sov_error err = { 0 };
    struct sov_sha256 sha;
    struct sov_hash digest;
    uint8_t octets[1 << 16];
    size_t got;

    if (!sov_reading_open(&reading, folder, name, &facts, &err) || facts.type != SOV_FILE_REGULAR)
        return false;
    sov_sha256_begin(&sha);
    do {
        if (!sov_reading_next(&reading, octets, sizeof octets, &got, &err)) return false;
        sov_sha256_add(&sha, sov_bytes(octets, got));
    } while (got == sizeof octets);
    digest = sov_sha256_end(&sha);
    return is_delivered(receipt, &digest);
}

/* Everything beneath is a folder, or a file whose octets the receipt has as a blob. */
static bool all_saved(struct pass *p, const struct sov_folder *folder,
                      const struct sov_receipt *receipt, int depth)
{
    struct sov_listing names;
    struct sov_error err = { 0 };

    if (depth > DEPTH_MAX || !sov_folder_names(folder, "", NAMES_MAX, &p->each, &names, &err))
        return false;
    for (size_t i = 0; i < names.count; i++) {
        SOV_CLEANUP(sov_folder_close) struct sov_folder inner = { 0 };
        struct sov_file_facts facts;

        if (!sov_file_facts(folder, names.name[i], &facts, &err)) return false;
        if (facts.type == SOV_FILE_FOLDER
                ? !sov_folder_beneath(&inner, folder, names.name[i], &err) ||
                      !all_saved(p, &inner, receipt, depth + 1)
                : !file_is_saved(folder, names.name[i], receipt))
            return false;
    }
    return true;
}

/* What only `remove` asks: nothing would be lost. A folder half removed has less to lose. */
static const char *remove_judge(struct pass *p, const struct sov_reclaim *r,
                                const struct sov_folder *root)
{
    static const char *const places[] = { "ws/out", "ws/tree" };

    if (r->receipt.category && strcmp(r->receipt.category, "worker_lost") == 0)
        return "worker_lost";
    if (r->stale) return "stale";
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        SOV_CLEANUP(sov_folder_close) struct sov_folder place = { 0 };
        struct sov_file_facts facts;
        struct sov_error err = { 0 };

        if (!sov_file_facts(root, places[i], &facts, &err)) return "unreadable";
        if (facts.type == SOV_FILE_ABSENT) continue;
        if (!sov_folder_beneath(&place, root, places[i], &err) ||
            !all_saved(p, &place, &r->receipt, 0))
            return "unsaved";
    }
    return NULL;
}

/* ---- acts ---- */

enum deed { ARCHIVE, FINISH, FLAG };

static bool commit_one(struct pass *p, const struct sov_reclaim *r, enum deed deed,
                       struct sov_bytes archive, const char *why, struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    static const char *const words[] = { "workspace.archived", "workspace.reclaimed",
                                         "workspace.flagged" };
    struct sov_act act = { .expect_seq = -1, .expect_version = -1, .dry = p->options->dry };
    struct sov_done done;
    int64_t head;

    if (!sov_commit_begin(&commit, p->ledger, &act, err)) return false;
    if (deed == ARCHIVE  ? !sov_reclaim_archive(&commit, r, archive, &done, err)
        : deed == FINISH ? !sov_reclaim_finish(&commit, r, &done, err)
                         : !sov_reclaim_flag(&commit, r, why, &done, err))
        return false;
    if (done.effect == SOV_NOOP) return true;
    if (!sov_commit_finish(&commit, &head, err)) return false;
    p->acts[p->act_count++] = (struct sov_reclaim_act){
        .act = words[deed],
        .id = sov_arena_printf(p->arena, "ASG-%lld", (long long)r->assignment),
        .fence = r->fence,
        .why = why,
        .seq = done.effect == SOV_WOULD ? 0 : done.seq,
    };
    return true;
}

static bool flag(struct pass *p, const struct sov_reclaim *r, const char *why,
                 struct sov_error *err)
{
    return commit_one(p, r, FLAG, sov_bytes("", 0), why, err);
}

/* *why_out: it cannot be archived. */
static bool archive(struct pass *p, const struct sov_reclaim *r, const struct sov_folder *root,
                    const char **why_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder ws = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf tar = { 0 };
    struct sov_error why = { 0 };

    sov_buf_init(&tar, ARCHIVE_MAX);
    if (!sov_folder_beneath(&ws, root, "ws", &why) || !sov_ustar_write(&ws, &tar, &why)) {
        *why_out = strcmp(why.code, "too_large") == 0 ? "too_large" : "unreadable";
        return true;
    }
    return commit_one(p, r, ARCHIVE, sov_buf_bytes(&tar), NULL, err);
}

static bool is_young(const struct pass *p, const struct sov_reclaim *r)
{
    int64_t since_ms = p->now.wall.ms - r->ended_ms;

    /* A clock behind the log says nothing: whether anybody is in it is looked at anyway. */
    return since_ms >= 0 && since_ms <= p->policy->ttl_grace * 1000;
}

static bool remove_it(struct pass *p, const struct sov_reclaim *r, const char *name,
                      struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder parent = { 0 };

    if (p->options->dry) return true;
    return sov_folder_beneath(&parent, &p->top, runs, err) &&
           sov_folder_remove(&parent, name, err) &&
           commit_one(p, r, FINISH, sov_bytes("", 0), NULL, err);
}

static const struct sov_error *error_keep(struct sov_arena *arena, const struct sov_error *err)
{
    struct sov_error *kept = sov_arena_take(arena, sizeof *kept);

    *kept = *err;
    return kept;
}

static bool one(struct pass *p, const struct sov_reclaim *r, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder root = { 0 };
    char name[SOV_WORKSPACE_NAME];
    const char *why = NULL;
    bool there, used;

    if (is_young(p, r)) return true;
    sov_workspace_name(name, sov_arena_printf(p->arena, "ASG-%lld", (long long)r->assignment),
                       r->fence);
    /* Before anything of it is opened here: this process would be found in it. */
    if (!sov_workspace_is_used(sov_arena_printf(p->arena, "%s/%s", p->path, name), &r->who, &p->now,
                               &used, err))
        return false;
    why = used ? "in_use" : root_judge(p, r, name, &root, &there);
    if (why) return flag(p, r, why, err);
    if (!there)
        return r->archived || r->removes ? commit_one(p, r, FINISH, sov_bytes("", 0), NULL, err)
                                         : flag(p, r, "absent", err);
    if (!blobs_judge(p, &r->receipt, &why, err)) return false;
    if (!why && r->removes) why = remove_judge(p, r, &root);
    if (!why && !r->removes && !r->archived && !archive(p, r, &root, &why, err)) return false;
    if (why) return flag(p, r, why, err);
    if (p->options->dry && r->removes) return commit_one(p, r, FINISH, sov_bytes("", 0), NULL, err);
    return remove_it(p, r, name, err);
}

static bool pass_open(struct pass *p, struct sov_error *err)
{
    const struct sov_clock *clock = &p->options->seams->clock;
    const char *top;

    if (!clock->read(clock->self, &p->now, err) ||
        !sov_policy_at(p->ledger, 0, p->arena, &p->policy, err) ||
        !sov_folder_open(&p->top, p->options->top, err) ||
        !sov_path_absolute(p->options->top, p->arena, &top, err))
        return false;
    p->path = sov_arena_printf(p->arena, "%s/%s", top, runs);
    return true;
}

static bool walk(struct pass *p, const struct sov_reclaims *rows, struct sov_reclaimed *out)
{
    struct sov_reclaim_act *faults = sov_arena_array(p->arena, rows->count + 1, sizeof *faults);
    int64_t taken = 0;

    p->acts = sov_arena_array(p->arena, 2 * rows->count + 1, sizeof *p->acts);
    out->faults = faults;
    for (size_t i = 0; i < rows->count; i++) {
        struct sov_arena_mark mark = sov_arena_mark(&p->each);
        size_t before = p->act_count;
        struct sov_error err = { 0 };

        if (taken >= p->options->limit) {
            out->waiting += !rows->at[i].flagged;
            continue;
        }
        if (!one(p, &rows->at[i], &err))
            faults[out->fault_count++] = (struct sov_reclaim_act){
                .id = sov_arena_printf(p->arena, "ASG-%lld", (long long)rows->at[i].assignment),
                .fence = rows->at[i].fence,
                .error = error_keep(p->arena, &err),
            };
        sov_arena_rewind(&p->each, mark);
        taken += p->act_count > before;
    }
    out->acts = p->acts;
    out->act_count = p->act_count;
    return true;
}

bool sov_workspaces_reclaim(struct sov_ledger *ledger, const struct sov_reclaim_options *options,
                            struct sov_arena *arena, struct sov_reclaimed *reclaimed_out,
                            struct sov_error *err)
{
    struct pass p = { .ledger = ledger, .options = options, .arena = arena };
    struct sov_reclaimed out = { 0 };
    struct sov_reclaims rows;
    bool ok;

    assert(options->top && options->seams);
    if (!sov_reclaim_list(ledger, INT32_MAX, arena, &rows, err)) return false;
    if (rows.count) {
        sov_arena_init(&p.each, arena_most);
        ok = pass_open(&p, err) && walk(&p, &rows, &out);
        sov_arena_release(&p.each);
        sov_folder_close(&p.top);
        if (!ok) return false;
    }
    *reclaimed_out = out;
    return true;
}
