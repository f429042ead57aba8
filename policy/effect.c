#include "policy/effect.h"

#include "base/amount.h"

#include <assert.h>
#include <string.h>

const struct sov_effect_kind *sov_policy_effect_kind(const struct sov_policy *policy,
                                                     const char *kind, enum sov_origin origin)
{
    for (size_t i = 0; i < policy->effect_count; i++)
        if (policy->effects[i].origin == origin && strcmp(policy->effects[i].kind, kind) == 0)
            return &policy->effects[i];
    return NULL;
}

/* One proposal on its way through the questions. */
struct work {
    const struct sov_effect_input *in;
    const struct sov_effect_kind *kind;
    struct sov_arena *arena;
    struct sov_books books; /* balances are the work's own copy */
    struct sov_balance *balances;
    struct sov_fact *facts; /* used, by name */
    size_t fact_count;
    struct sov_posting *postings;
    struct sov_emission *emits;
};

/* E2 */
static bool is_in_scope(const struct sov_effect_input *in, struct sov_error *err)
{
    if (in->origin == SOV_FROM_OUTSIDE) return true;
    if (!in->sow_effect || strcmp(in->sow_effect, in->kind) != 0)
        return sov_fail(err, SOV_DENIED, "effect_not_in_scope", "%s proposed, the SOW asks for %s",
                        in->kind, in->sow_effect ? in->sow_effect : "no effect");
    if (in->outcome_subject && strcmp(in->outcome_subject, in->subject) != 0)
        return sov_fail(err, SOV_DENIED, "subject_mismatch", "proposed on %s, the outcome is on %s",
                        in->subject, in->outcome_subject);
    return true;
}

/* E3 */
static bool subject_fits(const struct work *w, struct sov_error *err)
{
    if (!w->in->subject_declared)
        return sov_fail(err, SOV_USAGE, "subject_undeclared", "%s is not declared", w->in->subject);
    if (!sov_policy_matches(w->kind->subject, w->in->subject))
        return sov_fail(err, SOV_DENIED, "subject_not_allowed", "%s is for %s, not for %s",
                        w->kind->kind, w->kind->subject, w->in->subject);
    return true;
}

/* E4 */
static bool is_first(const struct sov_effect_input *in, bool *again_out, struct sov_error *err)
{
    *again_out = false;
    if (in->origin == SOV_FROM_OUTSIDE) return true;
    if (in->twice)
        return sov_fail(err, SOV_CONFLICT, "effect_conflict", "%s on %s stands twice in the report",
                        in->kind, in->subject);
    if (in->used && in->used_quantity != in->quantity)
        return sov_fail(err, SOV_CONFLICT, "effect_conflict",
                        "%s on %s was committed with %lld, now %lld is proposed", in->kind,
                        in->subject, (long long)in->used_quantity, (long long)in->quantity);
    *again_out = in->used;
    return true;
}

/* E5 */
static bool quantity_fits(const struct work *w, struct sov_error *err)
{
    if (w->in->quantity < w->kind->min || w->in->quantity > w->kind->max)
        return sov_fail(err, SOV_USAGE, "quantity_out_of_range",
                        "quantity %lld of %s is not within %lld to %lld",
                        (long long)w->in->quantity, w->kind->kind, (long long)w->kind->min,
                        (long long)w->kind->max);
    if (w->in->unit && strcmp(w->in->unit, w->kind->unit) != 0)
        return sov_fail(err, SOV_USAGE, "unit_mismatch", "%s is counted in %s", w->kind->kind,
                        w->kind->unit);
    return true;
}

static bool is_quantity(struct sov_operand factor)
{
    return factor.fact && strcmp(factor.fact, "quantity") == 0;
}

static bool use_fact(struct work *w, struct sov_operand operand, struct sov_error *err)
{
    size_t i = w->fact_count;
    int64_t value;

    if (!operand.fact || is_quantity(operand)) return true;
    if (!sov_policy_operand(operand, &w->books, &value, err)) return false;
    while (i && strcmp(w->facts[i - 1].name, operand.fact) > 0) i--;
    if (i && strcmp(w->facts[i - 1].name, operand.fact) == 0) return true;
    memmove(w->facts + i + 1, w->facts + i, (w->fact_count - i) * sizeof *w->facts);
    w->facts[i] = (struct sov_fact){ operand.fact, value };
    w->fact_count++;
    return true;
}

/* E6 */
static bool facts_are_set(struct work *w, struct sov_error *err)
{
    const struct sov_effect_kind *kind = w->kind;
    size_t room = kind->constraint_count;

    for (size_t i = 0; i < kind->posting_count; i++) room += kind->postings[i].factor_count;
    for (size_t i = 0; i < kind->emit_count; i++) room += kind->emits[i].when_count;
    w->facts = sov_arena_array(w->arena, room + 1, sizeof *w->facts);
    for (size_t i = 0; i < kind->posting_count; i++)
        for (size_t f = 0; f < kind->postings[i].factor_count; f++)
            if (!use_fact(w, kind->postings[i].factors[f], err)) return false;
    for (size_t i = 0; i < kind->constraint_count; i++)
        if (!use_fact(w, kind->constraints[i].value, err)) return false;
    for (size_t i = 0; i < kind->emit_count; i++)
        for (size_t c = 0; c < kind->emits[i].when_count; c++)
            if (!use_fact(w, kind->emits[i].when[c].value, err)) return false;
    return true;
}

static bool product(const struct sov_posting_rule *rule, int64_t quantity,
                    const struct sov_books *books, int64_t *delta_out, struct sov_error *err)
{
    struct sov_amount delta = { rule->sign };

    for (size_t i = 0; i < rule->factor_count; i++) {
        struct sov_amount factor = { quantity };

        if (!is_quantity(rule->factors[i]) &&
            !sov_policy_operand(rule->factors[i], books, &factor.n, err))
            return false;
        if (!sov_amount_multiply(&delta, delta, factor, err)) return false;
    }
    *delta_out = delta.n;
    return true;
}

bool sov_policy_postings_due(const struct sov_effect_kind *kind, const char *subject,
                             int64_t quantity, const struct sov_fact *facts, size_t fact_count,
                             struct sov_arena *arena, const struct sov_posting **postings_out,
                             size_t *count_out, struct sov_error *err)
{
    struct sov_books books = { NULL, 0, facts, fact_count };
    struct sov_posting *postings = sov_arena_array(arena, kind->posting_count, sizeof *postings);

    for (size_t i = 0; i < kind->posting_count; i++) {
        if (!product(&kind->postings[i], quantity, &books, &postings[i].delta, err)) return false;
        postings[i].account = sov_policy_fill(kind->postings[i].account, subject, NULL, arena);
    }
    *postings_out = postings;
    *count_out = kind->posting_count;
    return true;
}

static struct sov_balance *balance_find(struct sov_balance *balances, size_t count,
                                        const char *account)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(balances[i].account, account) == 0) return &balances[i];
    return NULL;
}

static bool accounts_are_open(const struct work *w, struct sov_error *err)
{
    const char *const *accounts;
    size_t count;

    sov_policy_effect_accounts(w->kind, w->in->subject, w->arena, &accounts, &count);
    for (size_t i = 0; i < count; i++)
        if (!balance_find(w->balances, w->books.balance_count, accounts[i]))
            return sov_fail(err, SOV_ABSENT, "account_unknown", "the account %s is not open",
                            accounts[i]);
    return true;
}

/* E7 */
static bool post(struct work *w, struct sov_error *err)
{
    const struct sov_posting *due;
    size_t count;

    if (!accounts_are_open(w, err) ||
        !sov_policy_postings_due(w->kind, w->in->subject, w->in->quantity, w->facts, w->fact_count,
                                 w->arena, &due, &count, err))
        return false;
    w->postings = sov_arena_array(w->arena, count, sizeof *w->postings);
    for (size_t i = 0; i < count; i++) {
        struct sov_balance *row = balance_find(w->balances, w->books.balance_count, due[i].account);
        struct sov_amount balance;

        if (!sov_amount_add(&balance, (struct sov_amount){ row->balance },
                            (struct sov_amount){ due[i].delta }, err))
            return false;
        row->balance = balance.n;
        w->postings[i] = (struct sov_posting){ due[i].account, due[i].delta, balance.n };
    }
    return true;
}

/* E8, and what the balances after it say to others */
static bool conclude(struct work *w, struct sov_error *err)
{
    const struct sov_effect_kind *kind = w->kind;
    bool hold;

    for (size_t i = 0; i < kind->constraint_count; i++) {
        if (!sov_policy_conditions(&kind->constraints[i], 1, w->in->subject, &w->books, &hold, err))
            return false;
        if (!hold)
            return sov_fail(err, SOV_DENIED, "constraint_failed",
                            "constraint %zu of %s would not hold after quantity %lld on %s", i + 1,
                            kind->kind, (long long)w->in->quantity, w->in->subject);
    }
    w->emits = sov_arena_array(w->arena, kind->emit_count + 1, sizeof *w->emits);
    for (size_t i = 0; i < kind->emit_count; i++) {
        const struct sov_emit_rule *emit = &kind->emits[i];

        if (!sov_policy_conditions(emit->when, emit->when_count, w->in->subject, &w->books, &hold,
                                   err))
            return false;
        w->emits[i] = (struct sov_emission){ emit->kind, hold ? emit->then : emit->otherwise };
    }
    return true;
}

bool sov_policy_effect(const struct sov_policy *policy, const struct sov_effect_input *input,
                       struct sov_arena *arena, struct sov_effect_result *result_out,
                       struct sov_error *err)
{
    struct work w = { .in = input, .arena = arena, .books = input->books };
    bool again;

    assert(policy && input->kind && input->subject && result_out);
    w.kind = sov_policy_effect_kind(policy, input->kind, input->origin);
    if (!w.kind)
        return sov_fail(err, SOV_USAGE, "kind_unknown", "no kind %s is declared for %s",
                        input->kind,
                        input->origin == SOV_FROM_OUTSIDE ? "outside changes" : "assignments");
    if (!is_in_scope(input, err) || !subject_fits(&w, err) || !is_first(input, &again, err))
        return false;
    if (again) {
        *result_out = (struct sov_effect_result){ .again = true, .kind = w.kind };
        return true;
    }
    w.balances = sov_arena_array(arena, input->books.balance_count + 1, sizeof *w.balances);
    if (input->books.balance_count)
        memcpy(w.balances, input->books.balances, input->books.balance_count * sizeof *w.balances);
    w.books.balances = w.balances;
    if (!quantity_fits(&w, err) || !facts_are_set(&w, err) || !post(&w, err) || !conclude(&w, err))
        return false;
    *result_out = (struct sov_effect_result){
        false,      w.kind,
        w.facts,    w.fact_count,
        w.postings, w.kind->posting_count,
        w.emits,    w.kind->emit_count,
    };
    return true;
}

void sov_policy_carry(const struct sov_effect_result *result, struct sov_balance *balances,
                      size_t count)
{
    for (size_t i = 0; i < result->posting_count; i++) {
        struct sov_balance *row = balance_find(balances, count, result->postings[i].account);

        if (row) row->balance = result->postings[i].balance;
    }
}
