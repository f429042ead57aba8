/* Help: of the bare program, of a verb, of a topic. All of it comes from rows. */
#include <string.h>

#include "cli/topics.h"
#include "cli/verb.h"

void sov_help_bare(struct sov_call *call)
{
    static const char *const groups[SOV_GROUP_COUNT] = { "start", "work", "judge", "law", "care" };
    struct sov_out *out = call->out;
    const struct sov_verb *verb;

    sov_out_line(out, "sov keeps a signed, append-only record of governed work.");
    sov_out_line(out, "%s", "");
    sov_out_line(out, "  sov init --name \"The store\"     found a ledger in this folder");
    sov_out_line(out, "  sov status                      how things stand");
    sov_out_line(out, "  sov log --last 10               what happened");
    sov_out_line(out, "%s", "");
    for (unsigned group = 0; group < SOV_GROUP_COUNT; group++) {
        sov_out_part(out, SOV_STRONG, "%-6s", groups[group]);
        for (size_t n = 0; (verb = sov_verb_at(n)); n++)
            if (verb->group == group) sov_out_part(out, SOV_PLAIN, " %s", verb->name);
        sov_out_end(out);
    }
    sov_out_line(out, "%s", "");
    sov_out_line(out, "sov help VERB says more; topics: " SOV_TOPIC_NAMES);
    sov_out_line(out, "next: sov help tutorial");
}

/* ---- one verb ---- */

static void lines(struct sov_out *out, const char *text)
{
    while (*text) {
        size_t size = strcspn(text, "\n");

        sov_out_line(out, "  %.*s", (int)size, text);
        text += size + (text[size] == '\n');
    }
}

static void flag_line(struct sov_out *out, enum sov_flag flag)
{
    const struct sov_flag_row *row = sov_flag_row(flag);
    const char *left = sov_arena_printf(
        out->arena, "%s--%s%s%s",
        row->letter ? sov_arena_printf(out->arena, "-%c, ", row->letter) : "    ", row->word,
        row->kind == SOV_FLAG_BARE    ? ""
        : row->kind == SOV_FLAG_MAYBE ? "[="
                                      : " ",
        sov_arena_printf(out->arena, "%s%s", row->value, row->kind == SOV_FLAG_MAYBE ? "]" : ""));

    sov_out_line(out, "  %-30s %s%s", left, row->help,
                 row->kind == SOV_FLAG_MANY ? "; may be repeated" : "");
}

static void form_help(struct sov_call *call, const struct sov_verb *verb,
                      const struct sov_form *form)
{
    struct sov_flags flags = sov_form_flags(form);
    struct sov_out *out = call->out;
    bool any = false;

    sov_out_part(out, SOV_STRONG, "%s", sov_form_synopsis(verb, form, call->arena));
    sov_out_end(out);
    sov_out_line(out, "  %s", form->does);
    for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT; flag++)
        if (sov_flags_have(&flags, flag) && !sov_flag_is_common(flag) &&
            !sov_flag_is_of_writes(flag)) {
            flag_line(out, flag);
            any = true;
        }
    if (form->formats) sov_out_line(out, "  formats: text %s", form->formats);
    if (*form->exits) lines(out, form->exits);
    if (any || *form->exits) sov_out_line(out, "%s", "");
}

static void common_help(struct sov_out *out, bool writes)
{
    if (writes) sov_out_line(out, "of every write");
    for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT && writes; flag++)
        if (sov_flag_is_of_writes(flag)) flag_line(out, flag);
    sov_out_line(out, "of every verb");
    for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT; flag++)
        if (sov_flag_is_common(flag)) flag_line(out, flag);
}

void sov_help_verb(struct sov_call *call, const struct sov_verb *verb, const struct sov_form *form)
{
    struct sov_out *out = call->out;
    bool writes = false;

    sov_out_line(out, "sov %s: %s", verb->name, verb->does);
    sov_out_line(out, "%s", "");
    for (size_t i = 0; i < verb->count; i++) {
        if (form && form != &verb->forms[i]) continue;
        writes |= (verb->forms[i].needs & SOV_WRITES) != 0;
        form_help(call, verb, &verb->forms[i]);
    }
    if (*verb->help) {
        sov_out_line(out, "%s", "");
        sov_out_block(out, sov_bytes_text(verb->help));
    }
    sov_out_line(out, "%s", "");
    sov_out_line(out, "examples");
    for (size_t i = 0; i < verb->count; i++)
        if (!form || form == &verb->forms[i]) lines(out, verb->forms[i].examples);
    sov_out_line(out, "%s", "");
    common_help(out, writes);
}

static const struct sov_form *form_named(const struct sov_verb *verb, const char *name)
{
    for (size_t i = 0; i < verb->count && name; i++)
        if (strcmp(verb->forms[i].name, name) == 0) return &verb->forms[i];
    return NULL;
}

static bool help(struct sov_call *call, struct sov_error *err)
{
    const char *word = sov_word_at(call, 0), *second = sov_word_at(call, 1);
    struct sov_nearest nearest = { .word = word };
    const struct sov_verb *verb;

    call->out->json = false;
    if (!word) {
        sov_help_bare(call);
        return true;
    }
    if (sov_topic_print(call, word)) return true;
    verb = sov_verb_find(word);
    if (!verb) {
        const struct sov_verb *other;

        for (size_t n = 0; (other = sov_verb_at(n)); n++) sov_nearest_try(&nearest, other->name);
        return sov_fail(err, SOV_USAGE, "unknown_verb", "there is no verb or topic %s%s%s", word,
                        nearest.best ? "; did you mean " : "", nearest.best ? nearest.best : "");
    }
    if (second && !form_named(verb, second))
        return sov_fail(err, SOV_USAGE, "unknown_verb", "there is no %s %s", word, second);
    sov_help_verb(call, verb, form_named(verb, second));
    return true;
}

static const struct sov_form forms[] = {
    { .name = "",
      .run = help,
      .needs = SOV_PAGED,
      .most = 2,
      .takes = "[VERB|TOPIC]",
      .does = "help of a verb, or of a topic: " SOV_TOPIC_NAMES,
      .fields = "",
      .exits = "",
      .examples = "sov help sow\nsov help exit-codes" },
};
static const struct sov_verb verb = { "help",         "help of a verb or a topic", "", forms, 1,
                                      SOV_GROUP_START };

const struct sov_verb *sov_verb_help(void)
{
    return &verb;
}
