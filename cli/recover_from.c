/* From a backup or the published log: judged whole before anything is written. */
#include <stdio.h>
#include <string.h>

#include "base/child.h"
#include "base/place.h"
#include "cli/recover.h"
#include "projections/projections.h"

struct recovering {
    struct sov_call *call;
    struct sov_places places;
    struct sov_folder top; /* of the working tree, whose published log is asked */
    struct sov_ledger *source;
    bool published, dry;
};

static void recovering_end(struct recovering *r)
{
    sov_ledger_end(&r->source);
    sov_folder_close(&r->top);
}

/* ---- the place ---- */

/* The folder that holds the ledger, or, where that is gone too, the one that would. */
static bool place_trusted(struct recovering *r, const char **system_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder base = { 0 };
    struct sov_call *call = r->call;
    char system[32];
    bool local;

    if (call->found.there) return sov_places_trust(&call->found, call->arena, system_out, err);
    if (!sov_folder_open(&base, call->found.base, err) ||
        !sov_folder_system(&base, system, &local, err))
        return false;
    *system_out = local ? NULL : sov_arena_printf(call->arena, "%s", system);
    return true;
}

static bool is_allowed(struct recovering *r, const char *system, struct sov_error *err)
{
    bool allowed = true;

    if (system && !sov_filesystem_is_allowed(r->source, system, &allowed, err)) return false;
    return allowed || sov_fail(err, SOV_DENIED, "filesystem_refused", "%s lies on %s",
                               r->call->found.base, system);
}

static bool is_lost(struct recovering *r, struct sov_error *err)
{
    struct sov_call *call = r->call;
    struct sov_hash mark, id;
    bool mirror, named;
    enum sov_lost lost;

    if (!sov_mirror_find(&r->places, &mark, &mirror, err)) return false;
    if (mirror) return sov_fail(err, SOV_DENIED, "is_mirror", "%s is a mirror", call->found.home);
    if (!sov_ledger_lost(&r->places, call->seams, call->wait_ms, r->dry, &lost, &id, &named, err))
        return false;
    return lost != SOV_LOST_NOTHING ||
           sov_fail(err, SOV_CONFLICT, "not_lost", "%s holds a ledger that can be read",
                    call->found.home);
}

/* ---- the source ---- */

/* A file is named by its folder's real path: no link leads to it. */
static bool open_backup(struct recovering *r, const char *path, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder above = { 0 };
    struct sov_arena *arena = r->call->arena;
    struct sov_file_facts facts;
    const char *name, *folder;

    if (!sov_folder_above(&above, path, &name, err) || !sov_file_facts(&above, name, &facts, err))
        return false;
    if (facts.type == SOV_FILE_ABSENT)
        return sov_fail(err, SOV_ABSENT, "no_such_file", "no file %s", path);
    folder = name == path ? "." : sov_arena_printf(arena, "%.*s", (int)(name - path), path);
    return sov_path_absolute(folder, arena, &folder, err) &&
           sov_backup_open(sov_arena_printf(arena, "%s/%s", folder, name), &r->places,
                           r->call->seams, r->call->wait_ms, &r->source, err);
}

static bool open_source(struct recovering *r, const char *from, struct sov_error *err)
{
    struct sov_call *call = r->call;
    struct sov_clone clone;

    if (!sov_folder_open(&r->top, call->found.tree, err)) return false;
    if (!r->published) return open_backup(r, from, err);
    return sov_clone_open(&r->top, call->seams, call->found.keys, NULL, NULL, &r->source, &clone,
                          err);
}

/* What was published is out in the world: a backup that ends before it would fork it. */
static bool goes_with_published(struct recovering *r, struct sov_error *err)
{
    struct sov_publication published;
    struct sov_checkpoint own;
    struct sov_signature signature;
    int64_t head;
    bool found;

    if (!sov_publication_state(r->source, &r->top, r->call->arena, &published, err)) return false;
    if (!published.there) return true;
    if (!sov_ledger_head(r->source, &head, err) ||
        !sov_checkpoint_at(r->source, published.size, &own, &signature, &found, err))
        return false;
    if (published.size > head)
        return sov_fail(err, SOV_CONFLICT, "published_ahead",
                        "the backup ends at %lld, and %lld events are published", (long long)head,
                        (long long)published.size);
    return (found && own.size == (uint64_t)published.size &&
            sov_hash_equal(&own.root, &published.root)) ||
           sov_fail(err, SOV_INTEGRITY, "fork",
                    "the published log of size %lld is no prefix of the backup",
                    (long long)published.size);
}

/* As anybody would judge it; how old it may be is for the pin to say. */
static bool judge(struct recovering *r, struct sov_report *report_out, struct sov_error *err)
{
    struct sov_call *call = r->call;
    struct sov_verify_options options = { .places = &r->places,
                                          .seams = call->seams,
                                          .wait_ms = call->wait_ms,
                                          .all_signatures = true,
                                          .no_anchor = true };

    if (r->published) {
        options.clone = &r->top;
        options.published = true;
    } else {
        options.opened = r->source;
    }
    return sov_report_make(call, &options, report_out, err);
}

/* ---- by whom ---- */

static bool confirmed(struct recovering *r, struct sov_error *err)
{
    struct sov_call *call = r->call;
    const char *given = sov_value_of(call, SOV_FLAG_CONFIRM);
    struct sov_identity identity;
    char answer[256];

    if (r->dry) return true;
    sov_ledger_identity(r->source, &identity);
    if (!given) {
        if (!sov_out_ask(call->out,
                         "put this in the place of the lost ledger? type the organization's name, "
                         "or give --confirm=NAME: ",
                         answer, sizeof answer, err))
            return false;
        given = sov_arena_printf(call->arena, "%s", answer);
    }
    if (strcmp(given, identity.name) == 0) return true;
    return sov_fail(err, SOV_DENIED, "confirm_required", "the source is the ledger of %s",
                    identity.name);
}

static bool make(struct recovering *r, struct sov_restored *restored_out, struct sov_error *err)
{
    struct sov_call *call = r->call;
    struct sov_restore restore = { .source = r->source,
                                   .pins = call->found.pins,
                                   .reason = sov_value_of(call, SOV_FLAG_REASON),
                                   .dry = r->dry,
                                   .goes_on = sov_call_goes_on };

    sov_signals_watch();
    return sov_call_actor(call, &restore.actor, err) &&
           sov_ledger_restore(&r->places, &restore, call->seams, call->wait_ms, call->arena,
                              restored_out, err);
}

static void say(struct recovering *r, const struct sov_restored *restored)
{
    struct sov_out *out = r->call->out;

    sov_out_part(out, SOV_PLAIN, "%s %lld events from %s", r->dry ? "would restore" : "restored",
                 (long long)restored->size,
                 r->published ? "the published log" : sov_value_of(r->call, SOV_FLAG_FROM));
    if (!r->dry) sov_out_part(out, SOV_PLAIN, " (seq %lld)", (long long)restored->seq);
    sov_out_end(out);
    if (restored->lost_last)
        sov_out_line(out, "lost     %lld to %lld, of which the pin knows",
                     (long long)restored->lost_first, (long long)restored->lost_last);
    if (restored->kept)
        sov_out_line(out, "%s     what was there, as %s", r->dry ? "keep" : "kept", restored->kept);
}

bool sov_recover_from(struct sov_call *call, struct sov_recovery *recovery_out,
                      struct sov_error *err)
{
    const char *from = sov_value_of(call, SOV_FLAG_FROM), *system;
    SOV_CLEANUP(recovering_end)
    struct recovering r = { .call = call,
                            .places = { call->found.home, call->found.keys },
                            .published = strcmp(from, "published") == 0,
                            .dry = sov_given(call, SOV_FLAG_DRY_RUN) };

    if (!place_trusted(&r, &system, err) || !is_lost(&r, err) || !open_source(&r, from, err) ||
        !is_allowed(&r, system, err) || (!r.published && !goes_with_published(&r, err)) ||
        !judge(&r, &recovery_out->source, err))
        return false;
    if (recovery_out->source.exit != SOV_OK) return true;
    if (!confirmed(&r, err) || !make(&r, &recovery_out->restored, err)) return false;
    recovery_out->made = true;
    if (!r.dry) call->out->committed = recovery_out->restored.seq;
    say(&r, &recovery_out->restored);
    return true;
}
