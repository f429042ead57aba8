#include "ledger/pin.h"

#include <string.h>

#include "base/canonical.h"
#include "base/place.h"
#include "base/scan.h"

enum { PIN_SIZE_MAX = 512, NAMES_MAX = 1 << 20, WAIT_MS = 5000 };
static const size_t names_most = (size_t)256 << 20;

static bool parse(struct sov_bytes text, const struct sov_hash *ledger_id, struct sov_pin *pin_out)
{
    struct sov_error ignored;
    struct sov_value pin, size;

    if (!text.size || text.data[text.size - 1] != '\n') return false;
    pin = sov_value(sov_bytes(text.data, text.size - 1));
    if (!sov_scan_canonical(pin.octets, &sov_scan_own, &ignored)) return false;
    if (sov_value_kind(pin) != SOV_JSON_OBJECT || sov_value_count(pin) != 3) return false;
    size = sov_value_get(pin, "size");
    if (!sov_value_there(size) || sov_value_kind(size) != SOV_JSON_INT) return false;
    pin_out->size = sov_value_int(size);
    for (size_t i = 0; i < 2; i++) {
        struct sov_value hash = sov_value_get(pin, i ? "root" : "ledger");

        if (!sov_value_there(hash) || sov_value_kind(hash) != SOV_JSON_TEXT) return false;
        if (!sov_unhex(sov_value_plain(hash), (i ? &pin_out->root : &pin_out->ledger_id)->octets,
                       SOV_HASH_SIZE))
            return false;
    }
    return pin_out->size > 0 && sov_hash_equal(&pin_out->ledger_id, ledger_id);
}

bool sov_pin_read(const char *pins, const struct sov_hash *ledger_id, struct sov_pin *pin_out,
                  bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    char name[SOV_HEX_HASH + 1];
    struct sov_bytes text;
    struct sov_pin pin;

    sov_arena_init(&arena, 4096);
    sov_hex(sov_hash_bytes(ledger_id), name);
    *found_out = false;
    if (!sov_folder_open(&folder, pins, err) ||
        !sov_file_read(&folder, name, PIN_SIZE_MAX, &arena, &text, err))
        return err->exit == SOV_ABSENT;
    if (!parse(text, ledger_id, &pin))
        return sov_fail(err, SOV_UNABLE, "pin_invalid", "the pin %s/%s is no pin", pins, name);
    *pin_out = pin;
    *found_out = true;
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

static bool replace(const struct sov_folder *folder, const struct sov_pin *pin,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    char name[SOV_HEX_HASH + 1];
    struct sov_writer w;

    sov_buf_init(&text, PIN_SIZE_MAX);
    sov_writer_init(&w, &text);
    sov_write_object(&w);
    sov_put_hex(&w, "ledger", sov_hash_bytes(&pin->ledger_id));
    sov_put_hex(&w, "root", sov_hash_bytes(&pin->root));
    sov_put_int(&w, "size", pin->size);
    sov_write_end(&w);
    sov_buf_add_byte(&text, '\n');
    sov_hex(sov_hash_bytes(&pin->ledger_id), name);
    return sov_file_replace(folder, name, 0600, sov_buf_bytes(&text), err);
}

static bool is_ahead(const char *pins, const struct sov_pin *pin, bool *ahead_out,
                     struct sov_error *err)
{
    struct sov_pin before;
    bool found;

    if (!sov_pin_read(pins, &pin->ledger_id, &before, &found, err)) return false;
    *ahead_out = !found || before.size < pin->size;
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
