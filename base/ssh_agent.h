#ifndef SOV_BASE_SSH_AGENT_H
#define SOV_BASE_SSH_AGENT_H
/*
 * An SSH agent (draft-ietf-sshm-ssh-agent): which keys it has, and a signature by one of them.
 * Owns: its socket, for one question each. An agent is a stranger: what it answers is bounded, in
 * time and in size, read strictly, and a signature that does not hold is none. agent_unavailable
 * (7): it cannot be reached, says nothing in time, or what it says is no answer.
 */
#include "base/crypto.h"

struct sov_agent {
    const char *socket; /* NULL: there is none */
    int32_t wait_ms;    /* for one whole answer: a person may be asked */
};
SOV_MUST_USE bool sov_agent_has(const struct sov_agent *agent, const struct sov_public_key *key,
                                bool *has_out, struct sov_error *err);
SOV_MUST_USE bool sov_agent_sign(const struct sov_agent *agent, const struct sov_public_key *key,
                                 struct sov_bytes message, struct sov_signature *signature_out,
                                 struct sov_error *err);
#endif
