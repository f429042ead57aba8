/*
 * The adapter `command`: any program. Envelope and line feed on its standard input, one report and
 * white space on its standard output, exit 0.
 *
 * Its stream is one JSON object. What breaks that (a NUL, a BOM, no UTF-8, text that is no object,
 * a second value, nesting over 64, over 4 MiB) is malformed_stream; what is an object but no report
 * is the report reader's to refuse.
 */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "providers/adapters.h"
#include "providers/lines.h"

struct sov_adapter_state {
    struct sov_buf text; /* from the first octet that is no white space */
    unsigned depth;
    bool in_text, escaped, closed, broken;
};

static bool is_space(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool probe(const struct sov_provider *provider, const struct sov_probe_io *io,
                  struct sov_capabilities *caps_out, struct sov_error *err)
{
    struct sov_capabilities caps = { .version_line = "" };
    const char **folders = sov_arena_array(io->arena, provider->folders.count + 1, sizeof *folders);
    struct sov_error why = { 0 };

    for (size_t i = 0; i < provider->folders.count; i++) folders[i] = provider->folders.at[i];
    /* An unknown program is not run to ask for its version: it might do its whole work. */
    if (!provider->argv.count)
        return sov_fail(err, SOV_UNABLE, "provider_unavailable", "no program is registered");
    if (!io->resolve(provider->argv.at[0], folders, io->arena, &caps.path, &caps.digest, &why))
        return sov_fail(err, SOV_UNABLE, "provider_unavailable", "%s", why.what);
    caps.proof[SOV_CAN_SESSION_CHOOSE] = caps.proof[SOV_CAN_SESSION_REPORT] =
        caps.proof[SOV_CAN_SESSION_RESUME] = SOV_PROOF_ABSENT;
    caps.proof[SOV_CAN_USAGE] = SOV_PROOF_ABSENT;
    *caps_out = caps;
    return true;
}

static bool start(const struct sov_provider *provider, const struct sov_run_request *request,
                  struct sov_run_plan *plan_out, struct sov_adapter_state **state_out,
                  struct sov_error *err)
{
    struct sov_adapter_state *state = sov_arena_take(request->arena, sizeof *state);
    uint8_t *octets = sov_arena_take(request->arena, request->envelope.size + 1);

    (void)err;
    memcpy(octets, request->envelope.data, request->envelope.size);
    octets[request->envelope.size] = '\n';
    sov_buf_init(&state->text, SOV_LINES_LINE);
    *plan_out = (struct sov_run_plan){
        .argv = provider->argv,
        .stdin_octets = sov_bytes(octets, request->envelope.size + 1),
    };
    *state_out = state;
    return true;
}

static bool broken(struct sov_adapter_state *state, const char *why, struct sov_error *err)
{
    state->broken = true;
    return sov_lines_fail(err, "standard output %s", why);
}

/* One octet of the object; strings are skipped over, brackets counted. */
static bool step(struct sov_adapter_state *state, uint8_t c, struct sov_error *err)
{
    if (c == 0) return broken(state, "has a NUL byte", err);
    if (state->closed) return is_space(c) || broken(state, "has a second value", err);
    if (!state->depth && is_space(c)) return true;
    if (!state->depth && c != '{') return broken(state, "does not begin with an object", err);
    if (state->text.size == state->text.size_max)
        return broken(state, "is longer than an object may be", err);
    sov_buf_add_byte(&state->text, c);
    if (state->escaped) {
        state->escaped = false;
    } else if (state->in_text) {
        state->escaped = c == '\\';
        state->in_text = c != '"';
    } else if (c == '"') {
        state->in_text = true;
    } else if (c == '{' || c == '[') {
        if (++state->depth > SOV_LINES_DEPTH) return broken(state, "is nested too deeply", err);
    } else if (c == '}' || c == ']') {
        state->closed = --state->depth == 0;
    }
    return true;
}

static bool feed(struct sov_adapter_state *state, enum sov_pipe pipe, struct sov_bytes chunk,
                 struct sov_error *err)
{
    if (pipe == SOV_STDERR) return true;
    if (state->broken) return broken(state, "was malformed before", err);
    for (size_t i = 0; i < chunk.size; i++)
        if (!step(state, chunk.data[i], err)) return false;
    return true;
}

static bool finish(struct sov_adapter_state *state, const struct sov_run_exit *how,
                   struct sov_run_facts *facts_out, struct sov_error *err)
{
    struct sov_run_facts facts = { 0 };
    struct sov_bytes text = sov_buf_bytes(&state->text);

    (void)err;
    if (state->closed) facts.lines = 1;
    if (!state->broken && text.size && !sov_text_is_utf8(text)) {
        facts.holds[SOV_RUN_MALFORMED_STREAM] = true;
        facts.message = "standard output is no UTF-8";
    } else if (!state->broken && text.size && !state->closed) {
        /* Cut while the host ended it: the host's reason says more. */
        facts.partial_line = true;
        if (how->ended_by == SOV_END_SELF && how->code == 0) {
            facts.holds[SOV_RUN_MALFORMED_STREAM] = true;
            facts.message = "standard output ends within the object";
        }
    } else if (state->closed && !state->broken) {
        facts.has_report = true;
        facts.report = text;
    }
    *facts_out = facts;
    return true;
}

static void release(struct sov_adapter_state *state)
{
    sov_buf_release(&state->text);
}

const struct sov_adapter *sov_adapter_command(void)
{
    static const struct sov_adapter row = {
        .name = "command",
        .transport = SOV_CHILD,
        .version = 1,
        .probe = probe,
        .start = start,
        .feed = feed,
        .finish = finish,
        .release = release,
    };

    return &row;
}
