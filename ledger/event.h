#ifndef SOV_LEDGER_EVENT_H
#define SOV_LEDGER_EVENT_H
/*
 * One event: its octets and what stands in them (log.md 1), and the registry of types.
 * Owns: encoding, decoding, validation against event_types.def, the names of streams.
 * Not here: whether it may be appended (log.c, the entities), what it does to state (the folds).
 */
#include "base/arena.h"
#include "base/canonical.h"
#include "base/scan.h"
#include "base/time.h"

enum {
    SOV_EVENT_SIZE_MAX = 65535,
    SOV_EVENT_VERSION = 1,
    SOV_NAME_MAX = 255,
    SOV_KEY_MAX = 200,
    SOV_CAUSES_MAX = 64
};

enum sov_stream_kind {
#define STREAM(id, word, prefix) SOV_STREAM_##id,
#include "ledger/event_types.def"
#undef STREAM
    SOV_STREAM_COUNT,
    SOV_STREAM_CLAIMABLE = SOV_STREAM_COUNT /* of a registry row: any that can be claimed */
};
enum sov_event_type {
#define EVENT(id, ...) SOV_EVENT_##id,
#include "ledger/event_types.def"
#undef EVENT
    SOV_EVENT_TYPE_COUNT
};
enum sov_event_fence { SOV_FENCE_NEVER, SOV_FENCE_ALWAYS, SOV_FENCE_SOMETIMES };

/* A stream: numbered ones have n > 0 and no name ("SOW-7"), named ones n = 0 ("cash"). */
struct sov_stream {
    enum sov_stream_kind kind;
    int64_t n;
    struct sov_bytes name; /* borrowed */
};
const char *sov_stream_word(enum sov_stream_kind kind);   /* "sow" */
const char *sov_stream_prefix(enum sov_stream_kind kind); /* "SOW", "" for named ones */
struct sov_stream sov_stream_numbered(enum sov_stream_kind kind, int64_t n);
struct sov_stream sov_stream_named(enum sov_stream_kind kind, struct sov_bytes name);
/* "SOW-7" or "cash": what people call it. Borrowed text goes through the arena. */
bool sov_stream_equal(const struct sov_stream *a, const struct sov_stream *b);
const char *sov_stream_id(const struct sov_stream *stream, struct sov_arena *arena);
void sov_stream_write(const struct sov_stream *stream, struct sov_buf *out); /* "sow/SOW-7" */
/* "sow/SOW-7" as it stands in an event; false if it is none. */
bool sov_stream_parse(struct sov_bytes text, struct sov_stream *stream_out);
/* "SOW-7" of the kind that its prefix names; false if it is no numbered id. */
bool sov_stream_parse_id(struct sov_bytes text, struct sov_stream *stream_out);
/* Whether a claim may be on one. */
bool sov_stream_is_claimable(enum sov_stream_kind kind);
/* "assignment/ASG-7": how a claim names what it is on. */
enum { SOV_RESOURCE_SIZE = 48 };
void sov_stream_resource(const struct sov_stream *stream, char out[SOV_RESOURCE_SIZE]);
/* The number of "SOW-7" if it is of this kind, else 0. */
int64_t sov_id_number(struct sov_bytes text, enum sov_stream_kind kind);

/* ---- the registry ---- */

enum sov_field_kind {
    SOV_FIELD_TEXT,     /* UTF-8 of at most `max` bytes */
    SOV_FIELD_ID,       /* [a-z][a-z0-9._-]{0,62} */
    SOV_FIELD_NUMBERED, /* "SOW-7" of stream kind `max` */
    SOV_FIELD_WORD,     /* one of `words`, "a|b|c" */
    SOV_FIELD_HEX,      /* lower-case hex of `max` digits */
    SOV_FIELD_TIME,     /* an instant as `at` writes it */
    SOV_FIELD_INTEGER,
    SOV_FIELD_COUNT, /* an integer, 0 or more */
    SOV_FIELD_BOOL,
    SOV_FIELD_DOCUMENT, /* any object; its own reader knows more */
    SOV_FIELD_SHAPED,   /* an object of shape `words` */
    SOV_FIELD_TEXTS,    /* at most `count_max` texts of at most `max` bytes */
    SOV_FIELD_HEXES,
    SOV_FIELD_LIST,    /* at most `count_max` objects of shape `words` */
    SOV_FIELD_NUMBERS, /* an object of at most `count_max` names -> integers */
    SOV_FIELD_WORDS    /* an object of at most `count_max` names -> texts of at most 200 bytes */
};
enum { SOV_FIELD_OPTIONAL = 1, SOV_FIELD_ASKED = 2 };

struct sov_field {
    const char *name;
    enum sov_field_kind kind;
    size_t max, count_max;
    const char *words;
    unsigned flags;
};
struct sov_shape {
    const char *name;
    const struct sov_field *fields;
    size_t count;
};
struct sov_event_row {
    const char *type;
    enum sov_stream_kind stream;
    const char *authority, *leads;
    enum sov_event_fence fence;
    struct sov_shape data;
};
const struct sov_event_row *sov_event_row(enum sov_event_type type);
/* Whether an event of this row may stand in a stream of this kind. */
bool sov_event_stands_in(const struct sov_event_row *row, enum sov_stream_kind kind);
const char *sov_event_stream_word(const struct sov_event_row *row); /* "sow", "claimable" */
/* The authority that this row asks in a stream of this kind. */
const char *sov_event_authority(const struct sov_event_row *row, enum sov_stream_kind kind);
bool sov_event_type_find(struct sov_bytes word, enum sov_event_type *type_out);
/* NULL if there is none of that name; sov_shape_at walks them all: NULL at the end. */
const struct sov_shape *sov_shape_find(const char *name);
const struct sov_shape *sov_shape_at(size_t n);
/* True if host may append `type` behind a lead of type `lead`. */
bool sov_event_may_follow(enum sov_event_type type, enum sov_event_type lead);
/* `data` obeys its row: every field known, required ones there, kinds and limits held. Fails
 * bad_value (2) naming field and rule, too_large (2) for a text over its limit. */
SOV_MUST_USE bool sov_event_validate(enum sov_event_type type, struct sov_value data,
                                     struct sov_error *err);
/* One field, wherever it is kept; of canonical octets. */
SOV_MUST_USE bool sov_event_field_validate(enum sov_event_type type, const char *field,
                                           struct sov_value value, struct sov_error *err);
/* Equal in every field that the caller gives: the same request (log.md 3). */
bool sov_event_asked_equal(enum sov_event_type type, struct sov_value a, struct sov_value b);

/* ---- one event ---- */

/* A decoded event; every slice is borrowed from `octets`. */
struct sov_event {
    int64_t seq;
    enum sov_event_type type;
    struct sov_instant at;
    struct sov_bytes actor;
    struct sov_stream stream;
    int64_t sv;
    struct sov_value cause; /* absent if there is none */
    int64_t fence;          /* 0: none */
    struct sov_value key;   /* absent if there is none */
    struct sov_value data;
    struct sov_bytes octets;
};
/* Canonical octets into out (cleared first): too_large if they do not fit. `data` is canonical.
 * `cause` ascending. Asserts what a caller in this process must get right. */
struct sov_event_draft {
    int64_t seq, sv, fence;
    enum sov_event_type type;
    struct sov_instant at;
    struct sov_bytes actor;
    struct sov_stream stream;
    const int64_t *cause;
    size_t cause_count;
    struct sov_bytes key; /* .data NULL: none */
    struct sov_bytes data;
};
/* *event_out: the same event decoded, its slices borrowed from `out` and the draft. */
SOV_MUST_USE bool sov_event_encode(const struct sov_event_draft *draft, struct sov_buf *out,
                                   struct sov_event *event_out, struct sov_error *err);
/* Trusts nothing: canonical spelling, envelope, registry. Fails event_invalid (6). */
SOV_MUST_USE bool sov_event_decode(struct sov_bytes octets, struct sov_event *event_out,
                                   struct sov_error *err);
/* The same for octets that this process validated or verified before: envelope only. */
SOV_MUST_USE bool sov_event_read(struct sov_bytes octets, struct sov_event *event_out,
                                 struct sov_error *err);

/* The stream alone, of any octets: what sov_event_decode finds in those that it accepts. */
bool sov_event_stream(struct sov_bytes octets, struct sov_stream *stream_out);

/* What the claim is on that this event is under (log.md 2): its own stream if that can be claimed,
 * else the assignment that data.assignment names; n 0: none. */
struct sov_stream sov_event_resource(const struct sov_event *event);

/* ---- fields of a payload, for folds and views; the event is valid, so kinds are asserted ---- */
struct sov_value sov_data(const struct sov_event *event, const char *key); /* absent: .data NULL */
int64_t sov_data_int(const struct sov_event *event, const char *key);      /* absent: 0 */
bool sov_data_bool(const struct sov_event *event, const char *key);        /* absent: false */
int64_t sov_data_number(const struct sov_event *event, const char *key, enum sov_stream_kind kind);
/* Unescaped; borrowed from the octets or copied into the arena. .data NULL if absent. */
struct sov_bytes sov_data_text(const struct sov_event *event, const char *key,
                               struct sov_arena *arena);
struct sov_bytes sov_value_bytes(struct sov_value text, struct sov_arena *arena);
#endif
