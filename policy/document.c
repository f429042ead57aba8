#include "policy/document.h"

#include "base/text.h"
#include "policy/rules.h"

#include <stddef.h>
#include <string.h>

enum { ROLES_MAX = 64, ROBOTS_MAX = 64 };
/* The document stands inline in one event, beside reason and signature. */
static const struct sov_scan_rules document_rules = { 57344, 16, false };

static const struct number {
    const char *section, *key;
    size_t at;
    int64_t normal, least, most;
    bool later; /* may be left out */
} numbers[] = {
#define X(section, key, normal, least, most)                                                       \
    { #section, #key, offsetof(struct sov_policy, section##_##key), normal, least, most, false },
    SOV_POLICY_NUMBERS(X)
#undef X
#define X(section, key, normal, least, most)                                                       \
    { #section, #key, offsetof(struct sov_policy, section##_##key), normal, least, most, true },
        SOV_POLICY_NUMBERS_LATER(X)
#undef X
};
enum { NUMBER_COUNT = sizeof numbers / sizeof *numbers, SECTION_KEYS_MAX = 16 };

static void set(struct sov_policy *policy, const struct number *row, int64_t n)
{
    memcpy((char *)policy + row->at, &n, sizeof n);
}

/* A section of numbers, and one further key if it has one. A number of a stage after the first may
 * be left out, unless its whole section is of that stage. */
static bool section(struct sov_reader *r, const char *name, struct sov_value value,
                    const char *further, struct sov_value *further_out, struct sov_policy *policy)
{
    const struct number *rows[SECTION_KEYS_MAX];
    const char *keys[SECTION_KEYS_MAX];
    struct sov_value v[SECTION_KEYS_MAX];
    size_t count = 0, required, back = sov_read_enter(r, name);

    if (further) keys[count++] = further;
    for (size_t i = 0; i < NUMBER_COUNT; i++) {
        if (strcmp(numbers[i].section, name) != 0 || numbers[i].later) continue;
        rows[count] = &numbers[i];
        keys[count++] = numbers[i].key;
    }
    required = count;
    for (size_t i = 0; i < NUMBER_COUNT; i++) {
        if (strcmp(numbers[i].section, name) != 0 || !numbers[i].later) continue;
        rows[count] = &numbers[i];
        keys[count++] = numbers[i].key;
    }
    if (required == (further != NULL)) required = count;
    if (!sov_read_object_some(r, NULL, value, keys, required, count, v)) return false;
    for (size_t i = further != NULL; i < count; i++) {
        int64_t n = rows[i]->normal;

        if (sov_value_there(v[i]) &&
            !sov_read_int(r, keys[i], v[i], rows[i]->least, rows[i]->most, &n))
            return false;
        set(policy, rows[i], n);
    }
    if (further) *further_out = v[0];
    sov_read_leave(r, back);
    return true;
}

/* No section may ask for more of a part than of the whole. */
static bool at_most(struct sov_reader *r, int64_t part, int64_t whole, const char *name,
                    const char *key, const char *of)
{
    if (part <= whole) return true;
    sov_read_enter(r, name);
    sov_read_enter(r, key);
    return sov_read_refuse(r, "is more than %s", of);
}

/* Of acceptance or approval: who else than persons. */
static bool robots(struct sov_reader *r, const char *name, struct sov_value value,
                   const char *const **robots_out, size_t *count_out)
{
    size_t at = 0, back = sov_read_enter(r, name), count;
    struct sov_value item;
    const char **list;

    sov_read_enter(r, "robots");
    if (!sov_read_list(r, NULL, value, 0, ROBOTS_MAX, &count)) return false;
    list = sov_arena_array(r->arena, count + 1, sizeof *list);
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        size_t here = sov_read_enter_item(r, i);

        if (!sov_read_id(r, NULL, item, &list[i])) return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(list[k], list[i]) == 0) return sov_read_refuse(r, "is named a second time");
        sov_read_leave(r, here);
    }
    sov_read_leave(r, back);
    *robots_out = list;
    *count_out = count;
    return true;
}

/* Left out: as the default has it. */
static bool approval(struct sov_reader *r, struct sov_value value, struct sov_policy *policy)
{
    struct sov_value list = { { NULL, 0 } };

    if (!sov_value_there(value)) {
        for (size_t i = 0; i < NUMBER_COUNT; i++)
            if (strcmp(numbers[i].section, "approval") == 0)
                set(policy, &numbers[i], numbers[i].normal);
        return true;
    }
    return section(r, "approval", value, "robots", &list, policy) &&
           robots(r, "approval", list, &policy->approval_robots, &policy->approval_robot_count) &&
           at_most(r, policy->approval_persons, policy->approval_quorum, "approval", "persons",
                   "quorum");
}

static bool authorities(struct sov_reader *r, struct sov_value value, uint32_t *may_out)
{
    const uint32_t everybody = 1u << SOV_MAY_OBSERVE | 1u << SOV_MAY_CONVERSE;
    size_t at = 0, count;
    struct sov_value item;
    uint32_t may = everybody;

    if (!sov_read_list(r, NULL, value, 0, SOV_AUTHORITY_COUNT, &count)) return false;
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        size_t here = sov_read_enter_item(r, i);
        enum sov_authority authority;
        const char *word;

        if (!sov_read_text(r, NULL, item, 63, &word)) return false;
        if (!sov_authority_find(sov_bytes_text(word), &authority))
            return sov_read_refuse(r, "is no authority");
        if (everybody >> authority & 1) return sov_read_refuse(r, "is what every role has");
        if (may >> authority & 1) return sov_read_refuse(r, "is named a second time");
        may |= UINT32_C(1) << authority;
        sov_read_leave(r, here);
    }
    *may_out = may;
    return true;
}

static bool roles(struct sov_reader *r, struct sov_value value, struct sov_policy *policy)
{
    size_t at = 0, back = sov_read_enter(r, "roles"), count, n = 0;
    struct sov_member member;
    struct sov_role *list;

    if (sov_value_kind(value) != SOV_JSON_OBJECT) return sov_read_refuse(r, "is no object");
    count = sov_value_count(value);
    if (count < 1 || count > ROLES_MAX)
        return sov_read_refuse(r, "has %zu rows, 1 to %d are allowed", count, ROLES_MAX);
    list = sov_arena_array(r->arena, count, sizeof *list);
    for (; sov_value_member(value, &at, &member); n++) {
        size_t here;

        list[n].id = sov_arena_text(r->arena, member.key);
        here = sov_read_enter(r, list[n].id);
        if (!sov_text_is_id(member.key)) return sov_read_refuse(r, "is no id");
        if (!authorities(r, member.value, &list[n].may)) return false;
        sov_read_leave(r, here);
    }
    sov_read_leave(r, back);
    policy->roles = list;
    policy->role_count = count;
    return true;
}

static bool separation(struct sov_reader *r, struct sov_value value, struct sov_policy *policy)
{
    static const char *const keys[] = { "answerable_required" };
    size_t back = sov_read_enter(r, "separation");
    struct sov_value v;

    if (!sov_read_object(r, NULL, value, keys, 1, &v) ||
        !sov_read_bool(r, keys[0], v, &policy->answerable_required))
        return false;
    sov_read_leave(r, back);
    return true;
}

static bool whole(struct sov_reader *r, struct sov_value document, struct sov_policy *policy)
{
    enum { ACCEPTANCE, EFFECTS, LIMITS, REVIEW, ROLES, SEPARATION, TTL, WAKE, APPROVAL, KEYS };
    static const char *const keys[KEYS] = { "acceptance", "effects", "limits", "review",  "roles",
                                            "separation", "ttl",     "wake",   "approval" };
    struct sov_value v[KEYS], robot_list = { { NULL, 0 } };

    if (!sov_read_object_some(r, NULL, document, keys, APPROVAL, KEYS, v) ||
        !section(r, "acceptance", v[ACCEPTANCE], "robots", &robot_list, policy) ||
        !robots(r, "acceptance", robot_list, &policy->acceptance_robots,
                &policy->acceptance_robot_count) ||
        !approval(r, v[APPROVAL], policy) || !section(r, "limits", v[LIMITS], NULL, NULL, policy) ||
        !section(r, "review", v[REVIEW], NULL, NULL, policy) || !roles(r, v[ROLES], policy) ||
        !separation(r, v[SEPARATION], policy) || !section(r, "ttl", v[TTL], NULL, NULL, policy) ||
        !sov_read_effects(r, v[EFFECTS], policy) || !sov_read_wake(r, v[WAKE], policy))
        return false;
    policy->rules_digest = sov_sha256(v[WAKE].octets);
    return at_most(r, policy->acceptance_persons, policy->acceptance_signers, "acceptance",
                   "persons", "signers") &&
           at_most(r, policy->review_persons, policy->review_count, "review", "persons", "count") &&
           at_most(r, policy->ttl_attempt, policy->ttl_max, "ttl", "attempt", "max") &&
           at_most(r, policy->limits_deliverable_bytes, policy->limits_receipt_bytes, "limits",
                   "deliverable_bytes", "receipt_bytes");
}

bool sov_policy_parse(struct sov_bytes octets, struct sov_arena *arena,
                      const struct sov_policy **policy_out, struct sov_error *err)
{
    struct sov_reader reader = { .arena = arena, .err = err };
    struct sov_policy *policy;

    if (!sov_scan_canonical(octets, &document_rules, err)) return false;
    policy = sov_arena_take(arena, sizeof *policy);
    policy->octets = sov_arena_bytes(arena, octets);
    policy->digest = sov_sha256(octets);
    if (!whole(&reader, sov_value(policy->octets), policy)) return false;
    *policy_out = policy;
    return true;
}

struct sov_bytes sov_policy_default(void)
{
    return sov_bytes_text(
        "{\"acceptance\":{\"persons\":1,\"robots\":[],\"signers\":1},"
        "\"approval\":{\"persons\":1,\"quorum\":1,\"robots\":[]},"
        "\"effects\":[],"
        "\"limits\":{\"approvals_per_minute\":10,\"assignments_per_sow\":4,"
        "\"attempts_per_assignment\":3,\"deliverable_bytes\":67108864,"
        "\"delivery_attempts\":5,\"delivery_backoff\":30,\"delivery_backoff_max\":300,"
        "\"live_attempts_per_actor\":1,\"message_retries\":3,\"open_sows\":16,"
        "\"pulse_signals\":256,\"receipt_bytes\":268435456,\"signal_horizon\":2592000,"
        "\"supervise_acts\":1000},"
        "\"review\":{\"count\":1,\"persons\":0},"
        "\"roles\":{"
        "\"master\":[\"plan\",\"steer\",\"assign\",\"request\"],"
        "\"operator\":[\"work\",\"request\"],"
        "\"principal\":[\"administer\",\"define\",\"steer\",\"close\",\"accept\",\"rule\","
        "\"waive\","
        "\"approve\"],"
        "\"sparring\":[\"review\",\"rule\"],"
        "\"verifier\":[\"verify\"]},"
        "\"separation\":{\"answerable_required\":false},"
        "\"ttl\":{\"approval\":3600,\"attempt\":900,\"defer\":300,\"delivery\":300,"
        "\"grace\":5,\"heartbeat_interval\":30,\"heartbeat_stale\":900,\"instance\":60,"
        "\"max\":14400,\"max_skew\":300,\"message\":900,\"session\":60},"
        "\"wake\":[]}");
}
