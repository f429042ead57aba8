/*
 * A long log, for campaigns that need one: signals, so many in a commit.
 *   bulk HOME KEYS NAME COUNT BATCH
 */
#include <stdio.h>
#include <stdlib.h>

#include "ledger/ledger.h"

static bool append(struct sov_ledger *ledger, const char *name, int64_t first, int64_t count,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act act = { .actor = "operator", .expect_seq = -1, .expect_version = -1 };
    struct sov_signal_request request = { .kind = "bulk.append", .source = name };
    struct sov_done done;
    int64_t head;

    if (!sov_commit_begin(&commit, ledger, &act, err)) return false;
    for (int64_t i = first; i < first + count; i++) {
        char subject[40];

        snprintf(subject, sizeof subject, "item-%lld", (long long)i);
        request.subject = subject;
        if (!sov_signal_record(&commit, &request, &done, err)) return false;
    }
    return sov_commit_finish(&commit, &head, err);
}

int main(int argc, char **argv)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *ledger = NULL;
    struct sov_seams seams = { .clock = sov_clock_system(), .random = sov_random_system() };
    struct sov_error err = { 0 };
    int64_t count, batch;
    bool ok;

    if (argc != 6) {
        fputs("bulk HOME KEYS NAME COUNT BATCH\n", stderr);
        return 2;
    }
    count = atoll(argv[4]);
    batch = atoll(argv[5]);
    ok = sov_ledger_open(&(struct sov_places){ argv[1], argv[2] }, SOV_LEDGER_WRITE, &seams, 5000,
                         &ledger, &err);
    for (int64_t i = 1; ok && i <= count; i += batch)
        ok = append(ledger, argv[3], i, batch < count - i + 1 ? batch : count - i + 1, &err);
    if (!ok) fprintf(stderr, "bulk: %s: %s\n", err.code, err.what);
    return !ok;
}
