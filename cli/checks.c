#include "cli/checks.h"

#include <stdio.h>

#include "base/file.h"
#include "base/json.h"
#include "verify/verify.h"

bool sov_spec_read(struct sov_call *call, const char *spec, struct sov_buf *out,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf canonical = { 0 };
    struct sov_scan_rules rules = { SOV_SPECS_MAX, 12, false };
    struct sov_bytes octets;
    char what[sizeof err->what];

    if (*spec == '@') {
        if (!sov_json_of(call, spec + 1, SOV_SPECS_MAX, &octets, err)) return false;
        sov_buf_add(out, octets);
        return true;
    }
    sov_buf_init(&canonical, 2 * SOV_SPECS_MAX);
    if (!sov_json_canonical(sov_bytes_text(spec), &rules, &canonical, err)) {
        snprintf(what, sizeof what, "%s", err->what);
        sov_error_set(err, err->exit, err->code, "--check: %s", what);
        return false;
    }
    sov_buf_add(out, sov_buf_bytes(&canonical));
    return true;
}

bool sov_look(struct sov_call *call, int64_t outcome, struct sov_observations *observations_out,
              struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder tree = { 0 };

    return sov_folder_open(&tree, call->found.tree, err) &&
           sov_checks_run(call->ledger, outcome, &tree, call->arena, observations_out, err);
}
