/* What verification, review and acceptance ask alike. */
#include "ledger/judged.h"

#include <assert.h>
#include <stdio.h>

#include "base/merkle.h"
#include "ledger/key.h"
#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/ruling.h"

const char *sov_judged_id(enum sov_stream_kind kind, int64_t n, char id_out[SOV_JUDGED_ID_SIZE])
{
    snprintf(id_out, SOV_JUDGED_ID_SIZE, "%s-%lld", sov_stream_prefix(kind), (long long)n);
    return id_out;
}

const char *sov_judged_name(enum sov_stream_kind kind, int64_t n, struct sov_arena *arena)
{
    return sov_judged_id(kind, n, sov_arena_take(arena, SOV_JUDGED_ID_SIZE));
}

void sov_judged_put(struct sov_writer *w, const char *key, enum sov_stream_kind kind, int64_t n)
{
    if (n) sov_put_number(w, key, kind, n);
}

struct sov_hash sov_judged_hash(const struct sov_event *event, const char *key)
{
    struct sov_hash hash;
    bool hex = sov_unhex(sov_value_plain(sov_data(event, key)), hash.octets, sizeof hash.octets);

    assert(hex);
    return hash;
}

bool sov_judged_event_hash(const struct sov_ledger *ledger, int64_t seq, struct sov_arena *arena,
                           struct sov_hash *hash_out, struct sov_error *err)
{
    struct sov_event event;

    if (!sov_log_named(ledger, seq, SOV_EVENT_TYPE_COUNT, arena, &event, err)) return false;
    *hash_out = sov_leaf_hash(event.octets);
    return true;
}

bool sov_judged_execution(const struct sov_ledger *ledger, int64_t sow, struct sov_arena *arena,
                          struct sov_assignment *execution_out, bool *found_out,
                          struct sov_error *err)
{
    struct sov_assignments list;

    if (!sov_assignment_list(ledger, sow, arena, &list, err)) return false;
    *found_out = false;
    for (size_t i = list.count; i-- > 0 && !*found_out;) {
        if (list.at[i].state != SOV_ASSIGNMENT_COMPLETED) continue;
        *execution_out = list.at[i];
        *found_out = true;
    }
    return true;
}

bool sov_judged_verification(const struct sov_ledger *ledger,
                             const struct sov_verification *verification, struct sov_arena *arena,
                             struct sov_judged *judged_out, struct sov_error *err)
{
    struct sov_judged judged = { .there = true, .verification = *verification };
    struct sov_hash aggregate;

    if (!sov_judged_evidence(ledger, verification, arena, &judged.evidence, err)) return false;
    aggregate = sov_aggregate_digest(verification, &judged.evidence);
    judged.aggregate_same = sov_hash_equal(&aggregate, &verification->aggregate_digest);
    judged.passed = verification->passed && judged.evidence.count > 0 &&
                    judged.evidence.count == sov_value_count(sov_value(verification->evidence));
    for (size_t i = 0; i < judged.evidence.count; i++)
        judged.passed = judged.passed && judged.evidence.at[i].success;
    *judged_out = judged;
    return true;
}

bool sov_judged_is_whole(const struct sov_judged *judged, struct sov_bytes checks)
{
    struct sov_value item;
    size_t at = 0, n = 0;

    for (; sov_value_item(sov_value(checks), &at, &item); n++) {
        const struct sov_evidence *e = &judged->evidence.at[n];

        if (n == judged->evidence.count || e->verification != judged->verification.n ||
            !sov_bytes_is(sov_value_plain(sov_value_get(item, "id")), e->check))
            return false;
    }
    return n == judged->evidence.count;
}

bool sov_judged_holds(const struct sov_ledger *ledger, const struct sov_stream *streams,
                      size_t count, struct sov_arena *arena, struct sov_names *holds_out,
                      struct sov_error *err)
{
    const char **names = sov_arena_array(arena, count, sizeof *names);
    size_t held = 0;

    for (size_t i = 0; i < count; i++) {
        const char *id = sov_stream_id(&streams[i], arena);
        const char *stream = sov_arena_printf(arena, "%s/%s", sov_stream_word(streams[i].kind), id);
        int64_t ruling;

        if (!sov_ruling_in_force(ledger, SOV_RULING_HOLD, stream, 0, &ruling, err)) return false;
        if (ruling) names[held++] = id;
    }
    *holds_out = (struct sov_names){ names, held };
    return true;
}

void sov_judged_moved(const struct sov_reads *reads, int64_t basis, struct sov_arena *arena,
                      struct sov_names *moved_out)
{
    const char **names = sov_arena_array(arena, reads->count, sizeof *names);
    size_t moved = 0;

    for (size_t i = 0; i < reads->count; i++)
        if (reads->at[i].seq > basis) names[moved++] = reads->at[i].stream;
    *moved_out = (struct sov_names){ names, moved };
}

bool sov_judged_signature(const struct sov_ledger *ledger, const char *actor, const char *tag,
                          struct sov_bytes statement, const struct sov_signed_by *by, int64_t seq,
                          enum sov_signature_state *state_out, struct sov_error *err)
{
    struct sov_error why = { 0 };

    *state_out = SOV_SIGNATURE_NONE;
    if (!by) return true;
    if (sov_statement_check(ledger, actor, tag, statement, by, seq, &why))
        *state_out = SOV_SIGNATURE_HOLDS;
    else if (strcmp(why.code, "bad_signature") == 0)
        *state_out = SOV_SIGNATURE_BAD;
    else if (strcmp(why.code, "key_invalid") == 0 || strcmp(why.code, "no_key") == 0)
        *state_out = SOV_SIGNATURE_KEY_INVALID;
    else {
        *err = why;
        return false;
    }
    return true;
}
