/* Completion scripts, made from the rows that the parser obeys. */
#include <string.h>

#include "cli/verb.h"

static void words_of(struct sov_call *call, const struct sov_verb *verb)
{
    for (size_t i = 0; i < verb->count; i++)
        if (*verb->forms[i].name) sov_out_part(call->out, SOV_PLAIN, " %s", verb->forms[i].name);
}

static void flags_of(struct sov_call *call, const struct sov_verb *verb)
{
    struct sov_flags all = { 0 };

    for (size_t i = 0; i < verb->count; i++) {
        struct sov_flags flags = sov_form_flags(&verb->forms[i]);

        all.bits[0] |= flags.bits[0];
        all.bits[1] |= flags.bits[1];
    }
    for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT; flag++)
        if (sov_flags_have(&all, flag))
            sov_out_part(call->out, SOV_PLAIN, " --%s", sov_flag_row(flag)->word);
}

static bool listed(const struct sov_verb *verb)
{
    return !(verb->forms[0].needs & SOV_HIDDEN);
}

static void names(struct sov_call *call)
{
    const struct sov_verb *verb;

    for (size_t n = 0; (verb = sov_verb_at(n)); n++)
        if (listed(verb)) sov_out_part(call->out, SOV_PLAIN, "%s%s", n ? " " : "", verb->name);
}

static void bash(struct sov_call *call)
{
    struct sov_out *out = call->out;
    const struct sov_verb *verb;

    sov_out_line(out, "# bash completion for sov");
    sov_out_line(out, "_sov() {");
    sov_out_line(out, "  local cur=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} words");
    sov_out_line(out, "  if [ \"$COMP_CWORD\" -eq 1 ]; then");
    sov_out_part(out, SOV_PLAIN, "    words='");
    names(call);
    sov_out_part(out, SOV_PLAIN, "'");
    sov_out_end(out);
    sov_out_line(out, "  else case $verb in");
    for (size_t n = 0; (verb = sov_verb_at(n)); n++) {
        if (!listed(verb)) continue;
        sov_out_part(out, SOV_PLAIN, "    %s) words='", verb->name);
        words_of(call, verb);
        flags_of(call, verb);
        sov_out_part(out, SOV_PLAIN, "' ;;");
        sov_out_end(out);
    }
    sov_out_line(out, "  esac; fi");
    sov_out_line(out, "  case $cur in [A-Z]*) words=$(sov __complete 2>/dev/null) ;; esac");
    sov_out_line(out, "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))");
    sov_out_line(out, "}");
    sov_out_line(out, "complete -o default -F _sov sov");
}

static void zsh(struct sov_call *call)
{
    struct sov_out *out = call->out;
    const struct sov_verb *verb;

    sov_out_line(out, "#compdef sov");
    sov_out_line(out, "_sov() {");
    sov_out_line(out, "  local -a words_of");
    sov_out_line(out, "  if (( CURRENT == 2 )); then");
    sov_out_part(out, SOV_PLAIN, "    words_of=(");
    names(call);
    sov_out_part(out, SOV_PLAIN, ")");
    sov_out_end(out);
    sov_out_line(out, "  else case $words[2] in");
    for (size_t n = 0; (verb = sov_verb_at(n)); n++) {
        if (!listed(verb)) continue;
        sov_out_part(out, SOV_PLAIN, "    %s) words_of=(", verb->name);
        words_of(call, verb);
        flags_of(call, verb);
        sov_out_part(out, SOV_PLAIN, ") ;;");
        sov_out_end(out);
    }
    sov_out_line(out, "  esac; fi");
    sov_out_line(out, "  [[ $PREFIX == [A-Z]* ]] && words_of=(${(f)\"$(sov __complete "
                      "2>/dev/null)\"})");
    sov_out_line(out, "  compadd -- $words_of || _files");
    sov_out_line(out, "}");
    sov_out_line(out, "_sov \"$@\"");
}

static void fish(struct sov_call *call)
{
    struct sov_out *out = call->out;
    const struct sov_verb *verb;

    sov_out_line(out, "# fish completion for sov");
    for (size_t n = 0; (verb = sov_verb_at(n)); n++) {
        if (!listed(verb)) continue;
        sov_out_line(out, "complete -c sov -n __fish_use_subcommand -a %s -d '%s'", verb->name,
                     strchr(verb->does, '\'') ? verb->name : verb->does);
        for (size_t i = 0; i < verb->count; i++)
            if (*verb->forms[i].name)
                sov_out_line(out, "complete -c sov -n '__fish_seen_subcommand_from %s' -a %s",
                             verb->name, verb->forms[i].name);
        for (enum sov_flag flag = 0; flag < SOV_FLAG_COUNT; flag++) {
            struct sov_flags flags = sov_form_flags(&verb->forms[0]);

            if (sov_flags_have(&flags, flag) && !sov_flag_is_common(flag))
                sov_out_line(out, "complete -c sov -n '__fish_seen_subcommand_from %s' -l %s",
                             verb->name, sov_flag_row(flag)->word);
        }
    }
    sov_out_line(out, "complete -c sov -n 'not __fish_use_subcommand' -a '(sov __complete "
                      "2>/dev/null)'");
}

static bool completion(struct sov_call *call, struct sov_error *err)
{
    const char *shell = call->words[0];

    call->out->json = false;
    if (strcmp(shell, "bash") == 0)
        bash(call);
    else if (strcmp(shell, "zsh") == 0)
        zsh(call);
    else if (strcmp(shell, "fish") == 0)
        fish(call);
    else
        return sov_fail(err, SOV_USAGE, "usage", "completion is for bash, zsh or fish");
    return true;
}

static const struct sov_form forms[] = {
    { "", completion, 0, 1, 1, "bash|zsh|fish", "print a completion script", "", "",
      "sov completion bash > ~/.local/share/bash-completion/completions/sov", NULL },
};
static const struct sov_verb verb = { "completion",  "completion scripts for shells", "", forms, 1,
                                      SOV_GROUP_CARE };

const struct sov_verb *sov_verb_completion(void)
{
    return &verb;
}

/* ---- the hidden verb: ids that are there ---- */

static bool complete(struct sov_call *call, struct sov_error *err)
{
    for (enum sov_stream_kind kind = 0; kind < SOV_STREAM_COUNT; kind++) {
        struct sov_streams streams;

        if (!*sov_stream_prefix(kind)) continue;
        if (!sov_stream_list(call->ledger, kind, call->arena, &streams, err)) return false;
        for (size_t i = 0; i < streams.count; i++)
            sov_out_line(call->out, "%s", sov_stream_id(&streams.at[i], call->arena));
    }
    return true;
}

static const struct sov_form complete_forms[] = {
    { "", complete, SOV_READS | SOV_HIDDEN, 0, 0, "", "ids for completion", "", "", "", NULL },
};
static const struct sov_verb complete_verb = {
    "__complete", "ids for completion", "", complete_forms, 1, SOV_GROUP_COUNT
};

const struct sov_verb *sov_verb___complete(void)
{
    return &complete_verb;
}
