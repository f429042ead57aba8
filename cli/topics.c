#include "cli/topics.h"

#include "policy/policy.h"

static const struct {
    int status;
    const char *means, *does;
} exits[] = {
    { 0, "done, or the answer is yes; a noop is 0", "go on" },
    { 1, "it ran and the answer is no", "show it, fail the job" },
    { 2, "wrong use or invalid input; nothing written", "fix the call" },
    { 3, "not found: ledger, id, file", "list first" },
    { 4, "denied by authority, policy or a gate", "ask a person" },
    { 5, "conflict: state or version moved, claim held, key reused", "read again, decide again" },
    { 6, "integrity: the record is not what was written or signed", "stop writing, call someone" },
    { 7, "not possible now or here: lock, disk, provider", "repair, or retry with a pause" },
    { 70, "a fault of the program itself", "report it" },
    { 130, "interrupted", "repeat it" },
    { 141, "nobody reads the output any more", "nothing" },
    { 143, "terminated", "repeat it" },
};

static void exit_codes(struct sov_call *call)
{
    for (size_t i = 0; i < sizeof exits / sizeof *exits; i++)
        sov_out_line(call->out, "%3d  %-60s %s", exits[i].status, exits[i].means, exits[i].does);
}

static void errors(struct sov_call *call)
{
    const struct sov_refusal *row;

    for (size_t n = 0; (row = sov_refusal_at(n)); n++)
        sov_out_line(call->out, "%d  %-22s %s", row->exit, row->code, row->why);
}

static const char files[] =
    ".sovereign/organization.db   the ledger: one SQLite file, out of git, readable by you alone\n"
    ".sovereign/config.json       comfort for this ledger: {\"actor\":ID}\n"
    "sovereign.json               the policy source; decides nothing until `sov policy adopt`\n"
    "governance/                  views, published log and checkpoints: commit this folder\n"
    "$XDG_DATA_HOME/sov/keys      secrets, a folder for each ledger (else "
    "~/.local/share/sov/keys)\n"
    "$XDG_STATE_HOME/sov/pins     the newest checkpoint seen (else ~/.local/state/sov/pins)\n"
    "$XDG_CONFIG_HOME/sov/config.json, /etc/sov/config.json\n"
    "                             {\"actor\":ID,\"trusted_directories\":[PATH]}\n";

static const char environment[] =
    "SOV_DIR                the folder that holds .sovereign\n"
    "SOV_ACTOR              who acts, if --actor does not say\n"
    "SOV_IDEMPOTENCY_KEY    as --idempotency-key\n"
    "SOV_LEDGER_ID          as --ledger-id of verify\n"
    "SOV_ASSIGNMENT         set inside a run: only its assignment's actor may act\n"
    "SOV_PAGER, PAGER       the pager of log, show, why, help; not used if CI is set\n"
    "NO_COLOR, CLICOLOR_FORCE, TERM=dumb\n"
    "                       colour never, always, never\n"
    "XDG_DATA_HOME, XDG_STATE_HOME, XDG_CONFIG_HOME, HOME\n"
    "                       where keys, pins and configuration are\n";

static const char formats[] =
    "--json           {\"schema\":...,\"data\":...,\"warnings\":[...],\"ledger\":{id,seq,root}}\n"
    "--json=a,b       only these fields of the data; --json=help lists them\n"
    "--format F       another format, where `sov help VERB` names it\n"
    "errors           with --json one object on standard error:\n"
    "                 "
    "{\"schema\":\"sov.error.v1\",\"error\":{code,exit,what,why,inspect,next,...}}\n"
    "input            JSON of ours is strict: UTF-8, no duplicate keys, no fractions, depth 16\n"
    "visible text     what could deceive a reader is shown as its code point, U+202E say\n";

static const char tutorial[] =
    "# From a signal to an accepted outcome. Each line runs as it stands, after `sov init`.\n"
    "sov subject declare SKU-TEA --fact reorder_point=3 --actor principal\n"
    "sov account open inventory/SKU-TEA --unit unit --opening 4 --actor principal\n"
    "sov outcome new \"Tea in stock\" --subject SKU-TEA --desired \"at least three on the shelf\" "
    "\\\n"
    "  --check '{\"id\":\"stock\",\"kind\":\"balance-at-least\",\"params\":{\"min\":3,\"terms\":"
    "[[\"inventory/{subject}\",1]]}}' \\\n"
    "  --actor principal\n"
    "sov outcome activate OUT-1 --actor master\n"
    "sov sow new OUT-1 --title \"Count the tea\" --scope \"count what is on the shelf\" \\\n"
    "  --role operator --done-when \"the count is written down\" --actor master\n"
    "sov sow ready SOW-1 --actor master\n"
    "sov assign SOW-1 --to operator --actor master\n"
    "printf '%s%s%s%s\\n' '{\"kind\":\"sov.report.v1\",\"assignment\":\"ASG-1\",' \\\n"
    "  '\"status\":\"completed\",\"summary\":\"four on the shelf\",\"deliverables\":[],' \\\n"
    "  '\"proposals\":[],\"questions\":[],\"blockers\":[],\"checks\":[],' \\\n"
    "  '\"notes\":null}' >report.json\n"
    "sov run ASG-1 --actor operator -- cat \"$PWD/report.json\"\n"
    "sov check SOW-1 --actor verifier\n"
    "sov review SOW-1 --pass --reason \"the count is there\" --actor sparring\n"
    "sov check OUT-1 --actor verifier\n"
    "sov accept OUT-1 --actor principal\n";

static void text(struct sov_call *call, const char *octets)
{
    sov_out_block(call->out, sov_bytes_text(octets));
}

bool sov_topic_print(struct sov_call *call, const char *topic)
{
    if (strcmp(topic, "exit-codes") == 0)
        exit_codes(call);
    else if (strcmp(topic, "errors") == 0)
        errors(call);
    else if (strcmp(topic, "files") == 0)
        text(call, files);
    else if (strcmp(topic, "environment") == 0)
        text(call, environment);
    else if (strcmp(topic, "formats") == 0)
        text(call, formats);
    else if (strcmp(topic, "tutorial") == 0)
        text(call, tutorial);
    else
        return false;
    return true;
}
