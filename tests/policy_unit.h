#ifndef SOV_TESTS_POLICY_UNIT_H
#define SOV_TESTS_POLICY_UNIT_H
/* What the tests of policy/ share: an arena, the store's policy, and how a refusal is asked for. */
#include "base/json.h"
#include "policy/policy.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* The sections besides effects and wake, as the default has them. */
#define DOCUMENT(effects, wake)                                                                    \
    "{\"acceptance\":{\"persons\":1,\"robots\":[],\"signers\":1},\"effects\":[" effects "],"       \
    "\"limits\":{\"assignments_per_sow\":4,\"attempts_per_assignment\":3,"                         \
    "\"deliverable_bytes\":67108864,\"live_attempts_per_actor\":1,\"open_sows\":16,"               \
    "\"pulse_signals\":256,\"receipt_bytes\":268435456,\"signal_horizon\":2592000,"                \
    "\"supervise_acts\":1000},\"review\":{\"count\":1,\"persons\":0},"                             \
    "\"roles\":{\"master\":[\"plan\",\"steer\",\"assign\",\"request\"],"                           \
    "\"operator\":[\"work\",\"request\"],\"principal\":[\"administer\",\"define\",\"steer\","      \
    "\"close\",\"accept\",\"rule\",\"waive\",\"approve\"],\"sparring\":[\"review\",\"rule\"],"     \
    "\"verifier\":[\"verify\"]},\"separation\":{\"answerable_required\":false},"                   \
    "\"ttl\":{\"attempt\":900,\"defer\":300,\"grace\":5,\"heartbeat_interval\":30,"                \
    "\"heartbeat_stale\":900,\"max\":14400,\"max_skew\":300},\"wake\":[" wake "]}"

/* model.md 8 and 14. */
#define REPLENISHMENT                                                                              \
    "{\"kind\":\"replenishment\",\"origin\":\"assignment\",\"subject\":\"SKU-*\","                 \
    "\"unit\":\"unit\",\"quantity\":{\"min\":1,\"max\":50},\"postings\":["                         \
    "{\"account\":\"inventory/{subject}\",\"sign\":1,\"factors\":[\"quantity\"]},"                 \
    "{\"account\":\"cash\",\"sign\":-1,\"factors\":[\"quantity\",\"unit_cost\"]}],"                \
    "\"constraints\":[{\"terms\":[[\"cash\",1]],\"op\":\">=\",\"value\":0}],"                      \
    "\"emits\":[{\"kind\":\"inventory.changed\",\"then\":\"warning\",\"else\":\"resolved\","       \
    "\"when\":[{\"terms\":[[\"inventory/{subject}\",1],[\"reserved/{subject}\",-1]],"              \
    "\"op\":\"<\",\"value\":\"reorder_point\"}]}]}"
#define SALE                                                                                       \
    "{\"kind\":\"sale\",\"origin\":\"external\",\"subject\":\"SKU-*\",\"unit\":\"unit\","          \
    "\"quantity\":{\"min\":1,\"max\":50},\"postings\":["                                           \
    "{\"account\":\"inventory/{subject}\",\"sign\":-1,\"factors\":[\"quantity\"]},"                \
    "{\"account\":\"cash\",\"sign\":1,\"factors\":[\"quantity\",\"price\"]}],"                     \
    "\"constraints\":[{\"terms\":[[\"inventory/{subject}\",1],[\"reserved/{subject}\",-1]],"       \
    "\"op\":\">=\",\"value\":0}],"                                                                 \
    "\"emits\":[{\"kind\":\"inventory.changed\",\"then\":\"warning\",\"else\":\"info\","           \
    "\"when\":[{\"terms\":[[\"inventory/{subject}\",1],[\"reserved/{subject}\",-1]],"              \
    "\"op\":\"<\",\"value\":\"reorder_point\"}]}]}"
#define RESTOCK                                                                                    \
    "{\"id\":\"restock-low\",\"priority\":10,\"enabled\":true,"                                    \
    "\"on\":{\"kind\":\"inventory.changed\",\"sources\":[\"sale\"],\"severities\":[\"warning\"]}," \
    "\"subject\":\"SKU-*\",\"when\":[{\"terms\":[[\"inventory/{subject}\",1],"                     \
    "[\"reserved/{subject}\",-1]],\"op\":\"<\",\"value\":\"reorder_point\"}],"                     \
    "\"planner\":\"master\",\"worker\":\"operator\",\"reopen\":true,"                              \
    "\"sow\":{\"title\":\"Restock {subject}\",\"scope\":\"Order {subject} for {signal}.\","        \
    "\"effect\":{\"kind\":\"replenishment\",\"required\":true},"                                   \
    "\"deliverables\":[\"report.json\"],\"non_goals\":[\"Do not change prices.\"],"                \
    "\"done_when\":\"The stock is at the reorder point.\"}}"
#define STORE DOCUMENT(SALE "," REPLENISHMENT, RESTOCK)

static inline bool policy_read(const char *text, struct sov_arena *arena,
                               const struct sov_policy **policy_out, struct sov_error *err)
{
    struct sov_buf canonical;
    bool ok;

    sov_buf_init(&canonical, 1 << 20);
    ok = sov_json_canonical(sov_bytes_text(text), &sov_scan_report, &canonical, err) &&
         sov_policy_parse(sov_buf_bytes(&canonical), arena, policy_out, err);
    sov_buf_release(&canonical);
    return ok;
}

static inline const struct sov_policy *policy_of(const char *text, struct sov_arena *arena)
{
    const struct sov_policy *policy = NULL;
    struct sov_error err = { 0 };

    if (!policy_read(text, arena, &policy, &err)) fail_msg("%s: %s", err.code, err.what);
    return policy;
}

/* One arena a test. */
static inline int arena_setup(void **state)
{
    static const size_t size_max = 8 << 20;
    struct sov_arena *arena = test_malloc(sizeof *arena);

    sov_arena_init(arena, size_max);
    *state = arena;
    return 0;
}

static inline int arena_teardown(void **state)
{
    sov_arena_release(*state);
    test_free(*state);
    return 0;
}

/* Each refusal also has its row, with the same class. */
static inline void assert_refused(bool ok, const struct sov_error *err, const char *code)
{
    const struct sov_refusal *row;

    if (ok) fail_msg("not refused, %s was due", code);
    assert_string_equal(err->code, code);
    row = sov_refusal_find(code);
    assert_non_null(row);
    assert_int_equal(row->exit, err->exit);
}

#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, arena_setup, arena_teardown)
#endif
