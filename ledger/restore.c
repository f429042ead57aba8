/* A lost ledger file: made again beside its place, recorded, and named last. */
#include "ledger/restore.h"

#include <string.h>

#include "base/place.h"
#include "base/removal.h"
#include "base/staging.h"
#include "ledger/handle.h"
#include "ledger/keyfile.h"
#include "ledger/log.h"
#include "ledger/refill.h"
#include "ledger/schema.h"

enum { NAMES_MAX = 1 << 16, KEPT_MAX = 10000, WAIT_MS = 5000 };
static const char *const tails[] = { "", "-journal", "-wal", "-shm" };

/* ---- what is lost ---- */

static bool is_corrupt(const struct sov_error *err)
{
    return strcmp(err->code, "corrupt") == 0;
}

bool sov_ledger_lost(const struct sov_places *places, const struct sov_seams *seams,
                     int64_t wait_ms, bool dry, enum sov_lost *lost_out, struct sov_hash *id_out,
                     bool *named_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *ledger = NULL;
    bool there, open;

    *named_out = false;
    if (!sov_ledger_there(places, &there, err)) return false;
    if (!there) {
        *lost_out = SOV_LOST_FILE;
        return true;
    }
    open = sov_ledger_open(places, SOV_LEDGER_READ, seams, wait_ms, &ledger, err);
    if (!open && !dry && strcmp(err->code, "needs_recovery") == 0)
        open = sov_ledger_open(places, SOV_LEDGER_WRITE, seams, wait_ms, &ledger, err);
    if (open) {
        *id_out = ledger->id;
        *named_out = true;
        if (sov_db_quick_check(ledger->db, err)) {
            *lost_out = SOV_LOST_NOTHING;
            return true;
        }
    }
    *lost_out = SOV_LOST_CONTENT;
    return is_corrupt(err);
}

bool sov_backup_open(const char *path, const struct sov_places *places,
                     const struct sov_seams *seams, int64_t wait_ms, struct sov_ledger **ledger_out,
                     struct sov_error *err)
{
    struct sov_db_options options = sov_ledger_db_options(SOV_DB_READ, seams, wait_ms);
    SOV_CLEANUP(sov_ledger_end)
    struct sov_ledger *ledger = sov_ledger_new(places, seams, wait_ms, false);

    if (!sov_db_open(path, &options, &ledger->db, err)) return false;
    ledger->state = ledger->db;
    if (!sov_schema_is_built(ledger, err) || !sov_ledger_identify(ledger, err)) return false;
    *ledger_out = ledger;
    ledger = NULL;
    return true;
}

/* ---- the making ---- */

struct restoring {
    const struct sov_places *places;
    const struct sov_restore *restore;
    const struct sov_seams *seams;
    struct sov_identity identity;
    struct sov_pin pin;
    bool pinned;
    struct sov_restored done;
    struct sov_folder home;
    struct sov_lock first, writers; /* of a founding, and of everybody who writes */
    struct sov_staging staging;
    struct sov_arena *arena;
    bool made_home; /* and, as the locks tell, nothing has its place in it yet */
};

/* A home that was made for a ledger that did not come to be is nobody's. */
static void home_unmake(struct restoring *r)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder above = { 0 };
    struct sov_error ignored = { 0 };
    const char *name;

    if (sov_folder_above(&above, r->places->home, &name, &ignored))
        (void)!sov_folder_remove(&above, name, &ignored);
}

static void restoring_end(struct restoring *r)
{
    sov_staging_end(&r->staging);
    if (r->made_home) home_unmake(r);
    sov_lock_release(&r->writers);
    sov_lock_release(&r->first);
    sov_folder_close(&r->home);
}

/* Recorded under the ledger key, as every act: the first that the source does not have. */
static bool record(struct restoring *r, struct sov_ledger *ledger, const struct sov_range *range,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act act = {
        .actor = r->restore->actor, .expect_seq = -1, .expect_version = -1, .dry = r->restore->dry
    };
    struct sov_done done;
    int64_t seq;

    r->done.size = (int64_t)range->size;
    r->done.root = sov_range_root(range);
    if (r->pinned && r->pin.size > r->done.size) {
        r->done.lost_first = r->done.size + 1;
        r->done.lost_last = r->pin.size;
    }
    if (!sov_commit_begin(&commit, ledger, &act, err) ||
        !sov_restore_record(&commit, &r->done, r->restore->reason, &done, err) ||
        !sov_commit_finish(&commit, &seq, err))
        return false;
    r->done.seq = done.seq;
    return true;
}

static bool fill(struct restoring *r, const char *path, struct sov_error *err)
{
    bool dry = r->restore->dry;
    struct sov_db_options options =
        sov_ledger_db_options(dry ? SOV_DB_MEMORY : SOV_DB_CREATE, r->seams, WAIT_MS);
    SOV_CLEANUP(sov_ledger_end)
    struct sov_ledger *ledger = sov_ledger_new(r->places, r->seams, WAIT_MS, true);
    const struct sov_refill refill = { r->restore->source, r->pinned ? &r->pin : NULL,
                                       r->restore->goes_on };
    struct sov_range range;

    if (!sov_db_open(path, &options, &ledger->db, err)) return false;
    ledger->state = ledger->db;
    if (!dry &&
        !sov_file_set_mode(
            &r->staging.above,
            sov_arena_printf(r->arena, "%s/%s", r->staging.temporary, SOV_LEDGER_FILE), 0600, err))
        return false;
    return sov_ledger_refill(ledger, &refill, &range, err) && record(r, ledger, &range, err);
}

/* ---- names ---- */

static bool is_free(struct restoring *r, const char *name, bool *free_out, struct sov_error *err)
{
    struct sov_file_facts facts;

    *free_out = true;
    for (size_t i = 0; *free_out && i < sizeof tails / sizeof *tails; i++) {
        if (!sov_file_facts(&r->home, sov_arena_printf(r->arena, "%s%s", name, tails[i]), &facts,
                            err))
            return false;
        *free_out = facts.type == SOV_FILE_ABSENT;
    }
    return true;
}

/* Whatever stands under the ledger's names is evidence; and a journal of another file under the
 * name of the new one would be rolled back into it. So the file goes last: wherever this stops, it
 * has left no journal without the ledger. */
static bool keep_aside(struct restoring *r, struct sov_error *err)
{
    const char *name = NULL;
    bool unused = false;

    for (int n = 1; !unused; n++) {
        if (n > KEPT_MAX)
            return sov_fail(err, SOV_UNABLE, "io_error", "%s holds too many damaged ledgers",
                            r->places->home);
        name = sov_arena_printf(r->arena, "%s.damaged-%d", SOV_LEDGER_FILE, n);
        if (!is_free(r, name, &unused, err)) return false;
    }
    for (size_t i = sizeof tails / sizeof *tails; i-- > 0;) {
        const char *from = sov_arena_printf(r->arena, "%s%s", SOV_LEDGER_FILE, tails[i]);
        struct sov_file_facts facts;

        if (!sov_file_facts(&r->home, from, &facts, err)) return false;
        if (facts.type == SOV_FILE_ABSENT) continue;
        r->done.kept = name;
        if (!r->restore->dry &&
            !sov_file_move(&r->home, from, sov_arena_printf(r->arena, "%s%s", name, tails[i]), err))
            return false;
    }
    return true;
}

/* The name makes it a ledger: where that is there, it may stand, whatever the disk said. */
static bool fail_name(struct restoring *r, struct sov_error *err)
{
    const struct sov_error disk = *err;
    struct sov_error ignored;
    struct sov_file_facts facts;

    if (disk.exit != SOV_UNABLE || (sov_file_facts(&r->home, SOV_LEDGER_FILE, &facts, &ignored) &&
                                    facts.type == SOV_FILE_ABSENT))
        return false;
    sov_error_set(err, SOV_UNABLE, "commit_unknown", "seq %lld may stand or not: %s",
                  (long long)r->done.seq, disk.what);
    err->seq = r->done.seq;
    return false;
}

/* ---- the place ---- */

static bool leftovers_remove(const struct sov_folder *home, bool dry, size_t *removed_out,
                             struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_listing names;

    *removed_out = 0;
    sov_arena_init(&arena, 16 << 20);
    if (!sov_folder_names(home, "", NAMES_MAX, &arena, &names, err)) return false;
    for (size_t i = 0; i < names.count; i++) {
        struct sov_file_facts facts;

        if (!sov_file_is_leftover(names.name[i])) continue;
        if (!sov_file_facts(home, names.name[i], &facts, err)) return false;
        if (facts.type != SOV_FILE_FOLDER) continue;
        ++*removed_out;
        if (!dry && !sov_folder_remove(home, names.name[i], err)) return false;
    }
    return true;
}

/* In this order wherever both are taken. */
static bool locks_take(const struct sov_folder *home, struct sov_lock *first,
                       struct sov_lock *writers, int64_t wait_ms, struct sov_error *err)
{
    return sov_lock_take(first, home, "founding", wait_ms, err) &&
           sov_lock_take(writers, home, "lock", wait_ms, err);
}

bool sov_restore_tidy(const struct sov_places *places, bool dry, size_t *removed_out,
                      struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    SOV_CLEANUP(sov_lock_release) struct sov_lock first = { 0 }, writers = { 0 };

    if (!sov_folder_open(&home, places->home, err) ||
        !leftovers_remove(&home, true, removed_out, err))
        return false;
    if (!*removed_out || dry) return true;
    return locks_take(&home, &first, &writers, WAIT_MS, err) &&
           leftovers_remove(&home, false, removed_out, err);
}

/* *absent_out: there was no home, and there is one now. Somebody else may have made it. */
static bool prepare(struct restoring *r, int64_t wait_ms, bool *absent_out, struct sov_error *err)
{
    static const char ignore[] = "*\n";
    bool absent = false, made;

    *absent_out = false;
    if (sov_folder_open(&r->home, r->places->home, err)) {
        if (r->restore->dry) return true;
        sov_folder_close(&r->home);
    } else if (err->exit != SOV_ABSENT) {
        return false;
    } else if (r->restore->dry) {
        return true;
    } else {
        absent = true;
    }
    if (!sov_folder_make_named(r->places->home, 0700, err) ||
        !sov_folder_open(&r->home, r->places->home, err) ||
        !locks_take(&r->home, &r->first, &r->writers, wait_ms, err) ||
        !sov_file_provide(&r->home, ".gitignore", 0600, sov_bytes(ignore, sizeof ignore - 1), &made,
                          err))
        return false;
    *absent_out = absent;
    return true;
}

/* Once more, under the locks: of two that restore, one comes second. */
static bool still_lost(struct restoring *r, int64_t wait_ms, enum sov_lost *lost_out,
                       struct sov_error *err)
{
    struct sov_hash mark, id;
    bool mirror, named;

    if (!sov_mirror_find(r->places, &mark, &mirror, err)) return false;
    if (mirror) return sov_fail(err, SOV_DENIED, "is_mirror", "%s is a mirror", r->places->home);
    if (!sov_ledger_lost(r->places, r->seams, wait_ms, r->restore->dry, lost_out, &id, &named, err))
        return false;
    if (*lost_out == SOV_LOST_NOTHING)
        return sov_fail(err, SOV_CONFLICT, "not_lost", "%s holds a ledger that can be read",
                        r->places->home);
    return !named || sov_hash_equal(&id, &r->identity.id) ||
           sov_fail(err, SOV_INTEGRITY, "fork", "the damaged file is of another ledger");
}

/* Without it nothing can be recorded, and what is not recorded is not restored. */
static bool has_key(struct restoring *r, struct sov_error *err)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
    char hex[SOV_HEX_HASH + 1];

    if (sov_keyfile_load_ledger(r->restore->source, &secret, err)) return true;
    if (strcmp(err->code, "no_key") != 0) return false;
    sov_hex(sov_hash_bytes(&r->identity.id), hex);
    return sov_fail(err, SOV_ABSENT, "no_key",
                    "the ledger key is not at hand; without it there can be a mirror: "
                    "sov init --mirror %s",
                    hex);
}

/* A WAL goes by a checkpoint when the file is closed, which tells nobody when it fails: what is
 * left in it would not come along. An empty one may stand. */
static bool is_whole(struct restoring *r, struct sov_error *err)
{
    const char *wal =
        sov_arena_printf(r->arena, "%s/%s-wal", r->staging.temporary, SOV_LEDGER_FILE);
    struct sov_file_facts facts;

    if (!sov_file_facts(&r->staging.above, wal, &facts, err)) return false;
    return facts.type == SOV_FILE_ABSENT || (facts.type == SOV_FILE_REGULAR && !facts.size) ||
           sov_fail(err, SOV_UNABLE, "io_error", "%s/%s could not be emptied into its file",
                    r->places->home, wal);
}

/* From here on something may stand under the ledger's name. */
static bool name(struct restoring *r, struct sov_error *err)
{
    if (!is_whole(r, err) || !keep_aside(r, err)) return false;
    r->made_home = false;
    return sov_staging_give(&r->staging, SOV_LEDGER_FILE, SOV_LEDGER_FILE, r->arena, err) ||
           fail_name(r, err);
}

static bool make(struct restoring *r, int64_t wait_ms, struct sov_error *err)
{
    const char *place = sov_arena_printf(r->arena, "%s/%s", r->places->home, SOV_LEDGER_FILE);
    enum sov_lost lost;
    size_t removed;
    bool absent;

    if (!prepare(r, wait_ms, &absent, err) || !still_lost(r, wait_ms, &lost, err)) return false;
    r->made_home = absent && lost == SOV_LOST_FILE;
    if (r->restore->dry) return fill(r, "", err) && (!r->home.open || keep_aside(r, err));
    return leftovers_remove(&r->home, false, &removed, err) &&
           sov_staging_begin(&r->staging, place, r->arena, err) &&
           fill(r, sov_arena_printf(r->arena, "%s/%s", r->staging.path, SOV_LEDGER_FILE), err) &&
           name(r, err);
}

bool sov_ledger_restore(const struct sov_places *places, const struct sov_restore *restore,
                        const struct sov_seams *seams, int64_t wait_ms, struct sov_arena *arena,
                        struct sov_restored *restored_out, struct sov_error *err)
{
    SOV_CLEANUP(restoring_end)
    struct restoring r = { .places = places, .restore = restore, .seams = seams, .arena = arena };

    sov_ledger_identity(restore->source, &r.identity);
    if (!has_key(&r, err) ||
        !sov_pin_read(restore->pins, &r.identity.id, arena, &r.pin, &r.pinned, err) ||
        !make(&r, wait_ms, err))
        return false;
    *restored_out = r.done;
    return true;
}
