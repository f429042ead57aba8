#include "policy/limits.h"

#include "base/text.h"

bool sov_policy_text(const char *what, struct sov_bytes text, size_t max, struct sov_error *err)
{
    if (text.size > max)
        return sov_fail(err, SOV_USAGE, "too_large", "%s has %zu bytes, at most %zu are allowed",
                        what, text.size, max);
    if (!sov_text_is_utf8(text))
        return sov_fail(err, SOV_USAGE, "bad_text", "%s is not valid UTF-8", what);
    if (sov_text_is_blank(text)) return sov_fail(err, SOV_USAGE, "bad_value", "%s is blank", what);
    return true;
}

bool sov_policy_reason(struct sov_bytes reason, struct sov_error *err)
{
    if (reason.size == 0) return sov_fail(err, SOV_USAGE, "reason_missing", "no reason is given");
    if (reason.size <= SOV_TEXT_REASON && sov_text_is_utf8(reason) && sov_text_is_blank(reason))
        return sov_fail(err, SOV_USAGE, "reason_missing", "the reason is blank");
    return sov_policy_text("reason", reason, SOV_TEXT_REASON, err);
}

bool sov_policy_deliverables(const char *const *paths, size_t count, struct sov_error *err)
{
    size_t size = 0;

    if (count > SOV_DELIVERABLES_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "%zu deliverables, at most %d are allowed",
                        count, SOV_DELIVERABLES_MAX);
    for (size_t i = 0; i < count; i++) {
        struct sov_bytes path = sov_bytes_text(paths[i]);

        if (!sov_text_is_safe_path(path))
            return sov_fail(err, SOV_USAGE, "deliverable_unsafe",
                            "deliverable %zu is no safe relative path", i + 1);
        for (size_t k = 0; k < i; k++)
            if (sov_text_fold_equal(path, sov_bytes_text(paths[k])))
                return sov_fail(err, SOV_USAGE, "deliverable_unsafe",
                                "deliverables %zu and %zu name one file", k + 1, i + 1);
        size += path.size;
    }
    if (size > SOV_DELIVERABLE_PATHS_MAX)
        return sov_fail(err, SOV_USAGE, "too_large",
                        "the paths have %zu bytes together, at most %d are allowed", size,
                        SOV_DELIVERABLE_PATHS_MAX);
    return true;
}
