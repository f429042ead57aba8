#ifndef SOV_LEDGER_SIGNAL_H
#define SOV_LEDGER_SIGNAL_H
/*
 * Signals: reports that something in the world changed, and the pulse's recorded answers to them
 * (model.md 6, 8). Owns: state_signal, signal.recorded, wake.decided.
 */
#include "ledger/commit.h"
#include "policy/document.h"

/* signal.recorded as a consequence of effect.committed or change.recorded, whose seq is `cause`:
 * the source is the kind of effect or change, the dedupe key its id (EFF-n, CHG-n). */
SOV_MUST_USE bool sov_signal_emit(struct sov_commit *commit, const char *kind, const char *source,
                                  const char *subject, enum sov_severity severity,
                                  const char *dedupe_key, int64_t cause, struct sov_error *err);
#endif
