#include "tests/ledger_fixture.h"

#include <assert.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

static bool clock_read(void *self, struct sov_now *now_out, struct sov_error *err)
{
    (void)err;
    *now_out = ((struct fixture *)self)->now;
    return true;
}

/* splitmix64: any stream will do that is the same in each run. */
static bool chance_fill(void *self, uint8_t *octets, size_t size, struct sov_error *err)
{
    struct fixture *f = self;

    (void)err;
    for (size_t i = 0; i < size; i++) {
        uint64_t z = f->chance += UINT64_C(0x9e3779b97f4a7c15);

        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        octets[i] = (uint8_t)(z ^ z >> 31);
    }
    return true;
}

static void expect(bool ok, const struct sov_error *err)
{
    if (ok) return;
    fprintf(stderr, "fixture: %s: %s\n", err->code, err->what);
    abort();
}

void fixture_open(struct fixture *f)
{
    fixture_open_by_chance(f, 0);
}

void fixture_open_by_chance(struct fixture *f, uint64_t chance)
{
    struct sov_founding founding = { .name = "The store" };
    struct sov_founded founded;
    struct sov_error err = { 0 };

    memset(f, 0, sizeof *f);
    f->chance = chance;
    snprintf(f->root, sizeof f->root, "/tmp/sov-test-XXXXXX");
    if (!mkdtemp(f->root)) abort();
    snprintf(f->repo, sizeof f->repo, "%s/repo", f->root);
    snprintf(f->home, sizeof f->home, "%s/repo/.sovereign", f->root);
    snprintf(f->keys, sizeof f->keys, "%s/keys", f->root);
    if (mkdir(f->repo, 0755) != 0) abort();
    f->places = (struct sov_places){ f->home, f->keys };
    f->now.wall.ms = INT64_C(1767225600000); /* 2026-01-01 */
    f->now.boot_ms = 1000000;
    snprintf(f->now.boot, sizeof f->now.boot, "00000000-0000-4000-8000-000000000001");
    snprintf(f->now.machine, sizeof f->now.machine, "0123456789abcdef0123456789abcdef");
    f->seams = (struct sov_seams){ .clock = { f, clock_read }, .random = { f, chance_fill } };
    sov_arena_init(&f->arena, 256 << 20);
    expect(sov_organization_found(&f->places, &founding, &f->seams, &f->arena, &founded, &err),
           &err);
    fixture_reopen(f);
}

void fixture_reopen(struct fixture *f)
{
    struct sov_error err = { 0 };

    sov_ledger_close(f->ledger);
    f->ledger = NULL;
    expect(sov_ledger_open(&f->places, SOV_LEDGER_WRITE, &f->seams, 5000, &f->ledger, &err), &err);
}

static int unlink_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

void fixture_close(struct fixture *f)
{
    sov_ledger_close(f->ledger);
    sov_arena_release(&f->arena);
    nftw(f->root, unlink_one, 16, FTW_DEPTH | FTW_PHYS);
}

void fixture_tick(struct fixture *f, int64_t ms)
{
    f->now.wall.ms += ms;
    f->now.boot_ms += ms;
}

struct sov_act fixture_act(const char *actor)
{
    return (struct sov_act){ .actor = actor, .expect_seq = -1, .expect_version = -1 };
}

int64_t fixture_head(struct fixture *f)
{
    struct sov_error err = { 0 };
    int64_t seq = 0;

    expect(sov_ledger_head(f->ledger, &seq, &err), &err);
    return seq;
}

/* ---- digests, by a connection that shares no code with the product ---- */

static void hash_rows(sqlite3 *db, const char *table, struct sov_sha256 *hash)
{
    char sql[256];
    sqlite3_stmt *stmt;

    snprintf(sql, sizeof sql, "SELECT * FROM %s", table); /* in the order of its key */
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK) abort();
    sov_sha256_add(hash, sov_bytes_text(table));
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(stmt); i++) {
            uint8_t kind = (uint8_t)sqlite3_column_type(stmt, i);
            const void *data = sqlite3_column_blob(stmt, i);
            int size = sqlite3_column_bytes(stmt, i);

            sov_sha256_add(hash, sov_bytes(&kind, 1));
            sov_sha256_add(hash, sov_bytes(&size, sizeof size));
            if (size) sov_sha256_add(hash, sov_bytes(data, (size_t)size));
        }
    }
    sqlite3_finalize(stmt);
}

static struct sov_hash hash_tables(const char *path, const char *like)
{
    struct sov_sha256 hash;
    sqlite3_stmt *stmt;
    sqlite3 *db;

    sov_sha256_begin(&hash);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) abort();
    if (sqlite3_prepare_v2(db,
                           "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE ?1 "
                           "ORDER BY name",
                           -1, &stmt, NULL) != SQLITE_OK)
        abort();
    sqlite3_bind_text(stmt, 1, like, -1, SQLITE_STATIC);
    while (sqlite3_step(stmt) == SQLITE_ROW)
        hash_rows(db, (const char *)sqlite3_column_text(stmt, 0), &hash);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return sov_sha256_end(&hash);
}

/* In a child: closing a descriptor of the file here would drop the locks of the open handle. */
static struct sov_hash apart(const char *path, const char *like)
{
    struct sov_hash hash;
    int pipes[2];
    pid_t pid;

    if (pipe(pipes) != 0) abort();
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        hash = hash_tables(path, like);
        if (write(pipes[1], &hash, sizeof hash) != sizeof hash) abort();
        _exit(0);
    }
    close(pipes[1]);
    if (pid < 0 || read(pipes[0], &hash, sizeof hash) != sizeof hash) abort();
    close(pipes[0]);
    /* A run counts the children of its process, and would take this one for the tree's. */
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
    return hash;
}

struct sov_hash fixture_digest(struct fixture *f)
{
    char path[128];

    snprintf(path, sizeof path, "%s/organization.db", f->home);
    return apart(path, "%");
}

void fixture_assert_refold_equal(struct fixture *f)
{
    char path[128];
    struct sov_error err = { 0 };
    struct sov_hash before, after;
    int64_t events;

    snprintf(path, sizeof path, "%s/organization.db", f->home);
    before = apart(path, "state_%");
    expect(sov_ledger_rebuild(f->ledger, &events, &err), &err);
    after = apart(path, "state_%");
    if (!sov_hash_equal(&before, &after)) {
        fprintf(stderr, "incremental and rebuilt state differ\n");
        abort();
    }
}
