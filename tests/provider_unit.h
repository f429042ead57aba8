#ifndef SOV_TESTS_PROVIDER_UNIT_H
#define SOV_TESTS_PROVIDER_UNIT_H
/* One run over the store: providers are shell scripts in a folder beside the repository. */
#include "tests/run_unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "providers/providers.h"

#define REPORT_TEXT(status, more)                                                                  \
    "{\"kind\":\"sov.report.v1\",\"assignment\":\"ASG-1\",\"status\":\"" status                    \
    "\",\"summary\":\"done\",\"deliverables\":[{\"path\":\"report.json\",\"note\":null}]," more    \
    "\"checks\":[],\"notes\":null}"
#define NOTHING "\"proposals\":[],\"questions\":[],\"blockers\":[],"
#define SIX                                                                                        \
    "\"proposals\":[{\"kind\":\"replenishment\",\"subject\":\"SKU-TEA\",\"quantity\":6,"           \
    "\"unit\":null,\"reason\":\"low\"}],\"questions\":[],\"blockers\":[],"
#define REPORT REPORT_TEXT("completed", SIX)
/* What a shell says on standard output. */
#define SAY(report) "printf '%s\\n' '" report "'\n"
#define DELIVER "printf '{}' > \"$SOV_OUT/report.json\"\n"

static inline const char *provider_write(struct fixture *f, const char *name, const char *text)
{
    char *folder = sov_arena_printf(&f->arena, "%s/bin", f->root);
    char *path = sov_arena_printf(&f->arena, "%s/%s", folder, name);
    FILE *file;

    (void)mkdir(folder, 0700);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

static inline const char *provider_shell(struct fixture *f, const char *body)
{
    return provider_write(f, "agent", sov_arena_printf(&f->arena, "#!/bin/sh\n%s", body));
}

static inline struct sov_run_options run_options(struct fixture *f)
{
    return (struct sov_run_options){ .actor = "operator",
                                     .expect_seq = -1,
                                     .expect_version = -1,
                                     .assignment = 1,
                                     .top = f->repo,
                                     .seams = &f->seams,
                                     .wall_ms = 20000,
                                     .idle_ms = 20000,
                                     .grace_ms = 200 };
}

static inline struct sov_run_options run_command(struct fixture *f, const char *path)
{
    struct sov_run_options options = run_options(f);
    const char **argv = sov_arena_array(&f->arena, 2, sizeof *argv);

    argv[0] = path;
    options.argv = argv;
    return options;
}

static inline struct sov_run_result run_ok(struct fixture *f, const struct sov_run_options *options)
{
    struct sov_run_result result = { 0 };
    struct sov_error err = { 0 };

    if (!sov_run(f->ledger, options, &f->arena, &result, &err))
        fail_msg("%s: %s", err.code, err.what);
    return result;
}

/* Refused before a claim: nothing is appended. */
static inline void run_refused(struct fixture *f, const struct sov_run_options *options,
                               const char *code, const char *says)
{
    struct sov_run_result result = { .fence = 77 };
    struct sov_error err = { 0 };
    struct sov_hash before = fixture_digest(f), after;
    const struct sov_refusal *row;

    if (sov_run(f->ledger, options, &f->arena, &result, &err)) fail_msg("not refused: %s", code);
    assert_string_equal(err.code, code);
    if (says && !strstr(err.what, says)) fail_msg("%s", err.what);
    row = sov_refusal_find(code);
    assert_non_null(row);
    assert_int_equal(row->exit, err.exit);
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(result.fence, 77);
}

static inline struct sov_value run_finished(struct fixture *f, const struct sov_run_result *result)
{
    struct sov_run run = { 0 };
    struct sov_error err = { 0 };
    bool found = false;

    assert_true(sov_run_find(f->ledger, 1, result->fence, &f->arena, &run, &found, &err) && found);
    assert_non_null(run.finished.data);
    return sov_value(run.finished);
}

static inline int64_t run_counted(struct fixture *f, const struct sov_run_result *result,
                                  const char *name)
{
    struct sov_value counts = sov_value_get(run_finished(f, result), "counts");

    return sov_value_int(sov_value_get(counts, name));
}

/* A raw stream that was kept; .data NULL: none. */
static inline struct sov_blob run_blob(struct fixture *f, struct sov_value ref_value)
{
    struct sov_blob blob = { 0 };
    struct sov_blob_ref ref;
    struct sov_error err = { 0 };
    bool found;

    if (!sov_value_there(ref_value)) return blob;
    assert_true(sov_blob_ref_read(ref_value, &f->arena, &ref));
    assert_true(sov_blob_find(f->ledger, &ref.digest, &f->arena, &blob, &found, &err) && found);
    return blob;
}

static inline void run_register(struct fixture *f, const char *name, const char *adapter,
                                const char *argv, const char *more)
{
    const char *text = sov_arena_printf(
        &f->arena,
        "{\"kind\":\"sov.provider.v1\",\"adapter\":\"%s\",\"argv\":[%s],\"folders\":[],"
        "\"roots\":[],\"tools\":[],\"network\":false,\"egress\":\"public\"%s}",
        adapter, argv, more);
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done,
               sov_provider_register(&commit, name, sov_bytes_text(text), &done, &err));
}

static inline int provider_setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    store_open(f);
    *state = f;
    return 0;
}

static inline int provider_teardown(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

#endif
