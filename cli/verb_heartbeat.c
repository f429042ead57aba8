#include "base/child.h"
#include "cli/verb.h"
#include "policy/policy.h"

static bool beat(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_process_id self;
    struct sov_who who;

    if (!sov_process_self(&self, err) || !sov_deed_begin(&w, call, err)) return false;
    who = sov_who_now(&w.commit, self.pid, self.start);
    return sov_heartbeat_record(&w.commit, call->words[0], sov_value_of(call, SOV_FLAG_NOTE), &who,
                                &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "beat", "sov heartbeat show %s");
}

static bool row(struct sov_call *call, struct sov_node *rows, const char *source,
                const struct sov_heartbeat *found, struct sov_error *err)
{
    struct sov_node *node = sov_add_object(rows, NULL);
    const struct sov_policy *policy;
    const char *verdict;
    struct sov_now now;
    char at[SOV_INSTANT_TEXT + 1];

    if (!call->seams->clock.read(call->seams->clock.self, &now, err) ||
        !sov_policy_at(call->ledger, 0, call->arena, &policy, err))
        return false;
    verdict = sov_policy_heartbeat(policy, found ? found->at_ms : 0, now.wall.ms);
    if (strcmp(verdict, "ALIVE") != 0 && sov_given(call, SOV_FLAG_EXIT_CODE)) call->answer = SOV_NO;
    sov_add_text(node, "id", source);
    sov_add_text(node, "verdict", verdict);
    if (!found) {
        sov_add_null(node, "at");
        sov_add_null(node, "seq");
        sov_add_null(node, "actor");
        sov_add_null(node, "note");
        return true;
    }
    sov_instant_format((struct sov_instant){ found->at_ms }, at);
    sov_add_text(node, "at", at);
    sov_add_int(node, "seq", found->seq);
    sov_add_text(node, "actor", found->actor);
    sov_add_text(node, "note", found->note);
    return true;
}

static bool show(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *rows = sov_node_list(call->arena);
    const char *source = sov_word_at(call, 0);
    struct sov_heartbeats beats;
    struct sov_heartbeat one;
    bool found;

    if (source) {
        if (!sov_heartbeat_find(call->ledger, source, call->arena, &one, &found, err) ||
            !row(call, rows, source, found ? &one : NULL, err))
            return false;
    } else {
        if (!sov_heartbeat_list(call->ledger, call->arena, &beats, err)) return false;
        for (size_t i = 0; i < beats.count; i++)
            if (!row(call, rows, beats.at[i].source, &beats.at[i], err)) return false;
    }
    sov_out_table(call->out, rows, "id verdict at actor note");
    sov_out_data(call->out, rows);
    return true;
}

static const struct sov_form forms[] = {
    { "", beat, SOV_WRITES, 1, 1, "SOURCE [--note TEXT]", "a recorder reached the ledger now",
      SOV_WRITE_FIELDS, "4 not authorised", "sov heartbeat till-1", NULL },
    { "show", show, SOV_READS, 0, 1, "[SOURCE] [--exit-code]",
      "NO_BEATS, ALIVE or STALE, computed now", "id:s verdict:s at:s? seq:i? actor:s? note:s?",
      "1 not ALIVE, with --exit-code", "sov heartbeat show till-1 --exit-code", NULL },
};
static const struct sov_verb verb = {
    "heartbeat",
    "a beat, and no more",
    "A beat renews, creates, expires and unblocks nothing. STALE says that nothing was heard.",
    forms,
    2,
    SOV_GROUP_CARE
};

const struct sov_verb *sov_verb_heartbeat(void)
{
    return &verb;
}
