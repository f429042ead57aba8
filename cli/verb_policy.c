#include <stdio.h>

#include "cli/document.h"
#include "cli/sign.h"

/* ---- check, show ---- */

static bool check(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *data = sov_node_object(call->arena);
    const struct sov_policy *policy;
    struct sov_bytes document;
    char digest[SOV_HEX_HASH + 1];

    if (!sov_document_read(call, sov_word_at(call, 0), &document, err)) return false;
    if (!sov_policy_parse(document, call->arena, &policy, err)) {
        if (err->exit != SOV_USAGE) return false;
        sov_add_bool(data, "valid", false);
        sov_add_null(data, "digest");
        sov_add_text(data, "why", err->what);
        sov_out_line(call->out, "no: %s", err->what);
        call->answer = SOV_NO;
    } else {
        sov_hex(sov_hash_bytes(&policy->digest), digest);
        sov_add_bool(data, "valid", true);
        sov_add_text(data, "digest", digest);
        sov_add_null(data, "why");
        if (!call->out->quiet) sov_out_line(call->out, "ok  policy %s", digest);
    }
    sov_out_data(call->out, data);
    return true;
}

static bool show(struct sov_call *call, struct sov_error *err)
{
    const char *format = sov_value_of(call, SOV_FLAG_FORMAT);
    struct sov_node *data = sov_node_object(call->arena);
    struct sov_adoption adoption;

    if (!sov_policy_adoption(call->ledger, 0, call->arena, &adoption, err)) return false;
    sov_add_int(data, "seq", adoption.seq);
    sov_add_hex(data, "digest", sov_hash_bytes(&adoption.digest));
    sov_add_text(data, "adopter", adoption.adopter);
    sov_add_text(data, "reason", adoption.reason);
    if (!format || strcmp(format, "json") != 0) sov_out_members(call->out, data);
    sov_add_value(data, "document", sov_value(adoption.document));
    sov_out_block(call->out, sov_document_text(adoption.document, call->arena));
    sov_out_data(call->out, data);
    return true;
}

/* ---- adopt ---- */

/* There is one policy, so its stream's own name says nothing. */
static bool say(struct sov_deed *w)
{
    snprintf(w->done.id, sizeof w->done.id, "policy");
    return sov_deed_say(w, "adopted", "sov policy show");
}

static bool adopt(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf statement = { 0 };
    const struct sov_policy *policy;
    struct sov_bytes document;
    struct sov_signed_by by;
    const char *actor;

    if (!sov_document_read(call, sov_word_at(call, 0), &document, err)) return false;
    if (!sov_policy_parse(document, call->arena, &policy, err)) return false;
    if (!sov_sign_open(call, &actor, err)) return false;
    sov_buf_init(&statement, 4096);
    sov_policy_statement(call->ledger, &policy->digest, &statement);
    return sov_sign_as(call, actor, "sov.adopt.v1", sov_buf_bytes(&statement), &by, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_policy_adopt(&w.commit, document, sov_value_of(call, SOV_FLAG_REASON), &by, &w.done,
                            err) &&
           sov_deed_finish(&w, err) && say(&w);
}

/* ---- diff: the document, and past acts that it would not have allowed ---- */

static void differ(struct sov_node *rows, const char *pointer, struct sov_value was,
                   struct sov_value now);

static void differ_members(struct sov_node *rows, const char *pointer, struct sov_value was,
                           struct sov_value now)
{
    struct sov_member member;
    size_t at = 0;

    while (sov_value_member(was, &at, &member)) {
        char *key = sov_arena_text(rows->arena, member.key);

        differ(rows, sov_arena_printf(rows->arena, "%s/%s", pointer, key), member.value,
               sov_value_get(now, key));
    }
    at = 0;
    while (sov_value_member(now, &at, &member)) {
        char *key = sov_arena_text(rows->arena, member.key);

        if (!sov_value_there(sov_value_get(was, key)))
            differ(rows, sov_arena_printf(rows->arena, "%s/%s", pointer, key),
                   (struct sov_value){ 0 }, member.value);
    }
}

static void differ(struct sov_node *rows, const char *pointer, struct sov_value was,
                   struct sov_value now)
{
    struct sov_node *row;

    if (sov_value_there(was) && sov_value_there(now)) {
        if (sov_bytes_equal(was.octets, now.octets)) return;
        if (sov_value_kind(was) == SOV_JSON_OBJECT && sov_value_kind(now) == SOV_JSON_OBJECT) {
            differ_members(rows, pointer, was, now);
            return;
        }
    }
    row = sov_add_object(rows, NULL);
    sov_add_text(row, "where", pointer);
    sov_add_value(row, "was", was);
    sov_add_value(row, "now", now);
    sov_add_null(row, "seq");
}

static bool is_allowed(const struct sov_policy *policy, const char *role, const char *words)
{
    for (const char *at = words; *at; at += strcspn(at, "|")) {
        enum sov_authority authority;
        size_t size;

        at += *at == '|';
        size = strcspn(at, "|");
        if (!sov_authority_find(sov_bytes(at, size), &authority)) return true; /* none is asked */
        if (sov_policy_may(policy, role, authority)) return true;
    }
    return !*words;
}

static bool past(struct sov_call *call, const struct sov_policy *policy, struct sov_node *rows,
                 struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };

    sov_log_begin(&cursor, call->ledger, 1, call->out->seq);
    for (;;) {
        struct sov_stored stored;
        struct sov_event event;
        struct sov_actor actor;
        struct sov_node *row;
        const char *words;
        bool found;

        if (!sov_log_next(&cursor, &stored, &found, err)) return false;
        if (!found) return true;
        if (!sov_stored_decode(&stored, &event, err)) return false;
        words = sov_event_authority(sov_event_row(event.type), event.stream.kind);
        if (sov_bytes_is(event.actor, "host") || event.seq == 1) continue;
        if (!sov_actor_find(call->ledger, sov_arena_text(call->arena, event.actor), call->arena,
                            &actor, &found, err))
            return false;
        if (!found || is_allowed(policy, actor.role, words)) continue;
        row = sov_add_object(rows, NULL);
        sov_add_printf(row, "where", "%s by %s, role %s", sov_event_row(event.type)->type, actor.id,
                       actor.role);
        sov_add_text(row, "was", "allowed");
        sov_add_text(row, "now", "not_authorised");
        sov_add_int(row, "seq", event.seq);
    }
}

static bool diff(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *rows = sov_node_list(call->arena);
    const struct sov_policy *policy;
    struct sov_adoption adoption;
    struct sov_bytes document;

    if (!sov_document_read(call, sov_word_at(call, 0), &document, err)) return false;
    if (!sov_policy_parse(document, call->arena, &policy, err)) return false;
    if (!sov_policy_adoption(call->ledger, 0, call->arena, &adoption, err)) return false;
    differ(rows, "", sov_value(adoption.document), sov_value(document));
    if (!past(call, policy, rows, err)) return false;
    if (rows->first) call->answer = SOV_NO;
    sov_out_table(call->out, rows, "where was now seq");
    sov_out_data(call->out, rows);
    return true;
}

static const struct sov_form forms[] = {
    { "check", check, SOV_OUTSIDE_RUN, 0, 1, "[FILE]", "is it a policy that this build enforces?",
      "valid:b digest:s? why:s?", "1 it is none", "sov policy check", NULL },
    { "adopt", adopt, SOV_WRITES | SOV_SIGNS | SOV_OUTSIDE_RUN, 0, 1, "[FILE] --reason TEXT",
      "sign the canonical document; it is in force from the next event on", SOV_WRITE_FIELDS,
      "4 not authorised", "sov policy adopt --reason \"two signers\" --actor principal", NULL },
    { "show", show, SOV_READS | SOV_OUTSIDE_RUN, 0, 0, "", "the policy in force",
      "seq:i digest:s adopter:s reason:s document:o", "", "sov policy show", NULL },
    { "diff", diff, SOV_READS | SOV_OUTSIDE_RUN, 0, 1, "[FILE]",
      "what FILE says otherwise, and past acts that it would not have allowed",
      "where:s was:o? now:o? seq:i?", "1 it differs", "sov policy diff", NULL },
};
static const struct sov_verb verb = { "policy",
                                      "the law: roles, gates, limits, kinds, wake rules",
                                      "FILE defaults to sovereign.json of the working tree. The "
                                      "file itself decides nothing: adopting\n"
                                      "appends its canonical form.",
                                      forms,
                                      sizeof forms / sizeof *forms,
                                      SOV_GROUP_LAW };

const struct sov_verb *sov_verb_policy(void)
{
    return &verb;
}
