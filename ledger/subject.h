#ifndef SOV_LEDGER_SUBJECT_H
#define SOV_LEDGER_SUBJECT_H
/*
 * Subjects: the things that outcomes are about, with their integer facts (model.md 1).
 * Owns: state_subject and the subject.* events. Not here: subjects that are only named, which are
 * any text and stand in no table.
 */
#include "ledger/commit.h"
#include "policy/policy.h"

enum { SOV_SUBJECT_FACTS_MAX = 64 };

struct sov_subject {
    const char *id;
    const struct sov_fact *facts; /* by name */
    size_t fact_count;
    int64_t seq; /* of its newest event */
};
struct sov_subjects {
    const struct sov_subject *at;
    size_t count;
};
/* In the arena; *found_out false if none is declared under this id. */
SOV_MUST_USE bool sov_subject_find(const struct sov_ledger *ledger, const char *id,
                                   struct sov_arena *arena, struct sov_subject *subject_out,
                                   bool *found_out, struct sov_error *err);
/* The same, no_such_id (3) if there is none. */
SOV_MUST_USE bool sov_subject_get(const struct sov_ledger *ledger, const char *id,
                                  struct sov_arena *arena, struct sov_subject *subject_out,
                                  struct sov_error *err);
/* All, by id. */
SOV_MUST_USE bool sov_subject_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                                   struct sov_subjects *subjects_out, struct sov_error *err);
/* Facts as they stand in an event, a canonical object of integers; false if it is none. */
bool sov_facts_read(struct sov_bytes object, struct sov_arena *arena,
                    const struct sov_fact **facts_out, size_t *count_out);
/* The object again; `facts` ascend by name. */
void sov_facts_put(struct sov_writer *w, const char *key, const struct sov_fact *facts,
                   size_t count);

/* ---- operations ---- */
/* A fact's name is an id, given once, and not `quantity`, which rules use for the quantity. The id
 * is free, also after folding ASCII case: exists. */
SOV_MUST_USE bool sov_subject_declare(struct sov_commit *commit, const char *id,
                                      const struct sov_fact *facts, size_t count,
                                      struct sov_done *done_out, struct sov_error *err);
/* Sets the named facts; the others stay. */
SOV_MUST_USE bool sov_subject_revise(struct sov_commit *commit, const char *id,
                                     const struct sov_fact *facts, size_t count, const char *reason,
                                     struct sov_done *done_out, struct sov_error *err);
#endif
