#ifndef SOV_TESTS_POWER_JUDGE_H
#define SOV_TESTS_POWER_JUDGE_H
/*
 * Whether a ledger that a crash has left is one: the product opens and heals it, in memory; then a
 * reader of its own looks (integrity, every event in its octets, the tree's root made again, the
 * newest checkpoint at the head), sov_verify does, and the next append comes in. A healed file
 * that was judged before is not judged again; `every` says how often the product's own open is
 * asked where the engine alone comes to a file that is known.
 */
#include "base/crypto.h"
#include "ledger/ledger.h"
#include "tests/power/disk.h"

struct judge {
    struct sov_places places;
    struct sov_seams seams;
    struct sov_hash *promised; /* of the octets of events 1, 2 ... */
    size_t promised_count;
    struct verdict {
        struct sov_fingerprint print;
        int64_t head; /* -1: it is broken */
        char why[160];
    } * verdict; /* of healed files */
    size_t verdict_count, verdict_room;
    int64_t every; /* the product opens each so many states, 1: all of them */
    int64_t healed, opened, judged;
};
/* `root`: the place, whose keys sign. */
void judge_open(struct judge *judge, const char *root);
void judge_close(struct judge *judge);
/* What the undisturbed command left: its events are what is promised. */
void judge_promise(struct judge *judge, const struct left *left);
/* The head of what is left (0: no ledger has its name yet); -1: broken, and `why` says how. */
int64_t judge_ledger(struct judge *judge, const struct left *left, char *why_out, size_t room);
#endif
