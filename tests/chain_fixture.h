#ifndef SOV_TESTS_CHAIN_FIXTURE_H
#define SOV_TESTS_CHAIN_FIXTURE_H
/* The logs of fixtures/chains, written into a ledger file event by event, past every check. */
#include <sqlite3.h>

#include "tests/ledger_fixture.h"

enum { LINES = 256, LINE = 70000 };

struct chain {
    struct fixture f;
    struct sov_bytes lines[LINES];
    int64_t count, commits[LINES];
    size_t commit_count;
    struct sov_hash id;
    const char *good; /* the log that blobs, commits and key belong to */
};

/* Reads the log `name`; blobs, commits and key are those of the log `good`. */
void chain_open(struct chain *c, const char *name, const char *good);
/* The first `count` events, with the checkpoints of their commits; the ledger is closed. */
void chain_write(struct chain *c, int64_t count);
bool chain_rebuilt(struct chain *c, struct sov_error *err);
/* The file, with triggers and checks out of the way; the ledger is closed. */
sqlite3 *chain_raw(struct chain *c);
void chain_sql(sqlite3 *db, const char *sql);
#endif
