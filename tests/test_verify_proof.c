/* A proof that came as a file: whole ones hold; forged, altered and mixed ones do not. */
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ledger_fixture.h"
#include "verify/verify.h"

enum { LEDGERS = 3, MORE = 5 };

struct world {
    struct fixture f[LEDGERS];
    struct sov_hash id[LEDGERS];
};

static int setup(void **state)
{
    struct world *w = calloc(1, sizeof *w);

    for (uint64_t i = 0; i < LEDGERS; i++) {
        struct fixture *f = &w->f[i];
        struct sov_identity identity;
        struct sov_done done;

        fixture_open_by_chance(f, i + 1);
        for (uint64_t n = 0; n < MORE; n++) {
            char id[32];
            struct sov_actor_request request = { id, "robot", "operator", "scripted", NULL, NULL };

            snprintf(id, sizeof id, "builder-%d-%d", (int)i, (int)n);
            FIXTURE_DO(f, "principal", &done, sov_actor_register(&commit, &request, &done, &err));
        }
        sov_ledger_identity(f->ledger, &identity);
        w->id[i] = identity.id;
    }
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;

    for (int i = 0; i < LEDGERS; i++) fixture_close(&w->f[i]);
    free(w);
    return 0;
}

static struct sov_tree_proof proof_of(struct fixture *f, int64_t seq)
{
    struct sov_tree_proof proof;
    struct sov_error err = { 0 };

    if (!sov_prove_event(f->ledger, seq, &f->arena, &proof, &err)) fail_msg("%s", err.what);
    return proof;
}

static struct sov_tree_proof proof_between(struct fixture *f, int64_t from, int64_t to)
{
    struct sov_tree_proof proof;
    struct sov_error err = { 0 };

    if (!sov_prove_between(f->ledger, from, to, &f->arena, &proof, &err)) fail_msg("%s", err.what);
    return proof;
}

static struct sov_bytes text_of(const struct sov_tree_proof *proof, struct sov_arena *arena)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };

    sov_buf_init(&text, SOV_PROOF_SIZE_MAX);
    sov_proof_write(proof, &text);
    return sov_arena_bytes(arena, sov_buf_bytes(&text));
}

/* Judged as somebody does who knows the ledger id and nothing else. */
struct verdict {
    enum sov_exit exit;
    char kind[64]; /* "TAMPER inclusion" of the first finding */
    struct sov_proven proven;
    struct sov_hash ledger_id;
};
static struct verdict judged(struct sov_bytes file, const struct sov_proof_options *options)
{
    struct sov_arena arena;
    struct sov_report report;
    struct verdict v = { 0 };

    sov_arena_init(&arena, 4 << 20);
    sov_proof_judge(file, options, &arena, &report, &v.proven);
    v.exit = report.exit;
    v.ledger_id = report.ledger_id;
    if (report.count)
        snprintf(v.kind, sizeof v.kind, "%s %s", sov_class_word(report.findings[0].class),
                 report.findings[0].kind);
    /* Nothing checked is never success. */
    if (report.exit == SOV_OK) {
        assert_int_equal(report.steps[SOV_STEP_FILE].result, SOV_STEP_PASSED);
        assert_int_equal(report.steps[SOV_STEP_SIGNATURES].result, SOV_STEP_PASSED);
        assert_int_equal(report.steps[SOV_STEP_TREE].result, SOV_STEP_PASSED);
    }
    sov_arena_release(&arena);
    return v;
}

static struct verdict judged_of(struct sov_bytes file, const struct sov_hash *id)
{
    struct sov_proof_options options = { .ledger_id = id };

    return judged(file, &options);
}

static struct sov_hash root_of(struct fixture *f, int64_t size)
{
    struct sov_checkpoint checkpoint = { 0 };
    struct sov_signature signature;
    struct sov_error err = { 0 };
    bool found;

    assert_true(sov_checkpoint_at(f->ledger, size, &checkpoint, &signature, &found, &err) && found);
    return checkpoint.root;
}

static void every_event_of_a_ledger_is_proven(void **state)
{
    struct world *w = *state;
    struct fixture *f = &w->f[0];
    int64_t head = fixture_head(f);
    struct sov_hash root = root_of(f, head);

    assert_true(head > MORE + 1);
    for (int64_t seq = 1; seq <= head; seq++) {
        struct sov_tree_proof proof = proof_of(f, seq);
        struct verdict v = judged_of(text_of(&proof, &f->arena), &w->id[0]);

        if (v.exit != SOV_OK) fail_msg("event %d: %s", (int)seq, v.kind);
        assert_int_equal(v.proven.kind, SOV_PROOF_INCLUSION);
        assert_int_equal(v.proven.event.seq, seq);
        assert_int_equal(v.proven.size, head);
        assert_memory_equal(&v.proven.root, &root, sizeof root);
        assert_memory_equal(&v.ledger_id, &w->id[0], sizeof v.ledger_id);
    }
}

static void every_checkpoint_is_a_prefix_of_every_later_one(void **state)
{
    struct world *w = *state;
    struct fixture *f = &w->f[0];
    int64_t head = fixture_head(f);
    int pairs = 0;

    for (int64_t from = head - MORE; from <= head; from++) {
        for (int64_t to = from; to <= head; to++) {
            struct sov_tree_proof proof = proof_between(f, from, to);
            struct verdict v = judged_of(text_of(&proof, &f->arena), &w->id[0]);
            struct sov_hash root = root_of(f, from);

            if (v.exit != SOV_OK) fail_msg("%d to %d: %s", (int)from, (int)to, v.kind);
            assert_int_equal(v.proven.old_size, from);
            assert_int_equal(v.proven.size, to);
            assert_memory_equal(&v.proven.old_root, &root, sizeof root);
            pairs++;
        }
    }
    assert_int_equal(pairs, (MORE + 1) * (MORE + 2) / 2);
}

static void what_is_not_there_is_not_proven(void **state)
{
    struct world *w = *state;
    struct fixture *f = &w->f[0];
    int64_t head = fixture_head(f);
    static const struct {
        int from, to;
    } sizes[] = { { 1, 0 }, { 0, 1 }, { -2 - MORE, 0 } };
    struct sov_tree_proof proof = { .count = 77 };
    struct sov_error err = { 0 };

    assert_false(sov_prove_event(f->ledger, head + 1, &f->arena, &proof, &err));
    assert_string_equal(err.code, "no_such_id");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int64_t from = head + sizes[i].from, to = head + sizes[i].to;

        if (from > to) to = from;
        assert_false(sov_prove_between(f->ledger, from, to, &f->arena, &proof, &err));
        assert_string_equal(err.code, "no_such_id");
        assert_int_equal(err.exit, SOV_ABSENT);
    }
    assert_int_equal(proof.count, 77);
}

/* ---- parts of different ledgers ---- */

static struct sov_bytes line_of(struct sov_bytes extra, bool second)
{
    const uint8_t *end = memchr(extra.data, '\n', extra.size);
    size_t size = (size_t)(end - extra.data) + 1;

    return second ? sov_bytes(extra.data + size, extra.size - size) : sov_bytes(extra.data, size);
}

/* Event, hashes, checkpoint and event 1 of three ledgers in all 81 mixes, under each ledger id; in
 * 27 of them event 1 is that of the checkpoint, so that its signature holds. */
static void only_what_belongs_together_holds(void **state)
{
    struct world *w = *state;
    struct sov_tree_proof whole[LEDGERS];
    struct sov_arena *arena = &w->f[0].arena;
    int passed = 0, failed = 0, mixed = 0, mixed_passed = 0, bound = 0;

    for (int i = 0; i < LEDGERS; i++) whole[i] = proof_of(&w->f[i], 14);
    for (int n = 0; n < 81 * LEDGERS; n++) {
        int founding = n % 3, event = n / 3 % 3, hashes = n / 9 % 3, note = n / 27 % 3, id = n / 81;
        struct sov_tree_proof mix = whole[hashes];
        struct sov_bytes parts[] = { line_of(whole[founding].extra, false),
                                     line_of(whole[event].extra, true) };
        bool is_whole = founding == event && event == hashes && hashes == note && note == id;
        SOV_CLEANUP(sov_buf_release) struct sov_buf extra = { 0 };
        struct verdict v;

        sov_buf_init(&extra, SOV_PROOF_EXTRA_MAX);
        sov_buf_add(&extra, parts[0]);
        sov_buf_add(&extra, parts[1]);
        mix.extra = sov_buf_bytes(&extra);
        mix.note = whole[note].note;
        v = judged_of(text_of(&mix, arena), &w->id[id]);
        if ((v.exit == SOV_OK) != is_whole)
            fail_msg("founding %d, event %d, hashes %d, checkpoint %d, asked for %d: %d %s",
                     founding, event, hashes, note, id, (int)v.exit, v.kind);
        if (!is_whole) assert_int_equal(v.exit, SOV_INTEGRITY);
        passed += v.exit == SOV_OK;
        failed += v.exit != SOV_OK;
        if (founding != note || id != note) continue;
        mixed++; /* checkpoint, proof and event, where nothing but the tree can tell */
        mixed_passed += v.exit == SOV_OK;
        bound += strcmp(v.kind, "TAMPER inclusion") == 0;
    }
    assert_int_equal(passed, 3);
    assert_int_equal(failed, 240);
    assert_int_equal(mixed, 27);
    assert_int_equal(mixed_passed, 3);
    assert_int_equal(bound, 24);
}

static void a_proof_of_another_ledger_is_a_fork(void **state)
{
    struct world *w = *state;
    struct sov_tree_proof proof = proof_of(&w->f[1], 14);
    struct verdict v = judged_of(text_of(&proof, &w->f[1].arena), &w->id[0]);

    assert_int_equal(v.exit, SOV_INTEGRITY);
    assert_string_equal(v.kind, "FORK ledger_id");
    proof = proof_between(&w->f[1], 13, 16);
    v = judged_of(text_of(&proof, &w->f[1].arena), &w->id[0]);
    assert_string_equal(v.kind, "FORK ledger_id");
    proof.note = proof_between(&w->f[0], 13, 16).note;
    v = judged_of(text_of(&proof, &w->f[1].arena), &w->id[1]);
    assert_string_equal(v.kind, "TAMPER checkpoint_signature");
}

/* ---- altered ---- */

static void every_octet_of_a_proof_matters(void **state)
{
    struct world *w = *state;
    struct fixture *f = &w->f[2];
    struct sov_tree_proof proofs[] = { proof_of(f, 14), proof_of(f, 1), proof_between(f, 13, 17) };
    size_t tried = 0;

    for (size_t n = 0; n < sizeof proofs / sizeof *proofs; n++) {
        struct sov_bytes text = text_of(&proofs[n], &f->arena);
        uint8_t *copy = malloc(text.size);

        assert_int_equal(judged_of(text, &w->id[2]).exit, SOV_OK);
        for (size_t i = 0; i < text.size; i++) {
            struct verdict v;

            memcpy(copy, text.data, text.size);
            copy[i] ^= (uint8_t)(1U << i % 7);
            v = judged_of(sov_bytes(copy, text.size), &w->id[2]);
            if (v.exit != SOV_INTEGRITY) fail_msg("octet %zu: %d %s", i, (int)v.exit, v.kind);
            v = judged_of(sov_bytes(text.data, i), &w->id[2]); /* cut there */
            if (v.exit != SOV_INTEGRITY) fail_msg("cut at %zu: %d %s", i, (int)v.exit, v.kind);
            tried += 2;
        }
        free(copy);
    }
    assert_true(tried > 5000);
}

static void altered_siblings_and_places_do_not_hold(void **state)
{
    struct world *w = *state;
    struct fixture *f = &w->f[0];
    struct sov_tree_proof whole = proof_of(f, 14), bad;
    static const struct {
        const char *what;
        int flip, swap, drop, add, index;
    } alteration[] = {
        { "a sibling flipped", 1, 0, 0, 0, 0 },     { "two siblings swapped", 0, 1, 0, 0, 0 },
        { "the last one left out", 0, 0, 1, 0, 0 }, { "one more", 0, 0, 0, 1, 0 },
        { "the place after", 0, 0, 0, 0, 1 },       { "the place before", 0, 0, 0, 0, -1 },
    };

    assert_true(whole.count >= 3);
    for (size_t i = 0; i < sizeof alteration / sizeof *alteration; i++) {
        struct verdict v;

        bad = whole;
        if (alteration[i].flip) bad.hashes[1].octets[31] ^= 0x40;
        if (alteration[i].swap) {
            bad.hashes[0] = whole.hashes[1];
            bad.hashes[1] = whole.hashes[0];
        }
        bad.count += (size_t)alteration[i].add;
        bad.count -= (size_t)alteration[i].drop;
        bad.index += (uint64_t)alteration[i].index;
        v = judged_of(text_of(&bad, &f->arena), &w->id[0]);
        if (v.exit != SOV_INTEGRITY || strcmp(v.kind, "TAMPER inclusion") != 0)
            fail_msg("%s: %d %s", alteration[i].what, (int)v.exit, v.kind);
    }
    bad = proof_between(f, 13, 17);
    assert_true(bad.count >= 2);
    bad.hashes[0].octets[0] ^= 1;
    assert_string_equal(judged_of(text_of(&bad, &f->arena), &w->id[0]).kind, "TAMPER consistency");
    bad = proof_between(f, 13, 17);
    bad.old_note = proof_between(f, 14, 17).old_note; /* signed by the ledger, of another size */
    assert_string_equal(judged_of(text_of(&bad, &f->arena), &w->id[0]).kind, "TAMPER consistency");
    bad = proof_between(f, 13, 17);
    bad.note = bad.old_note;
    assert_string_equal(judged_of(text_of(&bad, &f->arena), &w->id[0]).kind, "TAMPER consistency");
}

static void the_extra_data_is_two_whole_lines(void **state)
{
    struct world *w = *state;
    struct fixture *f = &w->f[0];
    struct sov_tree_proof whole = proof_of(f, 14), first = proof_of(f, 1);
    struct sov_bytes founding = line_of(whole.extra, false), event = line_of(whole.extra, true);
    struct {
        struct sov_bytes part[3];
        const char *kind;
    } rows[] = {
        { { founding, { 0 }, { 0 } }, "TAMPER extra" },
        { { event, { 0 }, { 0 } }, "TAMPER extra" },
        { { founding, event, event }, "TAMPER extra" },
        { { founding, event, sov_bytes_text("x") }, "TAMPER extra" },
        { { founding, sov_bytes(event.data, event.size - 1), { 0 } }, "TAMPER extra" },
        { { event, founding, { 0 } }, "TAMPER founding" },
        { { event, event, { 0 } }, "TAMPER founding" },
        { { sov_bytes_text("{}\n"), event, { 0 } }, "TAMPER founding" },
        { { sov_bytes_text("\n"), event, { 0 } }, "TAMPER founding" },
        { { founding, founding, { 0 } }, "TAMPER inclusion" },
        { { founding, sov_bytes_text("{}\n"), { 0 } }, "TAMPER inclusion" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf extra = { 0 };
        struct sov_tree_proof bad = whole;
        struct verdict v;

        sov_buf_init(&extra, SOV_PROOF_EXTRA_MAX);
        for (size_t n = 0; n < 3; n++)
            if (rows[i].part[n].data) sov_buf_add(&extra, rows[i].part[n]);
        bad.extra = sov_buf_bytes(&extra);
        v = judged_of(text_of(&bad, &f->arena), &w->id[0]);
        if (v.exit != SOV_INTEGRITY || strcmp(v.kind, rows[i].kind) != 0)
            fail_msg("row %zu: %d %s", i, (int)v.exit, v.kind);
    }
    whole.extra = (struct sov_bytes){ 0 };
    assert_string_equal(judged_of(text_of(&whole, &f->arena), &w->id[0]).kind, "TAMPER extra");
    first.extra = proof_of(f, 14).extra; /* event 1 and one too many */
    assert_string_equal(judged_of(text_of(&first, &f->arena), &w->id[0]).kind, "TAMPER extra");
}

/* ---- a log of a forger's own, signed with his key ---- */

struct forged {
    struct sov_secret *secret;
    struct sov_identity identity;
    struct sov_hash leaf[3];
    struct sov_bytes line[3];
    struct sov_arena *arena;
};

static void forge_begin(struct forged *g, struct fixture *f, const char *second, const char *third)
{
    struct sov_bytes extra = proof_of(f, 1).extra;
    struct sov_public_key key;
    struct sov_error err = { 0 };
    char hex[2 * SOV_PUBLIC_KEY_SIZE + 1], *founding, *at;

    g->arena = &f->arena;
    assert_true(sov_secret_new(&f->seams.random, &g->secret, &err));
    key = sov_secret_public(g->secret);
    sov_hex(sov_bytes(key.octets, sizeof key.octets), hex);
    founding = sov_arena_array(g->arena, extra.size, 1);
    memcpy(founding, extra.data, extra.size - 1);
    at = strstr(founding, "\"public_key\":\"");
    assert_non_null(at);
    memcpy(at + 14, hex, 64);
    g->line[0] = sov_bytes_text(founding);
    g->line[1] = sov_bytes_text(second);
    g->line[2] = sov_bytes_text(third);
    for (int i = 0; i < 3; i++) g->leaf[i] = sov_leaf_hash(g->line[i]);
    assert_true(sov_identity_read(g->line[0], g->arena, &g->identity, &err));
}

/* Leaf `index` of the three, under a checkpoint that names `origin`. */
static struct sov_bytes forge(struct forged *g, uint64_t index, const char *origin)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf extra = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
    struct sov_tree_proof proof = { .kind = SOV_PROOF_INCLUSION, .index = index };
    struct sov_hash left = sov_node_hash(&g->leaf[0], &g->leaf[1]);
    struct sov_checkpoint checkpoint = { .size = 3 };
    struct sov_note_key key = { .key = sov_secret_public(g->secret) };
    struct sov_signature signature;

    checkpoint.root = sov_node_hash(&left, &g->leaf[2]);
    snprintf(checkpoint.origin, sizeof checkpoint.origin, "%s", origin);
    snprintf(key.name, sizeof key.name, "%s", g->identity.origin);
    sov_buf_init(&text, SOV_NOTE_SIZE_MAX);
    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    sov_buf_init(&extra, SOV_PROOF_EXTRA_MAX);
    sov_checkpoint_text(&checkpoint, &text);
    signature = sov_sign(g->secret, sov_buf_bytes(&text));
    sov_note_write(&checkpoint, &key, &signature, &note);
    for (uint64_t i = 0; i <= index; i += index ? index : 1) {
        sov_buf_add(&extra, g->line[i]);
        sov_buf_add_byte(&extra, '\n');
    }
    proof.extra = sov_buf_bytes(&extra);
    proof.note = sov_buf_bytes(&note);
    proof.count = index == 2 ? 1 : 2;
    proof.hashes[0] = index == 2 ? left : g->leaf[!index];
    proof.hashes[1] = g->leaf[2];
    return text_of(&proof, g->arena);
}

#define EVENT(seq)                                                                                 \
    "{\"actor\":\"host\",\"at\":\"2026-01-01T00:00:00.000Z\",\"data\":{\"by_ms\":1},\"seq\":" #seq \
    ",\"stream\":\"organization/self\",\"sv\":2,\"type\":\"clock.regressed\",\"v\":1}"

/* The signature is good, the hashes lead to the root: what is left is what the event says. */
static void the_event_is_what_its_place_says(void **state)
{
    struct world *w = *state;
    struct forged g = { 0 };
    const char *origin;

    forge_begin(&g, &w->f[0], EVENT(2), EVENT(7));
    origin = g.identity.origin;
    assert_int_equal(judged_of(forge(&g, 0, origin), &g.identity.id).exit, SOV_OK);
    assert_int_equal(judged_of(forge(&g, 1, origin), &g.identity.id).exit, SOV_OK);
    assert_string_equal(judged_of(forge(&g, 2, origin), &g.identity.id).kind, "TAMPER seq");
    assert_string_equal(judged_of(forge(&g, 1, origin), &w->id[0]).kind, "FORK ledger_id");
    assert_string_equal(judged_of(forge(&g, 1, "another/log"), &g.identity.id).kind,
                        "TAMPER checkpoint_origin");
    sov_secret_close(g.secret);
    g.secret = NULL;
    forge_begin(&g, &w->f[0], EVENT(2), "{\"no\":\"event\"}");
    assert_string_equal(judged_of(forge(&g, 2, g.identity.origin), &g.identity.id).kind,
                        "TAMPER event");
    /* The same under the other ledger's event 1: his key is not the one that it names. */
    g.line[0] = sov_bytes(proof_of(&w->f[0], 1).extra.data, proof_of(&w->f[0], 1).extra.size - 1);
    assert_string_equal(judged_of(forge(&g, 1, g.identity.origin), &w->id[0]).kind,
                        "TAMPER checkpoint_signature");
    sov_secret_close(g.secret);
}

/* ---- what the caller knows ---- */

static void a_pin_says_which_ledger_it_must_be(void **state)
{
    struct world *w = *state;
    struct fixture *f = &w->f[0];
    struct sov_tree_proof event = proof_of(f, 14), between = proof_between(f, 13, 17);
    struct sov_bytes text = text_of(&event, &f->arena), two = text_of(&between, &f->arena);
    struct sov_proof_options options = { 0 };
    struct sov_pin pin = { .ledger_id = w->id[0], .size = 13, .root = root_of(f, 13) };
    struct sov_error err = { 0 };
    char hex[SOV_HEX_HASH + 1], *pins = sov_arena_printf(&f->arena, "%s/pins", f->root);
    FILE *file;

    assert_string_equal(judged(text, &options).kind, "UNANCHORED no_anchor");
    assert_int_equal(judged(text, &options).exit, SOV_NO);
    options.no_anchor = true;
    assert_int_equal(judged(text, &options).exit, SOV_OK);
    options.no_anchor = false;
    options.pins = pins;
    assert_int_equal(judged(text, &options).exit, SOV_NO);
    assert_true(sov_pin_move(pins, &pin, &err));
    assert_int_equal(judged(text, &options).exit, SOV_OK);
    assert_int_equal(judged(two, &options).exit, SOV_OK);
    event = proof_of(&w->f[1], 14); /* of a ledger that no pin knows */
    assert_int_equal(judged(text_of(&event, &f->arena), &options).exit, SOV_NO);

    pin.size = 17;
    pin.root.octets[5] ^= 1; /* as if another history had been seen */
    assert_true(sov_pin_move(pins, &pin, &err));
    assert_string_equal(judged(text, &options).kind, "FORK pin");
    assert_string_equal(judged(two, &options).kind, "FORK pin");
    options.no_anchor = true;
    assert_int_equal(judged(two, &options).exit, SOV_INTEGRITY);
    options.no_anchor = false;

    sov_hex(sov_hash_bytes(&w->id[0]), hex);
    file = fopen(sov_arena_printf(&f->arena, "%s/%s", pins, hex), "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(judged(text, &options).exit, SOV_UNABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_of_a_ledger_is_proven),
        cmocka_unit_test(every_checkpoint_is_a_prefix_of_every_later_one),
        cmocka_unit_test(what_is_not_there_is_not_proven),
        cmocka_unit_test(only_what_belongs_together_holds),
        cmocka_unit_test(a_proof_of_another_ledger_is_a_fork),
        cmocka_unit_test(every_octet_of_a_proof_matters),
        cmocka_unit_test(altered_siblings_and_places_do_not_hold),
        cmocka_unit_test(the_extra_data_is_two_whole_lines),
        cmocka_unit_test(the_event_is_what_its_place_says),
        cmocka_unit_test(a_pin_says_which_ledger_it_must_be),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
