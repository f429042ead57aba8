#ifndef SOV_POLICY_READ_H
#define SOV_POLICY_READ_H
/*
 * Private: reads canonical JSON strictly and knows where it is, so that a refusal names the JSON
 * pointer. After a failure the pointer stays at the place and the reader is of no more use.
 */
#include "base/arena.h"
#include "base/scan.h"

struct sov_reader {
    struct sov_arena *arena;
    struct sov_error *err;
    char pointer[SOV_ERROR_REF_SIZE];
    size_t size;
};

/* Goes one step down; the answer leads back. */
size_t sov_read_enter(struct sov_reader *r, const char *key);
size_t sov_read_enter_item(struct sov_reader *r, size_t n);
void sov_read_leave(struct sov_reader *r, size_t back);
/* policy_invalid at the pointer; always false. */
bool sov_read_refuse(struct sov_reader *r, const char *fmt, ...) SOV_PRINTF(2, 3);

/* The rest ask for the value of `key` in the place where the reader is; key NULL: of the place
 * itself. An object has exactly the keys given; values_out in their order. */
SOV_MUST_USE bool sov_read_object(struct sov_reader *r, const char *key, struct sov_value value,
                                  const char *const *keys, size_t count,
                                  struct sov_value *values_out);
/* The same, but only the first `required` must be there; what is left out has .data NULL. */
SOV_MUST_USE bool sov_read_object_some(struct sov_reader *r, const char *key,
                                       struct sov_value value, const char *const *keys,
                                       size_t required, size_t count, struct sov_value *values_out);
SOV_MUST_USE bool sov_read_list(struct sov_reader *r, const char *key, struct sov_value value,
                                size_t least, size_t most, size_t *count_out);
SOV_MUST_USE bool sov_read_int(struct sov_reader *r, const char *key, struct sov_value value,
                               int64_t least, int64_t most, int64_t *n_out);
SOV_MUST_USE bool sov_read_bool(struct sov_reader *r, const char *key, struct sov_value value,
                                bool *yes_out);
/* Copied into the arena; 1 to max bytes, not blank. */
SOV_MUST_USE bool sov_read_text(struct sov_reader *r, const char *key, struct sov_value value,
                                size_t max, const char **text_out);
SOV_MUST_USE bool sov_read_id(struct sov_reader *r, const char *key, struct sov_value value,
                              const char **id_out);
/* A literal of id characters (names: of name characters; free: anything), or a prefix and *. */
enum sov_pattern { SOV_PATTERN_ID, SOV_PATTERN_NAME, SOV_PATTERN_FREE };
SOV_MUST_USE bool sov_read_pattern(struct sov_reader *r, const char *key, struct sov_value value,
                                   enum sov_pattern of, const char **pattern_out);
/* The place of the text among the words. */
SOV_MUST_USE bool sov_read_word(struct sov_reader *r, const char *key, struct sov_value value,
                                const char *const *words, size_t count, size_t *n_out);
#endif
