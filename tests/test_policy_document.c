#include "tests/policy_unit.h"

static void the_default_is_whole_and_has_the_default_numbers(void **state)
{
    const struct sov_policy *policy = NULL;
    struct sov_error err = { 0 };
    struct sov_hash digest = sov_sha256(sov_policy_default()),
                    rules = sov_sha256(sov_bytes_text("[]"));

    assert_true(sov_policy_parse(sov_policy_default(), *state, &policy, &err));
#define X(section, key, normal, least, most) assert_int_equal(policy->section##_##key, normal);
    SOV_POLICY_NUMBERS(X)
    SOV_POLICY_NUMBERS_LATER(X)
#undef X
    assert_true(sov_bytes_equal(policy->octets, sov_policy_default()));
    assert_true(sov_hash_equal(&policy->digest, &digest));
    assert_true(sov_hash_equal(&policy->rules_digest, &rules));
    assert_int_equal(policy->effect_count + policy->wake_count + policy->acceptance_robot_count, 0);
    assert_false(policy->answerable_required);
}

static void the_rules_of_the_store_are_read(void **state)
{
    const struct sov_policy *policy = policy_of(STORE, *state);
    const struct sov_effect_kind *sale = &policy->effects[0], *restock = &policy->effects[1];
    const struct sov_wake_rule *rule = policy->wake;

    assert_int_equal(policy->effect_count, 2);
    assert_string_equal(sale->kind, "sale");
    assert_int_equal(sale->origin, SOV_FROM_OUTSIDE);
    assert_int_equal(sale->emits[0].otherwise, SOV_INFO);
    assert_string_equal(restock->kind, "replenishment");
    assert_int_equal(restock->origin, SOV_FROM_ASSIGNMENT);
    assert_int_equal(restock->min, 1);
    assert_int_equal(restock->max, 50);
    assert_int_equal(restock->posting_count, 2);
    assert_int_equal(restock->postings[1].sign, -1);
    assert_string_equal(restock->postings[1].account, "cash");
    assert_string_equal(restock->postings[1].factors[1].fact, "unit_cost");
    assert_false(restock->constraints[0].below);
    assert_null(restock->constraints[0].value.fact);
    assert_true(restock->emits[0].when[0].below);
    assert_int_equal(restock->emits[0].when[0].terms[1].times, -1);
    assert_string_equal(restock->emits[0].when[0].value.fact, "reorder_point");
    assert_int_equal(restock->emits[0].otherwise, SOV_RESOLVED);
    assert_int_equal(policy->wake_count, 1);
    assert_string_equal(rule->id, "restock-low");
    assert_true(rule->enabled && rule->reopen);
    assert_int_equal(rule->priority, 10);
    assert_string_equal(rule->worker, "operator");
    assert_null(rule->worker_role);
    assert_true(rule->severities[SOV_WARNING] && !rule->severities[SOV_INFO]);
    assert_string_equal(rule->sow.effect, "replenishment");
    assert_true(rule->sow.effect_required);
    assert_string_equal(rule->sow.deliverables[0], "report.json");
}

/* The store's policy with one text replaced by another, the first time it stands there. */
static const struct {
    const char *old, *new, *pointer; /* pointer NULL: it is still a policy */
} changes[] = {
    /* keys */
    { "{\"acceptance\"", "{\"approval\":{},\"acceptance\"", "/approval/robots" },
    { "{\"acceptance\"", "{\"pressure\":{},\"acceptance\"", "/pressure" },
    { "{\"acceptance\"", "{\"memory\":{},\"acceptance\"", "/memory" },
    { "{\"acceptance\"", "{\"tools\":{},\"acceptance\"", "/tools" },
    { "{\"acceptance\"", "{\"automation\":{},\"acceptance\"", "/automation" },
    { "{\"acceptance\"", "{\"a/b~c\":{},\"acceptance\"", "/a~1b~0c" },
    { "{\"acceptance\"", "{\"Acceptance\"", "/Acceptance" },
    { "\"review\":{\"count\":1,\"persons\":0},", "", "/review" },
    { "\"defer\":300,", "", "/ttl/defer" },
    { "\"defer\":300,", "\"defer\":300,\"parcel\":900,", "/ttl/parcel" },
    { "\"open_sows\":16,", "\"open_sows\":16,\"parcel_retries\":3,", "/limits/parcel_retries" },
    { "\"robots\":[],", "", "/acceptance/robots" },
    { "\"answerable_required\":false", "\"strict\":true", "/separation/strict" },
    { "\"answerable_required\":false", "", "/separation/answerable_required" },
    /* kinds of values */
    { "\"review\":{\"count\":1,\"persons\":0}", "\"review\":[]", "/review" },
    { "\"count\":1", "\"count\":\"1\"", "/review/count" },
    { "\"answerable_required\":false", "\"answerable_required\":0",
      "/separation/answerable_required" },
    { "\"answerable_required\":false", "\"answerable_required\":true", NULL },
    { "\"robots\":[]", "\"robots\":{}", "/acceptance/robots" },
    { "\"robots\":[]", "\"robots\":[\"Bot\"]", "/acceptance/robots/0" },
    { "\"robots\":[]", "\"robots\":[\"a\",\"a\"]", "/acceptance/robots/1" },
    { "\"robots\":[]", "\"robots\":[\"a\",\"b\"]", NULL },
    /* ranges */
    { "\"count\":1", "\"count\":0", "/review/count" },
    { "\"count\":1", "\"count\":17", "/review/count" },
    { "\"count\":1,\"persons\":0", "\"count\":1,\"persons\":2", "/review/persons" },
    { "\"persons\":1,\"robots\":[],\"signers\":1", "\"persons\":2,\"robots\":[],\"signers\":1",
      "/acceptance/persons" },
    { "\"signers\":1", "\"signers\":0", "/acceptance/signers" },
    { "\"grace\":5", "\"grace\":-1", "/ttl/grace" },
    { "\"attempt\":900", "\"attempt\":14401", "/ttl/attempt" },
    { "\"attempt\":900", "\"attempt\":0", "/ttl/attempt" },
    { "\"deliverable_bytes\":67108864", "\"deliverable_bytes\":268435457",
      "/limits/deliverable_bytes" },
    { "\"signal_horizon\":2592000", "\"signal_horizon\":0", "/limits/signal_horizon" },
    /* what came later may be left out, whole; what is there is strict */
    { "{\"acc", "{\"approval\":{\"persons\":1,\"quorum\":1,\"robots\":[]},\"acc", NULL },
    { "{\"acc", "{\"approval\":{\"persons\":0,\"quorum\":16,\"robots\":[\"a\"]},\"acc", NULL },
    { "{\"acc", "{\"approval\":[],\"acc", "/approval" },
    { "{\"acc", "{\"approval\":{\"persons\":1,\"quorum\":1},\"acc", "/approval/robots" },
    { "{\"acc", "{\"approval\":{\"quorum\":1,\"robots\":[]},\"acc", "/approval/persons" },
    { "{\"acc", "{\"approval\":{\"persons\":2,\"quorum\":1,\"robots\":[]},\"acc",
      "/approval/persons" },
    { "{\"acc", "{\"approval\":{\"persons\":0,\"quorum\":0,\"robots\":[]},\"acc",
      "/approval/quorum" },
    { "{\"acc", "{\"approval\":{\"persons\":1,\"quorum\":1,\"robots\":[\"B\"]},\"acc",
      "/approval/robots/0" },
    { "{\"acc", "{\"approval\":{\"always\":true,\"persons\":1,\"quorum\":1,\"robots\":[]},\"acc",
      "/approval/always" },
    { "\"defer\":300,", "\"defer\":300,\"approval\":60,", NULL },
    { "\"defer\":300,", "\"defer\":300,\"approval\":0,", "/ttl/approval" },
    { "\"open_sows\":16,", "\"open_sows\":16,\"approvals_per_minute\":1,", NULL },
    { "\"defer\":300,", "\"defer\":300,\"message\":60,", NULL },
    { "\"defer\":300,", "\"defer\":300,\"delivery\":60,\"instance\":60,\"session\":60,", NULL },
    { "\"defer\":300,", "\"defer\":300,\"session\":0,", "/ttl/session" },
    { "\"defer\":300,", "\"defer\":300,\"instance\":0,", "/ttl/instance" },
    { "\"defer\":300,", "\"defer\":300,\"delivery\":0,", "/ttl/delivery" },
    { "\"open_sows\":16,",
      "\"open_sows\":16,\"delivery_attempts\":2,\"delivery_backoff\":1,\"delivery_backoff_max\":9,",
      NULL },
    { "\"open_sows\":16,", "\"open_sows\":16,\"delivery_attempts\":0,",
      "/limits/delivery_attempts" },
    { "\"open_sows\":16,", "\"open_sows\":16,\"delivery_backoff\":0,", "/limits/delivery_backoff" },
    { "\"defer\":300,", "\"defer\":300,\"message\":0,", "/ttl/message" },
    { "\"open_sows\":16,", "\"open_sows\":16,\"message_retries\":0,", "/limits/message_retries" },
    { "\"open_sows\":16,", "\"open_sows\":16,\"approvals_per_minute\":0,",
      "/limits/approvals_per_minute" },
    { "\"kind\":\"replenishment\",\"origin\"",
      "\"kind\":\"replenishment\",\"approval\":true,\"origin\"", NULL },
    { "\"kind\":\"replenishment\",\"origin\"",
      "\"kind\":\"replenishment\",\"approval\":1,\"origin\"", "/effects/1/approval" },
    { "\"kind\":\"sale\"", "\"kind\":\"sale\",\"approval\":false", NULL },
    /* roles */
    { "\"verifier\":[\"verify\"]", "\"verifier\":[\"Verify\"]", "/roles/verifier/0" },
    { "\"verifier\":[\"verify\"]", "\"verifier\":[\"verify\",\"verify\"]", "/roles/verifier/1" },
    { "\"verifier\":[\"verify\"]", "\"verifier\":[\"observe\"]", "/roles/verifier/0" },
    { "\"verifier\":[\"verify\"]", "\"verifier\":\"verify\"", "/roles/verifier" },
    { "\"verifier\":[\"verify\"]", "\"Verifier\":[\"verify\"]", "/roles/Verifier" },
    { "\"verifier\":[\"verify\"]", "\"verifier\":[]", NULL },
    /* effects */
    { "\"origin\":\"external\"", "\"origin\":\"world\"", "/effects/0/origin" },
    { "\"kind\":\"sale\"", "\"kind\":\"Sale\"", "/effects/0/kind" },
    { "\"kind\":\"sale\"", "\"kind\":\"replenishment\"", "/effects/1" },
    { "\"kind\":\"sale\"", "\"kind\":\"sale\",\"approval\":true", "/effects/0/approval" },
    { "\"subject\":\"SKU-*\"", "\"subject\":\"*-SKU\"", "/effects/0/subject" },
    { "\"subject\":\"SKU-*\"", "\"subject\":\"SKU**\"", "/effects/0/subject" },
    { "\"subject\":\"SKU-*\"", "\"subject\":\"\"", "/effects/0/subject" },
    { "\"subject\":\"SKU-*\"", "\"subject\":\"*\"", NULL },
    { "\"unit\":\"unit\"", "\"unit\":7", "/effects/0/unit" },
    { "\"min\":1,\"max\":50", "\"min\":0,\"max\":50", "/effects/0/quantity/min" },
    { "\"min\":1,\"max\":50", "\"min\":51,\"max\":50", "/effects/0/quantity/min" },
    { "\"min\":1,\"max\":50", "\"min\":1,\"max\":1,\"step\":1", "/effects/0/quantity/step" },
    { "\"sign\":-1,\"factors\":[\"quantity\"]", "\"sign\":2,\"factors\":[\"quantity\"]",
      "/effects/0/postings/0/sign" },
    { "\"sign\":-1,\"factors\":[\"quantity\"]", "\"sign\":0,\"factors\":[\"quantity\"]",
      "/effects/0/postings/0/sign" },
    { "\"sign\":-1,\"factors\":[\"quantity\"]", "\"sign\":-1,\"factors\":[]",
      "/effects/0/postings/0/factors" },
    { "\"sign\":-1,\"factors\":[\"quantity\"]", "\"sign\":-1,\"factors\":[\"quantity\",\"X\"]",
      "/effects/0/postings/0/factors/1" },
    { "\"sign\":-1,\"factors\":[\"quantity\"]", "\"sign\":-1,\"factors\":[3,\"quantity\"]", NULL },
    { "\"account\":\"inventory/{subject}\"", "\"account\":\"inventory-{subject}\"",
      "/effects/0/postings/0/account" },
    { "\"account\":\"inventory/{subject}\"", "\"account\":\"inventory/{signal}\"",
      "/effects/0/postings/0/account" },
    { "\"account\":\"inventory/{subject}\"", "\"account\":\"a/b/c/d/{subject}\"",
      "/effects/0/postings/0/account" },
    { "\"account\":\"inventory/{subject}\"", "\"account\":\"{subject}/a\"", NULL },
    { "[[\"inventory/{subject}\",1]", "[[\"inventory/{subject}\"]",
      "/effects/0/constraints/0/terms/0" },
    { "[[\"inventory/{subject}\",1]", "[[\"inventory//\",1]",
      "/effects/0/constraints/0/terms/0/0" },
    { "[[\"inventory/{subject}\",1]", "[[\"inventory/{subject}\",\"1\"]",
      "/effects/0/constraints/0/terms/0/1" },
    { "\"op\":\">=\"", "\"op\":\"=\"", "/effects/0/constraints/0/op" },
    { "\"op\":\">=\",\"value\":0", "\"op\":\">=\",\"value\":null",
      "/effects/0/constraints/0/value" },
    { "\"op\":\">=\",\"value\":0", "\"op\":\">=\",\"value\":\"quantity\"",
      "/effects/0/constraints/0/value" },
    { "\"then\":\"warning\"", "\"then\":\"alarm\"", "/effects/0/emits/0/then" },
    { "\"else\":\"info\"", "\"else\":null", "/effects/0/emits/0/else" },
    /* wake rules */
    { "\"id\":\"restock-low\"", "\"id\":\"restock low\"", "/wake/0/id" },
    { "\"priority\":10", "\"priority\":true", "/wake/0/priority" },
    { "\"sources\":[\"sale\"]", "\"sources\":[]", "/wake/0/on/sources" },
    { "\"sources\":[\"sale\"]", "\"sources\":[\"s*e\"]", "/wake/0/on/sources/0" },
    { "\"sources\":[\"sale\"]", "\"sources\":[\"*\"]", NULL },
    { "\"severities\":[\"warning\"]", "\"severities\":[]", "/wake/0/on/severities" },
    { "\"severities\":[\"warning\"]", "\"severities\":[\"bad\"]", "/wake/0/on/severities/0" },
    { "\"severities\":[\"warning\"]", "\"severities\":[\"info\",\"info\"]",
      "/wake/0/on/severities/1" },
    { "\"subject\":\"SKU-*\",\"when\"", "\"subject\":\"a*b\",\"when\"", "/wake/0/subject" },
    { "\"subject\":\"SKU-*\",\"when\"", "\"subject\":\"any thing*\",\"when\"", NULL },
    { "\"account\":\"inventory/{subject}\"", "\"account\":\"inventory/a{subject}\"",
      "/effects/0/postings/0/account" },
    { "\"worker\":\"operator\"", "\"worker\":\"role/operator\"", NULL },
    { "\"worker\":\"operator\"", "\"worker\":\"role/builder\"", "/wake/0/worker" },
    { "\"worker\":\"operator\"", "\"worker\":\"team/red\"", "/wake/0/worker" },
    { "\"planner\":\"master\"", "\"planner\":\"role/master\"", "/wake/0/planner" },
    { "\"kind\":\"replenishment\",\"required\"", "\"kind\":\"sale\",\"required\"",
      "/wake/0/sow/effect/kind" },
    { "{\"kind\":\"replenishment\",\"required\":true}", "null", NULL },
    { "[\"report.json\"]", "[\"../report.json\"]", "/wake/0/sow/deliverables" },
    { "[\"report.json\"]", "[\"{subject}.json\"]", NULL },
    { "[\"report.json\"]", "[\"a\",\"A\"]", "/wake/0/sow/deliverables" },
    { "\"title\":\"Restock {subject}\"", "\"title\":\" \"", "/wake/0/sow/title" },
    { "\"done_when\":\"The", "\"context\":\"x\",\"done_when\":\"The", "/wake/0/sow/context" },
};

static char *changed(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    size_t size = strlen(text) + strlen(new) + 1;
    char *result = test_malloc(size);

    assert_non_null(at);
    snprintf(result, size, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return result;
}

static void what_is_no_policy_is_refused_with_its_place(void **state)
{
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *text = changed(STORE, changes[i].old, changes[i].new);
        const struct sov_policy *policy = NULL;
        struct sov_error err = { 0 };
        bool ok = policy_read(text, *state, &policy, &err);

        if (ok != !changes[i].pointer)
            fail_msg("%s > %s: %s", changes[i].old, changes[i].new, ok ? "read" : err.what);
        if (!ok) {
            assert_refused(ok, &err, "policy_invalid");
            assert_null(policy);
            if (strcmp(err.refs[0], changes[i].pointer) != 0)
                fail_msg("%s is due at %s: %s", err.refs[0], changes[i].pointer, err.what);
        }
        test_free(text);
    }
}

static void what_is_left_out_is_what_the_default_says(void **state)
{
    const struct sov_policy *old = policy_of(STORE, *state);
    char *text = changed(STORE, "{\"acc",
                         "{\"approval\":{\"persons\":0,\"quorum\":3,\"robots\":[\"bot\"]},\"acc");
    const struct sov_policy *new = policy_of(text, *state);

#define X(section, key, normal, least, most) assert_int_equal(old->section##_##key, normal);
    SOV_POLICY_NUMBERS_LATER(X)
#undef X
    assert_int_equal(old->approval_robot_count, 0);
    assert_false(old->effects[1].approval);
    assert_int_equal(new->approval_quorum, 3);
    assert_int_equal(new->approval_persons, 0);
    assert_true(sov_policy_may_vote(new, "bot", SOV_ROBOT));
    assert_false(sov_policy_may_vote(new, "rob", SOV_ROBOT));
    assert_false(sov_policy_may_vote(old, "bot", SOV_SERVICE));
    assert_true(sov_policy_may_vote(old, "ann", SOV_PERSON));
    assert_false(sov_policy_may_sign(new, "bot", SOV_ROBOT));
    test_free(text);
}

static void a_second_rule_needs_an_id_of_its_own(void **state)
{
    const struct sov_policy *policy = NULL;
    struct sov_error err = { 0 };

    assert_refused(policy_read(DOCUMENT(REPLENISHMENT, RESTOCK "," RESTOCK), *state, &policy, &err),
                   &err, "policy_invalid");
    assert_string_equal(err.refs[0], "/wake/1/id");
}

static void only_canonical_octets_are_parsed(void **state)
{
    static const char *const texts[] = { "", "{}x", "{ }", "[1,]" };
    const struct sov_policy *policy = NULL;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sov_error err = { 0 };

        assert_refused(sov_policy_parse(sov_bytes_text(texts[i]), *state, &policy, &err), &err,
                       "bad_json");
        assert_null(policy);
    }
}

static void the_digests_change_with_what_they_cover(void **state)
{
    const struct sov_policy *a = policy_of(STORE, *state);
    char *other_ttl = changed(STORE, "\"defer\":300", "\"defer\":301"),
         *other_rule = changed(STORE, "\"priority\":10", "\"priority\":11");
    const struct sov_policy *b = policy_of(other_ttl, *state), *c = policy_of(other_rule, *state);

    assert_false(sov_hash_equal(&a->digest, &b->digest));
    assert_true(sov_hash_equal(&a->rules_digest, &b->rules_digest));
    assert_false(sov_hash_equal(&a->digest, &c->digest));
    assert_false(sov_hash_equal(&a->rules_digest, &c->rules_digest));
    test_free(other_ttl);
    test_free(other_rule);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_ARENA(the_default_is_whole_and_has_the_default_numbers),
        WITH_ARENA(the_rules_of_the_store_are_read),
        WITH_ARENA(what_is_no_policy_is_refused_with_its_place),
        WITH_ARENA(what_is_left_out_is_what_the_default_says),
        WITH_ARENA(a_second_rule_needs_an_id_of_its_own),
        WITH_ARENA(only_canonical_octets_are_parsed),
        WITH_ARENA(the_digests_change_with_what_they_cover),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
