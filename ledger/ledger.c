/* The handle: open, close, who the ledger is, where its head is. */
#include "ledger/ledger.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "ledger/handle.h"
#include "ledger/log.h"
#include "ledger/log.sql.h"
#include "ledger/row.h"
#include "migrations/generated.h"

enum { HANDLE_ARENA_MAX = 16 << 20, BULK_CACHE_KIB = 65536, READ_CACHE_KIB = 8192 };

static const char *const frozen[] = { "event", "blob", "checkpoint", NULL };
static const char *const erasable[] = { "blob.content", "blob.salt", NULL };
static const struct sov_db_law law = { frozen, erasable, sov_row_form, sov_row_fits };

struct sov_db_options sov_ledger_db_options(enum sov_db_mode mode, const struct sov_seams *seams,
                                            int64_t wait_ms)
{
    return (struct sov_db_options){
        .mode = mode,
        .vfs = mode == SOV_DB_MEMORY ? NULL : seams->vfs,
        .busy_ms = wait_ms,
        /* A writer fills many pages before its one sync; a reader goes through once. */
        .page_cache_kib = mode == SOV_DB_READ ? READ_CACHE_KIB : BULK_CACHE_KIB,
        .law = mode == SOV_DB_MEMORY ? NULL : &law,
        .migrations = sov_migrations,
        .migration_count = sizeof sov_migrations / sizeof *sov_migrations,
    };
}

struct sov_ledger *sov_ledger_new(const struct sov_places *places, const struct sov_seams *seams,
                                  int64_t wait_ms, bool writes)
{
    struct sov_ledger *ledger = sov_alloc(sizeof *ledger);

    ledger->seams = *seams;
    ledger->wait_ms = wait_ms;
    ledger->writes = writes;
    ledger->data_version = -1;
    sov_arena_init(&ledger->arena, HANDLE_ARENA_MAX);
    sov_arena_init(&ledger->policy_arena, HANDLE_ARENA_MAX);
    sov_arena_init(&ledger->fold_arena, HANDLE_ARENA_MAX);
    ledger->keys_path = sov_arena_printf(&ledger->arena, "%s", places->keys);
    return ledger;
}

void sov_ledger_close(struct sov_ledger *ledger)
{
    if (!ledger) return;
    sov_txn_end(&ledger->txn);
    if (ledger->state != ledger->db) sov_db_close(ledger->state);
    if (!ledger->borrowed) sov_db_close(ledger->db);
    sov_secret_close(ledger->secret);
    sov_folder_close(&ledger->home);
    sov_arena_release(&ledger->arena);
    sov_arena_release(&ledger->policy_arena);
    sov_arena_release(&ledger->fold_arena);
    sov_versions_release(&ledger->versions);
    sov_free(ledger);
}

void sov_ledger_end(struct sov_ledger **ledger)
{
    sov_ledger_close(*ledger);
    *ledger = NULL;
}

bool sov_ledger_there(const struct sov_places *places, bool *there_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    struct sov_file_facts facts;

    if (!sov_folder_open(&home, places->home, err)) {
        if (err->exit != SOV_ABSENT) return false;
        *there_out = false;
        return true;
    }
    if (!sov_file_facts(&home, SOV_LEDGER_FILE, &facts, err)) return false;
    *there_out = facts.type != SOV_FILE_ABSENT;
    return true;
}

static bool connect(struct sov_ledger *ledger, const struct sov_places *places,
                    enum sov_ledger_mode mode, struct sov_error *err)
{
    static const enum sov_db_mode modes[] = { SOV_DB_READ, SOV_DB_WRITE, SOV_DB_TRY };
    struct sov_db_options options =
        sov_ledger_db_options(modes[mode], &ledger->seams, ledger->wait_ms);
    const char *path = sov_arena_printf(&ledger->arena, "%s/%s", places->home, SOV_LEDGER_FILE);
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
    struct sov_hash mark;
    bool there;

    if (!sov_ledger_there(places, &there, err)) return false;
    if (!there) {
        sov_error_set(err, SOV_ABSENT, "no_ledger", "there is no ledger in %s", places->home);
        return false;
    }
    if (!sov_folder_open(&ledger->home, places->home, err) ||
        !sov_mirror_find(places, &mark, &ledger->mirror, err))
        return false;
    if (!sov_db_open(path, &options, &ledger->db, err)) return false;
    ledger->state = ledger->db;
    /* One moment for all of it: each statement by itself would lock the file once more. */
    if (!sov_txn_look(&txn, ledger->db, err)) return false;
    /* A writer stops before it believes anything that a changed schema shows. */
    if (mode != SOV_LEDGER_READ && !sov_schema_check(ledger, err)) return false;
    return sov_ledger_identify(ledger, err);
}

bool sov_ledger_open(const struct sov_places *places, enum sov_ledger_mode mode,
                     const struct sov_seams *seams, int64_t wait_ms, struct sov_ledger **ledger_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_ledger_end)
    struct sov_ledger *ledger = sov_ledger_new(places, seams, wait_ms, mode != SOV_LEDGER_READ);

    ledger->tries = mode == SOV_LEDGER_TRY;
    if (!connect(ledger, places, mode, err)) return false;
    *ledger_out = ledger;
    ledger = NULL;
    return true;
}

void sov_origin_write(const char *name, const struct sov_hash *id, char *origin_out, size_t room)
{
    char hex[SOV_HEX_HASH + 1], slug[64];
    size_t size = 0;

    for (const char *at = name; *at && size < sizeof slug - 1; at++) {
        char c = *at >= 'A' && *at <= 'Z' ? (char)(*at + ('a' - 'A')) : *at;
        bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');

        if (plain)
            slug[size++] = c;
        else if (size && slug[size - 1] != '-')
            slug[size++] = '-';
    }
    while (size && slug[size - 1] == '-') size--;
    slug[size] = 0;
    sov_hex(sov_hash_bytes(id), hex);
    snprintf(origin_out, room, "%s/%s", size ? slug : "organization", hex);
}

/* From event 1 itself, the root of trust, and from no derived table. */
bool sov_ledger_identify(struct sov_ledger *ledger, struct sov_error *err)
{
    struct sov_identity identity;
    struct sov_event event;
    int64_t head;

    if (!sov_log_event(ledger, 1, &ledger->arena, &event, err)) {
        if (err->exit != SOV_ABSENT || !sov_ledger_head(ledger, &head, err)) return false;
        return head ? sov_fail(err, SOV_INTEGRITY, "event_invalid", "event 1 is missing")
                    : sov_fail(err, SOV_INTEGRITY, "corrupt", "the file holds no founded ledger");
    }
    if (!sov_identity_read(event.octets, &ledger->arena, &identity, err)) return false;
    ledger->id = identity.id;
    ledger->name = identity.name;
    ledger->public_key = identity.key;
    memcpy(ledger->origin, identity.origin, strlen(identity.origin) + 1);
    ledger->founded = true;
    return true;
}

void sov_ledger_identity(const struct sov_ledger *ledger, struct sov_identity *identity_out)
{
    assert(ledger->founded);
    *identity_out =
        (struct sov_identity){ ledger->id, ledger->name, ledger->origin, ledger->public_key };
}

bool sov_ledger_head(const struct sov_ledger *ledger, int64_t *seq_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (ledger->size_limit) {
        *seq_out = ledger->size_limit;
        return true;
    }
    if (!sov_stmt_open(&stmt, ledger->db, event_head_sql, err)) return false;
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *seq_out = found ? sov_column_int(&stmt, 0) : 0;
    return true;
}

int64_t sov_ledger_committed(const struct sov_ledger *ledger)
{
    return ledger->committed;
}

int64_t sov_ledger_in_doubt(const struct sov_ledger *ledger)
{
    return ledger->in_doubt;
}

void sov_ledger_known_head(const struct sov_ledger *ledger, int64_t *seq_out,
                           struct sov_hash *root_out)
{
    assert(ledger->head.range.size);
    *seq_out = (int64_t)ledger->head.range.size;
    *root_out = ledger->head.root;
}

bool sov_ledger_hold(const struct sov_ledger *ledger, struct sov_txn *txn, struct sov_error *err)
{
    return sov_txn_look(txn, ledger->db, err);
}

struct sov_db *sov_ledger_file(const struct sov_ledger *ledger)
{
    return ledger->db;
}

struct sov_db *sov_ledger_tables(const struct sov_ledger *ledger)
{
    return ledger->state;
}

bool sov_ledger_place(const struct sov_ledger *ledger, const struct sov_folder **home_out)
{
    *home_out = &ledger->home;
    return ledger->home.open;
}
