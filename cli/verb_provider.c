#include "cli/verb.h"
#include "providers/providers.h"

enum { REGISTRATION_MAX = 256 << 10 };

static bool enrol(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_bytes text;

    return sov_file_of(call, call->words[1], REGISTRATION_MAX, &text, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_provider_register(&w.commit, call->words[0], text, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "registered", "sov provider probe %s");
}

static bool retire(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };

    return sov_deed_begin(&w, call, err) &&
           sov_provider_retire(&w.commit, call->words[0], sov_value_of(call, SOV_FLAG_REASON),
                               &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "retired", "sov provider list");
}

static bool list(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *rows = sov_node_list(call->arena);
    struct sov_providers providers;

    if (!sov_provider_list(call->ledger, call->arena, &providers, err)) return false;
    for (size_t i = 0; i < providers.count; i++) {
        const struct sov_provider *provider = &providers.at[i];
        struct sov_node *row = sov_add_object(rows, NULL);

        sov_add_text(row, "id", provider->name);
        sov_add_text(row, "adapter", provider->adapter);
        sov_add_text(row, "egress", provider->confidential ? "confidential" : "public");
        sov_add_bool(row, "network", provider->network);
        sov_add_text(row, "min_sandbox", provider->min_sandbox);
        sov_add_text(row, "state", provider->retired ? "retired" : "registered");
        sov_add_int(row, "seq", provider->seq);
    }
    sov_out_table(call->out, rows, "id adapter egress network min_sandbox state");
    sov_out_data(call->out, rows);
    return true;
}

static bool probe(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *data = sov_node_object(call->arena), *proofs;
    struct sov_provider provider;
    struct sov_capabilities caps = { 0 };

    if (!sov_provider_get(call->ledger, call->words[0], call->arena, &provider, err)) return false;
    sov_call_release(call);
    if (!sov_provider_probe(&provider, call->arena, &caps, err)) return false;
    sov_add_text(data, "id", provider.name);
    sov_add_text(data, "adapter", provider.adapter);
    sov_add_text(data, "version_line", caps.version_line);
    sov_add_text(data, "path", caps.path);
    if (caps.path)
        sov_add_hex(data, "digest", sov_hash_bytes(&caps.digest));
    else
        sov_add_null(data, "digest");
    proofs = sov_add_object(data, "proofs");
    for (enum sov_capability i = 0; i < SOV_CAPABILITY_COUNT; i++)
        sov_add_text(proofs, sov_capability_word(i), sov_proof_word(caps.proof[i]));
    sov_out_members(call->out, data);
    sov_out_data(call->out, data);
    return true;
}

static const struct sov_form forms[] = {
    { "register", enrol, SOV_WRITES, 2, 2, "NAME FILE|-", "a thing that can do an assignment",
      SOV_WRITE_FIELDS, "4 not authorised\n5 the name is taken",
      "sov provider register agent agent.json", NULL },
    { "list", list, SOV_READS, 0, 0, "", "all providers",
      "id:s adapter:s egress:s network:b min_sandbox:s? state:s seq:i", "", "sov provider list",
      NULL },
    { "probe", probe, SOV_READS, 1, 1, "NAME", "look at its program; append nothing",
      "id:s adapter:s version_line:s? path:s? digest:s? proofs:o", "7 its program is not there",
      "sov provider probe agent", NULL },
    { "retire", retire, SOV_WRITES, 1, 1, "NAME --reason TEXT", "for good", SOV_WRITE_FIELDS,
      "4 not authorised\n5 wrong state", "sov provider retire agent --reason \"replaced\"", NULL },
};
static const struct sov_verb verb = {
    "provider",
    "programs that do assignments",
    "FILE is strict JSON: {\"kind\":\"sov.provider.v1\",\"adapter\":\"command\",\"argv\":[...],\n"
    "\"folders\":[],\"roots\":[],\"env\":[],\"credentials\":[],\"tools\":[],\"network\":false,\n"
    "\"egress\":\"public\"}. What a provider reports is a proposal, never authority.",
    forms,
    sizeof forms / sizeof *forms,
    SOV_GROUP_LAW
};

const struct sov_verb *sov_verb_provider(void)
{
    return &verb;
}
