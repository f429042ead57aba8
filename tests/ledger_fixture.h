#ifndef SOV_TESTS_LEDGER_FIXTURE_H
#define SOV_TESTS_LEDGER_FIXTURE_H
/*
 * A founded ledger in a temporary folder, with a clock and a random source that the test sets.
 * Everything of it is gone after fixture_close.
 */
#include "ledger/ledger.h"

struct fixture {
    char root[64]; /* temporary folder: repo/.sovereign, keys */
    char home[96], keys[96], repo[96];
    struct sov_places places;
    struct sov_seams seams;
    struct sov_now now; /* what the clock answers; the test moves it */
    uint64_t chance;    /* state of the random source */
    struct sov_arena arena;
    struct sov_ledger *ledger; /* open for writing */
};
void fixture_open(struct fixture *f); /* asserts on any failure */
void fixture_open_by_chance(struct fixture *f, uint64_t chance); /* another ledger each */
void fixture_close(struct fixture *f);
void fixture_reopen(struct fixture *f);           /* closes and opens the handle */
void fixture_tick(struct fixture *f, int64_t ms); /* wall and boot clock go on together */

/* Who acts, with nothing expected. */
struct sov_act fixture_act(const char *actor);
int64_t fixture_head(struct fixture *f);
/* SHA-256 over every row of every table: equal before and after a refusal. */
struct sov_hash fixture_digest(struct fixture *f);
/* Rebuilds and compares: incremental equals rebuilt state. */
void fixture_assert_refold_equal(struct fixture *f);

/*
 * Runs one operation in a commit of its own:
 *   FIXTURE_DO(&f, "principal", done, sov_account_open(&commit, "cash", "cent", 0, &done, &err));
 * and one that must be refused with this code, changing nothing:
 *   FIXTURE_REFUSED(&f, "operator", "not_authorised", done, sov_account_open(...));
 */
#define FIXTURE_DO(f, who, done, operation)                                                        \
    do {                                                                                           \
        struct sov_error err = { 0 };                                                              \
        struct sov_commit commit = { 0 };                                                          \
        struct sov_act act = fixture_act(who);                                                     \
        int64_t fixture_seq = 0;                                                                   \
        bool fixture_ok = sov_commit_begin(&commit, (f)->ledger, &act, &err) && (operation) &&     \
                          sov_commit_finish(&commit, &fixture_seq, &err);                          \
        sov_commit_end(&commit);                                                                   \
        if (!fixture_ok) fail_msg("%s: %s", err.code, err.what);                                   \
        (void)(done);                                                                              \
    } while (0)
#define FIXTURE_REFUSED(f, who, expected, done, operation)                                         \
    do {                                                                                           \
        struct sov_error err = { 0 };                                                              \
        struct sov_commit commit = { 0 };                                                          \
        struct sov_act act = fixture_act(who);                                                     \
        struct sov_hash fixture_before = fixture_digest(f), fixture_after;                         \
        int64_t fixture_seq = 0;                                                                   \
        bool fixture_ok = sov_commit_begin(&commit, (f)->ledger, &act, &err) && (operation) &&     \
                          sov_commit_finish(&commit, &fixture_seq, &err);                          \
        sov_commit_end(&commit);                                                                   \
        if (fixture_ok) fail_msg("not refused, expected %s", expected);                            \
        assert_string_equal(err.code, expected);                                                   \
        fixture_after = fixture_digest(f);                                                         \
        assert_memory_equal(&fixture_before, &fixture_after, sizeof fixture_before);               \
        (void)(done);                                                                              \
    } while (0)
#endif
