/* Providers: the strict form of a registration, what is kept of it, what is refused. */
#include "tests/world_fixture.h"

static struct sov_bytes text(const char *s)
{
    return sov_bytes_text(s);
}

#define COMMON(adapter)                                                                            \
    "{\"kind\":\"sov.provider.v1\",\"adapter\":\"" adapter "\",\"folders\":[\"/opt/bin\"],"        \
    "\"roots\":[],\"env\":[\"LC_ALL\"],\"credentials\":[\"api.key\"],\"tools\":[\"edit\"],"        \
    "\"network\":false,\"egress\":\"public\""

static void a_command_is_registered_and_read_back(void **state)
{
    struct fixture *f = *state;
    struct sov_provider provider;
    struct sov_providers all;
    struct sov_probed probed;
    struct sov_error why = { 0 };
    struct sov_done done;
    bool found;

    BY(f, "principal", NULL,
       sov_provider_register(&commit, "agent",
                             text(COMMON("command") ",\"argv\":[\"agent\",\"--run\"],"
                                                    "\"min_sandbox\":\"L2,network\"}"),
                             &done, &err));
    assert_true(sov_provider_get(f->ledger, "agent", &f->arena, &provider, &why));
    assert_string_equal(provider.adapter, "command");
    assert_int_equal(provider.argv.count, 2);
    assert_string_equal(provider.argv.at[1], "--run");
    assert_string_equal(provider.folders.at[0], "/opt/bin");
    assert_string_equal(provider.env.at[0], "LC_ALL");
    assert_string_equal(provider.credentials.at[0], "api.key");
    assert_string_equal(provider.min_sandbox, "L2,network");
    assert_null(provider.model);
    assert_false(provider.has_script || provider.network || provider.confidential);
    assert_true(sov_provider_probed(f->ledger, "agent", &f->arena, &probed, &found, &why));
    assert_false(found);
    BY(f, "principal", NULL, sov_provider_retire(&commit, "agent", "too old", &done, &err));
    BY(f, "principal", "wrong_state",
       sov_provider_retire(&commit, "agent", "too old", &done, &err));
    BY(f, "principal", "exists",
       sov_provider_register(&commit, "agent", text(COMMON("command") ",\"argv\":[\"a\"]}"), &done,
                             &err));
    assert_true(sov_provider_list(f->ledger, &f->arena, &all, &why));
    assert_int_equal(all.count, 1);
    assert_true(all.at[0].retired);
}

static void a_script_becomes_a_blob(void **state)
{
    static const char script[] = "{\"format\":\"sov-script-1\",\"turns\":[]}";
    struct fixture *f = *state;
    struct sov_provider provider;
    struct sov_blob blob;
    struct sov_error why = { 0 };
    struct sov_done done;
    bool found;

    BY(f, "principal", NULL,
       sov_provider_register(&commit, "fake",
                             text(COMMON("scripted") ",\"argv\":[],\"script\":"
                                                     "{ \"turns\":[], "
                                                     "\"format\":\"sov-script-1\"}}"),
                             &done, &err));
    assert_true(sov_provider_get(f->ledger, "fake", &f->arena, &provider, &why));
    assert_true(provider.has_script);
    assert_true(sov_blob_find(f->ledger, &provider.script.digest, &f->arena, &blob, &found, &why));
    assert_true(found);
    assert_true(sov_bytes_is(blob.content, script));
}

/* Behind a lead that passes for run.started: what a run does is tested where runs are. */
static bool probe(struct sov_commit *commit, const char *version, struct sov_done *done,
                  struct sov_error *err)
{
    struct sov_probed probed = { .adapter = "command",
                                 .adapter_version = 1,
                                 .version_line = version,
                                 .proofs = text("{\"tools\":\"ABSENT\"}") };

    if (!sov_heartbeat_record(commit, "runner", NULL, &(struct sov_who){ .pid = 1 }, done, err))
        return false;
    commit->lead_type = SOV_EVENT_RUN_STARTED;
    return sov_provider_follow_probed(commit, "agent", &probed, err);
}

static void a_probe_is_recorded_when_it_says_something_new(void **state)
{
    struct fixture *f = *state;
    struct sov_probed probed;
    struct sov_error why = { 0 };
    struct sov_done done;
    int64_t head;
    bool found;

    BY(f, "operator", "no_such_id", probe(&commit, "agent 1.0", &done, &err));
    BY(f, "principal", NULL,
       sov_provider_register(&commit, "agent", text(COMMON("command") ",\"argv\":[\"a\"]}"), &done,
                             &err));
    head = fixture_head(f);
    BY(f, "operator", NULL, probe(&commit, "agent 1.0", &done, &err));
    fixture_tick(f, 60000);
    BY(f, "operator", NULL, probe(&commit, "agent 1.0", &done, &err));
    fixture_tick(f, 60000);
    BY(f, "operator", NULL, probe(&commit, "agent 1.1", &done, &err));
    assert_string_equal(types_after(f, head),
                        "heartbeat.recorded provider.probed heartbeat.recorded "
                        "heartbeat.recorded provider.probed");
    assert_true(sov_provider_probed(f->ledger, "agent", &f->arena, &probed, &found, &why) && found);
    assert_string_equal(probed.version_line, "agent 1.1");
    assert_string_equal(probed.adapter, "command");
    assert_true(sov_bytes_is(probed.proofs, "{\"tools\":\"ABSENT\"}"));
    assert_false(probed.has_executable);
}

static const struct {
    const char *who, *name, *code, *text;
} refused[] = {
    { "operator", "p", "not_authorised", COMMON("command") ",\"argv\":[\"a\"]}" },
    { "principal", "P", "bad_value", COMMON("command") ",\"argv\":[\"a\"]}" },
    { "principal", "human", "exists", COMMON("command") ",\"argv\":[\"a\"]}" },
    { "principal", "builtin", "exists", COMMON("command") ",\"argv\":[\"a\"]}" },
    { "principal", "p", "bad_json", COMMON("command") ",\"argv\":[\"a\"]" },
    { "principal", "p", "bad_json", COMMON("command") ",\"argv\":[],\"argv\":[\"a\"]}" },
    { "principal", "p", "bad_value", "[]" },
    { "principal", "p", "bad_value", COMMON("command") "}" },
    { "principal", "p", "bad_value", COMMON("command") ",\"argv\":[]}" },
    { "principal", "p", "bad_value", COMMON("command") ",\"argv\":\"a\"}" },
    { "principal", "p", "bad_value", COMMON("command") ",\"argv\":[7]}" },
    { "principal", "p", "bad_value", COMMON("command") ",\"argv\":[\"a\\n\"]}" },
    { "principal", "p", "bad_value", COMMON("claude") ",\"argv\":[\"a\"]}" },
    { "principal", "p", "bad_value", COMMON("command") ",\"argv\":[\"a\"],\"shell\":true}" },
    { "principal", "p", "bad_value", COMMON("command") ",\"argv\":[\"a\"],\"script\":{}}" },
    { "principal", "p", "bad_value", COMMON("scripted") ",\"argv\":[]}" },
    { "principal", "p", "bad_value", COMMON("scripted") ",\"argv\":[\"a\"],\"script\":{}}" },
    { "principal", "p", "bad_value",
      COMMON("command") ",\"argv\":[\"a\"],\"min_sandbox\":\"L4\"}" },
    { "principal", "p", "bad_value",
      COMMON("command") ",\"argv\":[\"a\"],\"min_sandbox\":\"L1,tool\"}" },
    { "principal", "p", "bad_value",
      "{\"kind\":\"sov.provider.v2\",\"adapter\":\"command\",\"folders\":[],\"roots\":[],"
      "\"env\":[],\"credentials\":[],\"tools\":[],\"network\":false,\"egress\":\"public\","
      "\"argv\":[\"a\"]}" },
    { "principal", "p", "bad_value",
      "{\"kind\":\"sov.provider.v1\",\"adapter\":\"command\",\"folders\":[\"bin\"],"
      "\"roots\":[],\"env\":[],\"credentials\":[],\"tools\":[],\"network\":false,"
      "\"egress\":\"public\",\"argv\":[\"a\"]}" },
    { "principal", "p", "bad_value",
      "{\"kind\":\"sov.provider.v1\",\"adapter\":\"command\",\"folders\":[\"/a/../b\"],"
      "\"roots\":[],\"env\":[],\"credentials\":[],\"tools\":[],\"network\":false,"
      "\"egress\":\"public\",\"argv\":[\"a\"]}" },
    { "principal", "p", "bad_value",
      "{\"kind\":\"sov.provider.v1\",\"adapter\":\"command\",\"folders\":[],"
      "\"roots\":[],\"env\":[\"A=b\"],\"credentials\":[],\"tools\":[],\"network\":false,"
      "\"egress\":\"public\",\"argv\":[\"a\"]}" },
    { "principal", "p", "bad_value",
      "{\"kind\":\"sov.provider.v1\",\"adapter\":\"command\",\"folders\":[],"
      "\"roots\":[],\"env\":[],\"credentials\":[\"../key\"],\"tools\":[],\"network\":false,"
      "\"egress\":\"public\",\"argv\":[\"a\"]}" },
    { "principal", "p", "bad_value",
      "{\"kind\":\"sov.provider.v1\",\"adapter\":\"command\",\"folders\":[],"
      "\"roots\":[],\"env\":[],\"credentials\":[],\"tools\":[],\"network\":0,"
      "\"egress\":\"public\",\"argv\":[\"a\"]}" },
    { "principal", "p", "bad_value",
      "{\"kind\":\"sov.provider.v1\",\"adapter\":\"command\",\"folders\":[],"
      "\"roots\":[],\"env\":[],\"credentials\":[],\"tools\":[],\"network\":true,"
      "\"egress\":\"all\",\"argv\":[\"a\"]}" },
};

static void a_registration_is_refused_with_nothing_changed(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        BY(f, refused[i].who, refused[i].code,
           sov_provider_register(&commit, refused[i].name, text(refused[i].text), &done, &err));
    BY(f, "principal", "no_such_id", sov_provider_retire(&commit, "p", "gone", &done, &err));
    BY(f, "principal", "reason_missing", sov_provider_retire(&commit, "p", "", &done, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_STORE(a_command_is_registered_and_read_back),
        IN_STORE(a_script_becomes_a_blob),
        IN_STORE(a_probe_is_recorded_when_it_says_something_new),
        IN_STORE(a_registration_is_refused_with_nothing_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
