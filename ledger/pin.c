#include "ledger/pin.h"

#include <assert.h>
#include <string.h>

#include "base/canonical.h"
#include "base/note.h"
#include "base/place.h"
#include "base/scan.h"
#include "ledger/ledger.h"
#include "ledger/log.h"
#include "ledger/proof.h"

enum { PIN_SIZE_MAX = 256 << 10, NAMES_MAX = 1 << 20, WAIT_MS = 5000 };
enum { OF_BEFORE = 3, WHOLE = 6, ARENA_MAX = 4 << 20 };
static const size_t names_most = (size_t)256 << 20;
static const struct sov_scan_rules rules = { PIN_SIZE_MAX, 2, false };

static bool hash_of(struct sov_value value, struct sov_hash *hash_out)
{
    return sov_value_there(value) && sov_value_kind(value) == SOV_JSON_TEXT &&
           sov_unhex(sov_value_plain(value), hash_out->octets, SOV_HASH_SIZE);
}

static bool text_of(struct sov_value value, struct sov_arena *arena, struct sov_bytes *text_out)
{
    size_t size;
    uint8_t *text;

    if (!sov_value_there(value) || sov_value_kind(value) != SOV_JSON_TEXT) return false;
    size = sov_value_text_size(value);
    text = sov_arena_array(arena, size + 1, 1);
    sov_value_text(value, text, size);
    *text_out = sov_bytes(text, size);
    return true;
}

static bool range_of(struct sov_value list, int64_t size, struct sov_range *range_out)
{
    struct sov_range range = { .size = (uint64_t)size };
    struct sov_value item;
    unsigned count = 0;

    if (!sov_value_there(list) || sov_value_kind(list) != SOV_JSON_LIST ||
        sov_value_count(list) != sov_range_count(&range))
        return false;
    for (size_t at = 0; sov_value_item(list, &at, &item);)
        if (!hash_of(item, &range.node[count++])) return false;
    *range_out = range;
    return true;
}

/* Whether founding, note and range say of this ledger what root and size do. */
static bool holds(const struct sov_pin *pin)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_hash root = sov_range_root(&pin->range);
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_identity identity;
    struct sov_note_key key = { 0 };
    struct sov_error ignored;

    sov_arena_init(&arena, ARENA_MAX);
    if (!sov_hash_equal(&root, &pin->root) ||
        !sov_identity_read(pin->founding, &arena, &identity, &ignored) ||
        !sov_hash_equal(&identity.id, &pin->ledger_id))
        return false;
    key.key = identity.key;
    memcpy(key.name, identity.origin, strlen(identity.origin) + 1);
    return sov_note_read(pin->note, &key, &checkpoint, &signature, &ignored) &&
           strcmp(checkpoint.origin, identity.origin) == 0 &&
           checkpoint.size == (uint64_t)pin->size && sov_hash_equal(&checkpoint.root, &pin->root);
}

static bool parse(struct sov_bytes text, struct sov_arena *arena, struct sov_pin *pin_out)
{
    struct sov_pin pin = { 0 };
    struct sov_value whole, size;
    struct sov_error ignored;

    if (!text.size || text.data[text.size - 1] != '\n') return false;
    whole = sov_value(sov_bytes(text.data, text.size - 1));
    if (!sov_scan_canonical(whole.octets, &rules, &ignored)) return false;
    size = sov_value_get(whole, "size");
    if (!sov_value_there(size) || sov_value_kind(size) != SOV_JSON_INT) return false;
    pin.size = sov_value_int(size);
    if (pin.size <= 0 || !hash_of(sov_value_get(whole, "ledger"), &pin.ledger_id) ||
        !hash_of(sov_value_get(whole, "root"), &pin.root))
        return false;
    if (sov_value_count(whole) == WHOLE) {
        if (!range_of(sov_value_get(whole, "range"), pin.size, &pin.range) ||
            !text_of(sov_value_get(whole, "note"), arena, &pin.note) ||
            !text_of(sov_value_get(whole, "founding"), arena, &pin.founding) || !holds(&pin))
            return false;
    } else if (sov_value_count(whole) != OF_BEFORE) {
        return false;
    }
    *pin_out = pin;
    return true;
}

bool sov_pin_read(const char *pins, const struct sov_hash *ledger_id, struct sov_arena *arena,
                  struct sov_pin *pin_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    char name[SOV_HEX_HASH + 1];
    struct sov_bytes text;
    struct sov_pin pin;

    sov_hex(sov_hash_bytes(ledger_id), name);
    *found_out = false;
    if (!sov_folder_open(&folder, pins, err) ||
        !sov_file_read(&folder, name, PIN_SIZE_MAX, arena, &text, err))
        return err->exit == SOV_ABSENT;
    if (!parse(text, arena, &pin) || !sov_hash_equal(&pin.ledger_id, ledger_id))
        return sov_fail(err, SOV_UNABLE, "pin_invalid", "the pin %s/%s is no pin", pins, name);
    *pin_out = pin;
    *found_out = true;
    return true;
}

bool sov_pin_of(const struct sov_ledger *ledger, int64_t size, struct sov_arena *arena,
                struct sov_pin *pin_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_pin pin = { .size = size };
    struct sov_event first;

    assert(size > 0);
    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    if (!sov_checkpoint_note(ledger, size, &note, err) ||
        !sov_checkpoint_read(ledger, sov_buf_bytes(&note), &checkpoint, &signature, err) ||
        !sov_range_of(ledger, &checkpoint, &pin.range, err) ||
        !sov_log_event(ledger, 1, arena, &first, err))
        return false;
    pin.ledger_id = sov_sha256(first.octets);
    pin.root = checkpoint.root;
    pin.note = sov_arena_bytes(arena, sov_buf_bytes(&note));
    pin.founding = first.octets;
    if (!holds(&pin))
        return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                        "the checkpoint of size %lld does not hold together", (long long)size);
    *pin_out = pin;
    return true;
}

/* The pins of all ledgers lie here: only who holds the lock may say what is left over. */
static bool leftovers_remove(const struct sov_folder *folder, size_t *removed_out,
                             struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_listing names;

    *removed_out = 0;
    sov_arena_init(&arena, names_most);
    if (!sov_folder_names(folder, "", NAMES_MAX, &arena, &names, err)) return false;
    for (size_t i = 0; i < names.count; i++) {
        if (!sov_file_is_leftover(names.name[i])) continue;
        if (!sov_file_remove(folder, names.name[i], err)) return false;
        ++*removed_out;
    }
    return true;
}

static void write(const struct sov_pin *pin, struct sov_buf *text)
{
    struct sov_writer w;

    sov_writer_init(&w, text);
    sov_write_object(&w);
    if (pin->founding.data) sov_put_bytes(&w, "founding", pin->founding);
    sov_put_hex(&w, "ledger", sov_hash_bytes(&pin->ledger_id));
    if (pin->founding.data) {
        sov_put_bytes(&w, "note", pin->note);
        sov_put_list(&w, "range");
        for (unsigned i = 0; i < sov_range_count(&pin->range); i++)
            sov_write_hex(&w, sov_hash_bytes(&pin->range.node[i]));
        sov_write_end(&w);
    }
    sov_put_hex(&w, "root", sov_hash_bytes(&pin->root));
    sov_put_int(&w, "size", pin->size);
    sov_write_end(&w);
    sov_buf_add_byte(text, '\n');
}

static bool replace(const struct sov_folder *folder, const struct sov_pin *pin,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    char name[SOV_HEX_HASH + 1];
    struct sov_pin same;

    sov_arena_init(&arena, ARENA_MAX);
    sov_buf_init(&text, PIN_SIZE_MAX);
    write(pin, &text);
    if (!sov_buf_whole(&text, "the pin", err)) return false;
    if (!parse(sov_buf_bytes(&text), &arena, &same))
        return sov_fail(err, SOV_UNABLE, "pin_invalid", "what is to be pinned is no pin");
    sov_hex(sov_hash_bytes(&pin->ledger_id), name);
    return sov_file_replace(folder, name, 0600, sov_buf_bytes(&text), err);
}

static bool is_ahead(const char *pins, const struct sov_pin *pin, bool *ahead_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_pin before;
    bool found;

    sov_arena_init(&arena, ARENA_MAX);
    if (!sov_pin_read(pins, &pin->ledger_id, &arena, &before, &found, err)) return false;
    *ahead_out = !found || before.size < pin->size ||
                 (before.size == pin->size && sov_hash_equal(&before.root, &pin->root) &&
                  !before.founding.data && pin->founding.data);
    return true;
}

bool sov_pin_move(const char *pins, const struct sov_pin *pin, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    SOV_CLEANUP(sov_lock_release) struct sov_lock lock = { 0 };
    size_t removed;
    bool ahead;

    if (!is_ahead(pins, pin, &ahead, err)) return false;
    if (!ahead) return true;
    /* Asked again under the lock: of two that move it the smaller must not come last. */
    return sov_folder_make_named(pins, 0700, err) && sov_folder_open(&folder, pins, err) &&
           sov_lock_take(&lock, &folder, "lock", WAIT_MS, err) &&
           leftovers_remove(&folder, &removed, err) && is_ahead(pins, pin, &ahead, err) &&
           (!ahead || replace(&folder, pin, err));
}

bool sov_pin_tidy(const char *pins, bool dry, size_t *removed_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    SOV_CLEANUP(sov_lock_release) struct sov_lock lock = { 0 };
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_listing names;
    struct sov_error none = { 0 };
    size_t count = 0;

    *removed_out = 0;
    sov_arena_init(&arena, names_most);
    if (!sov_folder_open(&folder, pins, &none)) return true; /* none was ever written */
    if (!sov_folder_names(&folder, "", NAMES_MAX, &arena, &names, err)) return false;
    for (size_t i = 0; i < names.count; i++) count += sov_file_is_leftover(names.name[i]);
    if (count && !dry)
        return sov_lock_take(&lock, &folder, "lock", WAIT_MS, err) &&
               leftovers_remove(&folder, removed_out, err);
    *removed_out = count;
    return true;
}
