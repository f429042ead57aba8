#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/canonical.h"
#include "base/json.h"
#include "tests/unit.h"

/*
 * Random trees, each spelled three ways: canonical by the few lines here, canonical by the writer,
 * and loosely. Then random damage to the canonical octets. One seed, so that a failure comes again.
 */
enum { TREES = 1500, DAMAGES = 25, UNITS = 6, CHILDREN = 6, DEPTH = 5 };

struct chance {
    uint64_t state;
};

static uint64_t draw(struct chance *c, uint64_t below) /* splitmix64 */
{
    uint64_t z = c->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % below;
}

struct text {
    uint16_t units[UNITS * 2];
    size_t count;
};
struct node {
    enum sov_json_kind kind;
    struct text key, text;
    int64_t n;
    struct node *children[CHILDREN]; /* of an object in the order of their keys */
    size_t count;
};

/* ---- trees ---- */

static struct text draw_text(struct chance *c, bool ascii)
{
    static const uint16_t edges[] = { 1,     0x1f,   0x22,   0x5c,   0x7f,   0x80,   0x7ff,
                                      0x800, 0x2028, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xffff,
                                      '\n',  '\b',   '/',    'u',    0xfb33, '~' };
    struct text text = { .count = 0 };

    for (uint64_t left = draw(c, UNITS); left; left--) {
        uint64_t how = ascii ? 0 : draw(c, 4);

        if (how < 2) {
            text.units[text.count++] = (uint16_t)('a' + draw(c, ascii ? 26 : 3));
        } else if (how == 2) {
            text.units[text.count++] = edges[draw(c, sizeof edges / sizeof *edges)];
        } else {
            text.units[text.count++] = (uint16_t)(0xd800 + draw(c, 2) * 0x3ff);
            text.units[text.count++] = (uint16_t)(0xdc00 + draw(c, 2) * 0x3ff);
        }
    }
    return text;
}

static int compare(const struct text *a, const struct text *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (a->units[i] != b->units[i]) return a->units[i] < b->units[i] ? -1 : 1;
    return (a->count > b->count) - (a->count < b->count);
}

/* Inserts by key, unless the key is there. */
static void add_child(struct node *of, struct node *child)
{
    size_t to = of->count;

    if (of->kind == SOV_JSON_OBJECT) {
        for (to = 0; to < of->count && compare(&of->children[to]->key, &child->key) < 0;) to++;
        if (to < of->count && compare(&of->children[to]->key, &child->key) == 0) return;
    }
    memmove(of->children + to + 1, of->children + to, (of->count - to) * sizeof child);
    of->children[to] = child;
    of->count++;
}

static struct node *draw_node(struct chance *c, struct sov_arena *arena, int depth, bool ascii)
{
    struct node *node = sov_arena_take(arena, sizeof *node);
    static const int64_t edges[] = { 0,
                                     -1,
                                     9,
                                     10,
                                     INT64_C(9007199254740991),
                                     -INT64_C(9007199254740991),
                                     INT64_C(9007199254740990) };

    node->kind = (enum sov_json_kind)draw(c, depth ? 6 : 4);
    if (depth == DEPTH) node->kind = draw(c, 4) ? SOV_JSON_OBJECT : SOV_JSON_LIST;
    node->text = draw_text(c, false);
    node->n = draw(c, 2) ? edges[draw(c, 7)] : (int64_t)draw(c, 1000000);
    if (node->kind < SOV_JSON_LIST) return node;
    for (uint64_t left = draw(c, CHILDREN); left; left--) {
        struct node *child = draw_node(c, arena, depth - 1, ascii);

        child->key = draw_text(c, ascii);
        add_child(node, child);
    }
    return node;
}

/* ---- spellings ---- */

/* Of the code point at units[*at]. */
static void add_utf8(struct sov_buf *out, const struct text *text, size_t *at)
{
    uint32_t point = text->units[(*at)++];

    if (point >= 0xd800 && point < 0xdc00)
        point = 0x10000 + ((point & 0x3ff) << 10) + (text->units[(*at)++] & 0x3ffu);
    if (point < 0x80) {
        sov_buf_add_byte(out, (uint8_t)point);
        return;
    }
    if (point < 0x800) {
        sov_buf_add_byte(out, (uint8_t)(0xc0 + point / 64));
    } else if (point < 0x10000) {
        sov_buf_add_byte(out, (uint8_t)(0xe0 + point / 4096));
        sov_buf_add_byte(out, (uint8_t)(0x80 + point / 64 % 64));
    } else {
        sov_buf_add_byte(out, (uint8_t)(0xf0 + point / 262144));
        sov_buf_add_byte(out, (uint8_t)(0x80 + point / 4096 % 64));
        sov_buf_add_byte(out, (uint8_t)(0x80 + point / 64 % 64));
    }
    sov_buf_add_byte(out, (uint8_t)(0x80 + point % 64));
}

/* With chance, any escape may be used; without, only where one must. */
static void spell_text(struct sov_buf *out, const struct text *text, struct chance *c)
{
    static const char named[] = "\"\\\b\f\n\r\t/", letters[] = "\"\\bfnrt/";

    sov_buf_add_byte(out, '"');
    for (size_t i = 0; i < text->count;) {
        uint16_t unit = text->units[i];
        const char *name = unit < 0x80 ? strchr(named, unit) : NULL;
        bool pair = unit >= 0xd800 && unit < 0xdc00;
        bool must = unit < 0x20 || unit == '"' || unit == '\\';

        if (name && (*name != '/' || c) && (c ? draw(c, 2) : must)) {
            sov_buf_add_byte(out, '\\');
            sov_buf_add_byte(out, (uint8_t)letters[name - named]);
            i++;
        } else if (must || (c && draw(c, 3) == 0)) {
            for (int left = pair ? 2 : 1; left; left--)
                sov_buf_printf(out, c && draw(c, 2) ? "\\u%04X" : "\\u%04x", text->units[i++]);
        } else {
            add_utf8(out, text, &i);
        }
    }
    sov_buf_add_byte(out, '"');
}

static void spell_space(struct sov_buf *out, struct chance *c)
{
    while (c && draw(c, 3) == 0) sov_buf_add_byte(out, (uint8_t) " \t\r\n"[draw(c, 4)]);
}

/* The children's order in a spelling: an object's may be any. */
static void shuffle(const struct node *node, size_t order[CHILDREN], struct chance *c)
{
    for (size_t i = 0; i < node->count; i++) {
        size_t with = c && node->kind == SOV_JSON_OBJECT ? draw(c, i + 1) : i;

        order[i] = order[with];
        order[with] = i;
    }
}

static void spell(struct sov_buf *out, const struct node *node, struct chance *c)
{
    bool object = node->kind == SOV_JSON_OBJECT;
    size_t order[CHILDREN] = { 0 };

    shuffle(node, order, c);
    spell_space(out, c);
    if (node->kind == SOV_JSON_TEXT) spell_text(out, &node->text, c);
    if (node->kind == SOV_JSON_INT) sov_buf_printf(out, "%lld", (long long)node->n);
    if (node->kind == SOV_JSON_BOOL) sov_buf_add_text(out, node->n & 1 ? "true" : "false");
    if (node->kind == SOV_JSON_NULL) sov_buf_add_text(out, "null");
    if (node->kind >= SOV_JSON_LIST) {
        sov_buf_add_byte(out, object ? '{' : '[');
        for (size_t i = 0; i < node->count; i++) {
            const struct node *child = node->children[order[i]];

            if (i) sov_buf_add_byte(out, ',');
            spell_space(out, c);
            if (object) spell_text(out, &child->key, c);
            if (object) spell_space(out, c);
            if (object) sov_buf_add_byte(out, ':');
            spell(out, child, c);
        }
        spell_space(out, c);
        sov_buf_add_byte(out, object ? '}' : ']');
    }
    spell_space(out, c);
}

static void write(struct sov_writer *w, const struct node *node)
{
    struct sov_buf utf8;

    sov_buf_init(&utf8, 100);
    for (size_t i = 0; i < node->text.count;) add_utf8(&utf8, &node->text, &i);
    if (node->kind == SOV_JSON_TEXT) sov_write_text(w, sov_buf_bytes(&utf8));
    if (node->kind == SOV_JSON_INT) sov_write_int(w, node->n);
    if (node->kind == SOV_JSON_BOOL) sov_write_bool(w, node->n & 1);
    if (node->kind == SOV_JSON_NULL) sov_write_null(w);
    if (node->kind == SOV_JSON_LIST) sov_write_list(w);
    if (node->kind == SOV_JSON_OBJECT) sov_write_object(w);
    for (size_t i = 0; i < node->count; i++) {
        char key[UNITS + 1] = { 0 };

        for (size_t j = 0; j < node->children[i]->key.count; j++)
            key[j] = (char)node->children[i]->key.units[j];
        if (node->kind == SOV_JSON_OBJECT) sov_write_key(w, key);
        write(w, node->children[i]);
    }
    if (node->kind >= SOV_JSON_LIST) sov_write_end(w);
    sov_buf_release(&utf8);
}

/* ---- the checks ---- */

static void equal(uint64_t tree, const struct sov_buf *got, const struct sov_buf *wanted)
{
    if (!sov_bytes_equal(sov_buf_bytes(got), sov_buf_bytes(wanted)))
        fail_msg("tree %d: %.*s is not %.*s", (int)tree, (int)got->size, (const char *)got->data,
                 (int)wanted->size, (const char *)wanted->data);
}

static void every_spelling_of_a_tree_has_the_same_canonical_form(void **state)
{
    (void)state;
    for (uint64_t tree = 0; tree < TREES; tree++) {
        struct chance c = { tree };
        struct sov_arena arena;
        struct sov_buf canonical, loose, got;
        struct sov_error err;
        const struct node *node;

        sov_arena_init(&arena, 1 << 24);
        sov_buf_init(&canonical, 1 << 22);
        sov_buf_init(&loose, 1 << 22);
        sov_buf_init(&got, 1 << 22);
        node = draw_node(&c, &arena, DEPTH, false);
        spell(&canonical, node, NULL);
        spell(&loose, node, &c);
        if (!sov_scan_canonical(sov_buf_bytes(&canonical), &sov_scan_report, &err) ||
            !sov_json_canonical(sov_buf_bytes(&loose), &sov_scan_report, &got, &err))
            fail_msg("tree %d: %s", (int)tree, err.what);
        equal(tree, &got, &canonical);
        sov_buf_release(&got);
        sov_buf_release(&loose);
        sov_buf_release(&canonical);
        sov_arena_release(&arena);
    }
}

static void the_writer_writes_what_the_scan_wants(void **state)
{
    (void)state;
    for (uint64_t tree = 0; tree < TREES; tree++) {
        struct chance c = { tree + TREES };
        struct sov_arena arena;
        struct sov_buf canonical, written;
        struct sov_writer w;
        struct sov_error err;
        const struct node *node;

        sov_arena_init(&arena, 1 << 24);
        sov_buf_init(&canonical, 1 << 22);
        sov_buf_init(&written, 1 << 22);
        node = draw_node(&c, &arena, DEPTH, true);
        spell(&canonical, node, NULL);
        sov_writer_init(&w, &written);
        write(&w, node);
        assert_true(sov_writer_done(&w));
        equal(tree, &written, &canonical);
        assert_true(sov_scan_canonical(sov_buf_bytes(&written), &sov_scan_report, &err));
        sov_buf_release(&written);
        sov_buf_release(&canonical);
        sov_arena_release(&arena);
    }
}

/* One to three octets changed, put in, or taken out. */
static void damage(struct sov_buf *out, struct sov_bytes octets, struct chance *c)
{
    static const char likely[] =
        "\"\\{}[]:,0123456789-.eEu \n\x01\x7f\x80\xbf\xc2\xed\xf0truefalsn";
    size_t at = draw(c, octets.size), gone = draw(c, 3), come = draw(c, 3);

    if (gone > octets.size - at) gone = octets.size - at;
    sov_buf_add(out, sov_bytes(octets.data, at));
    for (; come; come--)
        sov_buf_add_byte(out, draw(c, 3) ? (uint8_t)likely[draw(c, sizeof likely)]
                                         : octets.data[draw(c, octets.size)]);
    sov_buf_add(out, sov_bytes(octets.data + at + gone, octets.size - at - gone));
}

/* The two ways to judge octets have no line in common: one pass, or parse and write again. */
static bool agree(const struct sov_buf *octets, bool *canonical_out)
{
    struct sov_error err;
    struct sov_buf again;
    bool canonical = sov_scan_canonical(sov_buf_bytes(octets), &sov_scan_report, &err), same;

    sov_buf_init(&again, 1 << 22);
    same = sov_json_canonical(sov_buf_bytes(octets), &sov_scan_report, &again, &err) &&
           sov_bytes_equal(sov_buf_bytes(octets), sov_buf_bytes(&again));
    sov_buf_release(&again);
    *canonical_out = canonical;
    return same == canonical;
}

static void damaged_octets_are_refused_or_canonical_again(void **state)
{
    size_t counts[2] = { 0 };

    (void)state;
    for (uint64_t tree = 0; tree < TREES; tree++) {
        struct chance c = { tree + TREES + TREES };
        struct sov_arena arena;
        struct sov_buf canonical;

        sov_arena_init(&arena, 1 << 24);
        sov_buf_init(&canonical, 1 << 22);
        spell(&canonical, draw_node(&c, &arena, DEPTH, false), NULL);
        for (int i = 0; i < DAMAGES; i++) {
            struct sov_buf damaged;
            bool passed;

            sov_buf_init(&damaged, 1 << 22);
            damage(&damaged, sov_buf_bytes(&canonical), &c);
            if (!agree(&damaged, &passed))
                fail_msg("tree %d, damage %d: %.*s", (int)tree, i, (int)damaged.size,
                         (const char *)damaged.data);
            counts[passed]++;
            sov_buf_release(&damaged);
        }
        sov_buf_release(&canonical);
        sov_arena_release(&arena);
    }
    assert_true(counts[false] > 1000 && counts[true] > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spelling_of_a_tree_has_the_same_canonical_form),
        cmocka_unit_test(the_writer_writes_what_the_scan_wants),
        cmocka_unit_test(damaged_octets_are_refused_or_canonical_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
