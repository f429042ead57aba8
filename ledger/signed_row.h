#ifndef SOV_LEDGER_SIGNED_ROW_H
#define SOV_LEDGER_SIGNED_ROW_H
/* A signature in a state table: key, statement, signature. Private to ledger/. */
#include "base/db.h"
#include "ledger/key.h"

/* Three columns, or three parameters, from n on. */
void sov_column_signed(const struct sov_stmt *stmt, int n, struct sov_signed_by *by_out);
void sov_bind_signed(struct sov_stmt *stmt, int n, const struct sov_signed_by *by);
#endif
