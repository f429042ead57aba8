/* Subjects: reads, fold, and the operations that declare and revise one. */
#include "ledger/subject.h"

#include <assert.h>
#include <string.h>

#include "base/amount.h"
#include "base/text.h"
#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/subject.sql.h"

enum { FACTS_SIZE_MAX = 65535 };

/* ---- reads ---- */

static void row_read(const struct sov_stmt *stmt, struct sov_arena *arena,
                     struct sov_subject *subject_out)
{
    struct sov_subject subject = { .id = sov_row_text(stmt, 0, arena),
                                   .seq = sov_column_int(stmt, 2) };

    if (!sov_facts_read(sov_row_bytes(stmt, 1, arena), arena, &subject.facts, &subject.fact_count))
        assert(false); /* the registry's shape, by the event that was folded */
    *subject_out = subject;
}

bool sov_subject_find(const struct sov_ledger *ledger, const char *id, struct sov_arena *arena,
                      struct sov_subject *subject_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, subject_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(id));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, subject_out);
    *found_out = found;
    return true;
}

bool sov_subject_get(const struct sov_ledger *ledger, const char *id, struct sov_arena *arena,
                     struct sov_subject *subject_out, struct sov_error *err)
{
    bool found;

    if (!sov_subject_find(ledger, id, arena, subject_out, &found, err)) return false;
    if (found) return true;
    sov_error_set(err, SOV_ABSENT, "no_such_id", "no subject %s is declared", id);
    sov_error_ref(err, id);
    return false;
}

bool sov_subject_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                      struct sov_subjects *subjects_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_subject *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, subject_list_sql, err)) return false;
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        row_read(&stmt, arena, &rows[count++]);
    }
    *subjects_out = (struct sov_subjects){ rows, count };
    return true;
}

bool sov_facts_read(struct sov_bytes object, struct sov_arena *arena,
                    const struct sov_fact **facts_out, size_t *count_out)
{
    struct sov_value value = sov_value(object);
    struct sov_fact *facts;
    struct sov_member member;
    size_t count = 0, at = 0;

    if (sov_value_kind(value) != SOV_JSON_OBJECT) return false;
    facts = sov_arena_array(arena, sov_value_count(value) + 1, sizeof *facts);
    while (sov_value_member(value, &at, &member)) {
        if (sov_value_kind(member.value) != SOV_JSON_INT) return false;
        facts[count++] =
            (struct sov_fact){ sov_arena_text(arena, member.key), sov_value_int(member.value) };
    }
    *facts_out = facts;
    *count_out = count;
    return true;
}

void sov_facts_put(struct sov_writer *w, const char *key, const struct sov_fact *facts,
                   size_t count)
{
    sov_put_object(w, key);
    for (size_t i = 0; i < count; i++) sov_put_int(w, facts[i].name, facts[i].value);
    sov_write_end(w);
}

/* ---- fold ---- */

/* Both ascending by name; `set` wins. The merged length, at most both. */
static size_t merge(const struct sov_fact *old, size_t old_count, const struct sov_fact *set,
                    size_t set_count, struct sov_fact *merged)
{
    size_t i = 0, j = 0, count = 0;

    while (i < old_count || j < set_count) {
        int order = i == old_count ? 1 : j == set_count ? -1 : strcmp(old[i].name, set[j].name);

        merged[count++] = order < 0 ? old[i] : set[j];
        i += order <= 0;
        j += order >= 0;
    }
    return count;
}

static bool declared(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (event->sv != 1) return sov_fold_fail(err, event, "a subject is declared once");
    if (!sov_text_is_name(event->stream.name))
        return sov_fold_fail(err, event, "a subject that is no name");
    if (!sov_stmt_open(&stmt, fold->db, subject_insert_sql, err)) return false;
    sov_bind_text(&stmt, 1, event->stream.name);
    sov_bind_text(&stmt, 2, sov_data(event, "facts").octets);
    sov_bind_int(&stmt, 3, event->seq);
    return sov_stmt_run(&stmt, err);
}

static bool facts_before(struct sov_fold *fold, const struct sov_event *event,
                         const struct sov_fact **facts_out, size_t *count_out,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, fold->db, subject_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, event->stream.name);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found) return sov_fold_fail(err, event, "revised a subject that is not declared");
    return sov_facts_read(sov_row_bytes(&stmt, 1, fold->arena), fold->arena, facts_out, count_out)
               ? true
               : sov_fold_fail(err, event, "the facts before cannot be read");
}

static bool revised(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    const struct sov_fact *old, *set;
    struct sov_fact *merged;
    struct sov_writer w;
    size_t old_count, set_count, count;

    if (!facts_before(fold, event, &old, &old_count, err)) return false;
    if (!sov_facts_read(sov_data(event, "facts").octets, fold->arena, &set, &set_count))
        return sov_fold_fail(err, event, "facts that are none");
    merged = sov_arena_array(fold->arena, old_count + set_count + 1, sizeof *merged);
    count = merge(old, old_count, set, set_count, merged);
    if (count > SOV_SUBJECT_FACTS_MAX)
        return sov_fold_fail(err, event, "a subject with over %d facts", SOV_SUBJECT_FACTS_MAX);
    sov_buf_init(&text, FACTS_SIZE_MAX);
    sov_writer_init(&w, &text);
    sov_write_object(&w);
    for (size_t i = 0; i < count; i++) sov_put_int(&w, merged[i].name, merged[i].value);
    sov_write_end(&w);
    assert(!text.cut);
    if (!sov_stmt_open(&stmt, fold->db, subject_update_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_buf_bytes(&text));
    sov_bind_int(&stmt, 2, event->seq);
    sov_bind_text(&stmt, 3, event->stream.name);
    return sov_stmt_run(&stmt, err);
}

bool sov_subject_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    if (event->type == SOV_EVENT_SUBJECT_DECLARED) return declared(fold, event, err);
    assert(event->type == SOV_EVENT_SUBJECT_REVISED);
    return revised(fold, event, err);
}

/* ---- operations ---- */

/* C1, and the facts by name. */
static bool facts_sorted(const struct sov_fact *facts, size_t count, struct sov_arena *arena,
                         struct sov_fact **sorted_out, struct sov_error *err)
{
    struct sov_fact *sorted = sov_arena_array(arena, count + 1, sizeof *sorted);

    if (count > SOV_SUBJECT_FACTS_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "a subject has at most %d facts",
                        SOV_SUBJECT_FACTS_MAX);
    for (size_t i = 0; i < count; i++) {
        size_t at = i;

        if (!sov_text_is_id(sov_bytes_text(facts[i].name)) ||
            strcmp(facts[i].name, "quantity") == 0)
            return sov_fail(err, SOV_USAGE, "bad_value",
                            "a fact's name is a-z, then a-z 0-9 . _ -, and not quantity");
        if (!sov_amount_fits(facts[i].value))
            return sov_fail(err, SOV_USAGE, "bad_value", "the fact %s is out of range",
                            facts[i].name);
        while (at && strcmp(sorted[at - 1].name, facts[i].name) > 0) at--;
        if (at && strcmp(sorted[at - 1].name, facts[i].name) == 0)
            return sov_fail(err, SOV_USAGE, "bad_value", "the fact %s is given twice",
                            facts[i].name);
        memmove(sorted + at + 1, sorted + at, (i - at) * sizeof *sorted);
        sorted[at] = facts[i];
    }
    *sorted_out = sorted;
    return true;
}

static bool payload(struct sov_commit *commit, const struct sov_fact *facts, size_t count,
                    const char *reason, struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_facts_put(&w, "facts", facts, count);
    if (reason) sov_put_text(&w, "reason", reason);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

static bool id_is_free(struct sov_commit *commit, const char *id, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    const char *taken;
    bool found;

    if (!sov_stmt_open(&stmt, commit->ledger->state, subject_folded_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(id));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found) return true;
    taken = sov_row_text(&stmt, 0, &commit->arena);
    sov_error_set(err, SOV_CONFLICT, "exists", "there is a subject %s", taken);
    sov_error_ref(err, taken);
    return false;
}

bool sov_subject_declare(struct sov_commit *commit, const char *id, const struct sov_fact *facts,
                         size_t count, struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SUBJECT_DECLARED };
    struct sov_fact *sorted;
    bool again;

    if (!id || !sov_text_is_name(sov_bytes_text(id)))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "a subject's id is A-Z a-z 0-9, then also . _ -, at most 63");
    addition.stream = sov_stream_named(SOV_STREAM_SUBJECT, sov_bytes_text(id));
    if (!facts_sorted(facts, count, &commit->arena, &sorted, err) ||
        !payload(commit, sorted, count, NULL, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    return sov_commit_expect(commit, &addition.stream, err) && id_is_free(commit, id, err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

bool sov_subject_revise(struct sov_commit *commit, const char *id, const struct sov_fact *facts,
                        size_t count, const char *reason, struct sov_done *done_out,
                        struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SUBJECT_REVISED };
    struct sov_subject subject;
    struct sov_fact *sorted, *merged;
    bool again;

    if (!id || !sov_text_is_name(sov_bytes_text(id)))
        return sov_fail(err, SOV_USAGE, "bad_value", "a subject is named by its id");
    if (!count) return sov_fail(err, SOV_USAGE, "bad_value", "a revision sets at least one fact");
    addition.stream = sov_stream_named(SOV_STREAM_SUBJECT, sov_bytes_text(id));
    if (!facts_sorted(facts, count, &commit->arena, &sorted, err) ||
        !sov_policy_reason(sov_bytes_text(reason ? reason : ""), err) ||
        !payload(commit, sorted, count, reason, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!sov_subject_get(commit->ledger, id, &commit->arena, &subject, err) ||
        !sov_commit_expect(commit, &addition.stream, err))
        return false;
    merged = sov_arena_array(&commit->arena, subject.fact_count + count, sizeof *merged);
    if (merge(subject.facts, subject.fact_count, sorted, count, merged) > SOV_SUBJECT_FACTS_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "a subject has at most %d facts",
                        SOV_SUBJECT_FACTS_MAX);
    return sov_commit_lead(commit, &addition, done_out, err);
}
