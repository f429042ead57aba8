#include "ledger/signed_row.h"

#include <assert.h>
#include <stdio.h>

#include "ledger/row.h"

void sov_column_signed(const struct sov_stmt *stmt, int n, struct sov_signed_by *by_out)
{
    struct sov_bytes key = sov_column_text(stmt, n);
    struct sov_bytes signature = sov_column_blob(stmt, n + 2);

    assert(signature.size == sizeof by_out->signature.octets);
    snprintf(by_out->key, sizeof by_out->key, "%.*s", (int)key.size, (const char *)key.data);
    by_out->statement = sov_row_hash(stmt, n + 1);
    memcpy(by_out->signature.octets, signature.data, signature.size);
}

void sov_bind_signed(struct sov_stmt *stmt, int n, const struct sov_signed_by *by)
{
    sov_bind_text(stmt, n, sov_bytes_text(by->key));
    sov_bind_blob(stmt, n + 1, sov_hash_bytes(&by->statement));
    sov_bind_blob(stmt, n + 2, sov_bytes(by->signature.octets, sizeof by->signature.octets));
}
