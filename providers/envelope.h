#ifndef SOV_PROVIDERS_ENVELOPE_H
#define SOV_PROVIDERS_ENVELOPE_H
/*
 * What a provider is told: `sov.assignment.v1`, canonical, at most 256 KiB (providers.md 2). It
 * holds no absolute path, host name, time or secret, and grants nothing.
 */
#include "ledger/ledger.h"

enum { SOV_ENVELOPE_SIZE = 256 * 1024, SOV_ENVELOPE_INPUTS = 256 };

struct sov_envelope_input {
    const char *path; /* under in/ */
    struct sov_hash sha256;
    int64_t size;
    const char *media_type, *said_by; /* said_by: "SIG-3" */
    bool untrusted;
};
struct sov_envelope_limits {
    int64_t wall_ms, idle_ms, stdout_bytes, report_bytes, files, file_bytes;
};
struct sov_envelope {
    struct sov_hash ledger;
    int64_t fence;
    const struct sov_assignment *assignment;
    const struct sov_sow *sow;
    const struct sov_outcome *outcome;
    const char *role;
    const struct sov_policy *policy; /* what the role may, and the effect's range */
    const struct sov_envelope_input *inputs;
    size_t input_count;
    struct sov_envelope_limits limits;
};
/* too_large (2). */
SOV_MUST_USE bool sov_envelope_build(const struct sov_envelope *envelope, struct sov_arena *arena,
                                     struct sov_bytes *octets_out, struct sov_error *err);
/* The fixed words of this release that go before an envelope where a reader needs them. */
const char *sov_prompt_text(void);
#endif
