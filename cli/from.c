/* Deliveries: which sender, the JSON, and what all senders share. */
#include <string.h>

#include "base/text.h"
#include "cli/from_part.h"

enum { ID_MAX = 63, CUT_DIGITS = 12, WORK_MAX = 256 << 20, KEY_MAX = 200 };

const char *sov_from_slug(const char *text, struct sov_arena *arena)
{
    size_t size = strlen(text), kept = size;
    char *slug = sov_arena_take(arena, size + 3 + ID_MAX);
    char hex[SOV_HEX_HASH + 1];
    struct sov_hash whole;
    size_t at = 0;

    if (size == 0 || !((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z')))
        slug[at++] = 'x';
    for (size_t i = 0; i < kept; i++) {
        char c = text[i];

        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_')) c = '-';
        slug[at++] = c;
    }
    slug[at] = '\0';
    if (at <= ID_MAX) return slug;
    whole = sov_sha256(sov_bytes_text(text));
    sov_hex(sov_hash_bytes(&whole), hex);
    slug[ID_MAX - CUT_DIGITS - 1] = '-';
    memcpy(slug + ID_MAX - CUT_DIGITS, hex, CUT_DIGITS);
    slug[ID_MAX] = '\0';
    return slug;
}

const char *sov_from_text(const struct sov_json_node *node)
{
    const char *text = node ? sov_json_text(node) : NULL;

    return text && !sov_text_is_blank(sov_bytes_text(text)) ? text : NULL;
}

const char *sov_from_time(const struct sov_json_node *node)
{
    const char *text = sov_from_text(node);
    struct sov_instant at;
    struct sov_error ignored;

    if (!text || strlen(text) > 40) return NULL;
    return sov_instant_parse_foreign(sov_bytes_text(text), &at, &ignored) ? text : NULL;
}

const char *sov_from_digest_key(const struct sov_from_delivery *delivery)
{
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&delivery->digest), hex);
    return sov_arena_printf(delivery->arena, "sha256:%s", hex);
}

static const struct sender {
    const char *name, *media_type;
    bool (*read)(struct sov_from_delivery *delivery, struct sov_error *err);
    bool headers; /* takes --event and --delivery */
} senders[] = {
    { "alertmanager", "application/json", sov_from_alertmanager, false },
    { "cloudevents", "application/cloudevents+json", sov_from_cloudevents, false },
    { "github", "application/json", sov_from_github, true },
};

static bool sender_find(const struct sov_from_request *request, const struct sender **sender_out,
                        struct sov_error *err)
{
    for (size_t i = 0; i < sizeof senders / sizeof *senders; i++) {
        if (strcmp(senders[i].name, request->sender) != 0) continue;
        if (!senders[i].headers && (request->event || request->delivery))
            return sov_fail(err, SOV_USAGE, "usage", "--event and --delivery are github's");
        *sender_out = &senders[i];
        return true;
    }
    return sov_fail(err, SOV_USAGE, "bad_value", "--from is github, cloudevents or alertmanager");
}

/* The key that the caller gave stands before any that the delivery has. */
static bool keys_set(struct sov_from_delivery *d, struct sov_error *err)
{
    const char *given = d->request->key;

    if (!given) return true;
    if (strlen(given) + 8 > KEY_MAX && d->count > 1)
        return sov_fail(err, SOV_USAGE, "too_large", "the key of %zu signals is over %d bytes",
                        d->count, KEY_MAX - 8);
    for (size_t i = 0; i < d->count; i++)
        d->at[i].key = d->count == 1 ? given : sov_arena_printf(d->arena, "%s:%zu", given, i + 1);
    return true;
}

static void common_set(struct sov_from_delivery *d, const char *media_type)
{
    if (sov_json_is_list(d->root)) media_type = "application/cloudevents-batch+json";
    for (size_t i = 0; i < d->count; i++) {
        d->at[i].request.payload = d->request->payload;
        d->at[i].request.media_type = media_type;
        if (d->request->subject) d->at[i].request.subject = d->request->subject;
    }
}

static bool read_parsed(struct sov_from_delivery *d, const struct sender *sender,
                        struct sov_from *from_out, struct sov_error *err)
{
    if (!sender->read(d, err) || !keys_set(d, err)) return false;
    /* Each signal names the whole payload, which is digested for each. */
    if (d->count > 1 && d->request->payload.size > WORK_MAX / d->count)
        return sov_fail(err, SOV_USAGE, "too_large", "%zu signals of a delivery of %zu bytes",
                        d->count, d->request->payload.size);
    common_set(d, sender->media_type);
    *from_out = (struct sov_from){ d->at, d->count };
    return true;
}

/* Out of the JSON document, which is closed when its text has been read. */
static void text_keep(const char **text, struct sov_arena *arena)
{
    if (*text) *text = sov_arena_text(arena, sov_bytes_text(*text));
}

static void texts_keep(struct sov_from_delivery *d)
{
    for (size_t i = 0; i < d->count; i++) {
        struct sov_signal_request *request = &d->at[i].request;

        text_keep(&request->kind, d->arena);
        text_keep(&request->source, d->arena);
        text_keep(&request->subject, d->arena);
        text_keep(&request->observed_at, d->arena);
        text_keep(&d->at[i].key, d->arena);
    }
}

bool sov_from_read(const struct sov_from_request *request, struct sov_arena *arena,
                   struct sov_from *from_out, struct sov_error *err)
{
    struct sov_from_delivery d = { .request = request, .arena = arena };
    const struct sender *sender;
    struct sov_json *json;
    bool ok;

    if (!sender_find(request, &sender, err) ||
        !sov_json_parse(request->payload, &sov_scan_foreign, &json, err))
        return false;
    d.root = sov_json_root(json);
    d.digest = sov_sha256(request->payload);
    ok = read_parsed(&d, sender, from_out, err);
    if (ok) texts_keep(&d);
    sov_json_close(json);
    return ok;
}
