#ifndef SOV_LEDGER_ROW_H
#define SOV_LEDGER_ROW_H
/* Rows of the state tables as C values, and the refusals that every entity shares. Private to
 * ledger/. */
#include "base/arena.h"
#include "base/canonical.h"
#include "base/crypto.h"
#include "base/db.h"
#include "ledger/event.h"

/* row_form.c: the law of the ledger's handles (base/db.h). A row of a state table is given out only
 * if each of its values is one that an event can have left there, so those who read rows need not
 * ask. Tables folded in memory are not asked: what wrote them is this program. */
const struct sov_column_form *sov_row_form(const char *table, const char *column);
bool sov_row_fits(const struct sov_column_form *form, int class, bool required,
                  struct sov_bytes octets);
/* state_damaged (6), as sov_fail: rows that fit one by one, and yet not together. */
#define sov_row_bad(err, ...) sov_fail((err), SOV_INTEGRITY, "state_damaged", __VA_ARGS__)

const char *sov_row_text(const struct sov_stmt *stmt, int n, struct sov_arena *arena); /* or NULL */
/* .data NULL for NULL */
struct sov_bytes sov_row_bytes(const struct sov_stmt *stmt, int n, struct sov_arena *arena);
struct sov_hash sov_row_hash(const struct sov_stmt *stmt, int n); /* zeros for NULL */
/* A canonical list of texts. */
void sov_row_texts(const struct sov_stmt *stmt, int n, struct sov_arena *arena,
                   const char *const **texts_out, size_t *count_out);
/* Room for one row more than `count`; the rows before are kept. */
void *sov_rows_room(struct sov_arena *arena, void *rows, size_t count, size_t size);
void sov_bind_number(struct sov_stmt *stmt, int n, int64_t number); /* 0 binds NULL */

/* "key":"SOW-7" */
void sov_put_number(struct sov_writer *w, const char *key, enum sov_stream_kind kind, int64_t n);

/* The shared refusals, as sov_fail: macros, so that the compiler sees the constant. */
#define sov_refuse_absent(err, kind, n) (sov_error_absent((err), (kind), (n)), false)
#define sov_refuse_state(err, kind, n, state, why)                                                 \
    (sov_error_state((err), (kind), (n), (state), (why)), false)
/* After sov_error_set: the entity meant. */
#define sov_refuse_about(err, kind, n) (sov_error_about((err), (kind), (n)), false)
/* no_such_id: there is no SOW-7. */
void sov_error_absent(struct sov_error *err, enum sov_stream_kind kind, int64_t n);
/* wrong_state: SOW-7 is READY: `why` (may be empty). */
void sov_error_state(struct sov_error *err, enum sov_stream_kind kind, int64_t n, const char *state,
                     const char *why);
void sov_error_about(struct sov_error *err, enum sov_stream_kind kind, int64_t n);
#endif
