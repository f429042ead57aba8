/* Signals and heartbeats: what they keep, and what is refused with nothing changed. */
#include "tests/world_fixture.h"

#include "ledger/log.h"

#define CI                                                                                         \
    {                                                                                              \
        .kind = "ci.failed", .source = "github", .subject = "repo:acme/shop#main",                 \
        .severity = SOV_WARNING                                                                    \
    }

static struct sov_bytes text(const char *s)
{
    return sov_bytes_text(s);
}

static int64_t blobs(struct fixture *f)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    static const char sql[] = "SELECT count(*) FROM blob";
    struct sov_error err = { 0 };
    bool found;

    assert_true(sov_stmt_open(&stmt, f->ledger->db, sql, &err));
    assert_true(sov_stmt_row(&stmt, &found, &err));
    return sov_column_int(&stmt, 0);
}

/* ---- signals ---- */

static void a_signal_keeps_what_its_source_said(void **state)
{
    struct fixture *f = *state;
    struct sov_signal_request request = CI;
    struct sov_signal signal;
    struct sov_blob blob;
    struct sov_error why = { 0 };
    struct sov_done done;
    bool found;

    request.observed_at = "2026-01-01T01:02:03+01:00";
    request.payload = text("{\"a\":1.5}");
    request.media_type = "application/json";
    BY(f, "operator", NULL, sov_signal_record(&commit, &request, &done, &err));
    assert_string_equal(done.id, "SIG-1");
    signal = signal_of(f, 1);
    assert_string_equal(signal.kind, "ci.failed");
    assert_string_equal(signal.source, "github");
    assert_string_equal(signal.subject, "repo:acme/shop#main");
    assert_int_equal(signal.severity, SOV_WARNING);
    assert_string_equal(signal.observed_at, request.observed_at);
    assert_null(signal.dedupe_key);
    assert_true(signal.has_payload);
    assert_int_equal(signal.payload.size, 9);
    assert_string_equal(signal.payload.media_type, "application/json");
    assert_int_equal(signal.at_ms, f->now.wall.ms);
    assert_int_equal(signal.decided_seq, 0);
    assert_true(sov_blob_find(f->ledger, &signal.payload.digest, &f->arena, &blob, &found, &why) &&
                found);
    assert_true(sov_bytes_equal(blob.content, request.payload));
    assert_false(blob.confidential);
}

static void a_subject_with_escapes_comes_back_as_it_was(void **state)
{
    struct fixture *f = *state;
    struct sov_signal_request request = CI;
    struct sov_done done;

    request.subject = "a \"quoted\" \\ thing \xc3\xa9 \x01";
    request.dedupe_key = "tab\there";
    BY(f, "operator", NULL, sov_signal_record(&commit, &request, &done, &err));
    assert_string_equal(signal_of(f, 1).subject, request.subject);
    assert_string_equal(signal_of(f, 1).dedupe_key, "tab\there");
    BY(f, "operator", NULL, sov_signal_record(&commit, &request, &done, &err));
    assert_int_equal(done.effect, SOV_NOOP);
}

static void a_signal_is_refused_with_nothing_changed(void **state)
{
    static char long_text[202];
    static const struct {
        const char *who, *code;
        struct sov_signal_request request;
    } row[] = {
        { "nobody", "no_such_id", CI },
        { "operator", "bad_value", { .kind = "CI", .source = "s", .subject = "x" } },
        { "operator", "bad_value", { .kind = NULL, .source = "s", .subject = "x" } },
        { "operator", "bad_value", { .kind = "k", .source = "a b", .subject = "x" } },
        { "operator", "bad_value", { .kind = "k", .source = "s", .subject = "" } },
        { "operator", "bad_value", { .kind = "k", .source = "s", .subject = "\t " } },
        { "operator", "bad_text", { .kind = "k", .source = "s", .subject = "\xff" } },
        { "operator", "too_large", { .kind = "k", .source = "s", .subject = long_text } },
        { "operator", "no_such_id", { .kind = "k", .source = "s", .subject = "OUT-1" } },
        { "operator", "no_such_id", { .kind = "k", .source = "s", .subject = "SIG-1" } },
        { "operator",
          "bad_value",
          { .kind = "k", .source = "s", .subject = "x", .observed_at = "yesterday" } },
        { "operator",
          "bad_value",
          { .kind = "k", .source = "s", .subject = "x", .observed_at = "2026-02-30T00:00:00Z" } },
        { "operator",
          "bad_value",
          { .kind = "k", .source = "s", .subject = "x", .media_type = "json" } },
        { "operator",
          "bad_value",
          { .kind = "k", .source = "s", .subject = "x", .media_type = "text/\n" } },
        { "operator",
          "too_large",
          { .kind = "k", .source = "s", .subject = "x", .dedupe_key = long_text } },
        { "operator",
          "bad_value",
          { .kind = "k", .source = "s", .subject = "x", .dedupe_key = "CHG-9" } },
        { "operator",
          "bad_value",
          { .kind = "k", .source = "s", .subject = "x", .dedupe_key = "EFF-9" } },
        { "operator",
          "too_large",
          { .kind = "k",
            .source = "s",
            .subject = "x",
            .payload = { (const uint8_t *)"", SOV_SIGNAL_PAYLOAD_MAX + 1 } } },
    };
    struct fixture *f = *state;
    struct sov_done done;

    memset(long_text, 'x', sizeof long_text - 1);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        BY(f, row[i].who, row[i].code, sov_signal_record(&commit, &row[i].request, &done, &err));
}

static void a_suspended_actor_may_not_signal(void **state)
{
    struct fixture *f = *state;
    struct sov_signal_request request = CI;
    struct sov_done done;

    BY(f, "principal", NULL,
       sov_actor_change(&commit, "operator", SOV_ACTOR_SUSPEND, "away", &done, &err));
    BY(f, "operator", "actor_inactive", sov_signal_record(&commit, &request, &done, &err));
}

static void the_same_delivery_is_one_signal(void **state)
{
    struct fixture *f = *state;
    struct sov_signal_request request = CI;
    struct sov_done first, again;
    int64_t head;

    request.payload = text("one");
    ACT(f, keyed("operator", "run-1"), NULL, sov_signal_record(&commit, &request, &first, &err));
    assert_string_equal(signal_of(f, 1).dedupe_key, "run-1");
    head = fixture_head(f);
    ACT(f, keyed("operator", "run-1"), NULL, sov_signal_record(&commit, &request, &again, &err));
    assert_int_equal(again.effect, SOV_NOOP);
    assert_string_equal(again.id, "SIG-1");
    ACT(f, keyed("master", "run-1"), NULL, sov_signal_record(&commit, &request, &again, &err));
    assert_int_equal(again.effect, SOV_NOOP);
    assert_int_equal(again.seq, first.seq);
    assert_int_equal(fixture_head(f), head);
    assert_int_equal(blobs(f), 1);
}

static void another_signal_under_the_same_key_is_refused(void **state)
{
    static const struct sov_signal_request other[] = {
        { .kind = "ci.failed", .source = "github", .subject = "x", .severity = SOV_WARNING },
        { .kind = "ci.failed",
          .source = "github",
          .subject = "repo:acme/shop#main",
          .severity = SOV_INFO },
        { .kind = "ci.failed",
          .source = "github",
          .subject = "repo:acme/shop#main",
          .severity = SOV_WARNING,
          .observed_at = "2026-01-01T00:00:00Z" },
        { .kind = "ci.failed",
          .source = "github",
          .subject = "repo:acme/shop#main",
          .severity = SOV_WARNING,
          .payload = { (const uint8_t *)"x", 1 } },
    };
    struct fixture *f = *state;
    struct sov_signal_request request = CI;
    struct sov_done done;

    request.dedupe_key = "run-1";
    BY(f, "operator", NULL, sov_signal_record(&commit, &request, &done, &err));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        struct sov_signal_request asked = other[i];

        asked.dedupe_key = "run-1";
        BY(f, "operator", "key_reused", sov_signal_record(&commit, &asked, &done, &err));
    }
    request.source = "gitlab";
    BY(f, "operator", NULL, sov_signal_record(&commit, &request, &done, &err));
    request.kind = "ci.passed";
    BY(f, "operator", NULL, sov_signal_record(&commit, &request, &done, &err));
    assert_string_equal(done.id, "SIG-3");
}

static void a_confidential_delivery_is_known_again_though_its_digest_is_not(void **state)
{
    struct fixture *f = *state;
    struct sov_signal_request request = CI;
    struct sov_signal signal;
    struct sov_blob blob;
    struct sov_error why = { 0 };
    struct sov_done done;
    struct sov_hash plain;
    bool found;

    request.payload = text("secret");
    request.confidential = true;
    ACT(f, keyed("operator", "d-1"), NULL, sov_signal_record(&commit, &request, &done, &err));
    signal = signal_of(f, 1);
    plain = sov_sha256(text("secret"));
    assert_false(sov_hash_equal(&plain, &signal.payload.digest));
    assert_true(sov_blob_find(f->ledger, &signal.payload.digest, &f->arena, &blob, &found, &why));
    assert_true(found && blob.confidential);
    ACT(f, keyed("operator", "d-1"), NULL, sov_signal_record(&commit, &request, &done, &err));
    assert_int_equal(done.effect, SOV_NOOP);
    ACT(f, keyed("master", "d-1"), NULL, sov_signal_record(&commit, &request, &done, &err));
    assert_int_equal(done.effect, SOV_NOOP);
    request.payload = text("Secret");
    ACT(f, keyed("operator", "d-1"), "key_reused",
        sov_signal_record(&commit, &request, &done, &err));
    request.payload = text("secret");
    request.confidential = false;
    ACT(f, keyed("operator", "d-1"), "key_reused",
        sov_signal_record(&commit, &request, &done, &err));
    assert_int_equal(blobs(f), 1);
}

static void signals_of_one_batch_are_one_commit(void **state)
{
    struct fixture *f = *state;
    struct sov_act act = fixture_act("operator");
    struct sov_commit commit = { 0 };
    struct sov_error err = { 0 };
    struct sov_signals signals;
    struct sov_done done;
    int64_t head = fixture_head(f), seq;
    char key[16];

    assert_true(sov_commit_begin(&commit, f->ledger, &act, &err));
    for (int i = 0; i < 50; i++) {
        struct sov_signal_request request = CI;

        snprintf(key, sizeof key, "d-%d", i % 40);
        request.dedupe_key = key;
        if (!sov_signal_record(&commit, &request, &done, &err)) fail_msg("%s", err.what);
    }
    assert_true(sov_commit_finish(&commit, &seq, &err));
    sov_commit_end(&commit);
    assert_int_equal(seq, head + 40);
    assert_true(sov_signal_list(f->ledger, 39, 10, &f->arena, &signals, &err));
    assert_int_equal(signals.count, 2);
    assert_int_equal(signals.at[1].n, 40);
}

/* ---- heartbeats ---- */

static bool beat_by(struct sov_commit *commit, const char *note, struct sov_done *done,
                    struct sov_error *err)
{
    struct sov_who who = sov_who_now(commit, 7, 8);

    return sov_heartbeat_record(commit, "shelf.cam", note, &who, done, err);
}

static void beat(struct fixture *f, const char *note, struct sov_done *done)
{
    BY(f, "operator", NULL, beat_by(&commit, note, done, &err));
}

static void a_beat_is_taken_once_an_interval(void **state)
{
    struct fixture *f = *state;
    struct sov_heartbeat newest;
    struct sov_heartbeats all;
    struct sov_error err = { 0 };
    struct sov_done first, done;
    bool found;

    beat(f, "up", &first);
    fixture_tick(f, 29999);
    beat(f, "again", &done);
    assert_int_equal(done.effect, SOV_NOOP);
    assert_int_equal(done.seq, first.seq);
    fixture_tick(f, 1);
    beat(f, NULL, &done);
    assert_int_equal(done.effect, SOV_CREATED);
    assert_true(sov_heartbeat_find(f->ledger, "shelf.cam", &f->arena, &newest, &found, &err));
    assert_true(found);
    assert_int_equal(newest.seq, done.seq);
    assert_int_equal(newest.at_ms, f->now.wall.ms);
    assert_null(newest.note);
    assert_string_equal(newest.actor, "operator");
    assert_string_equal(newest.machine, f->now.machine);
    assert_true(sov_heartbeat_list(f->ledger, &f->arena, &all, &err));
    assert_int_equal(all.count, 1);
    assert_true(sov_heartbeat_find(f->ledger, "other", &f->arena, &newest, &found, &err));
    assert_false(found);
}

static void a_beat_is_refused_with_nothing_changed(void **state)
{
    static char long_note[502];
    static const struct {
        const char *who, *source, *note, *code;
    } row[] = {
        { "nobody", "cam", NULL, "no_such_id" },   { "operator", "Cam", NULL, "bad_value" },
        { "operator", "", NULL, "bad_value" },     { "operator", "cam", "", "bad_value" },
        { "operator", "cam", "\xff", "bad_text" }, { "operator", "cam", long_note, "too_large" },
    };
    struct fixture *f = *state;
    struct sov_who who = { .pid = 1 };
    struct sov_done done;

    memset(long_note, 'n', sizeof long_note - 1);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        BY(f, row[i].who, row[i].code,
           sov_heartbeat_record(&commit, row[i].source, row[i].note, &who, &done, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_STORE(a_signal_keeps_what_its_source_said),
        IN_STORE(a_subject_with_escapes_comes_back_as_it_was),
        IN_STORE(a_signal_is_refused_with_nothing_changed),
        IN_STORE(a_suspended_actor_may_not_signal),
        IN_STORE(the_same_delivery_is_one_signal),
        IN_STORE(another_signal_under_the_same_key_is_refused),
        IN_STORE(a_confidential_delivery_is_known_again_though_its_digest_is_not),
        IN_STORE(signals_of_one_batch_are_one_commit),
        IN_STORE(a_beat_is_taken_once_an_interval),
        IN_STORE(a_beat_is_refused_with_nothing_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
