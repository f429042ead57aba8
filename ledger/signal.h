#ifndef SOV_LEDGER_SIGNAL_H
#define SOV_LEDGER_SIGNAL_H
/*
 * Signals: reports that something in the world changed (model.md 6, 8).
 * Owns: state_signal, state_wake, signal.recorded. Not here: the pulse's answers (wake.h).
 */
#include "ledger/blob.h"
#include "ledger/commit.h"
#include "policy/policy.h"

struct sov_signal {
    int64_t n;
    const char *kind, *source, *subject;
    enum sov_severity severity;
    const char *observed_at; /* as the source said; NULL: not said */
    const char *dedupe_key;  /* NULL: none */
    bool has_payload;
    struct sov_blob_ref payload;
    int64_t at_ms, seq; /* of signal.recorded */
    /* The newest wake decision: */
    int64_t decided_seq; /* 0: none, and nothing below is set */
    enum sov_wake_decision decision;
    const char *reason;
    const char *rule;                   /* NULL: none */
    int64_t outcome, sow;               /* numbers; 0: none */
    const char *waits_on, *waits_state; /* "OUT-1", "ACCEPTED"; NULL: none */
    int64_t until_ms;                   /* 0: none */
    struct sov_hash rules_digest;
};
struct sov_signals {
    const struct sov_signal *at;
    size_t count;
};
/* In the arena; *found_out false if there is none. */
SOV_MUST_USE bool sov_signal_find(const struct sov_ledger *ledger, int64_t n,
                                  struct sov_arena *arena, struct sov_signal *signal_out,
                                  bool *found_out, struct sov_error *err);
/* The same, no_such_id (3) if there is none. */
SOV_MUST_USE bool sov_signal_get(const struct sov_ledger *ledger, int64_t n,
                                 struct sov_arena *arena, struct sov_signal *signal_out,
                                 struct sov_error *err);
/* By number, from `first` on, at most `most` (there may be millions). */
SOV_MUST_USE bool sov_signal_list(const struct sov_ledger *ledger, int64_t first, size_t most,
                                  struct sov_arena *arena, struct sov_signals *signals_out,
                                  struct sov_error *err);
/* Those whose newest decision names this outcome (sow 0) or this SOW, by number. */
SOV_MUST_USE bool sov_signal_about(const struct sov_ledger *ledger, int64_t outcome, int64_t sow,
                                   struct sov_arena *arena, struct sov_signals *signals_out,
                                   struct sov_error *err);

/* ---- operations ---- */
struct sov_signal_request {
    const char *kind, *source, *subject;
    enum sov_severity severity;
    const char *observed_at;  /* RFC 3339, kept as said; NULL: not said */
    const char *dedupe_key;   /* unique per source and kind; NULL: the idempotency key */
    struct sov_bytes payload; /* .data NULL: none; at most SOV_SIGNAL_PAYLOAD_MAX */
    const char *media_type;   /* of the payload; NULL: application/octet-stream */
    bool confidential;        /* the payload is salted */
};
enum { SOV_SIGNAL_PAYLOAD_MAX = 25 << 20 };
/* The same source, kind and dedupe key: a noop if every other field is the same (of a confidential
 * payload, which never has the same digest twice, size and media type), else key_reused. A subject
 * that has the form of a numbered id must be there: no_such_id. */
SOV_MUST_USE bool sov_signal_record(struct sov_commit *commit,
                                    const struct sov_signal_request *request,
                                    struct sov_done *done_out, struct sov_error *err);
/* signal.recorded as a consequence of effect.committed or change.recorded, whose seq is `cause`:
 * the source is the kind of effect or change, the dedupe key its id (EFF-n, CHG-n). */
SOV_MUST_USE bool sov_signal_emit(struct sov_commit *commit, const char *kind, const char *source,
                                  const char *subject, enum sov_severity severity,
                                  const char *dedupe_key, int64_t cause, struct sov_error *err);
#endif
