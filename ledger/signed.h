#ifndef SOV_LEDGER_SIGNED_H
#define SOV_LEDGER_SIGNED_H
/* The statement under the signature of an act, made again from the log (verify/). */
#include "ledger/event.h"

struct sov_ledger;

/* *tag_out NULL: the event is no signed act. Fails if something that it names is not there. */
SOV_MUST_USE bool sov_signed_statement(const struct sov_ledger *ledger,
                                       const struct sov_event *event, struct sov_arena *arena,
                                       const char **tag_out, struct sov_bytes *statement_out,
                                       struct sov_error *err);
#endif
