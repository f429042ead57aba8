/* Segments of the published log: octets, one event a line. */
#include "base/merkle.h"
#include "projections/tree.h"

enum { SEGMENT_MAX = 8 << 20 }; /* octets: what hosts of repositories still take and show */

static bool flush(struct sov_buf *lines, int64_t first, int64_t last, struct sov_put *put,
                  struct sov_error *err)
{
    const char *path =
        sov_arena_printf(put->arena, "log/%lld-%lld.jsonl", (long long)first, (long long)last);

    if (!sov_buf_whole(lines, "a segment", err)) return false;
    if (!sov_put_file(put, path, sov_buf_bytes(lines), err)) return false;
    sov_paths_add(&put->segments, path, put->arena);
    sov_buf_clear(lines);
    return true;
}

bool sov_segments_put(const struct sov_ledger *ledger, int64_t first, int64_t last,
                      struct sov_put *put, struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf lines = { 0 };
    int64_t next = first;

    sov_buf_init(&lines, SEGMENT_MAX + SOV_EVENT_SIZE_MAX + 1);
    sov_log_begin(&cursor, ledger, first, last);
    for (;;) {
        struct sov_stored row;
        struct sov_hash hash;
        bool found;

        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) break;
        hash = sov_leaf_hash(row.octets);
        if (row.seq != next || !sov_bytes_equal(row.hash, sov_hash_bytes(&hash)))
            return sov_fail(err, SOV_INTEGRITY, "event_invalid",
                            "event %lld is not what was appended", (long long)next);
        sov_buf_add(&lines, row.octets);
        sov_buf_add_byte(&lines, '\n');
        next++;
        if (lines.size < SEGMENT_MAX) continue;
        if (!flush(&lines, first, row.seq, put, err)) return false;
        first = next;
    }
    if (next != last + 1)
        return sov_fail(err, SOV_INTEGRITY, "event_invalid", "event %lld is missing",
                        (long long)next);
    return lines.size == 0 || flush(&lines, first, last, put, err);
}
