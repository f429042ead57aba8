/* CloudEvents 1.0 in structured JSON, one or a batch; Alertmanager's webhook, version 4. */
#include <string.h>

#include "base/text.h"
#include "cli/from_part.h"

enum { KEY_ROOM = 120, HEX_SHORT = 16 };

/* "first 16 hex digits of SHA-256" of a text. */
static const char *short_digest(const char *text, struct sov_arena *arena)
{
    struct sov_hash hash = sov_sha256(sov_bytes_text(text));
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&hash), hex);
    return sov_arena_printf(arena, "%.*s", HEX_SHORT, hex);
}

static bool room(struct sov_from_delivery *d, size_t count, const char *what, struct sov_error *err)
{
    if (!count) return sov_fail(err, SOV_USAGE, "bad_value", "the delivery has no %s", what);
    if (count > SOV_DELIVERED_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "the delivery has over %d %ss",
                        SOV_DELIVERED_MAX, what);
    d->at = sov_arena_array(d->arena, count, sizeof *d->at);
    return true;
}

/* ---- CloudEvents ---- */

/* The extension attributes of the logging and severity profiles; other words are information. */
static enum sov_severity event_severity(const struct sov_json_node *event)
{
    static const char *const warnings[] = { "warn",     "warning", "error", "err",
                                            "critical", "fatal",   "alert", "emergency" };
    const char *word = sov_from_text(sov_json_at(event, "severity", NULL));

    if (!word) word = sov_from_text(sov_json_at(event, "severitytext", NULL));
    if (!word) return SOV_INFO;
    if (sov_text_fold_equal(sov_bytes_text(word), sov_bytes_text("resolved"))) return SOV_RESOLVED;
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++)
        if (sov_text_fold_equal(sov_bytes_text(word), sov_bytes_text(warnings[i])))
            return SOV_WARNING;
    return SOV_INFO;
}

/* "github.com-cloudevents-spec" of a URI reference. */
static const char *event_source(const char *source, struct sov_arena *arena)
{
    const char *scheme = strstr(source, "://");

    if (scheme && scheme[3]) source = scheme + 3;
    while (*source == '/' && source[1]) source++;
    return sov_from_slug(source, arena);
}

/* Source and id name an event; the id alone does not. */
static const char *event_key(const char *source, const char *id, struct sov_arena *arena)
{
    return sov_arena_printf(arena, "%s:%s", short_digest(source, arena),
                            strlen(id) > KEY_ROOM ? short_digest(id, arena) : id);
}

static bool event_add(struct sov_from_delivery *d, const struct sov_json_node *event,
                      struct sov_error *err)
{
    const char *version, *id, *source, *type, *subject;
    const struct sov_json_node *time;
    size_t n = d->count + 1;

    if (!sov_json_is_object(event))
        return sov_fail(err, SOV_USAGE, "bad_value", "CloudEvent %zu is no object", n);
    version = sov_from_text(sov_json_at(event, "specversion", NULL));
    id = sov_from_text(sov_json_at(event, "id", NULL));
    source = sov_from_text(sov_json_at(event, "source", NULL));
    type = sov_from_text(sov_json_at(event, "type", NULL));
    subject = sov_from_text(sov_json_at(event, "subject", NULL));
    time = sov_json_at(event, "time", NULL);
    if (!version || strcmp(version, "1.0") != 0)
        return sov_fail(err, SOV_USAGE, "bad_value", "CloudEvent %zu is not of specversion 1.0", n);
    if (!id || !source || !type)
        return sov_fail(err, SOV_USAGE, "bad_value", "CloudEvent %zu lacks id, source or type", n);
    if (time && !sov_from_time(time))
        return sov_fail(err, SOV_USAGE, "bad_value", "the time of CloudEvent %zu is not RFC 3339",
                        n);
    d->at[d->count++] = (struct sov_from_signal){
        .request = { .kind = sov_from_slug(type, d->arena),
                     .source = event_source(source, d->arena),
                     .subject = subject ? subject : source,
                     .severity = event_severity(event),
                     .observed_at = time ? sov_from_time(time) : NULL },
        .key = event_key(source, id, d->arena),
    };
    return true;
}

bool sov_from_cloudevents(struct sov_from_delivery *d, struct sov_error *err)
{
    if (!sov_json_is_list(d->root)) return room(d, 1, "event", err) && event_add(d, d->root, err);
    if (!room(d, sov_json_count(d->root), "event", err)) return false;
    for (const struct sov_json_node *event = sov_json_first(d->root); event;
         event = sov_json_next(event))
        if (!event_add(d, event, err)) return false;
    return true;
}

/* ---- Alertmanager ---- */

/* What an alert is about: the most telling label that it has. */
static const char *alert_subject(const struct sov_json_node *labels, const char *name)
{
    static const char *const telling[] = { "subject", "service", "instance", "job" };

    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++) {
        const char *label = sov_from_text(sov_json_at(labels, telling[i], NULL));

        if (label) return label;
    }
    return name;
}

static enum sov_severity alert_severity(const struct sov_json_node *labels, bool resolved)
{
    const char *word = sov_from_text(sov_json_at(labels, "severity", NULL));

    if (resolved) return SOV_RESOLVED;
    return word && (strcmp(word, "info") == 0 || strcmp(word, "none") == 0) ? SOV_INFO
                                                                            : SOV_WARNING;
}

/* The same octets again are the same report; the alert firing on is another. */
static const char *alert_key(const struct sov_from_delivery *d, const struct sov_json_node *alert)
{
    const char *print = sov_from_text(sov_json_at(alert, "fingerprint", NULL));
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&d->digest), hex);
    if (!print || strlen(print) > KEY_ROOM) print = "alert";
    return sov_arena_printf(d->arena, "%s:%zu:%.*s", print, d->count + 1, HEX_SHORT, hex);
}

static bool alert_add(struct sov_from_delivery *d, const struct sov_json_node *alert,
                      struct sov_error *err)
{
    const struct sov_json_node *labels;
    const char *status, *name;
    size_t n = d->count + 1;
    bool resolved;

    if (!sov_json_is_object(alert))
        return sov_fail(err, SOV_USAGE, "bad_value", "alert %zu is no object", n);
    status = sov_from_text(sov_json_at(alert, "status", NULL));
    labels = sov_json_at(alert, "labels", NULL);
    if (!status || (strcmp(status, "firing") != 0 && strcmp(status, "resolved") != 0))
        return sov_fail(err, SOV_USAGE, "bad_value", "alert %zu is neither firing nor resolved", n);
    if (!labels || !sov_json_is_object(labels))
        return sov_fail(err, SOV_USAGE, "bad_value", "alert %zu has no labels", n);
    name = sov_from_text(sov_json_at(labels, "alertname", NULL));
    if (!name) return sov_fail(err, SOV_USAGE, "bad_value", "alert %zu has no alertname", n);
    resolved = strcmp(status, "resolved") == 0;
    d->at[d->count] = (struct sov_from_signal){
        .request = { .kind = sov_from_slug(sov_arena_printf(d->arena, "alertmanager.%s", name),
                                           d->arena),
                     .source = "alertmanager",
                     .subject = alert_subject(labels, name),
                     .severity = alert_severity(labels, resolved),
                     .observed_at = sov_from_time(
                         sov_json_at(alert, resolved ? "endsAt" : "startsAt", NULL)) },
        .key = alert_key(d, alert),
    };
    d->count++;
    return true;
}

bool sov_from_alertmanager(struct sov_from_delivery *d, struct sov_error *err)
{
    const struct sov_json_node *alerts, *alert;
    const char *version;

    if (!sov_json_is_object(d->root))
        return sov_fail(err, SOV_USAGE, "bad_value", "an Alertmanager notification is one object");
    version = sov_from_text(sov_json_at(d->root, "version", NULL));
    alerts = sov_json_at(d->root, "alerts", NULL);
    if (!version || strcmp(version, "4") != 0)
        return sov_fail(err, SOV_USAGE, "bad_value", "the notification is not of version 4");
    if (!alerts || !sov_json_is_list(alerts))
        return sov_fail(err, SOV_USAGE, "bad_value", "the notification has no list of alerts");
    if (!room(d, sov_json_count(alerts), "alert", err)) return false;
    for (alert = sov_json_first(alerts); alert; alert = sov_json_next(alert))
        if (!alert_add(d, alert, err)) return false;
    return true;
}
