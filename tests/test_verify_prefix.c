/*
 * The logs of fixtures/chains. Of the good ones every prefix gives the same state whether it is
 * folded on and on, at once, or chain_rebuilt in a file; the bad ones are signed anew by the
 * ledger's own key, and verify names the class and the event of their names all the same.
 */
#include "tests/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/chain_fixture.h"
#include "verify/verify.h"

#define CHAINS "fixtures/chains"

/* SHA-256 over every row of every derived table but the compact range, which no fold writes. */
static struct sov_hash state_digest(const struct sov_ledger *ledger)
{
    struct sov_sha256 hash;
    struct sov_error err = { 0 };
    size_t count;
    const struct sov_state_table *tables = sov_state_tables(&count);

    sov_sha256_begin(&hash);
    for (size_t i = 0; i < count; i++) {
        struct sov_stmt stmt = { 0 };
        bool found;

        if (strcmp(tables[i].name, "state_range") == 0) continue;
        if (!sov_stmt_open(&stmt, sov_ledger_tables(ledger), tables[i].rows, &err))
            fail_msg("%s", err.what);
        if (tables[i].reach == 'N' || tables[i].reach == 'H') {
            sov_bind_int(&stmt, 1, 0);
            sov_bind_int(&stmt, 2, INT64_MAX);
        }
        sov_sha256_add(&hash, sov_bytes_text(tables[i].name));
        for (;;) {
            if (!sov_stmt_row(&stmt, &found, &err)) fail_msg("%s: %s", tables[i].name, err.what);
            if (!found) break;
            for (int n = 0; n < sov_column_count(&stmt); n++) {
                int64_t integer = 0;
                int class = 0;
                struct sov_bytes octets = sov_column_any(&stmt, n, &class, &integer);
                uint64_t facts[3] = { (uint64_t) class, (uint64_t)integer, octets.size };

                sov_sha256_add(&hash, sov_bytes(facts, sizeof facts));
                if (octets.size) sov_sha256_add(&hash, octets);
            }
        }
        sov_stmt_close(&stmt);
    }
    return sov_sha256_end(&hash);
}

static const char *const good[] = { "good-store",    "good-red",  "good-lost", "good-law",
                                    "good-approval", "good-mail", "good-wire" };

static void every_prefix_folded_on_equals_the_same_folded_at_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct sov_ledger *on = NULL, *once = NULL;
        struct sov_error err = { 0 };
        struct chain c;

        chain_open(&c, good[i], good[i]);
        chain_write(&c, c.count);
        if (!chain_rebuilt(&c, &err)) fail_msg("%s: %s %s", good[i], err.code, err.what);
        assert_true(sov_ledger_memory(c.f.ledger, c.count, true, &on, &err));
        for (int64_t size = 1; size <= c.count; size++) {
            struct sov_hash a, b;
            struct sov_event event;

            assert_true(sov_event_decode(c.lines[size - 1], &event, &err));
            assert_true(sov_ledger_fold_event(on, &event, &err));
            assert_true(sov_ledger_fold_to(c.f.ledger, size, &once, &err));
            a = state_digest(on);
            b = state_digest(once);
            if (memcmp(&a, &b, sizeof a) != 0)
                fail_msg("%s differs at %lld", good[i], (long long)size);
            sov_ledger_close(once);
        }
        sov_ledger_close(on);
        fixture_close(&c.f);
    }
}

static void a_prefix_rebuilt_in_a_file_equals_the_fold(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct sov_hash folded[LINES];
        struct chain c;
        struct sov_error err = { 0 };

        chain_open(&c, good[i], good[i]);
        chain_write(&c, c.count);
        assert_true(chain_rebuilt(&c, &err));
        for (size_t k = 0; k < c.commit_count; k++) {
            struct sov_ledger *once = NULL;

            assert_true(sov_ledger_fold_to(c.f.ledger, c.commits[k], &once, &err));
            folded[k] = state_digest(once);
            sov_ledger_close(once);
        }
        for (size_t k = i % 2; k < c.commit_count; k += 2) {
            struct sov_hash file;

            chain_write(&c, c.commits[k]);
            if (!chain_rebuilt(&c, &err)) fail_msg("%s: %s %s", good[i], err.code, err.what);
            file = state_digest(c.f.ledger);
            if (memcmp(&file, &folded[k], sizeof file) != 0)
                fail_msg("%s differs at %lld", good[i], (long long)c.commits[k]);
        }
        fixture_close(&c.f);
    }
}

static struct sov_report judged(struct chain *c, const char *pins, int64_t slice)
{
    struct sov_verify_options options = { .places = &c->f.places,
                                          .seams = &c->f.seams,
                                          .wait_ms = 1000,
                                          .pins = pins,
                                          .no_anchor = true,
                                          .all_signatures = true,
                                          .slice = slice };
    struct sov_report report;
    struct sov_error err = { 0 };

    sov_ledger_close(c->f.ledger);
    c->f.ledger = NULL;
    if (!sov_verify(&options, &c->f.arena, &report, &err)) fail_msg("%s", err.what);
    return report;
}

static void explain(const struct sov_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        print_message("#   %s %s %lld %s\n", sov_class_word(report->findings[i].class),
                      report->findings[i].kind, (long long)report->findings[i].seq,
                      report->findings[i].message);
}

static void the_good_logs_are_as_they_were_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct sov_error err = { 0 };
        struct sov_report report;
        struct chain c;

        chain_open(&c, good[i], good[i]);
        chain_write(&c, c.count);
        assert_true(chain_rebuilt(&c, &err));
        for (int64_t slice = 0; slice < 3; slice++) {
            report = judged(&c, NULL, slice);
            if (report.exit != SOV_OK) {
                explain(&report);
                fail_msg("%s: exit %d", good[i], (int)report.exit);
            }
            assert_int_equal(report.size, c.count);
        }
        fixture_close(&c.f);
    }
}

/* "bad-TAMPER-60-gap.jsonl" */
static bool judge_bad(const char *file, const struct sov_pin *pin, const char *good_name)
{
    struct sov_error err = { 0 };
    struct sov_report report;
    struct chain c;
    char name[128], class[32], pins[128];
    long long seq;
    bool named = false;

    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(".jsonl")), file);
    assert_int_equal(sscanf(name, "bad-%31[A-Z]-%lld-", class, &seq), 2);
    chain_open(&c, name, good_name);
    snprintf(pins, sizeof pins, "%s/pins", c.f.root);
    assert_true(sov_pin_move(pins, pin, &err));
    chain_write(&c, c.count);
    (void)chain_rebuilt(&c, &err); /* what cannot be folded leaves the tables of the founding */
    report = judged(&c, pins, 0);
    for (size_t i = 0; i < report.count; i++)
        named = named || (strcmp(sov_class_word(report.findings[i].class), class) == 0 &&
                          (!seq || report.findings[i].seq == seq));
    if (!named || report.exit != SOV_INTEGRITY) {
        print_message("# %s: exit %d, first bad %lld\n", file, (int)report.exit,
                      (long long)report.first_bad_seq);
        explain(&report);
        named = false;
    }
    fixture_close(&c.f);
    return named;
}

/* What somebody outside holds: the newest checkpoint of the good log. */
static struct sov_pin pin_of(const char *name)
{
    struct sov_range range = { 0 };
    struct sov_pin pin = { 0 };
    struct chain c;

    chain_open(&c, name, name);
    for (int64_t i = 0; i < c.count; i++) {
        struct sov_hash leaf = sov_leaf_hash(c.lines[i]);

        sov_range_append(&range, &leaf);
    }
    pin = (struct sov_pin){ .ledger_id = c.id, .size = c.count };
    pin.root = sov_range_root(&range);
    fixture_close(&c.f);
    return pin;
}

static void a_bad_log_is_named_by_class_and_event(void **state)
{
    DIR *folder = opendir(CHAINS);
    static const struct {
        const char *mark, *good; /* of whose names hold the mark, this is the log */
    } of[] = { { "-approval-", "good-approval" },
               { "-mail-", "good-mail" },
               { "-wire-", "good-wire" },
               { "-", "good-store" } };
    struct sov_pin pins[sizeof of / sizeof *of];
    struct dirent *entry;
    int seen = 0, missed = 0;
    size_t at;

    (void)state;
    assert_non_null(folder);
    for (at = 0; at < sizeof of / sizeof *of; at++) pins[at] = pin_of(of[at].good);
    while ((entry = readdir(folder))) {
        if (strncmp(entry->d_name, "bad-", 4) != 0) continue;
        seen++;
        for (at = 0; !strstr(entry->d_name, of[at].mark);) at++;
        if (!judge_bad(entry->d_name, &pins[at], of[at].good)) missed++;
    }
    closedir(folder);
    if (missed) fail_msg("%d of %d", missed, seen);
    assert_true(seen >= 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_good_logs_are_as_they_were_written),
        cmocka_unit_test(every_prefix_folded_on_equals_the_same_folded_at_once),
        cmocka_unit_test(a_prefix_rebuilt_in_a_file_equals_the_fold),
        cmocka_unit_test(a_bad_log_is_named_by_class_and_event),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
