#include "tests/unit.h"

#include "base/sshsig.h"
#include "ledger/log.h"
#include "ledger/sign.h"
#include "tests/judgement_fixture.h"
#include "tests/ssh_fixture.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static int setup(void **state)
{
    struct judging *j = calloc(1, sizeof *j);

    judging_open(j);
    *state = j;
    return 0;
}

static int teardown(void **state)
{
    judging_close(*state);
    free(*state);
    return 0;
}

static struct sov_signer ssh_signer(void)
{
    struct sov_signer signer = { .ssh = true };
    struct sov_error err = { 0 };

    assert_true(sov_ssh_private_read(sov_bytes_text(SSH_PRIVATE), "id", &signer.secret, &err));
    signer.key = sov_secret_public(signer.secret);
    return signer;
}

static struct sov_key_proposal proposed(struct judging *j, const char *who)
{
    SOV_CLEANUP(sov_signer_end) struct sov_signer signer = ssh_signer();
    struct sov_key_proposal proposal;
    struct sov_error err = { 0 };

    assert_true(sov_key_propose(j->f.ledger, who, &signer, NULL, &proposal, &err));
    return proposal;
}

/* The SSH key of the fixture, registered for sparring, and its file. */
static struct sov_signing registered(struct judging *j)
{
    const char *path = sov_arena_printf(&j->f.arena, "%s/id", j->f.root);
    struct sov_key_proposal proposal = proposed(j, "sparring");
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(SSH_PRIVATE, file) > 0 && fclose(file) == 0 && chmod(path, 0600) == 0);
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_key_new(&commit, "sparring", &proposal, &j->done, &err));
    return (struct sov_signing){ .file = path };
}

static void assert_checked(struct judging *j, const char *who, const char *tag, const char *words,
                           const struct sov_signed_by *by, int64_t seq, const char *code)
{
    struct sov_error err = { 0 };
    bool ok = sov_statement_check(j->f.ledger, who, tag, sov_bytes_text(words), by, seq, &err);

    if (ok != !code) fail_msg("%s: %s", code ? code : "ok", err.what);
    if (code) assert_string_equal(err.code, code);
}

static void an_ssh_signature_is_one_statements_in_one_domain_and_time(void **state)
{
    struct judging *j = *state;
    struct sov_signing with = registered(j);
    SOV_CLEANUP(sov_signer_end) struct sov_signer signer = ssh_signer();
    static const char words[] = "{\"decision\":\"accepted\"}", tag[] = "sov.review.v1";
    struct sov_bytes message = sov_bytes_text("sov.review.v1\n{\"decision\":\"accepted\"}");
    struct sov_error outer = { 0 };
    int64_t from = fixture_head(&j->f);
    struct sov_signed_by by, bad;
    char id[SOV_KEY_ID_SIZE + 1];

    assert_true(sov_statement_sign(j->f.ledger, "sparring", &with, tag, sov_bytes_text(words), &by,
                                   &outer));
    assert_checked(j, "sparring", tag, words, &by, 0, NULL);
    assert_checked(j, "sparring", tag, words, &by, from + 1, NULL);
    assert_checked(j, "sparring", tag, words, &by, from, "key_invalid"); /* not yet */
    assert_checked(j, "operator", tag, words, &by, 0, "key_invalid");
    assert_checked(j, "sparring", "sov.accept.v1", words, &by, 0, "bad_signature");
    assert_checked(j, "sparring", tag, "{\"decision\":\"rejected\"}", &by, 0, "bad_signature");
    bad = by; /* the statement is right, the namespace another's */
    assert_true(sov_signer_sign(&signer, "sov.accept.v1", message, &bad.signature, &outer));
    assert_checked(j, "sparring", tag, words, &bad, 0, "bad_signature");
    bad.signature = sov_sign(signer.secret, message); /* plain, as our own keys sign */
    assert_checked(j, "sparring", tag, words, &bad, 0, "bad_signature");
    bad.signature = (struct sov_signature){ { 0 } };
    assert_checked(j, "sparring", tag, words, &bad, 0, "bad_signature");

    sov_key_id(&signer.key, id);
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_key_new(&commit, "operator", NULL, &j->done, &err)); /* time goes by */
    FIXTURE_DO(&j->f, "sparring", j->done, sov_key_revoke(&commit, id, "lost", 0, &j->done, &err));
    assert_checked(j, "sparring", tag, words, &by, 0, "key_invalid");
    assert_checked(j, "sparring", tag, words, &by, fixture_head(&j->f), "key_invalid");
    assert_checked(j, "sparring", tag, words, &by, from + 1, NULL);
}

static void what_does_not_prove_a_key_registers_none(void **state)
{
    struct judging *j = *state;
    SOV_CLEANUP(sov_signer_end) struct sov_signer signer = ssh_signer();
    SOV_CLEANUP(sov_buf_release) struct sov_buf message = { 0 };
    struct sov_key_proposal good = proposed(j, "sparring"), bad[5];
    struct sov_hash other = { { 1 } };
    struct sov_error outer = { 0 };

    for (size_t i = 0; i < COUNT(bad); i++) bad[i] = good;
    bad[0].proof.octets[0] ^= 1;
    bad[1] = proposed(j, "operator"); /* of the same key, for somebody else */
    bad[2].ssh = false;
    sov_buf_init(&message, 1024);
    sov_key_statement(&j->f.ledger->id, "sparring", &signer.key, &message);
    assert_true(
        sov_signer_sign(&signer, "sov.key.v2", sov_buf_bytes(&message), &bad[3].proof, &outer));
    sov_buf_clear(&message);
    sov_key_statement(&other, "sparring", &signer.key, &message); /* in another ledger */
    assert_true(
        sov_signer_sign(&signer, SOV_KEY_TAG, sov_buf_bytes(&message), &bad[4].proof, &outer));
    for (size_t i = 0; i < COUNT(bad); i++)
        FIXTURE_REFUSED(&j->f, "principal", "bad_signature", j->done,
                        sov_key_new(&commit, "sparring", &bad[i], &j->done, &err));
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_key_new(&commit, "sparring", &good, &j->done, &err));
    good = proposed(j, "operator");
    FIXTURE_REFUSED(&j->f, "principal", "key_in_use", j->done,
                    sov_key_new(&commit, "operator", &good, &j->done, &err));
}

static void a_rotation_needs_both_keys_whatever_their_kind(void **state)
{
    struct judging *j = *state;
    struct sov_signing with = registered(j), folder = { 0 };

    for (int turn = 0; turn < 2; turn++) { /* away from SSH, then between keys of ours */
        SOV_CLEANUP(sov_signer_end) struct sov_signer before = { 0 };
        SOV_CLEANUP(sov_key_proposal_end) struct sov_key_proposal good = { 0 };
        struct sov_key_proposal bad;
        struct sov_error outer = { 0 };

        assert_true(
            sov_signer_hold(j->f.ledger, "sparring", turn ? &folder : &with, &before, &outer));
        assert_true(sov_key_propose(j->f.ledger, "sparring", NULL, &before, &good, &outer));
        bad = good;
        bad.consent.octets[5] ^= 1;
        FIXTURE_REFUSED(&j->f, "sparring", "bad_signature", j->done,
                        sov_key_rotate(&commit, "sparring", "r", &bad, &j->done, &err));
        bad = good;
        bad.consent = good.proof;
        FIXTURE_REFUSED(&j->f, "sparring", "bad_signature", j->done,
                        sov_key_rotate(&commit, "sparring", "r", &bad, &j->done, &err));
        bad = good;
        bad.has_before = false;
        FIXTURE_REFUSED(&j->f, "sparring", "no_key", j->done,
                        sov_key_rotate(&commit, "sparring", "r", &bad, &j->done, &err));
        FIXTURE_DO(&j->f, "sparring", j->done,
                   sov_key_rotate(&commit, "sparring", "r", &good, &j->done, &err));
        FIXTURE_REFUSED(&j->f, "sparring", "no_key", j->done, /* once */
                        sov_key_rotate(&commit, "sparring", "r", &good, &j->done, &err));
    }
    fixture_assert_refold_equal(&j->f);
}

/* ---- written past the operation, by who holds the ledger key ---- */

static struct sov_report judged(struct judging *j)
{
    struct sov_verify_options options = {
        .places = &j->f.places, .seams = &j->f.seams, .wait_ms = 1000, .no_anchor = true
    };
    struct sov_report report;
    struct sov_error err = { 0 };

    sov_ledger_close(j->f.ledger);
    j->f.ledger = NULL;
    if (!sov_verify(&options, &j->f.arena, &report, &err)) fail_msg("%s", err.what);
    fixture_reopen(&j->f);
    return report;
}

static bool found(const struct sov_report *report, const char *kind, int64_t seq)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->findings[i].class == SOV_CLASS_TAMPER && report->findings[i].seq == seq &&
            strcmp(report->findings[i].kind, kind) == 0)
            return true;
    return false;
}

static void a_key_that_was_slipped_in_is_found(void **state)
{
    for (int ssh = 0; ssh < 2; ssh++) {
        struct judging *j;
        struct sov_addition event = { .type = SOV_EVENT_KEY_REGISTERED };
        struct sov_key_proposal proposal;
        struct sov_report report;
        char proof[2 * SOV_SIGNATURE_SIZE + 1], key[2 * SOV_PUBLIC_KEY_SIZE + 1];
        char id[SOV_KEY_ID_SIZE + 1];
        void *fresh = NULL;
        int64_t seq;

        setup(&fresh);
        j = fresh;
        proposal = proposed(j, ssh ? "operator" : "sparring"); /* another actor, or another form */
        sov_key_id(&proposal.key, id);
        sov_hex(sov_bytes(proposal.proof.octets, SOV_SIGNATURE_SIZE), proof);
        sov_hex(sov_bytes(proposal.key.octets, SOV_PUBLIC_KEY_SIZE), key);
        event.stream = sov_stream_named(SOV_STREAM_KEY, sov_bytes_text(id));
        event.data = sov_bytes_text(
            judging_text(j,
                         "{\"actor\":\"sparring\",\"algorithm\":\"%s\",\"proof\":\"%s\","
                         "\"public_key\":\"%s\"}",
                         ssh ? "ssh" : "ed25519", proof, key));
        FIXTURE_DO(&j->f, "principal", j->done, sov_commit_lead(&commit, &event, &j->done, &err));
        seq = fixture_head(&j->f);
        report = judged(j);
        assert_int_equal(report.exit, SOV_INTEGRITY);
        assert_true(found(&report, "proof", seq));
        assert_int_equal(report.first_bad_seq, seq);
        teardown(&fresh);
    }
    (void)state;
}

static void what_ssh_keys_signed_in_their_time_is_verified(void **state)
{
    struct judging *j = *state;
    struct sov_signing with = registered(j);
    SOV_CLEANUP(sov_signer_end) struct sov_signer before = { 0 };
    SOV_CLEANUP(sov_key_proposal_end) struct sov_key_proposal next = { 0 };
    struct sov_error outer = { 0 };
    struct sov_report report;

    assert_true(sov_signer_hold(j->f.ledger, "sparring", &with, &before, &outer));
    assert_true(sov_key_propose(j->f.ledger, "sparring", NULL, &before, &next, &outer));
    FIXTURE_DO(&j->f, "sparring", j->done,
               sov_key_rotate(&commit, "sparring", "r", &next, &j->done, &err));
    report = judged(j);
    for (size_t i = 0; i < report.count; i++) print_message("%s\n", report.findings[i].message);
    assert_int_equal(report.exit, SOV_OK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_ssh_signature_is_one_statements_in_one_domain_and_time),
        TEST(what_does_not_prove_a_key_registers_none),
        TEST(a_rotation_needs_both_keys_whatever_their_kind),
        cmocka_unit_test(a_key_that_was_slipped_in_is_found),
        TEST(what_ssh_keys_signed_in_their_time_is_verified),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
