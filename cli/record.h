#ifndef SOV_CLI_RECORD_H
#define SOV_CLI_RECORD_H
/*
 * Events and entities as data, for the verbs that show them. Owns: what `log`, `show` and `why` say
 * of an event, and the fields of an entity read from its own stream. Not here: printing.
 */
#include "cli/verb.h"

/* What a REF names: an event, or a stream. */
struct sov_ref {
    int64_t seq; /* of an event; 0: a stream */
    struct sov_stream stream;
};
/* "SOW-7", "outcome/OUT-3", "actor/alice", a bare name if exactly one kind knows it, a seq, a hash
 * (64 hex digits, or a prefix of at least 8): no_such_id, or usage if it is ambiguous. */
SOV_MUST_USE bool sov_ref_find(struct sov_call *call, const char *text, struct sov_ref *ref_out,
                               struct sov_error *err);
/* "sows" or "sow" as a kind of stream; false if it is none. */
bool sov_kind_find(const char *word, enum sov_stream_kind *kind_out);

/* What people call it: its id; "policy" and "organization" for those of which there is one. */
const char *sov_stream_called(const struct sov_stream *stream, struct sov_arena *arena);
/* seq, at, actor, type, id, stream, sv, cause, fence, key, data. */
struct sov_node *sov_event_node(const struct sov_event *event, struct sov_arena *arena);
/* A few words about it: what its data says that a line should not lack; "" for nothing. */
const char *sov_event_words(const struct sov_event *event, struct sov_arena *arena);
/* The entity: id, kind, state if it has one, version, the newest value of each field. */
SOV_MUST_USE bool sov_entity_node(struct sov_call *call, const struct sov_stream *stream,
                                  struct sov_node **node_out, struct sov_error *err);
/* Its state by word, or NULL for a kind that has none. */
SOV_MUST_USE bool sov_entity_state(struct sov_call *call, const struct sov_stream *stream,
                                   const char **state_out, struct sov_error *err);
#endif
