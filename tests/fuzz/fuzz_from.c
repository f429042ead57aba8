/*
 * libFuzzer: deliveries of foreign senders. Whatever the octets are, nothing crashes; what is read
 * has ids for kind and source, a subject and a key, and the same octets are read the same again.
 */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "cli/from.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct sov_from_request senders[] = {
    { .sender = "github", .event = "workflow_run" },
    { .sender = "github", .event = "issues" },
    { .sender = "github", .event = "push" },
    { .sender = "cloudevents" },
    { .sender = "alertmanager" },
};

static void well_formed(const struct sov_from_signal *one, struct sov_bytes payload)
{
    const struct sov_signal_request *request = &one->request;
    struct sov_instant at;
    struct sov_error err;

    assert(sov_text_is_id(sov_bytes_text(request->kind)));
    assert(sov_text_is_id(sov_bytes_text(request->source)));
    assert(sov_text_is_utf8(sov_bytes_text(request->subject)));
    assert(!sov_text_is_blank(sov_bytes_text(request->subject)));
    assert(request->severity < SOV_SEVERITY_COUNT);
    assert(one->key && *one->key && strlen(one->key) <= SOV_KEY_MAX);
    assert(!request->observed_at ||
           sov_instant_parse_foreign(sov_bytes_text(request->observed_at), &at, &err));
    assert(sov_bytes_equal(request->payload, payload));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof senders / sizeof *senders; i++) {
        struct sov_from_request request = senders[i];
        struct sov_from once = { NULL, 0 }, twice = { NULL, 0 };
        struct sov_arena arena;
        struct sov_error err = { 0 };
        bool ok;

        request.payload = sov_bytes(data, size);
        sov_arena_init(&arena, 512 << 20);
        ok = sov_from_read(&request, &arena, &once, &err);
        assert(ok == sov_from_read(&request, &arena, &twice, &err));
        assert(ok || (err.code && err.exit == SOV_USAGE));
        assert(ok == (once.count > 0) && once.count == twice.count);
        for (size_t n = 0; n < once.count; n++) {
            well_formed(&once.at[n], request.payload);
            assert(strcmp(once.at[n].key, twice.at[n].key) == 0);
        }
        sov_arena_release(&arena);
    }
    return 0;
}
