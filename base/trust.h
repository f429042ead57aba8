#ifndef SOV_BASE_TRUST_H
#define SOV_BASE_TRUST_H
/*
 * Who is believed: a trust policy as text (c2sp.org/tlog-policy). Lines, words parted by blanks:
 *   log VKEY [URL]            witness NAME VKEY [URL]
 *   group NAME all|any|K MEMBER...      quorum NAME|none
 * A member is a witness or a group of a line before; each stands in one group at most.
 * Owns: reading it, and whether a set of witnesses is enough. URLs are read over: nothing here
 * opens a connection.
 */
#include "base/cosign.h"

enum { SOV_TRUST_ROWS = 32, SOV_TRUST_SIZE_MAX = 65536 };

struct sov_trust {
    struct sov_note_key logs[SOV_TRUST_ROWS];
    size_t log_count;
    struct sov_truster { /* a witness, or a group if it has members */
        char name[SOV_KEY_NAME_MAX + 1];
        struct sov_note_key key;
        size_t of[2 * SOV_TRUST_ROWS];
        size_t count, least;
        bool is_group, is_used;
    } at[2 * SOV_TRUST_ROWS];
    size_t count, witnesses;
    bool nobody; /* quorum none */
    size_t asked;
};
/* bad_value (2) with the line. */
SOV_MUST_USE bool sov_trust_read(struct sov_bytes text, struct sov_trust *trust_out,
                                 struct sov_error *err);
/* `signed_by[i]` is of member i; those of groups are not looked at. */
bool sov_trust_holds(const struct sov_trust *trust, const bool *signed_by);
const struct sov_note_key *sov_trust_log(const struct sov_trust *trust, struct sov_bytes origin);
#endif
