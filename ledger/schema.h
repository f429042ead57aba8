#ifndef SOV_LEDGER_SCHEMA_H
#define SOV_LEDGER_SCHEMA_H
/* The schema fingerprint: what the migrations made, compared with what is in the file. */
#include "base/error.h"

struct sov_ledger;

/* Reads the whole schema: schema_changed (6) if an object is gone, changed or too many. */
SOV_MUST_USE bool sov_schema_is_built(const struct sov_ledger *ledger, struct sov_error *err);
#endif
