#ifndef SOV_TESTS_ARROWS_UNIT_H
#define SOV_TESTS_ARROWS_UNIT_H
/* Forged events folded directly into rows that a test puts there: which of them lead where. */
#include "tests/unit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ledger/handle.h"
#include "ledger/log.h"

#define DIGEST "\"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\""
#define BLOB "x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'"

struct box {
    struct sov_db *db;
    struct sov_txn txn; /* never committed */
    struct sov_arena arena;
    enum sov_stream_kind claimed; /* what claim events are on */
};

static inline int setup(void **state)
{
    static const struct sov_seams seams = { { NULL, NULL }, { NULL, NULL }, NULL };
    struct sov_db_options options = sov_ledger_db_options(SOV_DB_MEMORY, &seams, 0);
    struct box *box = calloc(1, sizeof *box);
    struct sov_error err = { 0 };

    options.law = NULL;
    sov_arena_init(&box->arena, 64 << 20);
    box->claimed = SOV_STREAM_ASSIGNMENT;
    if (!sov_db_open(":memory:", &options, &box->db, &err)) fail_msg("%s", err.what);
    assert_true(sov_txn_begin(&box->txn, box->db, &err));
    *state = box;
    return 0;
}

static inline int teardown(void **state)
{
    struct box *box = *state;

    sov_txn_end(&box->txn);
    sov_db_close(box->db);
    sov_arena_release(&box->arena);
    free(box);
    return 0;
}

static inline void sql(struct box *box, const char *text)
{
    struct sov_error err = { 0 };

    if (!sov_db_exec(box->db, text, &err)) fail_msg("%s: %s", text, err.what);
}

static inline void state_of(struct box *box, const char *query, char state_out[64])
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_error err = { 0 };
    bool found;

    assert_true(sov_stmt_open(&stmt, box->db, query, &err));
    assert_true(sov_stmt_row(&stmt, &found, &err));
    snprintf(state_out, 64, "%s", "NONE");
    if (found)
        snprintf(state_out, 64, "%.*s", (int)sov_column_text(&stmt, 0).size,
                 (const char *)sov_column_text(&stmt, 0).data);
}

struct forged {
    enum sov_event_type type;
    const char *data;
    int64_t fence; /* 0: none */
};

/* Of a claim event, whose stream can be of several kinds: that of the box. */
static inline enum sov_stream_kind stream_of(const struct box *box, enum sov_event_type type)
{
    enum sov_stream_kind kind = sov_event_row(type)->stream;

    return kind == SOV_STREAM_CLAIMABLE ? box->claimed : kind;
}

/* The event as it would stand in a log, seq 9, in the first stream of its kind. */
static inline bool fold(struct box *box, const struct forged *forged, struct sov_error *err)
{
    struct sov_event_draft draft = { .seq = 9,
                                     .sv = 2,
                                     .type = forged->type,
                                     .fence = forged->fence,
                                     .at = { 1767225600000 },
                                     .actor = sov_bytes_text("operator"),
                                     .data = sov_bytes_text(forged->data) };
    struct sov_fold into = { .db = box->db, .arena = &box->arena };
    struct sov_event event;
    struct sov_buf octets;
    bool ok;

    draft.stream = sov_stream_numbered(stream_of(box, forged->type), 1);
    sov_buf_init(&octets, 1 << 16);
    if (!sov_event_encode(&draft, &octets, &event, err)) fail_msg("%s", err->what);
    if (!sov_event_decode(sov_buf_bytes(&octets), &event, err))
        fail_msg("%s %s: %s", sov_event_row(forged->type)->type, forged->data, err->what);
    if (draft.stream.kind == SOV_STREAM_OUTCOME)
        ok = sov_outcome_fold(&into, &event, err);
    else if (draft.stream.kind == SOV_STREAM_SOW)
        ok = sov_sow_fold(&into, &event, err);
    else if (strncmp(sov_event_row(forged->type)->type, "claim.", 6) == 0)
        ok = sov_claim_fold(&into, &event, err);
    else if (draft.stream.kind == SOV_STREAM_MESSAGE)
        ok = sov_message_fold(&into, &event, err);
    else if (draft.stream.kind == SOV_STREAM_INSTANCE)
        ok = sov_instance_fold(&into, &event, err);
    else if (draft.stream.kind == SOV_STREAM_SESSION)
        ok = sov_session_fold(&into, &event, err);
    else if (draft.stream.kind == SOV_STREAM_DELIVERY)
        ok = sov_delivery_fold(&into, &event, err);
    else if (draft.stream.kind == SOV_STREAM_APPROVAL)
        ok = sov_approval_fold(&into, &event, err);
    else
        ok = sov_assignment_fold(&into, &event, err);
    sov_buf_release(&octets);
    return ok;
}

/* Folds each event in one state and compares with the rows "FROM event TO,". */
static inline void try_all(struct box *box, const char *from, const char *prepare,
                           const char *query, const struct forged *events, size_t count,
                           const char *arrows)
{
    char before[64], state[64], row[160], start[128];

    for (size_t i = 0; i < count; i++) {
        struct sov_error err = { 0 };
        const char *word = sov_event_row(events[i].type)->type;
        bool ok, due;

        sql(box, "SAVEPOINT arrow");
        if (*prepare) sql(box, prepare);
        state_of(box, query, before);
        ok = fold(box, &events[i], &err);
        state_of(box, query, state);
        snprintf(start, sizeof start, "%s %s ", from, word);
        snprintf(row, sizeof row, "%s %s %s,", from, word, state);
        due = ok ? strstr(arrows, row) != NULL : strstr(arrows, start) == NULL;
        if (!due) fail_msg("%s: folded %d (%s)", row, ok, err.what);
        if (!ok) assert_string_equal(err.code, "event_invalid");
        if (!ok) assert_string_equal(before, state);
        sql(box, "ROLLBACK TO arrow");
        sql(box, "RELEASE arrow");
    }
}

#define WHO "\"who\":{\"boot\":\"b\",\"boot_ms\":1,\"machine\":\"m\",\"pid\":1,\"start\":1}"
#endif
