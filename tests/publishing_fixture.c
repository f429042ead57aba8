#include "tests/publishing_fixture.h"

#include "tests/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/remove.h"

void publishing_open(struct publishing *p)
{
    struct sov_error err = { 0 };

    judging_open(&p->j);
    assert_true(sov_folder_open(&p->repo, p->j.f.repo, &err));
}

void publishing_close(struct publishing *p)
{
    sov_folder_close(&p->repo);
    judging_close(&p->j);
}

int publishing_setup(void **state)
{
    struct publishing *p = calloc(1, sizeof *p);

    publishing_open(p);
    *state = p;
    return 0;
}

int publishing_teardown(void **state)
{
    publishing_close(*state);
    free(*state);
    return 0;
}

/* ---- the code under test ---- */

struct sov_published publishing_act(struct publishing *p, struct sov_publish_options options,
                                    const char *expected)
{
    struct sov_published published = { .size = -1 };
    struct sov_error err = { 0 };
    struct sov_hash before = digest_of(p, "", false), after;
    bool ok = sov_publish(p->j.f.ledger, &p->repo, &options, &p->j.f.arena, &published, &err);

    if (!expected && !ok) fail_msg("%s: %s", err.code, err.what);
    if (expected || options.dry) {
        after = digest_of(p, "", false);
        assert_memory_equal(&before, &after, sizeof before);
    }
    if (!expected) return published;
    assert_false(ok);
    assert_string_equal(err.code, expected);
    assert_int_equal(published.size, -1);
    return published;
}

struct sov_published publish(struct publishing *p)
{
    return publishing_act(p, (struct sov_publish_options){ .what = SOV_PUBLISH }, NULL);
}

struct sov_published restore(struct publishing *p)
{
    return publishing_act(p, (struct sov_publish_options){ .what = SOV_PUBLISH_RESTORE }, NULL);
}

void refused(struct publishing *p, const char *code)
{
    publishing_act(p, (struct sov_publish_options){ .what = SOV_PUBLISH }, code);
}

struct sov_publication look(struct publishing *p)
{
    struct sov_publication publication;
    struct sov_error err = { 0 };

    if (!sov_publication_state(p->j.f.ledger, &p->repo, &p->j.f.arena, &publication, &err))
        fail_msg("%s: %s", err.code, err.what);
    return publication;
}

static void see(void *context, const struct sov_difference *difference)
{
    struct seen *seen = context;
    size_t at = strlen(seen->text);

    snprintf(seen->text + at, sizeof seen->text - at, "%s%s %s:%lld", at ? ", " : "",
             sov_difference_word(difference->kind), difference->path, (long long)difference->line);
}

const char *compare_at(struct publishing *p, int64_t size, struct seen *seen)
{
    struct sov_error err = { 0 };

    *seen = (struct seen){ .text = "" };
    if (!sov_tree_compare(p->j.f.ledger, &p->repo, size, see, seen, &seen->compared, &err))
        fail_msg("%s: %s", err.code, err.what);
    return seen->text;
}

void all_is_equal(struct publishing *p)
{
    struct seen seen;

    assert_string_equal(compare_at(p, look(p).size, &seen), "");
    assert_true(seen.compared.views > 0 && seen.compared.segments > 0 &&
                seen.compared.checkpoints > 0);
}

const char *written(struct publishing *p, const struct sov_published *published)
{
    const char *list = "";

    for (size_t i = 0; i < published->written_count; i++)
        list = text_of(p, "%s%s%s", list, *list ? " " : "",
                       published->written[i] + strlen("governance/"));
    return list;
}

bool wrote(const struct sov_published *published, const char *path)
{
    for (size_t i = 0; i < published->written_count; i++)
        if (strcmp(published->written[i], path) == 0) return true;
    return false;
}

/* ---- files ---- */

const char *text_of(struct publishing *p, const char *fmt, ...)
{
    char *text = sov_arena_take(&p->j.f.arena, 4096);
    va_list args;

    va_start(args, fmt);
    assert_true(vsnprintf(text, 4096, fmt, args) < 4096);
    va_end(args);
    return text;
}

static const char *replaced(struct publishing *p, const char *path, const char *word,
                            const char *with)
{
    const char *at = strstr(path, word);

    if (!at) return path;
    return text_of(p, "%.*s%s%s", (int)(at - path), path, with, at + strlen(word));
}

const char *at_path(struct publishing *p, const char *path)
{
    const char *full = text_of(p, "%s/%s", p->j.f.repo, path);
    const char *slash = strrchr(full, '/') + 1;
    struct sov_error err = { 0 };
    struct sov_listing names;
    const char *folder = NULL;

    if (strcmp(slash, "LOG") == 0) folder = "governance/log";
    if (strcmp(slash, "NOTE") == 0) folder = "governance/checkpoints";
    if (!folder) return full;
    assert_true(sov_folder_names(&p->repo, folder, 1000, &p->j.f.arena, &names, &err));
    assert_true(names.count > 0);
    return replaced(p, full, slash, names.name[*slash == 'L' ? 0 : names.count - 1]);
}

struct sov_bytes file_of(struct publishing *p, const char *path)
{
    struct sov_error err = { 0 };
    struct sov_bytes bytes;

    if (!sov_file_read_named(at_path(p, path), 64 << 20, &p->j.f.arena, &bytes, &err))
        fail_msg("%s: %s", path, err.what);
    return bytes;
}

bool is_there(struct publishing *p, const char *path)
{
    struct stat st;

    return lstat(at_path(p, path), &st) == 0;
}

void put_file(struct publishing *p, const char *path, struct sov_bytes content, unsigned mode)
{
    int fd = open(at_path(p, path), O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, content.data, content.size), content.size);
    assert_int_equal(fchmod(fd, mode), 0);
    assert_int_equal(close(fd), 0);
}

void put_text(struct publishing *p, const char *path, const char *text)
{
    put_file(p, path, sov_bytes_text(text), 0644);
}

void edit(struct publishing *p, const char *path, const char *from, const char *to)
{
    const char *text = sov_arena_text(&p->j.f.arena, file_of(p, path));
    const char *at = strstr(text, from);
    struct sov_buf out;

    if (!at) fail_msg("%s has no %s", path, from);
    sov_buf_init(&out, 64 << 20);
    sov_buf_add(&out, sov_bytes(text, (size_t)(at - text)));
    sov_buf_add_text(&out, to);
    sov_buf_add_text(&out, at + strlen(from));
    put_file(p, path, sov_buf_bytes(&out), 0644);
    sov_buf_release(&out);
}

void remove_at(struct publishing *p, const char *path)
{
    const char *full = at_path(p, path);

    struct stat st;

    remove_tree(full);
    if (lstat(full, &st) == 0) fail_msg("%s is still there", path);
}

void move_at(struct publishing *p, const char *from, const char *to)
{
    assert_int_equal(rename(at_path(p, from), at_path(p, to)), 0);
}

void link_at(struct publishing *p, const char *path, const char *target)
{
    assert_int_equal(symlink(target, at_path(p, path)), 0);
}

void folder_at(struct publishing *p, const char *path)
{
    assert_int_equal(mkdir(at_path(p, path), 0755), 0);
}

/* ---- trees ---- */

static bool is_skipped(const char *path, bool views)
{
    if (strncmp(path, ".sovereign", 10) == 0) return true;
    return views && (strncmp(path, "governance/log", 14) == 0 ||
                     strncmp(path, "governance/checkpoints", 22) == 0);
}

static void digest_walk(struct publishing *p, const char *path, bool views, struct sov_sha256 *hash)
{
    struct sov_error err = { 0 };
    struct sov_file_facts facts;
    struct sov_listing names;

    if (is_skipped(path, views)) return;
    if (*path) {
        const char *line;

        assert_true(sov_file_facts(&p->repo, path, &facts, &err));
        line = text_of(p, "%s %d %o\n", path, (int)facts.type, facts.mode);
        sov_sha256_add(hash, sov_bytes_text(line));
        if (facts.type == SOV_FILE_REGULAR) sov_sha256_add(hash, file_of(p, path));
        if (facts.type != SOV_FILE_FOLDER) return;
    }
    assert_true(sov_folder_names(&p->repo, path, 100000, &p->j.f.arena, &names, &err));
    for (size_t i = 0; i < names.count; i++)
        digest_walk(p, text_of(p, "%s%s%s", path, *path ? "/" : "", names.name[i]), views, hash);
}

struct sov_hash digest_of(struct publishing *p, const char *path, bool views)
{
    struct sov_sha256 hash;

    sov_sha256_begin(&hash);
    digest_walk(p, path, views, &hash);
    return sov_sha256_end(&hash);
}

void copy_tree(struct publishing *p, const char *from, const char *to)
{
    struct sov_error err = { 0 };
    struct sov_file_facts facts;
    struct sov_listing names;

    assert_true(sov_file_facts(&p->repo, from, &facts, &err));
    if (facts.type == SOV_FILE_REGULAR) {
        put_file(p, to, file_of(p, from), facts.mode);
        return;
    }
    folder_at(p, to);
    assert_true(sov_folder_names(&p->repo, from, 100000, &p->j.f.arena, &names, &err));
    for (size_t i = 0; i < names.count; i++)
        copy_tree(p, text_of(p, "%s/%s", from, names.name[i]),
                  text_of(p, "%s/%s", to, names.name[i]));
}

/* ---- the ledger file; nobody holds it open meanwhile ---- */

struct sov_bytes ledger_octets(struct publishing *p)
{
    struct sov_bytes octets;

    sov_ledger_close(p->j.f.ledger);
    p->j.f.ledger = NULL;
    octets = file_of(p, ".sovereign/organization.db");
    fixture_reopen(&p->j.f);
    return octets;
}

void ledger_put_back(struct publishing *p, struct sov_bytes octets)
{
    sov_ledger_close(p->j.f.ledger);
    p->j.f.ledger = NULL;
    remove_at(p, ".sovereign/organization.db-journal");
    put_file(p, ".sovereign/organization.db", octets, 0600);
    fixture_reopen(&p->j.f);
}
