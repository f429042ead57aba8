#include "tests/simulator/expiry.h"

#include <stdlib.h>
#include <string.h>

#include "tests/simulator/oracle.h"
#include "tests/simulator/text.h"

/* ttl.grace of load.c's policy, and the ttl.max_skew of any. */
enum { GRACE_S = 60, MAX_SKEW_S = 300 };

struct moment { /* as its own machine said it */
    char machine[40], boot[48], at[40];
    int64_t boot_ms;
};

static void moment_read(const char *json, struct moment *moment)
{
    *moment = (struct moment){ .boot_ms = text_int(json, "data.who.boot_ms") };
    (void)(text_at(json, "data.who.machine", moment->machine, sizeof moment->machine) &&
           text_at(json, "data.who.boot", moment->boot, sizeof moment->boot) &&
           text_at(json, "at", moment->at, sizeof moment->at));
}

/* True time of what a boot clock said; world.c spells machines and boots. */
static int64_t true_ms(const struct moment *moment)
{
    const struct world *world = the_world();
    unsigned machine = (unsigned)strtoul(moment->machine, NULL, 10) - 1;
    unsigned boot = (unsigned)strtoul(strrchr(moment->boot, '-') + 1, NULL, 10) - 1;

    if (machine >= SIM_MACHINES || boot >= SIM_BOOTS) return 0;
    return world->machines[machine].boot_ns[boot] / 1000000 + moment->boot_ms;
}

/* The newest sign of life under the fence. */
static const char *claim_of(int64_t seq, int64_t fence)
{
    for (int64_t n = seq - 1; n >= fence; n--) {
        const char *at = oracle_event(n);

        if (n == fence || (text_int(at, "fence") == fence && text_is(at, "type", "claim.renewed")))
            return at;
    }
    return NULL;
}

static void late(int64_t seq, const char *by, int64_t ms)
{
    if (ms <= 0)
        world_fail("I5: seq %lld expires a claim %lld ms before its time and grace are over, by %s",
                   (long long)seq, (long long)-ms, by);
}

/* Somebody doubted its time since it last gave a sign, and waited by his own clock or boot. */
static void doubt_check(const char *json, int64_t seq, const char *claim,
                        const struct moment *judged)
{
    char stream[96], other[96];
    struct moment doubt;
    int64_t ttl_s = text_int(claim, "data.ttl_s");

    if (!text_at(json, "stream", stream, sizeof stream)) return;
    for (int64_t n = text_int(claim, "seq") + 1; n < seq; n++) {
        const char *at = oracle_event(n);

        if (!text_is(at, "type", "claim.anomalous") ||
            !text_at(at, "stream", other, sizeof other) || strcmp(stream, other) != 0)
            continue;
        moment_read(at, &doubt);
        if (strcmp(doubt.machine, judged->machine) != 0)
            world_fail("I5: seq %lld judges by a doubt of another machine", (long long)seq);
        if (strcmp(doubt.boot, judged->boot) == 0)
            late(seq, "its boot clock since the doubt",
                 judged->boot_ms - doubt.boot_ms - (ttl_s + MAX_SKEW_S) * 1000);
        return;
    }
    world_fail("I5: seq %lld calls a claim anomalous that nobody doubted", (long long)seq);
}

static bool clocks_agree(const struct world *world)
{
    return !world->stepped &&
           llabs(world->machines[1].ahead_ns) <= MAX_SKEW_S * INT64_C(1000000000);
}

void expiry_check(const char *json, int64_t seq, int64_t fence)
{
    const char *claim = claim_of(seq, fence);
    struct moment held, judged;
    int64_t ttl_s;
    bool same_boot, same_machine;

    if (!claim) return;
    moment_read(claim, &held);
    moment_read(json, &judged);
    ttl_s = text_int(claim, "data.ttl_s");
    same_machine = strcmp(held.machine, judged.machine) == 0;
    same_boot = strcmp(held.boot, judged.boot) == 0;
    if (text_is(json, "data.ground", "other_boot") && (same_boot || !same_machine))
        world_fail("I5: seq %lld speaks of another boot, and it is the same, or none of its own",
                   (long long)seq);
    if (text_is(json, "data.ground", "process_gone") && (!same_boot || !same_machine))
        world_fail("I5: seq %lld speaks of a process that it cannot see", (long long)seq);
    if (text_is(json, "data.ground", "boot_clock")) {
        if (!same_boot) world_fail("I5: seq %lld compares two boots", (long long)seq);
        late(seq, "its boot clock", judged.boot_ms - held.boot_ms - (ttl_s + GRACE_S) * 1000);
    }
    if (text_is(json, "data.ground", "anomalous")) doubt_check(json, seq, claim, &judged);
    if (!text_is(json, "data.ground", "wall_clock")) return;
    if (same_machine)
        world_fail("I5: seq %lld goes by the wall clock on the holder's machine", (long long)seq);
    late(seq, "its wall clock",
         (text_seconds(judged.at) + 1 - text_seconds(held.at) - ttl_s - MAX_SKEW_S) * 1000);
    if (clocks_agree(the_world()))
        late(seq, "true time", true_ms(&judged) - true_ms(&held) - ttl_s * 1000);
}
