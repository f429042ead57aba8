/* What an acceptance asks of accepter and outcome, read from the log: gates 1 to 14, 29 to 34. */
#include "ledger/case.h"

#include "ledger/acceptance.sql.h"
#include "ledger/actor.h"
#include "ledger/row.h"
#include "ledger/log.h"
#include "ledger/sets.h"

enum { SEEN_MAX = 200 };

static bool read_accepter(const struct sov_case_look *look, const char *id, struct sov_case *facts,
                          struct sov_error *err)
{
    struct sov_actor actor;
    bool found;

    facts->accepter = (struct sov_person_facts){ .id = id, .answerable = id, .kind = SOV_SERVICE };
    facts->accepter_role = "";
    if (!sov_actor_find(look->ledger, id, look->arena, &actor, &found, err)) return false;
    if (!found) return true;
    facts->accepter_there = true;
    facts->accepter_active = strcmp(actor.status, "active") == 0;
    facts->accepter_role = actor.role;
    return sov_actor_person(look->ledger, id, look->arena, &facts->accepter, err) &&
           sov_key_is_there(look->ledger, id, &facts->accepter_has_key, err);
}

/* The SOWs of the term: those that count, each with its facts; all of them for the holds. */
static bool read_sows(struct sov_case_look *look, struct sov_case *facts, struct sov_error *err)
{
    struct sov_stream *streams;
    struct sov_case_work *works;
    struct sov_case_sow *rows;
    struct sov_sows sows;
    size_t count = 0;

    if (!sov_sow_list(look->ledger, look->outcome.n, look->outcome.term, look->arena, &sows, err))
        return false;
    streams = sov_arena_array(look->arena, sows.count + 1, sizeof *streams);
    works = sov_arena_array(look->arena, sows.count, sizeof *works);
    rows = sov_arena_array(look->arena, sows.count, sizeof *rows);
    streams[0] = sov_stream_numbered(SOV_STREAM_OUTCOME, look->outcome.n);
    for (size_t i = 0; i < sows.count; i++) {
        streams[i + 1] = sov_stream_numbered(SOV_STREAM_SOW, sows.at[i].n);
        if (!sov_policy_sow_counts(sows.at[i].state)) continue;
        works[count].sow = sows.at[i];
        if (!sov_case_read_sow(look, &works[count], &rows[count], err)) return false;
        count++;
    }
    look->works = works;
    facts->sows = rows;
    look->work_count = facts->sow_count = count;
    return sov_judged_holds(look->ledger, streams, sows.count + 1, look->arena, &facts->holds, err);
}

/* ---- the outcome's verification, and the checks beside it ---- */

static bool newest_work(const struct sov_case_look *look, int64_t *seq_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, look->ledger->state, acceptance_newest_work_sql, err)) return false;
    sov_bind_int(&stmt, 1, look->outcome.n);
    sov_bind_int(&stmt, 2, look->outcome.term);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *seq_out = found ? sov_column_int(&stmt, 0) : 0;
    return true;
}

static bool read_verification(struct sov_case_look *look, struct sov_case *facts,
                              struct sov_error *err)
{
    struct sov_verification verification;
    int64_t newest;
    bool found;

    if (!sov_verification_of_outcome(look->ledger, look->outcome.n, look->outcome.term, look->arena,
                                     &verification, &found, err))
        return false;
    if (!found) return true;
    if (!sov_judged_verification(look->ledger, &verification, look->arena, &look->judged, err) ||
        !newest_work(look, &newest, err))
        return false;
    facts->has_verification = true;
    facts->verification_passed = verification.passed;
    facts->verification_recent = verification.seq > newest;
    facts->aggregate_same = look->judged.aggregate_same;
    return true;
}

static const struct sov_observation *observed(const struct sov_case_look *look, const char *check)
{
    for (size_t i = 0; i < look->seen.count; i++)
        if (strcmp(look->seen.at[i].check, check) == 0) return &look->seen.at[i];
    return NULL;
}

static const struct sov_evidence *evidence_of(const struct sov_case_look *look, const char *check)
{
    for (size_t i = 0; i < look->judged.evidence.count; i++)
        if (strcmp(look->judged.evidence.at[i].check, check) == 0)
            return &look->judged.evidence.at[i];
    return NULL;
}

/* For people: why it failed, or what it saw. */
static const char *said(const struct sov_observation *seen, struct sov_arena *arena)
{
    struct sov_bytes text = seen->observed;

    if (seen->code) return seen->code;
    if (!text.size) return NULL;
    if (text.size > SEEN_MAX) text.size = SEEN_MAX;
    return sov_arena_text(arena, text);
}

static void read_check(const struct sov_case_look *look, const char *id,
                       struct sov_case_check *facts)
{
    const struct sov_observation *seen = observed(look, id);
    const struct sov_evidence *evidence = evidence_of(look, id);
    const struct sov_verification *batch = &look->judged.verification;

    *facts = (struct sov_case_check){ .id = id };
    if (seen) {
        facts->passes_now = seen->success;
        facts->seen = said(seen, look->arena);
        facts->digest_now = seen->digest;
    }
    if (!evidence) return;
    facts->has_evidence = true;
    facts->evidence_success = evidence->success;
    facts->evidence_digest = evidence->observation_digest;
    facts->evidence_own =
        evidence->verification == batch->n && batch->outcome == look->outcome.n &&
        batch->term == look->outcome.term &&
        sov_hash_equal(&batch->definition_digest, &look->outcome.definition_digest);
}

/* Without a look at the world, what the newest verification saw stands in for it. */
static void recall(struct sov_case_look *look)
{
    const struct sov_evidences *evidence = &look->judged.evidence;
    struct sov_observation *seen = sov_arena_array(look->arena, evidence->count, sizeof *seen);

    for (size_t i = 0; i < evidence->count; i++)
        seen[i] = (struct sov_observation){
            .check = evidence->at[i].check,
            .kind = evidence->at[i].kind,
            .success = evidence->at[i].success,
            .code = evidence->at[i].code,
            .observed = evidence->at[i].observed,
            .digest = evidence->at[i].observation_digest,
        };
    look->seen.at = seen;
    look->seen.count = evidence->count;
}

/* The declared ids, as they stand: a check that cannot be read is declared all the same. */
static void read_checks(struct sov_case_look *look, struct sov_case *facts)
{
    struct sov_value list = sov_value(look->outcome.checks), item;
    struct sov_case_check *checks =
        sov_arena_array(look->arena, sov_value_count(list), sizeof *checks);
    size_t at = 0;

    if (!look->request->observations) recall(look);
    while (sov_value_item(list, &at, &item)) {
        struct sov_bytes id = sov_value_bytes(sov_value_get(item, "id"), look->arena);

        read_check(look, sov_arena_text(look->arena, id), &checks[facts->check_count++]);
    }
    facts->checks = checks;
}

/* Who has signed this very case. */
static bool read_signers(const struct sov_case_look *look, struct sov_case *facts,
                         struct sov_error *err)
{
    struct sov_person_facts *people =
        sov_arena_array(look->arena, look->before.count, sizeof *people);
    size_t count = 0;

    for (size_t i = 0; i < look->before.count; i++)
        if (sov_hash_equal(&look->before.at[i].case_digest, &look->digest) &&
            !sov_actor_person(look->ledger, look->before.at[i].signer, look->arena,
                              &people[count++], err))
            return false;
    facts->signers = (struct sov_people){ people, count };
    return true;
}

bool sov_case_read(struct sov_case_look *look, const char *actor, struct sov_case *facts,
                   struct sov_error *err)
{
    const struct sov_ledger *ledger = look->ledger;
    int64_t n = look->request->outcome;
    bool found;

    facts->outcome = sov_judged_name(SOV_STREAM_OUTCOME, n, look->arena);
    if (actor && !read_accepter(look, actor, facts, err)) return false;
    if (!sov_outcome_find(ledger, n, look->arena, &look->outcome, &found, err)) return false;
    if (!found) return true;
    facts->outcome_there = true;
    facts->state = look->outcome.state;
    if (!sov_reads_of(ledger, n, actor, look->arena, &look->reads, err) ||
        !sov_term_sets(ledger, n, look->outcome.term, look->arena, &facts->sets, err) ||
        !sov_acceptance_list(ledger, n, look->outcome.term, look->arena, &look->before, err) ||
        !read_sows(look, facts, err) || !read_verification(look, facts, err))
        return false;
    read_checks(look, facts);
    sov_case_bind(look, facts);
    return read_signers(look, facts, err);
}
