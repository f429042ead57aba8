#ifndef SOV_VERIFY_VERIFY_H
#define SOV_VERIFY_VERIFY_H
/*
 * The independent judge: it trusts bytes and writes nothing.
 * Owns: re-derivation and comparison, and running declared checks against the world.
 * Not here: recording what was seen (ledger/), printing (cli/).
 *
 * This is the door. The parts that it opens:
 */
#include "verify/checks.h" /* declared checks -> observations */
#endif
