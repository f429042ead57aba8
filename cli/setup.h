#ifndef SOV_CLI_SETUP_H
#define SOV_CLI_SETUP_H
/*
 * Text of ours in files of other people: a block between two marker lines, whose first one holds
 * the digest of what stands between them. Owns: finding, adding, renewing and taking out such a
 * block, octet for octet, and what sov writes into them. Not here: which file it is, asking,
 * writing (verb_setup.c).
 */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

enum { SOV_SETUP_SIZE_MAX = 1 << 20 };

/* What is wanted of one file. */
struct sov_setup_text {
    const char *name; /* of the markers: "git" */
    const char *head; /* lines that a file of ours begins with, before the block: "#!/bin/sh\n" */
    const char *body; /* what stands between the markers: whole lines */
    bool (*fits)(struct sov_bytes text); /* may the block stand behind this? NULL: never */
};
enum sov_setup_change {
    SOV_SETUP_SAME,   /* nothing to do */
    SOV_SETUP_CREATE, /* a new file */
    SOV_SETUP_WRITE,  /* the file with the block in it, renewed, or without it */
    SOV_SETUP_REMOVE, /* nothing but ours was in it */
    SOV_SETUP_FOREIGN /* a file of somebody else's, and the block may not stand there */
};
struct sov_setup_result {
    enum sov_setup_change change;
    struct sov_bytes after;
};
/* The two lines that enclose a block and what is between, in the arena. */
const char *sov_setup_block(const struct sov_setup_text *text, struct sov_arena *arena);
/* Of a file (.data NULL: there is none) with the block in it, or with `removing` without it.
 * setup_edited (5): the markers do not hold what was written between them, or are no pair;
 * bad_text (2): lines that end in CR LF, a NUL, no UTF-8. */
SOV_MUST_USE bool sov_setup_judge(const struct sov_setup_text *text, struct sov_bytes before,
                                  bool removing, struct sov_arena *arena,
                                  struct sov_setup_result *result_out, struct sov_error *err);
/* Does a job at the end of this .gitlab-ci.yml stand at its top level, with a name that is free? */
bool sov_setup_takes_job(struct sov_bytes yaml);

/* Where CI takes the program from. */
struct sov_setup_source {
    const char *url;    /* "https://host/path" */
    const char *slug;   /* "OWNER/REPO" if it is of GitHub, else NULL */
    const char *commit; /* 40 or 64 hex digits */
};
/* "OWNER/REPO@COMMIT" or "https://HOST/PATH@COMMIT": bad_value (2). */
SOV_MUST_USE bool sov_setup_source(const char *text, struct sov_arena *arena,
                                   struct sov_setup_source *source_out, struct sov_error *err);
/* What the job, the workflow and the hook are. */
const char *sov_setup_hook(void);
const char *sov_setup_github(const struct sov_setup_source *source, const char *ledger_id,
                             struct sov_arena *arena);
const char *sov_setup_gitlab(const struct sov_setup_source *source, const char *ledger_id,
                             struct sov_arena *arena);
#endif
