/* Accounts: reads, fold, opening one, posting to one. */
#include "ledger/account.h"

#include <assert.h>
#include <string.h>

#include "base/amount.h"
#include "base/text.h"
#include "ledger/account.sql.h"
#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/subject.h"

/* ---- reads ---- */

static void row_read(const struct sov_stmt *stmt, struct sov_arena *arena,
                     struct sov_account *account_out)
{
    *account_out = (struct sov_account){
        .name = sov_row_text(stmt, 0, arena),
        .unit = sov_row_text(stmt, 1, arena),
        .opening = sov_column_int(stmt, 2),
        .balance = sov_column_int(stmt, 3),
        .seq = sov_column_int(stmt, 4),
    };
}

bool sov_account_find(const struct sov_ledger *ledger, const char *name, struct sov_arena *arena,
                      struct sov_account *account_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, account_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(name));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, account_out);
    *found_out = found;
    return true;
}

bool sov_account_get(const struct sov_ledger *ledger, const char *name, struct sov_arena *arena,
                     struct sov_account *account_out, struct sov_error *err)
{
    bool found;

    if (!sov_account_find(ledger, name, arena, account_out, &found, err)) return false;
    if (found) return true;
    sov_error_set(err, SOV_ABSENT, "no_such_id", "no account %s is open", name);
    sov_error_ref(err, name);
    return false;
}

bool sov_account_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                      struct sov_accounts *accounts_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_account *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, account_list_sql, err)) return false;
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        row_read(&stmt, arena, &rows[count++]);
    }
    *accounts_out = (struct sov_accounts){ rows, count };
    return true;
}

static bool posted_read(struct sov_stmt *stmt, struct sov_arena *arena,
                        struct sov_posteds *posted_out, struct sov_error *err)
{
    struct sov_posted *rows = NULL;
    size_t count = 0;
    bool found;

    for (;;) {
        if (!sov_stmt_row(stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count++] = (struct sov_posted){
            .seq = sov_column_int(stmt, 0),
            .account = sov_row_text(stmt, 1, arena),
            .delta = sov_column_int(stmt, 2),
            .balance = sov_column_int(stmt, 3),
            .lead = sov_column_int(stmt, 4),
        };
    }
    *posted_out = (struct sov_posteds){ rows, count };
    return true;
}

bool sov_account_postings(const struct sov_ledger *ledger, const char *name,
                          struct sov_arena *arena, struct sov_posteds *posted_out,
                          struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, posting_of_account_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(name));
    return posted_read(&stmt, arena, posted_out, err);
}

bool sov_posted_behind(const struct sov_ledger *ledger, int64_t lead, struct sov_arena *arena,
                       struct sov_posteds *posted_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, posting_behind_sql, err)) return false;
    sov_bind_int(&stmt, 1, lead);
    return posted_read(&stmt, arena, posted_out, err);
}

/* Those of the accounts that are open, in the order given. */
static bool balances_read(const struct sov_ledger *ledger, const char *const *accounts,
                          size_t count, struct sov_arena *arena, struct sov_books *books,
                          struct sov_error *err)
{
    struct sov_balance *rows = sov_arena_array(arena, count + 1, sizeof *rows);
    size_t open = 0;

    for (size_t i = 0; i < count; i++) {
        SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
        bool found;

        if (!sov_stmt_open(&stmt, ledger->state, account_find_sql, err)) return false;
        sov_bind_text(&stmt, 1, sov_bytes_text(accounts[i]));
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (found) rows[open++] = (struct sov_balance){ accounts[i], sov_column_int(&stmt, 3) };
    }
    books->balances = rows;
    books->balance_count = open;
    return true;
}

bool sov_books_read(const struct sov_ledger *ledger, const char *const *accounts, size_t count,
                    const char *subject, struct sov_arena *arena, struct sov_books *books_out,
                    bool *declared_out, struct sov_error *err)
{
    struct sov_books books = { 0 };
    struct sov_subject row;
    bool declared;

    if (!balances_read(ledger, accounts, count, arena, &books, err) ||
        !sov_subject_find(ledger, subject, arena, &row, &declared, err))
        return false;
    if (declared) {
        books.facts = row.facts;
        books.fact_count = row.fact_count;
    }
    *books_out = books;
    *declared_out = declared;
    return true;
}

bool sov_postings_read(struct sov_bytes list, struct sov_arena *arena,
                       const struct sov_posting **postings_out, size_t *count_out)
{
    struct sov_value value = sov_value(list), item;
    struct sov_posting *postings;
    size_t count = 0, at = 0;

    if (sov_value_kind(value) != SOV_JSON_LIST) return false;
    postings = sov_arena_array(arena, sov_value_count(value) + 1, sizeof *postings);
    while (sov_value_item(value, &at, &item)) {
        struct sov_value account, delta;

        if (sov_value_kind(item) != SOV_JSON_OBJECT) return false;
        account = sov_value_get(item, "account");
        delta = sov_value_get(item, "delta");
        if (!sov_value_there(account) || sov_value_kind(account) != SOV_JSON_TEXT ||
            !sov_value_there(delta) || sov_value_kind(delta) != SOV_JSON_INT)
            return false;
        postings[count++] =
            (struct sov_posting){ sov_arena_text(arena, sov_value_bytes(account, arena)),
                                  sov_value_int(delta), 0 };
    }
    *postings_out = postings;
    *count_out = count;
    return true;
}

void sov_postings_put(struct sov_writer *w, const char *key, const struct sov_posting *postings,
                      size_t count)
{
    sov_put_list(w, key);
    for (size_t i = 0; i < count; i++) {
        sov_write_object(w);
        sov_put_text(w, "account", postings[i].account);
        sov_put_int(w, "delta", postings[i].delta);
        sov_write_end(w);
    }
    sov_write_end(w);
}

/* ---- fold ---- */

static bool opened(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    int64_t opening = sov_data_int(event, "opening");

    if (event->sv != 1) return sov_fold_fail(err, event, "an account is opened once");
    if (!sov_text_is_account(event->stream.name))
        return sov_fold_fail(err, event, "an account with a name that is none");
    if (!sov_stmt_open(&stmt, fold->db, account_insert_sql, err)) return false;
    sov_bind_text(&stmt, 1, event->stream.name);
    sov_bind_text(&stmt, 2, sov_data_text(event, "unit", fold->arena));
    sov_bind_int(&stmt, 3, opening);
    sov_bind_int(&stmt, 4, opening);
    sov_bind_int(&stmt, 5, event->seq);
    return sov_stmt_run(&stmt, err);
}

/* A posting that does not follow from the balance before it is no event of this ledger. */
static bool balance_follows(struct sov_fold *fold, const struct sov_event *event, int64_t delta,
                            int64_t balance, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_amount after;
    struct sov_error overflow;
    bool found;

    if (!sov_stmt_open(&stmt, fold->db, account_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, event->stream.name);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found) return sov_fold_fail(err, event, "posted to an account that is not open");
    if (!sov_amount_add(&after, (struct sov_amount){ sov_column_int(&stmt, 3) },
                        (struct sov_amount){ delta }, &overflow) ||
        after.n != balance)
        return sov_fold_fail(err, event, "a balance that is not the one before plus delta");
    return true;
}

/* The event that it belongs to is its newest cause: effect.committed or change.recorded. */
static int64_t newest_cause(const struct sov_event *event)
{
    struct sov_value item;
    int64_t newest = 0;
    size_t at = 0;

    if (!sov_value_there(event->cause)) return 0;
    while (sov_value_item(event->cause, &at, &item)) newest = sov_value_int(item);
    return newest;
}

static bool posted(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt update = { 0 };
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt insert = { 0 };
    int64_t delta = sov_data_int(event, "delta"), balance = sov_data_int(event, "balance");
    int64_t lead = newest_cause(event);

    if (!lead) return sov_fold_fail(err, event, "a posting without a cause");
    if (!balance_follows(fold, event, delta, balance, err)) return false;
    if (!sov_stmt_open(&update, fold->db, account_update_sql, err)) return false;
    sov_bind_int(&update, 1, balance);
    sov_bind_int(&update, 2, event->seq);
    sov_bind_text(&update, 3, event->stream.name);
    if (!sov_stmt_run(&update, err)) return false;
    if (!sov_stmt_open(&insert, fold->db, posting_insert_sql, err)) return false;
    sov_bind_int(&insert, 1, event->seq);
    sov_bind_text(&insert, 2, event->stream.name);
    sov_bind_int(&insert, 3, delta);
    sov_bind_int(&insert, 4, balance);
    sov_bind_int(&insert, 5, lead);
    return sov_stmt_run(&insert, err);
}

bool sov_account_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    if (event->type == SOV_EVENT_ACCOUNT_OPENED) return opened(fold, event, err);
    assert(event->type == SOV_EVENT_ACCOUNT_POSTED);
    return posted(fold, event, err);
}

/* ---- operations ---- */

static bool name_is_free(struct sov_commit *commit, const char *name, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    const char *taken;
    bool found;

    if (!sov_stmt_open(&stmt, commit->ledger->state, account_folded_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(name));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found) return true;
    taken = sov_row_text(&stmt, 0, &commit->arena);
    sov_error_set(err, SOV_CONFLICT, "exists", "there is an account %s", taken);
    sov_error_ref(err, taken);
    return false;
}

bool sov_account_open(struct sov_commit *commit, const char *name, const char *unit,
                      int64_t opening, struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_ACCOUNT_OPENED };
    struct sov_writer w;
    bool again;

    if (!name || !sov_text_is_account(sov_bytes_text(name)))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "an account is 1 to 4 names of A-Z a-z 0-9 . _ -, joined by /");
    if (!unit || !sov_text_is_id(sov_bytes_text(unit)))
        return sov_fail(err, SOV_USAGE, "bad_value", "a unit is a-z, then a-z 0-9 . _ -");
    if (!sov_amount_fits(opening))
        return sov_fail(err, SOV_USAGE, "bad_value", "the opening balance is out of range");
    addition.stream = sov_stream_named(SOV_STREAM_ACCOUNT, sov_bytes_text(name));
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_int(&w, "opening", opening);
    sov_put_text(&w, "unit", unit);
    sov_write_end(&w);
    if (!sov_commit_payload(commit, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    return sov_commit_expect(commit, &addition.stream, err) && name_is_free(commit, name, err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

bool sov_account_post(struct sov_commit *commit, const char *account, int64_t delta, int64_t cause,
                      struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_ACCOUNT_POSTED, .cause = { cause } };
    struct sov_account row;
    struct sov_amount balance;
    struct sov_writer w;
    bool found;

    if (!sov_account_find(commit->ledger, account, &commit->arena, &row, &found, err)) return false;
    if (!found) {
        sov_error_set(err, SOV_ABSENT, "account_unknown", "no account %s is open", account);
        sov_error_ref(err, account);
        return false;
    }
    if (!sov_amount_add(&balance, (struct sov_amount){ row.balance }, (struct sov_amount){ delta },
                        err))
        return false;
    addition.stream = sov_stream_named(SOV_STREAM_ACCOUNT, sov_bytes_text(row.name));
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_int(&w, "balance", balance.n);
    sov_put_int(&w, "delta", delta);
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}
