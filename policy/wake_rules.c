/* The wake rules of a policy document (model.md 6). */
#include "base/amount.h"
#include "base/text.h"
#include "policy/effect.h"
#include "policy/limits.h"
#include "policy/rules.h"

#include <string.h>

enum { RULES_MAX = 64, SOURCES_MAX = 16 };

static bool texts(struct sov_reader *r, const char *key, struct sov_value value, size_t most,
                  size_t size_max, const char *const **list_out, size_t *count_out)
{
    size_t count, at = 0, back = sov_read_enter(r, key);
    struct sov_value item;
    const char **list;

    if (!sov_read_list(r, NULL, value, 0, most, &count)) return false;
    list = sov_arena_array(r->arena, count + 1, sizeof *list);
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        size_t here = sov_read_enter_item(r, i);

        if (!sov_read_text(r, NULL, item, size_max, &list[i])) return false;
        sov_read_leave(r, here);
    }
    sov_read_leave(r, back);
    *list_out = list;
    *count_out = count;
    return true;
}

/* As a signal about "S" would make them; the paths of the real one are checked when it fires. */
static bool paths_are_safe(struct sov_reader *r, const struct sov_wake_sow *sow)
{
    const char *filled[SOV_DELIVERABLES_MAX];
    struct sov_error err;

    for (size_t i = 0; i < sow->deliverable_count; i++)
        filled[i] = sov_policy_fill(sow->deliverables[i], "S", "SIG-1", r->arena);
    if (sov_policy_deliverables(filled, sow->deliverable_count, &err)) return true;
    sov_read_enter(r, "deliverables");
    return sov_read_refuse(r, "does not hold: %s", err.what);
}

static bool sow_effect(struct sov_reader *r, struct sov_value value,
                       const struct sov_policy *policy, struct sov_wake_sow *sow)
{
    static const char *const keys[] = { "kind", "required" };
    size_t back = sov_read_enter(r, "effect");
    struct sov_value v[2];

    sow->effect = NULL;
    if (sov_value_kind(value) != SOV_JSON_NULL) {
        if (!sov_read_object(r, NULL, value, keys, 2, v) ||
            !sov_read_id(r, "kind", v[0], &sow->effect) ||
            !sov_read_bool(r, "required", v[1], &sow->effect_required))
            return false;
        if (!sov_policy_effect_kind(policy, sow->effect, SOV_FROM_ASSIGNMENT)) {
            sov_read_enter(r, "kind");
            return sov_read_refuse(r, "is no effect that this policy declares for assignments");
        }
    }
    sov_read_leave(r, back);
    return true;
}

static bool sow(struct sov_reader *r, struct sov_value value, const struct sov_policy *policy,
                struct sov_wake_sow *s)
{
    static const char *const keys[] = { "deliverables", "done_when", "effect",
                                        "non_goals",    "scope",     "title" };
    size_t back = sov_read_enter(r, "sow");
    struct sov_value v[6];

    if (!sov_read_object(r, NULL, value, keys, 6, v) ||
        !texts(r, "deliverables", v[0], SOV_DELIVERABLES_MAX, 1024, &s->deliverables,
               &s->deliverable_count) ||
        !sov_read_text(r, "done_when", v[1], SOV_TEXT_DONE_WHEN, &s->done_when) ||
        !sow_effect(r, v[2], policy, s) ||
        !texts(r, "non_goals", v[3], SOV_NON_GOALS_MAX, SOV_TEXT_NON_GOAL, &s->non_goals,
               &s->non_goal_count) ||
        !sov_read_text(r, "scope", v[4], SOV_TEXT_SCOPE, &s->scope) ||
        !sov_read_text(r, "title", v[5], SOV_TEXT_TITLE, &s->title) || !paths_are_safe(r, s))
        return false;
    sov_read_leave(r, back);
    return true;
}

static bool sources(struct sov_reader *r, struct sov_value value, struct sov_wake_rule *rule)
{
    size_t at = 0, back = sov_read_enter(r, "sources");
    struct sov_value item;
    const char **list;

    if (!sov_read_list(r, NULL, value, 1, SOURCES_MAX, &rule->source_count)) return false;
    list = sov_arena_array(r->arena, rule->source_count, sizeof *list);
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        size_t here = sov_read_enter_item(r, i);

        if (!sov_read_pattern(r, NULL, item, SOV_PATTERN_ID, &list[i])) return false;
        sov_read_leave(r, here);
    }
    sov_read_leave(r, back);
    rule->sources = list;
    return true;
}

static bool severities(struct sov_reader *r, struct sov_value value, struct sov_wake_rule *rule)
{
    static const char *const words[] = { "info", "warning", "resolved" };
    size_t at = 0, count, n, back = sov_read_enter(r, "severities");
    struct sov_value item;

    if (!sov_read_list(r, NULL, value, 1, 3, &count)) return false;
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        size_t here = sov_read_enter_item(r, i);

        if (!sov_read_word(r, NULL, item, words, 3, &n)) return false;
        if (rule->severities[n]) return sov_read_refuse(r, "is named a second time");
        rule->severities[n] = true;
        sov_read_leave(r, here);
    }
    sov_read_leave(r, back);
    return true;
}

static bool on(struct sov_reader *r, struct sov_value value, struct sov_wake_rule *rule)
{
    static const char *const keys[] = { "kind", "severities", "sources" };
    size_t back = sov_read_enter(r, "on");
    struct sov_value v[3];

    if (!sov_read_object(r, NULL, value, keys, 3, v) ||
        !sov_read_id(r, "kind", v[0], &rule->kind) || !severities(r, v[1], rule) ||
        !sources(r, v[2], rule))
        return false;
    sov_read_leave(r, back);
    return true;
}

/* "ID" is an actor, "role/ROLE" a role. */
static bool worker(struct sov_reader *r, struct sov_value value, const struct sov_policy *policy,
                   struct sov_wake_rule *rule)
{
    const char *text;

    if (!sov_read_text(r, "worker", value, 68, &text)) return false;
    sov_read_enter(r, "worker");
    if (strncmp(text, "role/", 5) == 0) {
        rule->worker_role = text + 5;
        if (!sov_policy_role(policy, rule->worker_role))
            return sov_read_refuse(r, "names a role without a row");
    } else {
        rule->worker = text;
        if (!sov_text_is_id(sov_bytes_text(text)))
            return sov_read_refuse(r, "is neither an actor nor role/ROLE");
    }
    return true;
}

static bool rule(struct sov_reader *r, struct sov_value value, const struct sov_policy *policy,
                 struct sov_wake_rule *w)
{
    static const char *const keys[] = { "enabled", "id",  "on",      "planner", "priority",
                                        "reopen",  "sow", "subject", "when",    "worker" };
    struct sov_value v[10];

    return sov_read_object(r, NULL, value, keys, 10, v) &&
           sov_read_bool(r, "enabled", v[0], &w->enabled) && sov_read_id(r, "id", v[1], &w->id) &&
           on(r, v[2], w) && sov_read_id(r, "planner", v[3], &w->planner) &&
           sov_read_int(r, "priority", v[4], -SOV_INT_MAX, SOV_INT_MAX, &w->priority) &&
           sov_read_bool(r, "reopen", v[5], &w->reopen) && sow(r, v[6], policy, &w->sow) &&
           sov_read_pattern(r, "subject", v[7], SOV_PATTERN_FREE, &w->subject) &&
           sov_read_conditions(r, "when", v[8], 0, &w->when, &w->when_count) &&
           worker(r, v[9], policy, w);
}

bool sov_read_wake(struct sov_reader *r, struct sov_value value, struct sov_policy *policy)
{
    size_t at = 0, back = sov_read_enter(r, "wake");
    struct sov_wake_rule *list;
    struct sov_value item;

    if (!sov_read_list(r, NULL, value, 0, RULES_MAX, &policy->wake_count)) return false;
    list = sov_arena_array(r->arena, policy->wake_count + 1, sizeof *list);
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        size_t here = sov_read_enter_item(r, i);

        if (!rule(r, item, policy, &list[i])) return false;
        sov_read_leave(r, here);
        for (size_t k = 0; k < i; k++) {
            if (strcmp(list[k].id, list[i].id) != 0) continue;
            sov_read_enter_item(r, i);
            sov_read_enter(r, "id");
            return sov_read_refuse(r, "is the id of an earlier rule");
        }
    }
    sov_read_leave(r, back);
    policy->wake = list;
    return true;
}
