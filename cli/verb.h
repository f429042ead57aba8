#ifndef SOV_CLI_VERB_H
#define SOV_CLI_VERB_H
/*
 * A verb as rows, and one call of it. Parser, help, completion, man page and tables come from these
 * rows. Owns: what a verb function is handed and the helpers that all of them use.
 */
#include "cli/args.h"
#include "cli/out.h"
#include "cli/places.h"
#include "ledger/ledger.h"

enum {
    SOV_READS = 1,        /* the ledger is open and held at one moment */
    SOV_WRITES = 2,       /* takes the flags of a write; sov_deed_begin opens the ledger */
    SOV_SIGNS = 4,        /* takes --sign-key; the configuration names no signer */
    SOV_AS_HOST = 8,      /* a pass: acts as host whoever asks */
    SOV_OUTSIDE_RUN = 16, /* refused inside a run */
    SOV_HAS_REST = 32,    /* takes words behind -- as a command */
    SOV_HIDDEN = 64,      /* in no list */
    SOV_PAGED = 128,
    SOV_DRY = 256,    /* takes --dry-run, of the flags of a write */
    SOV_CLONES = 512, /* where no ledger file is, a published log will do */
    SOV_FILED = 1024 /* --format says what -o FILE holds: the verb writes it, the answer is apart */
};

struct sov_call;
struct sov_form {
    const char *name; /* second word: "new" of `sow new`; "" for the verb alone */
    bool (*run)(struct sov_call *call, struct sov_error *err);
    unsigned needs;
    unsigned least, most; /* words behind the name */
    const char *takes;    /* synopsis behind the name: its flags are the flags of the form */
    const char *does;     /* one line */
    const char *fields;   /* of the data: "id:s seq:i?"; s i b a o, ? may be null */
    const char *exits;    /* "1 a check fails" lines beyond 0 2 3 7, or "" */
    const char *examples; /* lines, "" for none */
    const char *formats;  /* of --format, beside text; NULL: none */
};
struct sov_verb {
    const char *name, *does;
    const char *help; /* paragraphs, or "" */
    const struct sov_form *forms;
    size_t count;
    unsigned group; /* of `sov help`: enum below */
};
enum {
    SOV_GROUP_START,
    SOV_GROUP_WORK,
    SOV_GROUP_JUDGE,
    SOV_GROUP_LAW,
    SOV_GROUP_CARE,
    SOV_GROUP_COUNT
};

/* The data of every write begins with these. */
#define SOV_WRITE_FIELDS "id:s effect:s seqs:a next:s?"

struct sov_call {
    const struct sov_verb *verb;
    const struct sov_form *form;
    struct sov_args args;
    const char *const *words; /* behind verb and form */
    size_t word_count;
    struct sov_arena *arena;
    struct sov_out *out;
    const struct sov_seams *seams;
    struct sov_found found;
    struct sov_ledger *ledger; /* NULL until opened */
    struct sov_txn txn;        /* of a reading verb */
    int64_t wait_ms;
    enum sov_exit answer; /* SOV_NO: it ran, and the answer is no */
    const struct sov_error *fault; /* the first grave one of a pass that went on; NULL: none */
};

/* ---- arguments ---- */
static inline const char *sov_value_of(const struct sov_call *call, enum sov_flag flag)
{
    return sov_args_value(&call->args, flag);
}
static inline bool sov_given(const struct sov_call *call, enum sov_flag flag)
{
    return sov_args_have(&call->args, flag);
}
/* A word by place, or NULL. */
const char *sov_word_at(const struct sov_call *call, size_t n);
/* All values of a repeated flag, in order. */
size_t sov_values_of(const struct sov_call *call, enum sov_flag flag,
                     const char *const **values_out);
/* Whole: digits without a leading zero, or a minus before them, within +-(2^53-1). */
SOV_MUST_USE bool sov_integer(const char *text, int64_t *n_out);
SOV_MUST_USE bool sov_int_of(const struct sov_call *call, enum sov_flag flag, int64_t least,
                             int64_t most, int64_t otherwise, int64_t *n_out,
                             struct sov_error *err);
/* "SOW-7" as 7: usage if the word is no id of that kind. */
SOV_MUST_USE bool sov_number_at(const struct sov_call *call, size_t n, enum sov_stream_kind kind,
                                int64_t *number_out, struct sov_error *err);
SOV_MUST_USE bool sov_number_of(const struct sov_call *call, enum sov_flag flag,
                                enum sov_stream_kind kind, int64_t *number_out,
                                struct sov_error *err); /* not given: 0 */
/* A file that the caller named; "-" is standard input, which is no terminal. */
SOV_MUST_USE bool sov_file_of(struct sov_call *call, const char *path, size_t size_max,
                              struct sov_bytes *bytes_out, struct sov_error *err);
/* The same, and it must be text: bad_text. */
SOV_MUST_USE bool sov_text_of(struct sov_call *call, const char *path, size_t size_max,
                              const char **text_out, struct sov_error *err);
/* A strict JSON file of ours in canonical form. */
SOV_MUST_USE bool sov_json_of(struct sov_call *call, const char *path, size_t size_max,
                              struct sov_bytes *canonical_out, struct sov_error *err);

/* ---- the ledger ---- */
/* The place is trusted, and its file system one that needs no event or has one; nothing is open
 * afterwards. */
SOV_MUST_USE bool sov_call_place_fits(struct sov_call *call, struct sov_error *err);
/* Opens for reading and holds one moment; idempotent. For the envelope, head and root are kept. */
SOV_MUST_USE bool sov_call_read(struct sov_call *call, struct sov_error *err);
/* There is no ledger file, but a published log that this form reads instead. */
SOV_MUST_USE bool sov_call_is_clone(struct sov_call *call, bool *clone_out, struct sov_error *err);
/* What one item of a pass met, which goes on with the others. A rule that says no is said, and that
 * is all; what the record or the system refuses (6, 7) is the end of the verb, too: at its end
 * sov_call_faults fails as the first of these did. `fault` is borrowed until then. */
void sov_call_fault(struct sov_call *call, const struct sov_error *fault);
SOV_MUST_USE bool sov_call_faults(const struct sov_call *call, struct sov_error *err);
/* Head and root as they are now, for the envelope. */
SOV_MUST_USE bool sov_call_head(struct sov_call *call, struct sov_error *err);
/* Lets go of the moment, so that a write may follow or long work begin. */
void sov_call_release(struct sov_call *call);
/* Who acts: flag, environment, configuration. input_required if nobody is named. */
SOV_MUST_USE bool sov_call_actor(struct sov_call *call, const char **actor_out,
                                 struct sov_error *err);
/* Opens for writing: inputs are read before. */
SOV_MUST_USE bool sov_call_write(struct sov_call *call, struct sov_error *err);

/* The same on a file system that is not trusted: for the verb that lets it be trusted. */
SOV_MUST_USE bool sov_call_write_anywhere(struct sov_call *call, struct sov_error *err);

/*
 * One governed operation in a commit of its own:
 *   SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
 *   return sov_deed_begin(&w, call, err) && sov_sow_ready(&w.commit, n, &w.done, err) &&
 *          sov_deed_finish(&w, err) && sov_deed_say(&w, "ready", "sov assign %s --to ACTOR");
 */
struct sov_deed {
    struct sov_call *call;
    struct sov_commit commit;
    struct sov_done done;
    const struct sov_appended *events; /* of the commit, ascending */
    size_t event_count;
    struct sov_node *data; /* id, effect, seqs, next; a verb may add more */
    int64_t head;
};
SOV_MUST_USE bool sov_deed_begin(struct sov_deed *w, struct sov_call *call, struct sov_error *err);
SOV_MUST_USE bool sov_deed_finish(struct sov_deed *w, struct sov_error *err);
void sov_deed_end(struct sov_deed *w);
/* Prints `ID what (seq N)` and the suggested next command, in which %s stands for the id. Always
 * true, to end a chain. */
bool sov_deed_say(struct sov_deed *w, const char *what, const char *next);
/* The seqs and ids of the events in a dry run or with -v. */
void sov_deed_events(struct sov_deed *w);
const char *sov_effect_text(enum sov_effect_word effect); /* created, noop, would */

/* INT or TERM has come: interrupted or terminated. Asked before a commit and in long work. */
SOV_MUST_USE bool sov_call_goes_on(struct sov_error *err);

/* ---- the table (run.c) ---- */
const struct sov_verb *sov_verb_at(size_t n); /* NULL past the end */
const struct sov_verb *sov_verb_find(const char *name);
/* The flags that a form takes, from its synopsis and its needs. */
struct sov_flags sov_form_flags(const struct sov_form *form);
/* "sow new OUT --title T ...", in the arena. */
const char *sov_form_synopsis(const struct sov_verb *verb, const struct sov_form *form,
                              struct sov_arena *arena);
/* Name of the result's schema: "sov.sow.new.v1". */
const char *sov_form_schema(const struct sov_verb *verb, const struct sov_form *form,
                            struct sov_arena *arena);
const char *sov_call_name(const struct sov_call *call); /* "sow new" */
/* errors.c: the four parts. */
void sov_error_print(const struct sov_call *call, struct sov_out *out, const struct sov_error *err);
/* The same as data: the object of sov.error.v1. */
struct sov_node *sov_error_node(const struct sov_call *call, const struct sov_error *err,
                                struct sov_arena *arena);
/* verb_help.c: help of one verb, and the page of the bare program. */
void sov_help_verb(struct sov_call *call, const struct sov_verb *verb, const struct sov_form *form);
void sov_help_bare(struct sov_call *call);

#define SOV_VERBS(X)                                                                               \
    X(init)                                                                                        \
    X(status)                                                                                      \
    X(log)                                                                                         \
    X(show)                                                                                        \
    X(actor)                                                                                       \
    X(key)                                                                                         \
    X(policy)                                                                                      \
    X(blob)                                                                                        \
    X(help)                                                                                        \
    X(version)                                                                                     \
    X(ready)                                                                                       \
    X(why)                                                                                         \
    X(subject)                                                                                     \
    X(account)                                                                                     \
    X(change)                                                                                      \
    X(pulse)                                                                                       \
    X(outcome)                                                                                     \
    X(sow)                                                                                         \
    X(assign)                                                                                      \
    X(claim)                                                                                       \
    X(signal)                                                                                      \
    X(run)                                                                                         \
    X(report)                                                                                      \
    X(check)                                                                                       \
    X(review)                                                                                      \
    X(accept)                                                                                      \
    X(approval)                                                                                    \
    X(approve)                                                                                     \
    X(instance)                                                                                    \
    X(session)                                                                                     \
    X(delivery)                                                                                    \
    X(mail)                                                                                        \
    X(ruling)                                                                                      \
    X(provider)                                                                                    \
    X(heartbeat)                                                                                   \
    X(verify)                                                                                      \
    X(prove)                                                                                       \
    X(witness)                                                                                     \
    X(export)                                                                                      \
    X(import)                                                                                      \
    X(project)                                                                                     \
    X(rebuild)                                                                                     \
    X(merge_driver)                                                                                \
    X(setup)                                                                                       \
    X(supervise)                                                                                   \
    X(recover)                                                                                     \
    X(doctor)                                                                                      \
    X(demo)                                                                                        \
    X(schema)                                                                                      \
    X(completion)                                                                                  \
    X(__complete)                                                                                  \
    X(__docs)
#define X(name) const struct sov_verb *sov_verb_##name(void);
SOV_VERBS(X)
#undef X
#endif
