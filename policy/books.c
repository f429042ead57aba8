/* Reading the books: templates, sums, conditions. */
#include "base/amount.h"
#include "policy/effect.h"

#include <assert.h>
#include <string.h>

bool sov_policy_matches(const char *pattern, const char *text)
{
    size_t size = strlen(pattern);

    if (size && pattern[size - 1] == '*') return strncmp(pattern, text, size - 1) == 0;
    return strcmp(pattern, text) == 0;
}

/* What stands for the placeholder at `at`, and how long the placeholder is; NULL: none is there. */
static const char *placeholder(const char *at, const char *subject, const char *signal,
                               size_t *size_out)
{
    static const char subject_word[] = "{subject}", signal_word[] = "{signal}";

    if (strncmp(at, subject_word, sizeof subject_word - 1) == 0) {
        *size_out = sizeof subject_word - 1;
        return subject;
    }
    if (strncmp(at, signal_word, sizeof signal_word - 1) != 0) return NULL;
    *size_out = sizeof signal_word - 1;
    return signal;
}

const char *sov_policy_fill(const char *text, const char *subject, const char *signal,
                            struct sov_arena *arena)
{
    size_t size = 0, skip;
    const char *value;
    char *filled;

    for (const char *at = text; *at; at += value ? skip : 1) {
        value = placeholder(at, subject, signal, &skip);
        size += value ? strlen(value) : 1;
    }
    filled = sov_arena_take(arena, size + 1);
    size = 0;
    for (const char *at = text; *at; at += value ? skip : 1) {
        value = placeholder(at, subject, signal, &skip);
        if (value) {
            memcpy(filled + size, value, strlen(value));
            size += strlen(value);
        } else {
            filled[size++] = *at;
        }
    }
    return filled;
}

/* A growing set of names in byte order. The room is known before: one a rule's part. */
struct names {
    const char **at;
    size_t count;
};

static void names_add(struct names *names, const char *name)
{
    size_t i = names->count;

    while (i && strcmp(names->at[i - 1], name) > 0) i--;
    if (i && strcmp(names->at[i - 1], name) == 0) return;
    memmove(names->at + i + 1, names->at + i, (names->count - i) * sizeof *names->at);
    names->at[i] = name;
    names->count++;
}

static size_t terms_of(const struct sov_condition *when, size_t count)
{
    size_t terms = 0;

    for (size_t i = 0; i < count; i++) terms += when[i].term_count;
    return terms;
}

static void names_add_terms(struct names *names, const struct sov_condition *when, size_t count,
                            const char *subject, struct sov_arena *arena)
{
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < when[i].term_count; t++)
            names_add(names, sov_policy_fill(when[i].terms[t].account, subject, NULL, arena));
}

void sov_policy_effect_accounts(const struct sov_effect_kind *kind, const char *subject,
                                struct sov_arena *arena, const char *const **accounts_out,
                                size_t *count_out)
{
    size_t room = kind->posting_count + terms_of(kind->constraints, kind->constraint_count);
    struct names names = { NULL, 0 };

    for (size_t i = 0; i < kind->emit_count; i++)
        room += terms_of(kind->emits[i].when, kind->emits[i].when_count);
    names.at = sov_arena_array(arena, room + 1, sizeof *names.at);
    for (size_t i = 0; i < kind->posting_count; i++)
        names_add(&names, sov_policy_fill(kind->postings[i].account, subject, NULL, arena));
    names_add_terms(&names, kind->constraints, kind->constraint_count, subject, arena);
    for (size_t i = 0; i < kind->emit_count; i++)
        names_add_terms(&names, kind->emits[i].when, kind->emits[i].when_count, subject, arena);
    *accounts_out = names.at;
    *count_out = names.count;
}

void sov_policy_condition_accounts(const struct sov_condition *when, size_t when_count,
                                   const char *subject, struct sov_arena *arena,
                                   const char *const **accounts_out, size_t *count_out)
{
    struct names names = { NULL, 0 };

    names.at = sov_arena_array(arena, terms_of(when, when_count) + 1, sizeof *names.at);
    names_add_terms(&names, when, when_count, subject, arena);
    *accounts_out = names.at;
    *count_out = names.count;
}

/* Is `account` what the template becomes for this subject? */
static bool is_filled(const char *template, const char *subject, const char *account)
{
    const char *value;
    size_t skip;

    for (; *template; template += value ? skip : 1) {
        value = placeholder(template, subject, NULL, &skip);
        if (!value) {
            if (*template != *account++) return false;
            continue;
        }
        if (strncmp(account, value, strlen(value)) != 0) return false;
        account += strlen(value);
    }
    return *account == 0;
}

static const struct sov_balance *balance_of(const struct sov_books *books, const char *template,
                                            const char *subject)
{
    for (size_t i = 0; i < books->balance_count; i++)
        if (is_filled(template, subject, books->balances[i].account)) return &books->balances[i];
    return NULL;
}

bool sov_policy_sum(const struct sov_term *terms, size_t count, const char *subject,
                    const struct sov_books *books, int64_t *sum_out, struct sov_error *err)
{
    struct sov_amount sum = { 0 };

    for (size_t i = 0; i < count; i++) {
        const struct sov_balance *row = balance_of(books, terms[i].account, subject);
        struct sov_amount part;

        if (!row)
            return sov_fail(err, SOV_ABSENT, "account_unknown", "no account %s is open for %s",
                            terms[i].account, subject);
        if (!sov_amount_multiply(&part, (struct sov_amount){ row->balance },
                                 (struct sov_amount){ terms[i].times }, err) ||
            !sov_amount_add(&sum, sum, part, err))
            return false;
    }
    *sum_out = sum.n;
    return true;
}

bool sov_policy_operand(struct sov_operand operand, const struct sov_books *books, int64_t *n_out,
                        struct sov_error *err)
{
    if (!operand.fact) {
        *n_out = operand.n;
        return true;
    }
    for (size_t i = 0; i < books->fact_count; i++) {
        if (strcmp(books->facts[i].name, operand.fact) != 0) continue;
        *n_out = books->facts[i].value;
        return true;
    }
    return sov_fail(err, SOV_ABSENT, "fact_missing", "the fact %s is not set", operand.fact);
}

bool sov_policy_conditions(const struct sov_condition *when, size_t count, const char *subject,
                           const struct sov_books *books, bool *hold_out, struct sov_error *err)
{
    bool hold = true;

    for (size_t i = 0; i < count; i++) {
        int64_t sum, value;

        if (!sov_policy_sum(when[i].terms, when[i].term_count, subject, books, &sum, err) ||
            !sov_policy_operand(when[i].value, books, &value, err))
            return false;
        hold &= when[i].below ? sum < value : sum >= value;
    }
    *hold_out = hold;
    return true;
}
