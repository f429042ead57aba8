/*
 * The report reader, the stream of `command` and the lines of a provider on hostile octets. What is
 * read obeys every limit; a stream gives the same answer in any chunks.
 *   clang -fsanitize=fuzzer,address,undefined with libproviders.a and those below.
 */
#include <stdlib.h>

#include "base/text.h"
#include "providers/lines.h"
#include "providers/providers.h"
#include "providers/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

static void read_report(struct sov_bytes text, struct sov_arena *arena)
{
    struct sov_report report;
    struct sov_error err = { 0 };

    if (!sov_report_read(text, "ASG-1", arena, &report, &err)) {
        require(strcmp(err.code, "invalid_report") == 0 && err.exit == SOV_NO);
        return;
    }
    require(report.status != SOV_REPORT_NONE);
    require(report.file_count <= SOV_DELIVERABLES_MAX);
    require(report.proposals.count <= SOV_PROPOSALS_MAX);
    require(report.status == SOV_REPORT_COMPLETED || !report.proposals.count);
    for (size_t i = 0; i < report.file_count; i++)
        require(sov_text_is_safe_path(sov_bytes_text(report.files[i])));
    for (size_t i = 0; i < report.proposals.count; i++)
        require(strlen(report.proposals.at[i].kind) <= 64 &&
                strlen(report.proposals.at[i].subject) <= 200);
}

/* What `command` makes of a stream that comes in chunks of so many octets. */
struct answer {
    bool fed, has_report, malformed;
    struct sov_hash report;
};

static struct answer stream(struct sov_bytes text, size_t step, struct sov_arena *arena)
{
    const struct sov_adapter *adapter = sov_adapter_find("command");
    const struct sov_provider provider = { .name = "x", .adapter = "command" };
    const struct sov_run_request request = {
        .assignment = "ASG-1", .fence = 1, .envelope = sov_bytes_text("{}"), .arena = arena
    };
    const struct sov_run_exit well = { SOV_END_SELF, 0, 0 };
    struct answer answer = { .fed = true };
    struct sov_adapter_state *state;
    struct sov_run_facts facts;
    struct sov_run_plan plan;
    struct sov_error err = { 0 };

    require(adapter->start(&provider, &request, &plan, &state, &err));
    for (size_t at = 0; at < text.size && answer.fed; at += step) {
        size_t size = text.size - at < step ? text.size - at : step;

        answer.fed = adapter->feed(state, SOV_STDOUT, sov_bytes(text.data + at, size), &err);
    }
    require(adapter->finish(state, &well, &facts, &err));
    require(answer.fed || !facts.has_report);
    answer.has_report = facts.has_report;
    answer.malformed = facts.holds[SOV_RUN_MALFORMED_STREAM];
    if (facts.has_report) {
        answer.report = sov_sha256(facts.report);
        read_report(facts.report, arena);
    }
    adapter->release(state);
    return answer;
}

static bool take(void *self, struct sov_bytes object, enum sov_line_kind *kind_out,
                 struct sov_error *err)
{
    (void)err;
    require(object.size && object.data[0] == '{');
    ++*(size_t *)self;
    *kind_out = SOV_LINE_KNOWN;
    return true;
}

static bool lines(struct sov_bytes text, size_t step, enum sov_lines_mode mode, size_t *count_out)
{
    SOV_CLEANUP(sov_lines_release) struct sov_lines reader = { 0 };
    struct sov_error err = { 0 };
    size_t count = 0;
    bool ok = true;

    sov_lines_init(&reader, mode, SOV_LINES_LINE, &count, take);
    for (size_t at = 0; at < text.size && ok; at += step) {
        size_t size = text.size - at < step ? text.size - at : step;

        ok = sov_lines_feed(&reader, sov_bytes(text.data + at, size), &err);
    }
    ok = ok && sov_lines_finish(&reader, true, &err);
    require(ok || strcmp(err.code, "malformed_stream") == 0);
    *count_out = count;
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t arena_most = 64 << 20;
    struct sov_bytes text = sov_bytes(data, size);
    struct sov_arena arena;

    sov_arena_init(&arena, arena_most);
    read_report(text, &arena);
    for (size_t step = 1; step < 8 && size; step += 3) {
        struct answer whole = stream(text, size, &arena), parts = stream(text, step, &arena);

        require(whole.fed == parts.fed && whole.has_report == parts.has_report &&
                whole.malformed == parts.malformed);
        require(sov_hash_equal(&whole.report, &parts.report));
        for (int mode = 0; mode < 2; mode++) {
            size_t a, b;
            bool ok = lines(text, size, (enum sov_lines_mode)mode, &a);

            require(lines(text, step, (enum sov_lines_mode)mode, &b) == ok && a == b);
        }
    }
    sov_arena_release(&arena);
    return 0;
}
