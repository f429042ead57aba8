#ifndef SOV_SIMULATOR_EXPIRY_H
#define SOV_SIMULATOR_EXPIRY_H
/* A claim on whom a judge gave up: was its time over? The rows of section 7 of the model, and true
 * time, which only this world knows. */
#include <stdint.h>

void expiry_check(const char *json, int64_t seq, int64_t fence);
#endif
