#ifndef SOV_SIMULATOR_WATCH_H
#define SOV_SIMULATOR_WATCH_H
/*
 * What must hold of the files beside the ledger, whenever nobody is writing them: I8. Pages, pins
 * and keys are whole or as they were; a published checkpoint has its segment; what somebody was
 * told of is there after a crash.
 */
#include "tests/simulator/world.h"

void watch_told(const struct process *process); /* it ended with 0 */
void watch_files(void);
int64_t watch_newest(void);      /* size of the newest checkpoint that is published */
bool watch_copy(const char *to); /* governance/, into a new folder of the real system */
#endif
