/*
 * libFuzzer: JSON as bytes. Whatever the octets are, nothing crashes; what one scan passes the
 * looser one passes too; and the one-pass check of canonical octets agrees with parse and rewrite.
 */
#include <assert.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every value is visited, and every text unescaped, by the reader that trusts the check. */
static void walk(struct sov_value value)
{
    struct sov_member member;
    struct sov_value item;
    uint8_t text[65536];
    size_t at = 0;

    switch (sov_value_kind(value)) {
    case SOV_JSON_NULL:
    case SOV_JSON_BOOL:
        break;
    case SOV_JSON_INT:
        (void)sov_value_int(value);
        break;
    case SOV_JSON_TEXT:
        assert(sov_value_text(value, text, sizeof text) == sov_value_text_size(value));
        break;
    case SOV_JSON_LIST:
        while (sov_value_item(value, &at, &item)) walk(item);
        break;
    case SOV_JSON_OBJECT:
        while (sov_value_member(value, &at, &member)) walk(member.value);
        break;
    }
}

static void check_own(struct sov_bytes text)
{
    struct sov_buf once, twice;
    struct sov_error err;
    bool canonical = sov_scan_canonical(text, &sov_scan_own, &err);

    sov_buf_init(&once, 1 << 20);
    sov_buf_init(&twice, 1 << 20);
    if (sov_json_canonical(text, &sov_scan_own, &once, &err)) {
        bool passed = sov_scan_canonical(sov_buf_bytes(&once), &sov_scan_own, &err);

        assert(passed);
        passed = sov_json_canonical(sov_buf_bytes(&once), &sov_scan_own, &twice, &err);
        assert(passed && sov_bytes_equal(sov_buf_bytes(&once), sov_buf_bytes(&twice)));
        assert(canonical == sov_bytes_equal(sov_buf_bytes(&once), text));
        passed = sov_scan(text, &sov_scan_foreign, &err);
        assert(passed);
        walk(sov_value(sov_buf_bytes(&once)));
    } else {
        assert(!canonical);
    }
    sov_buf_release(&once);
    sov_buf_release(&twice);
}

static void check_foreign(struct sov_bytes text)
{
    struct sov_json *json = NULL;
    struct sov_error err;
    bool passed = sov_scan(text, &sov_scan_foreign, &err);
    bool parsed = sov_json_parse(text, &sov_scan_foreign, &json, &err);

    assert(passed == parsed);
    if (parsed) {
        int64_t n;

        (void)sov_json_count(sov_json_root(json));
        (void)sov_json_int(sov_json_root(json), &n);
        (void)sov_json_text(sov_json_root(json));
    }
    sov_json_close(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_own(sov_bytes(data, size));
    check_foreign(sov_bytes(data, size));
    return 0;
}
