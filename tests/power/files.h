#ifndef SOV_TESTS_POWER_FILES_H
#define SOV_TESTS_POWER_FILES_H
/*
 * Whether views, pins, keys and the other small files that a crash has left are whole: each is the
 * one from before or one that was finished, never empty, short or zeros; what was acknowledged is
 * the new one; no pin and no checkpoint is ahead of the ledger. A file that the command was still
 * making under its own name may be torn as long as no commit can know of it.
 */
#include "tests/power/disk.h"

struct files {
    struct whole { /* contents a file may have */
        const char *path;
        struct sov_fingerprint print;
    } * whole;
    size_t count, room;
    const struct record *record;
    struct left before, after;
};
/* `disk`: as it was before the record. Learns what is whole by doing all of it once. */
void files_learn(struct files *files, const struct record *record, struct disk *before,
                 struct disk *done);
void files_release(struct files *files);
struct moment {
    size_t done;
    int64_t first, least, most;
    bool told;
};
/* At a moment: so many acts are done; the ledger has at least `least` and at most `most` events,
 * `first` before the command; `told`: all was acknowledged. False, and
 * what is wrong; true with words if a file is torn that nobody knows of yet. */
bool files_judge(const struct files *files, const struct left *left, const struct moment *moment,
                 char *why_out, size_t room);
/* Files that SQLite writes, and the rest. */
bool is_ledger_file(const char *path);
#endif
