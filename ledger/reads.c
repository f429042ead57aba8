/* The streams that a judgement reads, from the folded log alone. */
#include "ledger/reads.h"

#include <assert.h>
#include <stdlib.h>

#include "base/canonical.h"
#include "base/text.h"
#include "ledger/actor.h"
#include "ledger/row.h"
#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/reads.sql.h"
#include "ledger/sets.h"

enum { READS_OCTETS_MAX = 64 << 20 };

struct gathering {
    const struct sov_ledger *ledger;
    struct sov_arena *arena;
    struct sov_stream *at;
    size_t count;
};

static void add(struct gathering *g, struct sov_stream stream)
{
    g->at = sov_rows_room(g->arena, g->at, g->count, sizeof *g->at);
    g->at[g->count++] = stream;
}

static void add_named(struct gathering *g, enum sov_stream_kind kind, const char *name)
{
    add(g, sov_stream_named(kind, sov_bytes_text(name)));
}

static const char *spelled(const struct sov_stream *stream, struct sov_arena *arena)
{
    return sov_arena_printf(arena, "%s/%s", sov_stream_word(stream->kind),
                            sov_stream_id(stream, arena));
}

/* SOWs of the term, their assignments, receipts, effects, reviews; the verifications. */
static bool add_term(struct gathering *g, const struct sov_outcome *outcome, struct sov_error *err)
{
    static const enum sov_stream_kind kinds[] = { SOV_STREAM_SOW,     SOV_STREAM_ASSIGNMENT,
                                                  SOV_STREAM_RECEIPT, SOV_STREAM_EFFECT,
                                                  SOV_STREAM_REVIEW,  SOV_STREAM_VERIFICATION };
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, g->ledger->state, reads_of_term_sql, err)) return false;
    sov_bind_int(&stmt, 1, outcome->n);
    sov_bind_int(&stmt, 2, outcome->term);
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) return true;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (sov_bytes_is(sov_column_text(&stmt, 0), sov_stream_word(kinds[i])))
                add(g, sov_stream_numbered(kinds[i], sov_column_int(&stmt, 1)));
    }
}

static bool add_rulings_of(struct gathering *g, struct sov_stmt *stmt, struct sov_error *err)
{
    bool found;

    for (;;) {
        if (!sov_stmt_row(stmt, &found, err)) return false;
        if (!found) return true;
        add(g, sov_stream_numbered(SOV_STREAM_RULING, sov_column_int(stmt, 0)));
    }
}

/* Rulings on any of the streams gathered so far, and waivers of any of the receipts. */
static bool add_rulings(struct gathering *g, struct sov_error *err)
{
    for (size_t i = 0, end = g->count; i < end; i++) {
        SOV_CLEANUP(sov_stmt_close) struct sov_stmt on = { 0 };
        SOV_CLEANUP(sov_stmt_close) struct sov_stmt waiver = { 0 };

        if (!sov_stmt_open(&on, g->ledger->state, reads_rulings_on_sql, err)) return false;
        sov_bind_text(&on, 1, sov_bytes_text(spelled(&g->at[i], g->arena)));
        if (!add_rulings_of(g, &on, err)) return false;
        if (g->at[i].kind != SOV_STREAM_RECEIPT) continue;
        if (!sov_stmt_open(&waiver, g->ledger->state, reads_rulings_for_sql, err)) return false;
        sov_bind_int(&waiver, 1, g->at[i].n);
        if (!add_rulings_of(g, &waiver, err)) return false;
    }
    return true;
}

/* Accounts of the checks' terms, and the subject whose facts they may name. */
static void add_world(struct gathering *g, const struct sov_outcome *outcome)
{
    struct sov_error unread = { 0 };
    struct sov_checks checks;

    if (outcome->subject && sov_text_is_name(sov_bytes_text(outcome->subject)))
        add_named(g, SOV_STREAM_SUBJECT, outcome->subject);
    /* Checks that cannot be read name nothing; they fail when run. */
    if (!sov_checks_read(outcome->checks, g->arena, &checks, &unread)) return;
    for (size_t i = 0; i < checks.count; i++)
        for (size_t t = 0; t < checks.at[i].term_count; t++) {
            const char *account = checks.at[i].terms[t].account;

            if (outcome->subject)
                account = sov_policy_fill(account, outcome->subject, NULL, g->arena);
            add_named(g, SOV_STREAM_ACCOUNT, account);
        }
}

/* An actor, everybody along the way to who answers for it, and the keys of each. */
static bool add_actor(struct gathering *g, const char *id, struct sov_error *err)
{
    struct sov_actor actor = { .represents = id };
    bool found = true;

    for (unsigned steps = 0; found && actor.represents && steps < 64; steps++) {
        SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
        const char *here = actor.represents;

        if (!sov_actor_find(g->ledger, here, g->arena, &actor, &found, err)) return false;
        if (!found) break;
        add_named(g, SOV_STREAM_ACTOR, here);
        if (!sov_stmt_open(&stmt, g->ledger->state, reads_keys_of_sql, err)) return false;
        sov_bind_text(&stmt, 1, sov_bytes_text(here));
        for (bool more;;) {
            if (!sov_stmt_row(&stmt, &more, err)) return false;
            if (!more) break;
            add_named(g, SOV_STREAM_KEY, sov_row_text(&stmt, 0, g->arena));
        }
    }
    return true;
}

static bool add_people(struct gathering *g, const struct sov_outcome *outcome, const char *actor,
                       struct sov_error *err)
{
    struct sov_sets sets;

    if (!sov_term_sets(g->ledger, outcome->n, outcome->term, g->arena, &sets, err)) return false;
    for (int s = 0; s < SOV_SET_COUNT; s++)
        for (size_t i = 0; i < sets.of[s].count; i++)
            if (!add_actor(g, sets.of[s].at[i].id, err)) return false;
    return !actor || add_actor(g, actor, err);
}

static int by_stream(const void *a, const void *b)
{
    return strcmp(((const struct sov_read *)a)->stream, ((const struct sov_read *)b)->stream);
}

static struct sov_hash digest(const struct sov_read *reads, size_t count)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_writer w;

    sov_buf_init(&out, READS_OCTETS_MAX);
    sov_buf_add_text(&out, "sov.reads.v1\n");
    sov_writer_init(&w, &out);
    sov_write_list(&w);
    for (size_t i = 0; i < count; i++) {
        sov_write_list(&w);
        sov_write_text(&w, sov_bytes_text(reads[i].stream));
        sov_write_int(&w, reads[i].sv);
        sov_write_end(&w);
    }
    sov_write_end(&w);
    assert(!out.cut);
    return sov_sha256(sov_buf_bytes(&out));
}

static bool finish(struct gathering *g, struct sov_reads *reads_out, struct sov_error *err)
{
    struct sov_read *reads = sov_arena_array(g->arena, g->count, sizeof *reads);
    size_t kept = 0;

    for (size_t i = 0; i < g->count; i++) {
        reads[i].stream = spelled(&g->at[i], g->arena);
        if (!sov_ledger_newest(g->ledger, &g->at[i], &reads[i].sv, &reads[i].seq, err))
            return false;
    }
    qsort(reads, g->count, sizeof *reads, by_stream);
    for (size_t i = 0; i < g->count; i++)
        if (!kept || strcmp(reads[kept - 1].stream, reads[i].stream) != 0) reads[kept++] = reads[i];
    *reads_out = (struct sov_reads){ reads, kept, digest(reads, kept) };
    return true;
}

bool sov_reads_of(const struct sov_ledger *ledger, int64_t outcome, const char *actor,
                  struct sov_arena *arena, struct sov_reads *reads_out, struct sov_error *err)
{
    struct gathering g = { .ledger = ledger, .arena = arena };
    struct sov_outcome row;

    if (!sov_outcome_get(ledger, outcome, arena, &row, err)) return false;
    add(&g, sov_stream_numbered(SOV_STREAM_OUTCOME, row.n));
    if (!add_term(&g, &row, err) || !add_rulings(&g, err)) return false;
    add_named(&g, SOV_STREAM_POLICY, "self");
    add_world(&g, &row);
    return add_people(&g, &row, actor, err) && finish(&g, reads_out, err);
}
