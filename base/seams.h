#ifndef SOV_BASE_SEAMS_H
#define SOV_BASE_SEAMS_H
/*
 * Everything by which two runs of the same command can differ. Production binds each to the system
 * (sov_clock_system, sov_random_system), tests and the simulator bind them to a seed. A seam is
 * borrowed for as long as the handle that was given it lives.
 */
#include "base/error.h"
#include "base/time.h"

enum { SOV_BOOT_ID_SIZE = 36, SOV_MACHINE_SIZE = 32 }; /* characters, without the NUL */

struct sov_now {
    struct sov_instant wall;
    int64_t boot_ms;                    /* CLOCK_BOOTTIME: goes on while suspended */
    char boot[SOV_BOOT_ID_SIZE + 1];    /* the kernel's boot id */
    char machine[SOV_MACHINE_SIZE + 1]; /* hex digest of the machine id, never the id itself */
};

struct sov_clock {
    void *self;
    bool (*read)(void *self, struct sov_now *now_out, struct sov_error *err);
};
struct sov_random {
    void *self;
    bool (*fill)(void *self, uint8_t *octets, size_t size, struct sov_error *err);
};

struct sov_seams {
    struct sov_clock clock;
    struct sov_random random;
    const char *vfs; /* name of the SQLite file system, NULL: the default */
};

/* For deadlines of children and agents only, never for what is recorded or decided; no origin.
 * base/clock.c */
int64_t sov_monotonic_ms(void);

struct sov_clock sov_clock_system(void);   /* base/clock.c */
struct sov_random sov_random_system(void); /* base/random.c */
#endif
