#ifndef SOV_LEDGER_ROW_H
#define SOV_LEDGER_ROW_H
/* Rows of the state tables as C values, and the refusals that every entity shares. Private to
 * ledger/. */
#include "base/arena.h"
#include "base/canonical.h"
#include "base/crypto.h"
#include "base/db.h"
#include "ledger/event.h"

const char *sov_row_text(const struct sov_stmt *stmt, int n, struct sov_arena *arena); /* or NULL */
/* .data NULL for NULL */
struct sov_bytes sov_row_bytes(const struct sov_stmt *stmt, int n, struct sov_arena *arena);
struct sov_hash sov_row_hash(const struct sov_stmt *stmt, int n); /* 32 octets, asserted */
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
