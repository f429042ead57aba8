/* Policy adoptions: fold, the policy in force, and the operation that adopts one. */
#include "ledger/policy.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ledger/actor.h"
#include "ledger/log.h"
#include "ledger/policy.sql.h"
#include "ledger/row.h"

bool sov_policy_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_value document = sov_data(event, "document");
    struct sov_signed_by by;
    struct sov_hash digest, said;

    digest = sov_sha256(document.octets);
    if (!sov_unhex(sov_value_plain(sov_data(event, "digest")), said.octets, SOV_HASH_SIZE) ||
        !sov_hash_equal(&digest, &said))
        return sov_fold_fail(err, event, "the policy is not what its digest says");
    if (!sov_signed_read(sov_data(event, "sig"), &by))
        return sov_fold_fail(err, event, "the adoption's signature cannot be read");
    if (!sov_stmt_open(&stmt, fold->db, policy_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->seq);
    sov_bind_blob(&stmt, 2, sov_hash_bytes(&digest));
    sov_bind_text(&stmt, 3, document.octets);
    sov_bind_text(&stmt, 4, event->actor);
    sov_bind_text(&stmt, 5, sov_data_text(event, "reason", fold->arena));
    sov_bind_text(&stmt, 6, sov_bytes_text(by.key));
    sov_bind_blob(&stmt, 7, sov_hash_bytes(&by.statement));
    sov_bind_blob(&stmt, 8, sov_bytes(by.signature.octets, SOV_SIGNATURE_SIZE));
    return sov_stmt_run(&stmt, err);
}

static bool newest(const struct sov_ledger *ledger, int64_t seq, struct sov_stmt *stmt,
                   struct sov_error *err)
{
    bool found;

    if (!sov_stmt_open(stmt, ledger->state, seq ? policy_at_sql : policy_newest_sql, err))
        return false;
    if (seq) sov_bind_int(stmt, 1, seq);
    if (!sov_stmt_row(stmt, &found, err)) return false;
    if (!found)
        return sov_fail(err, SOV_INTEGRITY, "event_invalid", "no policy was adopted by event %lld",
                        (long long)seq);
    return true;
}

/* What was adopted has passed; a row that does not is not what was adopted. */
static bool row_parse(const struct sov_ledger *ledger, const struct sov_stmt *stmt,
                      struct sov_arena *arena, const struct sov_policy **policy_out,
                      struct sov_error *err)
{
    struct sov_bytes document = sov_column_text(stmt, 2);
    struct sov_hash digest = sov_sha256(document);

    if (sov_bytes_equal(sov_column_blob(stmt, 1), sov_hash_bytes(&digest)) &&
        sov_policy_parse(document, arena, policy_out, err))
        return true;
    if (ledger->state != ledger->db)
        return sov_fail(err, SOV_INTEGRITY, "event_invalid", "event %lld adopts what is no policy",
                        (long long)sov_column_int(stmt, 0));
    return sov_row_bad(err, "state_policy holds another document than event %lld adopted",
                       (long long)sov_column_int(stmt, 0));
}

bool sov_policy_load(struct sov_ledger *ledger, const struct sov_policy **policy_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!newest(ledger, 0, &stmt, err)) return false;
    if (sov_column_int(&stmt, 0) != ledger->policy_seq) {
        const struct sov_policy *policy;

        ledger->policy_seq = 0;
        sov_arena_rewind(&ledger->policy_arena, (struct sov_arena_mark){ 0 });
        if (!row_parse(ledger, &stmt, &ledger->policy_arena, &policy, err)) return false;
        ledger->policy = policy;
        ledger->policy_seq = sov_column_int(&stmt, 0);
    }
    *policy_out = ledger->policy;
    return true;
}

bool sov_policy_at(const struct sov_ledger *ledger, int64_t seq, struct sov_arena *arena,
                   const struct sov_policy **policy_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    return newest(ledger, seq, &stmt, err) && row_parse(ledger, &stmt, arena, policy_out, err);
}

bool sov_policy_adoption(const struct sov_ledger *ledger, int64_t seq, struct sov_arena *arena,
                         struct sov_adoption *adoption_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_adoption adoption = { 0 };

    if (!newest(ledger, seq, &stmt, err)) return false;
    adoption.seq = sov_column_int(&stmt, 0);
    memcpy(adoption.digest.octets, sov_column_blob(&stmt, 1).data, SOV_HASH_SIZE);
    adoption.document = sov_arena_bytes(arena, sov_column_text(&stmt, 2));
    adoption.adopter = sov_arena_text(arena, sov_column_text(&stmt, 3));
    adoption.reason = sov_arena_text(arena, sov_column_text(&stmt, 4));
    snprintf(adoption.by.key, sizeof adoption.by.key, "%.*s", SOV_KEY_ID_SIZE,
             (const char *)sov_column_text(&stmt, 5).data);
    memcpy(adoption.by.statement.octets, sov_column_blob(&stmt, 6).data, SOV_HASH_SIZE);
    memcpy(adoption.by.signature.octets, sov_column_blob(&stmt, 7).data, SOV_SIGNATURE_SIZE);
    *adoption_out = adoption;
    return true;
}

void sov_policy_statement(const struct sov_ledger *ledger, const struct sov_hash *digest,
                          struct sov_buf *out)
{
    struct sov_writer w;

    sov_writer_init(&w, out);
    sov_write_object(&w);
    sov_put_text(&w, "decision", "adopt");
    sov_put_hex(&w, "digest", sov_hash_bytes(digest));
    sov_put_hex(&w, "ledger", sov_hash_bytes(&ledger->id));
    sov_write_end(&w);
}

static bool payload(struct sov_commit *commit, struct sov_bytes document,
                    const struct sov_hash *digest, const char *reason,
                    const struct sov_signed_by *by, struct sov_bytes *data_out,
                    struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_hex(&w, "digest", sov_hash_bytes(digest));
    sov_put_raw(&w, "document", document);
    sov_put_text(&w, "reason", reason);
    sov_write_key(&w, "sig");
    sov_signed_put(&w, by);
    if (commit->policy) sov_put_hex(&w, "supersedes", sov_hash_bytes(&commit->policy->digest));
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

static bool governs(struct sov_commit *commit, const struct sov_policy *policy,
                    struct sov_error *err)
{
    struct sov_roster_row *active;
    struct sov_actors actors;
    const char **roles;
    size_t count = 0, used = 0;

    if (!sov_actor_list(commit->ledger, &commit->arena, &actors, err)) return false;
    active = sov_arena_array(&commit->arena, actors.count, sizeof *active);
    roles = sov_arena_array(&commit->arena, actors.count, sizeof *roles);
    for (size_t i = 0; i < actors.count; i++) {
        const struct sov_actor *actor = &actors.at[i];

        if (strcmp(actor->status, "retired") == 0) continue;
        roles[used++] = actor->role;
        if (strcmp(actor->status, "active") != 0) continue;
        active[count++] =
            (struct sov_roster_row){ actor->id, actor->role,
                                     strcmp(actor->kind, "person") == 0  ? SOV_PERSON
                                     : strcmp(actor->kind, "robot") == 0 ? SOV_ROBOT
                                                                         : SOV_SERVICE };
    }
    return sov_policy_governs(policy, active, count, roles, used, err);
}

bool sov_policy_adopt(struct sov_commit *commit, struct sov_bytes document, const char *reason,
                      const struct sov_signed_by *by, struct sov_done *done_out,
                      struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_POLICY_ADOPTED };
    SOV_CLEANUP(sov_buf_release) struct sov_buf statement = { 0 };
    struct sov_hash digest = sov_sha256(document);
    const struct sov_policy *policy;
    bool again;

    addition.stream = sov_stream_named(SOV_STREAM_POLICY, sov_bytes_text("self"));
    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err)) return false;
    if (!payload(commit, document, &digest, reason, by, &addition.data, err)) return false;
    if (!sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!sov_commit_expect(commit, &addition.stream, err)) return false;
    if (!sov_policy_parse(document, &commit->arena, &policy, err)) return false;
    if (!governs(commit, policy, err)) return false;
    sov_buf_init(&statement, SOV_EVENT_SIZE_MAX);
    sov_policy_statement(commit->ledger, &digest, &statement);
    if (!sov_statement_check(commit->ledger, commit->act.actor, SOV_ADOPT_TAG,
                             sov_buf_bytes(&statement), by, 0, err))
        return false;
    if (!sov_commit_lead(commit, &addition, done_out, err)) return false;
    return sov_policy_load(commit->ledger, &commit->policy, err);
}
