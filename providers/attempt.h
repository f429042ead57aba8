#ifndef SOV_PROVIDERS_ATTEMPT_H
#define SOV_PROVIDERS_ATTEMPT_H
/* One attempt on its way through the steps of providers.md 8. Private to this folder. */
#include "providers/envelope.h"
#include "providers/providers.h"
#include "providers/workspace.h"

struct sov_credential {
    const char *name;
    char *value; /* wiped at the end */
    size_t size;
};
struct sov_run_input { /* a file under in/ */
    struct sov_envelope_input said;
    struct sov_bytes content;
};
struct sov_attempt {
    struct sov_ledger *ledger;
    const struct sov_run_options *options;
    struct sov_arena *arena;
    struct sov_process_id process;
    /* step 0 */
    struct sov_assignment assignment;
    struct sov_sow sow;
    struct sov_outcome outcome;
    struct sov_actor actor;
    const struct sov_policy *policy;
    struct sov_provider provider;
    bool registered;
    const struct sov_adapter *adapter;
    struct sov_capabilities caps;
    bool local;
    struct sov_bytes script;
    int64_t turn;
    struct sov_credential *credentials;
    size_t credential_count;
    struct sov_run_input *inputs;
    size_t input_count;
    struct sov_envelope_limits limits;
    struct sov_folder top;
    const char *id; /* "ASG-12" */
    /* from step 1 on */
    int64_t fence, ttl_s, claim_seq, start_seq;
    struct sov_workspace workspace;
    struct sov_boundary *before;
    struct sov_bytes envelope;
    struct sov_run_plan plan;
    struct sov_adapter_state *state;
    const char **environment; /* NULL-ended */
    struct sov_texts names;   /* of the environment */
    const struct sov_appended *events;
    const struct sov_act *finish_act; /* NULL: the attempt's own */
    /* step 4 */
    bool lost; /* a renewal was refused */
    struct sov_child_result result;
    struct sov_buf stdout_buf, stderr_buf;
    const char *message; /* what went wrong first, in our words */
    bool holds[SOV_RUN_CATEGORY_COUNT];
};

/* ---- preflight.c ---- */
/* Step 0, reading only. *again_out: the idempotency key has been here; `fence` is that run's. */
SOV_MUST_USE bool sov_attempt_preflight(struct sov_attempt *a, bool *again_out,
                                        struct sov_error *err);
/* Parts of it: what the ledger knows of the assignment; the limits of the run. */
SOV_MUST_USE bool sov_attempt_rows(struct sov_attempt *a, struct sov_error *err);
SOV_MUST_USE bool sov_attempt_limits(struct sov_attempt *a, struct sov_error *err);
SOV_MUST_USE bool sov_attempt_envelope(struct sov_attempt *a, int64_t fence,
                                       struct sov_bytes *octets_out, struct sov_error *err);
/* ---- provider.c ---- */
SOV_MUST_USE bool sov_attempt_provider(struct sov_attempt *a, struct sov_error *err);
/* ---- inputs.c ---- */
SOV_MUST_USE bool sov_attempt_inputs(struct sov_attempt *a, struct sov_error *err);
/* ---- environment.c ---- */
SOV_MUST_USE bool sov_attempt_credentials(struct sov_attempt *a, struct sov_error *err);
void sov_attempt_environment(struct sov_attempt *a);
/* Which credentials occur in the octets: marks them. */
void sov_attempt_seen(const struct sov_attempt *a, struct sov_bytes octets, bool *seen);
void sov_attempt_forget(struct sov_attempt *a); /* wipes values and environment */
/* ---- prepare.c ---- */
/* Step 2, after the envelope and the folder: the files under in/; the first snapshot. */
SOV_MUST_USE bool sov_attempt_inputs_write(struct sov_attempt *a, struct sov_error *err);
SOV_MUST_USE bool sov_attempt_snapshot(struct sov_attempt *a, struct sov_error *err);
/* Step 3: run.started. act NULL: the attempt's own. */
SOV_MUST_USE bool sov_attempt_intend(struct sov_attempt *a, const struct sov_act *act,
                                     struct sov_error *err);
/* ---- execute.c ---- */
/* Steps 4: from run.started to the last swept process. Only facts are left behind. */
void sov_attempt_execute(struct sov_attempt *a);
/* ---- conclude.c ---- */
/* Step 5 and 6. */
SOV_MUST_USE bool sov_attempt_conclude(struct sov_attempt *a, struct sov_run_result *result_out,
                                       struct sov_error *err);

/* The first thing said is what is kept. */
void sov_attempt_note(struct sov_attempt *a, enum sov_run_category category, const char *message);
/* Takes over what a commit appended, newest first. */
void sov_attempt_events(struct sov_attempt *a, const struct sov_appended *newest);
/* Out of the attempt's own memory into the caller's. */
void sov_attempt_hand_over(const struct sov_attempt *a, struct sov_arena *arena,
                           struct sov_run_result *result);
struct sov_act sov_attempt_act(const struct sov_attempt *a);
#endif
