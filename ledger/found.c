/* The founding: five actors with a key each and the default policy, in one commit (model.md 4). */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/place.h"
#include "ledger/handle.h"
#include "ledger/keyfile.h"
#include "ledger/log.h"
#include "ledger/sign.h"

static const struct {
    const char *id, *kind, *provider;
} roster[] = {
    { "principal", "person", "human" },   { "master", "robot", "scripted" },
    { "operator", "robot", "scripted" },  { "sparring", "robot", "scripted" },
    { "verifier", "service", "builtin" },
};
enum { ROSTER = sizeof roster / sizeof *roster };

static const char founding_reason[] = "the default policy of the founding";
static const char ignore[] = "*\n";

static bool organization(struct sov_commit *commit, const char *name, struct sov_error *err)
{
    struct sov_random random = commit->ledger->seams.random;
    struct sov_addition addition = { .type = SOV_EVENT_ORGANIZATION_FOUNDED };
    struct sov_public_key key = sov_secret_public(commit->ledger->secret);
    struct sov_writer w = sov_commit_writer(commit);
    struct sov_done done;
    uint8_t nonce[32];

    if (!random.fill(random.self, nonce, sizeof nonce, err)) return false;
    addition.stream = sov_stream_named(SOV_STREAM_ORGANIZATION, sov_bytes_text("self"));
    sov_write_object(&w);
    sov_put_text(&w, "model", "sov.model.v1");
    sov_put_text(&w, "name", name);
    sov_put_hex(&w, "nonce", sov_bytes(nonce, sizeof nonce));
    sov_put_hex(&w, "public_key", sov_bytes(key.octets, SOV_PUBLIC_KEY_SIZE));
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_lead(commit, &addition, &done, err) &&
           sov_ledger_identify(commit->ledger, err);
}

static bool actor(struct sov_commit *commit, size_t i, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_ACTOR_REGISTERED };
    struct sov_writer w = sov_commit_writer(commit);

    addition.stream = sov_stream_named(SOV_STREAM_ACTOR, sov_bytes_text(roster[i].id));
    sov_write_object(&w);
    sov_put_text(&w, "kind", roster[i].kind);
    sov_put_text(&w, "provider", roster[i].provider);
    sov_put_text(&w, "role", roster[i].id);
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}

static bool key(struct sov_commit *commit, const char *id, struct sov_secret *secret,
                struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_KEY_REGISTERED };
    struct sov_signer signer = { .secret = secret, .key = sov_secret_public(secret) };
    struct sov_key_proposal proposal;
    char key_id[SOV_KEY_ID_SIZE + 1];
    const char *name;

    sov_key_id(&signer.key, key_id);
    addition.stream = sov_stream_named(SOV_STREAM_KEY, sov_bytes_text(key_id));
    if (!sov_key_propose(commit->ledger, id, &signer, NULL, &proposal, err) ||
        !sov_key_registration(commit, id, &proposal, &addition.data, err))
        return false;
    if (!sov_commit_follow(commit, &addition, NULL, err)) return false;
    name = sov_arena_printf(&commit->arena, "%s.%s.key", id, key_id);
    return commit->act.dry || sov_keyfile_save(commit->ledger, name, secret, NULL, err);
}

static bool policy(struct sov_commit *commit, const struct sov_secret *principal,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf statement = { 0 };
    struct sov_addition addition = { .type = SOV_EVENT_POLICY_ADOPTED, .actor = roster[0].id };
    struct sov_hash digest = sov_sha256(sov_policy_default());
    struct sov_signed_by by;
    struct sov_writer w;

    sov_buf_init(&statement, SOV_EVENT_SIZE_MAX);
    sov_policy_statement(commit->ledger, &digest, &statement);
    sov_statement_seal(principal, SOV_ADOPT_TAG, sov_buf_bytes(&statement), &by);
    addition.stream = sov_stream_named(SOV_STREAM_POLICY, sov_bytes_text("self"));
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_hex(&w, "digest", sov_hash_bytes(&digest));
    sov_put_raw(&w, "document", sov_policy_default());
    sov_put_text(&w, "reason", founding_reason);
    sov_write_key(&w, "sig");
    sov_signed_put(&w, &by);
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}

static void secrets_end(struct sov_secret *secrets[ROSTER])
{
    for (size_t i = 0; i < ROSTER; i++) sov_secret_close(secrets[i]);
}

static bool allow(struct sov_commit *commit, const struct sov_founding *founding,
                  struct sov_error *err)
{
    struct sov_done done;

    if (!founding->filesystem) return true;
    commit->act.actor = roster[0].id;
    return sov_policy_load(commit->ledger, &commit->policy, err) &&
           sov_filesystem_allow(commit, founding->filesystem, founding->filesystem_reason, &done,
                                err);
}

/* In the founding commit: whoever finds a ledger finds the policy that it was founded with. */
static bool adopt(struct sov_commit *commit, struct sov_bytes document,
                  const struct sov_secret *principal, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf statement = { 0 };
    struct sov_signed_by by;
    struct sov_hash digest;
    struct sov_done done;

    if (!document.data) return true;
    digest = sov_sha256(document);
    commit->act.actor = roster[0].id;
    sov_buf_init(&statement, SOV_EVENT_SIZE_MAX);
    sov_policy_statement(commit->ledger, &digest, &statement);
    sov_statement_seal(principal, SOV_ADOPT_TAG, sov_buf_bytes(&statement), &by);
    return sov_policy_load(commit->ledger, &commit->policy, err) &&
           sov_policy_adopt(commit, document, "the policy that init was given", &by, &done, err);
}

static bool events(struct sov_commit *commit, const struct sov_founding *founding,
                   struct sov_secret *secrets[ROSTER], struct sov_error *err)
{
    struct sov_ledger *ledger = commit->ledger;

    if (!organization(commit, founding->name, err)) return false;
    if (!founding->dry && !sov_keyfile_save(ledger, "ledger.key", ledger->secret, NULL, err))
        return false;
    for (size_t i = 0; i < ROSTER; i++)
        if (!actor(commit, i, err)) return false;
    for (size_t i = 0; i < ROSTER; i++)
        if (!sov_secret_new(&ledger->seams.random, &secrets[i], err) ||
            !key(commit, roster[i].id, secrets[i], err))
            return false;
    return policy(commit, secrets[0], err) && allow(commit, founding, err) &&
           adopt(commit, founding->policy, secrets[0], err);
}

static bool found(struct sov_ledger *ledger, const struct sov_founding *founding,
                  struct sov_arena *arena, struct sov_founded *founded_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act act = { .expect_seq = -1, .expect_version = -1, .dry = founding->dry };
    struct sov_secret *secrets[ROSTER] = { NULL };
    int64_t seq;
    bool ok;

    if (!sov_secret_new(&ledger->seams.random, &ledger->secret, err)) return false;
    if (!sov_commit_begin(&commit, ledger, &act, err)) return false;
    ok = events(&commit, founding, secrets, err);
    secrets_end(secrets);
    if (!ok) return false;
    founded_out->events = sov_commit_events(&commit, arena, &founded_out->count);
    founded_out->ledger_id = ledger->id;
    founded_out->size = commit.seq;
    return sov_commit_finish(&commit, &seq, err);
}

static bool place_make(const struct sov_places *places, struct sov_folder *home_out,
                       struct sov_lock *lock_out, struct sov_error *err)
{
    bool made;

    return sov_folder_make_named(places->home, 0700, err) &&
           sov_folder_open(home_out, places->home, err) &&
           sov_lock_take(lock_out, home_out, "founding", 5000, err) &&
           sov_file_provide(home_out, ".gitignore", 0600, sov_bytes(ignore, sizeof ignore - 1),
                            &made, err);
}

/* What a founding that was killed left: no ledger, for it never got its name. */
bool sov_ledger_leftovers_remove(const struct sov_folder *home, struct sov_error *err)
{
    return sov_file_remove(home, SOV_LEDGER_FILE_NEW, err) &&
           sov_file_remove(home, SOV_LEDGER_FILE_NEW "-journal", err) &&
           sov_file_remove(home, SOV_LEDGER_FILE_NEW "-wal", err) &&
           sov_file_remove(home, SOV_LEDGER_FILE_NEW "-shm", err);
}

/* The name makes it a ledger: where that is there, it may stand, whatever the disk said. */
static bool fail_name(const struct sov_folder *home, int64_t size, struct sov_error *err)
{
    const struct sov_error disk = *err;
    struct sov_error ignored;
    struct sov_file_facts facts;

    if (disk.exit != SOV_UNABLE ||
        (sov_file_facts(home, SOV_LEDGER_FILE, &facts, &ignored) && facts.type == SOV_FILE_ABSENT))
        return false;
    sov_error_set(err, SOV_UNABLE, "commit_unknown", "seq %lld may stand or not: %s",
                  (long long)size, disk.what);
    err->seq = size;
    return false;
}

static bool found_on_disk(const struct sov_places *places, const struct sov_founding *founding,
                          const struct sov_seams *seams, struct sov_arena *arena,
                          struct sov_founded *founded_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    SOV_CLEANUP(sov_lock_release) struct sov_lock lock = { 0 };
    struct sov_db_options options = sov_ledger_db_options(SOV_DB_CREATE, seams, 5000);
    const char *path = sov_arena_printf(arena, "%s/%s", places->home, SOV_LEDGER_FILE_NEW);
    struct sov_ledger *ledger;
    bool ok;

    if (!place_make(places, &home, &lock, err) || !sov_ledger_leftovers_remove(&home, err))
        return false;
    ledger = sov_ledger_new(places, seams, 5000, true);
    ok = sov_folder_open(&ledger->home, places->home, err) &&
         sov_db_open(path, &options, &ledger->db, err);
    ledger->state = ledger->db;
    ok = ok && found(ledger, founding, arena, founded_out, err);
    /* Closed before it gets its name: nobody ever opens a ledger that is not founded. */
    sov_ledger_close(ledger);
    /* Closed clean, so its journal says nothing; under the new name it would have no owner. */
    return ok && sov_file_remove(&home, SOV_LEDGER_FILE_NEW "-journal", err) &&
           (sov_file_move(&home, SOV_LEDGER_FILE_NEW, SOV_LEDGER_FILE, err) ||
            fail_name(&home, founded_out->size, err));
}

static bool found_in_memory(const struct sov_places *places, const struct sov_founding *founding,
                            const struct sov_seams *seams, struct sov_arena *arena,
                            struct sov_founded *founded_out, struct sov_error *err)
{
    struct sov_db_options options = sov_ledger_db_options(SOV_DB_MEMORY, seams, 0);
    SOV_CLEANUP(sov_ledger_end)
    struct sov_ledger *ledger = sov_ledger_new(places, seams, 0, true);

    if (!sov_db_open("", &options, &ledger->db, err)) return false;
    ledger->state = ledger->db;
    return found(ledger, founding, arena, founded_out, err);
}

/* Reads only; but a founding is a write, and as any write it rolls back what a crash left. */
static bool noop(const struct sov_places *places, const struct sov_seams *seams, bool dry,
                 struct sov_founded *founded_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *ledger = NULL;

    if (!sov_ledger_open(places, SOV_LEDGER_READ, seams, 5000, &ledger, err) &&
        (dry || strcmp(err->code, "needs_recovery") != 0 ||
         !sov_ledger_open(places, SOV_LEDGER_WRITE, seams, 5000, &ledger, err)))
        return false;
    *founded_out = (struct sov_founded){ .noop = true, .ledger_id = ledger->id };
    return sov_ledger_head(ledger, &founded_out->size, err);
}

bool sov_organization_found(const struct sov_places *places, const struct sov_founding *founding,
                            const struct sov_seams *seams, struct sov_arena *arena,
                            struct sov_founded *founded_out, struct sov_error *err)
{
    struct sov_bytes name = sov_bytes_text(founding->name);
    struct sov_founded founded = { 0 };
    struct sov_hash mark;
    bool there, mirror;

    if (!sov_policy_text("the organization's name", name, 200, err)) return false;
    if (!sov_ledger_there(places, &there, err)) return false;
    if (!sov_mirror_find(places, &mark, &mirror, err)) return false;
    if (mirror) return sov_fail(err, SOV_DENIED, "is_mirror", "%s is a mirror", places->home);
    if (there) return noop(places, seams, founding->dry, founded_out, err);
    if (founding->dry ? !found_in_memory(places, founding, seams, arena, &founded, err)
                      : !found_on_disk(places, founding, seams, arena, &founded, err))
        return false;
    *founded_out = founded;
    return true;
}
