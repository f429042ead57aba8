#include "ledger/sets.h"

#include "ledger/actor.h"
#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/sets.sql.h"

static bool ids_read(const struct sov_ledger *ledger, const char *sql, int64_t outcome,
                     int64_t term, struct sov_arena *arena, const char ***ids_out,
                     size_t *count_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    const char **ids = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, sql, err)) return false;
    sov_bind_int(&stmt, 1, outcome);
    sov_bind_int(&stmt, 2, term);
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        ids = sov_rows_room(arena, ids, count, sizeof *ids);
        ids[count++] = sov_row_text(&stmt, 0, arena);
    }
    *ids_out = ids;
    *count_out = count;
    return true;
}

bool sov_term_sets(const struct sov_ledger *ledger, int64_t outcome, int64_t term,
                   struct sov_arena *arena, struct sov_sets *sets_out, struct sov_error *err)
{
    static const char *const sql[SOV_SET_COUNT] = { [SOV_PERFORMERS] = sets_performers_sql,
                                                    [SOV_VERIFIERS] = sets_verifiers_sql,
                                                    [SOV_REVIEWERS] = sets_reviewers_sql,
                                                    [SOV_ACCEPTERS] = sets_accepters_sql };
    struct sov_sets sets = { 0 };

    for (unsigned set = 0; set < SOV_SET_COUNT; set++) {
        struct sov_person_facts *people;
        const char **ids;
        size_t count;

        if (!ids_read(ledger, sql[set], outcome, term, arena, &ids, &count, err)) return false;
        people = sov_arena_array(arena, count + 1, sizeof *people);
        for (size_t i = 0; i < count; i++)
            if (!sov_actor_person(ledger, ids[i], arena, &people[i], err)) return false;
        sets.of[set] = (struct sov_people){ people, count };
    }
    *sets_out = sets;
    return true;
}
