/* policy: the law in force, as tables. */
#include "projections/pages.h"

static const char *text_of(struct sov_value value, struct sov_arena *arena)
{
    return sov_arena_text(arena, sov_value_bytes(value, arena));
}

/* A member's own octets in a cell: a number as it is, all else as code. */
static void cell_value(struct sov_sheet *sheet, struct sov_value value)
{
    if (sov_value_kind(value) == SOV_JSON_INT)
        sov_cell_number(sheet, sov_value_int(value));
    else {
        sov_page_cell(&sheet->page);
        sov_page_code(&sheet->page, value.octets);
    }
}

static void cell_key(struct sov_sheet *sheet, struct sov_bytes key)
{
    sov_page_cell(&sheet->page);
    sov_page_code(&sheet->page, key);
}

static void roles(struct sov_sheet *sheet, struct sov_value roles_of)
{
    static const char *const titles[] = { "role", "may", NULL };
    struct sov_member member;
    size_t at = 0;

    sov_sheet_heading(sheet, 2, "Roles");
    sov_page_paragraph(&sheet->page);
    sov_page_own(&sheet->page, "Every role may also observe and converse.");
    sov_sheet_table(sheet, titles);
    while (sov_value_member(roles_of, &at, &member)) {
        struct sov_value item;
        size_t next = 0, count = 0;

        sov_page_row(&sheet->page);
        cell_key(sheet, member.key);
        sov_page_cell(&sheet->page);
        while (sov_value_item(member.value, &next, &item)) {
            if (count++) sov_page_own(&sheet->page, ", ");
            sov_part_plain(sheet, text_of(item, sheet->arena));
        }
    }
}

static void numbers(struct sov_sheet *sheet, const char *title, struct sov_value section)
{
    static const char *const titles[] = { "name", "value", NULL };
    struct sov_member member;
    size_t at = 0;

    sov_sheet_heading(sheet, 2, title);
    sov_sheet_table(sheet, titles);
    while (sov_value_member(section, &at, &member)) {
        sov_page_row(&sheet->page);
        cell_key(sheet, member.key);
        cell_value(sheet, member.value);
    }
}

/* Kinds of effects, rules of the pulse: each a table of its members, in the document's order. */
static void records(struct sov_sheet *sheet, const char *title, struct sov_value list,
                    const char *name)
{
    struct sov_value item;
    size_t at = 0;

    while (sov_value_item(list, &at, &item)) {
        struct sov_value id = sov_value_get(item, name);

        sov_page_heading(&sheet->page, 2);
        sov_part_printf(sheet, "%s ", title);
        if (sov_value_there(id)) sov_part_plain(sheet, text_of(id, sheet->arena));
        sov_sheet_table(sheet, (const char *const[]){ "name", "value", NULL });
        for (size_t next = 0;;) {
            struct sov_member member;

            if (!sov_value_member(item, &next, &member)) break;
            sov_page_row(&sheet->page);
            cell_key(sheet, member.key);
            cell_value(sheet, member.value);
        }
    }
}

static void facts(struct sov_sheet *sheet, const struct sov_adoption *adoption)
{
    struct sov_writer *w = &sheet->facts;

    sov_write_object(w);
    sov_put_text(w, "adopter", adoption->adopter);
    sov_fact_hash(w, "digest", &adoption->digest);
    sov_put_raw(w, "document", adoption->document);
    sov_put_text(w, "key", adoption->by.key);
    sov_last_event_fact(sheet);
    sov_put_text(w, "reason", adoption->reason);
    sov_put_int(w, "renderer", SOV_RENDERER);
    sov_put_text(w, "schema", "sov.view.policy.v1");
    sov_put_int(w, "seq", adoption->seq);
    sov_write_end(w);
}

bool sov_policy_write(struct sov_sheet *sheet, const struct sov_view *view, struct sov_error *err)
{
    static const char *const titles[] = { "digest", "adopted by", "key", "event", NULL };
    struct sov_adoption adoption;
    struct sov_value document;

    (void)view;
    if (!sov_policy_adoption(sheet->ledger, 0, sheet->arena, &adoption, err)) return false;
    document = sov_value(adoption.document);
    sheet->last = adoption.seq;
    sov_sheet_heading(sheet, 1, "Policy");
    sov_page_paragraph(&sheet->page);
    sov_page_strong(&sheet->page, "IN FORCE");
    sov_part_printf(sheet, " · since event %lld · next: ", (long long)adoption.seq);
    sov_part_code(sheet, "sov policy diff");
    sov_sheet_table(sheet, titles);
    sov_page_row(&sheet->page);
    sov_cell_digest(sheet, &adoption.digest);
    sov_cell_actor(sheet, adoption.adopter, NULL);
    sov_cell_code(sheet, adoption.by.key);
    sov_cell_number(sheet, adoption.seq);
    sov_sheet_said(sheet, adoption.adopter, adoption.reason);
    roles(sheet, sov_value_get(document, "roles"));
    numbers(sheet, "Acceptance", sov_value_get(document, "acceptance"));
    if (sov_value_there(sov_value_get(document, "approval")))
        numbers(sheet, "Approval", sov_value_get(document, "approval"));
    numbers(sheet, "Review", sov_value_get(document, "review"));
    numbers(sheet, "Separation", sov_value_get(document, "separation"));
    numbers(sheet, "Limits", sov_value_get(document, "limits"));
    numbers(sheet, "Times in seconds", sov_value_get(document, "ttl"));
    records(sheet, "Effect", sov_value_get(document, "effects"), "kind");
    records(sheet, "Wake rule", sov_value_get(document, "wake"), "id");
    facts(sheet, &adoption);
    return true;
}
