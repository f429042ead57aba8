#include "tests/simulator/judged.h"

#include <stdlib.h>
#include <string.h>

#include "tests/simulator/oracle.h"
#include "tests/simulator/text.h"

struct case_of { /* an outcome in one of its terms */
    int64_t outcome, term;
};

static int64_t number_of(const char *stream)
{
    const char *dash = strrchr(stream, '-');

    return dash ? strtoll(dash + 1, NULL, 10) : 0;
}

static bool is_of_sow(const struct case_of *at, int64_t n)
{
    const struct oracle_entity *sow = oracle_entity(KIND_SOW, n);

    return sow->of == at->outcome && sow->term == at->term;
}

/* The text in quotation marks somewhere in what defined the outcome: the name of an account. */
static bool is_named(const struct case_of *at, const char *name, int64_t before)
{
    char stream[64], quoted[288];
    bool named = false;

    (void)snprintf(stream, sizeof stream, "outcome/OUT-%lld", (long long)at->outcome);
    (void)snprintf(quoted, sizeof quoted, "\"%s\"", name);
    for (int64_t seq = 1; seq < before; seq++) {
        const char *json = oracle_event(seq);

        if (text_is(json, "stream", stream) &&
            (text_is(json, "type", "outcome.defined") || text_is(json, "type", "outcome.revised")))
            named = strstr(json, quoted) != NULL; /* the newest counts */
    }
    return named;
}

static bool is_read(const struct case_of *at, const char *stream, int64_t seq)
{
    if (strncmp(stream, "outcome/", 8) == 0) return number_of(stream) == at->outcome;
    if (strncmp(stream, "sow/", 4) == 0) return is_of_sow(at, number_of(stream));
    if (strncmp(stream, "assignment/", 11) == 0)
        return is_of_sow(at, oracle_entity(KIND_ASSIGNMENT, number_of(stream))->of);
    if (strncmp(stream, "account/", 8) == 0) return is_named(at, stream + 8, seq);
    if (strncmp(stream, "subject/", 8) == 0) return is_named(at, stream + 8, seq);
    return strcmp(stream, "policy/self") == 0;
}

void judged_check(const char *json, const char *type, int64_t seq)
{
    char outcome[32], stream[256];
    struct case_of at;

    if (strcmp(type, "verification.recorded") != 0 && strcmp(type, "acceptance.signed") != 0)
        return;
    if (!text_at(json, "data.outcome", outcome, sizeof outcome)) return;
    at = (struct case_of){ number_of(outcome), text_int(json, "data.term") };
    for (int64_t n = text_int(json, "data.basis") + 1; n < seq; n++)
        if (text_at(oracle_event(n), "stream", stream, sizeof stream) && is_read(&at, stream, n))
            world_fail("seq %lld, %s, looked at seq %lld, and %s has moved since by seq %lld",
                       (long long)seq, type, (long long)text_int(json, "data.basis"), stream,
                       (long long)n);
}
