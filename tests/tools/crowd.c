/*
 * One of a crowd of writers, for the campaign of concurrency. It opens the ledger once and appends
 * signals, each a commit of its own, and says each seq when it is acknowledged and not before.
 *   crowd HOME KEYS NAME COUNT [WAIT_MS]
 * The last line is `done APPENDED REFUSED LONGEST_MS`; a refusal is a line `refused CODE`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ledger/ledger.h"

struct tally {
    int64_t appended, refused, longest_ms;
};

/* One write(2) a line: what was said before a kill stays said. */
static void say(const char *word, int64_t number)
{
    char line[128];
    int size = number ? snprintf(line, sizeof line, "%lld\n", (long long)number)
                      : snprintf(line, sizeof line, "refused %s\n", word);

    if (write(STDOUT_FILENO, line, (size_t)size) != size) abort();
}

static bool append(struct sov_ledger *ledger, const char *name, int64_t i, int64_t *seq_out,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    char key[80];
    struct sov_act act = {
        .actor = "operator", .key = key, .expect_seq = -1, .expect_version = -1
    };
    struct sov_signal_request request = { .kind = "crowd.append", .source = name, .subject = "it" };
    struct sov_done done;
    int64_t head;

    snprintf(key, sizeof key, "%s-%lld", name, (long long)i);
    if (!sov_commit_begin(&commit, ledger, &act, err) ||
        !sov_signal_record(&commit, &request, &done, err) ||
        !sov_commit_finish(&commit, &head, err))
        return false;
    *seq_out = done.seq;
    return true;
}

static void work(struct sov_ledger *ledger, const char *name, int64_t count, struct tally *tally)
{
    for (int64_t i = 1; i <= count; i++) {
        struct sov_error err = { 0 };
        int64_t seq = 0, before = sov_monotonic_ms(), took;

        if (append(ledger, name, i, &seq, &err)) {
            tally->appended++;
            say(NULL, seq);
        } else {
            tally->refused++;
            say(err.code, 0);
        }
        took = sov_monotonic_ms() - before;
        if (took > tally->longest_ms) tally->longest_ms = took;
    }
}

int main(int argc, char **argv)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *ledger = NULL;
    struct sov_seams seams = { .clock = sov_clock_system(), .random = sov_random_system() };
    struct sov_error err = { 0 };
    struct tally tally = { 0 };

    if (argc < 5) {
        fputs("crowd HOME KEYS NAME COUNT [WAIT_MS]\n", stderr);
        return 2;
    }
    if (!sov_ledger_open(&(struct sov_places){ argv[1], argv[2] }, SOV_LEDGER_WRITE, &seams,
                         argc > 5 ? atoll(argv[5]) : 5000, &ledger, &err)) {
        say(err.code, 0);
        return 1;
    }
    work(ledger, argv[3], atoll(argv[4]), &tally);
    printf("done %lld %lld %lld\n", (long long)tally.appended, (long long)tally.refused,
           (long long)tally.longest_ms);
    return tally.refused ? 1 : 0;
}
