#ifndef SOV_TESTS_PULSE_UNIT_H
#define SOV_TESTS_PULSE_UNIT_H
/* What the tests of the pulse share. Each of them ends by deciding every wake.decided of its log
 * again, from the log alone. */
#include "ledger/log.h"
#include "tests/ledger_work.h"
#include "tests/world_fixture.h"

static inline void activate(struct fixture *f, int64_t outcome)
{
    struct sov_done done;

    BY(f, "master", NULL, sov_outcome_activate(&commit, outcome, &done, &err));
}

/* An active outcome on SKU-TEA. */
static inline int64_t tea(struct fixture *f)
{
    int64_t n = work_define(f, "SKU-TEA");

    activate(f, n);
    return n;
}

static inline struct sov_pulseds pulse_by(struct fixture *f, struct sov_pulse_options options)
{
    struct sov_pulseds pulsed;
    struct sov_error why = { 0 };

    if (!sov_pulse(f->ledger, &options, &f->arena, &pulsed, &why))
        fail_msg("%s: %s", why.code, why.what);
    return pulsed;
}

/* A pass in which something was due. */
static inline struct sov_pulseds pulse(struct fixture *f)
{
    struct sov_pulseds pulsed = pulse_by(f, (struct sov_pulse_options){ 0 });

    if (!pulsed.count) fail_msg("nothing was due");
    return pulsed;
}

static inline void assert_silent(struct fixture *f)
{
    struct sov_hash before = fixture_digest(f), after;
    struct sov_pulseds pulsed = pulse_by(f, (struct sov_pulse_options){ 0 });

    if (pulsed.count)
        fail_msg("SIG-%lld was due, %s", (long long)pulsed.at[0].signal,
                 pulsed.at[0].faulted ? pulsed.at[0].fault.what : pulsed.at[0].wake.reason);
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
}

static inline void assert_answer(const struct sov_pulsed *one, int64_t signal, const char *decision,
                                 const char *reason)
{
    if (one->faulted) fail_msg("%s: %s", one->fault.code, one->fault.what);
    assert_int_equal(one->signal, signal);
    assert_string_equal(one->wake.reason, reason);
    assert_string_equal(sov_policy_wake_word(one->wake.decision), decision);
}

static inline bool cites(const struct sov_event *event, int64_t seq)
{
    struct sov_value item;
    size_t at = 0;

    if (!sov_value_there(event->cause)) return false;
    while (sov_value_item(event->cause, &at, &item))
        if (sov_value_int(item) == seq) return true;
    return false;
}

/* From the state before the event, at its own instant: the same answer over the same inputs. */
static inline void decide_again(struct fixture *f, const struct sov_event *event)
{
    const struct sov_policy *policy;
    struct sov_ledger *folded = NULL;
    struct sov_signal signal;
    struct sov_wake wake;
    struct sov_error err = { 0 };
    char hex[SOV_HEX_HASH + 1];

    assert_true(sov_ledger_fold_to(f->ledger, event->seq - 1, &folded, &err));
    assert_true(sov_policy_at(folded, 0, &f->arena, &policy, &err));
    assert_true(sov_signal_get(folded, event->stream.n, &f->arena, &signal, &err));
    if (!sov_wake_decide(folded, policy, &signal, event->at.ms, &f->arena, &wake, &err))
        fail_msg("%s: %s", err.code, err.what);
    sov_hex(sov_hash_bytes(&wake.inputs_digest), hex);
    assert_true(sov_bytes_is(sov_data_text(event, "inputs_digest", &f->arena), hex));
    sov_hex(sov_hash_bytes(&wake.rules_digest), hex);
    assert_true(sov_bytes_is(sov_data_text(event, "rules_digest", &f->arena), hex));
    assert_true(sov_bytes_is(sov_data_text(event, "reason", &f->arena), wake.reason));
    assert_true(sov_bytes_is(sov_data_text(event, "decision", &f->arena),
                             sov_policy_wake_word(wake.decision)));
    assert_int_equal(sov_data_number(event, "outcome", SOV_STREAM_OUTCOME), wake.outcome);
    sov_ledger_close(folded);
}

static inline int pulse_teardown(void **state)
{
    struct fixture *f = *state;
    struct sov_error err = { 0 };
    struct sov_event event;
    int64_t head = fixture_head(f);

    for (int64_t seq = 1; seq <= head; seq++) {
        assert_true(sov_log_event(f->ledger, seq, &f->arena, &event, &err));
        if (event.type == SOV_EVENT_WAKE_DECIDED) decide_again(f, &event);
    }
    return world_teardown(state);
}
#define PULSE(test) cmocka_unit_test_setup_teardown(test, world_setup, pulse_teardown)
#endif
