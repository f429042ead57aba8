/*
 * One bit of an octet of each published file turned, each judged in this process, for T11.
 *   flip TREE KEYS CHECKPOINT EVERY           as a clone without a ledger file is judged
 *   flip TREE KEYS CHECKPOINT EVERY LEDGER    beside the ledger file in the folder LEDGER
 * Each EVERYth octet of TREE/governance is changed in place and put back; CHECKPOINT is a copy of a
 * published one that was kept elsewhere. A line a flip, as tamper.c prints them: `CLASS
 * SEQ-SEQ|FOUND SEQ EXIT|WHAT`. For an octet of a segment TAMPER is due, or FORK where a ledger
 * says otherwise, and a first bad seq from behind the last good checkpoint to the event after its
 * own; for any other file something is due.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/ledger.h"
#include "verify/verify.h"

enum { FILES_MAX = 4096, SIZES_MAX = 1024, FILE_MAX = 16 << 20 };

struct flips {
    struct sov_verify_options options;
    struct sov_seams seams;
    struct sov_places places;
    struct sov_folder tree;
    struct sov_known_note note;
    const char *top;
    char *paths[FILES_MAX];
    size_t count, size_count;
    int64_t sizes[SIZES_MAX]; /* of the published checkpoints, in no order */
    long every, seen;
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "flip: %s: %s\n", what, why);
    exit(2);
}

/* ---- what is there ---- */

/* nftw hands nothing through: the list is its own. */
static struct flips *listing(struct flips *set)
{
    static struct flips *all;

    if (set) all = set;
    return all;
}

static int found(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
    struct flips *all = listing(NULL);

    (void)facts;
    if (kind != FTW_F) return 0;
    if (all->count == FILES_MAX || all->size_count == SIZES_MAX) die(path, "is one too many");
    all->paths[all->count++] = strdup(path);
    if (strstr(path, "/checkpoints/"))
        all->sizes[all->size_count++] = strtoll(path + where->base, NULL, 10);
    return 0;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct sov_bytes whole(const char *path)
{
    struct stat facts;
    int fd = open(path, O_RDONLY);
    char *octets;

    if (fd < 0 || fstat(fd, &facts) != 0 || facts.st_size > FILE_MAX) die(path, "cannot be read");
    octets = malloc((size_t)facts.st_size + 1);
    if (!octets || read(fd, octets, (size_t)facts.st_size) != facts.st_size)
        die(path, "cannot be read");
    close(fd);
    return sov_bytes(octets, (size_t)facts.st_size);
}

/* ---- the judge ---- */

static void judge(const struct flips *all, const char *class, int64_t from, int64_t to,
                  const char *what, long at)
{
    struct sov_report report = { 0 };
    struct sov_arena arena;
    struct sov_error err = { 0 };

    sov_arena_init(&arena, 256 << 20);
    if (!sov_verify(&all->options, &arena, &report, &err)) die(what, err.what);
    printf("%s %lld-%lld|%s %lld %d|octet %ld of %s\n", class, (long long)from, (long long)to,
           report.count ? sov_class_word(report.findings[0].class) : "ok",
           (long long)report.first_bad_seq, (int)report.exit, at, what + strlen(all->top) + 1);
    sov_arena_release(&arena);
}

/* The greatest checkpoint's size under `seq`. */
static int64_t good_before(const struct flips *all, int64_t seq)
{
    int64_t good = 0;

    for (size_t i = 0; i < all->size_count; i++)
        if (all->sizes[i] < seq && all->sizes[i] > good) good = all->sizes[i];
    return good;
}

static void flip_file(struct flips *all, const char *path)
{
    struct sov_bytes octets = whole(path);
    const char *segment = strstr(path, "/log/");
    int64_t seq = segment ? strtoll(segment + 5, NULL, 10) : 0;
    int fd = open(path, O_RDWR);

    if (fd < 0) die(path, "cannot be written");
    for (size_t at = 0; at < octets.size; at++) {
        uint8_t bad = octets.data[at] ^ (uint8_t)(1U << at % 8);

        if (all->seen++ % all->every == 0) {
            if (pwrite(fd, &bad, 1, (off_t)at) != 1) die(path, "cannot be written");
            if (segment && seq > 1)
                judge(all, all->options.clone ? "TAMPER" : "FORK", good_before(all, seq) + 1,
                      seq + 1, path, (long)at);
            else
                judge(all, "caught", 0, 0, path, (long)at);
            if (pwrite(fd, octets.data + at, 1, (off_t)at) != 1) die(path, "cannot be written");
        }
        if (segment && octets.data[at] == '\n') seq++;
    }
    close(fd);
    free((void *)octets.data);
}

int main(int argc, char **argv)
{
    struct flips all = { .seams = { .clock = sov_clock_system(), .random = sov_random_system() } };
    struct sov_error err = { 0 };
    char governance[4096];

    if (argc != 5 && argc != 6) die("usage", "flip TREE KEYS CHECKPOINT EVERY [LEDGER]");
    all.top = argv[1];
    all.every = strtol(argv[4], NULL, 10);
    if (all.every < 1 || !sov_folder_open(&all.tree, argv[1], &err)) die(argv[1], err.what);
    all.places = (struct sov_places){ argc == 6 ? argv[5] : argv[1], argv[2] };
    all.note = (struct sov_known_note){ argv[3], whole(argv[3]) };
    all.options = (struct sov_verify_options){ .places = &all.places,
                                               .seams = &all.seams,
                                               .wait_ms = 1000,
                                               .all_signatures = true,
                                               .tree = &all.tree,
                                               .notes = &all.note,
                                               .note_count = 1 };
    if (argc == 5) {
        all.options.clone = &all.tree;
        all.options.published = true;
    }
    snprintf(governance, sizeof governance, "%s/governance", argv[1]);
    listing(&all);
    if (nftw(governance, found, 8, FTW_PHYS) != 0) die(governance, "cannot be read");
    qsort(all.paths, all.count, sizeof *all.paths, by_path);
    judge(&all, "ok", 0, 0, governance, 0);
    for (size_t i = 0; i < all.count; i++) flip_file(&all, all.paths[i]);
    return 0;
}
