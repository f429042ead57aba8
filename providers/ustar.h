#ifndef SOV_PROVIDERS_USTAR_H
#define SOV_PROVIDERS_USTAR_H
/*
 * A folder as a POSIX ustar archive: names in byte order, owner and times zero, links as links;
 * what is neither file, folder nor link stands in it as an empty FIFO, by name only. The same
 * folder gives the same octets.
 */
#include "base/buf.h"
#include "base/file.h"

/* Adds to `out`, whose room is the limit: too_large. file_unsafe: a name or a link that ustar
 * cannot say, or what changed while it was read. */
SOV_MUST_USE bool sov_ustar_write(const struct sov_folder *folder, struct sov_buf *out,
                                  struct sov_error *err);
#endif
