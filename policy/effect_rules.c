/* The effect and change kinds of a policy document (model.md 8). */
#include "base/amount.h"
#include "base/text.h"
#include "policy/rules.h"

#include <string.h>

enum { EFFECTS_MAX = 64, PARTS_MAX = 16 };

/* Each segment of an account is a name, or {subject} whole: so no subject can reach an account of
 * another one. */
static bool account_fits(const char *account)
{
    char name[4 * 64 + 1];
    size_t size = 0;

    for (const char *at = account; *at; at++) {
        bool whole = strncmp(at, "{subject}", 9) == 0 && (at == account || at[-1] == '/') &&
                     (at[9] == '/' || at[9] == 0);

        if (size + 1 == sizeof name) return false;
        name[size++] = whole ? 'S' : *at;
        if (whole) at += 8;
    }
    return sov_text_is_account(sov_bytes(name, size));
}

static bool account(struct sov_reader *r, const char *key, struct sov_value value,
                    const char **account_out)
{
    const char *text;
    size_t back;

    if (!sov_read_text(r, key, value, 300, &text)) return false;
    back = sov_read_enter(r, key);
    if (!account_fits(text)) return sov_read_refuse(r, "is no account");
    sov_read_leave(r, back);
    *account_out = text;
    return true;
}

static bool operand(struct sov_reader *r, const char *key, struct sov_value value,
                    bool quantity_allowed, struct sov_operand *operand_out)
{
    struct sov_operand result = { NULL, 0 };
    size_t back;

    if (sov_value_kind(value) == SOV_JSON_INT) {
        if (!sov_read_int(r, key, value, -SOV_INT_MAX, SOV_INT_MAX, &result.n)) return false;
    } else {
        if (!sov_read_id(r, key, value, &result.fact)) return false;
        back = sov_read_enter(r, key);
        if (!quantity_allowed && strcmp(result.fact, "quantity") == 0)
            return sov_read_refuse(r, "has no quantity to look at");
        sov_read_leave(r, back);
    }
    *operand_out = result;
    return true;
}

static bool term(struct sov_reader *r, struct sov_value value, struct sov_term *term_out)
{
    struct sov_value pair[2];
    size_t at = 0, count;

    if (!sov_read_list(r, NULL, value, 2, 2, &count)) return false;
    if (!sov_value_item(value, &at, &pair[0]) || !sov_value_item(value, &at, &pair[1]))
        return false;
    return account(r, "0", pair[0], &term_out->account) &&
           sov_read_int(r, "1", pair[1], -SOV_INT_MAX, SOV_INT_MAX, &term_out->times);
}

static bool condition(struct sov_reader *r, struct sov_value value, struct sov_condition *c)
{
    static const char *const keys[] = { "op", "terms", "value" }, *const ops[] = { ">=", "<" };
    struct sov_value v[3], item;
    struct sov_term *terms;
    size_t op, at = 0, back;

    if (!sov_read_object(r, NULL, value, keys, 3, v) ||
        !sov_read_word(r, "op", v[0], ops, 2, &op) ||
        !sov_read_list(r, "terms", v[1], 1, PARTS_MAX, &c->term_count))
        return false;
    terms = sov_arena_array(r->arena, c->term_count, sizeof *terms);
    back = sov_read_enter(r, "terms");
    for (size_t i = 0; sov_value_item(v[1], &at, &item); i++) {
        size_t here = sov_read_enter_item(r, i);

        if (!term(r, item, &terms[i])) return false;
        sov_read_leave(r, here);
    }
    sov_read_leave(r, back);
    c->terms = terms;
    c->below = op == 1;
    return operand(r, "value", v[2], false, &c->value);
}

bool sov_read_conditions(struct sov_reader *r, const char *key, struct sov_value value,
                         size_t least, const struct sov_condition **conditions_out,
                         size_t *count_out)
{
    size_t count, at = 0, back = sov_read_enter(r, key);
    struct sov_condition *list;
    struct sov_value item;

    if (!sov_read_list(r, NULL, value, least, PARTS_MAX, &count)) return false;
    list = sov_arena_array(r->arena, count + 1, sizeof *list);
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        size_t here = sov_read_enter_item(r, i);

        if (!condition(r, item, &list[i])) return false;
        sov_read_leave(r, here);
    }
    sov_read_leave(r, back);
    *conditions_out = list;
    *count_out = count;
    return true;
}

static bool posting(struct sov_reader *r, struct sov_value value, struct sov_posting_rule *p)
{
    static const char *const keys[] = { "account", "factors", "sign" };
    struct sov_value v[3], item;
    struct sov_operand *factors;
    size_t at = 0, back;

    if (!sov_read_object(r, NULL, value, keys, 3, v) || !account(r, "account", v[0], &p->account) ||
        !sov_read_list(r, "factors", v[1], 1, PARTS_MAX, &p->factor_count))
        return false;
    factors = sov_arena_array(r->arena, p->factor_count, sizeof *factors);
    back = sov_read_enter(r, "factors");
    for (size_t i = 0; sov_value_item(v[1], &at, &item); i++) {
        size_t here = sov_read_enter_item(r, i);

        if (!operand(r, NULL, item, true, &factors[i])) return false;
        sov_read_leave(r, here);
    }
    sov_read_leave(r, back);
    p->factors = factors;
    if (!sov_read_int(r, "sign", v[2], -1, 1, &p->sign)) return false;
    if (p->sign != 0) return true;
    sov_read_enter(r, "sign");
    return sov_read_refuse(r, "is neither 1 nor -1");
}

static bool postings(struct sov_reader *r, struct sov_value value, struct sov_effect_kind *kind)
{
    size_t at = 0, back = sov_read_enter(r, "postings");
    struct sov_posting_rule *list;
    struct sov_value item;

    if (!sov_read_list(r, NULL, value, 1, PARTS_MAX, &kind->posting_count)) return false;
    list = sov_arena_array(r->arena, kind->posting_count, sizeof *list);
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        size_t here = sov_read_enter_item(r, i);

        if (!posting(r, item, &list[i])) return false;
        sov_read_leave(r, here);
    }
    sov_read_leave(r, back);
    kind->postings = list;
    return true;
}

static bool emit(struct sov_reader *r, struct sov_value value, struct sov_emit_rule *e)
{
    static const char *const keys[] = { "else", "kind", "then", "when" }, *const severities[] = {
        "info", "warning", "resolved"
    };
    struct sov_value v[4];
    size_t then, otherwise;

    if (!sov_read_object(r, NULL, value, keys, 4, v) ||
        !sov_read_word(r, "else", v[0], severities, 3, &otherwise) ||
        !sov_read_id(r, "kind", v[1], &e->kind) ||
        !sov_read_word(r, "then", v[2], severities, 3, &then) ||
        !sov_read_conditions(r, "when", v[3], 1, &e->when, &e->when_count))
        return false;
    e->then = (enum sov_severity)then;
    e->otherwise = (enum sov_severity)otherwise;
    return true;
}

static bool emits(struct sov_reader *r, struct sov_value value, struct sov_effect_kind *kind)
{
    size_t at = 0, back = sov_read_enter(r, "emits");
    struct sov_emit_rule *list;
    struct sov_value item;

    if (!sov_read_list(r, NULL, value, 0, PARTS_MAX, &kind->emit_count)) return false;
    list = sov_arena_array(r->arena, kind->emit_count + 1, sizeof *list);
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        size_t here = sov_read_enter_item(r, i);

        if (!emit(r, item, &list[i])) return false;
        for (size_t k = 0; k < i; k++) /* their dedupe key is the effect's id: one a kind */
            if (strcmp(list[k].kind, list[i].kind) == 0)
                return sov_read_refuse(r, "emits %s a second time", list[i].kind);
        sov_read_leave(r, here);
    }
    sov_read_leave(r, back);
    kind->emits = list;
    return true;
}

static bool range(struct sov_reader *r, struct sov_value value, struct sov_effect_kind *kind)
{
    static const char *const keys[] = { "max", "min" };
    size_t back = sov_read_enter(r, "quantity");
    struct sov_value v[2];

    if (!sov_read_object(r, NULL, value, keys, 2, v) ||
        !sov_read_int(r, "max", v[0], 1, SOV_INT_MAX, &kind->max) ||
        !sov_read_int(r, "min", v[1], 1, kind->max, &kind->min))
        return false;
    sov_read_leave(r, back);
    return true;
}

static bool effect(struct sov_reader *r, struct sov_value value, struct sov_effect_kind *kind)
{
    static const char *const keys[] = { "constraints", "emits",   "kind", "origin",  "postings",
                                        "quantity",    "subject", "unit", "approval" },
                             *const origins[] = { "assignment", "external" };
    struct sov_value v[9];
    size_t origin;

    if (!sov_read_object_some(r, NULL, value, keys, 8, 9, v) ||
        !sov_read_conditions(r, "constraints", v[0], 0, &kind->constraints,
                             &kind->constraint_count) ||
        !emits(r, v[1], kind) || !sov_read_id(r, "kind", v[2], &kind->kind) ||
        !sov_read_word(r, "origin", v[3], origins, 2, &origin) || !postings(r, v[4], kind) ||
        !range(r, v[5], kind) ||
        !sov_read_pattern(r, "subject", v[6], SOV_PATTERN_NAME, &kind->subject) ||
        !sov_read_id(r, "unit", v[7], &kind->unit))
        return false;
    kind->origin = (enum sov_origin)origin;
    kind->approval = false;
    if (!sov_value_there(v[8])) return true;
    if (!sov_read_bool(r, "approval", v[8], &kind->approval)) return false;
    if (!kind->approval || kind->origin == SOV_FROM_ASSIGNMENT) return true;
    sov_read_enter(r, "approval");
    return sov_read_refuse(r, "is of effects alone: a change has happened already");
}

bool sov_read_effects(struct sov_reader *r, struct sov_value value, struct sov_policy *policy)
{
    size_t at = 0, back = sov_read_enter(r, "effects");
    struct sov_effect_kind *list;
    struct sov_value item;

    if (!sov_read_list(r, NULL, value, 0, EFFECTS_MAX, &policy->effect_count)) return false;
    list = sov_arena_array(r->arena, policy->effect_count + 1, sizeof *list);
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        size_t here = sov_read_enter_item(r, i);

        if (!effect(r, item, &list[i])) return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(list[k].kind, list[i].kind) == 0)
                return sov_read_refuse(r, "declares %s a second time", list[i].kind);
        sov_read_leave(r, here);
    }
    sov_read_leave(r, back);
    policy->effects = list;
    return true;
}
