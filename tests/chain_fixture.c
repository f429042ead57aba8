#include "tests/chain_fixture.h"

#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/handle.h"

#define CHAINS "fixtures/chains"
static struct sov_bytes read_file(struct chain *c, const char *name, const char *suffix)
{
    char path[256];
    FILE *file;
    long size;
    char *text;

    snprintf(path, sizeof path, CHAINS "/%s%s", name, suffix);
    file = fopen(path, "rb");
    if (!file) fail_msg("%s is not there", path);
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    text = sov_arena_take(&c->f.arena, (size_t)size + 1);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return sov_bytes(text, (size_t)size);
}

static bool next_line(struct sov_bytes *rest, struct sov_bytes *line_out)
{
    const uint8_t *end = rest->size ? memchr(rest->data, '\n', rest->size) : NULL;
    size_t size;

    if (!end) return false;
    size = (size_t)(end - rest->data);
    *line_out = sov_bytes(rest->data, size);
    *rest = sov_bytes(rest->data + size + 1, rest->size - size - 1);
    return true;
}

sqlite3 *chain_raw(struct chain *c)
{
    char path[160];
    sqlite3 *db;

    sov_ledger_close(c->f.ledger);
    c->f.ledger = NULL;
    snprintf(path, sizeof path, "%s/organization.db", c->f.home);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_exec(db, "PRAGMA ignore_check_constraints = 1; PRAGMA synchronous = OFF", NULL, NULL,
                 NULL);
    return db;
}

void chain_sql(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

static sqlite3_stmt *prepared(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt;

    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    return stmt;
}

static void step(sqlite3_stmt *stmt)
{
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
    sqlite3_reset(stmt);
}

static void put_event(sqlite3_stmt *stmt, int64_t seq, struct sov_bytes octets)
{
    struct sov_hash hash = sov_leaf_hash(octets);
    struct sov_error ignored = { 0 };
    struct sov_event event = { 0 };
    char text[SOV_RESOURCE_SIZE];

    sqlite3_bind_int64(stmt, 1, seq);
    sqlite3_bind_blob(stmt, 2, hash.octets, SOV_HASH_SIZE, SQLITE_TRANSIENT);
    sqlite3_bind_blob(stmt, 3, octets.data, (int)octets.size, SQLITE_TRANSIENT);
    sqlite3_bind_null(stmt, 4);
    sqlite3_bind_null(stmt, 5);
    if (sov_event_decode(octets, &event, &ignored) && event.fence) {
        struct sov_stream resource = sov_event_resource(&event);

        if (resource.n) {
            sov_stream_resource(&resource, text);
            sqlite3_bind_text(stmt, 4, text, -1, SQLITE_TRANSIENT);
        }
        sqlite3_bind_int64(stmt, 5, event.fence);
    }
    step(stmt);
}

/* The note of one size, signed with the key of the good log. */
static void put_checkpoint(struct chain *c, sqlite3_stmt *stmt, const struct sov_range *range)
{
    struct sov_bytes file = read_file(c, c->good, ".test-key");
    struct sov_checkpoint checkpoint = { .size = range->size, .root = sov_range_root(range) };
    struct sov_note_key key;
    struct sov_secret *secret = NULL;
    struct sov_signature signature;
    struct sov_error err = { 0 };
    struct sov_buf text;
    uint8_t seed[SOV_SEED_SIZE];

    assert_true(file.size > 2 * SOV_SEED_SIZE);
    assert_true(
        sov_unhex(sov_bytes(file.data + file.size - 1 - 2 * SOV_SEED_SIZE, 2 * SOV_SEED_SIZE), seed,
                  SOV_SEED_SIZE));
    assert_true(sov_secret_load(sov_bytes(seed, SOV_SEED_SIZE), &secret, &err));
    sov_origin_write("The store", &c->id, checkpoint.origin, sizeof checkpoint.origin);
    memcpy(key.name, checkpoint.origin, sizeof key.name);
    key.key = sov_secret_public(secret);
    sov_buf_init(&text, SOV_NOTE_SIZE_MAX);
    sov_checkpoint_text(&checkpoint, &text);
    signature = sov_sign(secret, sov_buf_bytes(&text));
    sqlite3_bind_int64(stmt, 1, (int64_t)range->size);
    sqlite3_bind_blob(stmt, 2, checkpoint.root.octets, SOV_HASH_SIZE, SQLITE_TRANSIENT);
    sqlite3_bind_int64(stmt, 3, sov_note_key_id(&key));
    sqlite3_bind_blob(stmt, 4, signature.octets, SOV_SIGNATURE_SIZE, SQLITE_TRANSIENT);
    step(stmt);
    sov_buf_release(&text);
    sov_secret_close(secret);
}

static void put_blobs(struct chain *c, sqlite3 *db)
{
    sqlite3_stmt *stmt =
        prepared(db, "INSERT INTO blob (n, digest, salt, size, media_type, content)"
                     " VALUES (?, ?, ?, ?, ?, ?)");
    struct sov_bytes rest = read_file(c, c->good, ".blobs"), line;

    for (int64_t n = 1; next_line(&rest, &line); n++) {
        char *text = (char *)sov_arena_text(&c->f.arena, line), *save = NULL;
        char *digest = strtok_r(text, " ", &save), *salt = strtok_r(NULL, " ", &save);
        char *size = strtok_r(NULL, " ", &save), *media = strtok_r(NULL, " ", &save);
        char *hex = strtok_r(NULL, " ", &save);
        size_t octets = hex ? strlen(hex) / 2 : 0;
        uint8_t hash[32], pepper[32], *content = sov_arena_take(&c->f.arena, octets + 1);

        assert_true(media && sov_unhex(sov_bytes_text(digest), hash, sizeof hash));
        if (octets) assert_true(sov_unhex(sov_bytes_text(hex), content, octets));
        sqlite3_bind_int64(stmt, 1, n);
        sqlite3_bind_blob(stmt, 2, hash, sizeof hash, SQLITE_TRANSIENT);
        sqlite3_bind_null(stmt, 3);
        if (*salt != '-') {
            assert_true(sov_unhex(sov_bytes_text(salt), pepper, sizeof pepper));
            sqlite3_bind_blob(stmt, 3, pepper, sizeof pepper, SQLITE_TRANSIENT);
        }
        sqlite3_bind_int64(stmt, 4, atoll(size));
        sqlite3_bind_text(stmt, 5, media, -1, SQLITE_TRANSIENT);
        sqlite3_bind_blob(stmt, 6, content, (int)octets, SQLITE_TRANSIENT);
        step(stmt);
    }
    sqlite3_finalize(stmt);
}

static bool is_commit(const struct chain *c, int64_t size)
{
    for (size_t i = 0; i < c->commit_count; i++)
        if (c->commits[i] == size) return true;
    return size == c->count;
}

/* The first `count` lines as a ledger of their own; its derived tables are still another's. */
void chain_write(struct chain *c, int64_t count)
{
    sqlite3 *db = chain_raw(c);
    sqlite3_stmt *event, *checkpoint;
    struct sov_range range = { 0 };

    chain_sql(db, "BEGIN; DELETE FROM event; DELETE FROM checkpoint; DELETE FROM blob");
    event = prepared(db, "INSERT INTO event (seq, hash, octets, resource, fence)"
                         " VALUES (?, ?, ?, ?, ?)");
    checkpoint = prepared(db, "INSERT INTO checkpoint (size, root, key, signature)"
                              " VALUES (?, ?, ?, ?)");
    for (int64_t seq = 1; seq <= count; seq++) {
        struct sov_hash leaf = sov_leaf_hash(c->lines[seq - 1]);

        put_event(event, seq, c->lines[seq - 1]);
        sov_range_append(&range, &leaf);
        if (seq == count || is_commit(c, seq)) put_checkpoint(c, checkpoint, &range);
    }
    put_blobs(c, db);
    chain_sql(db, "COMMIT");
    sqlite3_finalize(event);
    sqlite3_finalize(checkpoint);
    sqlite3_close(db);
}

void chain_open(struct chain *c, const char *name, const char *good)
{
    struct sov_bytes rest, line;

    memset(c, 0, sizeof *c);
    fixture_open(&c->f);
    c->good = good;
    rest = read_file(c, name, ".jsonl");
    while (next_line(&rest, &line)) {
        assert_true(c->count < LINES && line.size < LINE);
        c->lines[c->count++] = line;
    }
    rest = read_file(c, good, ".commits");
    while (next_line(&rest, &line))
        c->commits[c->commit_count++] = atoll(sov_arena_text(&c->f.arena, line));
    assert_true(c->count > 1 && c->commit_count > 1);
    c->id = sov_sha256(c->lines[0]);
}

bool chain_rebuilt(struct chain *c, struct sov_error *err)
{
    int64_t events = 0;

    return sov_ledger_open(&c->f.places, SOV_LEDGER_WRITE, &c->f.seams, 1000, &c->f.ledger, err) &&
           sov_ledger_rebuild(c->f.ledger, &events, err);
}
