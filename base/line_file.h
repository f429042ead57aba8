#ifndef SOV_BASE_LINE_FILE_H
#define SOV_BASE_LINE_FILE_H
/*
 * A file of the caller's, or standard input, read line by line with memory for one line. Owns: that
 * descriptor. Not here: what a line says.
 */
#include "base/buf.h"
#include "base/error.h"

struct sov_line_file {
    const char *path; /* borrowed */
    uint8_t *room;
    size_t line_max, from, to;
    int fd; /* our own, or 0 */
    bool open, ended;
};
/* "-" is standard input. no_such_file (3), io_error (7). */
SOV_MUST_USE bool sov_line_file_open(struct sov_line_file *file, const char *path, size_t line_max,
                                     struct sov_error *err);
/* The next line without its line feed, borrowed until the next call; *found_out false at the end.
 * bad_text (2): a line that is longer than line_max, or that ends with the file and not by a line
 * feed, as one does that was cut. */
SOV_MUST_USE bool sov_line_file_next(struct sov_line_file *file, struct sov_bytes *line_out,
                                     bool *found_out, struct sov_error *err);
void sov_line_file_close(struct sov_line_file *file); /* for SOV_CLEANUP */
#endif
