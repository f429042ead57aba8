/*
 * The adapter `scripted`: the n-th run of a registration takes turn n of its script, in process. It
 * never improvises and never repeats. Its stream is JSONL of two types, so that the code which
 * reads any provider's lines is the code that tests run: {"text":..,"type":"say"} and the terminal
 * {"report":..,"type":"end"}.
 */
#include <assert.h>
#include <string.h>

#include "base/canonical.h"
#include "base/json.h"
#include "providers/adapters.h"
#include "providers/lines.h"
#include "providers/script.h"

enum { STREAM_MAX = 2 << 20 };

struct sov_adapter_state {
    struct sov_lines lines;
    struct sov_buf report;
    bool has_report, exhausted, broken;
};

static bool probe(const struct sov_provider *provider, const struct sov_probe_io *io,
                  struct sov_capabilities *caps_out, struct sov_error *err)
{
    struct sov_capabilities caps = { .version_line = "" };

    (void)io;
    if (!provider->has_script)
        return sov_fail(err, SOV_UNABLE, "provider_unavailable", "no script is registered");
    for (enum sov_capability c = 0; c < SOV_CAPABILITY_COUNT; c++) caps.proof[c] = SOV_PROOF_ABSENT;
    caps.proof[SOV_CAN_IS_LOCAL] = SOV_PROOF_PROVEN;
    *caps_out = caps;
    return true;
}

static bool take(void *self, struct sov_bytes object, enum sov_line_kind *kind_out,
                 struct sov_error *err)
{
    struct sov_adapter_state *state = self;
    struct sov_value root = sov_value(object), type, report;
    struct sov_bytes word = { NULL, 0 };

    /* What this adapter reads, start wrote: canonical octets. */
    if (!sov_scan_canonical(object, &sov_scan_report, err))
        return sov_lines_fail(err, "a line is not canonical");
    type = sov_value_get(root, "type");
    if (sov_value_there(type) && sov_value_kind(type) == SOV_JSON_TEXT)
        word = sov_value_plain(type);
    if (word.data && sov_bytes_is(word, "say")) {
        *kind_out = SOV_LINE_KNOWN;
        return true;
    }
    if (!word.data || !sov_bytes_is(word, "end")) {
        *kind_out = SOV_LINE_UNKNOWN;
        return true;
    }
    *kind_out = SOV_LINE_TERMINAL;
    report = sov_value_get(root, "report");
    if (sov_value_there(report) && sov_value_kind(report) == SOV_JSON_OBJECT) {
        sov_buf_clear(&state->report);
        sov_buf_add(&state->report, report.octets);
        state->has_report = true;
    }
    return true;
}

static void put_say(struct sov_buf *out, struct sov_value say)
{
    struct sov_writer w;

    sov_writer_init(&w, out);
    sov_write_object(&w);
    sov_put_raw(&w, "text", say.octets);
    sov_put_text(&w, "type", "say");
    sov_write_end(&w);
    sov_buf_add_byte(out, '\n');
}

static void put_end(struct sov_buf *out, struct sov_value report)
{
    struct sov_writer w;

    sov_writer_init(&w, out);
    sov_write_object(&w);
    sov_put_raw(&w, "report", report.octets);
    sov_put_text(&w, "type", "end");
    sov_write_end(&w);
    sov_buf_add_byte(out, '\n');
}

static bool stream_of(const struct sov_turn *turn, struct sov_arena *arena,
                      struct sov_run_canned *canned, struct sov_error *err)
{
    struct sov_buf out;
    bool ok;

    sov_buf_init(&out, STREAM_MAX);
    put_say(&out, turn->say);
    if (turn->end != SOV_TURN_CUT && turn->end != SOV_TURN_TIMEOUT) put_end(&out, turn->report);
    if (turn->end == SOV_TURN_TWO_TERMINALS) put_end(&out, turn->report);
    ok = sov_buf_whole(&out, "a turn", err);
    if (ok) canned->octets = sov_arena_bytes(arena, sov_buf_bytes(&out));
    sov_buf_release(&out);
    canned->exit_code = turn->end == SOV_TURN_EXIT_3 ? 3 : turn->end == SOV_TURN_TIMEOUT ? -1 : 0;
    canned->ended_by = turn->end == SOV_TURN_TIMEOUT ? SOV_END_TIMEOUT : SOV_END_SELF;
    canned->files = turn->files;
    canned->file_count = turn->file_count;
    return ok;
}

static bool start(const struct sov_provider *provider, const struct sov_run_request *request,
                  struct sov_run_plan *plan_out, struct sov_adapter_state **state_out,
                  struct sov_error *err)
{
    struct sov_adapter_state *state = sov_arena_take(request->arena, sizeof *state);
    struct sov_run_plan plan = { .stdin_octets = request->envelope };
    struct sov_error why = { 0 };
    struct sov_turn turn;
    bool found;

    (void)provider;
    if (!sov_script_turn(request->script, request->turn, request->arena, &turn, &found, &why) ||
        (found && !stream_of(&turn, request->arena, &plan.canned, &why)))
        return sov_fail(err, SOV_DENIED, "capability_refusal", "%s", why.what);
    state->exhausted = !found;
    if (!found) plan.canned.ended_by = SOV_END_SELF;
    sov_lines_init(&state->lines, SOV_LINES_STRICT, SOV_LINES_LINE, state, take);
    sov_buf_init(&state->report, STREAM_MAX);
    *plan_out = plan;
    *state_out = state;
    return true;
}

static bool feed(struct sov_adapter_state *state, enum sov_pipe pipe, struct sov_bytes chunk,
                 struct sov_error *err)
{
    if (pipe == SOV_STDERR) return true;
    if (sov_lines_feed(&state->lines, chunk, err)) return true;
    state->broken = true;
    return false;
}

static bool finish(struct sov_adapter_state *state, const struct sov_run_exit *how,
                   struct sov_run_facts *facts_out, struct sov_error *err)
{
    struct sov_run_facts facts = { 0 };
    struct sov_error why = { 0 };

    (void)err;
    if (!state->broken && !sov_lines_finish(&state->lines, how->code == 0, &why)) {
        facts.holds[SOV_RUN_MALFORMED_STREAM] = true;
        facts.message = "the stream ends within a line";
    }
    facts.lines = (int64_t)state->lines.counts.lines;
    facts.unknown = (int64_t)state->lines.counts.unknown;
    facts.noise = (int64_t)state->lines.counts.noise;
    facts.after_terminal = (int64_t)state->lines.counts.after_terminal;
    facts.partial_line = state->lines.counts.partial_line;
    if (state->exhausted) {
        facts.holds[SOV_RUN_PROVIDER_ERROR] = true;
        facts.message = "script_exhausted";
    } else if (!state->lines.terminal) {
        facts.holds[SOV_RUN_MISSING_TERMINAL] = true;
    }
    facts.has_report = state->has_report;
    facts.report = sov_buf_bytes(&state->report);
    *facts_out = facts;
    return true;
}

static void release(struct sov_adapter_state *state)
{
    sov_lines_release(&state->lines);
    sov_buf_release(&state->report);
}

const struct sov_adapter *sov_adapter_scripted(void)
{
    static const struct sov_adapter row = {
        .name = "scripted",
        .transport = SOV_INPROCESS,
        .version = 1,
        .probe = probe,
        .start = start,
        .feed = feed,
        .finish = finish,
        .release = release,
    };

    return &row;
}
