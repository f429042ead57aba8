#include "cli/verb.h"
#include "cli/version.h"

static bool version(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *data = sov_node_object(call->arena);

    (void)err;
    sov_add_text(data, "version", SOV_VERSION);
    sov_add_text(data, "sqlite", sov_db_library_version());
    sov_add_text(data, "libsodium", sov_crypto_library_version());
    sov_out_line(call->out, "sov %s (sqlite %s, libsodium %s)", SOV_VERSION,
                 sov_db_library_version(), sov_crypto_library_version());
    sov_out_data(call->out, data);
    return true;
}

static const struct sov_form forms[] = {
    { .name = "",
      .run = version,
      .takes = "",
      .does = "print the version, and those of the libraries it is linked with",
      .fields = "version:s sqlite:s libsodium:s",
      .exits = "",
      .examples = "sov version" },
};
static const struct sov_verb verb = { "version", "print versions", "", forms, 1, SOV_GROUP_CARE };

const struct sov_verb *sov_verb_version(void)
{
    return &verb;
}
