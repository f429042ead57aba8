#ifndef SOV_TESTS_PUBLISHING_FIXTURE_H
#define SOV_TESTS_PUBLISHING_FIXTURE_H
/*
 * A store whose repository can be published, looked at and damaged. Paths are relative to the
 * repository; a word LOG in one stands for the first segment, NOTE for the newest checkpoint.
 */
#include "projections/projections.h"
#include "tests/judgement_fixture.h"

struct publishing {
    struct judging j;
    struct sov_folder repo;
};
void publishing_open(struct publishing *p);
void publishing_close(struct publishing *p);
int publishing_setup(void **state);
int publishing_teardown(void **state);

/* ---- the code under test ---- */
/* `expected` NULL: done; else refused with this code, no file touched. A dry call touches none. */
struct sov_published publishing_act(struct publishing *p, struct sov_publish_options options,
                                    const char *expected);
struct sov_published publish(struct publishing *p);
struct sov_published restore(struct publishing *p);
void refused(struct publishing *p, const char *code);
struct sov_publication look(struct publishing *p);
struct seen {
    char text[4096]; /* "differs governance/sows/SOW-1.md:12, ..." */
    struct sov_compared compared;
};
const char *compare_at(struct publishing *p, int64_t size, struct seen *seen);
void all_is_equal(struct publishing *p); /* at the published size */
/* The paths written, without governance/, one space between. */
const char *written(struct publishing *p, const struct sov_published *published);
bool wrote(const struct sov_published *published, const char *path);

/* ---- files, without it ---- */
const char *text_of(struct publishing *p, const char *fmt, ...) SOV_PRINTF(2, 3);
const char *at_path(struct publishing *p, const char *path); /* absolute */
struct sov_bytes file_of(struct publishing *p, const char *path);
bool is_there(struct publishing *p, const char *path);
void put_file(struct publishing *p, const char *path, struct sov_bytes content, unsigned mode);
void put_text(struct publishing *p, const char *path, const char *text); /* 0644 */
void edit(struct publishing *p, const char *path, const char *from, const char *to);
void remove_at(struct publishing *p, const char *path);
void move_at(struct publishing *p, const char *from, const char *to);
void link_at(struct publishing *p, const char *path, const char *target);
void folder_at(struct publishing *p, const char *path);
/* Names, kinds, modes and octets of everything beneath a folder; `views`: of governance/ without
 * log/ and checkpoints/. */
struct sov_hash digest_of(struct publishing *p, const char *path, bool views);
void copy_tree(struct publishing *p, const char *from, const char *to);
/* The ledger file as it is now, and back again. */
struct sov_bytes ledger_octets(struct publishing *p);
void ledger_put_back(struct publishing *p, struct sov_bytes octets);
#endif
