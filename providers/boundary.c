#include "providers/boundary.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/canonical.h"
#include "base/text.h"
#include "providers/boundary_entry.h"

enum { PATH_TEXT_MAX = 1 << 20, PAGE_BITS = 0644 };

/* One list of the report. */
struct paths {
    const char **at;
    size_t count, room;
};
struct difference {
    struct paths changed, added, removed;
    const struct sov_boundary_page *pages;
    size_t page_count;
};

static void paths_add(struct paths *paths, const char *path)
{
    if (paths->count == paths->room) {
        paths->room = paths->room ? 2 * paths->room : 64;
        paths->at = sov_alloc_grow(paths->at, paths->room * sizeof *paths->at);
    }
    paths->at[paths->count++] = path;
}

static void difference_release(struct difference *d)
{
    sov_free(d->changed.at);
    sov_free(d->added.at);
    sov_free(d->removed.at);
}

const char *sov_boundary_fault(const struct sov_boundary *boundary)
{
    return boundary->computed ? NULL : boundary->fault;
}

bool sov_boundary_is_unread(const struct sov_boundary *boundary)
{
    return !boundary->computed && boundary->unread;
}

/* ---- what this ledger did itself ---- */

static bool page_is(const struct sov_boundary_page *page, const struct sov_boundary_entry *before,
                    const struct sov_boundary_entry *after)
{
    unsigned allowed = before && before->facts.type == SOV_FILE_REGULAR ? before->facts.mode : 0;

    if (page->removed) return !after;
    return after && after->facts.type == SOV_FILE_REGULAR &&
           sov_hash_equal(&after->hash, &page->digest) &&
           (after->facts.mode & ~(allowed | PAGE_BITS)) == 0;
}

static bool is_published(const struct difference *d, const struct sov_boundary_entry *before,
                         const struct sov_boundary_entry *after)
{
    const char *path;
    size_t size;

    assert(before || after);
    path = after ? after->path : before->path;
    size = strlen(path);
    for (size_t i = 0; i < d->page_count; i++) {
        const struct sov_boundary_page *page = &d->pages[i];

        if (strcmp(page->path, path) == 0) return page_is(page, before, after);
        if (!before && after->facts.type == SOV_FILE_FOLDER && !page->removed &&
            strncmp(page->path, path, size) == 0 && page->path[size] == '/')
            return true;
    }
    return false;
}

/* ---- the difference ---- */

static bool is_equal(const struct sov_boundary_entry *a, const struct sov_boundary_entry *b)
{
    if (a->facts.type != b->facts.type || a->facts.mode != b->facts.mode) return false;
    if (a->facts.type == SOV_FILE_LINK) return sov_bytes_equal(a->target, b->target);
    return a->facts.type != SOV_FILE_REGULAR ||
           (a->facts.size == b->facts.size && sov_hash_equal(&a->hash, &b->hash));
}

static void compare(const struct sov_boundary *before, const struct sov_boundary *after,
                    struct difference *d)
{
    size_t i = 0, j = 0;

    while (i < before->count || j < after->count) {
        const struct sov_boundary_entry *a = i < before->count ? &before->entries[i] : NULL;
        const struct sov_boundary_entry *b = j < after->count ? &after->entries[j] : NULL;
        int order = !a ? 1 : !b ? -1 : strcmp(a->path, b->path);

        if (order < 0) {
            i++;
            if (!is_published(d, a, NULL)) paths_add(&d->removed, a->path);
        } else if (order > 0) {
            j++;
            if (!is_published(d, NULL, b)) paths_add(&d->added, b->path);
        } else {
            i++;
            j++;
            if (!is_equal(a, b) && !is_published(d, a, b)) paths_add(&d->changed, b->path);
        }
    }
}

/* ---- the report ---- */

static void path_write(struct sov_writer *w, const char *path)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf visible = { 0 };
    struct sov_bytes text = sov_bytes_text(path);

    if (sov_text_is_utf8(text)) {
        sov_write_text(w, text);
        return;
    }
    sov_buf_init(&visible, PATH_TEXT_MAX);
    sov_text_visible(text, 0, &visible);
    sov_write_text(w, sov_buf_bytes(&visible));
}

static void list_write(struct sov_writer *w, const char *key, const struct paths *paths)
{
    sov_put_list(w, key);
    for (size_t i = 0; i < paths->count; i++) path_write(w, paths->at[i]);
    sov_write_end(w);
}

static void report_write(const struct difference *d, const struct sov_boundary *counted,
                         const struct sov_boundary_facts *facts, struct sov_buf *out)
{
    struct sov_writer w;

    sov_writer_init(&w, out);
    sov_write_object(&w);
    list_write(&w, "added", &d->added);
    sov_put_int(&w, "bytes", (int64_t)counted->bytes);
    list_write(&w, "changed", &d->changed);
    sov_put_bool(&w, "computed", facts->computed);
    sov_put_int(&w, "entries", (int64_t)counted->count);
    list_write(&w, "removed", &d->removed);
    sov_put_text(&w, "scope", "repository_without_runs_and_ledger");
    sov_put_bool(&w, "violated", facts->violated);
    sov_write_end(&w);
    assert(out->cut || sov_writer_done(&w));
}

void sov_boundary_report(const struct sov_boundary *before, const struct sov_boundary *after,
                         const struct sov_boundary_page *pages, size_t page_count,
                         struct sov_buf *out, struct sov_boundary_facts *facts_out)
{
    static const struct difference nothing = { 0 };
    SOV_CLEANUP(difference_release)
    struct difference d = { .pages = pages, .page_count = page_count };
    struct sov_boundary_facts facts = { 0 };

    assert(before && out && out->size == 0 && facts_out);
    facts.computed = before->computed && after && after->computed;
    if (facts.computed) {
        compare(before, after, &d);
        facts.changed = d.changed.count;
        facts.added = d.added.count;
        facts.removed = d.removed.count;
        facts.violated = facts.changed + facts.added + facts.removed > 0;
    }
    report_write(&d, after ? after : before, &facts, out);
    if (out->cut) {
        sov_buf_clear(out);
        facts.computed = false;
        report_write(&nothing, after ? after : before, &facts, out);
    }
    *facts_out = facts;
}
