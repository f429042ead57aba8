#ifndef SOV_SIMULATOR_HOST_H
#define SOV_SIMULATOR_HOST_H
/* What the linker wraps of the program's own functions, and the real ones behind. */
#include "base/pause.h"

bool __wrap_sov_folder_is_used(const char *path, int64_t since, bool *used_out, int64_t *who_out,
                               struct sov_error *err);
void __wrap_sov_pause_init(struct sov_pause *pause, int64_t max_ms);
void __real_sov_pause_init(struct sov_pause *pause, int64_t max_ms);
#endif
