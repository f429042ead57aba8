/* Checks of ledger state: balances, effects and their postings. */
#include "verify/look.h"

#include "base/text.h"
#include "policy/policy.h"

struct sov_writer sov_look_writer(struct sov_look *look)
{
    struct sov_writer w;

    sov_buf_clear(&look->observed);
    sov_writer_init(&w, &look->observed);
    return w;
}

/* Policy's answer is the check's; anything else is the log's, and ends the run. */
static bool fault_or_fail(struct sov_look *look, const struct sov_error *why, struct sov_error *err)
{
    static const char *const faults[] = { "account_unknown", "amount_overflow", "fact_missing",
                                          "kind_unknown", "subject_undeclared" };

    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (strcmp(why->code, faults[i]) == 0) {
            look->success = false;
            look->code = faults[i];
            return true;
        }
    *err = *why;
    return false;
}

/* ---- balance-at-least ---- */

static const char *account_of(const struct sov_look *look, const struct sov_term *term)
{
    return look->outcome.subject
               ? sov_policy_fill(term->account, look->outcome.subject, NULL, look->arena)
               : term->account;
}

static void put_balances(struct sov_writer *w, const struct sov_look *look,
                         const struct sov_check *check, const struct sov_books *books)
{
    sov_put_list(w, "balances");
    for (size_t t = 0; t < check->term_count; t++) {
        const char *account = account_of(look, &check->terms[t]);

        for (size_t i = 0; i < books->balance_count; i++) {
            if (strcmp(books->balances[i].account, account) != 0) continue;
            sov_write_list(w);
            sov_write_text(w, sov_bytes_text(account));
            sov_write_int(w, books->balances[i].balance);
            sov_write_end(w);
        }
    }
    sov_write_end(w);
}

static void put_facts(struct sov_writer *w, const struct sov_check *check, int64_t min)
{
    sov_put_list(w, "facts");
    if (check->min.fact) {
        sov_write_list(w);
        sov_write_text(w, sov_bytes_text(check->min.fact));
        sov_write_int(w, min);
        sov_write_end(w);
    }
    sov_write_end(w);
}

bool sov_look_balance(struct sov_look *look, const struct sov_check *check, struct sov_error *err)
{
    const char **accounts = sov_arena_array(look->arena, check->term_count, sizeof *accounts);
    const char *subject = look->outcome.subject ? look->outcome.subject : "";
    struct sov_error why = { 0 };
    struct sov_books books;
    struct sov_writer w;
    int64_t sum, min;
    bool declared;

    for (size_t t = 0; t < check->term_count; t++) accounts[t] = account_of(look, &check->terms[t]);
    if (!sov_books_read(look->ledger, accounts, check->term_count, subject, look->arena, &books,
                        &declared, err))
        return false;
    if (check->needs_subject && !declared) {
        look->code = "subject_undeclared";
        return true;
    }
    if (!sov_policy_sum(check->terms, check->term_count, subject, &books, &sum, &why) ||
        !sov_policy_operand(check->min, &books, &min, &why))
        return fault_or_fail(look, &why, err);
    look->success = sum >= min;
    w = sov_look_writer(look);
    sov_write_object(&w);
    put_balances(&w, look, check, &books);
    put_facts(&w, check, min);
    sov_put_int(&w, "sum", sum);
    sov_write_end(&w);
    return true;
}

/* ---- effects: of the kind, on the outcome's subject, by assignments of its present term ---- */

struct such {
    struct sov_effect *at;
    size_t count;
};

static bool such_of(const struct sov_look *look, int64_t assignment, const char *kind,
                    struct such *such, struct sov_error *err)
{
    struct sov_effects effects;
    struct sov_effect *more;

    if (!sov_effect_list(look->ledger, assignment, look->arena, &effects, err)) return false;
    if (!effects.count) return true;
    more = sov_arena_array(look->arena, such->count + effects.count, sizeof *more);
    if (such->count) memcpy(more, such->at, such->count * sizeof *more);
    such->at = more;
    for (size_t i = 0; i < effects.count; i++)
        if (strcmp(effects.at[i].kind, kind) == 0 &&
            strcmp(effects.at[i].subject, look->outcome.subject) == 0)
            such->at[such->count++] = effects.at[i];
    return true;
}

/* By assignments in order of their SOWs: the same order each time. *there_out false: the outcome
 * has no subject that effects could be on. */
static bool such_effects(const struct sov_look *look, const char *kind, struct such *such_out,
                         bool *there_out, struct sov_error *err)
{
    struct sov_assignments assignments;
    struct sov_sows sows;

    *such_out = (struct such){ 0 };
    *there_out = look->outcome.subject != NULL;
    if (!*there_out) return true;
    if (!sov_sow_list(look->ledger, look->outcome.n, look->outcome.term, look->arena, &sows, err))
        return false;
    for (size_t s = 0; s < sows.count; s++) {
        if (!sov_assignment_list(look->ledger, sows.at[s].n, look->arena, &assignments, err))
            return false;
        for (size_t a = 0; a < assignments.count; a++)
            if (!such_of(look, assignments.at[a].n, kind, such_out, err)) return false;
    }
    return true;
}

static void put_id(struct sov_writer *w, const char *key, enum sov_stream_kind kind, int64_t n,
                   struct sov_arena *arena)
{
    struct sov_stream stream = sov_stream_numbered(kind, n);

    sov_put_text(w, key, sov_stream_id(&stream, arena));
}

bool sov_look_effects(struct sov_look *look, const struct sov_check *check, struct sov_error *err)
{
    struct sov_writer w;
    struct such such;
    bool there;

    if (!such_effects(look, check->effect, &such, &there, err)) return false;
    if (!there) {
        look->code = "subject_undeclared";
        return true;
    }
    look->success = (int64_t)such.count >= check->count;
    w = sov_look_writer(look);
    sov_write_object(&w);
    sov_put_list(&w, "effects");
    for (size_t i = 0; i < such.count; i++) {
        sov_write_object(&w);
        put_id(&w, "assignment", SOV_STREAM_ASSIGNMENT, such.at[i].assignment, look->arena);
        put_id(&w, "effect", SOV_STREAM_EFFECT, such.at[i].n, look->arena);
        sov_write_end(&w);
    }
    sov_write_end(&w);
    sov_write_end(&w);
    return true;
}

static void put_posting(struct sov_writer *w, const char *account, int64_t delta)
{
    sov_write_list(w);
    sov_write_text(w, sov_bytes_text(account));
    sov_write_int(w, delta);
    sov_write_end(w);
}

/* What is due by the policy in force when it was committed, its facts and its quantity. */
static bool due_of(const struct sov_look *look, const struct sov_effect *effect,
                   const struct sov_posting **due_out, size_t *count_out, struct sov_error *err)
{
    const struct sov_effect_kind *kind;
    const struct sov_policy *policy;

    if (!sov_policy_at(look->ledger, effect->seq, look->arena, &policy, err)) return false;
    kind = sov_policy_effect_kind(policy, effect->kind, SOV_FROM_ASSIGNMENT);
    if (!kind || !sov_hash_equal(&policy->digest, &effect->policy))
        return sov_fail(err, SOV_USAGE, "kind_unknown", "no policy in force then knows the kind");
    return sov_policy_postings_due(kind, effect->subject, effect->quantity, effect->facts,
                                   effect->fact_count, look->arena, due_out, count_out, err);
}

/* Writes one effect; *holds_out: what stands on the accounts behind it is what is due. */
static bool put_effect(struct sov_writer *w, const struct sov_look *look,
                       const struct sov_effect *effect, bool *holds_out, struct sov_error *err)
{
    const struct sov_posting *due;
    struct sov_posteds found;
    size_t due_count;

    if (!due_of(look, effect, &due, &due_count, err) ||
        !sov_posted_behind(look->ledger, effect->seq, look->arena, &found, err) ||
        !sov_effect_corroborated(look->ledger, effect, look->arena, holds_out, err))
        return false;
    *holds_out = *holds_out && found.count == due_count;
    sov_write_object(w);
    put_id(w, "assignment", SOV_STREAM_ASSIGNMENT, effect->assignment, look->arena);
    sov_put_list(w, "due");
    for (size_t i = 0; i < due_count; i++) put_posting(w, due[i].account, due[i].delta);
    sov_write_end(w);
    put_id(w, "effect", SOV_STREAM_EFFECT, effect->n, look->arena);
    sov_put_list(w, "found");
    for (size_t i = 0; i < found.count; i++) {
        put_posting(w, found.at[i].account, found.at[i].delta);
        *holds_out = *holds_out && i < due_count &&
                     strcmp(found.at[i].account, due[i].account) == 0 &&
                     found.at[i].delta == due[i].delta;
    }
    sov_write_end(w);
    sov_write_end(w);
    return true;
}

bool sov_look_postings(struct sov_look *look, const struct sov_check *check, struct sov_error *err)
{
    struct sov_error why = { 0 };
    struct sov_writer w;
    struct such such;
    bool there, holds, all;

    if (!such_effects(look, check->effect, &such, &there, err)) return false;
    if (!there) {
        look->code = "subject_undeclared";
        return true;
    }
    all = such.count > 0;
    w = sov_look_writer(look);
    sov_write_object(&w);
    sov_put_list(&w, "effects");
    for (size_t i = 0; i < such.count; i++) {
        if (!put_effect(&w, look, &such.at[i], &holds, &why)) {
            sov_buf_clear(&look->observed);
            return fault_or_fail(look, &why, err);
        }
        all = all && holds;
    }
    sov_write_end(&w);
    sov_write_end(&w);
    look->success = all;
    return true;
}
