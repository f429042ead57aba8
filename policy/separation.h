#ifndef SOV_POLICY_SEPARATION_H
#define SOV_POLICY_SEPARATION_H
/*
 * Who is the same as whom, and which of the four sets of a term may not share a member
 * (model.md 2). All facts come from the log; nothing here looks for them.
 */
#include "base/bytes.h"
#include "base/error.h"

enum sov_actor_kind { SOV_PERSON, SOV_ROBOT, SOV_SERVICE };

/* An actor as separation sees it. `keys` is every key ever registered for it, revoked ones too, in
 * any one spelling; `answerable` is the end of its represents, or its own id. */
struct sov_person_facts {
    const char *id, *answerable;
    const struct sov_bytes *keys;
    size_t key_count;
    enum sov_actor_kind kind;
};
struct sov_people {
    const struct sov_person_facts *at;
    size_t count;
};

enum sov_same { SOV_DISTINCT, SOV_SAME_ID, SOV_SAME_KEY, SOV_SAME_ANSWERABLE };
/* How the two meet, the first of id, key, answerable that does. */
enum sov_same sov_policy_same(const struct sov_person_facts *a, const struct sov_person_facts *b);
const char *sov_policy_same_word(enum sov_same same); /* "id", "key", "answerable" */

enum sov_set { SOV_PERFORMERS, SOV_VERIFIERS, SOV_REVIEWERS, SOV_ACCEPTERS, SOV_SET_COUNT };
struct sov_sets {
    struct sov_people of[SOV_SET_COUNT];
};
/* The actor is about to join one set: it must be the same as no member of another. Fails
 * self_assign, self_verify, self_review or self_accept (by the set joined), naming the set, the
 * member and what met; the sets are asked in the order of the enum. */
SOV_MUST_USE bool sov_policy_separate(enum sov_set joins, const struct sov_person_facts *actor,
                                      const struct sov_sets *sets, struct sov_error *err);
/* Performers, verifiers and reviewers, pairwise, by today's facts: roles_not_distinct. */
SOV_MUST_USE bool sov_policy_distinct(const struct sov_sets *sets, struct sov_error *err);
/* A waiver is not given by a performer: self_waive. */
SOV_MUST_USE bool sov_policy_waiver(const struct sov_person_facts *ruler,
                                    const struct sov_people *performers, struct sov_error *err);

/* One row an actor that represents somebody. */
struct sov_represents {
    const char *id, *represents;
};
/* Follows represents to its end; an id that represents nobody is its own answer. A cycle:
 * represents_invalid. */
SOV_MUST_USE bool sov_policy_answerable(const struct sov_represents *rows, size_t count,
                                        const char *id, const char **answerable_out,
                                        struct sov_error *err);

/* How many of these are pairwise not the same, persons first, then in the order given: a member the
 * same as one already counted does not count. */
struct sov_quorum {
    size_t counted, persons;
};
struct sov_quorum sov_policy_count(const struct sov_people *people);
#endif
