#include "tests/judgement_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "ledger/log.h"
#include "tests/policy_unit.h"

#define FIRST "{\"id\":\"first\",\"kind\":\"file-exists\",\"params\":{\"path\":\"first\"}},"
#define CHECKS "[" FIRST "{\"id\":\"second\",\"kind\":\"file-exists\",\"params\":{\"path\":\"2\"}}]"
/* About a subject: the second names an account and a fact. */
#define CHECKS_OF_SUBJECT                                                                          \
    "[" FIRST "{\"id\":\"second\",\"kind\":\"balance-at-least\",\"params\":"                       \
    "{\"min\":\"reorder_point\",\"terms\":[[\"inventory/{subject}\",1]]}}]"

static void must(bool ok, const struct sov_error *err)
{
    if (!ok) fail_msg("%s: %s %s", err->code, err->what, err->why);
}

/* ---- the store ---- */

static struct sov_bytes canonical(struct judging *j, const char *text)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_error err = { 0 };

    sov_buf_init(&out, 1 << 20);
    must(sov_json_canonical(sov_bytes_text(text), &sov_scan_report, &out, &err), &err);
    return sov_arena_bytes(&j->f.arena, sov_buf_bytes(&out));
}

void judging_policy(struct judging *j, const char *from, const char *to)
{
    static const char document[] = STORE;
    SOV_CLEANUP(sov_buf_release) struct sov_buf statement = { 0 };
    const char *at = from ? strstr(document, from) : document;
    struct sov_bytes octets;
    struct sov_signed_by by;
    struct sov_hash digest;
    struct sov_error why = { 0 };

    assert_non_null(at);
    octets = canonical(j, from ? sov_arena_printf(&j->f.arena, "%.*s%s%s", (int)(at - document),
                                                  document, to, at + strlen(from))
                               : document);
    digest = sov_sha256(octets);
    sov_buf_init(&statement, 4096);
    sov_policy_statement(j->f.ledger, &digest, &statement);
    must(sov_statement_sign(j->f.ledger, "principal", NULL, "sov.adopt.v1",
                            sov_buf_bytes(&statement), &by, &why),
         &why);
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_policy_adopt(&commit, octets, "for the test", &by, &j->done, &err));
}

void judging_open(struct judging *j)
{
    static const struct sov_fact facts[] = { { "price", 400 },
                                             { "reorder_point", 3 },
                                             { "unit_cost", 120 } };

    memset(j, 0, sizeof *j);
    fixture_open(&j->f);
    judging_policy(j, NULL, NULL);
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_subject_declare(&commit, "SKU-TEA", facts, 3, &j->done, &err));
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_account_open(&commit, "cash", "cent", 10000, &j->done, &err));
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_account_open(&commit, "inventory/SKU-TEA", "unit", 4, &j->done, &err));
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_account_open(&commit, "reserved/SKU-TEA", "unit", 0, &j->done, &err));
}

void judging_close(struct judging *j)
{
    fixture_assert_refold_equal(&j->f);
    fixture_close(&j->f);
}

void judging_actor(struct judging *j, const char *id, const char *kind, const char *role,
                   const char *represents)
{
    struct sov_actor_request request = {
        .id = id, .kind = kind, .role = role, .provider = "human", .represents = represents
    };

    FIXTURE_DO(&j->f, "principal", j->done, sov_actor_register(&commit, &request, &j->done, &err));
    FIXTURE_DO(&j->f, "principal", j->done, sov_key_new(&commit, id, NULL, &j->done, &err));
}

/* ---- work ---- */

int64_t judging_outcome(struct judging *j, const char *subject)
{
    struct sov_outcome_request request = {
        .title = "Tea is there",
        .desired_state = "Enough tea is on the shelf",
        .subject = subject,
        .checks = canonical(j, subject ? CHECKS_OF_SUBJECT : CHECKS),
    };
    int64_t n;

    FIXTURE_DO(&j->f, "principal", j->done, sov_outcome_define(&commit, &request, &j->done, &err));
    n = sov_id_number(sov_bytes_text(j->done.id), SOV_STREAM_OUTCOME);
    FIXTURE_DO(&j->f, "master", j->done, sov_outcome_activate(&commit, n, &j->done, &err));
    return n;
}

int64_t judging_sow(struct judging *j, int64_t outcome, const char *effect, const char *deliverable)
{
    struct sov_sow_request request = { .outcome = outcome,
                                       .title = "Restock",
                                       .scope = "Order what is missing",
                                       .role = "operator",
                                       .done_when = "it is there",
                                       .effect = effect,
                                       .effect_required = effect != NULL,
                                       .deliverables = &deliverable,
                                       .deliverable_count = deliverable ? 1 : 0 };
    int64_t n;

    FIXTURE_DO(&j->f, "master", j->done, sov_sow_create(&commit, &request, &j->done, &err));
    n = sov_id_number(sov_bytes_text(j->done.id), SOV_STREAM_SOW);
    FIXTURE_DO(&j->f, "master", j->done, sov_sow_ready(&commit, n, &j->done, &err));
    return n;
}

int64_t judging_assign(struct judging *j, int64_t sow, const char *worker)
{
    struct sov_assignment_request request = { .sow = sow, .actor = worker };

    FIXTURE_DO(&j->f, "master", j->done, sov_assignment_create(&commit, &request, &j->done, &err));
    return sov_id_number(sov_bytes_text(j->done.id), SOV_STREAM_ASSIGNMENT);
}

static bool claim(struct judging *j, struct sov_commit *commit, int64_t assignment,
                  int64_t *fence_out, struct sov_error *err)
{
    struct sov_who who = sov_who_now(commit, 100, 200);

    return sov_claim_acquire(commit, assignment, 0, &who, fence_out, &j->done, err);
}

int64_t judging_run(struct judging *j, int64_t assignment, const char *worker,
                    const struct judging_run *run)
{
    struct sov_proposal proposal = { "replenishment", "SKU-TEA", NULL, true, run->quantity };
    struct sov_run_file file = { run->path, sov_bytes_text(run->content ? run->content : "") };
    struct sov_run_finish finish = { .assignment = assignment,
                                     .message = "",
                                     .ended_by = "self",
                                     .proposals = { &proposal, run->quantity ? 1 : 0 },
                                     .files = &file,
                                     .file_count = run->path ? 1 : 0,
                                     .has_report = true,
                                     .report = sov_bytes_text("{}"),
                                     .boundary_scoped = true,
                                     .boundary_computed = true,
                                     .boundary_violated = run->violated };
    struct sov_run_start start = { .assignment = assignment,
                                   .provider = "scripted",
                                   .adapter = "scripted",
                                   .adapter_version = 1,
                                   .egress = "public",
                                   .sandbox = "none" };
    struct sov_run_end end = { 0 };
    int64_t fence = 0;

    FIXTURE_DO(&j->f, worker, j->done, claim(j, &commit, assignment, &fence, &err));
    start.fence = finish.fence = fence;
    FIXTURE_DO(&j->f, worker, j->done, sov_run_start(&commit, &start, &j->done, &err));
    finish.observed.report = run->failed ? SOV_REPORT_FAILED : SOV_REPORT_COMPLETED;
    FIXTURE_DO(&j->f, worker, j->done, sov_run_finish(&commit, &finish, &j->done, &end, &err));
    assert_false(end.lost);
    return end.receipt;
}

int64_t judging_work(struct judging *j, int64_t outcome)
{
    int64_t sow = judging_sow(j, outcome, NULL, NULL);

    judging_run(j, judging_assign(j, sow, "operator"), "operator", &(struct judging_run){ 0 });
    return sow;
}

/* ---- judgement ---- */

struct sov_observations judging_see(struct judging *j, int64_t outcome)
{
    struct sov_arena *arena = &j->f.arena;
    struct sov_observations seen = { .basis = fixture_head(&j->f) };
    struct sov_error err = { 0 };
    struct sov_outcome row;
    struct sov_observation *rows;
    struct sov_value spec;
    size_t at = 0;

    must(sov_outcome_get(j->f.ledger, outcome, arena, &row, &err), &err);
    rows = sov_arena_array(arena, JUDGING_CHECKS, sizeof *rows);
    while (sov_value_item(sov_value(row.checks), &at, &spec)) {
        struct sov_observation *o = &rows[seen.count];

        assert_true(seen.count < JUDGING_CHECKS);
        o->check = sov_arena_text(arena, sov_value_plain(sov_value_get(spec, "id")));
        o->kind = sov_arena_text(arena, sov_value_plain(sov_value_get(spec, "kind")));
        o->success = !j->fails[seen.count];
        o->observed = sov_bytes_text(
            sov_arena_printf(arena, "{\"fact\":%lld}", (long long)j->fact[seen.count]));
        o->digest = sov_observation_digest(spec.octets, o->observed);
        seen.count++;
    }
    seen.at = rows;
    return seen;
}

/* A refusal before the transaction changes nothing either. */
static bool refused_early(bool ok, const struct sov_error *err, const char *expected)
{
    if (ok) return false;
    if (!expected) fail_msg("%s: %s", err->code, err->what);
    assert_string_equal(err->code, expected);
    return true;
}

int64_t judging_verify(struct judging *j, const char *who, int64_t sow, int64_t outcome,
                       bool recheck, const char *expected)
{
    struct sov_verification_request request = { sow, outcome, recheck };
    struct sov_verification_prepared prepared;
    struct sov_observations seen;
    struct sov_error why = { 0 };
    int64_t about;

    if (refused_early(sov_verification_target(j->f.ledger, &request, &about, &why), &why, expected))
        return 0;
    seen = judging_see(j, about);
    if (refused_early(sov_verification_prepare(j->f.ledger, who, &request, &seen, &j->f.arena,
                                               &prepared, &why),
                      &why, expected))
        return 0;
    if (expected) {
        FIXTURE_REFUSED(&j->f, who, expected, j->done,
                        sov_verification_record(&commit, &prepared, &j->done, &err));
        return 0;
    }
    FIXTURE_DO(&j->f, who, j->done, sov_verification_record(&commit, &prepared, &j->done, &err));
    return sov_id_number(sov_bytes_text(j->done.id), SOV_STREAM_VERIFICATION);
}

static bool sign(struct judging *j, const char *who, const char *tag, struct sov_bytes statement,
                 struct sov_signed_by *by_out)
{
    struct sov_error why = { 0 };

    return statement.size &&
           sov_statement_sign(j->f.ledger, who, NULL, tag, statement, by_out, &why);
}

int64_t judging_review(struct judging *j, const char *who, int64_t sow, enum sov_decision decision,
                       const char *expected)
{
    struct sov_review_request request = { sow, 0, decision, "it was looked at" };
    struct sov_review_prepared prepared;
    struct sov_signed_by by;
    struct sov_error why = { 0 };
    bool is_signed;

    if (refused_early(sov_review_prepare(j->f.ledger, who, &request, &j->f.arena, &prepared, &why),
                      &why, expected))
        return 0;
    is_signed = sign(j, who, SOV_REVIEW_TAG, prepared.statement, &by);
    if (expected) {
        FIXTURE_REFUSED(
            &j->f, who, expected, j->done,
            sov_review_decide(&commit, &prepared, is_signed ? &by : NULL, &j->done, &err));
        return 0;
    }
    FIXTURE_DO(&j->f, who, j->done,
               sov_review_decide(&commit, &prepared, is_signed ? &by : NULL, &j->done, &err));
    return sov_id_number(sov_bytes_text(j->done.id), SOV_STREAM_REVIEW);
}

void judging_sign(struct judging *j, const char *who, int64_t outcome, struct judging_signing *out)
{
    struct sov_acceptance_request request = { .outcome = outcome };
    struct sov_error why = { 0 };
    struct sov_outcome row;
    bool there;

    *out = (struct judging_signing){ 0 };
    must(sov_outcome_find(j->f.ledger, outcome, &j->f.arena, &row, &there, &why), &why);
    if (there) out->seen = judging_see(j, outcome);
    request.observations = &out->seen;
    must(sov_acceptance_prepare(j->f.ledger, who, &request, &j->f.arena, &out->prepared, &why),
         &why);
    out->is_signed = sign(j, who, SOV_ACCEPT_TAG, out->prepared.statement, &out->by);
}

int64_t judging_append(struct judging *j, const char *who, const struct judging_signing *signing,
                       bool *accepted_out, const char *expected)
{
    const struct sov_signed_by *by = signing->is_signed ? &signing->by : NULL;
    bool accepted = false;

    if (expected) {
        FIXTURE_REFUSED(
            &j->f, who, expected, j->done,
            sov_acceptance_sign(&commit, &signing->prepared, by, &j->done, &accepted, &err));
        return 0;
    }
    FIXTURE_DO(&j->f, who, j->done,
               sov_acceptance_sign(&commit, &signing->prepared, by, &j->done, &accepted, &err));
    if (accepted_out) *accepted_out = accepted;
    return sov_id_number(sov_bytes_text(j->done.id), SOV_STREAM_ACCEPTANCE);
}

int64_t judging_accept(struct judging *j, const char *who, int64_t outcome, bool *accepted_out,
                       const char *expected)
{
    struct judging_signing signing;

    judging_sign(j, who, outcome, &signing);
    /* The preview says the same, unless only the signature or a move is at fault. */
    if (expected && strcmp(expected, "moved") != 0 && strcmp(expected, "bad_signature") != 0) {
        assert_true(signing.prepared.verdict.count > 0);
        assert_string_equal(signing.prepared.verdict.shut[0].code, expected);
    }
    return judging_append(j, who, &signing, accepted_out, expected);
}

int64_t judging_rule(struct judging *j, const char *who, const char *effect, const char *applies_to,
                     int64_t receipt, const char *expected)
{
    struct sov_ruling_request request = { "May it?",  "So be it", "the reason why",
                                          applies_to, effect,     receipt };
    struct sov_bytes statement;
    struct sov_signed_by by;
    struct sov_error why = { 0 };

    if (refused_early(sov_ruling_statement(j->f.ledger, &request, &j->f.arena, &statement, &why),
                      &why, expected))
        return 0;
    assert_true(sign(j, who, SOV_RULING_TAG, statement, &by));
    if (expected) {
        FIXTURE_REFUSED(&j->f, who, expected, j->done,
                        sov_ruling_decide(&commit, &request, &by, &j->done, &err));
        return 0;
    }
    FIXTURE_DO(&j->f, who, j->done, sov_ruling_decide(&commit, &request, &by, &j->done, &err));
    return sov_id_number(sov_bytes_text(j->done.id), SOV_STREAM_RULING);
}

void judging_revoke(struct judging *j, const char *who, int64_t ruling, const char *expected)
{
    struct sov_bytes statement;
    struct sov_signed_by by;
    struct sov_error why = { 0 };

    if (refused_early(sov_ruling_revocation_statement(j->f.ledger, ruling, "no more", &j->f.arena,
                                                      &statement, &why),
                      &why, expected))
        return;
    assert_true(sign(j, who, SOV_RULING_TAG, statement, &by));
    if (expected)
        FIXTURE_REFUSED(&j->f, who, expected, j->done,
                        sov_ruling_revoke(&commit, ruling, "no more", &by, &j->done, &err));
    else
        FIXTURE_DO(&j->f, who, j->done,
                   sov_ruling_revoke(&commit, ruling, "no more", &by, &j->done, &err));
}

int64_t judging_ask(struct judging *j, const char *who, int64_t assignment, int64_t quantity)
{
    struct sov_approval_request request = {
        .action = SOV_APPROVAL_EFFECT,
        .resource = sov_arena_printf(&j->f.arena, "ASG-%lld", (long long)assignment),
    };
    struct sov_error why = { 0 };

    must(sov_approval_effect_args(assignment, "replenishment", quantity, "SKU-TEA", &j->f.arena,
                                  &request.args, &why),
         &why);
    FIXTURE_DO(&j->f, who, j->done, sov_approval_ask(&commit, &request, &j->done, &err));
    return sov_id_number(sov_bytes_text(j->done.id), SOV_STREAM_APPROVAL);
}

enum sov_approval_state judging_vote(struct judging *j, const char *who, int64_t approval,
                                     bool grants, const char *expected)
{
    enum sov_approval_state state = SOV_APPROVAL_NONE;
    struct sov_signed_by by = { .key = "none" };
    struct sov_bytes statement;
    struct sov_error why = { 0 };

    must(sov_approval_statement(j->f.ledger, approval, grants, "because", &j->f.arena, &statement,
                                &why),
         &why);
    /* Who has no key is refused for another reason first. */
    if (!sign(j, who, SOV_APPROVAL_TAG, statement, &by)) assert_non_null(expected);
    if (expected)
        FIXTURE_REFUSED(
            &j->f, who, expected, j->done,
            sov_approval_decide(&commit, approval, grants, "because", &by, &state, &j->done, &err));
    else
        FIXTURE_DO(
            &j->f, who, j->done,
            sov_approval_decide(&commit, approval, grants, "because", &by, &state, &j->done, &err));
    return state;
}

int64_t judging_ready(struct judging *j, int64_t outcome)
{
    int64_t sow = judging_work(j, outcome);

    judging_verify(j, "verifier", sow, 0, false, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    return sow;
}

/* ---- what is there ---- */

enum sov_outcome_state judging_outcome_state(struct judging *j, int64_t outcome)
{
    struct sov_error err = { 0 };
    struct sov_outcome row;

    must(sov_outcome_get(j->f.ledger, outcome, &j->f.arena, &row, &err), &err);
    return row.state;
}

enum sov_sow_state judging_sow_state(struct judging *j, int64_t sow)
{
    struct sov_error err = { 0 };
    struct sov_sow row;

    must(sov_sow_get(j->f.ledger, sow, &j->f.arena, &row, &err), &err);
    return row.state;
}

const char *judging_events(struct judging *j, int64_t after)
{
    struct sov_error err = { 0 };
    const char *text = "";

    for (int64_t seq = after + 1; seq <= fixture_head(&j->f); seq++) {
        struct sov_event event;

        must(sov_log_event(j->f.ledger, seq, &j->f.arena, &event, &err), &err);
        text = sov_arena_printf(&j->f.arena, "%s%s%s", text, *text ? " " : "",
                                sov_event_row(event.type)->type);
    }
    return text;
}

/* ---- past the operations ---- */

/* One event as a lead, whoever may lead with it. */
void judging_forge(struct judging *j, const char *who, enum sov_event_type type,
                   enum sov_stream_kind kind, int64_t n, int64_t fence, const char *data)
{
    struct sov_addition event = {
        .type = type,
        .stream = sov_stream_numbered(kind, n),
        .data = sov_bytes_text(data),
        .fence = fence,
    };

    FIXTURE_DO(&j->f, who, j->done, sov_commit_lead(&commit, &event, &j->done, &err));
}

const char *judging_text(struct judging *j, const char *fmt, ...)
{
    char room[4096];
    va_list args;

    va_start(args, fmt);
    assert_true(vsnprintf(room, sizeof room, fmt, args) < (int)sizeof room);
    va_end(args);
    return sov_arena_text(&j->f.arena, sov_bytes_text(room));
}

const char *judging_hex(struct judging *j, const struct sov_hash *hash)
{
    char *out = sov_arena_take(&j->f.arena, SOV_HEX_HASH + 1);

    sov_hex(sov_hash_bytes(hash), out);
    return out;
}

void judging_sow_accepted(struct judging *j, int64_t sow)
{
    judging_forge(j, "sparring", SOV_EVENT_SOW_ACCEPTED, SOV_STREAM_SOW, sow, 0,
                  "{\"reviews\":[]}");
    assert_int_equal(judging_sow_state(j, sow), SOV_SOW_ACCEPTED);
}
