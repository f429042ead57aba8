#include "tests/simulator/oracle.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulator/asked.h"
#include "tests/simulator/expiry.h"
#include "tests/simulator/judged.h"
#include "tests/simulator/text.h"

enum { EVENTS = 200000, KEYS = 1 << 16 };

static const char database[] = "/home/repo/.sovereign/organization.db";
static const char *const kinds[ORACLE_KINDS] = { "outcome", "sow",      "assignment",
                                                 "message", "approval", "instance",
                                                 "session", "delivery", "signal" };

struct oracle {
    sqlite3 *lib;
    sqlite3_stmt *events, *newest;
    char **octets;       /* of event n at n - 1 */
    int64_t count, told; /* told: up to here somebody was told of it */
    struct oracle_entity entities[ORACLE_KINDS][ORACLE_ENTITIES];
    int64_t counts[ORACLE_KINDS];
    int64_t last_fence;
    struct {
        char *text;
    } keys[KEYS];
};

static struct oracle *self(void)
{
    static struct oracle oracle; /* asked from within calls that have no handle of ours */

    return &oracle;
}

static uint64_t digest_of(const char *text)
{
    uint64_t digest = 1469598103934665603U;

    for (const char *c = text; *c; c++) digest = (digest ^ (uint8_t)*c) * 1099511628211U;
    return digest;
}

/* ---- the fold ---- */

static struct oracle_entity *entity_of(const char *stream)
{
    const char *dash = strrchr(stream, '-');

    for (size_t kind = 0; dash && kind < ORACLE_KINDS; kind++) {
        size_t size = strlen(kinds[kind]);
        int64_t n;

        if (strncmp(stream, kinds[kind], size) != 0 || stream[size] != '/') continue;
        n = strtoll(dash + 1, NULL, 10);
        if (n <= 0 || n >= ORACLE_ENTITIES) return NULL;
        if (n > self()->counts[kind]) self()->counts[kind] = n;
        return self()->entities[kind] + n;
    }
    return NULL;
}

/* The state that each type leads to, by the tables of the model: its first letter, a small one
 * where two begin alike. */
static const struct {
    const char *type;
    char state;
} after[] = {
    { "outcome.defined", 'P' },    { "outcome.activated", 'A' },   { "outcome.verifying", 'V' },
    { "outcome.resumed", 'A' },    { "outcome.accepted", 'D' },    { "outcome.violated", 'X' },
    { "outcome.reopened", 'A' },   { "outcome.blocked", 'B' },     { "outcome.unblocked", 'A' },
    { "outcome.failed", 'F' },     { "outcome.cancelled", 'C' },   { "sow.created", 'D' },
    { "sow.readied", 'R' },        { "sow.assigned", 'A' },        { "sow.started", 'U' },
    { "sow.returned", 'R' },       { "sow.submitted", 'V' },       { "sow.blocked", 'B' },
    { "sow.failed", 'F' },         { "sow.accepted", 'C' },        { "sow.changes_requested", 'Q' },
    { "sow.reverified", 'V' },     { "sow.retried", 'R' },         { "sow.withdrawn", 'W' },
    { "sow.superseded", 'S' },     { "assignment.created", 'C' },  { "assignment.completed", 'D' },
    { "assignment.blocked", 'B' }, { "assignment.failed", 'F' },   { "assignment.cancelled", 'X' },
    { "message.sent", 'N' },       { "message.done", 'D' },        { "message.failed", 'N' },
    { "message.requeued", 'N' },   { "approval.requested", 'P' },  { "approval.granted", 'G' },
    { "approval.denied", 'D' },    { "approval.expired", 'E' },    { "approval.revoked", 'R' },
    { "approval.consumed", 'C' },  { "instance.registered", 'R' }, { "instance.retired", 'X' },
    { "session.opened", 'O' },     { "session.closed", 'X' },      { "delivery.queued", 'Q' },
    { "delivery.started", 'S' },   { "delivery.succeeded", 'D' },  { "delivery.failed", 'Q' },
    { "delivery.resolved", 'Q' },  { "signal.recorded", 'U' },     { "wake.decided", 'W' },
};

static char state_after(const char *type, char before)
{
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        if (strcmp(after[i].type, type) == 0) return after[i].state;
    return before;
}

static bool ends_claim(const char *type)
{
    static const char *const types[] = {
        "claim.released",    "claim.expired",    "assignment.completed", "assignment.blocked",
        "assignment.failed", "message.done",     "message.failed",       "delivery.succeeded",
        "delivery.failed",   "instance.retired", "session.closed",
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i], type) == 0) return true;
    return false;
}

/* The claim that an event stands under. */
static struct oracle_entity *resource_of(const char *json, const char *stream)
{
    char name[64], path[96];
    struct oracle_entity *own = entity_of(stream);

    if (strncmp(stream, "outcome/", 8) != 0 && strncmp(stream, "sow/", 4) != 0 &&
        strncmp(stream, "approval/", 9) != 0 && own)
        return own;
    if (!text_at(json, "data.assignment", name, sizeof name)) return NULL;
    (void)snprintf(path, sizeof path, "assignment/%s", name);
    return entity_of(path);
}

static void claims_fold(const char *json, const char *type, const char *stream, int64_t seq)
{
    int64_t fence = text_int(json, "fence");
    struct oracle_entity *entity;

    if (strcmp(type, "claim.acquired") == 0) {
        entity = entity_of(stream);
        if (!entity) return;
        if (entity->fence)
            world_fail("I5: %s is claimed by seq %lld while %lld is live", stream, (long long)seq,
                       (long long)entity->fence);
        entity->fence = seq;
        entity->started = false;
        (void)text_at(json, "actor", entity->holder, sizeof entity->holder);
        return;
    }
    if (!fence) return;
    entity = resource_of(json, stream);
    if (!entity || entity->fence != fence)
        world_fail("I5: seq %lld, %s of %s, stands under %lld, and live is %lld", (long long)seq,
                   type, stream, (long long)fence, entity ? (long long)entity->fence : 0);
    if (!entity) return;
    if (strcmp(type, "claim.expired") == 0) expiry_check(json, seq, entity->fence);
    if (strcmp(type, "run.started") == 0) entity->started = true;
    if (!ends_claim(type)) return;
    entity->past = entity->fence;
    entity->fence = 0;
}

static void key_fold(const char *json, int64_t seq)
{
    char actor[64], key[256], both[336];
    uint64_t at;

    if (!text_at(json, "key", key, sizeof key) || !text_at(json, "actor", actor, sizeof actor))
        return;
    (void)snprintf(both, sizeof both, "%s %s", actor, key);
    at = digest_of(both);
    for (size_t i = at % KEYS;; i = (i + 1) % KEYS) {
        if (!self()->keys[i].text) {
            self()->keys[i].text = strdup(both);
            return;
        }
        if (strcmp(self()->keys[i].text, both) != 0) continue;
        world_fail("I6: seq %lld repeats the key of %s", (long long)seq, both);
        return;
    }
}

static void signal_fold(const char *json, const char *type, struct oracle_entity *signal)
{
    char text[96];

    if (text_at(json, "at", text, sizeof text) && strcmp(type, "signal.recorded") == 0)
        signal->at_s = text_seconds(text);
    if (strcmp(type, "wake.decided") != 0) return;
    if (text_is(json, "data.decision", "fire")) signal->state = 'F';
    if (text_at(json, "data.rules_digest", text, sizeof text)) signal->rules = digest_of(text);
}

/* Unknown is not redone: somebody must have looked. */
static void unknown_fold(const char *json, const char *type, const char *stream, int64_t seq)
{
    char name[64], path[96];
    struct oracle_entity *sow = entity_of(stream);

    if (strcmp(type, "sow.retried") == 0) {
        if (sow && sow->unknown && !text_at(json, "data.inspection.found", name, sizeof name))
            world_fail("seq %lld retries %s, whose last run may have had effects", (long long)seq,
                       stream);
        if (sow) sow->unknown = false;
        return;
    }
    if (strcmp(type, "receipt.recorded") != 0 ||
        !text_at(json, "data.assignment", name, sizeof name))
        return;
    (void)snprintf(path, sizeof path, "assignment/%s", name);
    sow = entity_of(path);
    if (sow && sow->of > 0 && sow->of < ORACLE_ENTITIES)
        self()->entities[KIND_SOW][sow->of].unknown = text_is(json, "data.effects_unknown", "true");
}

static void fold(const char *json, int64_t seq)
{
    char type[64], stream[256], other[64];
    struct oracle_entity *entity;

    if (!text_at(json, "type", type, sizeof type) ||
        !text_at(json, "stream", stream, sizeof stream)) {
        world_fail("I3: seq %lld has no type or no stream", (long long)seq);
        return;
    }
    if (text_int(json, "seq") != seq)
        world_fail("I3: row %lld holds event %lld", (long long)seq,
                   (long long)text_int(json, "seq"));
    key_fold(json, seq);
    claims_fold(json, type, stream, seq);
    unknown_fold(json, type, stream, seq);
    judged_check(json, type, seq);
    entity = entity_of(stream);
    if (!entity) return;
    entity->state = state_after(type, entity->state);
    if (strncmp(stream, "signal/", 7) == 0) signal_fold(json, type, entity);
    if (strcmp(type, "sow.returned") == 0)
        entity->state = text_is(json, "data.to", "ASSIGNED") ? 'A' : 'R';
    if (text_is(json, "data.next", "DEAD")) entity->state = 'X';
    if (strcmp(type, "sow.created") == 0 && text_at(json, "data.outcome", other, sizeof other)) {
        entity->of = strtoll(other + 4, NULL, 10);
        entity->term = text_int(json, "data.term");
    }
    if (strcmp(type, "assignment.created") == 0) {
        if (text_at(json, "data.sow", other, sizeof other))
            entity->of = strtoll(other + 4, NULL, 10);
        (void)text_at(json, "data.actor", entity->to, sizeof entity->to);
    }
    if (strcmp(type, "message.sent") == 0)
        (void)text_at(json, "data.to", entity->to, sizeof entity->to);
}

/* ---- the reader ---- */

void oracle_close(void)
{
    struct oracle *oracle = self();

    (void)sqlite3_finalize(oracle->events);
    (void)sqlite3_finalize(oracle->newest);
    (void)sqlite3_close(oracle->lib);
    oracle->events = oracle->newest = NULL;
    oracle->lib = NULL;
}

static bool reader_open(void)
{
    struct oracle *oracle = self();

    if (oracle->lib) return true;
    if (sqlite3_open_v2(database, &oracle->lib, SQLITE_OPEN_READWRITE, "simulated") == SQLITE_OK &&
        sqlite3_prepare_v2(oracle->lib,
                           "SELECT seq, CAST(octets AS TEXT) FROM event WHERE seq > ?1 "
                           "ORDER BY seq",
                           -1, &oracle->events, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(oracle->lib, "SELECT coalesce(max(size), 0) FROM checkpoint", -1,
                           &oracle->newest, NULL) == SQLITE_OK)
        return true;
    oracle_close();
    return false;
}

static void add(const char *octets)
{
    struct oracle *oracle = self();

    if (oracle->count == EVENTS) abort();
    oracle->octets[oracle->count++] = strdup(octets);
    fold(octets, oracle->count);
}

static void head_check(void)
{
    struct oracle *oracle = self();
    int64_t size = -1;

    if (sqlite3_step(oracle->newest) == SQLITE_ROW) size = sqlite3_column_int64(oracle->newest, 0);
    (void)sqlite3_reset(oracle->newest);
    if (size != oracle->count)
        world_fail("I3: the head is %lld, the newest checkpoint %lld (%s)",
                   (long long)oracle->count, (long long)size, sqlite3_errmsg(oracle->lib));
}

void oracle_looked_at(struct process *process)
{
    struct oracle *oracle = self();
    struct world *world = the_world();
    int64_t before = oracle->count;

    if (world->strangers) return;
    world->calm++;
    world->running = NULL;
    if (reader_open()) {
        int rc;

        (void)sqlite3_bind_int64(oracle->events, 1, oracle->count);
        while ((rc = sqlite3_step(oracle->events)) == SQLITE_ROW) {
            if (sqlite3_column_int64(oracle->events, 0) != oracle->count + 1)
                world_fail("I3: a gap behind %lld", (long long)oracle->count);
            add((const char *)sqlite3_column_text(oracle->events, 1));
        }
        (void)sqlite3_reset(oracle->events);
        /* Locked: what failed left its journal, and whoever comes next rolls it back. */
        if (rc == SQLITE_DONE) head_check();
    }
    world->running = process;
    world->calm--;
    if (oracle->count == before) return;
    if (process) {
        if (!process->committed) process->first_seq = before + 1;
        process->committed += oracle->count - before;
        process->last_seq = oracle->count;
    }
    world_log("commit %lld-%lld by %d", (long long)before + 1, (long long)oracle->count,
              process ? (int)process->pid : 0);
}

/* ---- what is asked of it ---- */

void oracle_begin(void)
{
    *self() = (struct oracle){ .octets = calloc(EVENTS, sizeof(char *)) };
    if (!self()->octets) abort();
}

const struct oracle_entity *oracle_entity(enum oracle_kind kind, int64_t n)
{
    return self()->entities[kind] + (n > 0 && n < ORACLE_ENTITIES ? n : 0);
}

int64_t oracle_count(enum oracle_kind kind)
{
    return self()->counts[kind];
}

int64_t oracle_pick(enum oracle_kind kind, const char *states, struct chance *chance)
{
    int64_t picked = 0;
    uint64_t seen = 0;

    for (int64_t n = 1; n <= self()->counts[kind]; n++)
        if (self()->entities[kind][n].state && strchr(states, self()->entities[kind][n].state) &&
            chance_below(chance, ++seen) == 0)
            picked = n;
    return picked;
}

int64_t oracle_head(void)
{
    return self()->count;
}

const char *oracle_event(int64_t seq)
{
    return self()->octets[seq - 1];
}

unsigned oracle_live_claims(void)
{
    unsigned live = 0;

    for (size_t kind = 0; kind < ORACLE_KINDS; kind++)
        for (int64_t n = 1; n <= self()->counts[kind]; n++)
            live += self()->entities[kind][n].fence != 0;
    return live;
}

uint64_t oracle_digest(void)
{
    uint64_t digest = 0;

    for (int64_t n = 0; n < self()->count; n++) digest = digest * 31 + digest_of(self()->octets[n]);
    return digest;
}

void oracle_decided(void)
{
    const struct oracle *oracle = self();
    char at[40] = "";
    int64_t now_s =
        text_at(oracle_event(oracle->count), "at", at, sizeof at) ? text_seconds(at) : 0;
    uint64_t rules = oracle->entities[KIND_SIGNAL][oracle->counts[KIND_SIGNAL]].rules;

    for (int64_t n = 1; n <= oracle->counts[KIND_SIGNAL]; n++) {
        const struct oracle_entity *signal = oracle->entities[KIND_SIGNAL] + n;

        if (signal->state == 'U') world_fail("SIG-%lld was never decided on", (long long)n);
        if (signal->state == 'W' && signal->rules != rules && now_s - signal->at_s < 29 * 86400)
            world_fail("SIG-%lld was decided on under other rules, and not since", (long long)n);
    }
}

void oracle_ended(const struct process *process)
{
    struct oracle *oracle = self();
    const char *said = process->text[1] ? strstr(process->text[1], "\"ledger\":{") : NULL;

    if (process->last_seq > oracle->told && process->exit != 7) oracle->told = process->last_seq;
    asked_ended(process);
    if (said && text_int(said + 9, "seq") > oracle->count)
        world_fail("I1: it speaks of seq %lld, and the head is %lld",
                   (long long)text_int(said + 9, "seq"), (long long)oracle->count);
}

void oracle_whole(bool lost)
{
    struct oracle *oracle = self();
    int64_t there = 0, had = oracle->count;

    oracle_close();
    if (!reader_open()) {
        if (had) world_fail("I1: the ledger cannot be read any more");
        return;
    }
    (void)sqlite3_bind_int64(oracle->events, 1, 0);
    while (sqlite3_step(oracle->events) == SQLITE_ROW && there < had) {
        const char *octets = (const char *)sqlite3_column_text(oracle->events, 1);

        if (strcmp(octets, oracle->octets[there++]) == 0) continue;
        if (lost && there > oracle->told) {
            there--;
            break;
        }
        world_fail("I2: event %lld is another one now", (long long)there);
    }
    (void)sqlite3_reset(oracle->events);
    if (there < oracle->told)
        world_fail("I1: somebody was told of seq %lld, and the log ends with %lld",
                   (long long)oracle->told, (long long)there);
    if (!lost && there != had)
        world_fail("I1: the log has lost events %lld to %lld", (long long)there + 1,
                   (long long)had);
    if (there == had) {
        if (lost) oracle_looked_at(NULL); /* and the commit that the machine died in */
        return;
    }
    world_log("crash took %lld-%lld", (long long)there + 1, (long long)had);
    oracle->count = 0;
    memset(oracle->entities, 0, sizeof oracle->entities);
    memset(oracle->counts, 0, sizeof oracle->counts);
    memset(oracle->keys, 0, sizeof oracle->keys);
    for (int64_t n = 0; n < had; n++) {
        if (n < there) fold(oracle->octets[n], n + 1);
        oracle->count += n < there;
    }
}

void oracle_print(FILE *to)
{
    for (int64_t n = 0; n < self()->count; n++) (void)fprintf(to, "%s\n", self()->octets[n]);
}
