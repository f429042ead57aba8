#ifndef SOV_LEDGER_PROVIDER_H
#define SOV_LEDGER_PROVIDER_H
/*
 * Providers: registered things that can do an assignment, and what probes found (providers.md 1).
 * Owns: state_provider, the provider.* events, the strict form of a registration.
 * Not here: adapters, running anything (providers/).
 */
#include "base/crypto.h"
#include "ledger/blob.h"
#include "ledger/commit.h"

/* A text list. */
struct sov_texts {
    const char *const *at;
    size_t count;
};
/* As registered. */
struct sov_provider {
    const char *name, *adapter;
    struct sov_texts argv;        /* command: argv[0] is the program */
    struct sov_texts folders;     /* of executables, absolute */
    struct sov_texts roots;       /* readable under L1, absolute */
    struct sov_texts env;         /* names of environment variables handed on */
    struct sov_texts credentials; /* names */
    struct sov_texts tools;
    bool network;
    bool confidential;          /* egress: may be sent content of confidential blobs */
    const char *min_sandbox;    /* "L2" or "L2,network"; NULL: none */
    const char *model;          /* NULL: none */
    bool has_script;            /* scripted: */
    struct sov_blob_ref script; /* its turns */
    bool retired;
    int64_t seq; /* of provider.registered */
};
struct sov_providers {
    const struct sov_provider *at;
    size_t count;
};
/* The newest provider.probed. */
struct sov_probed {
    const char *adapter;
    int64_t adapter_version;
    bool has_executable;
    const char *path; /* NULL: none */
    struct sov_hash digest;
    const char *version_line;
    struct sov_texts help;   /* digests */
    struct sov_bytes proofs; /* canonical object of name -> PROVEN, ABSENT or UNKNOWN */
    int64_t seq;
};
/* In the arena; *found_out false if there is none of this name. `human` and `builtin` are never
 * registered: no program stands behind them. */
SOV_MUST_USE bool sov_provider_find(const struct sov_ledger *ledger, const char *name,
                                    struct sov_arena *arena, struct sov_provider *provider_out,
                                    bool *found_out, struct sov_error *err);
/* The same, no_such_id (3) if there is none. */
SOV_MUST_USE bool sov_provider_get(const struct sov_ledger *ledger, const char *name,
                                   struct sov_arena *arena, struct sov_provider *provider_out,
                                   struct sov_error *err);
/* All, by name. */
SOV_MUST_USE bool sov_provider_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                                    struct sov_providers *providers_out, struct sov_error *err);
/* *found_out false if it was never probed. */
SOV_MUST_USE bool sov_provider_probed(const struct sov_ledger *ledger, const char *name,
                                      struct sov_arena *arena, struct sov_probed *probed_out,
                                      bool *found_out, struct sov_error *err);

/* ---- operations ---- */
/* `text` is a registration, `sov.provider.v1`, strict JSON with exactly these keys, in any order:
 *   {"kind":"sov.provider.v1", "adapter":"command", "argv":["/opt/agent","run"], "folders":[],
 *    "roots":[], "env":[], "credentials":[], "tools":[], "network":false, "egress":"public",
 *    "min_sandbox"?:"L1", "model"?:"x", "script"?:{...}}
 * adapter: scripted (with a script, whose canonical octets become a blob, and no argv) or command
 * (with argv). Anything else: bad_json, bad_value with a JSON pointer. exists if the name is taken,
 * also by a retired one. */
SOV_MUST_USE bool sov_provider_register(struct sov_commit *commit, const char *name,
                                        struct sov_bytes text, struct sov_done *done_out,
                                        struct sov_error *err);
SOV_MUST_USE bool sov_provider_retire(struct sov_commit *commit, const char *name,
                                      const char *reason, struct sov_done *done_out,
                                      struct sov_error *err);
/* provider.probed behind run.started, if it says anything that the newest one does not. */
SOV_MUST_USE bool sov_provider_follow_probed(struct sov_commit *commit, const char *name,
                                             const struct sov_probed *probed,
                                             struct sov_error *err);
#endif
