/* Everything that decides, as text: so that a change of policy is a visible difference. */
#include "policy/policy.h"

static void print_limits(struct sov_buf *out)
{
#define ROW(name) sov_buf_printf(out, "    %s %d\n", #name, name);
    sov_buf_add_text(out, "limits that are compiled in\n");
    ROW(SOV_TEXT_TITLE)
    ROW(SOV_TEXT_SCOPE)
    ROW(SOV_TEXT_DESIRED_STATE)
    ROW(SOV_TEXT_DONE_WHEN)
    ROW(SOV_TEXT_REASON)
    ROW(SOV_TEXT_NON_GOAL)
    ROW(SOV_TEXT_RATIONALE)
    ROW(SOV_TEXT_SUBJECT)
    ROW(SOV_TEXT_OBSERVED)
    ROW(SOV_TEXT_MESSAGE)
    ROW(SOV_CHECKS_MAX)
    ROW(SOV_DELIVERABLES_MAX)
    ROW(SOV_DELIVERABLE_PATHS_MAX)
    ROW(SOV_NON_GOALS_MAX)
    ROW(SOV_PROPOSALS_MAX)
    ROW(SOV_RENEWALS_PER_TTL)
    ROW(SOV_CHECK_COMMAND_S)
    ROW(SOV_CHECK_COMMAND_MAX_S)
    ROW(SOV_CHECK_OUTPUT_MAX)
    ROW(SOV_CHECK_JSON_MAX)
#undef ROW
    sov_buf_add_text(out, "\nnumbers of a policy: default, least, most\n");
#define X(section, key, normal, least, most)                                                       \
    sov_buf_printf(out, "    %s.%s %lld %lld %lld\n", #section, #key, (long long)normal,           \
                   (long long)least, (long long)most);
    SOV_POLICY_NUMBERS(X)
    sov_buf_add_text(out, "\nnumbers of a policy that may be left out: default, least, most\n");
    SOV_POLICY_NUMBERS_LATER(X)
#undef X
}

static void print_lifecycle(struct sov_buf *out, const struct sov_lifecycle *table)
{
    sov_buf_printf(out, "\narrows of %s\n", table->name);
    for (unsigned from = 0; from < table->state_count; from++) {
        for (unsigned to = 0; to < table->state_count; to++)
            for (unsigned by = 0; by < table->event_count; by++)
                if (sov_lifecycle_allows(table, from, by, to))
                    sov_buf_printf(out, "    %s > %s  %s\n", table->states[from], table->states[to],
                                   table->events[by]);
        if (sov_lifecycle_is_terminal(table, from))
            sov_buf_printf(out, "    %s is terminal\n", table->states[from]);
    }
}

static void print_gates(struct sov_buf *out, const char *of, const struct sov_gate *gates,
                        size_t count)
{
    sov_buf_printf(out, "\ngates of %s\n", of);
    for (size_t i = 0; i < count; i++)
        sov_buf_printf(out, "    %d %s%s%s: %s\n", gates[i].number, gates[i].codes[0],
                       gates[i].codes[1] ? " " : "", gates[i].codes[1] ? gates[i].codes[1] : "",
                       gates[i].title);
}

static void print_categories(struct sov_buf *out)
{
    sov_buf_add_text(out, "\ncategories of a run\n");
    for (enum sov_run_category c = 0; c < SOV_RUN_CATEGORY_COUNT; c++)
        sov_buf_printf(out, "    %s: %s\n", sov_policy_category_word(c),
                       sov_policy_category_means(c));
}

void sov_policy_snapshot(struct sov_buf *out)
{
    const struct sov_gate *gates;
    size_t count;

    sov_buf_add_text(out, "default policy\n    ");
    sov_buf_add(out, sov_policy_default());
    sov_buf_add_text(out, "\n\n");
    print_limits(out);
    for (unsigned n = 0; n < SOV_LIFECYCLE_COUNT; n++)
        print_lifecycle(out, sov_policy_lifecycle(n));
    gates = sov_policy_review_gates(&count);
    print_gates(out, "review", gates, count);
    gates = sov_policy_acceptance_gates(&count);
    print_gates(out, "acceptance", gates, count);
    print_categories(out);
}
