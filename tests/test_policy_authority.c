#include "tests/policy_unit.h"

static const struct sov_policy *standard(void **state)
{
    return policy_of(DOCUMENT("", ""), *state);
}

/* Copied by hand from model.md 2; all roles also have observe and converse. */
static const struct {
    const char *role, *may;
} rows[] = {
    { "principal", " administer define steer close accept rule waive approve " },
    { "master", " plan steer assign request " },
    { "operator", " work request " },
    { "sparring", " review rule " },
    { "verifier", " verify " },
};

static void each_role_has_exactly_the_authorities_of_its_row(void **state)
{
    const struct sov_policy *policy = standard(state);

    assert_int_equal(policy->role_count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (enum sov_authority a = 0; a < SOV_AUTHORITY_COUNT; a++) {
            struct sov_error err = { 0 };
            char word[30];
            bool due;

            snprintf(word, sizeof word, " %s ", sov_authority_word(a));
            due = strstr(rows[i].may, word) || strstr(" observe converse ", word);
            if (sov_policy_may(policy, rows[i].role, a) != due)
                fail_msg("%s%s", rows[i].role, word);
            if (due) assert_true(sov_policy_authorise(policy, "ann", rows[i].role, a, &err));
            if (!due)
                assert_refused(sov_policy_authorise(policy, "ann", rows[i].role, a, &err), &err,
                               "not_authorised");
        }
}

static void a_role_without_a_row_may_nothing(void **state)
{
    const struct sov_policy *policy = standard(state);

    assert_null(sov_policy_role(policy, "host"));
    for (enum sov_authority a = 0; a < SOV_AUTHORITY_COUNT; a++)
        assert_false(sov_policy_may(policy, "host", a));
}

static void the_set_of_authorities_is_closed(void **state)
{
    enum sov_authority found = SOV_MAY_WORK;

    (void)state;
    assert_int_equal(SOV_AUTHORITY_COUNT, 16);
    for (enum sov_authority a = 0; a < SOV_AUTHORITY_COUNT; a++) {
        assert_true(sov_authority_find(sov_bytes_text(sov_authority_word(a)), &found));
        assert_int_equal(found, a);
    }
    found = SOV_MAY_WORK;
    assert_false(sov_authority_find(sov_bytes_text("Work"), &found));
    assert_false(sov_authority_find(sov_bytes_text("work "), &found));
    assert_int_equal(found, SOV_MAY_WORK);
}

static void a_policy_that_orphans_a_role_is_refused(void **state)
{
    static const struct sov_roster_row people[] = { { "ann", "principal", SOV_PERSON } };
    static const char *const used[] = { "principal", "builder" };
    struct sov_error err = { 0 };

    assert_refused(sov_policy_governs(standard(state), people, 1, used, 2, &err), &err,
                   "policy_orphans_role");
    assert_string_equal(err.refs[0], "builder");
    assert_true(sov_policy_governs(standard(state), people, 1, used, 1, &err));
}

static void a_policy_that_locks_out_is_refused(void **state)
{
    static const char signers_two[] =
        "{\"acceptance\":{\"persons\":1,\"robots\":[\"master\"],\"signers\":2}";
    static const struct {
        struct sov_roster_row row[2];
        bool one, two; /* holds with one signer; with two, a robot among them */
    } cases[] = {
        { { { "ann", "principal", SOV_PERSON }, { "bob", "master", SOV_PERSON } }, true, false },
        { { { "ann", "principal", SOV_ROBOT }, { "bob", "master", SOV_PERSON } }, false, false },
        { { { "ann", "principal", SOV_PERSON }, { "bob", "principal", SOV_PERSON } }, true, true },
        { { { "ann", "principal", SOV_PERSON }, { "master", "principal", SOV_ROBOT } },
          true,
          true },
        { { { "ann", "principal", SOV_PERSON }, { "bot", "principal", SOV_ROBOT } }, true, false },
        { { { "bob", "operator", SOV_PERSON }, { "eve", "verifier", SOV_SERVICE } }, false, false },
    };
    const struct sov_policy *one = standard(state), *two;
    char text[2000];

    snprintf(text, sizeof text, "%s%s", signers_two, strchr(DOCUMENT("", ""), '}') + 1);
    two = policy_of(text, *state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sov_error err = { 0 };

        if (cases[i].one)
            assert_true(sov_policy_governs(one, cases[i].row, 2, NULL, 0, &err));
        else
            assert_refused(sov_policy_governs(one, cases[i].row, 2, NULL, 0, &err), &err,
                           "policy_locks_out");
        if (cases[i].two)
            assert_true(sov_policy_governs(two, cases[i].row, 2, NULL, 0, &err));
        else
            assert_refused(sov_policy_governs(two, cases[i].row, 2, NULL, 0, &err), &err,
                           "policy_locks_out");
    }
}

/* Who may only accept could sign, but nobody could change the policy any more. */
static void a_policy_without_an_administrator_is_refused(void **state)
{
    static const struct sov_roster_row people[] = { { "bob", "closer", SOV_PERSON },
                                                    { "ann", "principal", SOV_PERSON } };
    static const char document[] = DOCUMENT("", "");
    const char *roles = strstr(document, "\"operator\":");
    const struct sov_policy *policy;
    struct sov_error err = { 0 };
    char text[2000];

    snprintf(text, sizeof text, "%.*s\"closer\":[\"accept\"],%s", (int)(roles - document), document,
             roles);
    policy = policy_of(text, *state);
    assert_refused(sov_policy_governs(policy, people, 1, NULL, 0, &err), &err, "policy_locks_out");
    assert_string_equal(err.what, "no active person would keep administer");
    assert_true(sov_policy_governs(policy, people, 2, NULL, 0, &err));
}

/* Copied by hand from model.md 4 and 5 (classes) and cli.md 2. */
static const struct {
    enum sov_exit exit;
    const char *codes;
} classes[] = {
    { SOV_USAGE,
      " bad_value too_large reason_missing policy_invalid policy_orphans_role policy_locks_out "
      "role_unknown represents_invalid checks_missing check_invalid subject_undeclared "
      "deliverable_unsafe kind_unknown unit_mismatch quantity_out_of_range amount_overflow "
      "rationale_missing successor_invalid usage unknown_verb unknown_flag bad_json bad_text "
      "input_required " },
    { SOV_ABSENT, " no_such_id no_key fact_missing account_unknown no_ledger no_such_file "
                  "absent " },
    { SOV_CONFLICT,
      " moved wrong_state outcome_not_open already_accepted already_signed already_reviewed "
      "already_started exists key_reused key_in_use claim_held claim_lost stale_fence actor_busy "
      "subject_fixed effect_conflict report_conflict nothing_to_waive already_voted "
      "claim_overdue instance_fence session_closed " },
    { SOV_INTEGRITY,
      " bad_signature aggregate_mismatch review_invalid receipt_unbound effect_uncorroborated "
      "evidence_foreign schema rollback fork corrupt refused_by_schema "
      "schema_changed head_mismatch checkpoint_invalid event_invalid " },
    { SOV_UNABLE,
      " busy disk_full io_error no_memory output_lost commit_unknown unfinished needs_recovery "
      "newer_format older_format provider_unavailable sandbox_unavailable "
      "view_unsafe " },
    { SOV_DENIED, " not_authorised actor_inactive worker_inactive worker_not_authorised "
                  "role_mismatch self_assign self_verify self_review self_accept self_waive "
                  "roles_not_distinct answerable_missing person_required not_addressed "
                  "rounds_exhausted attempts_exhausted limit_open_sows unknown_outcome "
                  "effect_not_in_scope subject_mismatch subject_not_allowed constraint_failed "
                  "ruling_missing ruling_hold sow_missing sow_open check_failed execution_missing "
                  "receipt_missing receipt_not_completed deliverable_missing deliverable_changed "
                  "effect_missing boundary_violated verification_missing verification_failed "
                  "definition_changed review_missing review_dissent outcome_not_verified "
                  "verification_too_old evidence_missing evidence_failing evidence_stale "
                  "key_invalid inside_run foreign_owner filesystem_refused file_unsafe key_exposed "
                  "confirm_required capability_refusal sandbox_refusal egress_refusal "
                  "workspace_refusal self_approve approval_missing approval_mismatch "
                  "approval_expired approval_policy_changed approval_used too_many_requests " },
    { SOV_INTERNAL, " internal_error " },
    { SOV_INTERRUPTED, " interrupted " },
    { SOV_TERMINATED, " terminated " },
};

static void each_refusal_has_the_class_of_the_design(void **state)
{
    char code[60];

    (void)state;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        for (const char *at = classes[i].codes + 1; *at; at = strchr(at, ' ') + 1) {
            const struct sov_refusal *row;

            snprintf(code, sizeof code, "%.*s", (int)strcspn(at, " "), at);
            row = sov_refusal_find(code);
            if (!row) fail_msg("%s has no row", code);
            if (row->exit != classes[i].exit) fail_msg("%s exits %d", code, (int)row->exit);
        }
    assert_null(sov_refusal_find("no_such_code"));
    assert_null(sov_refusal_find(""));
}

static void each_row_says_its_parts_once(void **state)
{
    const struct sov_refusal *row;

    (void)state;
    for (size_t n = 0; (row = sov_refusal_at(n)); n++) {
        assert_ptr_equal(sov_refusal_find(row->code), row); /* no second row */
        assert_true(row->exit != SOV_OK);
        assert_true(*row->why && *row->inspect && *row->next);
        assert_true(row->why[strlen(row->why) - 1] != '.');
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_ARENA(each_role_has_exactly_the_authorities_of_its_row),
        WITH_ARENA(a_role_without_a_row_may_nothing),
        cmocka_unit_test(the_set_of_authorities_is_closed),
        WITH_ARENA(a_policy_that_orphans_a_role_is_refused),
        WITH_ARENA(a_policy_that_locks_out_is_refused),
        WITH_ARENA(a_policy_without_an_administrator_is_refused),
        cmocka_unit_test(each_refusal_has_the_class_of_the_design),
        cmocka_unit_test(each_row_says_its_parts_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
