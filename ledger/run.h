#ifndef SOV_LEDGER_RUN_H
#define SOV_LEDGER_RUN_H
/*
 * Runs: attempts that have started (model.md 7, providers.md 8). A run is named by its assignment
 * and its fence, ASG-12.88. Owns: state_run, state_stale, state_refused and the events
 * run.started, run.finished, result.stale, effect.refused. Not here: the claim (claim.h), the
 * outside (providers/), the receipt (receipt.h).
 */
#include "ledger/blob.h"
#include "ledger/commit.h"
#include "ledger/effect.h"
#include "ledger/provider.h"
#include "ledger/receipt.h"
#include "policy/policy.h"

struct sov_run {
    int64_t assignment, fence;
    int64_t start_seq, finish_seq; /* finish 0: none */
    const char *provider, *adapter;
    int64_t adapter_version;
    struct sov_bytes started;  /* canonical data of run.started, as event_types.def has it */
    struct sov_bytes finished; /* of run.finished; .data NULL: none */
};
struct sov_runs {
    const struct sov_run *at;
    size_t count;
};
SOV_MUST_USE bool sov_run_find(const struct sov_ledger *ledger, int64_t assignment, int64_t fence,
                               struct sov_arena *arena, struct sov_run *run_out, bool *found_out,
                               struct sov_error *err);
/* By fence. assignment 0: of all. */
SOV_MUST_USE bool sov_run_list(const struct sov_ledger *ledger, int64_t assignment,
                               struct sov_arena *arena, struct sov_runs *runs_out,
                               struct sov_error *err);
/* How many runs a provider has started after an event (its registration). */
SOV_MUST_USE bool sov_run_count(const struct sov_ledger *ledger, const char *provider,
                                int64_t after_seq, int64_t *count_out, struct sov_error *err);

/* A result that came when its fence was not live any more. */
struct sov_stale {
    int64_t assignment, fence, live_fence, seq; /* live_fence 0: none was live */
    const char *why;                            /* what had ended the claim, or "no_claim" */
    struct sov_blob_ref report;                 /* media_type NULL: none */
};
struct sov_stales {
    const struct sov_stale *at;
    size_t count;
};
/* In the order they came. assignment 0: of all. */
SOV_MUST_USE bool sov_stale_list(const struct sov_ledger *ledger, int64_t assignment,
                                 struct sov_arena *arena, struct sov_stales *stales_out,
                                 struct sov_error *err);
/* A proposal that was refused: effect.refused. */
struct sov_refused {
    int64_t assignment, fence, seq;
    const char *code, *kind, *subject;
    bool has_quantity;
    int64_t quantity;
};
struct sov_refuseds {
    const struct sov_refused *at;
    size_t count;
};
SOV_MUST_USE bool sov_refused_list(const struct sov_ledger *ledger, int64_t assignment,
                                   struct sov_arena *arena, struct sov_refuseds *refused_out,
                                   struct sov_error *err);

/* ---- start: committed before anything is executed ---- */
struct sov_word { /* a name and a short text: planes */
    const char *name, *text;
};
struct sov_run_start {
    int64_t assignment, fence;
    const char *provider, *adapter;
    int64_t adapter_version;
    struct sov_texts argv, environment, credentials; /* the latter two: names only */
    const char *egress;                              /* public, confidential */
    struct sov_hash envelope, schema, stdin_digest;
    const struct sov_hash *executable, *snapshot; /* NULL: none */
    const struct sov_number *limits;              /* by name */
    size_t limit_count;
    bool local;
    const char *model;             /* asked for; NULL: none */
    const char *sandbox;           /* none, L0 ... L3 */
    const struct sov_word *planes; /* by name */
    size_t plane_count;
    bool has_root;
    uint64_t device, inode;         /* of the run's folder */
    const struct sov_probed *probe; /* provider.probed follows, if new; NULL: none */
};
/* stale_fence unless the commit's actor holds it; already_started. */
SOV_MUST_USE bool sov_run_start(struct sov_commit *commit, const struct sov_run_start *start,
                                struct sov_done *done_out, struct sov_error *err);

/* ---- finish: the one terminal write ---- */
struct sov_run_file {
    const char *path;         /* as imported from out/ */
    struct sov_bytes content; /* becomes a public blob */
};
struct sov_run_finish {
    int64_t assignment, fence;
    /* What was seen of the process, the report and the files. The ledger adds what it finds itself:
     * missing_deliverable, proposal_refused, boundary_unchecked. */
    struct sov_run_observed observed;
    const char *message;  /* at most 500 bytes */
    const char *model;    /* as reported; NULL: not */
    const char *ended_by; /* a word of run.finished */
    bool exited;
    int64_t exit, signal;            /* exit counts if `exited`; signal 0: none */
    const struct sov_number *counts; /* by name, at most 16 */
    size_t count_count;
    const struct sov_number *usage; /* likewise; what was not reported is left out */
    size_t usage_count;
    struct sov_texts credential_seen;
    struct sov_proposals proposals; /* of a valid report, else none */
    const struct sov_run_file *files;
    size_t file_count;
    bool has_report;
    struct sov_bytes report; /* octets as received, if has_report */
    /* Raw streams, kept as confidential blobs; .data NULL: none. */
    struct sov_bytes stdin_octets, stdout_octets, stderr_octets;
    bool boundary_scoped, boundary_computed, boundary_violated;
    struct sov_bytes boundary_report; /* canonical; .data NULL: none */
};
struct sov_run_end {
    bool lost; /* claim_lost: only result.stale, or a noop of one; nothing below holds */
    int64_t receipt;
    enum sov_receipt_status status;
    const char *category; /* of a failed one, else NULL; texts are in the commit's arena */
    const char *code;     /* of a refused proposal, else NULL */
    const char *message;  /* the receipt's; may be empty */
    int64_t effects[16];
    size_t effect_count;
};
/* Decides in the order of model.md 7. Fails not_addressed for another actor, wrong_state if no run
 * has started under the live fence, report_conflict. The commit must be finished also when the
 * claim was lost: result.stale is an event. */
SOV_MUST_USE bool sov_run_finish(struct sov_commit *commit, const struct sov_run_finish *finish,
                                 struct sov_done *done_out, struct sov_run_end *end_out,
                                 struct sov_error *err);
#endif
