#ifndef SOV_CLI_PASSPHRASE_H
#define SOV_CLI_PASSPHRASE_H
/*
 * Where a passphrase comes from: --passphrase-fd, the file sov.passphrase of
 * $CREDENTIALS_DIRECTORY, a person at the terminal, in this order; never a word of the command or
 * the environment. Owns: reading it, once a command, without echo. Not here: what it opens
 * (base/crypto.h).
 */
#include "cli/verb.h"

struct sov_asker {
    struct sov_call *call;
    struct sov_passphrase *known; /* NULL: not asked yet */
};
/* input_required (2) if there is no place that says it; bad_value if it says none.
 * `file`: what it opens; NULL: one that is to be made, and a person types it twice. */
SOV_MUST_USE bool sov_asker_know(struct sov_asker *asker, const char *file, struct sov_error *err);
/* With --sign-key, or with the key folder. */
struct sov_signing sov_asker_signing(struct sov_asker *asker);
/* The SSH agent that the environment names. */
struct sov_agent sov_agent_here(void);
/* A new key's file is to be locked: --passphrase or --passphrase-fd. */
bool sov_asker_is_wanted(const struct sov_asker *asker);
void sov_asker_end(struct sov_asker *asker); /* wipes; for SOV_CLEANUP */
#endif
