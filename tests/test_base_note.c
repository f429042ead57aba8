#include "tests/unit.h"

#include <stdio.h>

#include "base/note.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
#define DASH "\xe2\x80\x94 "
#define ROOT "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="

static const char no_code[] = "none";

static void key_load(const char *name, const char *hex, struct sov_note_key *key)
{
    snprintf(key->name, sizeof key->name, "%s", name);
    assert_true(sov_unhex(sov_bytes_text(hex), key->key.octets, sizeof key->key.octets));
}

static void golang(struct sov_note_key *key)
{
    key_load("sum.golang.org", "ce3372d75ad1ee5ecdaf8727293d4b111d87eb37531d7c86d4d3003f0eb809fc",
             key);
}

/* Reads; on refusal asserts that the outputs are as they were. Returns the code, or no_code. */
static const char *read_code(struct sov_bytes note, const struct sov_note_key *key)
{
    struct sov_checkpoint checkpoint, checkpoint_before;
    struct sov_signature signature, signature_before;
    struct sov_error err = { 0 };

    memset(&checkpoint, 0x55, sizeof checkpoint);
    memset(&signature, 0x55, sizeof signature);
    checkpoint_before = checkpoint;
    signature_before = signature;
    if (sov_note_read(note, key, &checkpoint, &signature, &err)) return no_code;
    assert_memory_equal(&checkpoint, &checkpoint_before, sizeof checkpoint);
    assert_memory_equal(&signature, &signature_before, sizeof signature);
    assert_int_equal(err.exit, SOV_INTEGRITY);
    return err.code;
}

static void expect(struct sov_bytes note, const struct sov_note_key *key, const char *code)
{
    const char *got = read_code(note, key);

    if (strcmp(got, code) != 0)
        fail_msg("%s, not %s:\n%.*s", got, code, (int)note.size, (const char *)note.data);
}

/* A key of the tests' own, and lines that it really signed. */
struct signer {
    struct sov_secret *secret;
    struct sov_note_key key;
};

static void signer_open(struct signer *s, const char *name, uint8_t fill)
{
    struct sov_error err;
    uint8_t seed[SOV_SEED_SIZE];

    memset(seed, fill, sizeof seed);
    assert_true(sov_secret_load(sov_bytes(seed, sizeof seed), &s->secret, &err));
    snprintf(s->key.name, sizeof s->key.name, "%s", name);
    s->key.key = sov_secret_public(s->secret);
}

static void add_blob(struct sov_buf *out, const char *name, uint32_t id, struct sov_bytes blob)
{
    uint8_t octets[3000] = { (uint8_t)(id >> 24), (uint8_t)(id >> 16), (uint8_t)(id >> 8),
                             (uint8_t)id };

    memcpy(octets + 4, blob.data, blob.size);
    sov_buf_add_text(out, DASH);
    sov_buf_add_text(out, name);
    sov_buf_add_byte(out, ' ');
    sov_base64(sov_bytes(octets, 4 + blob.size), out);
    sov_buf_add_byte(out, '\n');
}

static void add_line(struct sov_buf *out, const struct signer *s, struct sov_bytes text)
{
    struct sov_signature signature = sov_sign(s->secret, text);

    add_blob(out, s->key.name, sov_note_key_id(&s->key),
             sov_bytes(signature.octets, sizeof signature.octets));
}

static void add_signed(struct sov_buf *out, const struct signer *s, struct sov_bytes text)
{
    sov_buf_add(out, text);
    sov_buf_add_byte(out, '\n');
    add_line(out, s, text);
}

/* From the documentation of golang.org/x/mod/sumdb/note. */
static void the_published_key_signs_the_published_note(void **state)
{
    static const char text[] = "If you think cryptography is the answer to your problem,\n"
                               "then you don't know what your problem is.\n";
    static const char line[] =
        DASH "PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdng"
             "otpRZb6KE6RyyBwJnAM=\n";
    SOV_CLEANUP(sov_buf_release) struct sov_buf buf = { 0 };
    struct signer s = { .key.name = "PeterNeumann" };
    struct sov_note_key public_key;
    struct sov_error err;
    uint8_t seed[SOV_SEED_SIZE];

    (void)state;
    assert_true(sov_unhex(
        sov_bytes_text("810a1402d5146c8d84f2443330f54080ebf98ee17d9c74f6252fc5d5c7283173"), seed,
        sizeof seed));
    assert_true(sov_secret_load(sov_bytes(seed, sizeof seed), &s.secret, &err));
    s.key.key = sov_secret_public(s.secret);
    key_load("PeterNeumann", "1a5cd907143c384c41e830c5bce12aa8817ec5649aaabf2c31388b35b2d744d6",
             &public_key);
    assert_memory_equal(&s.key.key, &public_key.key, sizeof s.key.key);
    assert_int_equal(sov_note_key_id(&s.key), 0xc74f20a3);
    sov_buf_init(&buf, 1000);
    add_signed(&buf, &s, sov_bytes_text(text));
    assert_int_equal(buf.size, sizeof text - 1 + 1 + sizeof line - 1);
    assert_memory_equal(buf.data + sizeof text, line, sizeof line - 1);
    /* Its signature holds, so it is refused for what it says; one letter less, and it does not. */
    expect(sov_buf_bytes(&buf), &public_key, "checkpoint_invalid");
    buf.data[4] = 'u';
    expect(sov_buf_bytes(&buf), &public_key, "bad_signature");
    sov_secret_end(&s.secret);
}

/* Heads of the Go checksum database; the second stands, renamed, in c2sp.org/tlog-checkpoint. */
static const struct {
    const char *note, *root;
    uint64_t size;
} published[] = {
    { "go.sum database tree\n13485\n/ZWur4obeiqK+ASdnPK+/Rmz6LPQMUeSmHh0+UkL54Y=\n\n" DASH
      "sum.golang.org Az3grnQReYTvpCrRxT+w50vixbqBlB/aPS8bL8f8KW4HHP+UjLSXOJgCh4f54n8hO6lrESglzyRX"
      "MXnhaWzaeY3zqw8=\n",
      "fd95aeaf8a1b7a2a8af8049d9cf2befd19b3e8b3d0314792987874f9490be786", 13485 },
    { "go.sum database tree\n20852163\n" ROOT "\n\n" DASH
      "sum.golang.org Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+"
      "zyWE+xeMcTOAYQ8=\n",
      "0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62", 20852163 },
};

static void the_published_checkpoints_are_read_and_written_again(void **state)
{
    struct sov_note_key key;
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_error err;
    char root[SOV_HEX_HASH + 1];

    (void)state;
    golang(&key);
    assert_int_equal(sov_note_key_id(&key), 0x033de0ae);
    for (size_t i = 0; i < COUNT(published); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf buf = { 0 };

        assert_true(
            sov_note_read(sov_bytes_text(published[i].note), &key, &checkpoint, &signature, &err));
        assert_string_equal(checkpoint.origin, "go.sum database tree");
        assert_int_equal(checkpoint.size, published[i].size);
        sov_hex(sov_hash_bytes(&checkpoint.root), root);
        assert_string_equal(root, published[i].root);
        sov_buf_init(&buf, SOV_NOTE_SIZE_MAX);
        sov_note_write(&checkpoint, &key, &signature, &buf);
        assert_true(sov_bytes_is(sov_buf_bytes(&buf), published[i].note));
    }
    /* As the standard prints it, under a name of its own, nobody's key signed it. */
    expect(sov_bytes_text("example.com/behind-the-sofa\n20852163\n" ROOT "\n\n" DASH
                          "example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeO"
                          "oRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"),
           &key, "bad_signature");
}

static void no_bit_of_a_note_can_change(void **state)
{
    struct sov_note_key key;
    char note[SOV_NOTE_SIZE_MAX];
    size_t size = strlen(published[1].note);

    (void)state;
    golang(&key);
    memcpy(note, published[1].note, size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        note[bit / 8] = (char)(note[bit / 8] ^ 1 << bit % 8);
        if (read_code(sov_bytes(note, size), &key) == no_code) fail_msg("bit %zu", bit);
        note[bit / 8] = (char)(note[bit / 8] ^ 1 << bit % 8);
    }
    for (size_t cut = 0; cut < size; cut++)
        if (read_code(sov_bytes(note, cut), &key) == no_code) fail_msg("cut at %zu", cut);
    expect(sov_bytes(note, size), &key, no_code);
}

/* Texts that the key did sign. */
static const struct {
    const char *text, *code;
} texts[] = {
    { "o\n1\n" ROOT "\n", no_code },
    { "o\n0\n" ROOT "\n", no_code },
    { "an origin + spaces\n9223372036854775807\n" ROOT "\n", no_code },
    { "r\xc3\xb3\n10\n" ROOT "\n", no_code },
    { "\n1\n" ROOT "\n", "checkpoint_invalid" },
    { "1\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n1\n", "checkpoint_invalid" },
    { "o\n", "checkpoint_invalid" },
    { "o\n\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n00\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n01\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n+1\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n-1\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n 1\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n1 \n" ROOT "\n", "checkpoint_invalid" },
    { "o\n1e3\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n0x1\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n\xef\xbc\x91\n" ROOT "\n", "checkpoint_invalid" }, /* a full-width digit */
    { "o\n9223372036854775808\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n9999999999999999999\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n18446744073709551617\n" ROOT "\n", "checkpoint_invalid" },
    { "o\n1\n\n", "checkpoint_invalid" },
    { "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I\n", "checkpoint_invalid" },
    { "o\n1\nCsUYapGGPo4dkMgIAUqom_Xajj7h2fB2MPA3j2jxq2I=\n", "checkpoint_invalid" },
    { "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2J=\n", "checkpoint_invalid" },
    { "o\n1\n" ROOT "=\n", "checkpoint_invalid" },
    { "o\n1\n" ROOT "AAAA\n", "checkpoint_invalid" },
    { "o\n1\n " ROOT "\n", "checkpoint_invalid" },
    { "o\n1\n" ROOT " \n", "checkpoint_invalid" },
    { "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxqw==\n", "checkpoint_invalid" }, /* 31 */
    { "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2Ji\n", "checkpoint_invalid" }, /* 33 */
    { "o\n1\n0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62\n",
      "checkpoint_invalid" },
    { "o\n1\n" ROOT "\nextension\n", "checkpoint_invalid" },
    { "o\n1\n" ROOT "\n\n", "checkpoint_invalid" },
    { "\no\n1\n" ROOT "\n", "checkpoint_invalid" },
    { "o\r\n1\r\n" ROOT "\r\n", "checkpoint_invalid" },
    { "o\to\n1\n" ROOT "\n", "checkpoint_invalid" },
    { "\xff\n1\n" ROOT "\n", "checkpoint_invalid" },
    { "\xed\xa0\x80\n1\n" ROOT "\n", "checkpoint_invalid" }, /* a surrogate */
};

static void a_signed_text_is_parsed_strictly(void **state)
{
    struct signer s;
    char text[SOV_KEY_NAME_MAX + 100];

    (void)state;
    signer_open(&s, "ours", 1);
    for (size_t i = 0; i < COUNT(texts); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf buf = { 0 };

        sov_buf_init(&buf, SOV_NOTE_SIZE_MAX);
        add_signed(&buf, &s, sov_bytes_text(texts[i].text));
        expect(sov_buf_bytes(&buf), &s.key, texts[i].code);
    }
    for (int size = SOV_KEY_NAME_MAX; size <= SOV_KEY_NAME_MAX + 1; size++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf buf = { 0 };

        snprintf(text, sizeof text, "%0*d\n1\n" ROOT "\n", size, 0);
        sov_buf_init(&buf, SOV_NOTE_SIZE_MAX);
        add_signed(&buf, &s, sov_bytes_text(text));
        expect(sov_buf_bytes(&buf), &s.key,
               size > SOV_KEY_NAME_MAX ? "checkpoint_invalid" : no_code);
    }
    sov_secret_end(&s.secret);
}

#define TEXT "o\n1\n" ROOT "\n"

/* Frames round a good line, which stands where the @ is. */
static const struct {
    const char *frame, *code;
} frames[] = {
    { TEXT "\n@\n", no_code },
    { "", "checkpoint_invalid" },
    { "\n", "checkpoint_invalid" },
    { "\n\n", "checkpoint_invalid" },
    { "\n@\n", "checkpoint_invalid" },
    { "\n\n@\n", "bad_signature" },
    { "@\n", "checkpoint_invalid" },
    { TEXT, "checkpoint_invalid" },
    { TEXT "\n", "checkpoint_invalid" },
    { TEXT "@\n", "checkpoint_invalid" },
    { TEXT "\n@", "checkpoint_invalid" },
    { TEXT "\n@\r\n", "checkpoint_invalid" },
    { TEXT "\r\n@\n", "checkpoint_invalid" },
    { TEXT "\n@\n\n", "checkpoint_invalid" },
    { TEXT "\n\n@\n", "bad_signature" },
    { TEXT "\n@\n@\n", no_code },
    { TEXT "\n@\n\n@\n", "bad_signature" },
    { TEXT "\n @\n", "checkpoint_invalid" },
    { TEXT "\n@ \n", "checkpoint_invalid" },
    { TEXT "\n@=\n", "checkpoint_invalid" },
    { TEXT "\n@ more\n", "checkpoint_invalid" },
    { TEXT "\n@\nmore\n", "checkpoint_invalid" },
    { TEXT "\nmore\n@\n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH "\n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH "other\n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH "other \n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH " AAAAAAA=\n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH " other AAAAAAA=\n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH "other  AAAAAAA=\n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH "ot+her AAAAAAA=\n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH "ot\xc2\xa0her AAAAAAA=\n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH "ot\xe2\x80\xa8her AAAAAAA=\n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH "other AAAAAA==\n", "checkpoint_invalid" }, /* an id, no signature */
    { TEXT "\n@\n" DASH "other AAAAAAA\n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH "other AAAAAAB=\n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH "other AAAA_AA=\n", "checkpoint_invalid" },
    { TEXT "\n@\n" DASH "other AAAAAAA=\n", no_code },
    { TEXT "\n" DASH "other AAAAAAA=\n@\n", no_code },
    { TEXT "\n@\n" DASH "\xc3\xb3 AAAAAAA=\n", no_code },
    { "\xff\n1\n" ROOT "\n\n@\n", "checkpoint_invalid" }, /* before the signature is looked at */
    { TEXT "\n@\n- other AAAAAAA=\n", "checkpoint_invalid" },
    { TEXT "\n@\n\xe2\x80\x94other AAAAAAA=\n", "checkpoint_invalid" },
    { TEXT "\n@\n\xe2\x80\x93 other AAAAAAA=\n", "checkpoint_invalid" },
    { TEXT "\n" DASH "other AAAAAAA=\n", "bad_signature" },
};

static void the_frame_of_a_note_is_strict(void **state)
{
    struct signer s;

    (void)state;
    signer_open(&s, "ours", 1);
    for (size_t i = 0; i < COUNT(frames); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf buf = { 0 };

        sov_buf_init(&buf, SOV_NOTE_SIZE_MAX);
        for (const char *c = frames[i].frame; *c; c++) {
            if (*c != '@') {
                sov_buf_add_byte(&buf, (uint8_t)*c);
                continue;
            }
            add_line(&buf, &s, sov_bytes_text(TEXT));
            buf.size--; /* the frame has the line feed */
        }
        expect(sov_buf_bytes(&buf), &s.key, frames[i].code);
    }
    sov_secret_end(&s.secret);
}

static void a_control_character_anywhere_is_refused(void **state)
{
    struct sov_note_key key;
    char note[SOV_NOTE_SIZE_MAX];
    size_t size = strlen(published[0].note);

    (void)state;
    golang(&key);
    for (size_t at = 0; at < size; at++)
        for (char c = 0; c < 0x20; c = (char)(c + 1)) {
            if (c == '\n') continue;
            memcpy(note, published[0].note, size);
            note[at] = c;
            expect(sov_bytes(note, size), &key, "checkpoint_invalid");
        }
}

/* Two lines, one by our key and one that only looks like it. */
static void only_lines_of_our_name_and_id_count(void **state)
{
    const struct sov_bytes text = sov_bytes_text(TEXT);
    struct signer ours, other;
    struct sov_signature good;
    uint8_t bad[SOV_SIGNATURE_SIZE + 1] = { 0 };
    uint32_t id;
    struct {
        const char *name;
        uint32_t id;
        const uint8_t *octets;
        size_t size;
        const char *alone, *beside;
    } rows[] = {
        { "ours", 0, NULL, 64, no_code, no_code },
        { "ours", 0, bad, 64, "bad_signature", "bad_signature" },
        { "ours", 0, NULL, 63, "bad_signature", "bad_signature" },
        { "ours", 0, bad, 65, "bad_signature", "bad_signature" },
        { "ours", 0, bad, 1, "bad_signature", "bad_signature" },
        { "ours", 1, NULL, 64, "bad_signature", no_code },
        { "ours", 1u << 24, bad, 64, "bad_signature", no_code },
        { "our", 0, NULL, 64, "bad_signature", no_code },
        { "ourss", 0, bad, 64, "bad_signature", no_code },
        { "Ours", 0, bad, 64, "bad_signature", no_code },
    };

    (void)state;
    signer_open(&ours, "ours", 1);
    signer_open(&other, "ours", 2);
    id = sov_note_key_id(&ours.key);
    assert_int_not_equal(id, sov_note_key_id(&other.key));
    good = sov_sign(ours.secret, text);
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int order = 0; order < 3; order++) {
            SOV_CLEANUP(sov_buf_release) struct sov_buf buf = { 0 };
            const uint8_t *octets = rows[i].octets ? rows[i].octets : good.octets;

            sov_buf_init(&buf, SOV_NOTE_SIZE_MAX);
            sov_buf_add_text(&buf, TEXT "\n");
            if (order == 1) add_line(&buf, &ours, text);
            add_blob(&buf, rows[i].name, id ^ rows[i].id, sov_bytes(octets, rows[i].size));
            if (order == 2) add_line(&buf, &ours, text);
            expect(sov_buf_bytes(&buf), &ours.key, order ? rows[i].beside : rows[i].alone);
            expect(sov_buf_bytes(&buf), &other.key, "bad_signature");
        }
    sov_secret_end(&ours.secret);
    sov_secret_end(&other.secret);
}

static void witnesses_beside_us_are_passed_over(void **state)
{
    static const uint8_t large[2420] = { 0 }; /* as a post-quantum signature is */
    SOV_CLEANUP(sov_buf_release) struct sov_buf buf = { 0 };
    struct signer s;

    (void)state;
    signer_open(&s, "ours", 1);
    sov_buf_init(&buf, 2 * SOV_NOTE_SIZE_MAX);
    sov_buf_add_text(&buf, TEXT "\n");
    for (int i = 0; i < 15; i++) add_blob(&buf, "witness.example/w", 7, sov_bytes(large, 72));
    add_line(&buf, &s, sov_bytes_text(TEXT));
    expect(sov_buf_bytes(&buf), &s.key, no_code);
    buf.size = sizeof TEXT;
    add_blob(&buf, "witness.example/w", 7, sov_bytes(large, sizeof large));
    add_line(&buf, &s, sov_bytes_text(TEXT));
    expect(sov_buf_bytes(&buf), &s.key, no_code);
    add_blob(&buf, "witness.example/w", 7, sov_bytes(large, 600));
    assert_true(buf.size > SOV_NOTE_SIZE_MAX);
    expect(sov_buf_bytes(&buf), &s.key, "checkpoint_invalid");
    sov_secret_end(&s.secret);
}

static void a_key_name_is_one_word_without_plus(void **state)
{
    static const char *const good[] = { "a", "example.com/log42", "r\xc3\xb3", "\xf0\x9f\x94\x91" };
    static const char *const bad[] = {
        "",
        " ",
        "a b",
        "a+b",
        "a\n",
        "\ta",
        "a\x01",
        "a\xc2\xa0z",
        "a\xc2\x85",
        "\xe2\x80\x80",
        "\xe2\x80\x83",
        "\xe2\x80\x8a",
        "\xff",
        "a\xe3\x80\x80",
        "a\xe1\x9a\x80",
        "a\xe2\x80\xaf",
    };
    char name[SOV_KEY_NAME_MAX + 1];

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++)
        assert_true(sov_note_is_key_name(sov_bytes_text(good[i])));
    for (size_t i = 0; i < COUNT(bad); i++)
        if (sov_note_is_key_name(sov_bytes_text(bad[i]))) fail_msg("accepted: %s", bad[i]);
    memset(name, 'a', sizeof name);
    assert_true(sov_note_is_key_name(sov_bytes(name, SOV_KEY_NAME_MAX)));
    assert_false(sov_note_is_key_name(sov_bytes(name, SOV_KEY_NAME_MAX + 1)));
    assert_false(sov_note_is_key_name(sov_bytes("a\0b", 3)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_key_signs_the_published_note),
        cmocka_unit_test(the_published_checkpoints_are_read_and_written_again),
        cmocka_unit_test(no_bit_of_a_note_can_change),
        cmocka_unit_test(a_signed_text_is_parsed_strictly),
        cmocka_unit_test(the_frame_of_a_note_is_strict),
        cmocka_unit_test(a_control_character_anywhere_is_refused),
        cmocka_unit_test(only_lines_of_our_name_and_id_count),
        cmocka_unit_test(witnesses_beside_us_are_passed_over),
        cmocka_unit_test(a_key_name_is_one_word_without_plus),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
