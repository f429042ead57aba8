#ifndef SOV_CLI_EXPORT_H
#define SOV_CLI_EXPORT_H
/*
 * The record, handed out. Owns: what each format of `sov export` holds, and the files it becomes.
 * Not here: what is true of it (verify/), signatures (ledger/, base/).
 */
#include "base/writing.h"
#include "cli/record.h"

/* Where the octets go: a file piece by piece, or standard output. */
struct sov_sink {
    struct sov_out *out;
    struct sov_writing writing;
    const char *file; /* NULL: standard output */
};
struct sov_exporting {
    struct sov_call *call;
    const char *format, *file; /* file NULL: standard output */
    struct sov_ref ref;        /* of the word, if there is one */
    bool has_ref;
    struct sov_checkpoint checkpoint; /* of the head; its signature was verified */
    struct sov_node *data;            /* of the result */
};

/* The octets of events, or CloudEvents made of them. With a file and the whole rest of the log the
 * checkpoint is written beside it. */
SOV_MUST_USE bool sov_export_events(struct sov_exporting *e, struct sov_error *err);
/* An online copy of the ledger file, verified, its checkpoint beside it. */
SOV_MUST_USE bool sov_export_ledger(struct sov_exporting *e, struct sov_error *err);
/* What an acceptance stands on, as a folder that proves itself, signed. */
SOV_MUST_USE bool sov_export_bundle(struct sov_exporting *e, struct sov_error *err);
/* The report for an auditor: the views in one file, of the whole or of what a REF is about. */
SOV_MUST_USE bool sov_export_html(struct sov_exporting *e, struct sov_error *err);

/* ---- for those ---- */
/* Every event up to the checkpoint, in order. Fails head_mismatch if they do not give its root. */
SOV_MUST_USE bool sov_export_pass(struct sov_exporting *e,
                                  bool (*each)(void *context, const struct sov_stored *row,
                                               struct sov_error *err),
                                  void *context, struct sov_error *err);
/* head_mismatch, unless that is what was signed. */
SOV_MUST_USE bool sov_export_root_is(const struct sov_exporting *e, uint64_t size,
                                     const struct sov_hash *root, struct sov_error *err);
/* FILE.checkpoint */
const char *sov_export_note_path(const struct sov_exporting *e);
#endif
