#ifndef SOV_CLI_SIGN_H
#define SOV_CLI_SIGN_H
/* What signing verbs share: opening for writing, who signs, the signature before the transaction.
 */
#include "cli/verb.h"

/* Opens for writing and finds who acts. */
SOV_MUST_USE bool sov_sign_open(struct sov_call *call, const char **actor_out,
                                struct sov_error *err);
/* Signs with --sign-key, or with the actor's newest valid key of the key folder. */
SOV_MUST_USE bool sov_sign_as(struct sov_call *call, const char *actor, const char *tag,
                              struct sov_bytes statement, struct sov_signed_by *by_out,
                              struct sov_error *err);
/* What is shut needs no transaction, unless an idempotency key may have an earlier answer or a
 * version is expected: those are asked first, inside. */
bool sov_sign_is_plain(const struct sov_call *call);
#endif
