#ifndef SOV_BASE_READING_H
#define SOV_BASE_READING_H
/*
 * One file of somebody else's, held open for a careful reading: what was looked at is what is read.
 * Owns: a descriptor opened beneath a folder without following a link, piecewise reading, the text
 * of a link. Not here: what makes a file acceptable (the caller compares the facts).
 */
#include "base/file.h"

struct sov_reading {
    int fd;
    bool open;
    struct sov_bytes rest; /* of a file that lies in memory: fd is -1 then */
};
/* Opens without blocking and says what it is; nothing is read. Fails as sov_file_read does, and
 * file_unsafe for what lies on another device than the folder. Not refused: more than one link,
 * other owners, special files. */
SOV_MUST_USE bool sov_reading_open(struct sov_reading *reading, const struct sov_folder *folder,
                                   const char *path, struct sov_file_facts *facts_out,
                                   struct sov_error *err);
void sov_reading_close(struct sov_reading *reading); /* for SOV_CLEANUP */
/* As it is now. */
SOV_MUST_USE bool sov_reading_facts(const struct sov_reading *reading,
                                    struct sov_file_facts *facts_out, struct sov_error *err);
/* The next octets, `room` of them unless the end comes first. */
SOV_MUST_USE bool sov_reading_next(struct sov_reading *reading, uint8_t *octets, size_t room,
                                   size_t *size_out, struct sov_error *err);
/* Where a link points to, as it stands. Fails no_such_file, file_unsafe (it is none), io_error. */
SOV_MUST_USE bool sov_link_read(const struct sov_folder *folder, const char *path,
                                struct sov_arena *arena, struct sov_bytes *target_out,
                                struct sov_error *err);
#endif
