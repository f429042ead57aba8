#include "cli/run_said.h"

/* Decided and rolled back: nothing has a seq. */
static bool is_dry(const struct sov_run_result *result)
{
    return !result->fence || (!result->repeated && !result->finish_seq);
}

static void data_put(struct sov_call *call, const struct sov_run_result *result,
                     struct sov_node *data)
{
    const struct sov_appended *at;
    const char *word = sov_policy_receipt_word(result->end.status);
    struct sov_node *seqs, *effects;
    size_t count = 0;
    int64_t *ascending;

    sov_add_id(data, "id", "RCP", result->end.receipt);
    sov_add_text(data, "effect", is_dry(result) ? "would" : result->repeated ? "noop" : "created");
    seqs = sov_add_list(data, "seqs");
    for (at = result->newest; at; at = at->before) count++;
    ascending = sov_arena_array(call->arena, count + 1, sizeof *ascending);
    at = result->newest;
    for (size_t i = count; i > 0; i--, at = at->before) ascending[i - 1] = at->seq;
    for (size_t i = 0; i < count && !is_dry(result); i++) sov_add_int(seqs, NULL, ascending[i]);
    if (result->newest && !result->repeated && !is_dry(result))
        call->out->committed = result->newest->seq;
    sov_add_text(data, "next", "sov status");
    sov_add_text(data, "assignment", call->words[0]);
    sov_add_int(data, "fence", result->fence);
    sov_add_text(data, "status", result->fence ? word : NULL);
    sov_add_text(data, "category", result->end.category);
    sov_add_text(data, "code", result->end.code);
    sov_add_text(data, "message", result->message);
    sov_add_text(data, "provider", result->provider);
    sov_add_text(data, "adapter", result->adapter);
    effects = sov_add_list(data, "effects");
    for (size_t i = 0; i < result->end.effect_count; i++)
        sov_add_id(effects, NULL, "EFF", result->end.effects[i]);
    sov_add_bool(data, "boundary_violated", result->boundary_violated);
}

static void say(struct sov_call *call, const struct sov_run_result *result)
{
    const char *word = sov_policy_receipt_word(result->end.status);
    struct sov_out *out = call->out;

    if (!result->fence) {
        sov_out_line(out, "%s could run now, by %s", call->words[0], result->provider);
        return;
    }
    if (out->quiet) {
        sov_out_line(out, "RCP-%lld", (long long)result->end.receipt);
        return;
    }
    sov_out_part(out, SOV_CYAN, "RCP-%lld", (long long)result->end.receipt);
    sov_out_part(out, SOV_PLAIN, " %s%s %s%s%s, fence %lld",
                 is_dry(result)     ? "would be "
                 : result->repeated ? "already "
                                    : "",
                 word, call->words[0], result->end.category ? ", " : "",
                 result->end.category ? result->end.category : "", (long long)result->fence);
    if (result->finish_seq)
        sov_out_part(out, SOV_PLAIN, " (seq %lld)", (long long)result->finish_seq);
    sov_out_end(out);
    if (result->message && *result->message) sov_out_line(out, "  %s", result->message);
    for (size_t i = 0; i < result->end.effect_count; i++)
        sov_out_line(out, "  EFF-%lld committed", (long long)result->end.effects[i]);
    if (result->boundary_violated) sov_out_line(out, "  boundary violated");
    for (size_t i = 0; i < result->credential_seen.count; i++)
        sov_out_warn(out, "note: credential %s was seen in the output",
                     result->credential_seen.at[i]);
    if (result->experimental)
        sov_out_note(out, "note: the adapter %s is experimental", result->adapter);
}

void sov_run_said(struct sov_call *call, const struct sov_run_result *result, struct sov_node *data)
{
    data_put(call, result, data);
    say(call, result);
}
