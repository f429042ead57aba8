#include "providers/report.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"

enum {
    SUMMARY_MAX = 2000,
    NOTES_MAX = 8000,
    TEXT_MAX = 1000,
    ITEMS_MAX = 32,
    PATH_MAX_BYTES = 1024,
    KIND_MAX = 64, /* as run.finished keeps it */
    UNIT_MAX = 64
};

static const char schema_head[] =
    "{\"additionalProperties\":false,\"properties\":{"
    "\"assignment\":{\"type\":\"string\"},"
    "\"blockers\":{\"items\":{\"type\":\"string\"},\"type\":\"array\"},"
    "\"checks\":{\"items\":{\"additionalProperties\":false,\"properties\":{"
    "\"id\":{\"type\":\"string\"},\"reason\":{\"type\":\"string\"}},"
    "\"required\":[\"id\",\"reason\"],\"type\":\"object\"},\"type\":\"array\"},"
    "\"deliverables\":{\"items\":{\"additionalProperties\":false,\"properties\":{"
    "\"note\":{\"type\":[\"string\",\"null\"]},\"path\":{\"type\":\"string\"}},"
    "\"required\":[\"path\",\"note\"],\"type\":\"object\"},\"type\":\"array\"},"
    "\"kind\":{\"enum\":[\"sov.report.v1\"],\"type\":\"string\"},"
    "\"notes\":{\"type\":[\"string\",\"null\"]},"
    "\"proposals\":{\"items\":{\"additionalProperties\":false,\"properties\":{"
    "\"kind\":{\"type\":\"string\"},\"quantity\":{\"type\":[\"integer\",\"null\"]},"
    "\"reason\":{\"type\":\"string\"},\"subject\":{\"type\":\"string\"},"
    "\"unit\":{\"type\":[\"string\",\"null\"]}},"
    "\"required\":[\"kind\",\"subject\",\"quantity\",\"unit\",\"reason\"],"
    "\"type\":\"object\"},\"type\":\"array\"},"
    "\"questions\":{\"items\":{\"type\":\"string\"},\"type\":\"array\"},"
    "\"status\":{\"enum\":[\"completed\",\"blocked\",\"failed\"],\"type\":\"string\"},"
    "\"summary\":{\"type\":\"string\"}},"
    "\"required\":[\"kind\",\"assignment\",\"status\",\"summary\",\"deliverables\",\"proposals\","
    "\"questions\",\"blockers\",\"checks\",\"notes\"],\"type\":\"object\"}";

struct sov_bytes sov_report_schema(void)
{
    return sov_bytes(schema_head, sizeof schema_head - 1);
}

/* ---- refusals ---- */

static bool refuse(struct sov_error *err, const char *pointer, const char *rule)
{
    return sov_fail(err, SOV_NO, "invalid_report", "%s: %s", *pointer ? pointer : "the report",
                    rule);
}

/* Where in the report: "/proposals/2/kind". */
struct place {
    char text[64];
};
static struct place place_item(const char *list, size_t n)
{
    struct place place;

    snprintf(place.text, sizeof place.text, "%s/%zu", list, n);
    return place;
}
static struct place place_key(const char *object, const char *key)
{
    struct place place;

    snprintf(place.text, sizeof place.text, "%.40s/%.20s", object, key);
    return place;
}

/* ---- shapes ---- */

/* An object with exactly these keys, given in byte order; their values in that order. */
static bool object_read(struct sov_value value, const char *pointer, const char *const *keys,
                        size_t count, struct sov_value *values_out, struct sov_error *err)
{
    struct sov_member members[10];
    size_t found = 0;

    assert(count <= sizeof members / sizeof *members);
    if (sov_value_kind(value) != SOV_JSON_OBJECT) return refuse(err, pointer, "is no object");
    if (!sov_value_members(value, members, sizeof members / sizeof *members, &found))
        return refuse(err, pointer, "has a key that is not known");
    for (size_t k = 0, m = 0; k < count || m < found;) {
        int order = k == count   ? 1
                    : m == found ? -1
                                 : sov_bytes_compare(sov_bytes_text(keys[k]), members[m].key);

        if (order > 0) return refuse(err, pointer, "has a key that is not known");
        if (order < 0) return refuse(err, place_key(pointer, keys[k]).text, "is missing");
        values_out[k++] = members[m++].value;
    }
    return true;
}

static bool text_read(struct sov_value value, const char *pointer, size_t max,
                      struct sov_arena *arena, const char **text_out, struct sov_error *err)
{
    struct sov_bytes bytes;

    if (sov_value_kind(value) != SOV_JSON_TEXT) return refuse(err, pointer, "is no text");
    if (sov_value_text_size(value) > max) return refuse(err, pointer, "is over its limit");
    bytes = sov_value_bytes(value, arena);
    *text_out = sov_arena_text(arena, bytes);
    return true;
}

static bool nullable_read(struct sov_value value, const char *pointer, size_t max,
                          struct sov_arena *arena, const char **text_out, struct sov_error *err)
{
    if (sov_value_kind(value) != SOV_JSON_NULL)
        return text_read(value, pointer, max, arena, text_out, err);
    *text_out = NULL;
    return true;
}

static bool list_read(struct sov_value value, const char *pointer, size_t max, size_t *count_out,
                      struct sov_error *err)
{
    if (sov_value_kind(value) != SOV_JSON_LIST) return refuse(err, pointer, "is no list");
    *count_out = sov_value_count(value);
    if (*count_out > max) return refuse(err, pointer, "has too many items");
    return true;
}

static bool texts_read(struct sov_value value, const char *pointer, struct sov_arena *arena,
                       size_t *count_out, struct sov_error *err)
{
    struct sov_value item;
    size_t at = 0;

    if (!list_read(value, pointer, ITEMS_MAX, count_out, err)) return false;
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        const char *text;

        if (!text_read(item, place_item(pointer, i).text, TEXT_MAX, arena, &text, err))
            return false;
    }
    return true;
}

/* ---- the parts ---- */

static bool checks_read(struct sov_value value, struct sov_arena *arena, size_t *count_out,
                        struct sov_error *err)
{
    static const char *const keys[] = { "id", "reason" };
    struct sov_value item, part[2];
    size_t at = 0;

    if (!list_read(value, "/checks", ITEMS_MAX, count_out, err)) return false;
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        struct place place = place_item("/checks", i);
        const char *text;

        if (!object_read(item, place.text, keys, 2, part, err)) return false;
        for (size_t k = 0; k < 2; k++)
            if (!text_read(part[k], place_key(place.text, keys[k]).text, TEXT_MAX, arena, &text,
                           err))
                return false;
    }
    return true;
}

static bool path_is_new(const char *const *files, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (sov_text_fold_equal(sov_bytes_text(files[i]), sov_bytes_text(path))) return false;
    return true;
}

static bool files_read(struct sov_value value, struct sov_arena *arena, struct sov_report *report,
                       struct sov_error *err)
{
    static const char *const keys[] = { "note", "path" };
    struct sov_value item, part[2];
    size_t at = 0, count, total = 0;
    const char **files;

    if (!list_read(value, "/deliverables", SOV_DELIVERABLES_MAX, &count, err)) return false;
    files = sov_arena_array(arena, count + 1, sizeof *files);
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        struct place place = place_item("/deliverables", i);
        struct place path = place_key(place.text, "path");
        const char *note;

        if (!object_read(item, place.text, keys, 2, part, err) ||
            !nullable_read(part[0], place_key(place.text, "note").text, TEXT_MAX, arena, &note,
                           err) ||
            !text_read(part[1], path.text, PATH_MAX_BYTES, arena, &files[i], err))
            return false;
        if (!sov_text_is_safe_path(sov_bytes_text(files[i])))
            return refuse(err, path.text, "is no safe relative path");
        if (!path_is_new(files, i, files[i])) return refuse(err, path.text, "stands there twice");
        total += strlen(files[i]);
    }
    if (total > SOV_DELIVERABLE_PATHS_MAX)
        return refuse(err, "/deliverables", "has paths that are too long together");
    report->files = files;
    report->file_count = count;
    return true;
}

static bool proposal_read(struct sov_value value, const char *pointer, struct sov_arena *arena,
                          struct sov_proposal *proposal, struct sov_error *err)
{
    static const char *const keys[] = { "kind", "quantity", "reason", "subject", "unit" };
    struct sov_value part[5];
    const char *reason;
    enum sov_json_kind quantity;

    if (!object_read(value, pointer, keys, 5, part, err)) return false;
    quantity = sov_value_kind(part[1]);
    if (quantity != SOV_JSON_INT && quantity != SOV_JSON_NULL)
        return refuse(err, place_key(pointer, "quantity").text, "is no integer");
    proposal->has_quantity = quantity == SOV_JSON_INT;
    if (proposal->has_quantity) proposal->quantity = sov_value_int(part[1]);
    return text_read(part[0], place_key(pointer, "kind").text, KIND_MAX, arena, &proposal->kind,
                     err) &&
           text_read(part[2], place_key(pointer, "reason").text, TEXT_MAX, arena, &reason, err) &&
           text_read(part[3], place_key(pointer, "subject").text, SOV_TEXT_SUBJECT, arena,
                     &proposal->subject, err) &&
           nullable_read(part[4], place_key(pointer, "unit").text, UNIT_MAX, arena, &proposal->unit,
                         err);
}

static bool proposals_read(struct sov_value value, struct sov_arena *arena,
                           struct sov_proposals *proposals_out, struct sov_error *err)
{
    struct sov_proposal *rows;
    struct sov_value item;
    size_t at = 0, count;

    if (!list_read(value, "/proposals", SOV_PROPOSALS_MAX, &count, err)) return false;
    rows = sov_arena_array(arena, count + 1, sizeof *rows);
    for (size_t i = 0; sov_value_item(value, &at, &item); i++)
        if (!proposal_read(item, place_item("/proposals", i).text, arena, &rows[i], err))
            return false;
    *proposals_out = (struct sov_proposals){ rows, count };
    return true;
}

static bool status_read(struct sov_value value, enum sov_report_status *status_out,
                        struct sov_error *err)
{
    struct sov_bytes text = { NULL, 0 };

    if (sov_value_kind(value) == SOV_JSON_TEXT) text = sov_value_plain(value);
    if (text.data && sov_bytes_is(text, "completed"))
        *status_out = SOV_REPORT_COMPLETED;
    else if (text.data && sov_bytes_is(text, "blocked"))
        *status_out = SOV_REPORT_BLOCKED;
    else if (text.data && sov_bytes_is(text, "failed"))
        *status_out = SOV_REPORT_FAILED;
    else
        return refuse(err, "/status", "is none of completed, blocked, failed");
    return true;
}

static bool is_text(struct sov_value value, const char *expected)
{
    struct sov_bytes text = { NULL, 0 };

    if (sov_value_kind(value) == SOV_JSON_TEXT) text = sov_value_plain(value);
    return text.data && sov_bytes_is(text, expected);
}

/* What the parts must be to each other. */
static bool agrees(const struct sov_report *report, struct sov_error *err)
{
    if (report->status == SOV_REPORT_BLOCKED && !report->blockers && !report->questions)
        return refuse(err, "/status", "is blocked without a blocker or a question");
    if (report->status == SOV_REPORT_COMPLETED && report->blockers)
        return refuse(err, "/blockers", "has an item, and the status is completed");
    if (report->status != SOV_REPORT_COMPLETED && report->proposals.count)
        return refuse(err, "/proposals", "has an item, and the status is not completed");
    return true;
}

enum {
    ASSIGNMENT,
    BLOCKERS,
    CHECKS,
    DELIVERABLES,
    KIND,
    NOTES,
    PROPOSALS,
    QUESTIONS,
    STATUS,
    SUMMARY,
    PARTS
};
static const char *const part_names[PARTS] = {
    "assignment", "blockers",  "checks",    "deliverables", "kind",
    "notes",      "proposals", "questions", "status",       "summary",
};

static bool parts_read(struct sov_value root, const char *assignment, struct sov_arena *arena,
                       struct sov_report *report_out, struct sov_error *err)
{
    struct sov_report report = { 0 };
    struct sov_value part[PARTS];
    const char *text;

    if (!object_read(root, "", part_names, PARTS, part, err)) return false;
    if (!is_text(part[KIND], "sov.report.v1")) return refuse(err, "/kind", "is not sov.report.v1");
    if (!is_text(part[ASSIGNMENT], assignment))
        return refuse(err, "/assignment", "is not this run's");
    if (!status_read(part[STATUS], &report.status, err) ||
        !text_read(part[SUMMARY], "/summary", SUMMARY_MAX, arena, &text, err))
        return false;
    if (!*text) return refuse(err, "/summary", "is empty");
    if (!files_read(part[DELIVERABLES], arena, &report, err) ||
        !proposals_read(part[PROPOSALS], arena, &report.proposals, err) ||
        !texts_read(part[QUESTIONS], "/questions", arena, &report.questions, err) ||
        !texts_read(part[BLOCKERS], "/blockers", arena, &report.blockers, err) ||
        !checks_read(part[CHECKS], arena, &report.checks, err) ||
        !nullable_read(part[NOTES], "/notes", NOTES_MAX, arena, &text, err))
        return false;
    if (!agrees(&report, err)) return false;
    *report_out = report;
    return true;
}

bool sov_report_read(struct sov_bytes text, const char *assignment, struct sov_arena *arena,
                     struct sov_report *report_out, struct sov_error *err)
{
    struct sov_error why = { 0 };
    struct sov_bytes octets;
    struct sov_buf canonical;
    bool ok;

    if (text.size > SOV_REPORT_SIZE) return refuse(err, "", "is over 256 KiB");
    /* The canonical form of a strict text is never longer than the text. */
    sov_buf_init(&canonical, SOV_REPORT_SIZE);
    ok = sov_json_canonical(text, &sov_scan_report, &canonical, &why);
    octets = sov_arena_bytes(arena, sov_buf_bytes(&canonical));
    sov_buf_release(&canonical);
    if (!ok) {
        sov_error_set(err, SOV_NO, "invalid_report", "the report is not strict JSON: %s", why.what);
        return false;
    }
    return parts_read(sov_value(octets), assignment, arena, report_out, err);
}
