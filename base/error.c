#include "base/error.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *sov_exit_word(enum sov_exit exit)
{
    switch (exit) {
#define X(name, status, word)                                                                      \
    case name:                                                                                     \
        return word;
        SOV_EXITS(X)
#undef X
    }
    return "unknown";
}

void sov_error_set(struct sov_error *err, enum sov_exit exit, const char *code, const char *fmt,
                   ...)
{
    va_list args;

    assert(err && code && fmt && exit != SOV_OK);
    err->exit = exit;
    err->code = code;
    err->why[0] = 0;
    err->ref_count = 0;
    err->seq = 0;
    va_start(args, fmt);
    vsnprintf(err->what, sizeof err->what, fmt, args);
    va_end(args);
}

void sov_error_ref(struct sov_error *err, const char *ref)
{
    assert(err && ref);
    if (err->ref_count == SOV_ERROR_REFS) return;
    snprintf(err->refs[err->ref_count++], SOV_ERROR_REF_SIZE, "%s", ref);
}

void sov_error_why(struct sov_error *err, const char *fmt, ...)
{
    va_list args;

    assert(err && fmt);
    va_start(args, fmt);
    vsnprintf(err->why, sizeof err->why, fmt, args);
    va_end(args);
}
