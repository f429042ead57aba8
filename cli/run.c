/* The verb table and the dispatcher: one command from its words to its exit status. */
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

#include "base/env.h"
#include "cli/cli.h"
#include "cli/verb.h"

enum { COMMAND_MEMORY = 1 << 30 };

static const struct sov_verb *(*const verbs[])(void) = {
#define X(name) sov_verb_##name,
    SOV_VERBS(X)
#undef X
};

const struct sov_verb *sov_verb_at(size_t n)
{
    return n < sizeof verbs / sizeof *verbs ? verbs[n]() : NULL;
}

const struct sov_verb *sov_verb_find(const char *name)
{
    const struct sov_verb *verb;

    for (size_t n = 0; (verb = sov_verb_at(n)); n++)
        if (strcmp(verb->name, name) == 0) return verb;
    return NULL;
}

struct sov_flags sov_form_flags(const struct sov_form *form)
{
    struct sov_flags flags = { 0 };

    for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT; flag++)
        if (sov_flag_is_common(flag) || (sov_flag_is_of_writes(flag) && form->needs & SOV_WRITES) ||
            (flag == SOV_FLAG_DRY_RUN && form->needs & SOV_DRY) ||
            ((flag == SOV_FLAG_SIGN_KEY || flag == SOV_FLAG_PASSPHRASE_FD) &&
             form->needs & SOV_SIGNS))
            sov_flags_add(&flags, flag);
    for (const char *at = strstr(form->takes, "--"); at; at = strstr(at + 2, "--")) {
        enum sov_flag flag;

        if (sov_flag_at(at + 2, &flag)) sov_flags_add(&flags, flag);
    }
    return flags;
}

const char *sov_form_synopsis(const struct sov_verb *verb, const struct sov_form *form,
                              struct sov_arena *arena)
{
    return sov_arena_printf(arena, "sov %s%s%s%s%s", verb->name, *form->name ? " " : "", form->name,
                            *form->takes ? " " : "", form->takes);
}

const char *sov_form_schema(const struct sov_verb *verb, const struct sov_form *form,
                            struct sov_arena *arena)
{
    return sov_arena_printf(arena, "sov.%s%s%s.v1", verb->name, *form->name ? "." : "", form->name);
}

/* ---- which form is meant ---- */

static bool unknown_verb(const char *typed, struct sov_error *err)
{
    struct sov_nearest nearest = { .word = typed };
    const struct sov_verb *verb;

    for (size_t n = 0; (verb = sov_verb_at(n)); n++) sov_nearest_try(&nearest, verb->name);
    if (nearest.best)
        return sov_fail(err, SOV_USAGE, "unknown_verb", "there is no verb %s; did you mean %s?",
                        typed, nearest.best);
    return sov_fail(err, SOV_USAGE, "unknown_verb", "there is no verb %s", typed);
}

static bool unknown_form(const struct sov_verb *verb, const char *typed, struct sov_error *err)
{
    struct sov_nearest nearest = { .word = typed ? typed : "" };
    char list[256] = "";
    size_t size = 0;

    for (size_t i = 0; i < verb->count; i++) {
        if (typed) sov_nearest_try(&nearest, verb->forms[i].name);
        size += (size_t)snprintf(list + size, size < sizeof list ? sizeof list - size : 0, "%s%s",
                                 i ? ", " : "", verb->forms[i].name);
    }
    if (!typed) return sov_fail(err, SOV_USAGE, "usage", "%s what? one of %s", verb->name, list);
    if (nearest.best)
        return sov_fail(err, SOV_USAGE, "unknown_verb", "there is no %s %s; did you mean %s %s?",
                        verb->name, typed, verb->name, nearest.best);
    return sov_fail(err, SOV_USAGE, "unknown_verb", "there is no %s %s; there is %s", verb->name,
                    typed, list);
}

/* The form that the second word names, else the nameless one. */
static bool form_find(struct sov_call *call, struct sov_error *err)
{
    const struct sov_verb *verb = call->verb;
    const char *second = call->args.word_count > 1 ? call->args.words[1] : NULL;
    size_t skip = 1;

    for (size_t i = 0; i < verb->count; i++) {
        if (!*verb->forms[i].name && !call->form) call->form = &verb->forms[i];
        if (!second || !*second || strcmp(verb->forms[i].name, second) != 0) continue;
        call->form = &verb->forms[i];
        skip = 2;
        break;
    }
    if (!call->form) return unknown_form(verb, second, err);
    call->words = call->args.words + skip;
    call->word_count = call->args.word_count - skip;
    return true;
}

/* "sow new" */
const char *sov_call_name(const struct sov_call *call)
{
    return sov_arena_printf(call->arena, "%s%s%s", call->verb->name, *call->form->name ? " " : "",
                            call->form->name);
}

/* ---- what was asked of it ---- */

/* Words behind -- are words like others, unless the form takes a command there. */
static void rest_join(struct sov_call *call)
{
    if (!(call->form->needs & SOV_HAS_REST)) call->word_count += call->args.rest_count;
}

/* Flags outside of brackets in the synopsis must be there. */
static bool required_given(struct sov_call *call, struct sov_error *err)
{
    const char *takes = call->form->takes;
    int depth = 0;

    for (const char *at = takes; *at; at++) {
        enum sov_flag flag;

        depth += (*at == '[' || *at == '(') - (*at == ']' || *at == ')');
        if (depth || strncmp(at, "--", 2) != 0 || (at != takes && at[-1] != ' ')) continue;
        if (!sov_flag_at(at + 2, &flag) || sov_given(call, flag)) continue;
        return sov_fail(err, SOV_USAGE, "usage", "%s needs --%s", sov_call_name(call),
                        sov_flag_row(flag)->word);
    }
    return true;
}

static bool words_fit(struct sov_call *call, struct sov_error *err)
{
    if (call->word_count < call->form->least)
        return sov_fail(err, SOV_USAGE, "usage", "%s needs more words", sov_call_name(call));
    if (call->word_count > call->form->most)
        return sov_fail(err, SOV_USAGE, "usage", "%s takes no %s", sov_call_name(call),
                        call->words[call->form->most]);
    for (size_t i = 0; i < call->word_count; i++)
        if (!*call->words[i])
            return sov_fail(err, SOV_USAGE, "usage", "word %zu of %s is empty", i + 1,
                            sov_call_name(call));
    return true;
}

static bool field_known(const char *columns, const char *word, size_t size)
{
    for (const char *at = columns; *at; at += strcspn(at, " ")) {
        at += *at == ' ';
        if (strcspn(at, ":") == size && memcmp(at, word, size) == 0) return true;
    }
    return false;
}

static bool fields_known(struct sov_call *call, const char *fields, struct sov_error *err)
{
    const char *columns = call->form->fields;

    for (const char *at = fields; *at; at += strcspn(at, ",")) {
        size_t size;

        at += *at == ',';
        size = strcspn(at, ",");
        if (!field_known(columns, at, size))
            return sov_fail(err, SOV_USAGE, "usage", "%.*s is no field of %s; it has %s", (int)size,
                            at, call->verb->name, columns);
    }
    return true;
}

static void fields_list(struct sov_call *call)
{
    call->out->json = false;
    for (const char *at = call->form->fields; *at; at += strcspn(at, " ")) {
        at += *at == ' ';
        sov_out_line(call->out, "%.*s", (int)strcspn(at, ":"), at);
    }
}

static bool format_known(struct sov_call *call, struct sov_error *err)
{
    const char *format = sov_value_of(call, SOV_FLAG_FORMAT);
    const char *formats = call->form->formats ? call->form->formats : "";

    if (!format || strcmp(format, "text") == 0) return true;
    for (const char *at = formats; *at; at += strcspn(at, " ")) {
        at += *at == ' ';
        if (strcspn(at, " ") == strlen(format) && memcmp(at, format, strlen(format)) == 0)
            return true;
    }
    return sov_fail(err, SOV_USAGE, "usage", "%s has no format %s; it has text%s%s",
                    call->verb->name, format, *formats ? " " : "", formats);
}

/* Output flags are obeyed even by a refusal, so they are read before anything can be refused. */
static void output_flags(struct sov_call *call)
{
    struct sov_out *out = call->out;

    out->json = sov_given(call, SOV_FLAG_JSON);
    out->quiet = sov_given(call, SOV_FLAG_QUIET);
    out->verbose = sov_given(call, SOV_FLAG_VERBOSE);
    out->ascii = sov_given(call, SOV_FLAG_ASCII);
    out->no_input = sov_given(call, SOV_FLAG_NO_INPUT);
}

static bool options(struct sov_call *call, struct sov_error *err)
{
    int64_t wait_s;

    if (!sov_out_color(call->out, sov_value_of(call, SOV_FLAG_COLOR), err)) return false;
    if (!sov_int_of(call, SOV_FLAG_WAIT, 0, 86400, 5, &wait_s, err)) return false;
    call->wait_ms = wait_s * 1000;
    if (!(call->form->needs & SOV_FILED)) call->out->file = sov_value_of(call, SOV_FLAG_OUTPUT);
    call->out->fields = sov_value_of(call, SOV_FLAG_JSON);
    call->out->paged = call->form->needs & SOV_PAGED && call->out->terminal && !call->out->json &&
                       !sov_given(call, SOV_FLAG_NO_PAGER) && !call->out->file;
    call->out->schema = sov_form_schema(call->verb, call->form, call->arena);
    if (call->out->json && sov_given(call, SOV_FLAG_FORMAT) && !(call->form->needs & SOV_FILED))
        return sov_fail(err, SOV_USAGE, "usage", "--json and --format exclude each other");
    if (!format_known(call, err)) return false;
    return !call->out->fields || strcmp(call->out->fields, "help") == 0 ||
           fields_known(call, call->out->fields, err);
}

static bool place(struct sov_call *call, struct sov_error *err)
{
    const char *folder = sov_value_of(call, SOV_FLAG_DIRECTORY), *file;

    if (folder && chdir(folder) != 0)
        return sov_fail(err, SOV_ABSENT, "no_such_file", "%s cannot be entered", folder);
    if (!sov_places_find(call->arena, &call->found, err)) return false;
    file = sov_value_of(call, SOV_FLAG_OUTPUT);
    if (file && !sov_places_output(&call->found, file, call->arena, err)) {
        call->out->file = NULL; /* the refusal is not written there either */
        return false;
    }
    return sov_config_check(&call->found, call->arena, err);
}

static bool perform(struct sov_call *call, struct sov_error *err)
{
    if (sov_env("SOV_ASSIGNMENT") && call->form->needs & SOV_OUTSIDE_RUN) {
        sov_error_set(err, SOV_DENIED, "inside_run", "%s is not for an agent inside %s",
                      call->verb->name, sov_env("SOV_ASSIGNMENT"));
        return false;
    }
    if (!place(call, err)) return false;
    if (call->form->needs & SOV_READS && !sov_call_read(call, err)) return false;
    return call->form->run(call, err);
}

static bool command(struct sov_call *call, int argc, char **argv, struct sov_error *err)
{
    struct sov_flags flags;

    if (!sov_args_split(argc, argv, call->arena, &call->args, err)) return false;
    output_flags(call);
    if (call->args.word_count == 0) {
        if (call->args.unknown)
            return sov_fail(err, SOV_USAGE, "unknown_flag", "sov has no %s", call->args.unknown);
        call->out->json = false;
        sov_help_bare(call);
        return true;
    }
    call->verb = sov_verb_find(call->args.words[0]);
    if (!call->verb) return unknown_verb(call->args.words[0], err);
    if (sov_given(call, SOV_FLAG_HELP) && !call->args.unknown) {
        struct sov_error ignored;

        (void)!form_find(call, &ignored);
        call->out->json = false;
        call->out->paged = !sov_given(call, SOV_FLAG_NO_PAGER);
        sov_help_verb(call, call->verb, call->form && *call->form->name ? call->form : NULL);
        return true;
    }
    if (!form_find(call, err)) return false;
    flags = sov_form_flags(call->form);
    if (!sov_args_allow(&call->args, &flags, sov_call_name(call), err)) return false;
    if (!options(call, err)) return false;
    if (call->out->fields && strcmp(call->out->fields, "help") == 0) {
        fields_list(call);
        return true;
    }
    rest_join(call);
    return words_fit(call, err) && required_given(call, err) && perform(call, err);
}

/* Behind a commit a failure names it: otherwise it would read as if nothing had been written. */
static void unfinished(const struct sov_out *out, int64_t in_doubt, struct sov_error *err)
{
    const struct sov_error reason = *err;

    if (err->exit != SOV_UNABLE || strcmp(err->code, "output_lost") == 0 ||
        strcmp(err->code, "commit_unknown") == 0 || (!out->committed && !in_doubt))
        return;
    if (in_doubt)
        sov_error_set(err, SOV_UNABLE, "commit_unknown", "seq %lld may stand or not: %s",
                      (long long)in_doubt, reason.what);
    else
        sov_error_set(err, SOV_UNABLE, "unfinished",
                      "seq %lld is committed, what follows is not: %s", (long long)out->committed,
                      reason.what);
    err->seq = in_doubt ? in_doubt : out->committed;
}

static enum sov_exit finish(struct sov_call *call, bool ok, struct sov_error *err)
{
    int64_t committed = call->ledger ? sov_ledger_committed(call->ledger) : 0;
    int64_t in_doubt = call->ledger ? sov_ledger_in_doubt(call->ledger) : 0;

    if (committed > call->out->committed) call->out->committed = committed;
    sov_txn_end(&call->txn);
    sov_ledger_end(&call->ledger);
    if (!ok) sov_out_drop(call->out);
    if (ok) ok = sov_out_finish(call->out, err);
    if (ok) return call->answer;
    unfinished(call->out, in_doubt, err);
    sov_error_print(call, call->out, err);
    return err->exit;
}

int sov_cli(int argc, char **argv, const struct sov_seams *seams)
{
    struct sov_arena arena;
    struct sov_out out;
    struct sov_error err = { 0 };
    struct sov_call call = { .arena = &arena, .out = &out, .seams = seams, .answer = SOV_OK };
    enum sov_exit exit;

    sov_arena_init(&arena, COMMAND_MEMORY);
    sov_out_init(&out, &arena);
    exit = finish(&call, command(&call, argc, argv, &err), &err);
    sov_out_release(&out);
    sov_arena_release(&arena);
    return (int)exit;
}
