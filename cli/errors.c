/* The four parts of a refusal: what happened, why, what to inspect, the next command. */
#include <stdio.h>

#include "cli/verb.h"
#include "policy/policy.h"

/* A row's text with %1 .. %4 replaced by what the error names, ID where it names nothing. */
static const char *filled(const char *text, const struct sov_error *err, struct sov_arena *arena)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

    sov_buf_init(&out, 8192);
    for (const char *at = text; *at; at++) {
        if (at[0] == '%' && at[1] >= '1' && at[1] <= '4') {
            unsigned n = (unsigned)(at[1] - '1');

            sov_buf_add_text(&out, n < err->ref_count ? err->refs[n] : "ID");
            at++;
        } else {
            sov_buf_add_byte(&out, (uint8_t)*at);
        }
    }
    return sov_arena_text(arena, sov_buf_bytes(&out));
}

struct parts {
    const char *why, *inspect, *next;
};

static struct parts parts_of(const struct sov_call *call, const struct sov_error *err,
                             struct sov_arena *arena)
{
    const struct sov_refusal *row = sov_refusal_find(err->code);
    struct parts parts = { "this is a fault of the program itself", "sov doctor", "report it" };
    const char *mark = sov_arena_printf(arena, "[%s]", err->code);

    if (row) parts = (struct parts){ row->why, row->inspect, row->next };
    if (*err->why) parts.why = sov_arena_printf(arena, "%s", err->why);
    if (!strstr(parts.why, mark)) parts.why = sov_arena_printf(arena, "%s %s", parts.why, mark);
    if (strcmp(parts.inspect, "sov help") == 0 && call->verb)
        parts.inspect = sov_arena_printf(arena, "sov help %s", call->verb->name);
    parts.inspect = filled(parts.inspect, err, arena);
    parts.next = filled(parts.next, err, arena);
    return parts;
}

static bool is_retryable(const struct sov_error *err)
{
    return strcmp(err->code, "busy") == 0 || strcmp(err->code, "moved") == 0 ||
           strcmp(err->code, "disk_full") == 0 || strcmp(err->code, "no_memory") == 0;
}

struct sov_node *sov_error_node(const struct sov_call *call, const struct sov_error *err,
                                struct sov_arena *arena)
{
    struct sov_node *root = sov_node_object(arena), *error, *refs;
    struct parts parts = parts_of(call, err, arena);

    sov_add_text(root, "schema", "sov.error.v1");
    error = sov_add_object(root, "error");
    sov_add_text(error, "code", err->code);
    sov_add_int(error, "exit", err->exit);
    sov_add_text(error, "what", err->what);
    sov_add_text(error, "why", parts.why);
    sov_add_text(error, "inspect", parts.inspect);
    sov_add_text(error, "next", parts.next);
    sov_add_bool(error, "retryable", is_retryable(err));
    refs = sov_add_list(error, "refs");
    for (unsigned i = 0; i < err->ref_count; i++) sov_add_text(refs, NULL, err->refs[i]);
    if (err->seq)
        sov_add_int(error, "seq", err->seq);
    else
        sov_add_null(error, "seq");
    return root;
}

void sov_error_print(const struct sov_call *call, struct sov_out *out, const struct sov_error *err)
{
    struct parts parts;

    if (err->exit == SOV_PIPE) return; /* nobody is there to read it */
    if (out->json) {
        sov_out_error_json(out, sov_error_node(call, err, out->arena));
        return;
    }
    parts = parts_of(call, err, out->arena);
    sov_out_error_line(out, SOV_RED, "sov: ",
                       sov_arena_printf(out->arena, "%s: %s", sov_exit_word(err->exit), err->what));
    sov_out_error_line(out, SOV_FAINT, "  why      ", parts.why);
    sov_out_error_line(out, SOV_FAINT, "  inspect  ", parts.inspect);
    sov_out_error_line(out, SOV_FAINT, "  next     ", parts.next);
    if (call->form && err->exit == SOV_USAGE &&
        (strcmp(err->code, "usage") == 0 || strcmp(err->code, "unknown_flag") == 0 ||
         strcmp(err->code, "input_required") == 0))
        sov_out_error_line(out, SOV_FAINT, "  usage    ",
                           sov_form_synopsis(call->verb, call->form, out->arena));
}
