#ifndef SOV_SIMULATOR_PUTBACK_H
#define SOV_SIMULATOR_PUTBACK_H
/*
 * Somebody puts old files back, while nobody is at them: the ledger file as it once stood, all of
 * governance/ as after a checkout, or one page. It must be named or, where the log gives the pages
 * again, healed; behind that the world goes on with what it had.
 */
#include <stdbool.h>

void putback_keep(void);        /* what stands now, published and at rest */
bool putback_is_behind(void);   /* more has been published since */
void putback_ledger(void);      /* noticed by project and verify, which change nothing */
void putback_pages(bool whole); /* all of governance/, or one page of it */
#endif
