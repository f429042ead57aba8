#ifndef SOV_TESTS_POWER_DISK_H
#define SOV_TESTS_POWER_DISK_H
/*
 * A disk whose power can go. Of what was written to a file since its last sync any part may be
 * there, sector by sector; of what was done to names in a folder since its last sync, the first so
 * many acts; everything synced is there. A file that grew may have its new length without the
 * octets: they read as zeros then.
 */
#include "tests/power/image.h"
#include "tests/power/record.h"

enum { SECTOR = 512 };

struct disk;
/* Knows the files beneath root whose path (from there) `takes` says yes to, now and later. */
struct disk *disk_new(const char *root, bool (*takes)(void *self, const char *path), void *self);
void disk_close(struct disk *disk);
/* An act of the recorded command, done. */
void disk_do(struct disk *disk, const struct op *op);
/* The next act would settle something here: a sync of what is not settled yet. */
bool disk_settles(const struct disk *disk, const struct op *op);
bool disk_is_settled(const struct disk *disk);

/* How much of what is not settled is there. Parts are counted in order over all files: each sector
 * of each write, each change of a length. */
enum pick_kind {
    PICK_FIRST,   /* the first n parts, as if nothing were out of order */
    PICK_BUT_ONE, /* all writes but the nth */
    PICK_ONE,     /* the nth write alone */
    PICK_BITS,    /* the parts whose bits n has */
    PICK_WRITES,  /* whole writes, drawn */
    PICK_PARTS,   /* parts, drawn */
    PICK_TORN     /* whole writes, drawn, and one of them torn */
};
struct pick {
    enum pick_kind kind;
    uint64_t n;     /* also what is drawn from */
    uint64_t odds;  /* of 256: that a drawn one is there */
    uint64_t names; /* 0: all acts on names are there; else so many as are drawn from it */
};
struct unsettled {
    size_t writes, parts, names;
};
struct unsettled disk_unsettled(const struct disk *disk);
/* The fingerprint of a file as it is without a crash; false if there is none. */
bool disk_file(const struct disk *disk, const char *path, struct sov_fingerprint *print_out);
/* Names that `keeps` says no to are known no longer. */
void disk_narrow(struct disk *disk, bool (*keeps)(void *self, const char *path), void *self);

/* What a crash leaves. Files are in the order of their paths. */
struct left_file {
    const char *path;
    struct image image;
    struct sov_fingerprint print;
};
struct left {
    struct left_file *file;
    size_t count;
    struct sov_fingerprint print;
};
void disk_crash(struct disk *disk, const struct pick *pick, struct left *left_out);
/* What there is without a crash. */
void disk_now(struct disk *disk, struct left *left_out);
void left_release(struct left *left);
const struct left_file *left_find(const struct left *left, const char *path);
#endif
