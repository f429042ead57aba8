/*
 * Campaign T2: what is left when the power goes. Reads histories, one a line of words between tabs:
 *   PLACE  sov  WORD...           the command line, in the place's repo/ with its home/
 *   PLACE  grow  SEED  COMMITS    commits of drawn shapes (tests/power/grow.h)
 * runs each in its place and records it (record.h), makes what a crash may leave at any time of it
 * (disk.h), and judges each state: the ledger by judge.h, every other file by files.h. A fault is a
 * line; the last line counts.
 *   power [--budget STATES] [--every N] [--pragma SQL]
 *         [--keep FOLDER] [--hot FOLDER] [--unfinished FOLDER]
 * A budget is for one moment between two syncs, or all there are if they are fewer. The product's
 * own open is asked about each Nth state at least, see judge.h. FOLDER gets the files of the first
 * state with a fault; of the last one whose journal is hot; in 1/, 2/ ... of some in which a file
 * was still being made and is torn, which is no fault yet: whoever does it again must mend it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "cli/cli.h"
#include "tests/power/files.h"
#include "tests/power/grow.h"
#include "tests/power/judge.h"
#include "tests/power/moments.h"

enum { WORDS_MAX = 64, LINE_SIZE = 16384, FAULTS_SHOWN = 10, UNFINISHED_MAX = 40 };

struct history {
    char *place, *word[WORDS_MAX + 1];
    int count;
    const char *pragma;
};
/* From this act on, the ledger may have these many events. */
struct bound {
    size_t from;
    int64_t least, most;
};
struct campaign {
    struct moments ledger, small;
    struct judge judge;
    char *judged_place;
    const char *pragma, *keep, *hot, *unfinished;
    int64_t unfinished_count;
    int64_t every, histories, corrupt, lost, torn, opened, judged;
    /* Of the history that is tried: */
    const struct history *history;
    const struct record *record;
    struct files files;
    struct bound *bound;
    size_t bound_count;
    struct moment moment;
    int64_t acknowledged;
    struct left heated; /* the last state with a hot journal */
};

/* ---- the command ---- */

static int act(void *self)
{
    struct history *history = self;
    struct sov_seams seams = { .clock = sov_clock_system(), .random = sov_random_system() };

    if (strcmp(history->word[0], "sov") == 0) return sov_cli(history->count, history->word, &seams);
    if (strcmp(history->word[0], "grow") != 0 || history->count != 3) return 2;
    return grow(&(struct grow){ (uint64_t)atoll(history->word[1]), (int)atoll(history->word[2]),
                                history->pragma });
}

/* The newest seq that these words acknowledge; 0: none. */
static int64_t seq_told(struct sov_bytes words)
{
    static const char mark[] = "(seq ";
    char *text = sov_alloc(words.size + 1);
    int64_t seq = 0;

    memcpy(text, words.data, words.size);
    for (const char *at = text; (at = strstr(at, mark)); at++)
        if (atoll(at + sizeof mark - 1) > seq) seq = atoll(at + sizeof mark - 1);
    sov_free(text);
    return seq;
}

/* Pages that went into the file before their commit was complete, for want of room. */
static size_t spills(const struct record *record)
{
    size_t count = 0;
    bool filled = false;

    for (size_t i = 0; i < record->count; i++) {
        const struct op *op = &record->op[i];
        bool page = op->kind == OP_WRITE && op->octets.size == IMAGE_BLOCK;

        if (op->kind == OP_SAY) filled = false;
        if (!page) continue;
        if (!strstr(op->path, "-journal"))
            filled = true;
        else if (filled)
            count++;
    }
    return count;
}

/* ---- faults ---- */

static void keep_files(const char *folder, const struct left *left)
{
    char path[4096];
    static uint8_t chunk[IMAGE_BLOCK];

    for (size_t i = 0; i < left->count; i++) {
        const struct left_file *file = &left->file[i];
        FILE *to;

        snprintf(path, sizeof path, "%s/%s", folder, file->path);
        for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
            *slash = 0;
            (void)mkdir(path, 0700);
            *slash = '/';
        }
        to = fopen(path, "w");
        if (!to) continue;
        for (uint64_t at = 0; at < file->image.size; at += IMAGE_BLOCK)
            fwrite(chunk, 1, image_read(&file->image, at, chunk, IMAGE_BLOCK), to);
        fclose(to);
    }
}

static void fault(struct campaign *c, const struct left *left, int64_t *counter, const char *kind,
                  const char *why)
{
    if (c->corrupt + c->lost + c->torn == 0 && c->keep) keep_files(c->keep, left);
    ++*counter;
    if (c->corrupt + c->lost + c->torn > FAULTS_SHOWN) return;
    printf("fault %s: %s (after %zu acts of:", kind, why, c->moment.done);
    for (int i = 0; i < c->history->count; i++) printf(" %s", c->history->word[i]);
    puts(")");
}

/* ---- states ---- */

static bool is_hot(const struct left *left)
{
    static const uint8_t magic[] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };
    uint8_t head[sizeof magic + 4];

    for (size_t i = 0; i < left->count; i++)
        if (strstr(left->file[i].path, "-journal") &&
            image_read(&left->file[i].image, 0, head, sizeof head) == sizeof head &&
            memcmp(head, magic, sizeof magic) == 0 && (head[10] || head[11]))
            return true;
    return false;
}

static void heat(struct campaign *c, const struct left *left)
{
    if (!c->hot || !is_hot(left)) return;
    left_release(&c->heated);
    c->heated = (struct left){ .file = sov_alloc_array(left->count, sizeof *left->file),
                               .count = left->count };
    for (size_t i = 0; i < left->count; i++) {
        c->heated.file[i].path = sov_alloc_text(left->file[i].path);
        image_copy(&c->heated.file[i].image, &left->file[i].image);
    }
}

/* What is found out about a ledger's state is its head, -1 if it is broken. */
static void see_ledger(void *self, const struct left *left, bool known, int64_t *head_io)
{
    struct campaign *c = self;
    struct bound *bound = &c->bound[c->bound_count - 1];
    char why[200] = "met before";

    if (!known) *head_io = judge_ledger(&c->judge, left, why, sizeof why);
    if (*head_io < 0) {
        if (!known) fault(c, left, &c->corrupt, "corrupt", why);
        return;
    }
    if (*head_io < c->acknowledged) {
        snprintf(why, sizeof why, "%lld events of %lld acknowledged", (long long)*head_io,
                 (long long)c->acknowledged);
        fault(c, left, &c->lost, "lost", why);
    }
    if (*head_io < bound->least) bound->least = *head_io;
    if (*head_io > bound->most) bound->most = *head_io;
    heat(c, left);
}

static void see_small(void *self, const struct left *left, bool known, int64_t *found_io)
{
    struct campaign *c = self;
    char why[200];

    (void)found_io;
    if (!files_judge(&c->files, left, &c->moment, why, sizeof why)) {
        fault(c, left, &c->torn, "torn", why);
    } else if (why[0] && !known && c->unfinished && c->unfinished_count < UNFINISHED_MAX) {
        char folder[4096];

        snprintf(folder, sizeof folder, "%s/%lld", c->unfinished, (long long)++c->unfinished_count);
        keep_files(folder, left);
    }
}

/* ---- a history ---- */

static void bound_begin(struct campaign *c, size_t from)
{
    c->bound = sov_alloc_grow(c->bound, (c->bound_count + 1) * sizeof *c->bound);
    c->bound[c->bound_count++] = (struct bound){ from, INT64_MAX, -1 };
}

/* All states of the ledger, at the end of each stretch in which nothing of it was settled. */
static void try_ledger(struct campaign *c, struct disk *disk)
{
    c->bound_count = 0;
    bound_begin(c, 0);
    for (size_t i = 0; i <= c->record->count; i++) {
        const struct op *op = i < c->record->count ? &c->record->op[i] : NULL;

        c->moment.done = i;
        if (!op || op->kind == OP_SAY || disk_settles(disk, op)) {
            moments_make(&c->ledger, disk);
            bound_begin(c, i);
        }
        if (op && op->kind == OP_SAY && seq_told(op->octets) > c->acknowledged)
            c->acknowledged = seq_told(op->octets);
        if (op) disk_do(disk, op);
    }
}

static void moment_of(struct campaign *c, size_t done, size_t last_word)
{
    const struct bound *bound = c->bound;

    for (size_t i = 0; i < c->bound_count; i++)
        if (c->bound[i].from <= done && c->bound[i].most >= 0) bound = &c->bound[i];
    c->moment.done = done;
    c->moment.least = bound->least;
    c->moment.most = bound->most;
    c->moment.told = last_word && done > last_word;
}

static void try_small(struct campaign *c, struct disk *disk, bool well)
{
    size_t last_word = 0;

    for (size_t i = 0; i < c->record->count; i++)
        if (c->record->op[i].kind == OP_SAY && well) last_word = i;
    for (size_t i = 0; i <= c->record->count; i++) {
        const struct op *op = i < c->record->count ? &c->record->op[i] : NULL;

        if (!op || op->kind == OP_SAY || disk_settles(disk, op)) {
            moment_of(c, i, last_word);
            moments_make(&c->small, disk);
        }
        if (op) disk_do(disk, op);
    }
}

static bool takes_ledger(void *self, const char *path)
{
    (void)self;
    return is_ledger_file(path);
}

static bool takes_small(void *self, const char *path)
{
    (void)self;
    return !is_ledger_file(path) && strcmp(path, "out") != 0 && strcmp(path, "err") != 0;
}

static bool is_touched(void *self, const char *path)
{
    const struct record *record = self;

    for (size_t i = 0; i < record->count; i++)
        if (strcmp(record->op[i].path, path) == 0 || strcmp(record->op[i].target, path) == 0)
            return true;
    return false;
}

static void promise(struct campaign *c, const char *place)
{
    struct disk *disk = disk_new(place, takes_ledger, NULL);
    struct left left;

    disk_now(disk, &left);
    judge_promise(&c->judge, &left);
    left_release(&left);
    disk_close(disk);
}

static void judge_leave(struct campaign *c)
{
    if (!c->judged_place) return;
    c->opened += c->judge.opened;
    c->judged += c->judge.judged;
    judge_close(&c->judge);
    sov_free(c->judged_place);
    c->judged_place = NULL;
}

static void judge_at(struct campaign *c, const char *place)
{
    if (c->judged_place && strcmp(c->judged_place, place) == 0) return;
    judge_leave(c);
    c->judged_place = sov_alloc_text(place);
    judge_open(&c->judge, place);
    c->judge.every = c->every;
}

/* The record is there, and so is what was there before it: the ledger once, all else three times.
 */
static void judge_record(struct campaign *c, struct disk *ledger, struct disk *small[3], bool well)
{
    struct left before;
    char why[200];

    promise(c, c->record->root);
    disk_now(ledger, &before);
    c->moment = (struct moment){ .first = judge_ledger(&c->judge, &before, why, sizeof why) };
    left_release(&before);
    c->acknowledged = 0;
    try_ledger(c, ledger);
    for (size_t i = 0; i < 3; i++) disk_narrow(small[i], is_touched, (void *)(uintptr_t)c->record);
    files_learn(&c->files, c->record, small[0], small[1]);
    try_small(c, small[2], well);
    files_release(&c->files);
}

static bool try_history(struct campaign *c, struct history *history)
{
    struct disk *ledger = disk_new(history->place, takes_ledger, NULL), *small[3];
    size_t ledger_before = c->ledger.count, small_before = c->small.count;
    struct record record;
    int status;

    for (size_t i = 0; i < 3; i++) small[i] = disk_new(history->place, takes_small, NULL);
    status = record_run(&record, history->place, act, history);
    c->history = history;
    c->record = &record;
    c->histories++;
    judge_at(c, history->place);
    judge_record(c, ledger, small, status == 0);
    printf("history: exit %d, %zu acts, %zu spills, %zu ledger states, %zu file states:", status,
           record.count, spills(&record), c->ledger.count - ledger_before,
           c->small.count - small_before);
    for (int i = 0; i < history->count; i++) printf(" %s", history->word[i]);
    putchar('\n');
    for (size_t i = 0; i < 3; i++) disk_close(small[i]);
    disk_close(ledger);
    record_release(&record);
    return status >= 0;
}

static bool read_history(char *line, struct history *history)
{
    line[strcspn(line, "\n")] = 0;
    history->place = line;
    history->count = 0;
    for (char *tab = strchr(line, '\t'); tab && history->count < WORDS_MAX;
         tab = strchr(tab, '\t')) {
        *tab++ = 0;
        history->word[history->count++] = tab;
    }
    history->word[history->count] = NULL;
    return history->count > 0;
}

static bool option(struct campaign *c, const char *name, const char *value)
{
    if (!value) return false;
    if (strcmp(name, "--budget") == 0)
        c->ledger.budget = c->small.budget = (size_t)atoll(value);
    else if (strcmp(name, "--every") == 0)
        c->every = atoll(value);
    else if (strcmp(name, "--pragma") == 0)
        c->pragma = value;
    else if (strcmp(name, "--keep") == 0)
        c->keep = value;
    else if (strcmp(name, "--hot") == 0)
        c->hot = value;
    else if (strcmp(name, "--unfinished") == 0)
        c->unfinished = value;
    else
        return false;
    return c->every > 0;
}

int main(int argc, char **argv)
{
    static char line[LINE_SIZE];
    struct campaign c = { .every = 1 };
    bool well = true;

    c.ledger = (struct moments){ .budget = 64, .seed = 1, .see = see_ledger, .self = &c };
    c.small = (struct moments){ .budget = 64, .seed = 2, .see = see_small, .self = &c };
    for (int i = 1; i < argc; i += 2)
        if (!option(&c, argv[i], argv[i + 1])) {
            fputs("power: see its head\n", stderr);
            return 2;
        }
    while (well && fgets(line, sizeof line, stdin)) {
        struct history history = { .pragma = c.pragma };

        well = read_history(line, &history) && try_history(&c, &history);
    }
    judge_leave(&c);
    if (c.hot) keep_files(c.hot, &c.heated);
    printf("total: %lld histories, %zu ledger states, %zu file states, %lld opened, %lld judged, "
           "%lld corrupt, %lld lost, %lld torn\n",
           (long long)c.histories, c.ledger.count, c.small.count, (long long)c.opened,
           (long long)c.judged, (long long)c.corrupt, (long long)c.lost, (long long)c.torn);
    return well ? 0 : 1;
}
