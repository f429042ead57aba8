#ifndef SOV_BASE_JSON_PLAIN_H
#define SOV_BASE_JSON_PLAIN_H
/*
 * A scanned foreign text, spelled so that cJSON reads it right. Alone it cuts strings at a NUL,
 * refuses lone surrogates, fails on numbers over 63 digits, and takes 9007199254740991.4 or
 * 1.00000000000000000001 for whole.
 * Not here: the parse (json.c).
 */
#include "base/buf.h"

/* The longest growth: 1e15 is spelled out. */
enum { SOV_JSON_PLAIN_GROWTH = 5, SOV_JSON_VALUES = 1 << 20 };
/* What each number that is not whole or out of range becomes: nobody can ask for its value. */
#define SOV_JSON_NO_INT 0.5

/* Fails too_large over SOV_JSON_VALUES values. */
SOV_MUST_USE bool sov_json_plain(struct sov_bytes text, struct sov_buf *out, struct sov_error *err);
/* The value of a JSON number, exactly, if it is whole and within +-(2^53-1). */
bool sov_json_whole(struct sov_bytes number, int64_t *n_out);
#endif
