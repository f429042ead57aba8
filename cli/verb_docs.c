/* The pages under docs/ and the tables of the manual, written from the rows: `make docs` keeps
 * them, a transcript compares. Hidden. */
#include <string.h>

#include "cli/topics.h"
#include "policy/policy.h"

static void head(struct sov_out *out, const char *title, const char *text)
{
    sov_out_line(out, "# %s", title);
    sov_out_line(out, "%s", "");
    sov_out_line(out, "%s Made by `make docs` from the rows that the program obeys.", text);
    sov_out_line(out, "%s", "");
}

/* A cell may hold no bar. */
static const char *cell(struct sov_out *out, const char *text)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf buf = { 0 };

    sov_buf_init(&buf, 16384);
    for (; *text; text++) {
        if (*text == '|') sov_buf_add_byte(&buf, '\\');
        sov_buf_add_byte(&buf, *text == '\n' ? ' ' : (uint8_t)*text);
    }
    return sov_arena_text(out->arena, sov_buf_bytes(&buf));
}

/* ---- events ---- */

static const char *kind_word(const struct sov_field *field, struct sov_arena *arena)
{
    switch (field->kind) {
    case SOV_FIELD_TEXT:
        return sov_arena_printf(arena, "text %zu", field->max);
    case SOV_FIELD_ID:
        return "id";
    case SOV_FIELD_NUMBERED:
        return sov_arena_printf(arena, "%s-n", sov_stream_prefix((enum sov_stream_kind)field->max));
    case SOV_FIELD_WORD:
        return field->words;
    case SOV_FIELD_HEX:
        return sov_arena_printf(arena, "hex %zu", field->max);
    case SOV_FIELD_TIME:
        return "instant";
    case SOV_FIELD_INTEGER:
        return "integer";
    case SOV_FIELD_COUNT:
        return "count";
    case SOV_FIELD_BOOL:
        return "bool";
    case SOV_FIELD_DOCUMENT:
        return "object";
    case SOV_FIELD_SHAPED:
        return field->words;
    case SOV_FIELD_TEXTS:
        return sov_arena_printf(arena, "list of %zu texts %zu", field->count_max, field->max);
    case SOV_FIELD_HEXES:
        return sov_arena_printf(arena, "list of %zu hex %zu", field->count_max, field->max);
    case SOV_FIELD_LIST:
        return sov_arena_printf(arena, "list of %zu %s", field->count_max, field->words);
    case SOV_FIELD_NUMBERS:
        return "names to integers";
    case SOV_FIELD_WORDS:
        return "names to texts";
    }
    return "";
}

static const char *fields(const struct sov_shape *shape, struct sov_arena *arena)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf buf = { 0 };

    sov_buf_init(&buf, 16384);
    for (size_t i = 0; i < shape->count; i++) {
        const struct sov_field *field = &shape->fields[i];

        if (!*field->name) continue;
        sov_buf_printf(&buf, "%s`%s`%s %s", buf.size ? ", " : "", field->name,
                       field->flags & SOV_FIELD_OPTIONAL ? "?" : "", kind_word(field, arena));
    }
    return sov_arena_text(arena, sov_buf_bytes(&buf));
}

static void events(struct sov_call *call)
{
    static const char *const fence[] = { "never", "always", "sometimes" };
    struct sov_out *out = call->out;
    const struct sov_shape *shape;

    head(out, "Events",
         "Every type of event, who may lead with it, behind what it follows, and its "
         "data.");
    sov_out_line(out, "| type | stream | authority | host behind | fence | data |");
    sov_out_line(out, "|---|---|---|---|---|---|");
    for (enum sov_event_type type = 0; type < SOV_EVENT_TYPE_COUNT; type++) {
        const struct sov_event_row *row = sov_event_row(type);

        sov_out_line(out, "| `%s` | %s | %s | %s | %s | %s |", row->type,
                     sov_event_stream_word(row), cell(out, row->authority), row->leads,
                     fence[row->fence], cell(out, fields(&row->data, out->arena)));
    }
    sov_out_line(out, "%s", "");
    sov_out_line(out, "A *claimable* is what a claim can be on; *claim* is the authority it asks:");
    for (enum sov_stream_kind kind = 0; kind < SOV_STREAM_COUNT; kind++)
        if (sov_stream_is_claimable(kind))
            sov_out_line(out, "- %s: %s", sov_stream_word(kind),
                         sov_event_authority(sov_event_row(SOV_EVENT_CLAIM_ACQUIRED), kind));
    sov_out_line(out, "%s", "");
    sov_out_line(out, "Shapes named in the data:");
    sov_out_line(out, "%s", "");
    for (size_t n = 0; (shape = sov_shape_at(n)); n++)
        sov_out_line(out, "- **%s**: %s", shape->name, cell(out, fields(shape, out->arena)));
}

/* ---- verbs ---- */

static void option(struct sov_out *out, enum sov_flag flag)
{
    const struct sov_flag_row *row = sov_flag_row(flag);

    sov_out_line(out, "| `%s--%s%s%s%s` | %s%s |",
                 row->letter ? sov_arena_printf(out->arena, "-%c ", row->letter) : "", row->word,
                 row->kind == SOV_FLAG_MAYBE ? "[="
                 : *row->value               ? " "
                                             : "",
                 row->value, row->kind == SOV_FLAG_MAYBE ? "]" : "", cell(out, row->help),
                 row->kind == SOV_FLAG_MANY ? "; may be repeated" : "");
}

static void options(struct sov_out *out, const struct sov_flags *flags, bool own)
{
    bool any = false;

    for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT; flag++) {
        bool common = sov_flag_is_common(flag) || sov_flag_is_of_writes(flag);

        if (!sov_flags_have(flags, flag) || common == own) continue;
        if (!any) {
            sov_out_line(out, "%s", "");
            sov_out_line(out, "| option | |");
            sov_out_line(out, "|---|---|");
        }
        any = true;
        option(out, flag);
    }
}

static bool is_listed(const struct sov_verb *verb)
{
    return !(verb->forms[0].needs & SOV_HIDDEN);
}

static void verb_page(struct sov_out *out, const struct sov_verb *verb)
{
    struct sov_flags all = { 0 };

    sov_out_line(out, "%s", "");
    sov_out_line(out, "## %s", verb->name);
    sov_out_line(out, "%s", "");
    sov_out_line(out, "%s", verb->does);
    sov_out_line(out, "%s", "");
    sov_out_line(out, "```");
    for (size_t i = 0; i < verb->count; i++) {
        struct sov_flags flags = sov_form_flags(&verb->forms[i]);

        all.bits[0] |= flags.bits[0];
        all.bits[1] |= flags.bits[1];
        sov_out_line(out, "%s", sov_form_synopsis(verb, &verb->forms[i], out->arena));
        sov_out_line(out, "    %s", verb->forms[i].does);
    }
    sov_out_line(out, "```");
    options(out, &all, true);
}

static void verbs(struct sov_call *call)
{
    struct sov_flags all = { .bits = { UINT64_MAX, UINT64_MAX } };
    struct sov_out *out = call->out;
    const struct sov_verb *verb;

    head(out, "Verbs", "Every verb, its synopsis and its own options.");
    sov_out_line(out, "Of every verb, and from `--dry-run` on of every write:");
    options(out, &all, false);
    for (size_t n = 0; (verb = sov_verb_at(n)); n++)
        if (is_listed(verb)) verb_page(out, verb);
}

/* ---- errors and exit statuses ---- */

static void errors(struct sov_call *call)
{
    const struct sov_refusal *row;

    head(call->out, "Errors",
         "Every code that a refusal may have. Code and exit are the contract, the sentences are "
         "not.");
    sov_out_line(call->out, "| code | exit | why | inspect | next |");
    sov_out_line(call->out, "|---|---|---|---|---|");
    for (size_t n = 0; (row = sov_refusal_at(n)); n++)
        sov_out_line(call->out, "| `%s` | %d | %s | `%s` | %s |", row->code, row->exit,
                     cell(call->out, row->why), cell(call->out, row->inspect),
                     cell(call->out, row->next));
}

static void exit_codes(struct sov_call *call)
{
    struct sov_exit_row row;

    head(call->out, "Exit statuses", "What a caller does next.");
    sov_out_line(call->out, "| status | meaning | what the caller does |");
    sov_out_line(call->out, "|---|---|---|");
    for (size_t n = 0; sov_exit_row_at(n, &row); n++)
        sov_out_line(call->out, "| %d | %s | %s |", row.status, row.means, row.does);
}

/* ---- the manual, in mdoc ---- */

static void literal(struct sov_out *out, const char *text)
{
    sov_out_line(out, ".Bd -literal -offset indent");
    for (; *text; text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n')) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf line = { 0 };

        sov_buf_init(&line, 4096);
        if (*text == '.' || *text == '\'') sov_buf_add_text(&line, "\\&");
        for (const char *at = text; *at && *at != '\n'; at++) {
            if (*at == '\\')
                sov_buf_add_text(&line, "\\e");
            else
                sov_buf_add_byte(&line, (uint8_t)*at);
        }
        sov_out_line(out, "%s", sov_arena_text(out->arena, sov_buf_bytes(&line)));
    }
    sov_out_line(out, ".Ed");
}

static void man_options(struct sov_out *out, const struct sov_flags *flags)
{
    bool any = false;

    for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT; flag++) {
        const struct sov_flag_row *row = sov_flag_row(flag);

        if (!sov_flags_have(flags, flag)) continue;
        if (!any) sov_out_line(out, ".Bl -tag -width Ds");
        any = true;
        sov_out_part(out, SOV_PLAIN, ".It ");
        if (row->letter) sov_out_part(out, SOV_PLAIN, "Fl %c , ", row->letter);
        sov_out_part(out, SOV_PLAIN, "Fl -%s", row->word);
        if (*row->value) sov_out_part(out, SOV_PLAIN, " Ar %s", row->value);
        sov_out_end(out);
        sov_out_line(out, "%s%s.", row->help,
                     row->kind == SOV_FLAG_MANY ? "; may be repeated" : "");
    }
    if (any) sov_out_line(out, ".El");
}

static void man_verb(struct sov_out *out, const struct sov_verb *verb)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf synopses = { 0 };
    struct sov_flags all = { 0 };

    sov_buf_init(&synopses, 65536);
    for (size_t i = 0; i < verb->count; i++) {
        struct sov_flags flags = sov_form_flags(&verb->forms[i]);

        all.bits[0] |= flags.bits[0];
        all.bits[1] |= flags.bits[1];
        sov_buf_printf(&synopses, "%s\n    %s\n",
                       sov_form_synopsis(verb, &verb->forms[i], out->arena), verb->forms[i].does);
    }
    for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT; flag++)
        if (sov_flag_is_common(flag) || sov_flag_is_of_writes(flag))
            all.bits[flag / 64] &= ~(UINT64_C(1) << flag % 64);
    sov_out_line(out, ".Ss %s", verb->name);
    sov_out_line(out, "%s.", verb->does);
    literal(out, sov_arena_text(out->arena, sov_buf_bytes(&synopses)));
    man_options(out, &all);
}

static void man_exits(struct sov_call *call)
{
    struct sov_exit_row row;

    sov_out_line(call->out, ".Bl -tag -width Ds -compact");
    for (size_t n = 0; sov_exit_row_at(n, &row); n++) {
        sov_out_line(call->out, ".It %d", row.status);
        sov_out_line(call->out, "%s", row.means);
    }
    sov_out_line(call->out, ".El");
}

static void man_errors(struct sov_call *call)
{
    const struct sov_refusal *refusal;

    sov_out_line(call->out, ".Bl -tag -width Ds -compact");
    for (size_t n = 0; (refusal = sov_refusal_at(n)); n++) {
        sov_out_line(call->out, ".It Sy %s Pq %d", refusal->code, refusal->exit);
        sov_out_line(call->out, "%s", refusal->why);
    }
    sov_out_line(call->out, ".El");
}

static void man_verbs(struct sov_call *call)
{
    const struct sov_verb *verb;

    for (size_t n = 0; (verb = sov_verb_at(n)); n++)
        if (is_listed(verb)) man_verb(call->out, verb);
}

static void man_common(struct sov_call *call)
{
    struct sov_flags common = { 0 };

    for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT; flag++)
        if (sov_flag_is_common(flag) || sov_flag_is_of_writes(flag)) sov_flags_add(&common, flag);
    man_options(call->out, &common);
}

/* The words of each `sov schema` that is kept under fixtures/schemas, behind its folder. */
static void schemas(struct sov_call *call)
{
    const struct sov_verb *verb;

    for (enum sov_event_type type = 0; type < SOV_EVENT_TYPE_COUNT; type++)
        sov_out_line(call->out, "events %s", sov_event_row(type)->type);
    for (size_t n = 0; (verb = sov_verb_at(n)); n++)
        for (size_t i = 0; is_listed(verb) && i < verb->count; i++)
            sov_out_line(call->out, "results %s%s%s", verb->name, *verb->forms[i].name ? " " : "",
                         verb->forms[i].name);
    sov_out_line(call->out, ". error");
}

static bool docs(struct sov_call *call, struct sov_error *err)
{
    static const struct {
        const char *name;
        void (*print)(struct sov_call *call);
    } pages[] = { { "events", events },          { "verbs", verbs },
                  { "errors", errors },          { "exit-codes", exit_codes },
                  { "man-options", man_common }, { "man-verbs", man_verbs },
                  { "man-exits", man_exits },    { "man-errors", man_errors },
                  { "schemas", schemas } };

    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        if (strcmp(pages[i].name, call->words[0]) != 0) continue;
        call->out->json = false;
        pages[i].print(call);
        return true;
    }
    return sov_fail(err, SOV_USAGE, "usage", "there is no page %s", call->words[0]);
}

static const struct sov_form forms[] = {
    { "", docs, SOV_HIDDEN, 1, 1,
      "events|verbs|errors|exit-codes|man-options|man-verbs|man-exits|man-errors|schemas",
      "a page of the documentation", "", "", "", NULL },
};
static const struct sov_verb verb = { "__docs",       "pages of the documentation", "", forms, 1,
                                      SOV_GROUP_COUNT };

const struct sov_verb *sov_verb___docs(void)
{
    return &verb;
}
