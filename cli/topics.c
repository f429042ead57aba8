#include "cli/topics.h"

#include "policy/policy.h"

static const struct sov_exit_row exits[] = {
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

bool sov_exit_row_at(size_t n, struct sov_exit_row *row_out)
{
    if (n >= sizeof exits / sizeof *exits) return false;
    *row_out = exits[n];
    return true;
}

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
    "# From a sale to an accepted outcome. Every line runs as it stands.\n"
    "sov demo store >demo.txt             # the whole story; its files are used below\n"
    "mkdir shop; cd shop\n"
    "sov init --name Shop --policy ../store/policy.json\n"
    "sov provider register scripted ../store/provider.json --actor principal\n"
    "sov subject declare SKU-TEA --fact unit_cost=120 --fact price=400 --fact reorder_point=3 \\\n"
    "    --actor principal\n"
    "sov account open inventory/SKU-TEA --unit unit --opening 4 --actor principal\n"
    "sov account open reserved/SKU-TEA --unit unit --actor principal\n"
    "sov account open cash --unit cent --opening 10000 --actor principal\n"
    "sov outcome new \"Tea is in stock\" --subject SKU-TEA --desired \"never below the reorder "
    "point\" \\\n"
    "    --check @../store/stock-available.json --check @../store/restock-posted.json \\\n"
    "    --actor principal\n"
    "sov outcome activate OUT-1 --actor master\n"
    "# Two are sold; the pulse turns the signal into assigned work.\n"
    "sov change record sale --subject SKU-TEA --quantity 2 --source shop --actor operator\n"
    "sov pulse\n"
    "sov run ASG-1 --actor operator       # a robot proposes, the host decides\n"
    "sov check SOW-1 --actor verifier\n"
    "sov review SOW-1 --pass --reason \"the order is there\" --actor sparring\n"
    "sov check OUT-1 --actor verifier\n"
    "sov accept OUT-1 --actor principal\n"
    "sov project                          # publish; then commit governance/\n"
    "sov verify --projections\n";

const char *sov_topic_text(const char *topic)
{
    if (strcmp(topic, "files") == 0) return files;
    if (strcmp(topic, "environment") == 0) return environment;
    if (strcmp(topic, "formats") == 0) return formats;
    if (strcmp(topic, "tutorial") == 0) return tutorial;
    return NULL;
}

bool sov_topic_print(struct sov_call *call, const char *topic)
{
    const char *text = sov_topic_text(topic);

    if (text)
        sov_out_block(call->out, sov_bytes_text(text));
    else if (strcmp(topic, "exit-codes") == 0)
        exit_codes(call);
    else if (strcmp(topic, "errors") == 0)
        errors(call);
    else
        return false;
    return true;
}
