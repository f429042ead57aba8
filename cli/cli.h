#ifndef SOV_CLI_H
#define SOV_CLI_H
/*
 * The command line: parse, compose, print; one file a verb.
 * Owns: verbs, flags, output, exit statuses, where ledger, keys and pins are found.
 * Not here: rules (policy/), SQL (ledger/), cryptography (base/).
 */
#include "base/seams.h"

/* One command from its words to its exit status. */
int sov_cli(int argc, char **argv, const struct sov_seams *seams);
#endif
