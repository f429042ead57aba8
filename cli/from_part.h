#ifndef SOV_CLI_FROM_PART_H
#define SOV_CLI_FROM_PART_H
/* What the senders' readers share. Private to cli/from*.c. */
#include "base/json.h"
#include "cli/from.h"

/* One delivery being read. */
struct sov_from_delivery {
    const struct sov_from_request *request;
    const struct sov_json_node *root;
    struct sov_arena *arena;
    struct sov_hash digest; /* of the payload */
    struct sov_from_signal *at;
    size_t count;
};
enum { SOV_DELIVERED_MAX = 1000 };

/* Makes an id of foreign text, the same text always the same id: ASCII letters lowered, what an id
 * may not hold becomes '-', what is longer is cut and ends in a digest of the whole. */
const char *sov_from_slug(const char *text, struct sov_arena *arena);
/* A text of the object at these names, NULL if it is none or blank; a node NULL: none. */
const char *sov_from_text(const struct sov_json_node *node);
/* The time as said if it is RFC 3339, else NULL: it is information, no reason to lose a signal. */
const char *sov_from_time(const struct sov_json_node *node);
/* "sha256:" and the hex digest of the payload: the same octets are the same delivery. */
const char *sov_from_digest_key(const struct sov_from_delivery *delivery);

SOV_MUST_USE bool sov_from_github(struct sov_from_delivery *delivery, struct sov_error *err);
SOV_MUST_USE bool sov_from_cloudevents(struct sov_from_delivery *delivery, struct sov_error *err);
SOV_MUST_USE bool sov_from_alertmanager(struct sov_from_delivery *delivery, struct sov_error *err);
#endif
