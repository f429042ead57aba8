#ifndef SOV_TESTS_RUN_UNIT_H
#define SOV_TESTS_RUN_UNIT_H
/* The store of model.md 14 after a sale: two teas left, an outcome, a SOW that asks for more, and
 * ASG-1 for the operator. */
#include "tests/policy_unit.h"

#include <stdlib.h>

#include "tests/ledger_fixture.h"

enum { STORE_STOCK = 2, STORE_CASH = 10800 };

static inline void store_adopt(struct fixture *f, const char *document)
{
    struct sov_error why = { 0 };
    struct sov_buf canonical, statement;
    struct sov_signed_by by;
    struct sov_hash digest;
    struct sov_done done;

    sov_buf_init(&canonical, 1 << 20);
    sov_buf_init(&statement, 1 << 16);
    if (!sov_json_canonical(sov_bytes_text(document), &sov_scan_report, &canonical, &why))
        fail_msg("%s", why.what);
    digest = sov_sha256(sov_buf_bytes(&canonical));
    sov_policy_statement(f->ledger, &digest, &statement);
    if (!sov_statement_sign(f->ledger, "principal", NULL, "sov.adopt.v1", sov_buf_bytes(&statement),
                            &by, &why))
        fail_msg("%s", why.what);
    FIXTURE_DO(f, "principal", &done,
               sov_policy_adopt(&commit, sov_buf_bytes(&canonical), "the store", &by, &done, &err));
    sov_buf_release(&canonical);
    sov_buf_release(&statement);
}

static inline void store_account(struct fixture *f, const char *name, const char *unit,
                                 int64_t opening)
{
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done, sov_account_open(&commit, name, unit, opening, &done, &err));
}

static inline void store_assign(struct fixture *f, int64_t sow)
{
    struct sov_assignment_request request = { sow, "operator", NULL };
    struct sov_done done;

    FIXTURE_DO(f, "master", &done, sov_assignment_create(&commit, &request, &done, &err));
}

static inline void store_outcome(struct fixture *f)
{
    struct sov_outcome_request outcome = {
        .title = "Tea is in stock",
        .desired_state = "never below the reorder point",
        .subject = "SKU-TEA",
        .checks = sov_bytes_text("[{\"id\":\"there\",\"kind\":\"effect-present\",\"params\":"
                                 "{\"kind\":\"replenishment\"}}]"),
    };
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done, sov_outcome_define(&commit, &outcome, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_outcome_activate(&commit, 1, &done, &err));
}

static inline void store_work(struct fixture *f)
{
    static const char *const files[] = { "report.json" };
    struct sov_sow_request sow = {
        .outcome = 1,
        .title = "Restock",
        .scope = "Order tea",
        .role = "operator",
        .done_when = "the report is there",
        .effect = "replenishment",
        .effect_required = true,
        .deliverables = files,
        .deliverable_count = 1,
    };
    struct sov_done done;

    FIXTURE_DO(f, "master", &done, sov_sow_create(&commit, &sow, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_sow_ready(&commit, 1, &done, &err));
    store_assign(f, 1);
}

/* Everything but a SOW. */
static inline void store_found(struct fixture *f)
{
    static const struct sov_fact facts[] = { { "price", 400 },
                                             { "reorder_point", 3 },
                                             { "unit_cost", 120 } };
    struct sov_done done;

    fixture_open(f);
    store_adopt(f, STORE);
    FIXTURE_DO(f, "principal", &done,
               sov_subject_declare(&commit, "SKU-TEA", facts, 3, &done, &err));
    store_account(f, "inventory/SKU-TEA", "unit", STORE_STOCK);
    store_account(f, "reserved/SKU-TEA", "unit", 0);
    store_account(f, "cash", "cent", STORE_CASH);
    store_outcome(f);
}

static inline void store_open(struct fixture *f)
{
    store_found(f);
    store_work(f);
}

static inline int64_t store_balance(struct fixture *f, const char *name)
{
    struct sov_account account = { 0 };
    struct sov_error err = { 0 };
    bool found = false;

    assert_true(sov_account_find(f->ledger, name, &f->arena, &account, &found, &err) && found);
    return account.balance;
}

static inline void store_assert_untouched(struct fixture *f)
{
    struct sov_effects effects = { 0 };
    struct sov_error err = { 0 };

    assert_int_equal(store_balance(f, "cash"), STORE_CASH);
    assert_int_equal(store_balance(f, "inventory/SKU-TEA"), STORE_STOCK);
    assert_true(sov_effect_list(f->ledger, 0, &f->arena, &effects, &err));
    assert_int_equal(effects.count, 0);
}

static inline struct sov_who store_who(void)
{
    return (struct sov_who){ .machine = "0123456789abcdef0123456789abcdef",
                             .boot = "00000000-0000-4000-8000-000000000001",
                             .boot_ms = 1000000,
                             .pid = 7,
                             .start = 70 };
}

static inline int64_t store_claim(struct fixture *f, int64_t assignment)
{
    struct sov_who who = store_who();
    struct sov_done done;
    int64_t fence = 0;

    who.boot_ms = f->now.boot_ms;
    FIXTURE_DO(f, "operator", &done,
               sov_claim_acquire(&commit, assignment, 0, &who, &fence, &done, &err));
    return fence;
}

static inline struct sov_assignment store_assignment(struct fixture *f, int64_t n)
{
    struct sov_assignment row = { 0 };
    struct sov_error err = { 0 };

    assert_true(sov_assignment_get(f->ledger, n, &f->arena, &row, &err));
    return row;
}

static inline struct sov_sow store_sow(struct fixture *f, int64_t n)
{
    struct sov_sow row = { 0 };
    struct sov_error err = { 0 };

    assert_true(sov_sow_get(f->ledger, n, &f->arena, &row, &err));
    return row;
}

static inline struct sov_receipts store_receipts(struct fixture *f)
{
    struct sov_receipts rows = { 0 };
    struct sov_error err = { 0 };

    assert_true(sov_receipt_list(f->ledger, 0, &f->arena, &rows, &err));
    return rows;
}

/* The types of the events from `first` to the head. */
static inline void store_assert_events(struct fixture *f, int64_t first, const char *types)
{
    int64_t head = fixture_head(f);
    struct sov_error err = { 0 };
    char seen[1024] = "";

    for (int64_t seq = first; seq <= head; seq++) {
        struct sov_event event;
        size_t size = strlen(seen);

        assert_true(sov_log_event(f->ledger, seq, &f->arena, &event, &err));
        snprintf(seen + size, sizeof seen - size, "%s%s", size ? " " : "",
                 sov_event_row(event.type)->type);
    }
    assert_string_equal(seen, types);
}
#endif
