/* README: what this folder is, whose, and how to check it with and without sov. */
#include "projections/pages.h"

static void step(struct sov_sheet *sheet, const char *words, const char *command)
{
    sov_page_item(&sheet->page, 1);
    sov_page_own(&sheet->page, words);
    if (!command) return;
    sov_page_own(&sheet->page, " ");
    sov_part_code(sheet, command);
}

static void what(struct sov_sheet *sheet)
{
    sov_sheet_heading(sheet, 2, "What this folder is");
    sov_page_paragraph(&sheet->page);
    sov_page_own(&sheet->page, "The published record of governed work. Every file here is derived "
                               "from an append-only log of events; nobody edits it by hand.");
    step(sheet, "the events, one canonical JSON object a line:", "log/");
    step(sheet, "signed roots of the tree over them, C2SP checkpoints:", "checkpoints/");
    step(sheet, "views for readers, each with a JSON file of the same facts:",
         "outcomes/ sows/ actors/ rulings/ approvals/ policy.md");
    step(sheet, "small deliverables that views point to, named by their SHA-256:", "blobs/");
}

/* A command as it is typed: no reader of tables or cells comes near it. */
static void command(struct sov_sheet *sheet, const char *words, const char *typed)
{
    sov_page_paragraph(&sheet->page);
    sov_page_own(&sheet->page, words);
    sov_page_fence(&sheet->page, "sh");
    sov_page_line(&sheet->page);
    sov_page_own(&sheet->page, typed);
}

static void how(struct sov_sheet *sheet, const char *ledger)
{
    sov_sheet_heading(sheet, 2, "How to verify it");
    command(sheet, "With sov, where the ledger is:",
            sov_arena_printf(sheet->arena, "sov verify --projections --ledger-id %s", ledger));
    command(sheet, "Without it, in this folder. The ledger id is the SHA-256 of event 1:",
            "head -qn 1 log/1-*.jsonl | head -n 1 | tr -d '\\n' | sha256sum");
    command(sheet, "The last line of a view has 12 digits of the SHA-256 of what is above it:",
            "head -n -1 policy.md | sha256sum");
    step(sheet, "event 1 holds the public key of the ledger, Ed25519, in hexadecimal", NULL);
    step(sheet,
         "a checkpoint is a signed note: origin, size, root, an empty line and a signature of the "
         "lines above it, as c2sp.org describes it under signed-note and tlog-checkpoint",
         NULL);
    step(sheet,
         "its root is that of the RFC 6962 tree over the lines of the log, without their line "
         "feeds; a leaf is the SHA-256 of a zero byte and the line",
         NULL);
}

static void keys(struct sov_sheet *sheet, const struct sov_actor_keys *list)
{
    static const char *const titles[] = { "actor",      "key",      "fingerprint",
                                          "from event", "to event", NULL };

    sov_sheet_heading(sheet, 2, "Keys");
    sov_sheet_table(sheet, titles);
    for (size_t i = 0; i < list->count; i++) {
        const struct sov_actor_key *key = &list->at[i];
        char fingerprint[SOV_FINGERPRINT_TEXT + 1];

        sov_key_fingerprint(&key->key, fingerprint);
        sov_page_row(&sheet->page);
        sov_cell_actor(sheet, key->actor, NULL);
        sov_cell_code(sheet, key->id);
        sov_cell_code(sheet, fingerprint);
        sov_cell_number(sheet, key->from_seq);
        sov_page_cell(&sheet->page);
        if (key->to_seq) sov_page_number(&sheet->page, key->to_seq);
    }
}

static void facts(struct sov_sheet *sheet, const struct sov_identity *identity,
                  const struct sov_actor_keys *list)
{
    char fingerprint[SOV_FINGERPRINT_TEXT + 1];
    struct sov_writer *w = &sheet->facts;

    sov_key_fingerprint(&identity->key, fingerprint);
    sov_write_object(w);
    sov_put_text(w, "fingerprint", fingerprint);
    sov_keys_fact(w, list);
    sov_last_event_fact(sheet);
    sov_fact_hash(w, "ledger_id", &identity->id);
    sov_put_text(w, "name", identity->name);
    sov_put_text(w, "origin", identity->origin);
    sov_put_hex(w, "public_key", sov_bytes(identity->key.octets, SOV_PUBLIC_KEY_SIZE));
    sov_put_int(w, "renderer", SOV_RENDERER);
    sov_put_text(w, "schema", "sov.view.readme.v1");
    sov_write_end(w);
}

bool sov_readme_write(struct sov_sheet *sheet, const struct sov_view *view, struct sov_error *err)
{
    char hex[SOV_HEX_HASH + 1], fingerprint[SOV_FINGERPRINT_TEXT + 1];
    struct sov_identity identity;
    struct sov_actor_keys list;

    (void)view;
    sov_ledger_identity(sheet->ledger, &identity);
    if (!sov_key_list(sheet->ledger, NULL, sheet->arena, &list, err)) return false;
    sov_hex(sov_hash_bytes(&identity.id), hex);
    sov_key_fingerprint(&identity.key, fingerprint);
    sheet->last = 1;
    for (size_t i = 0; i < list.count; i++)
        sheet->last = sov_later(sheet->last, sov_later(list.at[i].from_seq, list.at[i].to_seq));
    sov_page_heading(&sheet->page, 1);
    sov_page_own(&sheet->page, "The record of ");
    sov_part_text(sheet, identity.name);
    sov_page_paragraph(&sheet->page);
    sov_page_strong(&sheet->page, "LEDGER");
    sov_page_own(&sheet->page, " ");
    sov_part_code(sheet, hex);
    sov_page_own(&sheet->page, " · key ");
    sov_part_code(sheet, fingerprint);
    what(sheet);
    how(sheet, hex);
    keys(sheet, &list);
    facts(sheet, &identity, &list);
    return true;
}
