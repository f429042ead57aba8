#include <string.h>

#include "cli/setup_plan.h"

/* ---- what is shown ---- */

/* Where a difference goes: to standard error if a question follows, since a result is printed at
 * the end; else it is the result. */
static void show(struct sov_call *call, bool asks, const char *sign, struct sov_bytes line)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf wide = { 0 };

    sov_buf_init(&wide, 8 * SOV_SETUP_SIZE_MAX);
    for (size_t i = 0; i < line.size; i++)
        if (line.data[i] == '\t')
            sov_buf_add_text(&wide, "        ");
        else
            sov_buf_add_byte(&wide, line.data[i]);
    if (asks)
        sov_out_note(call->out, "%s%.*s", sign, (int)wide.size, (const char *)wide.data);
    else if (!call->out->quiet)
        sov_out_line(call->out, "%s%.*s", sign, (int)wide.size, (const char *)wide.data);
}

static struct sov_bytes cut_line(struct sov_bytes *rest)
{
    const uint8_t *feed = rest->size ? memchr(rest->data, '\n', rest->size) : NULL;
    size_t size = feed ? (size_t)(feed - rest->data) : rest->size;
    struct sov_bytes line = sov_bytes(rest->data, size);

    size += feed != NULL;
    *rest = sov_bytes(rest->data + size, rest->size - size);
    return line;
}

/* The octets that both begin with, up to the last line end. */
static size_t common_head(struct sov_bytes a, struct sov_bytes b)
{
    size_t at = 0, line = 0;

    while (at < a.size && at < b.size && a.data[at] == b.data[at])
        if (a.data[at++] == '\n') line = at;
    return at == a.size && at == b.size ? at : line;
}

static size_t common_tail(struct sov_bytes a, struct sov_bytes b)
{
    size_t at = 0, line = 0;

    while (at < a.size && at < b.size && a.data[a.size - 1 - at] == b.data[b.size - 1 - at]) {
        if (at && a.data[a.size - 1 - at] == '\n') line = at;
        at++;
    }
    if (at == a.size && (at == b.size || b.data[b.size - 1 - at] == '\n')) line = at;
    if (at == b.size && (at == a.size || a.data[a.size - 1 - at] == '\n')) line = at;
    return line;
}

/* One stretch of lines changes, so that is what is shown. */
static void difference(struct sov_call *call, bool asks, const struct sov_setup_item *item)
{
    struct sov_bytes before = item->before, after = item->result.after;
    size_t head, tail;

    if (item->result.change == SOV_SETUP_REMOVE) after = sov_bytes("", 0);
    if (!before.data) before = sov_bytes("", 0);
    head = common_head(before, after);
    before = sov_bytes(before.data + head, before.size - head);
    after = sov_bytes(after.data + head, after.size - head);
    tail = common_tail(before, after);
    before.size -= tail;
    after.size -= tail;
    show(call, asks, "--- ",
         sov_bytes_text(item->result.change == SOV_SETUP_CREATE ? "/dev/null" : item->shown));
    show(call, asks, "+++ ",
         sov_bytes_text(item->result.change == SOV_SETUP_REMOVE ? "/dev/null" : item->shown));
    while (before.size) show(call, asks, "-", cut_line(&before));
    while (after.size) show(call, asks, "+", cut_line(&after));
}

static const char *change_word(enum sov_setup_change change)
{
    switch (change) {
    case SOV_SETUP_SAME:
        return "same";
    case SOV_SETUP_CREATE:
        return "create";
    case SOV_SETUP_WRITE:
        return "write";
    case SOV_SETUP_REMOVE:
        return "remove";
    case SOV_SETUP_FOREIGN:
        return "left";
    }
    return "";
}

static bool is_done(const struct sov_setup_item *item)
{
    return item->result.change != SOV_SETUP_SAME && item->result.change != SOV_SETUP_FOREIGN;
}

static void data_put(struct sov_call *call, const struct sov_setup_plan *plan, const char *effect)
{
    struct sov_node *data = sov_node_object(call->arena), *files;

    sov_add_text(data, "target", call->form->name);
    sov_add_text(data, "effect", effect);
    files = sov_add_list(data, "files");
    for (size_t i = 0; i < plan->count; i++) {
        const struct sov_setup_item *item = &plan->items[i];
        struct sov_node *file = sov_add_object(files, NULL);

        sov_add_text(file, "path", item->shown);
        sov_add_text(file, "change", change_word(item->result.change));
        if (is_done(item))
            sov_add_bytes(file, "text", item->result.after);
        else
            sov_add_null(file, "text");
    }
    sov_out_data(call->out, data);
}

/* Each file's path as a comment, then what would be written into it. */
static void print(struct sov_call *call, struct sov_setup_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        struct sov_setup_item *item = &plan->items[i];
        const char *block =
            item->path ? sov_setup_block(&item->text, call->arena) : item->text.body;
        const char *head = item->text.head ? item->text.head : "";

        item->result.after = sov_bytes_text(sov_arena_printf(call->arena, "%s%s", head, block));
        item->result.change = SOV_SETUP_CREATE;
        if (plan->count > 1) sov_out_line(call->out, "# %s", item->shown);
        sov_out_octets(call->out, item->result.after);
    }
    data_put(call, plan, "would");
}

/* ---- asking and doing ---- */

static bool agreed(struct sov_call *call, bool *agreed_out, struct sov_error *err)
{
    char answer[8] = "";

    *agreed_out = sov_given(call, SOV_FLAG_YES);
    if (*agreed_out) return true;
    if (!sov_out_ask(call->out, "write this? type yes, or give --yes: ", answer, sizeof answer,
                     err))
        return false;
    *agreed_out = strcmp(answer, "yes") == 0 || strcmp(answer, "y") == 0;
    return true;
}

static void say(struct sov_call *call, const struct sov_setup_plan *plan, bool dry)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct sov_setup_item *item = &plan->items[i];
        bool gone = item->result.change == SOV_SETUP_REMOVE;

        switch (item->result.change) {
        case SOV_SETUP_SAME:
            if (!call->out->quiet) sov_out_line(call->out, "%s: nothing to do", item->shown);
            break;
        case SOV_SETUP_FOREIGN:
            sov_out_warn(call->out, "%s", item->left);
            break;
        case SOV_SETUP_CREATE:
        case SOV_SETUP_WRITE:
        case SOV_SETUP_REMOVE:
            if (call->out->quiet)
                sov_out_line(call->out, "%s", item->shown);
            else
                sov_out_line(call->out, "%s%s %s", dry ? "would have " : "",
                             gone ? "removed" : "written", item->shown);
            break;
        }
    }
}

static bool carry_out(struct sov_call *call, const struct sov_setup_plan *plan,
                      struct sov_error *err)
{
    bool dry = sov_given(call, SOV_FLAG_DRY_RUN), acts = sov_setup_plan_acts(plan), yes = true;
    bool asks = acts && !dry && !sov_given(call, SOV_FLAG_YES);

    for (size_t i = 0; i < plan->count && !(asks && call->out->json); i++)
        if (is_done(&plan->items[i])) difference(call, asks, &plan->items[i]);
    if (asks && !agreed(call, &yes, err)) return false;
    if (!yes) {
        sov_out_note(call->out, "nothing was written");
        call->answer = SOV_NO;
        return true;
    }
    if (acts && !dry && !sov_setup_plan_do(call, plan, err)) return false;
    say(call, plan, dry);
    data_put(call, plan, !acts ? "noop" : dry ? "would" : "created");
    return true;
}

static bool run(struct sov_call *call, struct sov_setup_plan *plan,
                const struct sov_setup_item *one, struct sov_error *err)
{
    bool removing = sov_given(call, SOV_FLAG_REMOVE), printing = sov_given(call, SOV_FLAG_PRINT);

    if (printing && removing)
        return sov_fail(err, SOV_USAGE, "usage", "--print and --remove exclude each other");
    if (printing) {
        if (one)
            plan->items[plan->count++] = *one;
        else
            sov_setup_plan_git_texts(plan);
        print(call, plan);
        return true;
    }
    return (one ? sov_setup_plan_add(call, plan, one, removing, err)
                : sov_setup_plan_git(call, plan, removing, err)) &&
           carry_out(call, plan, err);
}

/* ---- the three ---- */

static bool setup_git(struct sov_call *call, struct sov_error *err)
{
    struct sov_setup_plan plan = { .count = 0 };

    return run(call, &plan, NULL, err);
}

/* The ledger's id is the whole identity: it fixes event 1, which holds the root key. */
static bool ledger_id(struct sov_call *call, char *hex_out, struct sov_error *err)
{
    if (!sov_call_read(call, err)) return false;
    sov_hex(sov_hash_bytes(&call->out->ledger_id), hex_out);
    sov_call_release(call);
    return true;
}

static bool source_of(struct sov_call *call, struct sov_setup_source *source, struct sov_error *err)
{
    const char *given = sov_value_of(call, SOV_FLAG_PROGRAM);
    char answer[256] = "";

    if (!given) {
        if (!sov_out_ask(call->out,
                         "where does CI take sov from? OWNER/REPO@COMMIT, or give --program: ",
                         answer, sizeof answer, err))
            return false;
        given = sov_arena_printf(call->arena, "%s", answer);
    }
    return sov_setup_source(given, call->arena, source, err);
}

/* Taking out needs no text: the markers say what is ours. */
static bool setup_ci(struct sov_call *call, const struct sov_setup_item *item,
                     const char *(*body)(const struct sov_setup_source *, const char *,
                                         struct sov_arena *),
                     struct sov_error *err)
{
    struct sov_setup_plan plan = { .count = 0 };
    struct sov_setup_item one = *item;
    struct sov_setup_source source;
    char id[SOV_HEX_HASH + 1];

    one.folder = call->found.tree;
    if (!sov_given(call, SOV_FLAG_REMOVE)) {
        if (!source_of(call, &source, err) || !ledger_id(call, id, err)) return false;
        if (!one.text.fits && !source.slug)
            return sov_fail(err, SOV_USAGE, "bad_value",
                            "a workflow takes its steps from GitHub: OWNER/REPO@COMMIT, not %s",
                            source.url);
        one.text.body = body(&source, id, call->arena);
    }
    return run(call, &plan, &one, err);
}

static bool setup_github(struct sov_call *call, struct sov_error *err)
{
    static const struct sov_setup_item item = { .shown = ".github/workflows/sov.yml",
                                                .path = ".github/workflows/sov.yml",
                                                .mode = 0644,
                                                .text = {
                                                    .name = "github", .head = "", .body = "" } };

    return setup_ci(call, &item, sov_setup_github, err);
}

static bool setup_gitlab(struct sov_call *call, struct sov_error *err)
{
    static const struct sov_setup_item item = {
        .shown = ".gitlab-ci.yml",
        .path = ".gitlab-ci.yml",
        .mode = 0644,
        .text = { .name = "gitlab", .head = "", .body = "", .fits = sov_setup_takes_job }
    };

    return setup_ci(call, &item, sov_setup_gitlab, err);
}

#define NEEDS (SOV_DRY | SOV_OUTSIDE_RUN | SOV_CLONES)
#define FIELDS "target:s effect:s files:a"
#define EXITS "1 the answer was no\n4 a link or no regular file is there\n5 edited between markers"

static const struct sov_form forms[] = {
    { "git", setup_git, NEEDS, 0, 0, "[--print|--remove] [--yes]",
      "the merge driver in .git/config and a hook that judges what is staged", FIELDS, EXITS,
      "sov setup git --yes\nsov setup git --remove", NULL },
    { "github", setup_github, NEEDS, 0, 0,
      "[--program OWNER/REPO@COMMIT] [--print|--remove] [--yes]",
      "a workflow that verifies each pull request", FIELDS, EXITS,
      "sov setup github --program OWNER/REPO@COMMIT --print", NULL },
    { "gitlab", setup_gitlab, NEEDS, 0, 0, "[--program URL@COMMIT] [--print|--remove] [--yes]",
      "a job that verifies, with its findings in the merge request", FIELDS, EXITS,
      "sov setup gitlab --program URL@COMMIT --yes", NULL },
};
static const struct sov_verb verb = {
    "setup",
    "let git and CI ask sov",
    "Writes files of this repository, between two marker lines; shows the difference and asks.\n"
    "Again: nothing to do. What was edited between the markers is refused (5), and so is a file "
    "that\n"
    "sov did not write; an existing hook is left alone, and its line is said. --remove takes out\n"
    "exactly what was written (folders that are empty then stay), --print writes nothing.\n"
    "--program names where CI takes this program from, by a whole commit id.",
    forms,
    sizeof forms / sizeof *forms,
    SOV_GROUP_CARE
};

const struct sov_verb *sov_verb_setup(void)
{
    return &verb;
}
