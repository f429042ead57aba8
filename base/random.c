#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/seams.h"

static bool fill(void *self, uint8_t *octets, size_t size, struct sov_error *err)
{
    (void)self;
    while (size > 0) {
        ssize_t got = getrandom(octets, size, 0);

        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            return sov_fail(err, SOV_UNABLE, "io_error", "the system gave no random octets: %s",
                            strerror(errno));
        octets += got;
        size -= (size_t)got;
    }
    return true;
}

struct sov_random sov_random_system(void)
{
    return (struct sov_random){ .fill = fill };
}
