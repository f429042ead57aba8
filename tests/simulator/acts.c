/* Who works in the store, and what each of them does next. */
#include <string.h>

#include "tests/simulator/load.h"

/* One of those in these states, or any at all, or one that is not there. */
static int64_t pick(enum oracle_kind kind, const char *states)
{
    int64_t count = oracle_count(kind);

    if (draw(100) == 0) return count + 1;
    if (count && draw(12) == 0) return 1 + (int64_t)draw((uint64_t)count);
    return oracle_pick(kind, states, &the_world()->load);
}

/* ---- those who work ---- */

static bool reports(struct words *words, int64_t n, int64_t fence)
{
    static const char *const status[] = { "completed", "blocked", "failed" };
    static const char report[] =
        "{\"assignment\":\"ASG-%lld\",\"blockers\":[],\"checks\":[],\"deliverables\":[],"
        "\"kind\":\"sov.report.v1\",\"notes\":null,\"proposals\":[],\"questions\":[],"
        "\"status\":\"%s\",\"summary\":\"Done.\"}";

    say_all(words, "report");
    say_number(words, "ASG", n);
    say(words, "--fence");
    say(words, "%lld", (long long)fence);
    say(words, "-");
    say(words, report, (long long)n, status[draw(3)]);
    input_last(words);
    return true;
}

/* Whose claim is over, and who comes back with what he did under it, most often while somebody of
 * his name is at it again. */
static bool come_late(struct actor *actor, struct words *words)
{
    int64_t picked = 0;
    uint64_t seen = 0;

    for (int64_t n = 1; n <= oracle_count(KIND_ASSIGNMENT); n++) {
        const struct oracle_entity *assignment = oracle_entity(KIND_ASSIGNMENT, n);

        if (!assignment->past || strcmp(assignment->to, actor->id) != 0) continue;
        if (!(assignment->fence && assignment->started) && draw(12)) continue;
        if (draw(++seen) == 0) picked = n;
    }
    return picked && reports(words, picked, oracle_entity(KIND_ASSIGNMENT, picked)->past);
}

static bool works_claimed(struct actor *actor, struct words *words, int64_t n)
{
    const struct oracle_entity *assignment = oracle_entity(KIND_ASSIGNMENT, n);

    (void)actor;
    if (assignment->started && draw(3)) return reports(words, n, assignment->fence);
    switch (draw(5)) {
    case 0:
        say_all(words, "claim release");
        say_number(words, "ASG", n);
        say_fence(words, assignment);
        say_reason(words);
        return true;
    case 1:
        say_all(words, "claim start");
        break;
    default: /* the numbers that are left */
        say_all(words, "claim renew");
        break;
    }
    say_number(words, "ASG", n);
    say_fence(words, assignment);
    return true;
}

/* One of the actor's own: under its live claim, or waiting for one where work may go on. */
static int64_t own_assignment(const struct actor *actor, bool claimed)
{
    int64_t picked = 0;
    uint64_t seen = 0;

    for (int64_t n = 1; n <= oracle_count(KIND_ASSIGNMENT); n++) {
        const struct oracle_entity *assignment = oracle_entity(KIND_ASSIGNMENT, n);
        const struct oracle_entity *sow = oracle_entity(KIND_SOW, assignment->of);
        char open = oracle_entity(KIND_OUTCOME, sow->of)->state;

        if (claimed ? !assignment->fence || strcmp(assignment->holder, actor->id) != 0
                    : assignment->fence || assignment->state != 'C' ||
                          strcmp(assignment->to, actor->id) != 0 || (open != 'A' && open != 'V'))
            continue;
        if (draw(++seen) == 0) picked = n;
    }
    return picked;
}

static bool work(struct actor *actor, struct words *words)
{
    int64_t n = own_assignment(actor, true);

    if (n && draw(6)) return works_claimed(actor, words, n);
    n = own_assignment(actor, false);
    if (draw(30) == 0) n = pick(KIND_ASSIGNMENT, "C");
    if (!n) return false;
    if (draw(3)) {
        say_all(words, "run");
        say_number(words, "ASG", n);
        say_all(words, "-- /bin/agent");
        return true;
    }
    say_all(words, "claim");
    say_number(words, "ASG", n);
    if (draw(2)) {
        say(words, "--ttl");
        say(words, "%llu", (unsigned long long)(20 + draw(200)));
    }
    return true;
}

/* ---- those who plan ---- */

static bool sow_new(struct words *words)
{
    int64_t n = pick(KIND_OUTCOME, "AV");

    if (!n) return false;
    say_all(words, "sow new");
    say_number(words, "OUT", n);
    say_all(words, "--title Count --scope Count. --role operator --done-when Counted.");
    if (draw(2)) say_all(words, "--effect replenishment --deliverable report.json");
    return true;
}

static bool on(struct words *words, const char *verb, const char *prefix, int64_t n, bool reason)
{
    if (!n) return false;
    say_all(words, verb);
    say_number(words, prefix, n);
    if (reason) say_reason(words);
    return true;
}

static bool plan(struct actor *actor, struct words *words)
{
    static const char *const workers[] = { "operator", "op2", "op3", "op4" };
    int64_t n;

    (void)actor;
    n = pick(KIND_SOW, "D");
    if (n && draw(2)) return on(words, "sow ready", "SOW", n, false);
    n = oracle_pick(KIND_OUTCOME, "B", &the_world()->load);
    if (n && draw(2)) return on(words, "outcome unblock", "OUT", n, true);
    switch (draw(14)) {
    case 0:
        return sow_new(words);
    case 1:
        return on(words, "sow ready", "SOW", pick(KIND_SOW, "D"), false);
    case 2:
        if (draw(4)) return false;
        return on(words, "sow withdraw", "SOW", pick(KIND_SOW, "DRAVBFQU"), true);
    case 3:
        return on(words, "outcome activate", "OUT", pick(KIND_OUTCOME, "P"), false);
    case 4:
        return on(words, "outcome reopen", "OUT", pick(KIND_OUTCOME, "X"), true);
    case 5:
        if (draw(5)) return false;
        return on(words, "outcome block", "OUT", pick(KIND_OUTCOME, "AVX"), true);
    case 6:
        if (draw(3)) return false;
        return on(words, "assign cancel", "ASG", pick(KIND_ASSIGNMENT, "C"), true);
    case 7:
    case 8:
        if (!on(words, "sow retry", "SOW", pick(KIND_SOW, "BF"), true)) return false;
        if (draw(2)) {
            say_all(words, "--found did_not_happen --inspection");
            say(words, "nothing came");
        }
        return true;
    default: /* the numbers that are left */
        n = pick(KIND_SOW, "RQ");
        if (!n) return draw(2) && sow_new(words);
        say_all(words, "assign");
        say_number(words, "SOW", n);
        say(words, "--to");
        say(words, "%s", workers[draw(4)]);
        return true;
    }
}

/* ---- those who judge ---- */

static bool verify(struct actor *actor, struct words *words)
{
    int64_t n;

    (void)actor;
    if (draw(3) == 0) {
        n = pick(KIND_OUTCOME, "AVDX");
        if (!on(words, "check", "OUT", n, false)) return false;
        if (oracle_entity(KIND_OUTCOME, n)->state == 'D' ||
            oracle_entity(KIND_OUTCOME, n)->state == 'X')
            say_all(words, "--recheck");
        return true;
    }
    return on(words, "check", "SOW", pick(KIND_SOW, draw(8) ? "V" : "C"), false);
}

static bool review(struct actor *actor, struct words *words)
{
    static const char *const ways[] = { "--request-changes", "--reject" };

    (void)actor;
    if (!on(words, "review", "SOW", pick(KIND_SOW, "V"), true)) return false;
    say(words, "%s", draw(6) ? "--pass" : ways[draw(2)]);
    return true;
}

static bool rule(struct actor *actor, struct words *words)
{
    static int64_t names; /* of subjects: one counter a run */
    int64_t n;

    (void)actor;
    switch (draw(10)) {
    case 0:
        n = pick(KIND_OUTCOME, "PAVBX");
        if (draw(4) || n == 1) return false; /* the first is what the store is there for */
        return on(words, "outcome cancel", "OUT", n, true);
    case 1:
        say_all(words, "key rotate operator");
        say_reason(words);
        return true;
    case 2:
        say_all(words, "policy adopt");
        say(words, draw(2) ? "/home/repo/law-1.json" : "/home/repo/law-2.json");
        say_reason(words);
        return true;
    case 3:
        say_all(words, "subject declare");
        say(words, "SKU-%lld", (long long)++names);
        say_all(words, "--fact price=10");
        return true;
    case 4:
        say_all(words, "outcome new Tea --desired More. --subject SKU-TEA --check");
        say(words, "@/home/repo/restock-posted.json");
        return true;
    case 5:
        if (!on(words, "approve", "APR", pick(KIND_APPROVAL, "P"), true)) return false;
        say(words, draw(4) ? "--grant" : "--deny");
        return true;
    case 6:
        n = pick(KIND_DELIVERY, "S");
        if (oracle_entity(KIND_DELIVERY, n)->fence) return false;
        if (!on(words, "delivery resolve", "DLV", n, true)) return false;
        say_all(words, "--found");
        say(words, draw(2) ? "delivered" : "not_delivered");
        return true;
    default: /* the numbers that are left */
        return on(words, "accept", "OUT", pick(KIND_OUTCOME, "V"), false);
    }
}

/* ---- mail, approvals, sessions ---- */

static bool post(struct actor *actor, struct words *words)
{
    int64_t n = pick(KIND_MESSAGE, "N");
    const struct oracle_entity *message = oracle_entity(KIND_MESSAGE, n);

    if (draw(3) == 0 || !n) {
        say_all(words, "mail send");
        say(words, "%s", draw(4) ? actor->id : "role/operator");
        say_all(words, "--subject Look");
        return true;
    }
    if (draw(12) && *message->to != 'r' && strcmp(message->to, actor->id) != 0) return false;
    if (!message->fence) return on(words, "mail claim", "MSG", n, false);
    if (draw(12) && strcmp(message->holder, actor->id) != 0) return false;
    say_all(words, draw(2) ? "mail done" : draw(2) ? "mail fail" : "mail release");
    say_number(words, "MSG", n);
    say_fence(words, message);
    say_reason(words);
    return true;
}

static bool ask(struct actor *actor, struct words *words)
{
    int64_t n = pick(KIND_ASSIGNMENT, "C");

    (void)actor;
    if (!n || draw(4) == 0)
        return on(words, "approval revoke", "APR", pick(KIND_APPROVAL, "PG"), true);
    say_all(words, "approval request effect.commit --resource");
    say_number(words, "ASG", n);
    say_all(words, "--args -");
    say(words,
        "{\"assignment\":\"ASG-%lld\",\"kind\":\"replenishment\",\"quantity\":%llu,"
        "\"subject\":\"SKU-TEA\"}",
        (long long)n, (unsigned long long)(1 + draw(4)));
    input_last(words);
    return true;
}

static bool carry(struct actor *actor, struct words *words)
{
    int64_t n = pick(KIND_DELIVERY, "QS");
    const struct oracle_entity *delivery;

    (void)actor;
    if (!n || draw(4) == 0) {
        say_all(words, "delivery queue mail -");
        words->input = "a letter";
        return true;
    }
    delivery = oracle_entity(KIND_DELIVERY, n);
    if (!delivery->fence && delivery->state == 'S') return false; /* a person must look */
    if (!delivery->fence) return on(words, "delivery claim", "DLV", n, false);
    say_all(words, delivery->state == 'Q' ? "delivery start"
                   : draw(2)              ? "delivery succeed"
                                          : "delivery fail");
    say_number(words, "DLV", n);
    say_fence(words, delivery);
    if (strcmp(words->at[1], "fail") == 0) say_reason(words);
    return true;
}

static bool host_program(struct actor *actor, struct words *words)
{
    int64_t n = pick(KIND_INSTANCE, "R");
    const struct oracle_entity *instance;

    (void)actor;
    if (!n || draw(12) == 0) {
        say_all(words, "instance register desk");
        return true;
    }
    instance = oracle_entity(KIND_INSTANCE, n);
    if (!instance->fence) return on(words, "instance claim", "INS", n, false);
    if (draw(3)) {
        say_all(words, "instance renew");
        say_number(words, "INS", n);
        say_fence(words, instance);
        return true;
    }
    say_all(words, "instance retire");
    say_number(words, "INS", n);
    say_fence(words, instance);
    say_reason(words);
    return true;
}

/* ---- what comes from outside, and those who look ---- */

static bool sell(struct actor *actor, struct words *words)
{
    (void)actor;
    say_all(words, "change record sale --subject SKU-TEA --source till --quantity");
    say(words, "%llu", (unsigned long long)(1 + draw(3)));
    return true;
}

static bool report_signal(struct actor *actor, struct words *words)
{
    (void)actor;
    say_all(words, "signal inventory.changed --source sale --subject");
    say(words, "%s", draw(4) ? "SKU-TEA" : "SKU-1");
    say_all(words, "--severity warning");
    if (draw(3) == 0) {
        say(words, "--dedupe-key");
        say(words, "d%llu", (unsigned long long)draw(8));
    }
    return true;
}

static bool look(struct actor *actor, struct words *words)
{
    static const char *const looks[] = {
        "status", "log --last 5",       "show sows",  "account list",
        "ready",  "verify --no-anchor", "show OUT-1", "why OUT-1",
    };

    (void)actor;
    say_all(words, looks[draw(8)]);
    return true;
}

static bool supervise(struct actor *actor, struct words *words)
{
    (void)actor;
    say_all(words, "supervise");
    return true;
}

static bool pulse(struct actor *actor, struct words *words)
{
    (void)actor;
    say_all(words, "pulse");
    return true;
}

static bool publish(struct actor *actor, struct words *words)
{
    (void)actor;
    say_all(words, "project");
    return true;
}

static bool mend(struct actor *actor, struct words *words)
{
    (void)actor;
    say_all(words, draw(2) ? "rebuild" : "recover");
    return true;
}

static bool beat(struct actor *actor, struct words *words)
{
    (void)actor;
    say_all(words, "heartbeat till-1");
    return true;
}

struct actor *load_actors(size_t *count_out)
{
    static struct actor actors[] = {
        { .name = "supervisor", .id = "", .choose = supervise, .every_s = 60 },
        { .name = "pulse", .id = "", .choose = pulse, .every_s = 90 },
        { .name = "till", .id = "operator", .choose = sell, .every_s = 70 },
        { .name = "planner", .id = "master", .choose = plan, .every_s = 30 },
        { .name = "worker-1", .id = "operator", .choose = work, .every_s = 50 },
        { .name = "worker-2", .id = "op2", .choose = work, .every_s = 50 },
        { .name = "worker-3", .id = "op3", .choose = work, .every_s = 50 },
        { .name = "worker-4", .id = "op4", .choose = work, .every_s = 50 },
        { .name = "rival", .id = "op2", .choose = work, .every_s = 90 },
        { .name = "ghost-1", .id = "operator", .choose = come_late, .every_s = 40 },
        { .name = "ghost-2", .id = "op2", .choose = come_late, .every_s = 40 },
        { .name = "ghost-3", .id = "op3", .choose = come_late, .every_s = 40 },
        { .name = "ghost-4", .id = "op4", .choose = come_late, .every_s = 40 },
        { .name = "verifier", .id = "verifier", .choose = verify, .every_s = 60 },
        { .name = "reviewer", .id = "sparring", .choose = review, .every_s = 60 },
        { .name = "principal", .id = "principal", .choose = rule, .every_s = 70 },
        { .name = "post-1", .id = "op3", .choose = post, .every_s = 90 },
        { .name = "post-2", .id = "op4", .choose = post, .every_s = 90 },
        { .name = "clerk", .id = "operator", .choose = ask, .every_s = 150 },
        { .name = "carrier", .id = "op2", .choose = carry, .every_s = 100 },
        { .name = "desk", .id = "op3", .choose = host_program, .every_s = 120 },
        { .name = "sensor", .id = "operator", .choose = report_signal, .every_s = 120 },
        { .name = "reader", .id = "master", .choose = look, .reads = true, .every_s = 100 },
        { .name = "publisher", .id = "", .choose = publish, .every_s = 120 },
        { .name = "mender", .id = "", .choose = mend, .every_s = 900 },
        { .name = "beat", .id = "operator", .choose = beat, .every_s = 120 },
        { .name = "twin", .id = "" },
    };

    *count_out = sizeof actors / sizeof *actors - 1;
    return actors;
}
