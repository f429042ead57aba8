/* What an acceptance stands on is what its signer's judgement read, and what led to it. */
#include "tests/judgement_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ledger/ledger.h"

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

/* One outcome, done and verified; its number. */
static int64_t verified(struct judging *j)
{
    int64_t outcome = judging_outcome(j, "SKU-TEA"), sow = judging_work(j, outcome);

    judging_verify(j, "verifier", sow, 0, false, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    return outcome;
}

static struct sov_dossier dossier_of(struct judging *j, int64_t acceptance)
{
    struct sov_dossier dossier;
    struct sov_error err = { 0 };

    if (!sov_dossier_of(j->f.ledger, acceptance, &j->f.arena, &dossier, &err))
        fail_msg("%s: %s", err.code, err.what);
    return dossier;
}

static bool has(struct judging *j, const struct sov_dossier *dossier, const char *type)
{
    for (size_t i = 0; i < dossier->count; i++) {
        struct sov_error err = { 0 };
        struct sov_event event;

        assert_true(sov_log_event(j->f.ledger, dossier->seqs[i], &j->f.arena, &event, &err));
        if (strcmp(sov_event_row(event.type)->type, type) == 0) return true;
    }
    return false;
}

static void it_holds_the_work_the_judgement_and_nothing_of_others(void **state)
{
    static const char *const there[] = {
        "organization.founded",  "policy.adopted",    "key.registered",     "actor.registered",
        "outcome.defined",       "sow.created",       "assignment.created", "receipt.recorded",
        "verification.recorded", "evidence.recorded", "review.decided",     "acceptance.signed",
        "outcome.accepted",
    };
    struct judging *j = *state;
    int64_t outcome = verified(j), head;
    struct sov_dossier dossier;

    judging_outcome(j, "SKU-TEA"); /* another one, which nobody asks about */
    judging_accept(j, "principal", outcome, NULL, NULL);
    head = fixture_head(&j->f);
    dossier = dossier_of(j, 1);
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (!has(j, &dossier, there[i])) fail_msg("%s is not in it", there[i]);
    assert_int_equal(dossier.outcome.n, outcome);
    assert_int_equal(dossier.signature_count, 1);
    assert_int_equal(dossier.receipt_count, 1);
    assert_int_equal(dossier.accepted_seq, head);
    assert_int_equal(dossier.seqs[0], 1);
    assert_true(dossier.count < (size_t)head);
    for (size_t i = 0; i < dossier.count; i++) {
        struct sov_error err = { 0 };
        struct sov_event event;

        assert_true(!i || dossier.seqs[i] > dossier.seqs[i - 1]);
        assert_true(sov_log_event(j->f.ledger, dossier.seqs[i], &j->f.arena, &event, &err));
        assert_false(event.stream.kind == SOV_STREAM_OUTCOME && event.stream.n != outcome);
    }
}

static void each_signature_of_the_case_is_in_it(void **state)
{
    struct judging *j = *state;
    struct sov_dossier one, both;
    bool accepted;
    int64_t outcome;

    judging_actor(j, "alice", "person", "principal", NULL);
    judging_policy(j, "\"signers\":1", "\"signers\":2");
    outcome = verified(j);
    judging_accept(j, "principal", outcome, &accepted, NULL);
    assert_false(accepted);
    one = dossier_of(j, 1);
    assert_int_equal(one.signature_count, 1);
    assert_int_equal(one.accepted_seq, 0);
    judging_accept(j, "alice", outcome, &accepted, NULL);
    assert_true(accepted);
    both = dossier_of(j, 2);
    assert_int_equal(both.signature_count, 2);
    assert_string_equal(both.signatures[0].signer, "principal");
    assert_string_equal(both.signatures[1].signer, "alice");
    assert_int_equal(both.accepted_seq, fixture_head(&j->f));
}

static void what_is_not_there_has_none(void **state)
{
    struct judging *j = *state;
    struct sov_dossier dossier = { .term = 7 };
    struct sov_error err = { 0 };

    assert_false(sov_dossier_of(j->f.ledger, 1, &j->f.arena, &dossier, &err));
    assert_string_equal(err.code, "no_such_id");
    assert_int_equal(dossier.term, 7);
}

static void only_a_key_of_the_ledger_attests(void **state)
{
    static const char other[] =
        "sov-key-1 ed25519 0000000000000000000000000000000000000000000000000000000000000001\n";
    struct judging *j = *state;
    struct sov_attestation by = { 0 };
    struct sov_bytes message = sov_bytes_text("DSSEv1 1 t 1 x");
    const char *path = sov_arena_printf(&j->f.arena, "%s/other.key", j->f.root);
    struct sov_signing with = { .file = path };
    struct sov_error err = { 0 };
    struct sov_identity identity;
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(other, file) > 0 && fclose(file) == 0 && chmod(path, 0600) == 0);
    assert_false(sov_ledger_attest(j->f.ledger, &with, message, &by, &err));
    assert_string_equal(err.code, "key_invalid");
    assert_true(sov_ledger_attest(j->f.ledger, NULL, message, &by, &err));
    sov_ledger_identity(j->f.ledger, &identity);
    assert_true(by.by_ledger);
    assert_memory_equal(&by.public_key, &identity.key, sizeof by.public_key);
    assert_true(sov_signature_holds(&identity.key, message, &by.signature));
    assert_int_equal(chmod(path, 0644), 0);
    assert_false(sov_ledger_attest(j->f.ledger, &with, message, &by, &err));
    assert_string_equal(err.code, "key_exposed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_holds_the_work_the_judgement_and_nothing_of_others,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(each_signature_of_the_case_is_in_it, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_not_there_has_none, setup, teardown),
        cmocka_unit_test_setup_teardown(only_a_key_of_the_ledger_attests, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
