#ifndef SOV_CLI_FROM_H
#define SOV_CLI_FROM_H
/*
 * Deliveries of known senders, read into signals: github, cloudevents, alertmanager (cli.md 3.1).
 * Foreign JSON; nothing in it chooses more than kind, subject, severity, time and key of a signal.
 */
#include "cli/verb.h"

struct sov_from_request {
    const char *sender;           /* of --from */
    const char *event, *delivery; /* GitHub's headers; NULL: not given */
    const char *subject;          /* instead of the derived one; NULL: derive */
    const char *key;              /* idempotency key as given; NULL: derive */
    struct sov_bytes payload;
};
struct sov_from_signal {
    struct sov_signal_request request; /* texts in the arena; the payload is the delivery's */
    const char *key;                   /* idempotency key of this one; NULL: none */
};
struct sov_from {
    const struct sov_from_signal *at;
    size_t count;
};
/* bad_json with line and column, bad_value for what is no delivery of that sender, usage. */
SOV_MUST_USE bool sov_from_read(const struct sov_from_request *request, struct sov_arena *arena,
                                struct sov_from *from_out, struct sov_error *err);
#endif
