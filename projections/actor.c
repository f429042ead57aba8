/* actors/ID: who may act, and with which keys it signs. */
#include "projections/pages.h"

static const char *interval(const struct sov_actor_key *key, struct sov_arena *arena)
{
    return key->to_seq ? sov_arena_printf(arena, "from event %lld to event %lld",
                                          (long long)key->from_seq, (long long)key->to_seq)
                       : sov_arena_printf(arena, "from event %lld on", (long long)key->from_seq);
}

static void keys_section(struct sov_sheet *sheet, const struct sov_actor_keys *keys)
{
    static const char *const titles[] = { "key",          "fingerprint", "valid",
                                          "unsafe since", "successor",   NULL };

    sov_sheet_heading(sheet, 2, "Keys");
    if (!keys->count) {
        sov_page_paragraph(&sheet->page);
        sov_page_own(&sheet->page, "None.");
        return;
    }
    sov_sheet_table(sheet, titles);
    for (size_t i = 0; i < keys->count; i++) {
        char fingerprint[SOV_FINGERPRINT_TEXT + 1];

        sov_key_fingerprint(&keys->at[i].key, fingerprint);
        sov_page_row(&sheet->page);
        sov_cell_code(sheet, keys->at[i].id);
        sov_cell_code(sheet, fingerprint);
        sov_cell_own(sheet, interval(&keys->at[i], sheet->arena));
        sov_page_cell(&sheet->page);
        if (keys->at[i].unsafe_since) sov_page_number(&sheet->page, keys->at[i].unsafe_since);
        sov_cell_code(sheet, keys->at[i].successor);
    }
}

void sov_keys_fact(struct sov_writer *w, const struct sov_actor_keys *keys)
{
    sov_put_list(w, "keys");
    for (size_t i = 0; i < keys->count; i++) {
        const struct sov_actor_key *key = &keys->at[i];
        char fingerprint[SOV_FINGERPRINT_TEXT + 1];

        sov_key_fingerprint(&key->key, fingerprint);
        sov_write_object(w);
        sov_put_text(w, "actor", key->actor);
        sov_put_text(w, "algorithm", key->algorithm);
        sov_put_text(w, "fingerprint", fingerprint);
        sov_put_int(w, "from_seq", key->from_seq);
        sov_put_text(w, "id", key->id);
        sov_put_hex(w, "public_key", sov_bytes(key->key.octets, SOV_PUBLIC_KEY_SIZE));
        sov_fact_text(w, "successor", key->successor);
        if (key->to_seq) sov_put_int(w, "to_seq", key->to_seq);
        if (key->unsafe_since) sov_put_int(w, "unsafe_since", key->unsafe_since);
        sov_write_end(w);
    }
    sov_write_end(w);
}

static void facts(struct sov_sheet *sheet, const struct sov_actor *actor,
                  const struct sov_actor_keys *keys, const struct sov_remarks *remarks)
{
    struct sov_writer *w = &sheet->facts;

    sov_write_object(w);
    sov_put_text(w, "id", actor->id);
    sov_keys_fact(w, keys);
    sov_put_text(w, "kind", actor->kind);
    sov_last_event_fact(sheet);
    sov_put_text(w, "provider", actor->provider);
    sov_remarks_fact(w, remarks);
    sov_put_int(w, "renderer", SOV_RENDERER);
    sov_fact_text(w, "represents", actor->represents);
    sov_put_text(w, "role", actor->role);
    sov_put_text(w, "schema", "sov.view.actor.v1");
    sov_put_int(w, "seq", actor->seq);
    sov_put_text(w, "status", actor->status);
    sov_write_end(w);
}

static bool read(struct sov_sheet *sheet, const char *id, struct sov_actor *actor,
                 struct sov_actor_keys *keys, struct sov_remarks *remarks, struct sov_error *err)
{
    struct sov_stream stream = sov_stream_named(SOV_STREAM_ACTOR, sov_bytes_text(id));
    const int64_t *seqs;
    size_t count;
    bool found;

    if (!sov_actor_find(sheet->ledger, id, sheet->arena, actor, &found, err)) return false;
    if (!found) return sov_fail(err, SOV_ABSENT, "no_such_id", "there is no actor %s", id);
    if (!sov_key_list(sheet->ledger, id, sheet->arena, keys, err) ||
        !sov_stream_history(sheet->ledger, &stream, sheet->arena, &seqs, &count, err) ||
        !sov_remarks_read(sheet->ledger, &stream, 0, sheet->arena, remarks, err))
        return false;
    sheet->last = seqs[count - 1];
    for (size_t i = 0; i < keys->count; i++)
        sheet->last = sov_later(sheet->last, sov_later(keys->at[i].from_seq, keys->at[i].to_seq));
    return true;
}

bool sov_actor_write(struct sov_sheet *sheet, const struct sov_view *view, struct sov_error *err)
{
    static const char *const titles[] = { "kind",       "role",        "provider",
                                          "represents", "since event", NULL };
    struct sov_remarks remarks;
    struct sov_actor_keys keys;
    struct sov_actor actor;

    if (!read(sheet, view->id, &actor, &keys, &remarks, err)) return false;
    sov_page_heading(&sheet->page, 1);
    sov_part_plain(sheet, actor.id);
    sov_page_paragraph(&sheet->page);
    sov_page_strong(&sheet->page, sov_is(actor.status, "active") ? "ACTIVE" : "NOT ACTIVE");
    sov_page_own(&sheet->page, sov_is(actor.status, "active") ? " · " : " · ✘ ");
    sov_part_plain(sheet, actor.status);
    sov_page_own(&sheet->page, " · ");
    sov_part_plain(sheet, actor.kind);
    sov_sheet_table(sheet, titles);
    sov_page_row(&sheet->page);
    sov_cell_text(sheet, actor.kind);
    sov_page_cell(&sheet->page);
    sov_part_plain(sheet, actor.role);
    sov_page_cell(&sheet->page);
    sov_part_plain(sheet, actor.provider);
    sov_cell_text(sheet, actor.represents);
    sov_cell_number(sheet, actor.seq);
    keys_section(sheet, &keys);
    if (remarks.count) sov_sheet_heading(sheet, 2, "What was said");
    sov_remarks_section(sheet, &remarks);
    facts(sheet, &actor, &keys, &remarks);
    return true;
}
