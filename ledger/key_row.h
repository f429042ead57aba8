#ifndef SOV_LEDGER_KEY_ROW_H
#define SOV_LEDGER_KEY_ROW_H
/* One key by its id. Private to ledger/. */
#include "ledger/key.h"

SOV_MUST_USE bool sov_key_find(const struct sov_ledger *ledger, const char *id,
                               struct sov_arena *arena, struct sov_actor_key *key_out,
                               bool *found_out, struct sov_error *err);
#endif
