#ifndef SOV_PROVIDERS_H
#define SOV_PROVIDERS_H
/*
 * The outside: what happens between a claim and a receipt (providers.md).
 * Owns: the adapters behind one table, the run of one assignment, its workspace, what changed
 * outside of it. Not here: whether the work is accepted (policy/, ledger/).
 *
 * An adapter builds a plan and reads bytes. It never forks, opens, connects, reads clock or
 * environment, and never sees the ledger, so that replaying recorded bytes runs the same code.
 */
#include "base/child.h"
#include "ledger/ledger.h"
#include "providers/boundary.h" /* what changed in the repository meanwhile */

/* ---- the port ---- */

enum sov_transport { SOV_INPROCESS, SOV_CHILD };
enum sov_proof {
    SOV_PROOF_UNKNOWN,
    SOV_PROOF_ABSENT,
    SOV_PROOF_PROVEN
}; /* UNKNOWN is never enough */
#define SOV_CAPABILITIES(X)                                                                        \
    X(IS_LOCAL, "is_local") /* calling it sends nothing off this host */                           \
    X(ISOLATED_CONFIG, "isolated_config")                                                          \
    X(OWN_SANDBOX, "own_sandbox")                                                                  \
    X(SCHEMA_OUTPUT, "schema_output")                                                              \
    X(SESSION_CHOOSE, "session_choose")                                                            \
    X(SESSION_REPORT, "session_report")                                                            \
    X(SESSION_RESUME, "session_resume")                                                            \
    X(TOOLS, "tools") /* it can act in the workspace, not only answer */                           \
    X(USAGE, "usage")
enum sov_capability {
#define X(name, word) SOV_CAN_##name,
    SOV_CAPABILITIES(X)
#undef X
        SOV_CAPABILITY_COUNT
};
const char *sov_capability_word(enum sov_capability capability);
const char *sov_proof_word(enum sov_proof proof);
struct sov_capabilities {
    enum sov_proof proof[SOV_CAPABILITY_COUNT];
    const char *version_line; /* at most 200 bytes */
    const char *path;         /* of the executable; NULL: in process */
    struct sov_hash digest;
};

/* How a probe looks at the host. */
struct sov_probe_io {
    bool (*resolve)(const char *name, const char *const *folders, struct sov_arena *arena,
                    const char **path_out, struct sov_hash *digest_out, struct sov_error *err);
    struct sov_arena *arena;
};
struct sov_run_request {
    const char *assignment; /* "ASG-12" */
    int64_t fence;
    struct sov_bytes envelope; /* sov.assignment.v1, canonical */
    struct sov_bytes script;   /* scripted: its turns, canonical */
    int64_t turn;              /* which one is due: 0, 1, 2 ... */
    struct sov_arena *arena;
};
/* In process: the octets that feed is given, and how it ends. */
struct sov_run_canned {
    struct sov_bytes octets;
    int exit_code;
    enum sov_child_end ended_by;
    const struct sov_run_file *files; /* what the host writes into out/ through the safe join */
    size_t file_count;
};
struct sov_run_plan {
    struct sov_texts argv;         /* argv[0] as it is shown; empty: in process */
    const char *path;              /* of the executable */
    struct sov_hash digest;        /* of it */
    struct sov_bytes stdin_octets; /* built once: digested, recorded and sent are the same */
    struct sov_texts constants;    /* "NAME=value" of the adapter's own */
    struct sov_run_canned canned;
};
enum sov_pipe { SOV_STDOUT, SOV_STDERR };
struct sov_run_exit {
    enum sov_child_end ended_by;
    int code; /* -1: it did not exit */
    int signal;
};
/* What was seen, no verdict (providers.md 5). */
struct sov_run_facts {
    bool holds[SOV_RUN_CATEGORY_COUNT]; /* named by the stream itself */
    bool has_report;
    struct sov_bytes report;                 /* the text that should be a report, as received */
    const char *message;                     /* our words about what holds; NULL: none */
    const char *model, *session, *reference; /* as reported; NULL: not */
    const struct sov_number *usage;          /* by name; what was not said is left out */
    size_t usage_count;
    int64_t denials, lines, unknown, noise, after_terminal;
    bool partial_line;
};
struct sov_adapter_state;
struct sov_adapter {
    const char *name;
    enum sov_transport transport;
    int version; /* raised when feed or finish changes its answer */
    bool experimental;
    /* False: provider_unavailable. */
    bool (*probe)(const struct sov_provider *provider, const struct sov_probe_io *io,
                  struct sov_capabilities *caps_out, struct sov_error *err);
    /* False: capability_refusal. State and plan are in the request's arena. */
    bool (*start)(const struct sov_provider *provider, const struct sov_run_request *request,
                  struct sov_run_plan *plan_out, struct sov_adapter_state **state_out,
                  struct sov_error *err);
    /* Any split of the same bytes leaves the same state; false: malformed_stream. */
    bool (*feed)(struct sov_adapter_state *state, enum sov_pipe pipe, struct sov_bytes chunk,
                 struct sov_error *err);
    /* Facts are borrowed from the state; false: internal_error. */
    bool (*finish)(struct sov_adapter_state *state, const struct sov_run_exit *how,
                   struct sov_run_facts *facts_out, struct sov_error *err);
    void (*release)(struct sov_adapter_state *state); /* what is not in the arena */
};
const struct sov_adapter *sov_adapter_find(const char *name); /* NULL: there is none */
const struct sov_adapter *sov_adapter_at(size_t n);           /* NULL past the end */

/* ---- confinement that this build can prove ---- */
/* "L0" to "L3", or with ",network": sandbox_refusal if it is not proven here, bad_value if it is no
 * such word. NULL asks for nothing. */
SOV_MUST_USE bool sov_sandbox_require(const char *asked, struct sov_error *err);

/* ---- after a worker was lost: `sov supervise` ---- */
/* Ends what is left of that run: processes of ours whose environment names its assignment, fence
 * and folder beneath `top`, each through a pidfd whose start time still matches. How many. */
unsigned sov_run_survivors_end(const char *top, int64_t assignment, int64_t fence);

/* ---- a probe by hand: `sov provider probe` ---- */
SOV_MUST_USE bool sov_provider_probe(const struct sov_provider *provider, struct sov_arena *arena,
                                     struct sov_capabilities *caps_out, struct sov_error *err);

/* ---- one run ---- */
/* Pages that this ledger published while the run went on, for the boundary; the caller knows. */
struct sov_run_pages {
    void *self;
    bool (*list)(void *self, struct sov_arena *arena, const struct sov_boundary_page **pages_out,
                 size_t *count_out, struct sov_error *err);
};
struct sov_run_options {
    const char *actor;                  /* who runs it: the assignment's own */
    const char *key;                    /* idempotency key of the claim; NULL: none */
    int64_t expect_seq, expect_version; /* of the claim; -1: not asked */
    bool dry;                           /* step 0 and what the claim would be; nothing is written */
    int64_t assignment;
    const char *provider;     /* a registration; NULL: the actor's own */
    const char *const *argv;  /* after "--": the program and its arguments, NULL-ended; or NULL */
    int64_t wall_ms, idle_ms; /* 0: 30 min and 10 min; wall at most 24 h */
    size_t stdout_max;        /* 0: 16 MiB; at most 64 MiB */
    const char *require_sandbox; /* NULL: none */
    const char *top;             /* absolute: the folder that holds .sovereign */
    const char *credentials;     /* absolute: folder of credential files; NULL: none */
    const struct sov_seams *seams;
    const struct sov_run_pages *pages; /* NULL: none */
    int64_t grace_ms;                  /* from TERM to KILL; 0: 5 s */
};
struct sov_run_result {
    int64_t fence; /* 0: a dry one */
    bool repeated; /* the idempotency key has been here: that run's answer, no event now */
    const char *provider, *adapter;
    bool experimental;
    int64_t claim_seq, start_seq, finish_seq;
    struct sov_run_end end; /* receipt, status, category, message, effects */
    const char *message;    /* the receipt's; may be empty */
    bool boundary_violated;
    struct sov_texts credential_seen;
    const struct sov_appended *newest; /* all events of the run, newest first */
};
/*
 * Steps 0 to 7 of providers.md 8. True: a receipt was recorded, whatever it says; for a dry one,
 * that nothing stands in the way. False: group A (nothing appended), group B (claim.released),
 * claim_lost (5; only result.stale, whose seq is in the error), interrupted before anything ran,
 * or the ledger could not be written. Watches INT and TERM. The result is in the arena.
 */
SOV_MUST_USE bool sov_run(struct sov_ledger *ledger, const struct sov_run_options *options,
                          struct sov_arena *arena, struct sov_run_result *result_out,
                          struct sov_error *err);

/* ---- one that drives itself: claim, start, report (self.c) ---- */
enum { SOV_REPORT_HANDED_MAX = 256 * 1024 }; /* bytes of a report */
struct sov_self_options {
    const char *actor;                  /* the assignment's own */
    const char *key;                    /* idempotency key; NULL: none */
    int64_t expect_seq, expect_version; /* -1: not asked */
    bool dry;
    int64_t assignment, fence;
    const char *top; /* absolute: the folder that holds .sovereign */
    const struct sov_seams *seams;
    const struct sov_run_pages *pages; /* for the report's boundary; NULL: none */
};
struct sov_self_started {
    enum sov_effect_word effect;
    int64_t seq;        /* of run.started; 0: would */
    bool has_folder;    /* the workspace policy is not `none` */
    const char *folder; /* absolute: where to work, with in/ and out/; NULL: none */
};
/* Steps 2 and 3: the workspace, what stands in in/, the snapshot before, run.started. Refused like
 * any act under a fence, before anything is made; workspace_refusal. What fails behind that leaves
 * the claim as it is: to be released, or to run out. */
SOV_MUST_USE bool sov_self_start(struct sov_ledger *ledger, const struct sov_self_options *options,
                                 struct sov_arena *arena, struct sov_self_started *started_out,
                                 struct sov_error *err);
/* Steps 5 and 6, decided as at the end of a run: true, a receipt was recorded (or was there, for
 * the same report again: `repeated`), whatever it says. claim_lost: only result.stale. wrong_state:
 * the run has not started, or is a provider's. */
SOV_MUST_USE bool sov_self_report(struct sov_ledger *ledger, const struct sov_self_options *options,
                                  struct sov_bytes handed_in, struct sov_arena *arena,
                                  struct sov_run_result *result_out, struct sov_error *err);

/* ---- workspaces of runs that have ended: `sov supervise` (reclaim.c) ---- */
struct sov_reclaim_act {
    const char *act; /* workspace.archived, .reclaimed, .flagged */
    const char *id;  /* "ASG-1" */
    int64_t fence;
    const char *why; /* flagged: in_use, replaced, absent, blob_missing, worker_lost, stale,
                        unsaved, too_large, unreadable */
    int64_t seq;     /* 0: would */
    const struct sov_error *error; /* of a fault; else NULL */
};
struct sov_reclaimed {
    const struct sov_reclaim_act *acts;
    size_t act_count;
    const struct sov_reclaim_act *faults; /* the rest went on */
    size_t fault_count;
    int64_t waiting;
};
struct sov_reclaim_options {
    const char *top; /* absolute: the folder that holds .sovereign */
    int64_t limit;   /* folders; below 1: none, all are waiting */
    bool dry;
    const struct sov_seams *seams;
};
/* One pass over the folders of ended runs (providers.md 6.4): archived or removed by the policy of
 * the assignment, each event its own commit; what is in use, replaced or unsaved is flagged once
 * and left. A removal that was cut short is finished. */
SOV_MUST_USE bool sov_workspaces_reclaim(struct sov_ledger *ledger,
                                         const struct sov_reclaim_options *options,
                                         struct sov_arena *arena,
                                         struct sov_reclaimed *reclaimed_out,
                                         struct sov_error *err);
/* One pass over what attempts left that ended before a run had started, by the same limit: nothing
 * ran there, so the folder goes without an event, unless somebody is in it or left a result. */
SOV_MUST_USE bool sov_workspaces_tidy(struct sov_ledger *ledger,
                                      const struct sov_reclaim_options *options,
                                      struct sov_arena *arena, struct sov_reclaimed *tidied_out,
                                      struct sov_error *err);
#endif
