#ifndef SOV_CLI_OUT_H
#define SOV_CLI_OUT_H
/*
 * Every byte that a person or a script reads. Owns: standard output and standard error, the visible
 * form of text from outside (base/text.h), colour, the JSON envelope, what happens when the output
 * cannot be written. Not here: what is said.
 *
 * A line is built whole, made visible, then written: nothing in it can begin another line or reach
 * the terminal as control. Results gather until the end, so that a refusal leaves nothing behind.
 */
#include "base/crypto.h"
#include "cli/node.h"

/* The only codes that are ever written (SGR). Colour only repeats what the words say. */
enum sov_style {
    SOV_PLAIN = 0,
    SOV_STRONG = 1,
    SOV_FAINT = 2,
    SOV_RED = 31,
    SOV_GREEN = 32,
    SOV_YELLOW = 33,
    SOV_BLUE = 34,
    SOV_CYAN = 36
};

struct sov_out {
    struct sov_arena *arena;
    bool json, quiet, verbose, ascii, no_input;
    bool paged;                    /* the verb's text is for reading: a pager may show it */
    bool paint, paint_error;       /* colour on standard output, on standard error */
    bool terminal, terminal_error; /* what they are */
    bool no_stdin;                 /* standard input was closed before we began */
    bool lost;                     /* something could not be written */
    bool broken;                   /* ... because nobody reads it any more */
    const char *file;              /* -o: NULL or "-" is standard output */
    const char *schema;            /* "sov.log.v1" */
    const char *fields;            /* --json=a,b; NULL: all */
    struct sov_buf text, line, shown;
    struct sov_node *data, *warnings;
    bool streaming;
    bool progress; /* a progress line stands there */
    bool has_ledger;
    struct sov_hash ledger_id, root;
    int64_t seq;       /* head of the ledger, for the envelope */
    int64_t committed; /* seq of what was committed by this command; 0: nothing was */
};

void sov_out_init(struct sov_out *out, struct sov_arena *arena);
void sov_out_release(struct sov_out *out);
/* WHEN of --color, or NULL: the environment and the terminal decide. */
SOV_MUST_USE bool sov_out_color(struct sov_out *out, const char *when, struct sov_error *err);

/* ---- standard output: text; with --json all of these do nothing ---- */
void sov_out_line(struct sov_out *out, const char *fmt, ...) SOV_PRINTF(2, 3);
/* A line in parts. */
void sov_out_part(struct sov_out *out, enum sov_style style, const char *fmt, ...) SOV_PRINTF(3, 4);
void sov_out_end(struct sov_out *out);
/* Lines from outside: line feed and tab stay. */
void sov_out_block(struct sov_out *out, struct sov_bytes text);
/* A document as it is, for another program; made visible only where it meets a terminal. */
void sov_out_octets(struct sov_out *out, struct sov_bytes octets);
/* Each member of an object on a line; lists and objects in it as compact JSON. */
void sov_out_members(struct sov_out *out, const struct sov_node *object);
/* A list of objects as aligned columns; `keys` separated by spaces. */
void sov_out_table(struct sov_out *out, const struct sov_node *list, const char *keys);

/* ---- standard output: JSON ---- */
/* The data of the result, printed by sov_out_finish if --json was given. */
void sov_out_data(struct sov_out *out, struct sov_node *data);
/* The next item of a list too long to be kept: written and forgotten. */
void sov_out_item(struct sov_out *out, const struct sov_node *item);

/* ---- standard error ---- */
void sov_out_note(struct sov_out *out, const char *fmt, ...) SOV_PRINTF(2, 3);    /* not with -q */
void sov_out_verbose(struct sov_out *out, const char *fmt, ...) SOV_PRINTF(2, 3); /* with -v */
/* Something the caller should know beside a success: with --json in `warnings`. */
void sov_out_warn(struct sov_out *out, const char *fmt, ...) SOV_PRINTF(2, 3);
/* One line that overwrites itself, to a terminal, neither with -q nor --json; phase NULL erases it.
 */
void sov_out_progress(struct sov_out *out, const char *phase, int64_t done, int64_t of);
/* The suggested next command: only to a terminal. */
void sov_out_next(struct sov_out *out, const char *command);
/* A refusal, in four parts or as one JSON object (errors.c composes it). */
void sov_out_error_line(struct sov_out *out, enum sov_style style, const char *head,
                        const char *text);
void sov_out_error_json(struct sov_out *out, const struct sov_node *error);

/* Everything that was printed is written, or it fails: output_lost (7) behind a commit, io_error
 * (7) otherwise. With `answer` false only what no success needs is dropped. */
SOV_MUST_USE bool sov_out_finish(struct sov_out *out, struct sov_error *err);
/* Forgets what was gathered: a refusal prints no result. */
void sov_out_drop(struct sov_out *out);

/* Asks; the answer is read from standard input, a terminal then: input_required if it is none. */
SOV_MUST_USE bool sov_out_prompt(struct sov_out *out, const char *question, struct sov_error *err);
/* One line from the terminal, for a prompt: input_required if there is none. */
SOV_MUST_USE bool sov_out_ask(struct sov_out *out, const char *question, char *answer_out,
                              size_t room, struct sov_error *err);
#endif
