#ifndef SOV_CLI_BUNDLE_H
#define SOV_CLI_BUNDLE_H
/*
 * The bundle of an acceptance: a folder that proves itself to whoever knows the ledger id. Owns:
 * which files it holds and what they say. Not here: which events (ledger/dossier.h), proofs
 * (ledger/proof.h), the forms of a signed statement (base/dsse.h).
 */
#include "base/dsse.h"
#include "cli/export.h"

/* What its README fills in: ids and digits, no text from outside. */
struct sov_bundle_words {
    const char *acceptance, *outcome, *ledger, *who, *size, *seq;
    const char *signer;     /* "ledger", or the id of an actor's key */
    const char *registered; /* a command line that looks that key up, or "" */
};
void sov_bundle_readme(const struct sov_bundle_words *words, struct sov_buf *out);
/* The in-toto Statement, canonical. */
SOV_MUST_USE bool sov_bundle_statement(const struct sov_exporting *e,
                                       const struct sov_dossier *dossier, struct sov_buf *out,
                                       struct sov_error *err);
#endif
