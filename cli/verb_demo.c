/* The store of the model, offline, from the founding to a tampered copy that verify must catch. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/place.h"
#include "cli/store.h"
#include "cli/verb.h"

enum { OUTPUT_MAX = 4 << 20, WORDS = 20, LEDGER_MAX = 64 << 20 };

struct step {
    const char *say; /* what it shows; NULL: nothing new */
    int exit;
    const char *word[WORDS];
};

static const struct step loop[] = {
    { "A ledger is founded, under the store's own law.",
      0,
      { "init", "--name", "The store", "--policy", "policy.json", "-q" } },
    { NULL, 0, { "provider", "register", "scripted", "provider.json", "--actor", "principal" } },
    { NULL,
      0,
      { "subject", "declare", "SKU-TEA", "--fact", "unit_cost=120", "--fact", "price=400", "--fact",
        "reorder_point=3", "--actor", "principal" } },
    { NULL,
      0,
      { "account", "open", "inventory/SKU-TEA", "--unit", "unit", "--opening", "4", "--actor",
        "principal" } },
    { NULL,
      0,
      { "account", "open", "reserved/SKU-TEA", "--unit", "unit", "--actor", "principal" } },
    { NULL,
      0,
      { "account", "open", "cash", "--unit", "cent", "--opening", "10000", "--actor",
        "principal" } },
    { "A person says what must hold, and how it is checked.",
      0,
      { "outcome", "new", "Tea is in stock", "--subject", "SKU-TEA", "--desired",
        "never below the reorder point", "--check", "@stock-available.json", "--check",
        "@restock-posted.json", "--check", "@restock-present.json", "--actor", "principal" } },
    { NULL, 0, { "outcome", "activate", "OUT-1", "--actor", "master" } },
    { "The world changes: two are sold. The pulse turns the signal into work.",
      0,
      { "change", "record", "sale", "--subject", "SKU-TEA", "--quantity", "2", "--source", "shop",
        "--actor", "operator" } },
    { NULL, 0, { "pulse" } },
    { "A robot proposes, the host computes and commits.",
      0,
      { "run", "ASG-1", "--actor", "operator" } },
    { "Nobody judges his own work.",
      4,
      { "review", "SOW-1", "--pass", "--reason", "looks good to me", "--actor", "operator" } },
    { NULL, 0, { "check", "SOW-1", "--actor", "verifier" } },
    { NULL,
      0,
      { "review", "SOW-1", "--pass", "--reason", "the order is there", "--actor", "sparring" } },
    { "Accepted too early, accepted by a robot, accepted.",
      4,
      { "accept", "OUT-1", "--actor", "principal" } },
    { NULL, 0, { "check", "OUT-1", "--actor", "verifier" } },
    { NULL, 4, { "accept", "OUT-1", "--actor", "master" } },
    { NULL, 0, { "accept", "OUT-1", "--actor", "principal" } },
    { NULL, 0, { "account", "list" } },
    { "What was accepted can be violated again: six are sold.",
      0,
      { "change", "record", "sale", "--subject", "SKU-TEA", "--quantity", "6", "--source", "shop",
        "--actor", "operator" } },
    { NULL, 0, { "pulse" } },
    { NULL, 1, { "check", "OUT-1", "--recheck", "--actor", "verifier" } },
    { NULL, 0, { "pulse" } },
    { NULL, 0, { "run", "ASG-2", "--actor", "operator" } },
    { NULL, 0, { "check", "SOW-2", "--actor", "verifier" } },
    { NULL,
      0,
      { "review", "SOW-2", "--pass", "--reason", "the order is there", "--actor", "sparring" } },
    { NULL, 0, { "check", "OUT-1", "--actor", "verifier" } },
    { NULL, 0, { "accept", "OUT-1", "--actor", "principal" } },
    { NULL, 0, { "account", "list" } },
    { "Why is that so?", 0, { "why", "EFF-2" } },
    { "Published, and judged from the bytes alone.", 0, { "project" } },
    { NULL, 0, { "verify", "--projections" } },
};
static const struct step tampered[] = {
    { "In a copy of the ledger one byte of an event is changed: 6 becomes 9.",
      6,
      { "verify", "--no-anchor", "-C", "tampered" } },
};
static const struct step edited[] = {
    { "A published page is edited by hand. A rebuild restores it.",
      1,
      { "verify", "--projections", "-q" } },
    { NULL, 0, { "rebuild" } },
    { NULL, 0, { "verify", "--projections", "-q" } },
};
static const struct {
    const char *name;
    const unsigned char *octets;
    size_t size;
} files[] = {
    { "policy.json", policy, sizeof policy },
    { "provider.json", provider, sizeof provider },
    { "stock-available.json", stock_available, sizeof stock_available },
    { "restock-posted.json", restock_posted, sizeof restock_posted },
    { "restock-present.json", restock_present, sizeof restock_present },
};

struct demo {
    struct sov_call *call;
    struct sov_folder folder;
    const char *path;    /* of the folder */
    const char *program; /* this one */
    struct sov_hash digest;
    const char *environment[4];
    struct sov_node *steps;
    unsigned wrong;
};

/* Words with a blank in them are shown as a shell wants them. */
static const char *shown(struct demo *demo, const struct step *step)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

    sov_buf_init(&out, 4096);
    sov_buf_add_text(&out, "sov");
    for (size_t i = 0; i < WORDS && step->word[i]; i++)
        sov_buf_printf(&out, strchr(step->word[i], ' ') ? " \"%s\"" : " %s", step->word[i]);
    return sov_arena_text(demo->call->arena, sov_buf_bytes(&out));
}

static bool spawn(struct demo *demo, const struct step *step, struct sov_buf *output,
                  struct sov_buf *errors, int *exit_out, struct sov_error *err)
{
    const char *argv[WORDS + 2] = { "sov" };
    struct sov_child_plan plan = { .argv = argv,
                                   .path = demo->program,
                                   .digest = demo->digest,
                                   .environment = demo->environment,
                                   .folder = &demo->folder,
                                   .wall_ms = 120000,
                                   .stdout_max = OUTPUT_MAX,
                                   .stderr_keep = OUTPUT_MAX / 4 };
    struct sov_child_result result;

    for (size_t i = 0; i < WORDS && step->word[i]; i++) argv[i + 1] = step->word[i];
    if (!sov_child_run(&plan, NULL, output, errors, &result, err)) return false;
    *exit_out = result.exit_code;
    return sov_call_goes_on(err);
}

static bool run(struct demo *demo, const struct step *step, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf output = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf errors = { 0 };
    struct sov_out *out = demo->call->out;
    const char *command = shown(demo, step);
    struct sov_node *row;
    int exit;

    sov_buf_init(&output, OUTPUT_MAX);
    sov_buf_init(&errors, OUTPUT_MAX);
    if (step->say) {
        sov_out_line(out, "%s", "");
        sov_out_part(out, SOV_STRONG, "%s", step->say);
        sov_out_end(out);
    }
    sov_out_line(out, "$ %s", command);
    if (!spawn(demo, step, &output, &errors, &exit, err)) return false;
    sov_out_block(out, sov_buf_bytes(&output));
    sov_out_block(out, sov_buf_bytes(&errors));
    if (exit) sov_out_line(out, "? %d", exit);
    row = sov_add_object(demo->steps, NULL);
    sov_add_text(row, "command", command);
    sov_add_int(row, "exit", exit);
    sov_add_int(row, "expected", step->exit);
    if (exit == step->exit) return true;
    demo->wrong++;
    sov_out_line(out, "this should have ended with %d", step->exit);
    return true;
}

static bool run_all(struct demo *demo, const struct step *steps, size_t count,
                    struct sov_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!run(demo, &steps[i], err)) return false;
    return true;
}

/* ---- the folder ---- */

static bool is_empty(struct sov_call *call, const struct sov_folder *folder, struct sov_error *err)
{
    struct sov_listing names;

    if (!sov_folder_names(folder, "", 1, call->arena, &names, err))
        return err->exit == SOV_USAGE
                   ? sov_fail(err, SOV_CONFLICT, "exists", "%s is not empty", call->words[0])
                   : false;
    if (!names.count) return true;
    return sov_fail(err, SOV_CONFLICT, "exists", "%s is not empty", call->words[0]);
}

/* What is above would be taken for the demo's own: its ledger, or the top of its working tree. */
static bool stands_alone(struct demo *demo, struct sov_error *err)
{
    struct sov_found found;

    if (chdir(demo->path) != 0)
        return sov_fail(err, SOV_UNABLE, "io_error", "%s cannot be entered", demo->path);
    if (!sov_places_find(demo->call->arena, &found, err)) return false;
    if (strcmp(found.tree, demo->path) == 0 && !found.there) return true;
    return sov_fail(err, SOV_CONFLICT, "exists",
                    "%s lies within %s, which has a ledger or is a "
                    "git working tree",
                    demo->path, found.tree);
}

static bool folder_open(struct demo *demo, struct sov_error *err)
{
    struct sov_call *call = demo->call;
    const char *given = sov_word_at(call, 0);
    char made[] = "/tmp/sov-demo-XXXXXX";

    if (!given && !mkdtemp(made))
        return sov_fail(err, SOV_UNABLE, "io_error", "no folder can be made in /tmp");
    if (given && !sov_folder_make_named(given, 0755, err)) return false;
    if (!sov_path_absolute(given ? given : made, call->arena, &demo->path, err) ||
        !sov_folder_open(&demo->folder, demo->path, err))
        return false;
    return (!given || is_empty(call, &demo->folder, err)) && stands_alone(demo, err);
}

static bool prepare(struct demo *demo, struct sov_error *err)
{
    struct sov_arena *arena = demo->call->arena;
    static const char *const none[] = { NULL };
    const char *self;

    if (!folder_open(demo, err) || !sov_folder_make(&demo->folder, "home", 0700, err)) return false;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!sov_file_create(&demo->folder, files[i].name, 0644,
                             sov_bytes(files[i].octets, files[i].size), err))
            return false;
    demo->environment[0] = sov_arena_printf(arena, "HOME=%s/home", demo->path);
    demo->environment[1] = "PATH=/usr/local/bin:/usr/bin:/bin";
    demo->environment[2] = "LC_ALL=C";
    return sov_path_absolute("/proc/self/exe", arena, &self, err) &&
           sov_child_resolve(self, none, arena, &demo->program, &demo->digest, err);
}

/* ---- what must be caught ---- */

/* This process has no connection to the ledger: its file may be read like any other. */
static bool tamper(struct demo *demo, struct sov_error *err)
{
    static const char mark[] = "\"quantity\":6,\"subject\":\"SKU-TEA\"},\"fence\":";
    const char *path =
        sov_arena_printf(demo->call->arena, "%s/.sovereign/organization.db", demo->path);
    struct sov_bytes octets;
    uint8_t *copy, *at;

    if (!sov_file_read_named(path, LEDGER_MAX, demo->call->arena, &octets, err)) return false;
    copy = sov_arena_take(demo->call->arena, octets.size + 1);
    memcpy(copy, octets.data, octets.size);
    at = memmem(copy, octets.size, mark, sizeof mark - 1);
    if (!at) return sov_fail(err, SOV_INTERNAL, "internal_error", "the event was not found");
    at[strlen("\"quantity\":")] = '9';
    return sov_folder_make(&demo->folder, "tampered/.sovereign", 0700, err) &&
           sov_file_create(&demo->folder, "tampered/.sovereign/organization.db", 0600,
                           sov_bytes(copy, octets.size), err);
}

static bool edit(struct demo *demo, struct sov_error *err)
{
    static const char page[] = "governance/outcomes/OUT-1.md";
    struct sov_bytes text;
    uint8_t *copy, *at;

    if (!sov_file_read(&demo->folder, page, 1 << 20, demo->call->arena, &text, err)) return false;
    copy = sov_arena_take(demo->call->arena, text.size + 1);
    memcpy(copy, text.data, text.size);
    at = memmem(copy, text.size, "ACCEPTED", 8);
    if (!at) return sov_fail(err, SOV_INTERNAL, "internal_error", "the verdict was not found");
    memcpy(at, "REJECTED", 8);
    return sov_file_replace(&demo->folder, page, 0644, sov_bytes(copy, text.size), err);
}

static void say(struct demo *demo)
{
    struct sov_node *data = sov_node_object(demo->call->arena);
    struct sov_out *out = demo->call->out;

    sov_out_line(out, "%s", "");
    sov_out_line(out, "%s: all of it lies in %s", demo->wrong ? "no" : "ok", demo->path);
    sov_add_text(data, "folder", demo->path);
    sov_add_bool(data, "ok", demo->wrong == 0);
    demo->steps->key = "steps";
    data->last->next = demo->steps;
    data->last = demo->steps;
    sov_out_data(out, data);
    if (demo->wrong) demo->call->answer = SOV_NO;
}

static bool demo_run(struct sov_call *call, struct sov_error *err)
{
    struct demo demo = { .call = call, .steps = sov_node_list(call->arena) };
    bool ok;

    sov_signals_watch();
    ok = prepare(&demo, err) && run_all(&demo, loop, sizeof loop / sizeof *loop, err) &&
         tamper(&demo, err) && run_all(&demo, tampered, 1, err) && edit(&demo, err) &&
         run_all(&demo, edited, sizeof edited / sizeof *edited, err);
    sov_folder_close(&demo.folder);
    if (ok) say(&demo);
    return ok;
}

static const struct sov_form forms[] = {
    { "", demo_run, 0, 0, 1, "[DIR]", "the whole loop, offline, in a folder of its own",
      "folder:s ok:b steps:a", "1 a step did not end as it should\n5 DIR is not empty",
      "sov demo\nsov demo /tmp/store", NULL },
};
static const struct sov_verb verb = { "demo",
                                      "see it work: the store, from a sale to an acceptance",
                                      "Prints each command. Nothing outside of DIR is touched; "
                                      "without DIR a temporary folder is made\n"
                                      "and kept.",
                                      forms,
                                      1,
                                      SOV_GROUP_START };

const struct sov_verb *sov_verb_demo(void)
{
    return &verb;
}
