#include "tests/power/grow.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/db_inside.h"
#include "base/env.h"
#include "ledger/ledger.h"

struct growing {
    struct sov_ledger *ledger;
    uint64_t drawn;
    int64_t number; /* of the signal: names differ */
};

static uint64_t draw(struct growing *g, uint64_t below)
{
    uint64_t n = g->drawn += UINT64_C(0x9e3779b97f4a7c15);

    n = (n ^ n >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    n = (n ^ n >> 27) * UINT64_C(0x94d049bb133111eb);
    return (n ^ n >> 31) % below;
}

/* A name somewhere in the order of all names, so that pages split in their middle. */
static void name(struct growing *g, char *text_out, size_t room)
{
    size_t size = 8 + (size_t)draw(g, 50);

    for (size_t i = 0; i < size && i < room - 1; i++) text_out[i] = (char)('a' + (char)draw(g, 26));
    text_out[size < room ? size : room - 1] = 0;
}

static bool signal_one(struct growing *g, struct sov_commit *commit, struct sov_error *err)
{
    static const size_t most[] = { 0, 0, 0, 900, 900, 5000, 5000, 60000 };
    size_t size = most[draw(g, sizeof most / sizeof *most)];
    char key[80], source[80];
    uint8_t *payload = NULL;
    struct sov_signal_request request = { .kind = "power.grow", .source = source, .subject = "it" };
    struct sov_done done;
    bool ok;

    name(g, source, sizeof source);
    name(g, key, sizeof key);
    request.dedupe_key = key;
    if (size) {
        size = 1 + (size_t)draw(g, size);
        payload = sov_alloc(size);
        for (size_t i = 0; i < size; i++) payload[i] = (uint8_t)draw(g, 256);
        request.payload = sov_bytes(payload, size);
    }
    ok = sov_signal_record(commit, &request, &done, err);
    sov_free(payload);
    return ok;
}

static bool commit_one(struct growing *g, struct sov_error *err)
{
    static const unsigned most[] = { 1, 1, 2, 8, 40 };
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    const struct sov_act act = { .actor = "operator", .expect_seq = -1, .expect_version = -1 };
    uint64_t count = 1 + draw(g, most[draw(g, sizeof most / sizeof *most)]);
    int64_t seq;
    char line[64];
    int size;

    if (!sov_commit_begin(&commit, g->ledger, &act, err)) return false;
    for (uint64_t i = 0; i < count; i++)
        if (!signal_one(g, &commit, err)) return false;
    if (!sov_commit_finish(&commit, &seq, err)) return false;
    size = snprintf(line, sizeof line, "grown (seq %lld)\n", (long long)seq);
    return write(STDOUT_FILENO, line, (size_t)size) == size;
}

/* Half of them with room for a few pages only. */
static bool shape(struct growing *g, const char *pragma, struct sov_error *err)
{
    static const char *const cache[] = { NULL, "PRAGMA cache_size = 12", NULL,
                                         "PRAGMA cache_size = 40" };
    struct sov_db *db = sov_ledger_file(g->ledger);
    const char *small = cache[draw(g, sizeof cache / sizeof *cache)];

    return (!small || sov_db_exec_all(db, small, err)) &&
           (!pragma || sov_db_exec_all(db, pragma, err));
}

/* What was set is what is tried: "set persist 2". */
static bool say_settings(struct growing *g, struct sov_error *err)
{
    struct sov_db *db = sov_ledger_file(g->ledger);
    char journal[16], synchronous[16], line[64];
    int size;

    if (!sov_db_ask(db, "PRAGMA main.journal_mode", journal, sizeof journal, err) ||
        !sov_db_ask(db, "PRAGMA main.synchronous", synchronous, sizeof synchronous, err))
        return false;
    size = snprintf(line, sizeof line, "set %s %s\n", journal, synchronous);
    return write(STDOUT_FILENO, line, (size_t)size) == size;
}

static bool run(struct growing *g, const struct grow *grow, struct sov_error *err)
{
    if (!shape(g, grow->pragma, err) || !say_settings(g, err)) return false;
    for (int i = 0; i < grow->commits; i++)
        if (!commit_one(g, err)) return false;
    return true;
}

int grow(const struct grow *grow)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *ledger = NULL;
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_seams seams = { .clock = sov_clock_system(), .random = sov_random_system() };
    struct growing g = { .drawn = grow->seed };
    struct sov_error err = { 0 };
    struct sov_places places;

    sov_arena_init(&arena, 4096);
    places.home = sov_arena_printf(&arena, "%s/.sovereign", sov_env("PWD"));
    places.keys = sov_arena_printf(&arena, "%s/.local/share/sov/keys", sov_env("HOME"));
    if (sov_ledger_open(&places, SOV_LEDGER_WRITE, &seams, 5000, &ledger, &err)) {
        g.ledger = ledger;
        if (run(&g, grow, &err)) return 0;
    }
    fprintf(stderr, "grow: %s: %s\n", err.code, err.what);
    return 1;
}
