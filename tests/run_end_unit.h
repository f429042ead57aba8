#ifndef SOV_TESTS_RUN_END_UNIT_H
#define SOV_TESTS_RUN_END_UNIT_H
/* A run of ASG-1 in the store of run_unit.h, started, and ways in which it ends. */
#include "tests/run_unit.h"

static const char report_octets[] = "{\"a report\":true}";

static inline int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    store_open(f);
    *state = f;
    return 0;
}

static inline int teardown(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

static inline struct sov_run_start start_of(int64_t assignment, int64_t fence)
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

static inline int64_t started(struct fixture *f)
{
    int64_t fence = store_claim(f, 1);
    struct sov_run_start start = start_of(1, fence);
    struct sov_done done;

    FIXTURE_DO(f, "operator", &done, sov_run_start(&commit, &start, &done, &err));
    return fence;
}

static const struct sov_proposal six = { "replenishment", "SKU-TEA", NULL, true, 6 };
static const struct sov_run_file report_file = { "report.json", { (const uint8_t *)"{}", 2 } };

/* A run that went well. */
static inline struct sov_run_finish finish_of(int64_t fence, const struct sov_proposal *proposals,
                                              size_t count)
{
    return (struct sov_run_finish){
        .assignment = 1,
        .fence = fence,
        .observed = { .report = SOV_REPORT_COMPLETED },
        .ended_by = "self",
        .exited = true,
        .proposals = { proposals, count },
        .files = &report_file,
        .file_count = 1,
        .has_report = true,
        .report = sov_bytes_text(report_octets),
        .boundary_scoped = true,
        .boundary_computed = true,
        .boundary_report = sov_bytes_text("{}"),
    };
}

static inline struct sov_run_end end_run(struct fixture *f, const struct sov_run_finish *finish,
                                         struct sov_done *done_out)
{
    struct sov_run_end end = { 0 };
    struct sov_done done = { 0 };

    FIXTURE_DO(f, "operator", &done, sov_run_finish(&commit, finish, &done, &end, &err));
    *done_out = done;
    return end;
}

static inline struct sov_supervised supervise(struct fixture *f)
{
    struct sov_supervised out = { 0 };
    struct sov_error err = { 0 };

    if (!sov_supervise(f->ledger, &(struct sov_supervise_options){ .pid = 9, .start = 90 },
                       &f->arena, &out, &err))
        fail_msg("%s", err.what);
    assert_int_equal(out.fault_count, 0);
    return out;
}

/* From an event back by what it cites, newest cause first, to the claim. */
static inline void assert_walk(struct fixture *f, int64_t from, const char *types)
{
    struct sov_error err = { 0 };
    char seen[256] = "";

    for (int64_t seq = from; seq;) {
        struct sov_event event;
        struct sov_value cause;
        size_t at = 0, size = strlen(seen);

        assert_true(sov_log_event(f->ledger, seq, &f->arena, &event, &err));
        snprintf(seen + size, sizeof seen - size, "%s%s", size ? " " : "",
                 sov_event_row(event.type)->type);
        seq = 0;
        if (event.type == SOV_EVENT_CLAIM_ACQUIRED || !sov_value_there(event.cause)) break;
        while (sov_value_item(event.cause, &at, &cause)) seq = sov_value_int(cause);
    }
    assert_string_equal(seen, types);
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
#endif
