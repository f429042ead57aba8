/* What every verb is helped with: its words, files, numbers, and who acts. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/amount.h"
#include "base/child.h"
#include "base/env.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/verb.h"
#include "projections/projections.h"

const char *sov_word_at(const struct sov_call *call, size_t n)
{
    return n < call->word_count ? call->words[n] : NULL;
}

size_t sov_values_of(const struct sov_call *call, enum sov_flag flag,
                     const char *const **values_out)
{
    const char **values = sov_arena_array(call->arena, call->args.given_count + 1, sizeof *values);
    size_t count = 0;

    for (size_t i = 0; i < call->args.given_count; i++)
        if (call->args.given[i].flag == flag) values[count++] = call->args.given[i].value;
    *values_out = values;
    return count;
}

bool sov_integer(const char *text, int64_t *n_out)
{
    const char *digits = text + (*text == '-');
    char *end;
    long long n;

    if (!(*digits >= '1' && *digits <= '9') && strcmp(text, "0") != 0) return false;
    errno = 0;
    n = strtoll(text, &end, 10);
    if (errno || *end || !sov_amount_fits(n)) return false;
    *n_out = n;
    return true;
}

bool sov_int_of(const struct sov_call *call, enum sov_flag flag, int64_t least, int64_t most,
                int64_t otherwise, int64_t *n_out, struct sov_error *err)
{
    const char *text = sov_value_of(call, flag);
    int64_t n = otherwise;

    if (text && most >= SOV_INT_MAX && (!sov_integer(text, &n) || n < least))
        return sov_fail(err, SOV_USAGE, "bad_value", "--%s %s is no integer of at least %lld",
                        sov_flag_row(flag)->word, text, (long long)least);
    if (text && (!sov_integer(text, &n) || n < least || n > most))
        return sov_fail(err, SOV_USAGE, "bad_value", "--%s %s is no integer from %lld to %lld",
                        sov_flag_row(flag)->word, text, (long long)least, (long long)most);
    *n_out = n;
    return true;
}

static bool number(const char *text, enum sov_stream_kind kind, int64_t *number_out,
                   struct sov_error *err)
{
    int64_t n = sov_id_number(sov_bytes_text(text), kind);

    if (!n)
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no id like %s-1", text,
                        sov_stream_prefix(kind));
    *number_out = n;
    return true;
}

bool sov_number_at(const struct sov_call *call, size_t n, enum sov_stream_kind kind,
                   int64_t *number_out, struct sov_error *err)
{
    return number(call->words[n], kind, number_out, err);
}

bool sov_number_of(const struct sov_call *call, enum sov_flag flag, enum sov_stream_kind kind,
                   int64_t *number_out, struct sov_error *err)
{
    const char *text = sov_value_of(call, flag);

    *number_out = 0;
    return !text || number(text, kind, number_out, err);
}

bool sov_file_of(struct sov_call *call, const char *path, size_t size_max,
                 struct sov_bytes *bytes_out, struct sov_error *err)
{
    if (strcmp(path, "-") == 0 && isatty(STDIN_FILENO))
        return sov_fail(err, SOV_USAGE, "input_required", "standard input is a terminal");
    if (strcmp(path, "-") == 0 && call->out->no_stdin)
        return sov_fail(err, SOV_USAGE, "input_required", "standard input is closed");
    return sov_file_read_named(path, size_max, call->arena, bytes_out, err);
}

bool sov_text_of(struct sov_call *call, const char *path, size_t size_max, const char **text_out,
                 struct sov_error *err)
{
    struct sov_bytes bytes;

    if (!sov_file_of(call, path, size_max, &bytes, err)) return false;
    while (bytes.size && bytes.data[bytes.size - 1] == '\n') bytes.size--;
    if (!sov_text_is_utf8(bytes) || (bytes.size && memchr(bytes.data, 0, bytes.size)))
        return sov_fail(err, SOV_USAGE, "bad_text", "%s is no UTF-8 text", path);
    *text_out = sov_arena_text(call->arena, bytes);
    return true;
}

bool sov_json_of(struct sov_call *call, const char *path, size_t size_max,
                 struct sov_bytes *canonical_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf canonical = { 0 };
    struct sov_scan_rules rules = { size_max, 16, false };
    char what[sizeof err->what];
    struct sov_bytes text;

    if (!sov_file_of(call, path, size_max, &text, err)) return false;
    sov_buf_init(&canonical, 2 * size_max);
    if (!sov_json_canonical(text, &rules, &canonical, err)) {
        snprintf(what, sizeof what, "%s", err->what);
        sov_error_set(err, err->exit, err->code, "%s: %s", path, what);
        return false;
    }
    *canonical_out = sov_arena_bytes(call->arena, sov_buf_bytes(&canonical));
    return true;
}

bool sov_call_goes_on(struct sov_error *err)
{
    int signal = sov_signals_seen();

    if (signal == SIGINT) return sov_fail(err, SOV_INTERRUPTED, "interrupted", "interrupted");
    if (signal == SIGTERM) return sov_fail(err, SOV_TERMINATED, "terminated", "terminated");
    return true;
}

/* ---- the ledger ---- */

bool sov_call_head(struct sov_call *call, struct sov_error *err)
{
    struct sov_checkpoint checkpoint = { 0 };
    struct sov_signature signature;
    struct sov_identity identity;
    bool found;

    sov_ledger_identity(call->ledger, &identity);
    call->out->ledger_id = identity.id;
    if (!sov_ledger_head(call->ledger, &call->out->seq, err)) return false;
    if (!sov_checkpoint_at(call->ledger, 0, &checkpoint, &signature, &found, err)) return false;
    if (found) call->out->root = checkpoint.root;
    call->out->has_ledger = true;
    return true;
}

/* A file system that is not trusted by itself needs an event of the ledger that allows it. */
static bool is_allowed(struct sov_call *call, const char *system, struct sov_error *err)
{
    bool allowed;

    if (!system) return true;
    if (!sov_filesystem_is_allowed(call->ledger, system, &allowed, err)) return false;
    if (!allowed)
        return sov_fail(err, SOV_DENIED, "filesystem_refused", "%s lies on %s", call->found.home,
                        system);
    return true;
}

bool sov_call_place_fits(struct sov_call *call, struct sov_error *err)
{
    struct sov_places places = { call->found.home, call->found.keys };
    struct sov_error ignored = { 0 };
    const char *system;
    bool fits;

    if (!sov_places_trust(&call->found, call->arena, &system, err)) return false;
    if (!system) return true;
    if (!sov_ledger_open(&places, SOV_LEDGER_READ, call->seams, call->wait_ms, &call->ledger,
                         &ignored))
        return true; /* what keeps it from being read is for the caller to name */
    fits = is_allowed(call, system, err);
    sov_ledger_end(&call->ledger);
    return fits;
}

static bool open_as(struct sov_call *call, enum sov_ledger_mode mode, struct sov_error *err)
{
    struct sov_places places = { call->found.home, call->found.keys };
    const char *system;

    if (!call->found.there)
        return sov_fail(err, SOV_ABSENT, "no_ledger", "there is no ledger in %s",
                        call->found.looked);
    if (!sov_places_trust(&call->found, call->arena, &system, err)) return false;
    if (system && mode != SOV_LEDGER_READ) { /* it is asked before anything is written */
        if (!open_as(call, SOV_LEDGER_READ, err)) return false;
        sov_ledger_end(&call->ledger);
    }
    return sov_ledger_open(&places, mode, call->seams, call->wait_ms, &call->ledger, err) &&
           is_allowed(call, system, err);
}

bool sov_call_is_clone(struct sov_call *call, bool *clone_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    struct sov_places places = { call->found.home, call->found.keys };
    struct sov_file_facts facts;
    bool there = false;

    *clone_out = false;
    if (!(call->form->needs & SOV_CLONES)) return true;
    if (call->found.there && !sov_ledger_there(&places, &there, err)) return false;
    if (there) return true;
    if (!sov_folder_open(&top, call->found.tree, err) ||
        !sov_file_facts(&top, SOV_GOVERNANCE "/checkpoints", &facts, err))
        return false;
    *clone_out = facts.type != SOV_FILE_ABSENT;
    return true;
}

/* Read strictly: state is shown of a log that is whole and signed, or of none. */
static bool open_clone(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    struct sov_clone clone;

    if (!sov_folder_open(&top, call->found.tree, err) ||
        !sov_clone_open(&top, call->seams, call->found.keys, NULL, NULL, &call->ledger, &clone,
                        err))
        return false;
    sov_out_warn(call->out, "note: no ledger file here; this is the published log, size %lld",
                 (long long)clone.size);
    return true;
}

bool sov_call_read(struct sov_call *call, struct sov_error *err)
{
    bool clone;

    if (call->ledger) return true;
    if (!sov_call_is_clone(call, &clone, err)) return false;
    if (clone ? !open_clone(call, err) : !open_as(call, SOV_LEDGER_READ, err)) return false;
    return sov_ledger_hold(call->ledger, &call->txn, err) && sov_call_head(call, err);
}

void sov_call_fault(struct sov_call *call, const struct sov_error *fault)
{
    if (!call->fault && (fault->exit == SOV_INTEGRITY || fault->exit == SOV_UNABLE))
        call->fault = fault;
}

bool sov_call_faults(const struct sov_call *call, struct sov_error *err)
{
    if (!call->fault) return true;
    *err = *call->fault;
    return false;
}

void sov_call_release(struct sov_call *call)
{
    sov_txn_end(&call->txn);
}

static enum sov_ledger_mode writing(const struct sov_call *call)
{
    return sov_given(call, SOV_FLAG_DRY_RUN) ? SOV_LEDGER_TRY : SOV_LEDGER_WRITE;
}

bool sov_call_write(struct sov_call *call, struct sov_error *err)
{
    sov_call_release(call);
    sov_ledger_end(&call->ledger);
    sov_signals_watch();
    return open_as(call, writing(call), err);
}

bool sov_call_write_anywhere(struct sov_call *call, struct sov_error *err)
{
    struct sov_places places = { call->found.home, call->found.keys };
    const char *system;

    if (!call->found.there)
        return sov_fail(err, SOV_ABSENT, "no_ledger", "there is no ledger in %s",
                        call->found.looked);
    sov_signals_watch();
    return sov_places_trust(&call->found, call->arena, &system, err) &&
           sov_ledger_open(&places, writing(call), call->seams, call->wait_ms, &call->ledger, err);
}

/* Inside a run only its assignment's actor acts: a guard rail for agents, not a wall. */
static bool run_actor(struct sov_call *call, const char *named, const char **actor_out,
                      struct sov_error *err)
{
    const char *inside = sov_env("SOV_ASSIGNMENT");
    int64_t n = sov_id_number(sov_bytes_text(inside), SOV_STREAM_ASSIGNMENT), count = 0;
    struct sov_assignment assignment;
    bool found = false;

    (void)count;
    if (!n || !call->ledger ||
        !sov_assignment_find(call->ledger, n, call->arena, &assignment, &found, err))
        return n && call->ledger ? false
                                 : sov_fail(err, SOV_DENIED, "inside_run",
                                            "SOV_ASSIGNMENT is %s, which is no assignment", inside);
    if (!found || (named && strcmp(named, assignment.actor) != 0)) {
        sov_error_set(err, SOV_DENIED, "inside_run", "inside %s only its own actor acts", inside);
        sov_error_ref(err, inside);
        return false;
    }
    *actor_out = assignment.actor;
    return true;
}

bool sov_call_actor(struct sov_call *call, const char **actor_out, struct sov_error *err)
{
    const char *named = sov_value_of(call, SOV_FLAG_ACTOR), *origin = "";

    if (!named) named = sov_env("SOV_ACTOR");
    if (sov_env("SOV_ASSIGNMENT")) return run_actor(call, named, actor_out, err);
    if (!named && !(call->form->needs & SOV_SIGNS) &&
        !sov_config_get(&call->found, "actor", call->arena, &named, &origin, err))
        return false;
    if (!named)
        return sov_fail(err, SOV_USAGE, "input_required",
                        "who acts? give --actor ID or set SOV_ACTOR");
    *actor_out = named;
    return true;
}
