#include "tests/power/moments.h"

#include "base/alloc.h"

enum { BITS_MAX = 8, NAMES_DRAWN = 4 };

static struct met *slot(const struct moments *moments, struct sov_fingerprint print)
{
    size_t at = (size_t)print.low & (moments->room - 1);

    while ((moments->met[at].print.low || moments->met[at].print.high) &&
           !sov_fingerprint_equal(moments->met[at].print, print))
        at = (at + 1) & (moments->room - 1);
    return &moments->met[at];
}

static void grow(struct moments *moments)
{
    struct moments before = *moments;

    if (2 * moments->count < moments->room) return;
    moments->room = before.room ? 2 * before.room : 1024;
    moments->met = sov_alloc_array(moments->room, sizeof *moments->met);
    for (size_t i = 0; i < before.room; i++)
        if (before.met[i].print.low || before.met[i].print.high)
            *slot(moments, before.met[i].print) = before.met[i];
    sov_free(before.met);
}

static void make(struct moments *moments, struct disk *disk, const struct pick *pick)
{
    struct left left;
    struct met *met;
    bool known;

    grow(moments);
    disk_crash(disk, pick, &left);
    met = slot(moments, left.print);
    known = met->print.low || met->print.high;
    if (!known) {
        met->print = left.print;
        moments->count++;
    }
    moments->tried++;
    moments->see(moments->self, &left, known, &met->found);
    left_release(&left);
}

static uint64_t next(struct moments *moments)
{
    uint64_t n = moments->seed += UINT64_C(0x9e3779b97f4a7c15);

    n = (n ^ n >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    n = (n ^ n >> 27) * UINT64_C(0x94d049bb133111eb);
    return n ^ n >> 31;
}

/* One in three has all names; the others so many as are drawn. */
static uint64_t names(struct moments *moments)
{
    return next(moments) % 3 ? next(moments) | 1 : 0;
}

static void make_all(struct moments *moments, struct disk *disk, struct unsettled late)
{
    for (uint64_t n = 0; n < UINT64_C(1) << late.parts; n++)
        for (size_t i = 0; i <= (late.names ? NAMES_DRAWN * late.names : 0); i++)
            make(moments, disk, &(struct pick){ PICK_BITS, n, 0, i ? next(moments) | 1 : 0 });
}

/* Evenly spread over what there is. */
static void make_row(struct moments *moments, struct disk *disk, enum pick_kind kind, size_t of,
                     size_t most)
{
    size_t count = of < most ? of : most;

    for (size_t i = 0; i < count; i++)
        make(moments, disk, &(struct pick){ kind, i * of / count, 0, names(moments) });
}

static void make_drawn(struct moments *moments, struct disk *disk, size_t count)
{
    static const enum pick_kind kinds[] = { PICK_TORN, PICK_WRITES, PICK_PARTS };
    static const unsigned odds[] = { 24, 90, 166, 232, 250 };

    for (size_t i = 0; i < count; i++)
        make(moments, disk,
             &(struct pick){ kinds[i % 3], next(moments), odds[i / 3 % 5], names(moments) });
}

void moments_make(struct moments *moments, struct disk *disk)
{
    struct unsettled late = disk_unsettled(disk);
    size_t budget = moments->budget;

    if (late.parts <= BITS_MAX) {
        make_all(moments, disk, late);
        return;
    }
    make(moments, disk, &(struct pick){ PICK_FIRST, UINT64_MAX, 0, 0 });
    make_row(moments, disk, PICK_FIRST, late.parts, budget / 4);
    make_row(moments, disk, PICK_BUT_ONE, late.writes, budget / 8);
    make_row(moments, disk, PICK_ONE, late.writes, budget / 8);
    make_drawn(moments, disk, budget / 2);
}

void moments_release(struct moments *moments)
{
    sov_free(moments->met);
    moments->met = NULL;
    moments->room = moments->count = 0;
}
