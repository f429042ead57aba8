#include "base/amount.h"
#include "cli/verb.h"

static bool account_open(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t opening;

    return sov_int_of(call, SOV_FLAG_OPENING, -SOV_INT_MAX, SOV_INT_MAX, 0, &opening, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_account_open(&w.commit, call->words[0], sov_value_of(call, SOV_FLAG_UNIT), opening,
                            &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "opened", "sov account list");
}

static bool list(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *rows = sov_node_list(call->arena);
    struct sov_accounts accounts;

    if (!sov_account_list(call->ledger, call->arena, &accounts, err)) return false;
    for (size_t i = 0; i < accounts.count; i++) {
        struct sov_node *row = sov_add_object(rows, NULL);

        sov_add_text(row, "id", accounts.at[i].name);
        sov_add_int(row, "balance", accounts.at[i].balance);
        sov_add_text(row, "unit", accounts.at[i].unit);
        sov_add_int(row, "opening", accounts.at[i].opening);
        sov_add_int(row, "seq", accounts.at[i].seq);
    }
    sov_out_table(call->out, rows, "id balance unit");
    sov_out_data(call->out, rows);
    return true;
}

static const struct sov_form forms[] = {
    { "open", account_open, SOV_WRITES, 1, 1, "NAME --unit U [--opening N]",
      "a named integer balance", SOV_WRITE_FIELDS, "4 not authorised\n5 the name is taken",
      "sov account open inventory/SKU-TEA --unit unit --opening 4", NULL },
    { "list", list, SOV_READS, 0, 0, "", "all balances", "id:s balance:i unit:s opening:i seq:i",
      "", "sov account list", NULL },
};
static const struct sov_verb verb = { "account", "named balances, each the sum of its postings",
                                      "",        forms,
                                      2,         SOV_GROUP_WORK };

const struct sov_verb *sov_verb_account(void)
{
    return &verb;
}
