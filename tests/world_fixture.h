#ifndef SOV_TESTS_WORLD_FIXTURE_H
#define SOV_TESTS_WORLD_FIXTURE_H
/* The store of model.md 14 in a founded ledger: its policy, subject, accounts and outcome. */
#include "base/json.h"
#include "tests/ledger_fixture.h"
#include "tests/policy_unit.h"

#include <stdlib.h>

/* One operation under an act: NULL, or the code that it must be refused with, changing nothing. */
#define ACT(f, asked, refusal, operation)                                                          \
    do {                                                                                           \
        struct sov_error err = { 0 };                                                              \
        struct sov_commit commit = { 0 };                                                          \
        struct sov_act act_asked = (asked);                                                        \
        const char *due = (refusal);                                                               \
        struct sov_hash digest_before = { { 0 } }, digest_after;                                   \
        int64_t head_after = 0;                                                                    \
        bool ok;                                                                                   \
        if (due) digest_before = fixture_digest(f);                                                \
        ok = sov_commit_begin(&commit, (f)->ledger, &act_asked, &err) && (operation) &&            \
             sov_commit_finish(&commit, &head_after, &err);                                        \
        sov_commit_end(&commit);                                                                   \
        if (!due && !ok) fail_msg("%s: %s", err.code, err.what);                                   \
        if (due) {                                                                                 \
            assert_refused(ok, &err, due);                                                         \
            digest_after = fixture_digest(f);                                                      \
            assert_memory_equal(&digest_before, &digest_after, sizeof digest_before);              \
        }                                                                                          \
    } while (0)
#define BY(f, who, refusal, operation) ACT(f, fixture_act(who), refusal, operation)

static inline struct sov_act keyed(const char *who, const char *key)
{
    struct sov_act act = fixture_act(who);

    act.key = key;
    return act;
}

/* Adopts a policy as principal, signed. */
static inline void world_adopt(struct fixture *f, const char *document)
{
    struct sov_done done;
    struct sov_buf canonical, statement;
    struct sov_signed_by by;
    struct sov_error why = { 0 };
    struct sov_hash digest;

    sov_buf_init(&canonical, 1 << 20);
    sov_buf_init(&statement, 1 << 20);
    if (!sov_json_canonical(sov_bytes_text(document), &sov_scan_report, &canonical, &why))
        fail_msg("%s: %s", why.code, why.what);
    digest = sov_sha256(sov_buf_bytes(&canonical));
    sov_policy_statement(f->ledger, &digest, &statement);
    if (!sov_statement_sign(f->ledger, "principal", NULL, "sov.adopt.v1", sov_buf_bytes(&statement),
                            &by, &why))
        fail_msg("%s: %s", why.code, why.what);
    BY(f, "principal", NULL,
       sov_policy_adopt(&commit, sov_buf_bytes(&canonical), "the store", &by, &done, &err));
    sov_buf_release(&canonical);
    sov_buf_release(&statement);
}

static inline void world_subject(struct fixture *f, const char *id, int64_t cost, int64_t price,
                                 int64_t reorder)
{
    struct sov_fact facts[] = { { "unit_cost", cost },
                                { "price", price },
                                { "reorder_point", reorder } };
    struct sov_done done;

    BY(f, "principal", NULL, sov_subject_declare(&commit, id, facts, 3, &done, &err));
}

static inline void world_account(struct fixture *f, const char *name, const char *unit,
                                 int64_t opening)
{
    struct sov_done done;

    BY(f, "principal", NULL, sov_account_open(&commit, name, unit, opening, &done, &err));
}

/* SKU-TEA: 4 in stock, 10,000 in cash. */
static inline void world_store(struct fixture *f)
{
    world_adopt(f, STORE);
    world_subject(f, "SKU-TEA", 120, 400, 3);
    world_account(f, "inventory/SKU-TEA", "unit", 4);
    world_account(f, "reserved/SKU-TEA", "unit", 0);
    world_account(f, "cash", "cent", 10000);
}

static inline int64_t balance(struct fixture *f, const char *name)
{
    struct sov_account account;
    struct sov_error why = { 0 };

    if (!sov_account_get(f->ledger, name, &f->arena, &account, &why)) fail_msg("%s", why.what);
    return account.balance;
}

static inline int64_t world_sale(struct fixture *f, const char *subject, int64_t quantity)
{
    struct sov_change_request request = { "sale", subject, "till", quantity, NULL, NULL };
    struct sov_done done;

    BY(f, "operator", NULL, sov_change_record(&commit, &request, &done, &err));
    return sov_id_number(sov_bytes_text(done.id), SOV_STREAM_CHANGE);
}

static inline struct sov_signal signal_of(struct fixture *f, int64_t n)
{
    struct sov_signal signal;
    struct sov_error why = { 0 };

    if (!sov_signal_get(f->ledger, n, &f->arena, &signal, &why)) fail_msg("%s", why.what);
    return signal;
}

/* The types of the events after `from`, one space between. */
static inline const char *types_after(struct fixture *f, int64_t from)
{
    struct sov_error why = { 0 };
    struct sov_event event;
    char *text = sov_arena_take(&f->arena, 4096);
    int64_t head = fixture_head(f);

    for (int64_t seq = from + 1; seq <= head; seq++) {
        if (!sov_log_event(f->ledger, seq, &f->arena, &event, &why)) fail_msg("%s", why.what);
        if (*text) strncat(text, " ", 4095 - strlen(text));
        strncat(text, sov_event_row(event.type)->type, 4095 - strlen(text));
    }
    return text;
}

static inline int world_setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    fixture_open(f);
    world_store(f);
    *state = f;
    return 0;
}

static inline int world_teardown(void **state)
{
    struct fixture *f = *state;

    fixture_assert_refold_equal(f);
    fixture_close(f);
    free(f);
    return 0;
}
#define IN_STORE(test) cmocka_unit_test_setup_teardown(test, world_setup, world_teardown)
#endif
