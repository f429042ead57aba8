#ifndef SOV_TESTS_LEDGER_WORK_H
#define SOV_TESTS_LEDGER_WORK_H
/*
 * An outcome brought to where a test needs it, on top of ledger_fixture.h. What other entities
 * would say behind a run or a verification is said here by a forged lead, so that each test stands
 * alone with the entities of this folder.
 */
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/log.h"
#include "ledger/receipt.h"
#include "ledger/run.h"
#include "tests/ledger_fixture.h"

#define WORK_CHECKS                                                                                \
    "[{\"id\":\"there\",\"kind\":\"file-exists\",\"params\":{\"path\":\"report.json\"}}]"

static inline int64_t work_n(const struct sov_done *done)
{
    return strtoll(strrchr(done->id, '-') + 1, NULL, 10);
}

static inline int work_setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    fixture_open(f);
    *state = f;
    return 0;
}

static inline int work_teardown(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

static inline struct sov_outcome_request work_definition(const char *subject)
{
    return (struct sov_outcome_request){ .title = "Tea is in stock",
                                         .desired_state = "never below the reorder point",
                                         .subject = subject,
                                         .checks = sov_bytes_text(WORK_CHECKS) };
}

static inline struct sov_sow_request work_scope(int64_t outcome)
{
    static const char *const deliverables[] = { "report.json" };

    return (struct sov_sow_request){ .outcome = outcome,
                                     .title = "Restock",
                                     .scope = "Order tea",
                                     .role = "operator",
                                     .done_when = "the report is there",
                                     .deliverables = deliverables,
                                     .deliverable_count = 1 };
}

static inline struct sov_who work_who(void)
{
    return (struct sov_who){ .machine = "0123456789abcdef0123456789abcdef",
                             .boot = "00000000-0000-4000-8000-000000000001",
                             .boot_ms = 1000000,
                             .pid = 7,
                             .start = 70 };
}

static inline int64_t work_define(struct fixture *f, const char *subject)
{
    struct sov_outcome_request request = work_definition(subject);
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done, sov_outcome_define(&commit, &request, &done, &err));
    return work_n(&done);
}

static inline int64_t work_outcome(struct fixture *f)
{
    int64_t n = work_define(f, NULL);
    struct sov_done done;

    FIXTURE_DO(f, "master", &done, sov_outcome_activate(&commit, n, &done, &err));
    return n;
}

static inline int64_t work_draft(struct fixture *f, int64_t outcome)
{
    struct sov_sow_request request = work_scope(outcome);
    struct sov_done done;

    FIXTURE_DO(f, "master", &done, sov_sow_create(&commit, &request, &done, &err));
    return work_n(&done);
}

static inline int64_t work_sow(struct fixture *f, int64_t outcome)
{
    int64_t n = work_draft(f, outcome);
    struct sov_done done;

    FIXTURE_DO(f, "master", &done, sov_sow_ready(&commit, n, &done, &err));
    return n;
}

static inline int64_t work_assign(struct fixture *f, int64_t sow, const char *actor)
{
    struct sov_assignment_request request = { sow, actor, NULL };
    struct sov_done done;

    FIXTURE_DO(f, "master", &done, sov_assignment_create(&commit, &request, &done, &err));
    return work_n(&done);
}

static inline int64_t work_claim(struct fixture *f, int64_t assignment, const char *actor)
{
    struct sov_who who = work_who();
    struct sov_done done;
    int64_t fence = 0;

    FIXTURE_DO(f, actor, &done,
               sov_claim_acquire(&commit, assignment, 0, &who, &fence, &done, &err));
    return fence;
}

static inline struct sov_run_start work_started(int64_t assignment, int64_t fence)
{
    return (struct sov_run_start){ .assignment = assignment,
                                   .fence = fence,
                                   .provider = "scripted",
                                   .adapter = "scripted",
                                   .adapter_version = 1,
                                   .egress = "public",
                                   .local = true,
                                   .sandbox = "none" };
}

static inline void work_start(struct fixture *f, int64_t assignment, int64_t fence,
                              const char *actor)
{
    struct sov_run_start start = work_started(assignment, fence);
    struct sov_done done;

    FIXTURE_DO(f, actor, &done, sov_run_start(&commit, &start, &done, &err));
}

/* run.finished as a forged lead, then what the ledger says behind it. */
static inline bool work_end(struct sov_commit *commit, int64_t sow, int64_t assignment,
                            int64_t fence, enum sov_assignment_state to, struct sov_error *err)
{
    static const char finished[] = "{\"also\":[],\"counts\":{},\"credential_seen\":[],"
                                   "\"ended_by\":\"self\",\"message\":\"\",\"proposals\":[]}";
    struct sov_addition lead = { .type = SOV_EVENT_RUN_FINISHED,
                                 .fence = fence,
                                 .stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, assignment),
                                 .data = sov_bytes_text(finished) };
    struct sov_receipt draft = { .assignment = assignment,
                                 .attempt = 1,
                                 .fence = fence,
                                 .message = "",
                                 .usage = sov_bytes_text("{}"),
                                 .status = to == SOV_ASSIGNMENT_COMPLETED ? SOV_RECEIPT_COMPLETED
                                           : to == SOV_ASSIGNMENT_BLOCKED ? SOV_RECEIPT_BLOCKED
                                                                          : SOV_RECEIPT_FAILED,
                                 .category = to == SOV_ASSIGNMENT_FAILED ? "provider_failed" : NULL,
                                 .effects_unknown = to == SOV_ASSIGNMENT_FAILED };
    int64_t receipt, seq;
    struct sov_done done;

    if (!sov_commit_lead(commit, &lead, &done, err) ||
        !sov_receipt_follow(commit, &draft, true, &receipt, &seq, err))
        return false;
    if (to == SOV_ASSIGNMENT_COMPLETED) {
        if (!sov_sow_follow_submitted(commit, sow, assignment, receipt, fence, seq, err))
            return false;
    } else if (to == SOV_ASSIGNMENT_BLOCKED) {
        if (!sov_sow_follow_blocked(commit, sow, assignment, receipt, fence, seq, err))
            return false;
    } else {
        struct sov_sow_failure failure = { assignment, receipt, 0, fence, seq, "provider_failed" };

        if (!sov_sow_follow_failed(commit, sow, &failure, err)) return false;
    }
    return sov_assignment_follow_ended(commit, assignment, to, receipt, fence, seq, err);
}

/* One whole round of a SOW that is READY, ending like this. */
static inline int64_t work_round(struct fixture *f, int64_t sow, enum sov_assignment_state to)
{
    int64_t assignment = work_assign(f, sow, "operator");
    int64_t fence = work_claim(f, assignment, "operator");
    int done = 0;

    work_start(f, assignment, fence, "operator");
    FIXTURE_DO(f, "operator", done, work_end(&commit, sow, assignment, fence, to, &err));
    return assignment;
}

/* A lead that says nothing of the entities under test and passes for one of type `as`. */
static inline bool work_lead(struct sov_commit *commit, enum sov_event_type as,
                             struct sov_error *err)
{
    char kind[32];
    struct sov_done done;

    snprintf(kind, sizeof kind, "fs%lld", (long long)commit->seq);
    if (!sov_filesystem_allow(commit, kind, "a lead for what is to follow", &done, err))
        return false;
    commit->lead_type = as;
    return true;
}

/* From ACTIVE to VERIFYING, ACCEPTED, VIOLATED, by what host says behind other leads. */
static inline void work_force(struct fixture *f, int64_t outcome, enum sov_outcome_state to)
{
    static const char *const failing[] = { "there" };
    struct sov_hash digest = { { 1 } };
    int done = 0;

    FIXTURE_DO(f, "principal", done,
               work_lead(&commit, SOV_EVENT_VERIFICATION_RECORDED, &err) &&
                   sov_outcome_follow_verifying(&commit, outcome, 1, &err));
    if (to == SOV_OUTCOME_VERIFYING) return;
    FIXTURE_DO(f, "principal", done,
               work_lead(&commit, SOV_EVENT_ACCEPTANCE_SIGNED, &err) &&
                   sov_outcome_follow_accepted(&commit, outcome, 1, &digest, &err));
    if (to == SOV_OUTCOME_ACCEPTED) return;
    assert_int_equal(to, SOV_OUTCOME_VIOLATED);
    FIXTURE_DO(f, "principal", done,
               work_lead(&commit, SOV_EVENT_VERIFICATION_RECORDED, &err) &&
                   sov_outcome_follow_violated(&commit, outcome, 2, failing, 1, &err));
}

/* The policy in force with one text of it replaced, adopted by the principal. */
static inline void work_policy(struct fixture *f, const char *from, const char *to)
{
    struct sov_error outer = { 0 };
    struct sov_adoption adoption;
    struct sov_buf document, statement;
    struct sov_signed_by by;
    struct sov_hash digest;
    struct sov_done done;
    const char *text, *at;

    assert_true(sov_policy_adoption(f->ledger, 0, &f->arena, &adoption, &outer));
    text = sov_arena_text(&f->arena, adoption.document);
    at = strstr(text, from);
    assert_non_null(at);
    sov_buf_init(&document, 1 << 16);
    sov_buf_add(&document, sov_bytes(text, (size_t)(at - text)));
    sov_buf_add_text(&document, to);
    sov_buf_add_text(&document, at + strlen(from));
    digest = sov_sha256(sov_buf_bytes(&document));
    sov_buf_init(&statement, 1 << 16);
    sov_policy_statement(f->ledger, &digest, &statement);
    assert_true(sov_statement_sign(f->ledger, "principal", NULL, "sov.adopt.v1",
                                   sov_buf_bytes(&statement), &by, &outer));
    FIXTURE_DO(
        f, "principal", &done,
        sov_policy_adopt(&commit, sov_buf_bytes(&document), "for this test", &by, &done, &err));
    sov_buf_release(&document);
    sov_buf_release(&statement);
}

static inline void work_actor(struct fixture *f, const char *id, const char *kind, const char *role,
                              const char *represents)
{
    struct sov_actor_request request = { id, kind, role, "scripted", represents, NULL };
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done, sov_actor_register(&commit, &request, &done, &err));
}

static inline struct sov_outcome work_see_outcome(struct fixture *f, int64_t n)
{
    struct sov_error outer = { 0 };
    struct sov_outcome outcome;

    if (!sov_outcome_get(f->ledger, n, &f->arena, &outcome, &outer)) fail_msg("%s", outer.what);
    return outcome;
}

static inline struct sov_sow work_see_sow(struct fixture *f, int64_t n)
{
    struct sov_error outer = { 0 };
    struct sov_sow sow;

    if (!sov_sow_get(f->ledger, n, &f->arena, &sow, &outer)) fail_msg("%s", outer.what);
    return sow;
}

static inline struct sov_assignment work_see_assignment(struct fixture *f, int64_t n)
{
    struct sov_error outer = { 0 };
    struct sov_assignment assignment;

    if (!sov_assignment_get(f->ledger, n, &f->arena, &assignment, &outer))
        fail_msg("%s", outer.what);
    return assignment;
}

/* Rows of other entities, as their folds leave them. */
static inline void work_said(struct fixture *f, const char *text)
{
    struct sov_error outer = { 0 };
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };

    assert_true(sov_txn_begin(&txn, f->ledger->db, &outer));
    if (!sov_db_exec(f->ledger->db, text, &outer)) fail_msg("%s", outer.what);
    assert_true(sov_txn_commit(&txn, &outer));
}

/* The types from `first` to the head, space between; each consequence cites the lead. */
static inline void work_assert_events(struct fixture *f, int64_t first, const char *types)
{
    int64_t head = fixture_head(f);
    struct sov_error outer = { 0 };
    char seen[1024] = "";

    for (int64_t seq = first; seq <= head; seq++) {
        struct sov_event event;
        size_t size = strlen(seen);

        assert_true(sov_log_event(f->ledger, seq, &f->arena, &event, &outer));
        snprintf(seen + size, sizeof seen - size, "%s%s", size ? " " : "",
                 sov_event_row(event.type)->type);
    }
    assert_string_equal(seen, types);
}
#endif
