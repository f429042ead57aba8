/* JSON Schemas of events, results and errors, and the transition tables, all from rows. */
#include <string.h>

#include "cli/document.h"
#include "cli/verb.h"
#include "policy/policy.h"

static void type_put(struct sov_node *to, const char *type)
{
    sov_add_text(to, "type", type);
}

static void object_put(struct sov_node *to, const struct sov_shape *shape);

static void words_put(struct sov_node *to, const char *words)
{
    struct sov_node *list = sov_add_list(to, "enum");

    for (const char *at = words; *at; at += strcspn(at, "|")) {
        at += *at == '|';
        sov_add_bytes(list, NULL, sov_bytes(at, strcspn(at, "|")));
    }
}

static void integer_put(struct sov_node *to, bool count)
{
    type_put(to, "integer");
    sov_add_int(to, "minimum", count ? 0 : -INT64_C(9007199254740991));
    sov_add_int(to, "maximum", INT64_C(9007199254740991));
}

static void hex_put(struct sov_node *to, size_t digits)
{
    type_put(to, "string");
    sov_add_printf(to, "pattern", "^[0-9a-f]{%zu}$", digits);
}

static void list_put(struct sov_node *to, const struct sov_field *field)
{
    struct sov_node *items;

    type_put(to, "array");
    sov_add_int(to, "maxItems", (int64_t)field->count_max);
    items = sov_add_object(to, "items");
    if (field->kind == SOV_FIELD_HEXES) {
        hex_put(items, field->max);
    } else if (field->kind == SOV_FIELD_LIST) {
        object_put(items, sov_shape_find(field->words));
    } else {
        type_put(items, "string");
        sov_add_int(items, "maxLength", (int64_t)field->max);
    }
}

static void map_put(struct sov_node *to, const struct sov_field *field)
{
    struct sov_node *values;

    type_put(to, "object");
    sov_add_int(to, "maxProperties", (int64_t)field->count_max);
    values = sov_add_object(to, "additionalProperties");
    if (field->kind == SOV_FIELD_NUMBERS)
        integer_put(values, false);
    else
        type_put(values, "string");
}

static void field_put(struct sov_node *to, const struct sov_field *field)
{
    switch (field->kind) {
    case SOV_FIELD_TEXT:
        type_put(to, "string");
        sov_add_int(to, "maxLength", (int64_t)field->max);
        break;
    case SOV_FIELD_ID:
        type_put(to, "string");
        sov_add_text(to, "pattern", "^[a-z][a-z0-9._-]{0,62}$");
        break;
    case SOV_FIELD_NUMBERED:
        type_put(to, "string");
        sov_add_printf(to, "pattern", "^%s-[1-9][0-9]*$",
                       sov_stream_prefix((enum sov_stream_kind)field->max));
        break;
    case SOV_FIELD_WORD:
        words_put(to, field->words);
        break;
    case SOV_FIELD_HEX:
        hex_put(to, field->max);
        break;
    case SOV_FIELD_TIME:
        type_put(to, "string");
        sov_add_text(to, "pattern", "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$");
        break;
    case SOV_FIELD_INTEGER:
    case SOV_FIELD_COUNT:
        integer_put(to, field->kind == SOV_FIELD_COUNT);
        break;
    case SOV_FIELD_BOOL:
        type_put(to, "boolean");
        break;
    case SOV_FIELD_DOCUMENT:
        type_put(to, "object");
        break;
    case SOV_FIELD_SHAPED:
        object_put(to, sov_shape_find(field->words));
        break;
    case SOV_FIELD_TEXTS:
    case SOV_FIELD_HEXES:
    case SOV_FIELD_LIST:
        list_put(to, field);
        break;
    case SOV_FIELD_NUMBERS:
    case SOV_FIELD_WORDS:
        map_put(to, field);
        break;
    }
}

static void fields_put(struct sov_node *required, struct sov_node *properties,
                       const struct sov_shape *shape)
{
    for (size_t i = 0; i < shape->count; i++) {
        const struct sov_field *field = &shape->fields[i];

        if (!*field->name) continue; /* the row of a type without a payload */
        if (!(field->flags & SOV_FIELD_OPTIONAL)) sov_add_text(required, NULL, field->name);
        field_put(sov_add_object(properties, field->name), field);
    }
}

static void object_put(struct sov_node *to, const struct sov_shape *shape)
{
    struct sov_node *required;

    type_put(to, "object");
    sov_add_bool(to, "additionalProperties", false);
    required = sov_add_list(to, "required");
    fields_put(required, sov_add_object(to, "properties"), shape);
}

static void head_put(struct sov_node *root, const char *title)
{
    sov_add_text(root, "$schema", "https://json-schema.org/draft/2020-12/schema");
    sov_add_text(root, "title", title);
}

static void event_put(struct sov_node *root, const struct sov_event_row *row)
{
    static const struct sov_field envelope[] = {
        { "actor", SOV_FIELD_ID, 63, 0, NULL, 0 },
        { "at", SOV_FIELD_TIME, 0, 0, NULL, 0 },
        { "fence", SOV_FIELD_COUNT, 0, 0, NULL, SOV_FIELD_OPTIONAL },
        { "key", SOV_FIELD_TEXT, SOV_KEY_MAX, 0, NULL, SOV_FIELD_OPTIONAL },
        { "seq", SOV_FIELD_COUNT, 0, 0, NULL, 0 },
        { "stream", SOV_FIELD_TEXT, SOV_NAME_MAX, 0, NULL, 0 },
        { "sv", SOV_FIELD_COUNT, 0, 0, NULL, 0 },
        { "v", SOV_FIELD_COUNT, 0, 0, NULL, 0 },
    };
    static const struct sov_shape shape = { "event", envelope, sizeof envelope / sizeof *envelope };
    struct sov_node *required, *properties, *cause, *type;

    head_put(root, row->type);
    type_put(root, "object");
    sov_add_bool(root, "additionalProperties", false);
    required = sov_add_list(root, "required");
    sov_add_text(required, NULL, "data");
    sov_add_text(required, NULL, "type");
    properties = sov_add_object(root, "properties");
    fields_put(required, properties, &shape);
    cause = sov_add_object(properties, "cause");
    type_put(cause, "array");
    integer_put(sov_add_object(cause, "items"), true);
    type = sov_add_object(properties, "type");
    sov_add_text(type, "const", row->type);
    object_put(sov_add_object(properties, "data"), &row->data);
}

/* ---- results: the field list of a form ---- */

static void kind_put(struct sov_node *to, char kind, bool nullable)
{
    const char *type = kind == 'i'   ? "integer"
                       : kind == 'b' ? "boolean"
                       : kind == 'a' ? "array"
                       : kind == 'o' ? "object"
                                     : "string";
    struct sov_node *types;

    if (!nullable) {
        type_put(to, type);
        return;
    }
    types = sov_add_list(to, "type");
    sov_add_text(types, NULL, type);
    sov_add_text(types, NULL, "null");
}

static void result_put(struct sov_node *root, const struct sov_verb *verb,
                       const struct sov_form *form, struct sov_arena *arena)
{
    struct sov_node *properties, *row;

    head_put(root, sov_form_schema(verb, form, arena));
    type_put(root, "object");
    properties = sov_add_object(root, "properties");
    sov_add_text(sov_add_object(properties, "schema"), "const", sov_form_schema(verb, form, arena));
    type_put(sov_add_object(properties, "warnings"), "array");
    kind_put(sov_add_object(properties, "ledger"), 'o', true);
    row = sov_add_object(properties, "data"); /* an object, or a list of them */
    row = sov_add_object(row, "properties");
    for (const char *at = form->fields; *at; at += strcspn(at, " ")) {
        size_t size;

        at += *at == ' ';
        size = strcspn(at, ":");
        kind_put(sov_add_object(row, sov_arena_text(arena, sov_bytes(at, size))), at[size + 1],
                 at[size + 2] == '?');
    }
}

/* ---- the error object, on standard error with --json ---- */

static void error_put(struct sov_node *root)
{
    static const char *const texts[] = { "what", "why", "inspect", "next" };
    struct sov_node *properties, *object, *required, *codes;
    const struct sov_refusal *refusal;

    head_put(root, "sov.error.v1");
    type_put(root, "object");
    sov_add_bool(root, "additionalProperties", false);
    required = sov_add_list(root, "required");
    sov_add_text(required, NULL, "error");
    sov_add_text(required, NULL, "schema");
    properties = sov_add_object(root, "properties");
    sov_add_text(sov_add_object(properties, "schema"), "const", "sov.error.v1");
    object = sov_add_object(properties, "error");
    type_put(object, "object");
    sov_add_bool(object, "additionalProperties", false);
    required = sov_add_list(object, "required");
    properties = sov_add_object(object, "properties");
    codes = sov_add_list(sov_add_object(properties, "code"), "enum");
    for (size_t n = 0; (refusal = sov_refusal_at(n)); n++) sov_add_text(codes, NULL, refusal->code);
    kind_put(sov_add_object(properties, "exit"), 'i', false);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        kind_put(sov_add_object(properties, texts[i]), 's', false);
    kind_put(sov_add_object(properties, "retryable"), 'b', false);
    kind_put(sov_add_object(properties, "refs"), 'a', false);
    kind_put(sov_add_object(properties, "seq"), 'i', true);
    for (const struct sov_node *field = properties->first; field; field = field->next)
        sov_add_text(required, NULL, field->key);
}

/* ---- states ---- */

static void states(struct sov_call *call)
{
    for (unsigned n = 0; n < SOV_LIFECYCLE_COUNT; n++) {
        const struct sov_lifecycle *table = sov_policy_lifecycle(n);

        sov_out_line(call->out, "%%%% %s", table->name);
        sov_out_line(call->out, "stateDiagram-v2");
        for (unsigned from = 0; from < table->state_count; from++)
            for (unsigned to = 0; to < table->state_count; to++)
                for (unsigned by = 0; by < table->event_count; by++)
                    if (sov_lifecycle_allows(table, from, by, to))
                        sov_out_line(call->out, "  %s --> %s: %s",
                                     from ? table->states[from] : "[*]", table->states[to],
                                     table->events[by]);
        for (unsigned from = 1; from < table->state_count; from++)
            if (sov_lifecycle_is_terminal(table, from))
                sov_out_line(call->out, "  %s --> [*]", table->states[from]);
    }
}

static void types(struct sov_call *call)
{
    struct sov_node *list = sov_node_list(call->arena);

    for (enum sov_event_type type = 0; type < SOV_EVENT_TYPE_COUNT; type++) {
        struct sov_node *row = sov_add_object(list, NULL);

        sov_add_text(row, "id", sov_event_row(type)->type);
        sov_add_text(row, "stream", sov_event_stream_word(sov_event_row(type)));
    }
    sov_out_table(call->out, list, "id stream");
    sov_out_data(call->out, list);
}

static const struct sov_form *form_of(const struct sov_verb *verb, const char *second)
{
    for (size_t i = 0; i < verb->count; i++)
        if (strcmp(verb->forms[i].name, second ? second : "") == 0) return &verb->forms[i];
    return second ? NULL : &verb->forms[0];
}

static bool schema(struct sov_call *call, struct sov_error *err)
{
    const char *word = sov_word_at(call, 0), *second = sov_word_at(call, 1);
    struct sov_node *root = sov_node_object(call->arena);
    const struct sov_verb *verb = word ? sov_verb_find(word) : NULL;
    const struct sov_form *form = verb ? form_of(verb, second) : NULL;
    enum sov_event_type type;

    if (sov_given(call, SOV_FLAG_STATES)) {
        states(call);
        return true;
    }
    if (!word) {
        types(call);
        return true;
    }
    if (sov_event_type_find(sov_bytes_text(word), &type))
        event_put(root, sov_event_row(type));
    else if (form)
        result_put(root, verb, form, call->arena);
    else if (strcmp(word, "error") == 0 && !second)
        error_put(root);
    else
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no type of event and no verb", word);
    sov_out_block(call->out, sov_node_text(root, call->arena));
    sov_out_data(call->out, root);
    return true;
}

static const struct sov_form forms[] = {
    { "", schema, 0, 0, 2, "[TYPE|VERB|error] [--states]",
      "JSON Schema of an event type, of a result, of an error; the types; the states as mermaid",
      "id:s stream:s $schema:s title:s type:s additionalProperties:b required:a properties:o", "",
      "sov schema sow.created\nsov schema log\nsov schema --states", NULL },
};
static const struct sov_verb verb = { "schema", "the shape of events and results",
                                      "",       forms,
                                      1,        SOV_GROUP_CARE };

const struct sov_verb *sov_verb_schema(void)
{
    return &verb;
}
