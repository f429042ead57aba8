#include "cli/sign.h"

#include "base/env.h"
#include "cli/passphrase.h"

bool sov_sign_open(struct sov_call *call, const char **actor_out, struct sov_error *err)
{
    return sov_call_write(call, err) && sov_call_actor(call, actor_out, err);
}

bool sov_sign_as(struct sov_call *call, const char *actor, const char *tag,
                 struct sov_bytes statement, struct sov_signed_by *by_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_asker_end) struct sov_asker asker = { .call = call };
    struct sov_signing with = sov_asker_signing(&asker);

    return sov_statement_sign(call->ledger, actor, &with, tag, statement, by_out, err);
}

bool sov_sign_is_plain(const struct sov_call *call)
{
    return !sov_given(call, SOV_FLAG_IDEMPOTENCY_KEY) && !sov_env("SOV_IDEMPOTENCY_KEY") &&
           !sov_given(call, SOV_FLAG_EXPECT_SEQ) && !sov_given(call, SOV_FLAG_EXPECT_VERSION);
}
