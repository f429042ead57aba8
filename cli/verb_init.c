#include <string.h>

#include "base/file.h"
#include "cli/document.h"
#include "cli/publish.h"

static const char *last_segment(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : "organization";
}

/* Locks and syncs of a place must be trusted before anything is made in it. */
static bool place_trusted(struct sov_call *call, struct sov_founding *founding,
                          struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder base = { 0 };
    const char *allowed = sov_value_of(call, SOV_FLAG_ALLOW_FILESYSTEM);
    char system[32];
    bool local;

    if (!sov_folder_open(&base, call->found.base, err) ||
        !sov_folder_system(&base, system, &local, err))
        return false;
    if (!local && (!allowed || strcmp(allowed, system) != 0))
        return sov_fail(err, SOV_DENIED, "filesystem_refused", "%s lies on %s", call->found.base,
                        system);
    founding->filesystem = allowed;
    founding->filesystem_reason = sov_value_of(call, SOV_FLAG_REASON);
    return true;
}

/* Before the ledger: once that has its name an interrupted founding is not gone on with. */
static bool source_put(struct sov_call *call, struct sov_bytes document, bool *made_out,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder tree = { 0 };
    struct sov_file_facts facts;

    if (!sov_folder_open(&tree, call->found.tree, err) ||
        !sov_file_facts(&tree, SOV_POLICY_FILE, &facts, err))
        return false;
    *made_out = facts.type == SOV_FILE_ABSENT;
    return sov_given(call, SOV_FLAG_DRY_RUN) ||
           sov_file_provide(&tree, SOV_POLICY_FILE, 0644, sov_document_text(document, call->arena),
                            made_out, err);
}

/* The first publication; its paths are listed. A tree that holds another ledger's is refused before
 * anything is founded. */
static bool publish(struct sov_call *call, struct sov_node *files, struct sov_error *err)
{
    struct sov_published published;

    if (sov_given(call, SOV_FLAG_DRY_RUN)) {
        sov_add_text(files, NULL, SOV_GOVERNANCE "/");
        return true;
    }
    if (!sov_call_read(call, err)) return false;
    sov_call_release(call);
    if (!sov_publish_tree(call, SOV_PUBLISH, false, &published, err)) return false;
    for (size_t i = 0; i < published.written_count; i++)
        sov_add_text(files, NULL, published.written[i]);
    return sov_call_head(call, err);
}

static bool tree_is_free(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder tree = { 0 };
    struct sov_file_facts facts;

    if (!sov_folder_open(&tree, call->found.tree, err) ||
        !sov_file_facts(&tree, SOV_GOVERNANCE "/checkpoints", &facts, err))
        return err->exit == SOV_ABSENT;
    if (facts.type == SOV_FILE_ABSENT) return true;
    sov_error_set(err, SOV_CONFLICT, "exists", "%s/" SOV_GOVERNANCE " holds another ledger's views",
                  call->found.tree);
    sov_error_ref(err, SOV_GOVERNANCE);
    return false;
}

static void say(struct sov_call *call, const struct sov_founded *founded, struct sov_node *data,
                const struct sov_node *files)
{
    bool dry = sov_given(call, SOV_FLAG_DRY_RUN);
    const char *id = sov_node_get(data, "id")->text.data
                         ? (const char *)sov_node_get(data, "id")->text.data
                         : "";

    if (call->out->quiet) {
        sov_out_line(call->out, "%s", id);
        return;
    }
    if (founded->noop) {
        sov_out_line(call->out, "%s is founded already (size %lld), nothing written",
                     call->found.home, (long long)founded->size);
        return;
    }
    sov_out_line(call->out, "%s %s, ledger %.8s", dry ? "would found" : "founded",
                 (const char *)sov_node_get(data, "name")->text.data, id);
    for (const struct sov_node *file = files->first; file; file = file->next)
        sov_out_line(call->out, "  %.*s", (int)file->text.size, (const char *)file->text.data);
    for (size_t i = 0; i < founded->count; i++)
        if (dry || call->out->verbose)
            sov_out_line(call->out, "  %s  %s", sov_event_row(founded->events[i].type)->type,
                         founded->events[i].id);
}

static bool found(struct sov_call *call, struct sov_bytes document, struct sov_error *err)
{
    struct sov_places places = { call->found.home, call->found.keys };
    const char *name = sov_value_of(call, SOV_FLAG_NAME);
    struct sov_founding founding = { .name = name ? name : last_segment(call->found.base),
                                     .policy = document,
                                     .dry = sov_given(call, SOV_FLAG_DRY_RUN) };
    struct sov_node *data = sov_node_object(call->arena), *files, *seqs;
    struct sov_founded founded;
    bool made = false;

    if (!call->found.there &&
        (!tree_is_free(call, err) || !place_trusted(call, &founding, err) ||
         !source_put(call, document.data ? document : sov_policy_default(), &made, err)))
        return false;
    if (!sov_organization_found(&places, &founding, call->seams, call->arena, &founded, err))
        return false;
    call->found.there = true;
    sov_add_hex(data, "id", sov_hash_bytes(&founded.ledger_id));
    sov_add_text(data, "effect", founded.noop ? "noop" : founding.dry ? "would" : "created");
    seqs = sov_add_list(data, "seqs");
    for (size_t i = 0; i < founded.count && !founding.dry; i++)
        sov_add_int(seqs, NULL, founded.events[i].seq);
    sov_add_text(data, "next", "sov help tutorial");
    sov_add_text(data, "name", founding.name);
    files = sov_add_list(data, "files");
    if (!founded.noop) {
        sov_add_text(files, NULL, ".sovereign/organization.db");
        sov_add_printf(files, NULL, "%s/%.*s", call->found.keys, SOV_HEX_HASH,
                       (const char *)sov_node_get(data, "id")->text.data);
        if (!founding.dry) call->out->committed = founded.size;
        if (made) sov_add_text(files, NULL, SOV_POLICY_FILE);
        if (!publish(call, files, err)) return false;
    }
    say(call, &founded, data, files);
    sov_out_data(call->out, data);
    if (!founded.noop) sov_out_next(call->out, "sov help tutorial");
    return true;
}

/* No ledger yet, and never one of our own: a place that import fills. */
static bool mirror(struct sov_call *call, struct sov_error *err)
{
    struct sov_places places = { call->found.home, call->found.keys };
    const char *hex = sov_value_of(call, SOV_FLAG_MIRROR);
    bool dry = sov_given(call, SOV_FLAG_DRY_RUN), made;
    struct sov_node *data = sov_node_object(call->arena);
    struct sov_founding unused = { 0 };
    struct sov_hash id;

    if (!sov_unhex(sov_bytes_text(hex), id.octets, sizeof id.octets))
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no ledger id of 64 hex digits", hex);
    if (sov_given(call, SOV_FLAG_NAME) || sov_given(call, SOV_FLAG_POLICY) ||
        sov_given(call, SOV_FLAG_ALLOW_FILESYSTEM))
        return sov_fail(err, SOV_USAGE, "usage", "a mirror takes name and policy from its ledger");
    if ((!call->found.there && !place_trusted(call, &unused, err)) ||
        !sov_mirror_make(&places, &id, dry, &made, err))
        return false;
    sov_add_text(data, "id", hex);
    sov_add_text(data, "effect", !made ? "noop" : dry ? "would" : "created");
    sov_add_list(data, "seqs");
    sov_add_text(data, "next", "sov import FILE");
    sov_add_text(data, "name", "");
    sov_add_list(data, "files");
    if (call->out->quiet)
        sov_out_line(call->out, "%s", hex);
    else
        sov_out_line(call->out, "%s a mirror of ledger %.8s%s",
                     !made ? "there is"
                     : dry ? "would make"
                           : "made",
                     hex, made ? "" : ", nothing written");
    sov_out_data(call->out, data);
    if (made && !dry) sov_out_next(call->out, "sov import FILE");
    return true;
}

static bool init(struct sov_call *call, struct sov_error *err)
{
    const char *path = sov_value_of(call, SOV_FLAG_POLICY);
    bool allowing = sov_given(call, SOV_FLAG_ALLOW_FILESYSTEM);
    struct sov_bytes document = { 0 };
    const struct sov_policy *policy;

    if (sov_given(call, SOV_FLAG_MIRROR)) return mirror(call, err);
    if (allowing && !sov_given(call, SOV_FLAG_REASON))
        return sov_fail(err, SOV_USAGE, "reason_missing", "--allow-filesystem needs --reason");
    if (!allowing && sov_given(call, SOV_FLAG_REASON))
        return sov_fail(err, SOV_USAGE, "usage", "--reason goes with --allow-filesystem");
    if (path && (!sov_document_read(call, path, &document, err) ||
                 !sov_policy_parse(document, call->arena, &policy, err)))
        return false;
    return found(call, document, err);
}

static const struct sov_form forms[] = {
    { .name = "",
      .run = init,
      .needs = SOV_WRITES | SOV_OUTSIDE_RUN,
      .takes = "[--name N] [--policy FILE] [--allow-filesystem TYPE --reason TEXT] [--mirror HEX]",
      .does = "found a ledger here: five actors with a key each, the default policy",
      .fields = SOV_WRITE_FIELDS " name:s files:a",
      .exits = "4 the place is not trusted\n5 governance/ of another ledger is there",
      .examples =
          "sov init --name \"The store\"\nsov init --policy store/policy.json\nsov init -n\n"
          "sov init --mirror LEDGER-ID" },
};
static const struct sov_verb verb = {
    "init",
    "found a ledger",
    "Makes .sovereign/ (the ledger, ignored by git), keys outside of the repository, "
    "sovereign.json\n"
    "(the policy source) and the first publication under governance/. Again: nothing is written.\n"
    "--mirror makes a place that only sov import fills: nothing is founded and no key is made.",
    forms,
    1,
    SOV_GROUP_START
};

const struct sov_verb *sov_verb_init(void)
{
    return &verb;
}
