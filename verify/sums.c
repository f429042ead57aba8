/* Which event is which version of which stream. Both sides are taken as sets of rows: each row goes
 * through a keyed hash, and the sums of all must be equal. The key is drawn for this one run, so no
 * stored row can have been made to fit. Only where the sums differ, or an event gave no row at all,
 * is the history folded and compared row by row, to name the one that differs. */
#include <assert.h>

#include "verify/batch.sql.h"
#include "verify/judge.h"

enum { KIND, N, NAME, SV, SEQ, COLUMNS, NUMBERS_SIZE = 4 * sizeof(int64_t) };

bool sov_sums_prepare(struct sov_judge *judge, struct sov_error *err)
{
    const struct sov_random *random = &judge->options->seams->random;

    return random->fill(random->self, judge->sums.key, sizeof judge->sums.key, err);
}

void sov_sums_doubt(struct sov_judge *judge)
{
    judge->sums.doubt = true;
}

static void add(const struct sov_sums *sums, struct sov_rows_sum *sum, const int64_t numbers[4],
                struct sov_bytes name)
{
    uint8_t octets[NUMBERS_SIZE + SOV_NAME_MAX], hash[SOV_KEYED_HASH_SIZE];
    uint64_t lane[2];

    assert(name.size <= SOV_NAME_MAX);
    memcpy(octets, numbers, NUMBERS_SIZE);
    if (name.size) memcpy(octets + NUMBERS_SIZE, name.data, name.size);
    sov_keyed_hash(sums->key, sov_bytes(octets, NUMBERS_SIZE + name.size), hash);
    memcpy(lane, hash, sizeof lane);
    sum->lane[0] += lane[0];
    sum->lane[1] += lane[1];
    sum->rows++;
}

void sov_sums_event(struct sov_judge *judge, const struct sov_event *event)
{
    const int64_t numbers[] = { event->stream.kind, event->stream.n, event->sv, event->seq };

    add(&judge->sums, &judge->sums.due, numbers,
        event->stream.n ? sov_bytes("", 0) : event->stream.name);
}

/* A row of another form than any event gives: in doubt. */
static bool row_read(struct sov_stmt *stmt, int64_t numbers[4], struct sov_bytes *name_out)
{
    static const int columns[] = { KIND, N, SV, SEQ };
    int64_t unused;
    int class;

    for (int i = 0; i < 4; i++) {
        (void)sov_column_any(stmt, columns[i], &class, &numbers[i]);
        if (class != SOV_COLUMN_INTEGER) return false;
    }
    *name_out = sov_column_any(stmt, NAME, &class, &unused);
    return class == SOV_COLUMN_TEXT && name_out->size <= SOV_NAME_MAX;
}

bool sov_sums_end(struct sov_judge *judge, int64_t *largest_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_sums *sums = &judge->sums;
    struct sov_rows_sum stored = { 0 };
    int64_t largest = 0, newest = 0, head;

    if (!sov_stmt_open(&stmt, sov_ledger_tables(judge->ledger), history_rows_sql, err))
        return false;
    stmt.as_is = true;
    for (;;) {
        int64_t numbers[4] = { 0 };
        struct sov_bytes name;
        bool found;

        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        if (!row_read(&stmt, numbers, &name)) {
            sov_sums_doubt(judge);
            continue;
        }
        if (numbers[3] > newest) newest = numbers[3];
        /* Each number has an event of its own: a greater one is none, and no slice is made for it.
         */
        if (numbers[1] > largest && numbers[1] <= sums->due.rows) largest = numbers[1];
        if (numbers[3] > judge->head) continue; /* appended meanwhile */
        add(sums, &stored, numbers, name);
    }
    sov_stmt_close(&stmt);
    if (!sov_ledger_head(judge->ledger, &head, err)) return false;
    if (newest > head || stored.rows != sums->due.rows || stored.lane[0] != sums->due.lane[0] ||
        stored.lane[1] != sums->due.lane[1])
        sov_sums_doubt(judge);
    *largest_out = largest;
    return true;
}
