/* What git is asked for: lists of objects, then their contents in one go. */
#include <string.h>

#include "base/git_run.h"

/* ---- contents of objects ---- */

struct object {
    char id[64 + 1]; /* its name, of SHA-1 or SHA-256 */
    struct sov_git_file file;
    bool wanted;
};
struct objects {
    struct object *at;
    size_t count;
};

static struct sov_bytes line_cut(struct sov_bytes *rest, uint8_t end)
{
    const uint8_t *found = rest->size ? memchr(rest->data, end, rest->size) : NULL;
    size_t size = found ? (size_t)(found - rest->data) : rest->size;
    struct sov_bytes line = sov_bytes(rest->data, size);

    *rest = sov_bytes(rest->data + size + (found ? 1 : 0), rest->size - size - (found ? 1 : 0));
    return line;
}

static bool id_of(struct sov_bytes text, char *id)
{
    if (text.size != 40 && text.size != 64) return false;
    for (size_t i = 0; i < text.size; i++)
        if (!((text.data[i] >= '0' && text.data[i] <= '9') ||
              (text.data[i] >= 'a' && text.data[i] <= 'f')))
            return false;
    memcpy(id, text.data, text.size);
    id[text.size] = 0;
    return true;
}

static void ids_of(const struct objects *objects, struct sov_buf *input)
{
    for (size_t i = 0; i < objects->count; i++) {
        if (!objects->at[i].wanted) continue;
        sov_buf_add_text(input, objects->at[i].id);
        sov_buf_add_byte(input, '\n');
    }
}

/* "ID blob SIZE" of each that is asked for, in the same order; false: git said something else. */
static bool header(struct sov_bytes line, const struct object *object, bool *blob_out,
                   size_t *size_out)
{
    size_t id = strlen(object->id);
    uint64_t size = 0;
    struct sov_bytes type;

    if (line.size <= id + 1 || memcmp(line.data, object->id, id) != 0) return false;
    line = sov_bytes(line.data + id + 1, line.size - id - 1);
    type = line_cut(&line, ' ');
    if (!line.size || line.size > 15) return false; /* "missing" stands alone */
    for (size_t i = 0; i < line.size; i++) {
        if (line.data[i] < '0' || line.data[i] > '9') return false;
        size = size * 10 + (uint64_t)(line.data[i] - '0');
    }
    *blob_out = sov_bytes_is(type, "blob");
    *size_out = size;
    return true;
}

static bool incomplete(struct sov_git *git, bool missing)
{
    sov_git_none(git, missing ? "an object is missing: this is a partial clone"
                              : sov_arena_printf(git->arena, "git failed: %s", sov_git_said(git)));
    return true;
}

/* Those that are files and small enough stay wanted. */
static bool weigh(struct sov_git *git, struct objects *objects, size_t size_max, bool *goes_on_out,
                  struct sov_error *err)
{
    static const char *const words[] = { "cat-file", "--batch-check", NULL };
    SOV_CLEANUP(sov_buf_release) struct sov_buf input = { 0 };
    struct sov_bytes rest;

    *goes_on_out = false;
    sov_buf_init(&input, SOV_GIT_LIST_MAX);
    ids_of(objects, &input);
    if (!sov_git_ask(git, words, sov_buf_bytes(&input), 2 * SOV_GIT_LIST_MAX, err)) return false;
    rest = sov_buf_bytes(&git->out);
    for (size_t i = 0; i < objects->count; i++) {
        struct object *object = &objects->at[i];
        size_t size;
        bool blob;

        if (!object->wanted) continue;
        if (!git->ended || !header(line_cut(&rest, '\n'), object, &blob, &size))
            return incomplete(git, git->ended);
        object->wanted = blob && size <= size_max;
    }
    *goes_on_out = true;
    return true;
}

static bool read_all(struct sov_git *git, struct objects *objects, struct sov_error *err)
{
    static const char *const words[] = { "cat-file", "--batch", NULL };
    SOV_CLEANUP(sov_buf_release) struct sov_buf input = { 0 };
    struct sov_bytes rest;

    sov_buf_init(&input, SOV_GIT_LIST_MAX);
    ids_of(objects, &input);
    if (!sov_git_ask(git, words, sov_buf_bytes(&input), SOV_GIT_CONTENT_MAX, err)) return false;
    rest = sov_buf_bytes(&git->out);
    for (size_t i = 0; i < objects->count; i++) {
        struct object *object = &objects->at[i];
        size_t size;
        bool blob;

        if (!object->wanted) continue;
        if (!git->ended || !header(line_cut(&rest, '\n'), object, &blob, &size) ||
            size >= rest.size)
            return incomplete(git, git->ended);
        object->file.content = sov_bytes(rest.data, size);
        rest = sov_bytes(rest.data + size + 1, rest.size - size - 1);
    }
    return true;
}

/* In the order of the list; what has no content is given without. */
static void hand_over(struct sov_git *git, const struct objects *objects, bool all,
                      const struct sov_git_sink *sink)
{
    for (size_t i = 0; git->answer->state != SOV_GIT_NONE && i < objects->count; i++) {
        const struct object *object = &objects->at[i];

        if (!object->wanted && !all) continue;
        if (!sink->take(sink->self, &object->file)) sov_git_none(git, "stopped");
    }
}

static bool contents(struct sov_git *git, struct objects *objects, size_t size_max, bool all,
                     const struct sov_git_sink *sink, struct sov_error *err)
{
    bool goes_on;

    if (!weigh(git, objects, size_max, &goes_on, err)) return false;
    if (goes_on && !read_all(git, objects, err)) return false;
    hand_over(git, objects, all, sink);
    return true;
}

static size_t count_of(struct sov_bytes text, uint8_t byte)
{
    size_t count = 0;

    for (size_t i = 0; i < text.size; i++) count += text.data[i] == byte;
    return count;
}

/* ---- the history ---- */

/* Lines "ID PATH". A content is listed once, under one of its names, so no name is left out. */
static void objects_of_history(struct sov_git *git, const char *path, struct objects *objects)
{
    struct sov_bytes rest = sov_buf_bytes(&git->out);
    size_t size = strlen(path);

    objects->at = sov_arena_array(git->arena, count_of(rest, '\n') + 1, sizeof *objects->at);
    while (rest.size) {
        struct object *object = &objects->at[objects->count];
        struct sov_bytes line = line_cut(&rest, '\n'), id = line_cut(&line, ' ');

        if (line.size <= size + 1 || memcmp(line.data, path, size) != 0 || line.data[size] != '/' ||
            !id_of(id, object->id))
            continue;
        object->file.path = sov_arena_text(git->arena, line);
        object->wanted = true;
        objects->count++;
    }
}

static bool history(struct sov_git *git, const char *path, size_t size_max,
                    const struct sov_git_sink *sink, struct sov_error *err)
{
    /* Every side of every merge: a merge that takes one side whole hides nothing of the other. */
    const char *const words[] = { "rev-list", "--objects", "--full-history", "HEAD", "--",
                                  path,       NULL };
    struct objects objects = { 0 };

    if (!sov_git_ask(git, words, sov_bytes(NULL, 0), SOV_GIT_LIST_MAX, err)) return false;
    if (!git->ended && !strcmp(sov_git_said(git), "fatal: bad revision 'HEAD'")) {
        sov_git_none(git, "nothing is committed yet");
        return true;
    }
    if (!git->ended && strstr(sov_git_said(git), "lazy fetching")) return incomplete(git, true);
    if (!git->ended) {
        sov_git_none(git,
                     sov_arena_printf(git->arena, "git lists no history: %s", sov_git_said(git)));
        return true;
    }
    objects_of_history(git, path, &objects);
    return contents(git, &objects, size_max, false, sink, err);
}

bool sov_git_history(const char *top, const char *path, size_t size_max,
                     const struct sov_git_sink *sink, struct sov_arena *arena,
                     struct sov_git_answer *answer_out, struct sov_error *err)
{
    struct sov_git git = { 0 };
    bool goes_on, ok;

    *answer_out = (struct sov_git_answer){ SOV_GIT_NONE, "" };
    ok = sov_git_begin(&git, top, arena, answer_out, &goes_on, err) &&
         (!goes_on || history(&git, path, size_max, sink, err));
    sov_git_end(&git);
    return ok;
}

/* ---- the index ---- */

/* Records "MODE ID STAGE<tab>PATH", NUL-ended. */
static bool objects_of_index(struct sov_git *git, struct objects *objects)
{
    struct sov_bytes rest = sov_buf_bytes(&git->out);

    objects->at = sov_arena_array(git->arena, count_of(rest, 0) + 1, sizeof *objects->at);
    while (rest.size) {
        struct object *object = &objects->at[objects->count];
        struct sov_bytes path = line_cut(&rest, 0), facts = line_cut(&path, '\t');
        struct sov_bytes mode = line_cut(&facts, ' '), id = line_cut(&facts, ' ');

        if (mode.size != 6 || !id_of(id, object->id) || facts.size != 1 || !path.size) return false;
        for (size_t i = 0; i < mode.size; i++)
            object->file.mode = object->file.mode * 8 + (unsigned)(mode.data[i] - '0');
        object->file.path = sov_arena_text(git->arena, path);
        object->file.merging = facts.data[0] != '0';
        object->wanted = object->file.mode != 0160000; /* a commit of another repository */
        objects->count++;
    }
    return true;
}

static bool staged(struct sov_git *git, const char *path, size_t size_max,
                   const struct sov_git_sink *sink, struct sov_error *err)
{
    const char *const words[] = { "ls-files", "--stage", "-z", "--", path, NULL };
    struct objects objects = { 0 };

    if (!sov_git_ask(git, words, sov_bytes(NULL, 0), SOV_GIT_LIST_MAX, err)) return false;
    if (!git->ended || !objects_of_index(git, &objects)) {
        sov_git_none(git,
                     sov_arena_printf(git->arena, "git lists no index: %s", sov_git_said(git)));
        return true;
    }
    return contents(git, &objects, size_max, true, sink, err);
}

bool sov_git_index(const char *top, const char *path, size_t size_max,
                   const struct sov_git_sink *sink, struct sov_arena *arena,
                   struct sov_git_answer *answer_out, struct sov_error *err)
{
    struct sov_git git = { 0 };
    bool goes_on, ok;

    *answer_out = (struct sov_git_answer){ SOV_GIT_NONE, "" };
    ok = sov_git_begin(&git, top, arena, answer_out, &goes_on, err) &&
         (!goes_on || staged(&git, path, size_max, sink, err));
    sov_git_end(&git);
    return ok;
}

/* ---- a tree ---- */

/* Records "MODE TYPE ID<tab>PATH", NUL-ended. */
static bool objects_of_tree(struct sov_git *git, struct objects *objects)
{
    struct sov_bytes rest = sov_buf_bytes(&git->out);

    objects->at = sov_arena_array(git->arena, count_of(rest, 0) + 1, sizeof *objects->at);
    while (rest.size) {
        struct object *object = &objects->at[objects->count];
        struct sov_bytes path = line_cut(&rest, 0), facts = line_cut(&path, '\t');
        struct sov_bytes mode = line_cut(&facts, ' '), type = line_cut(&facts, ' ');

        if (mode.size != 6 || !id_of(facts, object->id) || !path.size) return false;
        for (size_t i = 0; i < mode.size; i++)
            object->file.mode = object->file.mode * 8 + (unsigned)(mode.data[i] - '0');
        object->file.path = sov_arena_text(git->arena, path);
        object->wanted = sov_bytes_is(type, "blob");
        objects->count++;
    }
    return true;
}

static bool tree(struct sov_git *git, const char *revision, const char *path, size_t size_max,
                 const struct sov_git_sink *sink, struct sov_error *err)
{
    const char *const named[] = { "rev-parse",
                                  "--verify",
                                  "--quiet",
                                  "--end-of-options",
                                  sov_arena_printf(git->arena, "%s^{tree}", revision),
                                  NULL };
    struct object top = { .wanted = false };
    const char *const words[] = { "ls-tree", "-r", "-z", "--full-tree", top.id, "--", path, NULL };
    struct objects objects = { 0 };
    struct sov_bytes line;

    if (!sov_git_ask(git, named, sov_bytes(NULL, 0), SOV_GIT_LIST_MAX, err)) return false;
    line = sov_buf_bytes(&git->out);
    if (line.size) line.size--;
    if (!git->ended || !id_of(line, top.id)) {
        sov_git_none(git, sov_arena_printf(git->arena, "git knows no %s", revision));
        return true;
    }
    if (!sov_git_ask(git, words, sov_bytes(NULL, 0), SOV_GIT_LIST_MAX, err)) return false;
    if (!git->ended || !objects_of_tree(git, &objects)) {
        sov_git_none(git, sov_arena_printf(git->arena, "git lists no tree: %s", sov_git_said(git)));
        return true;
    }
    return contents(git, &objects, size_max, false, sink, err);
}

bool sov_git_tree(const char *top, const char *revision, const char *path, size_t size_max,
                  const struct sov_git_sink *sink, struct sov_arena *arena,
                  struct sov_git_answer *answer_out, struct sov_error *err)
{
    struct sov_git git = { 0 };
    bool goes_on, ok;

    *answer_out = (struct sov_git_answer){ SOV_GIT_NONE, "" };
    ok = sov_git_begin(&git, top, arena, answer_out, &goes_on, err) &&
         (!goes_on || tree(&git, revision, path, size_max, sink, err));
    sov_git_end(&git);
    return ok;
}
