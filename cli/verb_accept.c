#include "cli/checks.h"
#include "cli/gates.h"
#include "cli/sign.h"
#include "policy/policy.h"
#include "verify/verify.h"

static void checks_put(struct sov_call *call, const struct sov_observations *seen,
                       struct sov_node *data)
{
    struct sov_node *list = sov_add_list(data, "checks");

    for (size_t i = 0; i < seen->count; i++) {
        struct sov_node *row = sov_add_object(list, NULL);

        sov_add_text(row, "check", seen->at[i].check);
        sov_add_bool(row, "success", seen->at[i].success);
        sov_add_hex(row, "digest", sov_hash_bytes(&seen->at[i].digest));
        if (!call->out->quiet)
            sov_out_line(call->out, "  %-20s  %s", seen->at[i].check,
                         seen->at[i].success ? "holds" : "fails");
    }
}

static struct sov_node *gate_table(struct sov_call *call, const struct sov_verdict *verdict)
{
    size_t count;
    const struct sov_gate *gates = sov_policy_acceptance_gates(&count);

    return sov_gates_node(call, gates, count, verdict);
}

static const char *signed_words(struct sov_call *call,
                                const struct sov_acceptance_prepared *prepared, bool accepted,
                                const char *actor, struct sov_error *err)
{
    const struct sov_policy *policy;

    if (accepted) return sov_arena_printf(call->arena, "accepted %s", call->words[0]);
    if (!sov_policy_at(call->ledger, 0, call->arena, &policy, err)) return "signed";
    (void)actor;
    return sov_arena_printf(call->arena, "signed %s, %zu of %lld", call->words[0],
                            prepared->signatures + 1, (long long)policy->acceptance_signers);
}

static void data_put(struct sov_deed *w, const struct sov_acceptance_prepared *prepared,
                     const char *actor, const struct sov_signed_by *by)
{
    sov_add_id(w->data, "outcome", "OUT", prepared->request.outcome);
    sov_add_int(w->data, "term", prepared->term);
    sov_add_hex(w->data, "case_digest", sov_hash_bytes(&prepared->case_digest));
    sov_add_text(w->data, "by", actor);
    sov_add_text(w->data, "key", by ? by->key : NULL);
}

/* Nothing is signed in a dry run: the gate table is the answer. */
static bool preview(struct sov_call *call, const struct sov_acceptance_prepared *prepared,
                    struct sov_error *err)
{
    struct sov_node *data = sov_node_object(call->arena), *gates;
    size_t count;

    (void)sov_policy_acceptance_gates(&count);
    if (!sov_policy_verdict(&prepared->verdict, call->words[0], count, err)) return false;
    gates = gate_table(call, &prepared->verdict);
    sov_gates_print(call, gates, false);
    sov_out_line(call->out, "%s could be accepted now", call->words[0]);
    sov_add_text(data, "id", call->words[0]);
    sov_add_text(data, "effect", "would");
    sov_add_list(data, "seqs");
    sov_add_printf(data, "next", "sov accept %s", call->words[0]);
    gates->key = "gates";
    data->last->next = gates;
    data->last = gates;
    sov_out_data(call->out, data);
    return true;
}

static bool sign_off(struct sov_call *call, const char *actor,
                     const struct sov_acceptance_prepared *prepared,
                     const struct sov_observations *seen, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_signed_by by;
    bool sign = prepared->verdict.count == 0, accepted = false;
    size_t gates;

    (void)sov_policy_acceptance_gates(&gates);
    if (!sign && sov_sign_is_plain(call))
        return sov_policy_verdict(&prepared->verdict, call->words[0], gates, err);

    if (sign && !sov_sign_as(call, actor, SOV_ACCEPT_TAG, prepared->statement, &by, err))
        return false;
    if (!sov_deed_begin(&w, call, err) ||
        !sov_acceptance_sign(&w.commit, prepared, sign ? &by : NULL, &w.done, &accepted, err) ||
        !sov_deed_finish(&w, err))
        return false;
    data_put(&w, prepared, actor, sign ? &by : NULL);
    sov_deed_say(&w, signed_words(call, prepared, accepted, actor, err),
                 sov_arena_printf(call->arena, "sov show %s", call->words[0]));
    checks_put(call, seen, call->out->data);
    return true;
}

/* What lies in kept run folders, beside what the checks see. */
static bool look_at_kept(struct sov_call *call, struct sov_acceptance_request *request,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };

    return sov_folder_open(&home, call->found.home, err) &&
           sov_kept_changes(call->ledger, request->outcome, &home, call->arena, &request->changes,
                            &request->change_count, err);
}

static bool accept(struct sov_call *call, struct sov_error *err)
{
    struct sov_acceptance_request request = { .reason = sov_value_of(call, SOV_FLAG_REASON) };
    struct sov_acceptance_prepared prepared;
    struct sov_observations seen = { 0 };
    struct sov_outcome outcome;
    const char *actor;
    bool found;

    if (!sov_number_at(call, 0, SOV_STREAM_OUTCOME, &request.outcome, err) ||
        !sov_sign_open(call, &actor, err) ||
        !sov_outcome_find(call->ledger, request.outcome, call->arena, &outcome, &found, err))
        return false;
    /* An outcome that is not there has no checks; the gates say so in their order. */
    if (found &&
        (!sov_look(call, request.outcome, &seen, err) || !look_at_kept(call, &request, err)))
        return false;
    if (found) request.observations = &seen;
    if (!sov_acceptance_prepare(call->ledger, actor, &request, call->arena, &prepared, err))
        return false;
    return sov_given(call, SOV_FLAG_DRY_RUN) ? preview(call, &prepared, err)
                                             : sign_off(call, actor, &prepared, &seen, err);
}

static const struct sov_form forms[] = {
    { "", accept, SOV_WRITES | SOV_SIGNS | SOV_OUTSIDE_RUN, 1, 1, "OUT [--reason TEXT]",
      "sign that everything it rests on holds",
      SOV_WRITE_FIELDS " outcome:s term:i case_digest:s by:s key:s? checks:a gates:a",
      "4 a gate is open\n5 wrong state, already signed, moved\n6 a digest is wrong",
      "sov accept OUT-1 --actor principal\nsov accept OUT-1 --actor principal -n", NULL },
};
static const struct sov_verb verb = {
    "accept",
    "sign an outcome's case",
    "There is no flag for evidence, performers or checks: they are read from the ledger, and the\n"
    "checks run again now. -n prints the gate table and signs nothing.",
    forms,
    1,
    SOV_GROUP_JUDGE
};

const struct sov_verb *sov_verb_accept(void)
{
    return &verb;
}
