/*
 * One row for each thing that verify can find wrong with what an event says: a good log with that
 * one thing forged, signed anew by the ledger's own key. It must be named by code, event and words:
 * that something else is wrong, too, at the same event does not do.
 */
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/chain_fixture.h"
#include "verify/verify.h"

enum { EDITS = 4 };
struct row {
    const char *good;
    struct {
        int64_t seq, from;     /* from: first the good line of that seq is put there */
        const char *old, *new; /* old NULL: `new` is the whole line */
    } edit[EDITS];
    int64_t cut; /* the last event; 0: all */
    const char *kind;
    int64_t seq;
    const char *says;
};

static struct sov_bytes replaced(struct chain *c, struct sov_bytes line, const char *old,
                                 const char *new)
{
    const char *text = sov_arena_text(&c->f.arena, line), *at = strstr(text, old);

    if (!at) fail_msg("%s is not in %s", old, text);
    return sov_bytes_text(sov_arena_printf(&c->f.arena, "%.*s%s%s", (int)(at - text), text, new,
                                           at + strlen(old)));
}

static void forge(struct chain *c, const struct row *row)
{
    struct sov_bytes good[LINES];

    memcpy(good, c->lines, sizeof good);
    for (size_t i = 0; i < EDITS && row->edit[i].seq; i++) {
        int64_t seq = row->edit[i].seq, from = row->edit[i].from;
        struct sov_bytes *line = &c->lines[seq - 1];

        if (from)
            *line = replaced(c, good[from - 1],
                             sov_arena_printf(&c->f.arena, "\"seq\":%lld,", (long long)from),
                             sov_arena_printf(&c->f.arena, "\"seq\":%lld,", (long long)seq));
        if (row->edit[i].old)
            *line = replaced(c, *line, row->edit[i].old, row->edit[i].new);
        else if (row->edit[i].new)
            *line = sov_bytes_text(row->edit[i].new);
    }
    if (row->cut) c->count = row->cut;
}

static struct sov_report judged(struct chain *c)
{
    struct sov_verify_options options = { .places = &c->f.places,
                                          .seams = &c->f.seams,
                                          .wait_ms = 1000,
                                          .no_anchor = true,
                                          .all_signatures = true };
    struct sov_report report;
    struct sov_error err = { 0 };

    sov_ledger_close(c->f.ledger);
    c->f.ledger = NULL;
    if (!sov_verify(&options, &c->f.arena, &report, &err)) fail_msg("%s", err.what);
    return report;
}

static bool is_said(const struct sov_report *report, const struct row *row)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct sov_finding *found = &report->findings[i];

        if (found->class == SOV_CLASS_TAMPER && found->seq == row->seq &&
            strcmp(found->kind, row->kind) == 0 && strstr(found->message, row->says))
            return true;
    }
    return false;
}

/* `sql`, or NULL, is done to the file past every trigger. */
static bool holds(const struct row *row, const char *sql)
{
    struct sov_error err = { 0 };
    struct sov_report report;
    struct chain c;
    bool ok;

    chain_open(&c, row->good, row->good);
    forge(&c, row);
    chain_write(&c, c.count);
    (void)chain_rebuilt(&c, &err); /* what cannot be folded leaves the tables of the founding */
    if (sql) {
        sqlite3 *db = chain_raw(&c);

        chain_sql(db, sql);
        sqlite3_close(db);
    }
    report = judged(&c);
    ok = report.exit == SOV_INTEGRITY && is_said(&report, row);
    if (!ok || getenv("SHOW")) {
        print_message("# exit %d, not said: %s %lld %s\n", (int)report.exit, row->kind,
                      (long long)row->seq, row->says);
        for (size_t i = 0; i < report.count; i++)
            print_message("#   %s %s %lld %s\n", sov_class_word(report.findings[i].class),
                          report.findings[i].kind, (long long)report.findings[i].seq,
                          report.findings[i].message);
        for (size_t i = 0; i < report.note_count; i++)
            print_message("#   note %s\n", report.notes[i]);
    }
    fixture_close(&c.f);
    return ok;
}

static void each_is_said(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!holds(&rows[i], NULL)) fail_msg("row %zu", i);
}

#define EACH_IS_SAID(rows) each_is_said(rows, sizeof(rows) / sizeof *(rows))

#define A "good-approval"
#define S "good-store"
#define M "good-mail"
#define W "good-wire"
#define L "good-law"
#define AT "{\"actor\":\"host\",\"at\":\"2026-01-01T00:00:00.000Z\","

/* clang-format off */
static void what_an_approval_allows_is_decided_again(void **state)
{
    static const struct row rows[] = {
        { A, { { 43, 0, "\"policy\":\"3", "\"policy\":\"4" } }, 0,
          "decision", 43, "another policy was in force" },
        { A, { { 43, 0, "\"quorum\":2", "\"quorum\":1" } }, 0,
          "decision", 43, "the policy asks for another quorum" },
        { A, { { 43, 0, "\"persons\":1", "\"persons\":2" } }, 0,
          "decision", 43, "the policy asks for another quorum" },
        { A, { { 45, 0, "\"vote\":\"grant\"", "\"vote\":\"deny\"" } }, 0,
          "decision", 45, "decides APR-1, and no approval.denied is behind it" },
        { A, { { 0 } }, 45,
          "decision", 45, "decides APR-1, and no approval.granted is behind it" },
        { A, { { 45, 0, NULL, AT "\"cause\":[44],\"data\":{\"voters\":[\"principal\"]},\"seq\":45,"
                 "\"stream\":\"approval/APR-1\",\"sv\":3,"
                  "\"type\":\"approval.granted\",\"v\":1}" } }, 45,
          "decision", 45, "the votes do not reach the quorum" },
        { A, { { 63, 0, "\"actor\":\"operator\"", "\"actor\":\"sparring\"" } }, 0,
          "decision", 63, "neither the requester nor one who may approve" },
        { A, { { 71, 0, "\"approval\":\"APR-4\",", "" } }, 0,
          "decision", 71, "an approval was asked for" },
        { S, { { 33, 0, "\"data\":{", "\"data\":{\"approval\":\"APR-1\"," } }, 0,
          "decision", 33, "no approval was asked for" },
        { A, { { 71, 0, "\"kind\":\"replenishment\"", "\"kind\":\"gift\"" } }, 0,
          "decision", 71, "no approval was asked for" },
        { A, { { 71, 0, "\"approval\":\"APR-4\"", "\"approval\":\"APR-1\"" } }, 0,
          "decision", 71, "the approval is for something else" },
        { A, { { 60, 0, "effect.commit", "effect.refuse" } }, 0,
          "decision", 71, "the approval is for something else" },
        { A, { { 60, 0, "assignment/ASG-3", "nothing" } }, 0,
          "decision", 71, "the approval is for something else" },
        { A, { { 60, 0, "assignment/ASG-3", "sow/SOW-3" } }, 0,
          "decision", 71, "the approval is for something else" },
        { A, { { 71, 0, "\"quantity\":6", "\"quantity\":7" } }, 0,
          "decision", 71, "other arguments" },
        { A, { { 75, 0, "effect/EFF-1", "receipt/RCP-3" } }, 0,
          "decision", 75, "used by nothing that an approval allows" },
        { A, { { 75, 0, "effect/EFF-1", "nothing" } }, 0,
          "decision", 75, "used by nothing that an approval allows" },
        { A, { { 75, 0, "approval/APR-4", "approval/APR-1" } }, 0,
          "decision", 75, "the effect names another approval" },
        { A, { { 76, 0, "[\"EFF-1\"]", "[\"APR-1\"]" } }, 0,
          "decision", 76, "an effect is no effect's id" },
        { A, { { 75, 76, NULL, NULL } }, 75,
          "decision", 75, "an approval that allowed an effect is not used up" },
        { A, { { 75, 0, "effect/EFF-1", "effect/EFF-2" } }, 0,
          "decision", 76, "an approval that allowed an effect is not used up" },
    };

    (void)state;
    EACH_IS_SAID(rows);
}

static void what_judges_brought_about_is_decided_again(void **state)
{
    static const struct row rows[] = {
        { S, { { 49, 0, "\"decision\":\"accepted\"", "\"decision\":\"lost\"" } }, 0,
          "octets", 49, "decision" },
        { S, { { 49, 0, "\"actor\":\"sparring\"", "\"actor\":\"operator\"" } }, 0,
          "decision", 49, "a gate is shut" },
        { S, { { 49, 0, "\"receipt\":\"RCP-1\"", "\"receipt\":\"RCP-2\"" } }, 0,
          "decision", 49, "not of the current verification" },
        { S, { { 49, 0, "\"receipt\":\"RCP-1\"", "\"receipt\":\"RCP-2\"" } }, 0,
          "statement", 49, "the statement of event 49 cannot be made again" },
        { S, { { 49, 0, "\"reads_digest\":\"50", "\"reads_digest\":\"51" } }, 0,
          "reads", 49, "other streams or versions were read" },
        { S, { { 50, 0, "[\"REV-1\"]", "[\"REV-2\"]" } }, 0,
          "reviews", 50, "it names other reviews than there are" },
        { S, { { 50, 0, "[\"REV-1\"]", "[\"REV-1\",\"REV-2\"]" } }, 0,
          "reviews", 50, "the reviews do not suffice" },
        { S, { { 52, 0, "outcome/OUT-1", "outcome/OUT-2" } }, 0,
          "acceptance", 52, "there is no such outcome" },
        { S, { { 52, 0, "\"ACC-1\"", "\"ACC-2\"" } }, 0,
          "acceptance", 52, "nobody signed this case" },
        { S, { { 52, 0, "\"case_digest\":\"92", "\"case_digest\":\"93" } }, 0,
          "acceptance", 52, "nobody signed this case" },
        { S, { { 51, 0, "\"actor\":\"principal\"", "\"actor\":\"operator\"" } }, 0,
          "acceptance", 52, "the signatures do not suffice" },
        { S, { { 53, 0, "\"policy\":\"7", "\"policy\":\"8" } }, 0,
          "postings", 53, "was not decided by the policy that was in force" },
        { S, { { 53, 0, "\"quantity\":6", "\"quantity\":7" } }, 0,
          "postings", 53, "does not say what its quantity and facts come to" },
        { S, { { 53, 0, "\"price\":400", "\"price\":500" } }, 0,
          "facts", 53, "uses facts that its subject did not have" },
        { S, { { 34, 0, "\"delta\":6", "\"delta\":7" } }, 0,
          "posting", 34, "is not the posting that is due at its place" },
        { S, { { 0 } }, 54, "posting", 53, "has postings that are not in the log" },
        { S, { { 34, 0, "\"delta\":6", "\"delta\":7" } }, 0,
          "effect", 37, "its postings are not what its policy gives" },
    };

    (void)state;
    EACH_IS_SAID(rows);
}

static void what_people_signed_and_the_pulse_said_is_decided_again(void **state)
{
    static const struct row rows[] = {
        { S, { { 51, 0, "\"outcome\":\"OUT-1\"", "\"outcome\":\"OUT-2\"" } }, 0,
          "decision", 51, "decided again" },
        { S, { { 51, 0, "\"case_digest\":\"92", "\"case_digest\":\"93" } }, 0,
          "case", 51, "the case is another one" },
        { S, { { 51, 0, "\"reads_digest\":\"1c", "\"reads_digest\":\"1d" } }, 0,
          "reads", 51, "other streams or versions were read" },
        { S, { { 51, 0, "\"success\":true", "\"success\":false" } }, 0,
          "decision", 51, "a gate is shut, " },
        { S, { { 51, 0, "\"signature\":\"2d", "\"signature\":\"2e" } }, 0,
          "signature", 51, "the signature of event 51 does not hold" },
        { S, { { 57, 0, "signal/SIG-2", "signal/SIG-9" } }, 0,
          "decision", 57, "cannot be decided again" },
        { S, { { 57, 0, "no_rule", "no_role" } }, 0,
          "decision", 57, "otherwise than ignore no_rule" },
        { L, { { 56, 0, "outcome/OUT-1", "nowhere" } }, 0,
          "statement", 56, "cannot be made again" },
        { L, { { 56, 0, "The shelf is small.", " " } }, 0,
          "statement", 56, "cannot be made again" },
        { L, { { 57, 0, "ruling/RUL-1", "ruling/RUL-3" } }, 0,
          "statement", 57, "cannot be made again" },
        { L, { { 57, 0, "The shelf has grown.", " " } }, 0,
          "statement", 57, "cannot be made again" },
        { A, { { 44, 0, "approval/APR-1", "approval/APR-9" } }, 0,
          "statement", 44, "cannot be made again" },
        { A, { { 44, 0, "Six are few.", " " } }, 0,
          "statement", 44, "cannot be made again" },
    };

    (void)state;
    EACH_IS_SAID(rows);
}

static void who_acts_under_which_claim_is_judged_at_each_event(void **state)
{
    static const struct row rows[] = {
        { S, { { 30, 29, "\"sv\":2", "\"sv\":3" } }, 0,
          "two_claims", 30, "ASG-1 is claimed while the claim 29 is live" },
        { S, { { 34, 0, "\"cause\":[32,33]", "\"cause\":[32]" } }, 0,
          "cause", 34, "stands behind no lead that may bring it" },
        { S, { { 31, 0, "\"fence\":29", "\"fence\":28" } }, 0,
          "fence", 31, "acts under the fence 28, live on ASG-1 is 29" },
        { S, { { 49, 0, "\"actor\":\"sparring\"", "\"actor\":\"operator\"" } }, 0,
          "authority", 49, "operator had no authority for event 49" },
        { S, { { 49, 0, "\"actor\":\"sparring\"", "\"actor\":\"nobody\"" } }, 0,
          "authority", 49, "nobody had no authority for event 49" },
        { S, { { 34, 0, "\"actor\":\"host\"", "\"actor\":\"operator\"" } }, 0,
          "actor", 34, "is host's alone" },
        { S, { { 3, 0, "actor/master", "actor/principal" } }, 0,
          "fold", 3, "event 3 cannot be folded" },
        { S, { { 49, 0, "review/REV-1", "review/REV-2" } }, 0,
          "number", 49, "is the first of number 2 of its kind, behind number 0" },
        { S, { { 31, 0, "\"at\":\"2026", "\"at\":\"2025" } }, 0,
          "time", 31, "is dated before the one before it" },
        { S, { { 31, 0, "\"seq\":31", "\"seq\":32" } }, 0,
          "seq", 31, "the octets at 31 say seq 32" },
        { A, { { 38, 0, "\"assignment\":\"ASG-1\",", "" } }, 0,
          "fence", 38, "carries a fence and names nothing that is claimed" },
    };

    (void)state;
    EACH_IS_SAID(rows);
}

static void what_is_carried_on_and_handed_out_is_decided_again(void **state)
{
    static const struct row rows[] = {
        { M, { { 42, 0, "sow/SOW-1", "outcome/OUT-1" } }, 0,
          "decision", 42, "it is about no SOW" },
        { M, { { 42, 0, "sow/SOW-1", "nothing" } }, 0,
          "decision", 42, "it is about no SOW" },
        { M, { { 42, 0, "sow/SOW-1", "sow/SOW-9" } }, 0,
          "decision", 42, "decided again: there is no SOW-9" },
        { M, { { 42, 0, "\"to\":\"operator\"", "\"to\":\"sparring\"" } }, 0,
          "decision", 42, "it is not to the worker" },
        { M, { { 43, 0, "\"actor\":\"operator\"", "\"actor\":\"master\"" } }, 0,
          "decision", 43, "the message is for somebody else" },
        { M, { { 57, 0, "\"actor\":\"operator\"", "\"actor\":\"verifier\"" } }, 0,
          "decision", 57, "neither its sender nor one who may plan" },
        { M, { { 52, 0, "\"next\":\"NEW\"", "\"next\":\"DEAD\"" } }, 0,
          "decision", 52, "the limit of retries is another" },
        { M, { { 56, 0, "\"next\":\"DEAD\"", "\"next\":\"NEW\"" } }, 0,
          "decision", 56, "the limit of retries is another" },
        { W, { { 40, 0, "\"actor\":\"principal\"", "\"actor\":\"operator\"" } }, 0,
          "decision", 40, "by no person" },
        { W, { { 26, 0, "00:00:30.000Z", "00:00:31.000Z" } }, 0,
          "decision", 26, "the wait is another" },
        { W, { { 23, 0, "\"max_attempts\":5", "\"max_attempts\":6" } }, 0,
          "decision", 23, "the policy has another limit of attempts" },
        { W, { { 27, 0, "00:00:30.000Z", "00:00:29.999Z" } }, 0,
          "decision", 27, "before its time" },
        { W, { { 19, 0, "\"ground\":\"boot_clock\"", "\"ground\":\"other_boot\"" } }, 0,
          "decision", 19, "is not what its clocks say: boot_clock" },
    };

    (void)state;
    EACH_IS_SAID(rows);
}

static void what_lies_beside_the_events_is_theirs(void **state)
{
    static const struct {
        struct row row;
        const char *sql;
    } rows[] = {
        { { S, { { 0 } }, 0, "blob_gap", 0, "blob 3 is missing" },
          "DELETE FROM blob WHERE n = 3" },
        { { S, { { 0 } }, 0, "blob_gap", 0, "blob 4 stands behind a gap" },
          "DELETE FROM blob WHERE n = 3" },
        { { S, { { 0 } }, 0, "blob_missing", 37, "there in its size" },
          "DELETE FROM blob WHERE n = 3" },
        { { S, { { 0 } }, 0, "blob_digest", 0, "blob 3 is not what its digest and size say" },
          "UPDATE blob SET size = size + 1 WHERE n = 3" },
        { { S, { { 0 } }, 0, "blob_missing", 37, "there in its size" },
          "UPDATE blob SET size = size + 1 WHERE n = 3" },
        { { S, { { 0 } }, 0, "blob_digest", 0, "blob 3 is not what its digest and size say" },
          "UPDATE blob SET content = CAST('X' || substr(content, 2) AS BLOB) WHERE n = 3" },
        { { S, { { 0 } }, 0,
            "blob_digest", 37, "a blob that event 37 names is not what its row says" },
          "UPDATE blob SET content = CAST('X' || substr(content, 2) AS BLOB) WHERE n = 3" },
        { { S, { { 0 } }, 0, "blob_media_type", 37, "not of the kind that it says" },
          "UPDATE blob SET media_type = 'text/plain' WHERE n = 3" },
        { { S, { { 0 } }, 0, "blob_media_type", 37, "not of the kind that it says" },
          "UPDATE blob SET media_type = 'text/plain' WHERE n = 5" },
        { { S, { { 0 } }, 0, "blob_erased", 0, "blob 3 lost its content without an event" },
          "UPDATE blob SET content = NULL, salt = NULL WHERE n = 3" },
        { { L, { { 65, 0, NULL, "{\"actor\":\"principal\",\"at\":\"2026-01-01T00:00:00.000Z\","
                 "\"data\":{\"reason\":\"as asked\"},\"seq\":65,\"stream\":\"blob/"
                 "fdfd93ce44a294f4c9e1668879d4233115b9d68e4e02109f2c619e366a0b91fa"
                 "\",\"sv\":1,\"type\":\"blob.erased\",\"v\":1}" } }, 0,
          "blob_erased", 0, "blob 6 was erased and has content" },
          NULL },
        { { S, { { 20, 0, "\"seq\":20", "\"key\":\"k\",\"seq\":20" },
                 { 53, 0, "\"seq\":53", "\"key\":\"k\",\"seq\":53" } }, 0,
            "key_twice", 53, "the key of event 53 was used by event 20" },
          "INSERT INTO state_idempotency VALUES ('operator', 'k', 20)" },
        /* Of a commit the first event that is wrong by itself, if any is; else its first one. */
        { { S, { { 0 } }, 0, "root", 14, "events 14 to 14 do not give the root" },
          "UPDATE event SET hash = zeroblob(32) WHERE seq = 13;"
          "UPDATE checkpoint SET root = zeroblob(32) WHERE size = 14" },
        { { S, { { 0 } }, 0, "hash", 13, "is not that of its octets" },
          "UPDATE event SET hash = zeroblob(32) WHERE seq = 13" },
        { { S, { { 0 } }, 0, "gap", 13, "event 13 is missing" },
          "DELETE FROM event WHERE seq = 13" },
        { { S, { { 0 } }, 0, "root", 22, "events 20 to 23 do not give the root" },
          "UPDATE event SET hash = zeroblob(32) WHERE seq IN (19, 22);"
          "UPDATE checkpoint SET root = zeroblob(32) WHERE size = 23" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!holds(&rows[i].row, rows[i].sql)) fail_msg("row %zu", i);
}
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_approval_allows_is_decided_again),
        cmocka_unit_test(what_judges_brought_about_is_decided_again),
        cmocka_unit_test(what_people_signed_and_the_pulse_said_is_decided_again),
        cmocka_unit_test(who_acts_under_which_claim_is_judged_at_each_event),
        cmocka_unit_test(what_is_carried_on_and_handed_out_is_decided_again),
        cmocka_unit_test(what_lies_beside_the_events_is_theirs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
