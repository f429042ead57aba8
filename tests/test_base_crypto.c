#include "tests/unit.h"

#include "base/crypto.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* Octets of a hex text; returns how many. */
static size_t from_hex(const char *hex, uint8_t *octets)
{
    size_t size = strlen(hex) / 2;

    assert_true(sov_unhex(sov_bytes_text(hex), octets, size));
    return size;
}

static void assert_hash(struct sov_hash hash, const char *hex)
{
    char text[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&hash), text);
    assert_string_equal(text, hex);
}

/* FIPS 180-2 and NIST's examples of SHA-256. */
static const struct {
    const char *message, *digest;
} nist[] = {
    { "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    { "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
      "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
};

static void the_published_digests_come_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(nist); i++)
        assert_hash(sov_sha256(sov_bytes_text(nist[i].message)), nist[i].digest);
}

static void a_million_letters_hash_in_any_pieces(void **state)
{
    static const size_t pieces[] = { 1000, 1, 63, 64, 65, 4096 };
    char letters[4096];

    (void)state;
    memset(letters, 'a', sizeof letters);
    for (size_t i = 0; i < COUNT(pieces); i++) {
        struct sov_sha256 s;

        sov_sha256_begin(&s);
        for (size_t left = 1000000, size; left > 0; left -= size) {
            size = left < pieces[i] ? left : pieces[i];
            sov_sha256_add(&s, sov_bytes(letters, size));
        }
        assert_hash(sov_sha256_end(&s),
                    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}

static void parts_hash_as_their_concatenation(void **state)
{
    const char *whole = nist[2].message;
    size_t size = strlen(whole);

    (void)state;
    for (size_t a = 0; a <= size; a++)
        for (size_t b = a; b <= size; b++) {
            const struct sov_bytes parts[] = { sov_bytes(whole, a), sov_bytes(whole + a, b - a),
                                               sov_bytes(whole + b, size - b) };

            assert_hash(sov_sha256_parts(parts, 3), nist[2].digest);
        }
    assert_hash(sov_sha256_parts(NULL, 0), nist[0].digest);
    assert_hash(sov_sha256(sov_bytes(NULL, 0)), nist[0].digest);
}

static void hex_is_lower_case_and_comes_back(void **state)
{
    uint8_t octets[256], back[256];
    char text[513];

    (void)state;
    for (size_t i = 0; i < sizeof octets; i++) octets[i] = (uint8_t)i;
    sov_hex(sov_bytes(octets, sizeof octets), text);
    assert_int_equal(strlen(text), 512);
    assert_memory_equal(text, "000102030405060708090a0b0c0d0e0f10", 34);
    assert_true(sov_unhex(sov_bytes_text(text), back, sizeof back));
    assert_memory_equal(octets, back, sizeof back);
    sov_hex(sov_bytes(NULL, 0), text);
    assert_string_equal(text, "");
    assert_true(sov_unhex(sov_bytes("", 0), back, 0));
}

static void what_is_no_hex_of_the_size_is_refused(void **state)
{
    static const char *const rows[] = { "",     "0",    "00",   "000",   "00000", "000000",
                                        "000A", "F000", "000g", "00/0",  "00:0",  "00`0",
                                        " 000", "000 ", "0x00", "00\n0", "-000",  "00\xc3\xa9" };
    uint8_t octets[2] = { 7, 8 };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (sov_unhex(sov_bytes_text(rows[i]), octets, 2)) fail_msg("accepted: %s", rows[i]);
        assert_true(octets[0] == 7 && octets[1] == 8);
    }
    assert_false(sov_unhex(sov_bytes("00\0000", 4), octets, 2));
}

/* RFC 4648, section 10. */
static const struct {
    const char *octets, *text;
} rfc4648[] = { { "", "" },
                { "f", "Zg==" },
                { "fo", "Zm8=" },
                { "foo", "Zm9v" },
                { "foob", "Zm9vYg==" },
                { "fooba", "Zm9vYmE=" },
                { "foobar", "Zm9vYmFy" } };

static void the_published_base64_comes_out_and_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rfc4648); i++) {
        struct sov_buf buf;
        uint8_t octets[8];
        size_t size;

        sov_buf_init(&buf, 100);
        sov_base64(sov_bytes_text(rfc4648[i].octets), &buf);
        assert_true(sov_bytes_is(sov_buf_bytes(&buf), rfc4648[i].text));
        assert_true(sov_unbase64(sov_bytes_text(rfc4648[i].text), octets, sizeof octets, &size));
        assert_true(sov_bytes_is(sov_bytes(octets, size), rfc4648[i].octets));
        sov_buf_release(&buf);
    }
}

static void base64_of_every_length_comes_back(void **state)
{
    uint8_t octets[300], back[300];
    size_t size;

    (void)state;
    for (size_t i = 0; i < sizeof octets; i++) octets[i] = (uint8_t)(i * 167 + 13);
    for (size_t n = 0; n <= sizeof octets; n++) {
        struct sov_buf buf;

        sov_buf_init(&buf, 1000);
        sov_base64(sov_bytes(octets, n), &buf);
        assert_int_equal(buf.size, (n + 2) / 3 * 4);
        assert_true(sov_unbase64(sov_buf_bytes(&buf), back, n, &size));
        assert_true(sov_bytes_equal(sov_bytes(back, size), sov_bytes(octets, n)));
        size = 999;
        if (n > 0) assert_false(sov_unbase64(sov_buf_bytes(&buf), back, n - 1, &size));
        assert_int_equal(size, 999);
        sov_buf_release(&buf);
    }
}

#define A60 "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static void loose_base64_is_refused(void **state)
{
    static const char *const rows[] = {
        "A",           "AA",           "AAA",          "AA=",          "A==",       "A===",
        "=",           "====",         "=AAA",         "A=AA",         "AA=A",      "AAAA=",
        "AAAA==",      "AAAA====",     "AAA=AAAA",     "AA==AA==",     "AB==",      "AP==",
        "AAB=",        "AAD=",         "AA==\n",       "AA=\n",        "\nAA=",     " AAA",
        "AAA ",        "AA A",         "AA\nA",        "AA-_",         "AA!A",      "AAA*",
        "AAA\xc3",     A60 "AAA=AAAA", A60 "AA==AAAA", A60 "AAAA====", A60 "AAAAA", A60 "AAAAAA",
        A60 "AAAAAAA", A60 "AAAAAB==",
    };
    uint8_t octets[100], before[100];
    size_t size = 999;

    (void)state;
    memset(octets, 7, sizeof octets);
    memset(before, 7, sizeof before);
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (sov_unbase64(sov_bytes_text(rows[i]), octets, sizeof octets, &size))
            fail_msg("accepted: %s", rows[i]);
        assert_int_equal(size, 999);
        assert_memory_equal(octets, before, sizeof octets);
    }
    assert_false(sov_unbase64(sov_bytes("AA\0=", 4), octets, sizeof octets, &size));
    assert_false(sov_unbase64(sov_bytes("AAAA\0\0\0\0", 8), octets, sizeof octets, &size));
}

/* libsodium 1.0.18 by itself takes some octets from 128 up, where char is signed. */
static void only_the_64_characters_are_base64(void **state)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t text[4], octets[3];
    size_t size;

    (void)state;
    for (size_t at = 0; at < sizeof text; at++)
        for (unsigned c = 0; c < 256; c++) {
            bool want = c != 0 && strchr(alphabet, (int)c);

            if (c == '=' && at == 3) continue; /* padding: three letters and one */
            memset(text, 'A', sizeof text);
            text[at] = (uint8_t)c;
            if (sov_unbase64(sov_bytes(text, 4), octets, 3, &size) != want)
                fail_msg("octet %u at %zu", c, at);
        }
}

/* RFC 8032, section 7.1: TEST 1, 2, 3 and SHA(abc). */
static const struct {
    const char *seed, *key, *message, *signature;
} rfc8032[] = {
    { "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
      "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b" },
    { "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
      "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00" },
    { "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
      "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a" },
    { "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
      "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
      "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
      "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704" },
};

static void the_published_keys_sign_and_verify(void **state)
{
    struct sov_error err;

    (void)state;
    for (size_t i = 0; i < COUNT(rfc8032); i++) {
        SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
        uint8_t seed[SOV_SEED_SIZE], message[64];
        struct sov_public_key key;
        struct sov_signature want, got;
        size_t size = from_hex(rfc8032[i].message, message);

        from_hex(rfc8032[i].seed, seed);
        from_hex(rfc8032[i].key, key.octets);
        from_hex(rfc8032[i].signature, want.octets);
        assert_true(sov_secret_load(sov_bytes(seed, sizeof seed), &secret, &err));
        assert_memory_equal(sov_secret_public(secret).octets, key.octets, sizeof key.octets);
        got = sov_sign(secret, sov_bytes(message, size));
        assert_memory_equal(got.octets, want.octets, sizeof want.octets);
        assert_true(sov_signature_holds(&key, sov_bytes(message, size), &want));
        sov_wipe(seed, sizeof seed);
        assert_int_equal(seed[0] | seed[31], 0);
        sov_secret_seed(secret, seed);
        from_hex(rfc8032[i].seed, message);
        assert_memory_equal(seed, message, sizeof seed);
    }
}

static void one_bit_of_key_message_or_signature_breaks_it(void **state)
{
    struct sov_public_key key;
    struct sov_signature signature;
    uint8_t message[64];
    size_t size = from_hex(rfc8032[3].message, message);
    struct sov_bytes bytes = sov_bytes(message, size);

    (void)state;
    from_hex(rfc8032[3].key, key.octets);
    from_hex(rfc8032[3].signature, signature.octets);
    for (size_t bit = 0; bit < 8 * sizeof signature.octets; bit++) {
        signature.octets[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (sov_signature_holds(&key, bytes, &signature)) fail_msg("signature bit %zu", bit);
        signature.octets[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t bit = 0; bit < 8 * size; bit++) {
        message[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (sov_signature_holds(&key, bytes, &signature)) fail_msg("message bit %zu", bit);
        message[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t bit = 0; bit < 8 * sizeof key.octets; bit++) {
        key.octets[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (sov_signature_holds(&key, bytes, &signature)) fail_msg("key bit %zu", bit);
        key.octets[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_true(sov_signature_holds(&key, bytes, &signature));
    assert_false(sov_signature_holds(&key, sov_bytes(message, size - 1), &signature));
}

/* A second spelling of a good signature (S + L), and a key of small order under which the identity
 * "signs" everything: both pass a naive check. */
static void signatures_that_only_a_lax_check_takes_are_refused(void **state)
{
    static const char order[] = "edd3f55c1a631258d69cf7a2def9de14"
                                "00000000000000000000000000000010";
    uint8_t l[32], message[1] = { 0x72 };
    struct sov_public_key key, small = { { 1 } };
    struct sov_signature signature, identity = { { 1 } };
    unsigned carry = 0;

    (void)state;
    from_hex(order, l);
    from_hex(rfc8032[1].key, key.octets);
    from_hex(rfc8032[1].signature, signature.octets);
    for (size_t i = 0; i < sizeof l; i++) {
        carry += (unsigned)l[i] + signature.octets[32 + i];
        signature.octets[32 + i] = (uint8_t)carry;
        carry >>= 8;
    }
    assert_int_equal(carry, 0);
    assert_false(sov_signature_holds(&key, sov_bytes(message, 1), &signature));
    assert_false(sov_signature_holds(&small, sov_bytes(message, 1), &identity));
}

static void a_seed_of_another_size_is_refused(void **state)
{
    static const size_t sizes[] = { 0, 31, 33, 64 };
    uint8_t octets[64] = { 0 };
    struct sov_error err = { 0 };
    struct sov_secret *secret = NULL;

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        assert_false(sov_secret_load(sov_bytes(octets, sizes[i]), &secret, &err));
        assert_string_equal(err.code, "bad_value");
        assert_int_equal(err.exit, SOV_USAGE);
        assert_null(secret);
    }
    sov_secret_close(NULL);
}

static bool counted(void *self, uint8_t *octets, size_t size, struct sov_error *err)
{
    uint8_t *next = self;

    if (*next == 0) return sov_fail(err, SOV_UNABLE, "io_error", "no more");
    memset(octets, *next, size);
    *next = 0;
    return true;
}

static void a_new_key_is_what_the_random_source_gave(void **state)
{
    uint8_t next = 5, seed[SOV_SEED_SIZE], want[SOV_SEED_SIZE];
    const struct sov_random random = { &next, counted };
    struct sov_error err = { 0 };
    struct sov_secret *secret = NULL, *none = NULL;

    (void)state;
    memset(want, 5, sizeof want);
    assert_true(sov_secret_new(&random, &secret, &err));
    sov_secret_seed(secret, seed);
    assert_memory_equal(seed, want, sizeof want);
    sov_secret_end(&secret);
    assert_null(secret);
    assert_false(sov_secret_new(&random, &none, &err));
    assert_string_equal(err.code, "io_error");
    assert_null(none);
}

static void a_key_is_shown_by_its_digest(void **state)
{
    struct sov_public_key key;
    char text[SOV_FINGERPRINT_TEXT + 1];

    (void)state;
    from_hex(rfc8032[0].key, key.octets);
    sov_key_fingerprint(&key, text);
    assert_string_equal(text, "SHA256:If4x36FUomFia/hUBG/SJxt77UtqvkWqWId+9H+XIbk");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_digests_come_out),
        cmocka_unit_test(a_million_letters_hash_in_any_pieces),
        cmocka_unit_test(parts_hash_as_their_concatenation),
        cmocka_unit_test(hex_is_lower_case_and_comes_back),
        cmocka_unit_test(what_is_no_hex_of_the_size_is_refused),
        cmocka_unit_test(the_published_base64_comes_out_and_back),
        cmocka_unit_test(base64_of_every_length_comes_back),
        cmocka_unit_test(loose_base64_is_refused),
        cmocka_unit_test(only_the_64_characters_are_base64),
        cmocka_unit_test(the_published_keys_sign_and_verify),
        cmocka_unit_test(one_bit_of_key_message_or_signature_breaks_it),
        cmocka_unit_test(signatures_that_only_a_lax_check_takes_are_refused),
        cmocka_unit_test(a_seed_of_another_size_is_refused),
        cmocka_unit_test(a_new_key_is_what_the_random_source_gave),
        cmocka_unit_test(a_key_is_shown_by_its_digest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
