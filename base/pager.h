#ifndef SOV_BASE_PAGER_H
#define SOV_BASE_PAGER_H
/*
 * A pager on the terminal of this process. Owns: starting it, feeding it, waiting for it. Not here:
 * whether one is wanted (cli/out.c).
 */
#include "base/bytes.h"

/* `command` is a program and its options, separated by blanks; no shell. False if it could not be
 * started: then the text is the caller's to print. A pager that is left early is no failure. */
bool sov_pager_show(const char *command, struct sov_bytes text);
#endif
