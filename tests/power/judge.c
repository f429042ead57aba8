#include "tests/power/judge.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "ledger/handle.h"
#include "tests/power/vfs.h"
#include "verify/verify.h"

static const char ledger_path[] = "repo/.sovereign/" SOV_LEDGER_FILE;
static const char journal_path[] = "repo/.sovereign/" SOV_LEDGER_FILE "-journal";

/* ---- a reader that shares no code with the writer but SHA-256 and the engine ---- */

static sqlite3 *reader_open(void)
{
    sqlite3 *lib = NULL;

    if (sqlite3_open_v2("/" SOV_LEDGER_FILE, &lib, SQLITE_OPEN_READWRITE, POWER_VFS) == SQLITE_OK)
        return lib;
    sqlite3_close(lib);
    return NULL;
}

static struct sov_hash join(const struct sov_hash *left, const struct sov_hash *right)
{
    uint8_t octets[1 + 2 * SOV_HASH_SIZE] = { 1 };

    memcpy(octets + 1, left->octets, SOV_HASH_SIZE);
    memcpy(octets + 1 + SOV_HASH_SIZE, right->octets, SOV_HASH_SIZE);
    return sov_sha256(sov_bytes(octets, sizeof octets));
}

/* RFC 6962, as it is written there. */
static struct sov_hash tree_root(const struct sov_hash *leaf, size_t count)
{
    struct sov_hash left, right;
    size_t k = 1;

    if (count == 0) return sov_sha256(sov_bytes("", 0));
    if (count == 1) return *leaf;
    while (2 * k < count) k *= 2;
    left = tree_root(leaf, k);
    right = tree_root(leaf + k, count - k);
    return join(&left, &right);
}

struct seen {
    struct sov_hash *octets, *leaf; /* of the events by seq */
    size_t count;
    int64_t size; /* of the newest checkpoint */
    struct sov_hash root;
    char integrity[100];
};

static void seen_release(struct seen *seen)
{
    sov_free(seen->octets);
    sov_free(seen->leaf);
}

static bool see_event(sqlite3_stmt *stmt, struct seen *seen)
{
    static const uint8_t zero;
    struct sov_bytes octets =
        sov_bytes(sqlite3_column_blob(stmt, 2), (size_t)sqlite3_column_bytes(stmt, 2));
    const struct sov_bytes parts[] = { sov_bytes(&zero, 1), octets };
    struct sov_hash leaf = sov_sha256_parts(parts, 2);

    if (sqlite3_column_int64(stmt, 0) != (int64_t)seen->count + 1 ||
        sqlite3_column_bytes(stmt, 1) != SOV_HASH_SIZE ||
        memcmp(sqlite3_column_blob(stmt, 1), leaf.octets, SOV_HASH_SIZE) != 0)
        return false;
    if (seen->count % 256 == 0) {
        size_t room = (seen->count + 256) * sizeof leaf;

        seen->octets = sov_alloc_grow(seen->octets, room);
        seen->leaf = sov_alloc_grow(seen->leaf, room);
    }
    seen->octets[seen->count] = sov_sha256(octets);
    seen->leaf[seen->count++] = leaf;
    return true;
}

/* One statement; `row` is called for each row. */
static bool ask(sqlite3 *lib, const char *sql, bool (*row)(sqlite3_stmt *stmt, struct seen *seen),
                struct seen *seen)
{
    sqlite3_stmt *stmt = NULL;
    bool ok = sqlite3_prepare_v2(lib, sql, -1, &stmt, NULL) == SQLITE_OK;
    int step = SQLITE_DONE;

    while (ok && (step = sqlite3_step(stmt)) == SQLITE_ROW) ok = row(stmt, seen);
    sqlite3_finalize(stmt);
    return ok && step == SQLITE_DONE;
}

static bool see_integrity(sqlite3_stmt *stmt, struct seen *seen)
{
    snprintf(seen->integrity, sizeof seen->integrity, "%s", sqlite3_column_text(stmt, 0));
    return true;
}

static bool see_checkpoint(sqlite3_stmt *stmt, struct seen *seen)
{
    seen->size = sqlite3_column_int64(stmt, 0);
    if (sqlite3_column_bytes(stmt, 1) != SOV_HASH_SIZE) return false;
    memcpy(seen->root.octets, sqlite3_column_blob(stmt, 1), SOV_HASH_SIZE);
    return true;
}

static bool see_all(struct seen *seen)
{
    sqlite3 *lib = reader_open();
    bool ok = lib && ask(lib, "PRAGMA integrity_check(1)", see_integrity, seen) &&
              ask(lib, "SELECT seq, hash, octets FROM event ORDER BY seq", see_event, seen) &&
              ask(lib, "SELECT size, root FROM checkpoint ORDER BY size DESC LIMIT 1",
                  see_checkpoint, seen);

    sqlite3_close(lib);
    return ok;
}

static const char *read_whole(const struct judge *judge, int64_t *head_out)
{
    struct seen seen = { 0 };
    const char *why = NULL;
    struct sov_hash root;

    if (!see_all(&seen))
        why = "it cannot be read, or events are not in line";
    else if (strcmp(seen.integrity, "ok") != 0)
        why = "its integrity check fails";
    else if (seen.count > judge->promised_count)
        why = "it has events that nobody appended";
    else if (seen.count &&
             memcmp(seen.octets, judge->promised, seen.count * sizeof *seen.octets) != 0)
        why = "an event has other octets";
    else if (seen.size != (int64_t)seen.count)
        why = "the newest checkpoint is not at the head";
    root = tree_root(seen.leaf, seen.count);
    if (!why && seen.count && !sov_hash_equal(&root, &seen.root))
        why = "the newest checkpoint has another root";
    *head_out = (int64_t)seen.count;
    seen_release(&seen);
    return why;
}

/* ---- the product ---- */

static void files_of(const struct left *left, struct vfs_files *files)
{
    static const char *const paths[] = { ledger_path, journal_path };

    for (size_t i = 0; i < 2; i++) {
        const struct left_file *file = left_find(left, paths[i]);

        if (file)
            image_copy(vfs_make(files, strrchr(paths[i], '/') + 1),
                       (struct image *)(uintptr_t)&file->image);
    }
}

/* What is left, opened by `open`, which heals it: the octets that it comes to. */
static bool heal(const struct judge *judge, const struct left *left,
                 bool (*open)(const struct judge *judge, struct sov_error *err),
                 struct vfs_files *files, struct sov_fingerprint *print_out, struct sov_error *err)
{
    struct image *image;

    vfs_release(files);
    files_of(left, files);
    if (!open(judge, err)) return false;
    image = vfs_find(files, SOV_LEDGER_FILE);
    *print_out = image_print(image);
    return true;
}

static bool open_bare(const struct judge *judge, struct sov_error *err)
{
    sqlite3 *lib = reader_open();
    int rc = lib ? sqlite3_exec(lib, "BEGIN IMMEDIATE; ROLLBACK", NULL, NULL, NULL) : SQLITE_ERROR;

    (void)judge;
    sqlite3_close(lib);
    return rc == SQLITE_OK ? true : sov_fail(err, SOV_UNABLE, "io_error", "sqlite %d", rc);
}

static bool open_product(const struct judge *judge, struct sov_error *err)
{
    SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;
    struct sov_db_options options = sov_ledger_db_options(SOV_DB_WRITE, &judge->seams, 0);
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };

    sov_arena_init(&arena, 4096);
    return sov_db_open(sov_arena_printf(&arena, "%s/" SOV_LEDGER_FILE, judge->places.home),
                       &options, &db, err);
}

static bool verified(const struct judge *judge, char *why_out, size_t room)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_verify_options options = {
        .places = &judge->places, .seams = &judge->seams, .no_anchor = true, .all_signatures = true
    };
    struct sov_report report = { 0 };
    struct sov_error err = { 0 };

    sov_arena_init(&arena, (size_t)1 << 30);
    if (!sov_verify(&options, &arena, &report, &err)) {
        snprintf(why_out, room, "verify: %.100s", err.what);
        return false;
    }
    if (report.exit == SOV_OK) return true;
    snprintf(why_out, room, "verify: %s %.100s",
             report.count ? sov_class_word(report.findings[0].class) : "unable",
             report.count ? report.findings[0].message : "");
    return false;
}

static bool appends(const struct judge *judge, int64_t head, struct sov_error *err)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *ledger = NULL;
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    const struct sov_act act = { .actor = "operator", .expect_seq = -1, .expect_version = -1 };
    const struct sov_signal_request request = {
        .kind = "power.back", .source = "judge", .subject = "it", .dedupe_key = "afterwards"
    };
    struct sov_done done;
    int64_t seq;

    if (!sov_ledger_open(&judge->places, SOV_LEDGER_WRITE, &judge->seams, 0, &ledger, err) ||
        !sov_commit_begin(&commit, ledger, &act, err) ||
        !sov_signal_record(&commit, &request, &done, err) || !sov_commit_finish(&commit, &seq, err))
        return false;
    return seq > head ? true : sov_fail(err, SOV_UNABLE, "io_error", "nothing was appended");
}

static void judge_healed(const struct judge *judge, struct verdict *verdict)
{
    struct sov_error err = { 0 };
    int64_t head = 0;
    const char *why = read_whole(judge, &head);

    verdict->head = head;
    if (why)
        snprintf(verdict->why, sizeof verdict->why, "%s (%lld events)", why, (long long)head);
    else if (!appends(judge, head, &err))
        snprintf(verdict->why, sizeof verdict->why, "no append comes in: %.60s: %.60s", err.code,
                 err.what);
    else
        (void)verified(judge, verdict->why, sizeof verdict->why);
    if (verdict->why[0]) verdict->head = -1;
}

static const struct verdict *verdict_find(const struct judge *judge, struct sov_fingerprint print)
{
    for (size_t i = judge->verdict_count; i--;)
        if (sov_fingerprint_equal(judge->verdict[i].print, print)) return &judge->verdict[i];
    return NULL;
}

static const struct verdict *verdict_make(struct judge *judge, struct sov_fingerprint print)
{
    struct verdict *verdict;

    if (judge->verdict_count == judge->verdict_room) {
        judge->verdict_room = judge->verdict_room ? 2 * judge->verdict_room : 64;
        judge->verdict =
            sov_alloc_grow(judge->verdict, judge->verdict_room * sizeof *judge->verdict);
    }
    verdict = &judge->verdict[judge->verdict_count++];
    *verdict = (struct verdict){ .print = print };
    judge_healed(judge, verdict);
    judge->judged++;
    return verdict;
}

/* Rolling back takes the engine a moment; our own door sets and reads back all it needs first. So
 * it is asked each so many times, and whenever what came out is new. */
static const struct verdict *verdict_of(struct judge *judge, const struct left *left,
                                        struct vfs_files *files, struct sov_error *err)
{
    struct sov_fingerprint bare, own;
    const struct verdict *verdict;

    if (judge->healed++ % judge->every != 0) {
        if (!heal(judge, left, open_bare, files, &bare, err)) return NULL;
        verdict = verdict_find(judge, bare);
        if (verdict) return verdict;
    }
    judge->opened++;
    if (!heal(judge, left, open_product, files, &own, err)) return NULL;
    verdict = verdict_find(judge, own);
    return verdict ? verdict : verdict_make(judge, own);
}

int64_t judge_ledger(struct judge *judge, const struct left *left, char *why_out, size_t room)
{
    struct sov_error err = { 0 };
    struct vfs_files files = { 0 };
    const struct verdict *verdict;

    *why_out = 0;
    if (!left_find(left, ledger_path)) return 0;
    vfs_use(&files);
    verdict = verdict_of(judge, left, &files, &err);
    vfs_release(&files);
    snprintf(why_out, room, "%s", verdict ? verdict->why : err.what);
    return verdict ? verdict->head : -1;
}

/* ---- the judge ---- */

void judge_open(struct judge *judge, const char *root)
{
    static const char keys[] = "home/.local/share/sov/keys";
    size_t size = strlen(root) + sizeof ledger_path + sizeof keys;
    char *home = sov_alloc(size), *kept = sov_alloc(size);

    snprintf(home, size, "%s/repo/.sovereign", root);
    snprintf(kept, size, "%s/%s", root, keys);
    *judge = (struct judge){ .places = { home, kept } };
    judge->seams = (struct sov_seams){ .clock = sov_clock_system(),
                                       .random = sov_random_system(),
                                       .vfs = POWER_VFS };
}

void judge_close(struct judge *judge)
{
    sov_free((void *)(uintptr_t)judge->places.home);
    sov_free((void *)(uintptr_t)judge->places.keys);
    sov_free(judge->promised);
    sov_free(judge->verdict);
    *judge = (struct judge){ 0 };
}

void judge_promise(struct judge *judge, const struct left *left)
{
    struct vfs_files files = { 0 };
    struct seen seen = { 0 };

    files_of(left, &files);
    vfs_use(&files);
    if (vfs_find(&files, SOV_LEDGER_FILE) && !see_all(&seen)) abort();
    vfs_release(&files);
    sov_free(judge->promised);
    judge->promised = seen.octets;
    judge->promised_count = seen.count;
    sov_free(seen.leaf);
}
