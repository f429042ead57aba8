/* The form of each column of the state tables (row_form.def). */
#include <stdio.h>
#include <string.h>

#include "base/amount.h"
#include "base/keeper.h"
#include "base/text.h"
#include "ledger/key.h"
#include "ledger/row.h"
#include "policy/policy.h"

enum kind { INTEGER, BLOB, TEXT, WORD, ID, FIELD, DATA, RESOURCE };

struct sov_column_form {
    const char *table, *column;
    enum kind kind;
    int64_t least, most; /* of an integer, or of the octets of a text or blob */
    bool (*is_word)(const char *word);
    enum sov_event_type type;
    const char *field;
};

#define KNOWN(name, type, read)                                                                    \
    static bool name(const char *word)                                                             \
    {                                                                                              \
        enum type unused;                                                                          \
                                                                                                   \
        return read(word, &unused);                                                                \
    }
KNOWN(is_outcome_state, sov_outcome_state, sov_policy_outcome_state)
KNOWN(is_sow_state, sov_sow_state, sov_policy_sow_state)
KNOWN(is_assignment_state, sov_assignment_state, sov_policy_assignment_state)
KNOWN(is_approval_state, sov_approval_state, sov_policy_approval_state)
KNOWN(is_message_state, sov_message_state, sov_policy_message_state)
KNOWN(is_instance_state, sov_instance_state, sov_policy_instance_state)
KNOWN(is_session_state, sov_session_state, sov_policy_session_state)
KNOWN(is_delivery_state, sov_delivery_state, sov_policy_delivery_state)
KNOWN(is_receipt_status, sov_receipt_status, sov_policy_receipt_status)
KNOWN(is_wake_decision, sov_wake_decision, sov_policy_wake_decision)
KNOWN(is_decision, sov_decision, sov_policy_decision)
#undef KNOWN

static bool is_severity(const char *word)
{
    enum sov_severity unused;

    return sov_policy_severity(sov_bytes_text(word), &unused);
}

static bool is_actor_kind(const char *word)
{
    return strcmp(word, "person") == 0 || strcmp(word, "robot") == 0 ||
           strcmp(word, "service") == 0;
}

static bool is_actor_status(const char *word)
{
    return strcmp(word, "active") == 0 || strcmp(word, "suspended") == 0 ||
           strcmp(word, "retired") == 0;
}

#define FORM(name, of, kind_is, low, high, known, event, named)                                    \
    { #name, #of, kind_is, low, high, known, event, named },
static const struct sov_column_form forms[] = {
#define RANGE(table, column, least, most) FORM(table, column, INTEGER, least, most, NULL, 0, NULL)
#define SIGNED(table, column) FORM(table, column, INTEGER, -SOV_INT_MAX, SOV_INT_MAX, NULL, 0, NULL)
#define BLOB(table, column, octets) FORM(table, column, BLOB, octets, octets, NULL, 0, NULL)
#define TEXT(table, column, least, most) FORM(table, column, TEXT, least, most, NULL, 0, NULL)
#define ID(table, column) FORM(table, column, ID, 0, 0, NULL, 0, NULL)
#define WORD(table, column, known) FORM(table, column, WORD, 0, 0, known, 0, NULL)
#define FIELD(table, column, event, name)                                                          \
    FORM(table, column, FIELD, 0, 0, NULL, SOV_EVENT_##event, name)
#define DATA(table, column, event) FORM(table, column, DATA, 0, 0, NULL, SOV_EVENT_##event, NULL)
#define RESOURCE(table, column) FORM(table, column, RESOURCE, 0, 0, NULL, 0, NULL)
#include "ledger/row_form.def"
#undef RANGE
#undef SIGNED
#undef BLOB
#undef TEXT
#undef ID
#undef WORD
#undef FIELD
#undef DATA
#undef RESOURCE
};
#undef FORM
/* Of a column that has no row: an event holds no longer text. */
static const struct sov_column_form any = { "any", "any", TEXT, 0, 65535, NULL, 0, NULL };

static const struct sov_column_form *named(const char *table, const char *column)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].table, table) == 0 && strcmp(forms[i].column, column) == 0)
            return &forms[i];
    return NULL;
}

const struct sov_column_form *sov_row_form(const char *table, const char *column)
{
    const struct sov_column_form *form;

    if (strncmp(table, "state_", strlen("state_")) != 0) return NULL;
    form = named(table, column);
    if (!form) form = named("any", column);
    return form ? form : &any;
}

static bool is_word(const struct sov_column_form *form, struct sov_bytes octets)
{
    char word[64];

    if (octets.size >= sizeof word) return false;
    snprintf(word, sizeof word, "%.*s", (int)octets.size, (const char *)octets.data);
    return form->is_word(word);
}

static bool is_canonical(struct sov_bytes octets)
{
    struct sov_error unused;

    return sov_scan_canonical(octets, &sov_scan_own, &unused);
}

static bool text_fits(const struct sov_column_form *form, struct sov_bytes octets)
{
    struct sov_stream stream;
    struct sov_error unused;

    if (octets.size && memchr(octets.data, 0, octets.size)) return false;
    switch (form->kind) {
    case TEXT:
        return (int64_t)octets.size >= form->least && (int64_t)octets.size <= form->most &&
               sov_text_is_utf8(octets);
    case WORD:
        return is_word(form, octets);
    case ID:
        return sov_text_is_id(octets);
    case RESOURCE:
        return sov_stream_parse(octets, &stream) && sov_stream_is_claimable(stream.kind);
    case FIELD:
        return is_canonical(octets) &&
               sov_event_field_validate(form->type, form->field, sov_value(octets), &unused);
    case DATA:
        return is_canonical(octets) && sov_event_validate(form->type, sov_value(octets), &unused);
    case INTEGER:
    case BLOB:
        break;
    }
    return false;
}

static bool integer_fits(const struct sov_column_form *form, struct sov_bytes octets)
{
    int64_t integer;

    memcpy(&integer, octets.data, sizeof integer);
    if (form == &any) return integer >= 0 && integer <= SOV_INT_MAX;
    return form->kind == INTEGER && integer >= form->least && integer <= form->most;
}

bool sov_row_fits(const struct sov_column_form *form, int class, bool required,
                  struct sov_bytes octets)
{
    /* Beside a signal without a decision an outer join shows NULL; the reader asks which it is. */
    if (class == SOV_COLUMN_NULL) return !required || strcmp(form->table, "state_wake") == 0;
    if (class == SOV_COLUMN_INTEGER) return integer_fits(form, octets);
    if (class == SOV_COLUMN_TEXT) return text_fits(form, octets);
    if (class != SOV_COLUMN_BLOB) return false;
    return form == &any || (form->kind == BLOB && (int64_t)octets.size == form->most);
}
