#ifndef SOV_VERIFY_CHECKS_H
#define SOV_VERIFY_CHECKS_H
/*
 * Runs the declared checks of an outcome against ledger state and the world, and returns what they
 * saw as values (model.md 8). Writes nothing; decides nothing. A check that cannot look, for
 * whatever reason, fails with a code; none is ever skipped.
 */
#include "base/file.h"
#include "ledger/ledger.h"

/* All declared checks of an outcome, in declared order, into the arena. `repository` is the folder
 * that paths of checks lie beneath. Fails only for what is no check's fault: no_such_id, a log that
 * cannot be read. */
SOV_MUST_USE bool sov_checks_run(const struct sov_ledger *ledger, int64_t outcome,
                                 const struct sov_folder *repository, struct sov_arena *arena,
                                 struct sov_observations *observations_out, struct sov_error *err);
#endif
