#include <string.h>

#include "cli/from.h"

static bool severity_of(struct sov_call *call, enum sov_severity *severity_out,
                        struct sov_error *err)
{
    static const char *const words[SOV_SEVERITY_COUNT] = { "info", "warning", "resolved" };
    const char *text = sov_value_of(call, SOV_FLAG_SEVERITY);

    *severity_out = SOV_INFO;
    if (!text) return true;
    for (enum sov_severity i = 0; i < SOV_SEVERITY_COUNT; i++) {
        if (strcmp(text, words[i]) != 0) continue;
        *severity_out = i;
        return true;
    }
    return sov_fail(err, SOV_USAGE, "bad_value", "--severity is info, warning or resolved");
}

static void data_put(struct sov_node *data, const struct sov_signal *signal)
{
    static const char *const words[SOV_SEVERITY_COUNT] = { "info", "warning", "resolved" };
    struct sov_node *payload;

    sov_add_text(data, "kind", signal->kind);
    sov_add_text(data, "source", signal->source);
    sov_add_text(data, "subject", signal->subject);
    sov_add_text(data, "severity", words[signal->severity]);
    if (!signal->has_payload) {
        sov_add_null(data, "payload");
        return;
    }
    payload = sov_add_object(data, "payload");
    sov_add_hex(payload, "digest", sov_hash_bytes(&signal->payload.digest));
    sov_add_int(payload, "size", signal->payload.size);
    sov_add_text(payload, "media_type", signal->payload.media_type);
}

static bool one(struct sov_call *call, const struct sov_signal_request *request,
                struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_signal signal = { .kind = request->kind,
                                 .source = request->source,
                                 .subject = request->subject,
                                 .severity = request->severity };
    bool found;
    int64_t n;

    if (!sov_deed_begin(&w, call, err) || !sov_signal_record(&w.commit, request, &w.done, err))
        return false;
    n = sov_id_number(sov_bytes_text(w.done.id), SOV_STREAM_SIGNAL);
    if (!sov_signal_find(call->ledger, n, call->arena, &signal, &found, err) ||
        !sov_deed_finish(&w, err))
        return false;
    data_put(w.data, &signal);
    return sov_deed_say(&w, sov_arena_printf(call->arena, "recorded %s", request->kind),
                        "sov pulse");
}

/* Several of one delivery, all in one commit. */
static bool several(struct sov_call *call, const struct sov_from *from, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_done *done = sov_arena_array(call->arena, from->count + 1, sizeof *done);
    struct sov_node *rows = sov_node_list(call->arena);

    if (!sov_deed_begin(&w, call, err)) return false;
    for (size_t i = 0; i < from->count; i++) {
        w.commit.act.key = from->at[i].key;
        if (!sov_signal_record(&w.commit, &from->at[i].request, &done[i], err)) return false;
    }
    if (!sov_deed_finish(&w, err)) return false;
    for (size_t i = 0; i < from->count; i++) {
        struct sov_node *row = sov_add_object(rows, NULL), *seqs;
        const struct sov_signal_request *request = &from->at[i].request;

        sov_add_text(row, "id", done[i].id);
        sov_add_text(row, "effect", sov_effect_text(done[i].effect));
        seqs = sov_add_list(row, "seqs");
        if (done[i].seq) sov_add_int(seqs, NULL, done[i].seq);
        sov_add_text(row, "next", "sov pulse");
        data_put(row, &(struct sov_signal){ .kind = request->kind,
                                            .source = request->source,
                                            .subject = request->subject,
                                            .severity = request->severity });
        if (call->out->quiet)
            sov_out_line(call->out, "%s", done[i].id);
        else
            sov_out_line(call->out, "%s %s %s (seq %lld)", done[i].id,
                         done[i].effect == SOV_CREATED ? "recorded"
                         : done[i].effect == SOV_NOOP  ? "already recorded"
                                                       : "would be recorded",
                         request->kind, (long long)done[i].seq);
    }
    sov_out_data(call->out, rows);
    return true;
}

static bool delivered(struct sov_call *call, const char *sender, struct sov_error *err)
{
    const char *path = sov_value_of(call, SOV_FLAG_PAYLOAD);
    struct sov_from_request request = { .sender = sender,
                                        .event = sov_value_of(call, SOV_FLAG_EVENT),
                                        .delivery = sov_value_of(call, SOV_FLAG_DELIVERY),
                                        .subject = sov_value_of(call, SOV_FLAG_SUBJECT),
                                        .key = sov_value_of(call, SOV_FLAG_IDEMPOTENCY_KEY) };
    struct sov_from from;

    if (!path || call->word_count || sov_given(call, SOV_FLAG_SOURCE))
        return sov_fail(err, SOV_USAGE, "usage",
                        "--from goes with --payload, without KIND and "
                        "--source");
    return sov_file_of(call, path, SOV_SIGNAL_PAYLOAD_MAX, &request.payload, err) &&
           sov_from_read(&request, call->arena, &from, err) && several(call, &from, err);
}

static bool signal_run(struct sov_call *call, struct sov_error *err)
{
    const char *path = sov_value_of(call, SOV_FLAG_PAYLOAD),
               *sender = sov_value_of(call, SOV_FLAG_FROM);
    struct sov_signal_request request = { .kind = sov_word_at(call, 0),
                                          .source = sov_value_of(call, SOV_FLAG_SOURCE),
                                          .subject = sov_value_of(call, SOV_FLAG_SUBJECT),
                                          .observed_at = sov_value_of(call, SOV_FLAG_OBSERVED_AT),
                                          .dedupe_key = sov_value_of(call, SOV_FLAG_DEDUPE_KEY),
                                          .media_type = sov_value_of(call, SOV_FLAG_MEDIA_TYPE),
                                          .confidential = sov_given(call, SOV_FLAG_CONFIDENTIAL) };

    if (sender) return delivered(call, sender, err);
    if (!request.kind || !request.source || !request.subject)
        return sov_fail(err, SOV_USAGE, "usage", "signal needs KIND, --source and --subject");
    if (sov_given(call, SOV_FLAG_EVENT) || sov_given(call, SOV_FLAG_DELIVERY))
        return sov_fail(err, SOV_USAGE, "usage", "--event and --delivery go with --from");
    if (!path && (request.media_type || request.confidential))
        return sov_fail(err, SOV_USAGE, "usage",
                        "--media-type and --confidential go with --payload");
    if (!severity_of(call, &request.severity, err)) return false;
    if (path && !sov_file_of(call, path, SOV_SIGNAL_PAYLOAD_MAX, &request.payload, err))
        return false;
    return one(call, &request, err);
}

static const struct sov_form forms[] = {
    { "", signal_run, SOV_WRITES, 0, 1,
      "[KIND] [--source NAME] [--subject REF] [--severity info|warning|resolved] "
      "[--payload FILE|-] [--media-type TYPE] [--confidential] [--observed-at TIME] "
      "[--dedupe-key K] [--from github|cloudevents|alertmanager] [--event NAME] [--delivery ID]",
      "record that the world changed; decides nothing",
      SOV_WRITE_FIELDS " kind:s source:s subject:s severity:s payload:o?",
      "4 the actor may not signal\n5 key reused",
      "sov signal ci.failed --source github --subject OUT-3 --payload run.json\n"
      "sov signal --from github --event workflow_run --payload - --idempotency-key 72d3162e",
      NULL },
};
static const struct sov_verb verb = {
    "signal",
    "record that the world changed",
    "KIND, --source and --subject, or --from and --payload. A subject is an id of this ledger or\n"
    "any text of up to 200 bytes. The payload, at most 25 MiB, is kept byte for byte; without\n"
    "--from it is never parsed.",
    forms,
    1,
    SOV_GROUP_WORK
};

const struct sov_verb *sov_verb_signal(void)
{
    return &verb;
}
