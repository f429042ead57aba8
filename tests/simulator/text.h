#ifndef SOV_SIMULATOR_TEXT_H
#define SOV_SIMULATOR_TEXT_H
/* Values of a line of canonical JSON, by a reader of our own: an oracle does not ask the program
 * what the program wrote. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value at a path of keys, "data.who.boot_ms": a string without its quotes, escapes as they
 * stand; anything else as it stands. False if it is not there or does not fit. */
bool text_at(const char *json, const char *path, char *out, size_t room);
int64_t text_int(const char *json, const char *path); /* 0 if it is not there */
bool text_is(const char *json, const char *path, const char *word);
/* Seconds since 1970 of "2030-01-01T00:00:00.000Z". */
int64_t text_seconds(const char *at);
#endif
