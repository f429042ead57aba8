#ifndef SOV_SIMULATOR_JUDGED_H
#define SOV_SIMULATOR_JUDGED_H
/*
 * What a judge rests on: whoever looks outside looks before the transaction, at a basis, and of all
 * streams that were read none may have moved between that and its event (section 4 of the model).
 */
#include <stdint.h>

/* Asked with each event, before it is folded. */
void judged_check(const char *json, const char *type, int64_t seq);
#endif
