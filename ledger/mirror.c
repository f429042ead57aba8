/* The mark of a mirror, and what may not be done under it. */
#include "ledger/mirror.h"

#include "base/place.h"
#include "ledger/handle.h"
#include "ledger/log.h"

enum { MARK_SIZE = SOV_HEX_HASH + 1 };
static const char mark_name[] = "mirror", ignore[] = "*\n";

bool sov_mirror_find(const struct sov_places *places, struct sov_hash *id_out, bool *found_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_file_facts facts;
    struct sov_bytes mark;

    *found_out = false;
    if (!sov_folder_open(&home, places->home, err)) return err->exit == SOV_ABSENT;
    if (!sov_file_facts(&home, mark_name, &facts, err)) return false;
    if (facts.type == SOV_FILE_ABSENT) return true;
    sov_arena_init(&arena, 4096);
    if (!sov_file_read(&home, mark_name, MARK_SIZE, &arena, &mark, err)) return false;
    if (mark.size != MARK_SIZE || mark.data[SOV_HEX_HASH] != '\n' ||
        !sov_unhex(sov_bytes(mark.data, SOV_HEX_HASH), id_out->octets, SOV_HASH_SIZE))
        return sov_fail(err, SOV_INTEGRITY, "corrupt", "%s/%s names no ledger", places->home,
                        mark_name);
    *found_out = true;
    return true;
}

static bool put_mark(const struct sov_places *places, const struct sov_hash *id,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    char mark[MARK_SIZE + 1];
    bool made;

    sov_hex(sov_hash_bytes(id), mark);
    mark[SOV_HEX_HASH] = '\n';
    return sov_folder_make_named(places->home, 0700, err) &&
           sov_folder_open(&home, places->home, err) &&
           sov_file_provide(&home, ".gitignore", 0600, sov_bytes(ignore, sizeof ignore - 1), &made,
                            err) &&
           sov_file_create(&home, mark_name, 0600, sov_bytes(mark, MARK_SIZE), err);
}

bool sov_mirror_make(const struct sov_places *places, const struct sov_hash *id, bool dry,
                     bool *made_out, struct sov_error *err)
{
    struct sov_hash other;
    bool there, marked;

    if (!sov_mirror_find(places, &other, &marked, err) || !sov_ledger_there(places, &there, err))
        return false;
    if (marked && sov_hash_equal(&other, id)) {
        *made_out = false;
        return true;
    }
    if (marked || there)
        return sov_fail(err, SOV_CONFLICT, "exists", "%s holds %s already", places->home,
                        marked ? "a mirror of another ledger" : "a ledger");
    if (!dry && !put_mark(places, id, err)) return false;
    *made_out = true;
    return true;
}

bool sov_ledger_is_mirror(const struct sov_ledger *ledger)
{
    return ledger->mirror;
}
