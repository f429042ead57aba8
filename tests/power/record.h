#ifndef SOV_TESTS_POWER_RECORD_H
#define SOV_TESTS_POWER_RECORD_H
/*
 * What a command does to the files of its place, call by call and in order, with all octets. The
 * program that is recorded is this one, forked: record.c stands between its libraries, SQLite's
 * too, and the C library. What a program does that the command starts by exec is not seen.
 */
#include "base/bytes.h"

enum op_kind {
    OP_NONE,
    OP_WRITE,  /* octets at offset */
    OP_RESIZE, /* to offset */
    OP_SYNC,   /* of the file */
    OP_CREATE, /* an empty file of that name */
    OP_FOLDER, /* an empty folder */
    OP_UNLINK, /* the name goes */
    OP_RENAME, /* from path to target */
    OP_SYNC_FOLDER,
    OP_SAY /* octets of standard output: what was acknowledged */
};
struct op {
    enum op_kind kind;
    const char *path, *target; /* beneath the place, "repo/governance/README.md" */
    uint64_t offset;
    struct sov_bytes octets;
};
/* The record lies in memory that a child shares; ops point into it. */
struct record {
    const char *root; /* absolute path of the place */
    struct record_room *room;
    struct op *op;
    size_t count;
};
/* Runs `act` in a child, in the place: HOME is home/, the working folder repo/, what it says is in
 * out and err. Its exit status; -1: it died, or the record has no room. */
int record_run(struct record *record, const char *root, int (*act)(void *self), void *self);
void record_release(struct record *record);
#endif
