/* The operations on keys: new, rotate, revoke. */
#include "ledger/key.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ledger/actor.h"
#include "ledger/keyfile.h"
#include "ledger/log.h"
#include "ledger/sign.h"

/* In no other place: a key is one actor's, for ever. */
static bool key_is_new(struct sov_commit *commit, const char *id, struct sov_error *err)
{
    struct sov_actor_key key;
    bool found;

    if (!sov_key_find(commit->ledger, id, &commit->arena, &key, &found, err)) return false;
    if (!found) return true;
    sov_error_set(err, SOV_CONFLICT, "key_in_use", "the key %s is registered for %s", id,
                  key.actor);
    sov_error_ref(err, key.actor);
    return false;
}

static bool actor_is_there(struct sov_commit *commit, const char *actor, struct sov_error *err)
{
    struct sov_actor row;
    bool found;

    if (!sov_actor_find(commit->ledger, actor, &commit->arena, &row, &found, err)) return false;
    if (!found) {
        sov_error_set(err, SOV_ABSENT, "no_such_id", "there is no actor %s", actor);
        sov_error_ref(err, actor);
        return false;
    }
    if (strcmp(row.status, "retired") != 0) return true;
    sov_error_set(err, SOV_CONFLICT, "wrong_state", "%s is retired", actor);
    sov_error_ref(err, actor);
    return false;
}

static bool keep(struct sov_commit *commit, const char *actor, const char *id,
                 const struct sov_key_proposal *proposal, struct sov_error *err)
{
    const char *name = sov_arena_printf(&commit->arena, "%s.%s.key", actor, id);

    if (commit->act.dry || !proposal->secret) return true;
    return sov_keyfile_save(commit->ledger, name, proposal->secret, proposal->seal, err);
}

bool sov_key_new(struct sov_commit *commit, const char *actor,
                 const struct sov_key_proposal *proposal, struct sov_done *done_out,
                 struct sov_error *err)
{
    SOV_CLEANUP(sov_key_proposal_end) struct sov_key_proposal made = { 0 };
    struct sov_addition addition = { .type = SOV_EVENT_KEY_REGISTERED };
    char id[SOV_KEY_ID_SIZE + 1];
    bool again;

    if (!proposal && !sov_key_propose(commit->ledger, actor, NULL, NULL, &made, err)) return false;
    if (!proposal) proposal = &made;
    sov_key_id(&proposal->key, id);
    addition.stream = sov_stream_named(SOV_STREAM_KEY, sov_bytes_text(id));
    if (!sov_key_registration(commit, actor, proposal, &addition.data, err)) return false;
    if (!sov_commit_ask(commit, addition.type, NULL, addition.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!actor_is_there(commit, actor, err)) return false;
    if (!sov_commit_expect(commit, &addition.stream, err)) return false;
    if (!key_is_new(commit, id, err) || !sov_key_proven(commit->ledger, actor, proposal, NULL, err))
        return false;
    /* The secret first: a registered key without one could never sign. */
    return keep(commit, actor, id, proposal, err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

/* `own`: the holder of the key, or who has `administer`. */
static bool owns(struct sov_commit *commit, const char *actor, struct sov_error *err)
{
    if (commit->act.actor && strcmp(commit->act.actor, actor) == 0) return true;
    return sov_commit_authorise(commit, SOV_MAY_ADMINISTER, err);
}

static bool newest_valid(struct sov_commit *commit, const char *actor,
                         struct sov_actor_key *key_out, struct sov_error *err)
{
    struct sov_actor_keys keys;

    if (!sov_key_list(commit->ledger, actor, &commit->arena, &keys, err)) return false;
    for (size_t i = keys.count; i-- > 0;) {
        if (keys.at[i].to_seq) continue;
        *key_out = keys.at[i];
        return true;
    }
    sov_error_set(err, SOV_ABSENT, "no_key", "%s has no valid key", actor);
    sov_error_ref(err, actor);
    return false;
}

/* From the key folder, where nothing is locked. */
static bool propose(struct sov_commit *commit, const struct sov_actor_key *old,
                    struct sov_key_proposal *made_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_signer_end) struct sov_signer before = { .key = old->key };
    const char *name = sov_arena_printf(&commit->arena, "%s.%s.key", old->actor, old->id);

    return sov_keyfile_load(commit->ledger, name, NULL, &before.secret, err) &&
           sov_key_propose(commit->ledger, old->actor, NULL, &before, made_out, err);
}

static bool takes_place_of(const struct sov_key_proposal *proposal, const struct sov_actor_key *old,
                           struct sov_error *err)
{
    if (proposal->has_before &&
        memcmp(proposal->before.octets, old->key.octets, sizeof old->key.octets) == 0)
        return true;
    sov_error_set(err, SOV_ABSENT, "no_key", "the key %s is not at hand", old->id);
    sov_error_ref(err, old->actor);
    return false;
}

static bool rotation(struct sov_commit *commit, const struct sov_key_proposal *proposal,
                     const char *reason, struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_list(&w, "proofs");
    sov_write_hex(&w, sov_bytes(proposal->consent.octets, SOV_SIGNATURE_SIZE));
    sov_write_hex(&w, sov_bytes(proposal->proof.octets, SOV_SIGNATURE_SIZE));
    sov_write_end(&w);
    sov_put_text(&w, "reason", reason);
    sov_put_hex(&w, "successor", sov_bytes(proposal->key.octets, SOV_PUBLIC_KEY_SIZE));
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

bool sov_key_rotate(struct sov_commit *commit, const char *actor, const char *reason,
                    const struct sov_key_proposal *proposal, struct sov_done *done_out,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_key_proposal_end) struct sov_key_proposal made = { 0 };
    struct sov_addition rotated = { .type = SOV_EVENT_KEY_ROTATED };
    struct sov_addition registered = { .type = SOV_EVENT_KEY_REGISTERED };
    struct sov_actor_key old;
    char id[SOV_KEY_ID_SIZE + 1];
    bool again;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err)) return false;
    if (!actor_is_there(commit, actor, err) || !newest_valid(commit, actor, &old, err))
        return false;
    if (!proposal && !propose(commit, &old, &made, err)) return false;
    if (!proposal) proposal = &made;
    if (!takes_place_of(proposal, &old, err)) return false;
    sov_key_id(&proposal->key, id);
    rotated.stream = sov_stream_named(SOV_STREAM_KEY, sov_bytes_text(old.id));
    registered.stream = sov_stream_named(SOV_STREAM_KEY, sov_bytes_text(id));
    if (!rotation(commit, proposal, reason, &rotated.data, err)) return false;
    if (!sov_commit_ask(commit, rotated.type, NULL, rotated.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!owns(commit, actor, err) || !sov_commit_expect(commit, &rotated.stream, err)) return false;
    if (!key_is_new(commit, id, err) ||
        !sov_key_proven(commit->ledger, actor, proposal, &old, err) ||
        !keep(commit, actor, id, proposal, err))
        return false;
    if (!sov_commit_lead(commit, &rotated, done_out, err)) return false;
    if (!sov_key_registration(commit, actor, proposal, &registered.data, err)) return false;
    return sov_commit_follow(commit, &registered, NULL, err);
}

bool sov_key_revoke(struct sov_commit *commit, const char *id, const char *reason,
                    int64_t unsafe_since, struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_KEY_REVOKED };
    struct sov_writer w = sov_commit_writer(commit);
    struct sov_actor_key key;
    bool again, found;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err)) return false;
    if (!id || !*id || strlen(id) > SOV_NAME_MAX)
        return sov_fail(err, SOV_USAGE, "bad_value", "a key is named by its id");
    addition.stream = sov_stream_named(SOV_STREAM_KEY, sov_bytes_text(id));
    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    if (unsafe_since) sov_put_int(&w, "unsafe_since", unsafe_since);
    sov_write_end(&w);
    if (!sov_commit_payload(commit, &addition.data, err)) return false;
    if (!sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!sov_key_find(commit->ledger, id, &commit->arena, &key, &found, err)) return false;
    if (!found) {
        sov_error_set(err, SOV_ABSENT, "no_such_id", "there is no key %s", id);
        sov_error_ref(err, "actors");
        return false;
    }
    if (!owns(commit, key.actor, err) || !sov_commit_expect(commit, &addition.stream, err))
        return false;
    if (unsafe_since > commit->head)
        return sov_fail(err, SOV_USAGE, "bad_value", "unsafe since %lld is after the head",
                        (long long)unsafe_since);
    if (key.to_seq) {
        sov_error_set(err, SOV_CONFLICT, "wrong_state", "the key %s ended at %lld", id,
                      (long long)key.to_seq);
        sov_error_ref(err, key.actor);
        return false;
    }
    return sov_commit_lead(commit, &addition, done_out, err);
}
