#include "cli/verb.h"

static struct sov_actor_request request_of(const struct sov_call *call)
{
    return (struct sov_actor_request){ .id = call->words[0],
                                       .kind = sov_value_of(call, SOV_FLAG_KIND),
                                       .role = sov_value_of(call, SOV_FLAG_ROLE),
                                       .provider = sov_value_of(call, SOV_FLAG_PROVIDER),
                                       .represents = sov_value_of(call, SOV_FLAG_REPRESENTS),
                                       .reason = sov_value_of(call, SOV_FLAG_REASON) };
}

static bool add(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_actor_request request = request_of(call);

    return sov_deed_begin(&w, call, err) && sov_actor_register(&w.commit, &request, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "registered", "sov key new %s");
}

static bool revise(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_actor_request request = request_of(call);

    return sov_deed_begin(&w, call, err) && sov_actor_revise(&w.commit, &request, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "revised", "sov show %s");
}

static bool change(struct sov_call *call, enum sov_actor_change change, const char *what,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };

    return sov_deed_begin(&w, call, err) &&
           sov_actor_change(&w.commit, call->words[0], change, sov_value_of(call, SOV_FLAG_REASON),
                            &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, what, "sov actor list");
}

static bool suspend(struct sov_call *call, struct sov_error *err)
{
    return change(call, SOV_ACTOR_SUSPEND, "suspended", err);
}

static bool resume(struct sov_call *call, struct sov_error *err)
{
    return change(call, SOV_ACTOR_RESUME, "resumed", err);
}

static bool retire(struct sov_call *call, struct sov_error *err)
{
    return change(call, SOV_ACTOR_RETIRE, "retired", err);
}

static bool list(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *rows = sov_node_list(call->arena);
    struct sov_actors actors;

    if (!sov_actor_list(call->ledger, call->arena, &actors, err)) return false;
    for (size_t i = 0; i < actors.count; i++) {
        const struct sov_actor *actor = &actors.at[i];
        struct sov_node *row = sov_add_object(rows, NULL);

        sov_add_text(row, "id", actor->id);
        sov_add_text(row, "kind", actor->kind);
        sov_add_text(row, "role", actor->role);
        sov_add_text(row, "provider", actor->provider);
        sov_add_text(row, "represents", actor->represents);
        sov_add_text(row, "status", actor->status);
        sov_add_int(row, "seq", actor->seq);
    }
    sov_out_table(call->out, rows, "id kind role provider represents status");
    sov_out_data(call->out, rows);
    return true;
}

#define WRITE SOV_WRITES | SOV_OUTSIDE_RUN
static const struct sov_form forms[] = {
    { "add", add, WRITE, 1, 1,
      "ID --role R --kind person|robot|service --provider P "
      "[--represents ID|team/NAME]",
      "register an actor", SOV_WRITE_FIELDS, "4 not authorised\n5 the id is taken",
      "sov actor add builder-3 --role operator --kind robot --provider scripted", NULL },
    { "revise", revise, WRITE, 1, 1,
      "ID [--role R] [--provider P] [--represents ID|team/NAME] "
      "--reason TEXT",
      "change role, provider or who is answerable", SOV_WRITE_FIELDS,
      "4 not authorised\n5 wrong state",
      "sov actor revise builder-3 --represents alice --reason \"alice answers for it\"", NULL },
    { "suspend", suspend, WRITE, 1, 1, "ID --reason TEXT", "it may do nothing until resumed",
      SOV_WRITE_FIELDS, "4 not authorised\n5 wrong state",
      "sov actor suspend builder-3 --reason \"under investigation\"", NULL },
    { "resume", resume, WRITE, 1, 1, "ID --reason TEXT", "it may act again", SOV_WRITE_FIELDS,
      "4 not authorised\n5 wrong state", "sov actor resume builder-3 --reason \"cleared\"", NULL },
    { "retire", retire, WRITE, 1, 1, "ID --reason TEXT", "for good; the id is never used again",
      SOV_WRITE_FIELDS, "4 not authorised\n5 wrong state",
      "sov actor retire builder-3 --reason \"replaced\"", NULL },
    { "list", list, SOV_READS | SOV_OUTSIDE_RUN, 0, 0, "", "all actors",
      "id:s kind:s role:s provider:s represents:s? status:s seq:i", "", "sov actor list", NULL },
};
static const struct sov_verb verb = {
    "actor",
    "who may act, in which role",
    "A role's row in the policy is the only source of permission. An actor's answerable is the "
    "end\n"
    "of `represents`; two actors are the same if ids, keys or answerables meet.",
    forms,
    sizeof forms / sizeof *forms,
    SOV_GROUP_LAW
};

const struct sov_verb *sov_verb_actor(void)
{
    return &verb;
}
