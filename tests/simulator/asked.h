#ifndef SOV_SIMULATOR_ASKED_H
#define SOV_SIMULATOR_ASKED_H
/* What a command asked for under a fence, against what it got: section 7 of the model. */
#include "tests/simulator/world.h"

void asked_began(struct process *process); /* it was just given its words */
void asked_ended(const struct process *process);
#endif
