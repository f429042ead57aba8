#include "tests/traced/place.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void die(const char *what)
{
    fprintf(stderr, "traced: %s: %s\n", what, strerror(errno));
    exit(2);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* A path of the tree below another root. */
static void elsewhere(const FTSENT *at, size_t skip, const char *root, char *path_out)
{
    if (snprintf(path_out, PATH_SIZE, "%s%s", root, at->fts_path + skip) >= PATH_SIZE)
        die("a path is too long");
}

/* Copies are dated: what still has that date, number and name is as it was copied. */
enum { DATED = 1, NOTES = 4096 };
struct notes {
    struct note {
        ino_t number;
        char path[200];
        bool hashed;
        struct sov_hash hash;
    } at[NOTES];
};

struct notes *notes_new(void)
{
    struct notes *notes = calloc(1, sizeof *notes);

    if (!notes) die("memory");
    return notes;
}

void notes_free(struct notes *notes)
{
    free(notes);
}

static struct note *note_of(struct notes *notes, const struct stat *facts)
{
    return notes ? &notes->at[facts->st_ino % NOTES] : NULL;
}

static void note_copy(struct notes *notes, int file, const char *path)
{
    const struct timespec dates[2] = { { .tv_sec = DATED }, { .tv_sec = DATED } };
    struct stat facts;
    struct note *note;

    if (futimens(file, dates) || fstat(file, &facts)) die(path);
    note = note_of(notes, &facts);
    *note = (struct note){ .number = facts.st_ino };
    snprintf(note->path, sizeof note->path, "%s", strlen(path) < sizeof note->path ? path : "");
}

/* The note of a file that nobody touched since it was copied, or NULL. */
static struct note *untouched(struct notes *notes, const struct stat *facts, const char *path)
{
    struct note *note = note_of(notes, facts);

    return note && facts->st_mtim.tv_sec == DATED && note->number == facts->st_ino &&
                   strcmp(note->path, path) == 0
               ? note
               : NULL;
}

static void copy_file(const FTSENT *at, const char *to, struct notes *notes, const char *path)
{
    int in = open(at->fts_accpath, O_RDONLY | O_CLOEXEC), out;
    const size_t most = 1u << 30;
    ssize_t n = 1;

    if (in < 0) die(at->fts_path);
    out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (out < 0) die(to);
    while (n > 0) n = copy_file_range(in, NULL, out, NULL, most, 0);
    if (n < 0 || fchmod(out, at->fts_statp->st_mode & 07777)) die(to);
    note_copy(notes, out, path);
    close(in);
    close(out);
}

/* Adds to `to` what is missing there. */
static void copy_tree(const char *from, const char *to, struct notes *notes)
{
    char *const roots[] = { (char *)from, NULL };
    char path[PATH_SIZE], target[PATH_SIZE];
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    ssize_t size;

    for (FTSENT *at = walk ? fts_read(walk) : NULL; at; at = fts_read(walk)) {
        elsewhere(at, strlen(from), to, path);
        if (at->fts_info == FTS_D && mkdir(path, 0700) && errno != EEXIST) die(path);
        if (at->fts_info == FTS_DP && chmod(path, at->fts_statp->st_mode & 07777)) die(path);
        if (at->fts_info == FTS_F && access(path, F_OK))
            copy_file(at, path, notes, at->fts_path + strlen(from));
        if (at->fts_info != FTS_SL) continue;
        size = readlink(at->fts_accpath, target, sizeof target - 1);
        if (size < 0) die(at->fts_path);
        target[size] = 0;
        if (symlink(target, path)) die(path);
    }
    if (!walk || errno) die(from);
    fts_close(walk);
}

/* Removes from `place` all that is not as it was copied. */
static void remove_touched(const char *from, const char *place, struct notes *notes)
{
    char *const roots[] = { (char *)place, NULL };
    char path[PATH_SIZE];
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    struct stat facts;

    for (FTSENT *at = walk ? fts_read(walk) : NULL; at; at = fts_read(walk)) {
        elsewhere(at, strlen(place), from, path);
        if (at->fts_info == FTS_D) {
            (void)chmod(at->fts_accpath, 0700);
        } else if (at->fts_info == FTS_DP) {
            if (lstat(path, &facts) && rmdir(at->fts_accpath)) die(at->fts_path);
        } else if (at->fts_info != FTS_F || lstat(path, &facts) ||
                   facts.st_mode != at->fts_statp->st_mode ||
                   !untouched(notes, at->fts_statp, at->fts_path + strlen(place))) {
            if (unlink(at->fts_accpath)) die(at->fts_path);
        }
    }
    if (!walk) die(place);
    fts_close(walk);
}

void place_renew(const char *from, const char *place, struct notes *notes)
{
    if (access(place, F_OK) == 0) remove_touched(from, place, notes);
    copy_tree(from, place, notes);
}

/* A journal of SQLite: a sector with the nonce, then records of a number, a page and a checksum. */
enum { SECTOR = 512, NONCE = 12, CHECKSUM = 4, RECORD = 4 + 4096 + CHECKSUM };

static void forget_nonce(char *octets, size_t *size)
{
    static const char over[NONCE] = { 0 };

    if (*size < NONCE || memcmp(octets, over, NONCE) == 0) *size = 0;
    if (*size >= NONCE + CHECKSUM) memset(octets + NONCE, 0, CHECKSUM);
    for (size_t end = SECTOR + RECORD; end <= *size; end += RECORD)
        memset(octets + end - CHECKSUM, 0, CHECKSUM);
}

static void forget_chance(const char *name, char *octets, size_t *size)
{
    static const char journal[] = "-journal";
    size_t length = strlen(name), end = sizeof journal - 1;

    if (length > end && strcmp(name + length - end, journal) == 0) forget_nonce(octets, size);
}

static struct sov_hash hash_file(const FTSENT *at)
{
    struct sov_hash hash;
    size_t size = (size_t)at->fts_statp->st_size;
    char *octets = calloc(1, size + 1);
    int file = open(at->fts_accpath, O_RDONLY | O_CLOEXEC);

    if (file < 0 || !octets || read(file, octets, size + 1) != (ssize_t)size) die(at->fts_path);
    forget_chance(at->fts_name, octets, &size);
    hash = sov_sha256(sov_bytes(octets, size));
    free(octets);
    close(file);
    return hash;
}

static void add_file(struct sov_sha256 *sum, const FTSENT *at, struct notes *notes,
                     const char *path)
{
    struct note *note = untouched(notes, at->fts_statp, path);
    struct sov_hash hash = note && note->hashed ? note->hash : hash_file(at);

    sov_sha256_add(sum, sov_hash_bytes(&hash));
    if (!note) return;
    note->hash = hash;
    note->hashed = true;
}

/* The name without the number of the process that made it. */
static void add_name(struct sov_sha256 *sum, const char *name)
{
    static const char temporary[] = ".sov-tmp-";
    const char *found = strstr(name, temporary);
    size_t head = found ? (size_t)(found - name) + sizeof temporary - 1 : strlen(name);
    const char *tail = name + head;

    if (found) tail += strspn(tail, "0123456789");
    sov_sha256_add(sum, sov_bytes(name, head));
    sov_sha256_add(sum, sov_bytes(tail, strlen(tail) + 1));
}

static bool is_word(const FTSENT *at)
{
    return at->fts_level == 1 &&
           (strcmp(at->fts_name, "out") == 0 || strcmp(at->fts_name, "err") == 0);
}

void place_state(const char *place, bool words, struct notes *notes,
                 char text_out[SOV_HEX_HASH + 1])
{
    char *const roots[] = { (char *)place, NULL };
    char target[PATH_SIZE], facts[64];
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    struct sov_sha256 sum;
    struct sov_hash hash;
    ssize_t size;
    int n;

    sov_sha256_begin(&sum);
    for (FTSENT *at = walk ? fts_read(walk) : NULL; at; at = fts_read(walk)) {
        if (at->fts_info == FTS_DP || (!words && is_word(at))) continue;
        add_name(&sum, at->fts_path + strlen(place));
        n = snprintf(facts, sizeof facts, "%o", at->fts_statp->st_mode);
        sov_sha256_add(&sum, sov_bytes(facts, (size_t)n + 1));
        if (at->fts_info == FTS_F) add_file(&sum, at, notes, at->fts_path + strlen(place));
        if (at->fts_info != FTS_SL) continue;
        size = readlink(at->fts_accpath, target, sizeof target);
        if (size < 0) die(at->fts_path);
        sov_sha256_add(&sum, sov_bytes(target, (size_t)size));
    }
    if (!walk || errno) die(place);
    fts_close(walk);
    hash = sov_sha256_end(&sum);
    sov_hex(sov_hash_bytes(&hash), text_out);
}

void place_words(const char *place, char text_out[17])
{
    static const char *const said[] = { "out", "err" };
    char path[PATH_SIZE], octets[8192], hex[SOV_HEX_HASH + 1];
    struct sov_sha256 sum;
    struct sov_hash hash;

    sov_sha256_begin(&sum);
    for (size_t i = 0; i < 2; i++) {
        FILE *file;
        size_t size;

        snprintf(path, sizeof path, "%s/%s", place, said[i]);
        file = fopen(path, "r");
        if (!file) die(path);
        while ((size = fread(octets, 1, sizeof octets, file)) > 0)
            sov_sha256_add(&sum, sov_bytes(octets, size));
        sov_sha256_add(&sum, sov_bytes("", 1));
        fclose(file);
    }
    hash = sov_sha256_end(&sum);
    sov_hex(sov_hash_bytes(&hash), hex);
    snprintf(text_out, 17, "%.16s", hex);
}

int points_end(int got)
{
    if (got == EOF) return 0;
    fputs("traced: a line that is no point\n", stderr);
    return 2;
}
