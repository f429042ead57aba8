#ifndef SOV_BASE_SHELF_INSIDE_H
#define SOV_BASE_SHELF_INSIDE_H
/* What file.c, folder.c and reading.c ask of a folder that lies in memory. Paths were checked. */
#include "base/shelf.h"

void sov_shelf_facts(const struct sov_folder *folder, const char *path,
                     struct sov_file_facts *facts_out);
/* no_such_file, file_unsafe, too_large; borrowed from the shelf. */
SOV_MUST_USE bool sov_shelf_read(const struct sov_folder *folder, const char *path, size_t size_max,
                                 struct sov_bytes *bytes_out, struct sov_error *err);
SOV_MUST_USE bool sov_shelf_beneath(struct sov_folder *folder, const struct sov_folder *parent,
                                    const char *path, struct sov_error *err);
SOV_MUST_USE bool sov_shelf_names(const struct sov_folder *folder, const char *path,
                                  size_t count_max, struct sov_arena *arena,
                                  struct sov_listing *names_out, struct sov_error *err);
#endif
