/* Is this place fit for a ledger, and is the ledger fit? Changes nothing. */
#include <string.h>
#include <sys/statvfs.h>

#include "base/file.h"
#include "base/place.h"
#include "cli/document.h"
#include "cli/publish.h"
#include "providers/providers.h"

enum { SPACE_MIN_MIB = 64, LEFT_MAX = 10000 };

struct doctor {
    struct sov_call *call;
    struct sov_node *rows;
    bool ill; /* something fails or cannot be seen */
};

static void put(struct doctor *d, const char *check, const char *result, const char *seen,
                const char *mend)
{
    struct sov_node *row = sov_add_object(d->rows, NULL);
    bool ill = strcmp(result, "fail") == 0 || strcmp(result, "unavailable") == 0;

    d->ill |= ill;
    sov_add_text(row, "check", check);
    sov_add_text(row, "result", result);
    sov_add_text(row, "seen", seen);
    sov_add_text(row, "mend", ill ? mend : NULL);
    if (d->call->out->quiet && !ill) return;
    sov_out_part(d->call->out, SOV_PLAIN, "%-12s ", check);
    sov_out_part(d->call->out, ill ? SOV_RED : SOV_GREEN, "%-11s", result);
    sov_out_part(d->call->out, SOV_PLAIN, " %s%s%s", seen, ill ? "; " : "", ill ? mend : "");
    sov_out_end(d->call->out);
}

/* An error of a look: what it says is what was seen. */
static void put_error(struct doctor *d, const char *check, const struct sov_error *err,
                      const char *mend)
{
    put(d, check, err->exit == SOV_UNABLE ? "unavailable" : "fail",
        sov_arena_printf(d->call->arena, "%s [%s]", err->what, err->code), mend);
    if (err->exit == SOV_INTEGRITY) d->call->answer = SOV_INTEGRITY;
}

static void place(struct doctor *d)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    const struct sov_found *found = &d->call->found;
    struct sov_file_facts facts;
    struct sov_error err = { 0 };
    const char *system;
    char name[32];
    bool local;

    if (!found->there) {
        put(d, "place", "fail", sov_arena_printf(d->call->arena, "no ledger in %s", found->looked),
            "sov init");
        return;
    }
    if (!sov_places_trust(found, d->call->arena, &system, &err)) {
        put_error(d, "place", &err, "add it to trusted_directories");
        return;
    }
    put(d, "place", "pass", found->home, "");
    if (!sov_folder_open(&home, found->home, &err) || !sov_folder_facts(&home, &facts, &err) ||
        !sov_folder_system(&home, name, &local, &err)) {
        put_error(d, "modes", &err, "mend what the message names");
        return;
    }
    put(d, "modes", facts.mode & 077 ? "fail" : "pass",
        sov_arena_printf(d->call->arena, ".sovereign is %o", facts.mode), "chmod 700 .sovereign");
    put(d, "file system", local ? "pass" : "fail", name,
        "move it, or sov recover --allow-filesystem TYPE --reason TEXT");
}

static void space(struct doctor *d)
{
    struct statvfs at;
    unsigned long long mib;

    if (statvfs(d->call->found.base, &at) != 0) {
        put(d, "space", "unavailable", "it cannot be seen", "look with df");
        return;
    }
    mib = (unsigned long long)at.f_bavail * at.f_frsize >> 20;
    put(d, "space", mib < SPACE_MIN_MIB ? "fail" : "pass",
        sov_arena_printf(d->call->arena, "%llu MiB free", mib), "make space");
}

static void clock(struct doctor *d)
{
    struct sov_event newest;
    struct sov_error err = { 0 };
    struct sov_now now;
    char text[SOV_INSTANT_TEXT + 1];

    if (!d->call->seams->clock.read(d->call->seams->clock.self, &now, &err)) {
        put_error(d, "clock", &err, "mend what the message names");
        return;
    }
    sov_instant_format(now.wall, text);
    if (d->call->ledger &&
        sov_log_event(d->call->ledger, d->call->out->seq, d->call->arena, &newest, &err) &&
        newest.at.ms > now.wall.ms + 1000) {
        put(d, "clock", "fail", sov_arena_printf(d->call->arena, "%s is behind the head", text),
            "set the clock");
        return;
    }
    put(d, "clock", "pass", text, "");
}

static void ledger(struct doctor *d)
{
    struct sov_call *call = d->call;
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_error err = { 0 };
    bool found;

    put(d, "sqlite", "pass", sov_db_library_version(), "");
    if (!call->found.there) return;
    if (!sov_call_read(call, &err)) {
        put_error(d, "ledger", &err, "sov recover");
        return;
    }
    put(d, "journal", "pass", sov_db_journal_mode(sov_ledger_file(call->ledger)), "");
    if (sov_schema_is_built(call->ledger, &err))
        put(d, "fingerprint", "pass", "the schema is the one that was built", "");
    else
        put_error(d, "fingerprint", &err, "keep the file, compare with the published log");
    if (!sov_checkpoint_at(call->ledger, 0, &checkpoint, &signature, &found, &err) ||
        (found && !sov_checkpoint_vouched(call->ledger, &checkpoint, &signature, &err)))
        put_error(d, "head", &err, "sov verify");
    else
        put(d, "head", found && (int64_t)checkpoint.size == call->out->seq ? "pass" : "fail",
            sov_arena_printf(call->arena, "size %lld", (long long)call->out->seq), "sov verify");
}

static void law(struct doctor *d)
{
    struct sov_call *call = d->call;
    struct sov_actor_keys keys;
    struct sov_error err = { 0 };
    bool there, differs;
    unsigned mode;

    if (!call->ledger) return;
    if (!sov_document_differs(call, &there, &differs, &err))
        put_error(d, "policy", &err, "sov policy show");
    else if (!there)
        put(d, "policy", "skipped", "there is no " SOV_POLICY_FILE " here", "");
    else
        put(d, "policy", differs ? "fail" : "pass",
            differs ? SOV_POLICY_FILE " is not what was adopted" : "as adopted",
            "sov policy diff, then sov policy adopt");
    if (!sov_key_list(call->ledger, NULL, call->arena, &keys, &err) ||
        !sov_file_mode_named(call->found.keys, &mode, &err))
        put_error(d, "keys", &err, "put the key folder back");
    else
        put(d, "keys", mode & 077 ? "fail" : "pass",
            sov_arena_printf(call->arena, "%zu registered, folder is %o", keys.count, mode),
            "chmod 700 the key folder");
}

/* init saves the keys before the commit that names them, so that a founding is never without its
 * key; one that was killed in between leaves a folder of keys that no pin knows. */
static void left_keys(struct doctor *d)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder keys = { 0 };
    SOV_CLEANUP(sov_folder_close) struct sov_folder pins = { 0 };
    struct sov_call *call = d->call;
    struct sov_listing names;
    struct sov_error err = { 0 };
    bool pinned = sov_folder_open(&pins, call->found.pins, &err);

    if (!sov_folder_open(&keys, call->found.keys, &err) ||
        !sov_folder_names(&keys, "", LEFT_MAX, call->arena, &names, &err))
        return; /* without a key folder nothing is left in it */
    for (size_t i = 0; i < names.count; i++) {
        struct sov_file_facts facts = { .type = SOV_FILE_ABSENT };

        if (strlen(names.name[i]) != SOV_HEX_HASH ||
            strspn(names.name[i], "0123456789abcdef") != SOV_HEX_HASH)
            continue;
        if (pinned && !sov_file_facts(&pins, names.name[i], &facts, &err)) continue;
        if (facts.type != SOV_FILE_ABSENT) continue;
        put(d, "left", "fail",
            sov_arena_printf(call->arena, "keys of a ledger without a pin: %s/%s", call->found.keys,
                             names.name[i]),
            "sov verify --pin in its folder; of a killed init: remove them");
    }
}

static void views(struct doctor *d)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    struct sov_call *call = d->call;
    struct sov_publication state;
    struct sov_error err = { 0 };

    if (!call->ledger) return;
    if (!sov_folder_open(&top, call->found.tree, &err) ||
        !sov_publication_state(call->ledger, &top, call->arena, &state, &err))
        put_error(d, "views", &err, "sov verify --projections");
    else if (state.interrupted)
        put(d, "views", "fail", "a publication was interrupted", "sov supervise");
    else if (!state.there)
        put(d, "views", "skipped", "nothing is published here", "");
    else
        put(d, "views", "pass",
            sov_arena_printf(call->arena, "published size %lld", (long long)state.size), "");
}

/* The highest level that this build can prove here. */
static void sandbox(struct doctor *d)
{
    static const char *const levels[] = { "L3", "L2", "L1", "L0" };
    struct sov_error ignored;

    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (sov_sandbox_require(levels[i], &ignored)) {
            put(d, "sandbox", "pass", levels[i], "");
            return;
        }
    put(d, "sandbox", "unavailable", "no level is proven", "run providers that you trust");
}

static void providers(struct doctor *d)
{
    struct sov_providers list;
    struct sov_error err = { 0 };

    if (!d->call->ledger) return;
    if (!sov_provider_list(d->call->ledger, d->call->arena, &list, &err)) {
        put_error(d, "providers", &err, "sov verify");
        return;
    }
    for (size_t i = 0; i < list.count; i++) {
        struct sov_capabilities caps = { 0 };
        const char *name = list.at[i].name;

        if (list.at[i].retired) continue;
        if (!sov_provider_probe(&list.at[i], d->call->arena, &caps, &err))
            put_error(d, "provider", &err,
                      sov_arena_printf(d->call->arena, "sov provider probe %s", name));
        else
            put(d, "provider", "pass",
                sov_arena_printf(d->call->arena, "%s, %s", name, list.at[i].adapter), "");
    }
}

static bool doctor(struct sov_call *call, struct sov_error *err)
{
    struct doctor d = { .call = call, .rows = sov_node_list(call->arena) };

    (void)err;
    place(&d);
    space(&d);
    ledger(&d);
    clock(&d);
    law(&d);
    left_keys(&d);
    views(&d);
    sandbox(&d);
    providers(&d);
    if (d.ill && call->answer == SOV_OK) call->answer = SOV_NO;
    sov_out_data(call->out, d.rows);
    return true;
}

static const struct sov_form forms[] = {
    { "", doctor, 0, 0, 0, "", "look at everything that a ledger needs",
      "check:s result:s seen:s mend:s?", "1 something fails or cannot be seen\n6 integrity",
      "sov doctor\nsov doctor -q", NULL },
};
static const struct sov_verb verb = { "doctor",
                                      "what is wrong here, and how to mend it",
                                      "Each look gives pass, fail, unavailable or skipped, what "
                                      "was seen, how to mend it. Nothing is\n"
                                      "changed.",
                                      forms,
                                      1,
                                      SOV_GROUP_CARE };

const struct sov_verb *sov_verb_doctor(void)
{
    return &verb;
}
