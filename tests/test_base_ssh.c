#include "tests/unit.h"

#include "base/ssh_wire.h"
#include "base/sshsig.h"
#include "tests/ssh_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static struct sov_secret *secret_of(const char *text)
{
    struct sov_secret *secret = NULL;
    struct sov_error err = { 0 };

    if (!sov_ssh_private_read(sov_bytes_text(text), "id", &secret, &err)) fail_msg("%s", err.what);
    return secret;
}

static struct sov_signature signed_in(const struct sov_secret *secret, const char *name_space,
                                      const char *message)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf is_signed = { 0 };

    sov_buf_init(&is_signed, SOV_SSHSIG_MAX);
    sov_sshsig_message(name_space, sov_bytes_text(message), &is_signed);
    assert_false(is_signed.cut);
    return sov_sign(secret, sov_buf_bytes(&is_signed));
}

static void assert_text(const struct sov_buf *buf, const char *expected)
{
    assert_false(buf->cut);
    assert_int_equal(buf->size, strlen(expected));
    assert_memory_equal(buf->data, expected, buf->size);
}

static void the_signature_is_the_one_that_ssh_keygen_makes(void **state)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = secret_of(SSH_PRIVATE);
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_public_key key = sov_secret_public(secret);
    struct sov_signature signature = signed_in(secret, "sov.accept.v1", SSH_MESSAGE);

    (void)state;
    sov_buf_init(&out, 4096);
    sov_sshsig_armor(&key, "sov.accept.v1", &signature, &out);
    assert_text(&out, SSH_SIGNATURE);
    sov_buf_clear(&out);
    sov_ssh_key_line(&key, &out);
    assert_text(&out, SSH_PUBLIC);
}

static void it_holds_in_its_namespace_over_its_message_by_its_key_alone(void **state)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = secret_of(SSH_PRIVATE);
    struct sov_public_key key = sov_secret_public(secret), other = key;
    struct sov_bytes message = sov_bytes_text(SSH_MESSAGE);
    struct sov_signature signature = signed_in(secret, "sov.accept.v1", SSH_MESSAGE), bad;
    char long_name[SOV_SSHSIG_MAX + 1];

    (void)state;
    assert_true(sov_sshsig_holds(&key, "sov.accept.v1", message, &signature));
    assert_false(sov_sshsig_holds(&key, "sov.review.v1", message, &signature));
    assert_false(sov_sshsig_holds(&key, "sov.accept.v", message, &signature));
    assert_false(sov_sshsig_holds(&key, "", message, &signature));
    assert_false(
        sov_sshsig_holds(&key, "sov.accept.v1", sov_bytes_text("sov.accept.v1\n{} "), &signature));
    other.octets[3] ^= 1;
    assert_false(sov_sshsig_holds(&other, "sov.accept.v1", message, &signature));
    bad = sov_sign(secret, message); /* without the form around it */
    assert_false(sov_sshsig_holds(&key, "sov.accept.v1", message, &bad));
    assert_false(sov_signature_holds(&key, message, &signature)); /* nor the other way round */
    for (size_t bit = 0; bit < 8 * SOV_SIGNATURE_SIZE; bit++) {
        bad = signature;
        bad.octets[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (sov_sshsig_holds(&key, "sov.accept.v1", message, &bad)) fail_msg("bit %zu", bit);
    }
    memset(long_name, 'x', SOV_SSHSIG_MAX);
    long_name[SOV_SSHSIG_MAX] = 0;
    assert_false(sov_sshsig_holds(&key, long_name, message, &signature));
}

static const struct {
    const char *text, *code;
} publics[] = {
    { SSH_PUBLIC, NULL },
    { SSH_PUBLIC "\n", NULL },
    { SSH_PUBLIC " a person\n", NULL },
    { SSH_PUBLIC " a person\n\n", "bad_value" },
    { SSH_PUBLIC " a person\n" SSH_PUBLIC "\n", "bad_value" },
    { "", "bad_value" },
    { "\n", "bad_value" },
    { "ssh-ed25519", "bad_value" },
    { "ssh-ed25519 ", "bad_value" },
    { "ssh-ed25519  AAAA", "bad_value" },
    { "restrict " SSH_PUBLIC, "bad_value" },
    { " " SSH_PUBLIC, "bad_value" },
    { "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIC0esnm5bOkO5QnD9DpG2z8gaxM6gfx8tHgJLzaNxES",
      "bad_value" },
    { "ssh-ed25519 AAAAC3NzaC1lZDI1NTE4AAAAIC0esnm5bOkO5QnD9DpG2z8gaxM6gfx8tHgJLzaNxESj",
      "bad_value" }, /* its blob says another kind */
    { "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAHy0esnm5bOkO5QnD9DpG2z8gaxM6gfx8tHgJLzaNxA==",
      "bad_value" }, /* 31 octets */
    { "ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB", "key_unsupported" },
    { "ecdsa-sha2-nistp256 AAAAE2VjZHNh", "key_unsupported" },
    { "sk-ssh-ed25519@openssh.com AAAA", "key_unsupported" },
    { "x " SSH_PUBLIC, "bad_value" },
};

static void a_public_file_is_one_line_of_one_key(void **state)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = secret_of(SSH_PRIVATE);
    struct sov_public_key expected = sov_secret_public(secret);

    (void)state;
    for (size_t i = 0; i < COUNT(publics); i++) {
        struct sov_public_key key = { { 9 } };
        struct sov_error err = { 0 };
        bool ok = sov_ssh_public_read(sov_bytes_text(publics[i].text), "id.pub", &key, &err);

        if (ok != !publics[i].code || (!ok && strcmp(err.code, publics[i].code) != 0))
            fail_msg("row %zu: %s", i, ok ? "ok" : err.code);
        if (ok) assert_memory_equal(&key, &expected, sizeof key);
    }
}

static const char *refused(struct sov_bytes text)
{
    struct sov_secret *secret = NULL;
    struct sov_error err = { 0 };

    if (!sov_ssh_private_read(text, "id", &secret, &err)) {
        assert_null(secret);
        return err.code;
    }
    sov_secret_close(secret);
    return NULL;
}

static void a_private_file_of_another_kind_or_locked_is_said_to_be(void **state)
{
    static const char locked[] =
        SSH_BEGIN "b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABDkxuBdhO\n"
                  "iaTzwtGpmYfmz6AAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIOFM4QKRMlNQI5AY\n"
                  "LWm3KG/T5BbkCSsfEOLx3QZZOypXAAAAkLM1pZjuXaYq6Lg6BZRMY3u/3UPmyItX/78T8E\n"
                  "B5/U98lxwTlRRnvYnW9vysFdV2txxYjqAo6ccEcGAYWkqzBtipxNfjOQL7C9lZZ4btqmgX\n"
                  "Ef5A7Ddz/QlOQNuzDbtS31N/ko40Ia03D6+Z9h8XWTLznUWxJmXgC4wrP4hJHGon3d3+aH\n"
                  "5TLTBKlWY6u5ML0g==\n" SSH_END;
    static const char ecdsa[] =
        SSH_BEGIN "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAaAAAABNlY2RzYS\n"
                  "1zaGEyLW5pc3RwMjU2AAAACG5pc3RwMjU2AAAAQQS9606o9rtWh0Kd1+WYhS5Hhme/+z8c\n"
                  "GRWftdQNmdqSaJGIClR8S0r1jTWedc6mQ01IL4VWhGLhfjEyVyE2chX3AAAAoHhj+FR4Y/\n"
                  "hUAAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBL3rTqj2u1aHQp3X\n"
                  "5ZiFLkeGZ7/7PxwZFZ+11A2Z2pJokYgKVHxLSvWNNZ51zqZDTUgvhVaEYuF+MTJXITZyFf\n"
                  "cAAAAgLP2BOosqQgnEDeI2BfTwwV1AUl3/hlNvJtgqsUNXHwgAAAABZQECAwQFBgc=\n" SSH_END;

    (void)state;
    assert_string_equal(refused(sov_bytes_text(locked)), "key_unsupported");
    assert_string_equal(refused(sov_bytes_text(ecdsa)), "key_unsupported");
    assert_string_equal(refused(sov_bytes_text(SSH_BEGIN SSH_END)), "bad_value");
    assert_string_equal(refused(sov_bytes_text("sov-key-1 ed25519 00\n")), "bad_value");
}

static void a_private_file_that_was_cut_or_changed_is_refused(void **state)
{
    static const char text[] = SSH_PRIVATE;
    enum { SIZE = sizeof text - 1 };
    char bad[SIZE + 1];
    size_t taken = 0;

    (void)state;
    for (size_t size = 0; size < SIZE; size++)
        if (!refused(sov_bytes(text, size))) fail_msg("cut to %zu", size);
    memcpy(bad, text, SIZE);
    bad[SIZE] = '\n';
    assert_string_equal(refused(sov_bytes(bad, SIZE + 1)), "bad_value");
    /* Only of the comment, and of the two numbers together, may anything be another: none is here
     * but in the 8 letters of the comment, of which each is some part of 2 characters. */
    for (size_t i = 0; i < SIZE; i++) {
        memcpy(bad, text, SIZE);
        bad[i] = bad[i] == 'A' ? 'B' : 'A';
        taken += !refused(sov_bytes(bad, SIZE));
    }
    assert_true(taken > 0 && taken <= 12);
}

static void two_different_keys_in_one_file_are_refused(void **state)
{
    static const char text[] = SSH_PRIVATE;
    char bad[sizeof text];
    char *seed;

    (void)state;
    memcpy(bad, text, sizeof text);
    seed = strstr(bad, "c1mstn9XRCRw0uLL");
    assert_non_null(seed);
    seed[5] = 'A'; /* the seed is another, the public halves are as they were */
    assert_string_equal(refused(sov_bytes(bad, sizeof text - 1)), "bad_value");
}

static void a_private_file_is_known_by_its_first_line(void **state)
{
    static const char begin[] = SSH_BEGIN;
    enum { SIZE = sizeof begin - 1 };

    (void)state;
    assert_true(sov_ssh_is_private(sov_bytes_text(SSH_PRIVATE)));
    assert_true(sov_ssh_is_private(sov_bytes(begin, SIZE)));
    assert_false(sov_ssh_is_private(sov_bytes(begin, SIZE - 1)));
    assert_false(sov_ssh_is_private(sov_bytes(begin + 1, SIZE - 1)));
    assert_false(sov_ssh_is_private(sov_bytes_text(SSH_PUBLIC)));
    assert_false(sov_ssh_is_private(sov_bytes(NULL, 0)));
}

/* Lines may be empty, so that a file can be as large as one may be. */
static void a_private_file_of_the_largest_size_is_read_and_one_octet_more_is_not(void **state)
{
    static const char text[] = SSH_PRIVATE;
    enum { BEGIN = sizeof SSH_BEGIN - 1, REST = sizeof text - 1 - BEGIN };
    char large[SOV_SSH_FILE_MAX + 1];

    (void)state;
    memcpy(large, text, BEGIN);
    memset(large + BEGIN, '\n', sizeof large - BEGIN);
    memcpy(large + SOV_SSH_FILE_MAX - REST, text + BEGIN, REST);
    assert_null(refused(sov_bytes(large, SOV_SSH_FILE_MAX)));
    large[SOV_SSH_FILE_MAX - REST] = '\n';
    memcpy(large + sizeof large - REST, text + BEGIN, REST);
    assert_string_equal(refused(sov_bytes(large, sizeof large)), "bad_value");
}

/* ---- a file of our own making, with one thing wrong in it ---- */

struct wrong {
    const char *cipher, *kdf, *options, *kind, *comment; /* NULL: as it is to be */
    uint32_t count, check;                               /* added to what is to be */
    size_t padding;                                      /* octets behind the comment */
    uint8_t pad, key, half;  /* XOR of the last of them, of the first public half, of the other */
    size_t private_size;     /* 0: as it is to be */
    bool behind, inner_rest; /* something stands behind the file, behind the public key */
};

static void put_text(struct sov_buf *out, const char *given, const char *usual)
{
    sov_wire_put(out, sov_bytes_text(given ? given : usual));
}

static void put_inner(struct sov_buf *out, const struct wrong *w, const uint8_t *seed,
                      struct sov_public_key key)
{
    uint8_t both[SOV_SEED_SIZE + SOV_PUBLIC_KEY_SIZE + 1] = { 0 };

    memcpy(both, seed, SOV_SEED_SIZE);
    memcpy(both + SOV_SEED_SIZE, key.octets, sizeof key.octets);
    both[SOV_SEED_SIZE] ^= w->half;
    key.octets[0] ^= w->key;
    sov_wire_put_uint(out, 7);
    sov_wire_put_uint(out, 7 + w->check);
    put_text(out, w->kind, "ssh-ed25519");
    sov_wire_put(out, sov_bytes(key.octets, sizeof key.octets));
    sov_wire_put(out, sov_bytes(both, w->private_size ? w->private_size : sizeof both - 1));
    put_text(out, w->comment, "a person");
    for (size_t i = 1; i <= w->padding; i++)
        sov_buf_add_byte(out, (uint8_t)(i ^ (i == w->padding ? w->pad : 0)));
}

static void put_file(struct sov_buf *out, const struct wrong *w)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
    SOV_CLEANUP(sov_buf_release) struct sov_buf blob = { 0 }, inner = { 0 }, all = { 0 };
    struct sov_public_key key;
    struct sov_error err = { 0 };
    uint8_t seed[SOV_SEED_SIZE];

    memset(seed, 3, sizeof seed);
    assert_true(sov_secret_load(sov_bytes(seed, sizeof seed), &secret, &err));
    key = sov_secret_public(secret);
    sov_buf_init(&blob, 1000);
    sov_buf_init(&inner, 1000);
    sov_buf_init(&all, 2000);
    sov_ssh_key_blob(&key, &blob);
    if (w->inner_rest) sov_buf_add_byte(&blob, 0);
    put_inner(&inner, w, seed, key);
    sov_buf_add(&all, sov_bytes("openssh-key-v1", 15));
    put_text(&all, w->cipher, "none");
    put_text(&all, w->kdf, "none");
    put_text(&all, w->options, "");
    sov_wire_put_uint(&all, 1 + w->count);
    sov_wire_put(&all, sov_buf_bytes(&blob));
    sov_wire_put(&all, sov_buf_bytes(&inner));
    if (w->behind) sov_buf_add_byte(&all, 0);
    sov_buf_add_text(out, SSH_BEGIN);
    sov_base64(sov_buf_bytes(&all), out);
    sov_buf_add_text(out, "\n" SSH_END);
}

static void one_wrong_thing_in_a_private_file_is_enough(void **state)
{
    static const char no[] = "id is no key file of OpenSSH",
                      locked[] = "id is locked: ssh-add it, and sign by the agent";
    static const struct {
        struct wrong wrong;
        const char *what;
    } rows[] = {
        { { .padding = 5 }, NULL },
        { { .comment = "abcde" }, NULL },
        { { .comment = "abcdef", .padding = 7 }, NULL },
        { { .comment = "abcde", .padding = 8 }, no }, /* a whole block of it */
        { { .padding = 4 }, no },
        { { .padding = 6 }, no },
        { { .padding = 13 }, no },
        { { .padding = 5, .pad = 1 }, no },
        { { .padding = 5, .cipher = "aes256-ctr" }, locked },
        { { .padding = 5, .kdf = "bcrypt" }, no },
        { { .padding = 5, .options = "x" }, no },
        { { .padding = 5, .kind = "ssh-ed25518" }, no },
        { { .padding = 5, .count = 1 }, no },
        { { .padding = 5, .check = 1 }, no },
        { { .padding = 5, .key = 1 }, no },
        { { .padding = 5, .half = 1 }, no },
        { { .padding = 6, .private_size = 63 }, no },
        { { .padding = 4, .private_size = 65 }, no },
        { { .padding = 5, .behind = true }, no },
        { { .padding = 5, .inner_rest = true }, no },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
        SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
        struct sov_error err = { 0 };
        bool ok;

        sov_buf_init(&text, 4000);
        put_file(&text, &rows[i].wrong);
        assert_false(text.cut);
        ok = sov_ssh_private_read(sov_buf_bytes(&text), "id", &secret, &err);
        if (ok != !rows[i].what) fail_msg("row %zu: %s", i, ok ? "is read" : err.what);
        if (!ok && strcmp(err.what, rows[i].what) != 0) fail_msg("row %zu: %s", i, err.what);
        assert_int_equal(secret != NULL, ok);
    }
}

static void no_beginning_of_the_octets_of_a_private_file_is_one(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf whole = { 0 };
    const struct wrong right = { .padding = 5 };
    uint8_t octets[2000];
    size_t size, begin = sizeof SSH_BEGIN - 1, end = sizeof "\n" SSH_END - 1;

    (void)state;
    sov_buf_init(&whole, 4000);
    put_file(&whole, &right);
    assert_true(sov_unbase64(sov_bytes(whole.data + begin, whole.size - begin - end), octets,
                             sizeof octets, &size));
    for (size_t cut = 0; cut < size; cut++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
        struct sov_secret *secret = NULL;
        struct sov_error err = { 0 };

        sov_buf_init(&text, 4000);
        sov_buf_add_text(&text, SSH_BEGIN);
        sov_base64(sov_bytes(octets, cut), &text);
        sov_buf_add_text(&text, "\n" SSH_END);
        if (sov_ssh_private_read(sov_buf_bytes(&text), "id", &secret, &err))
            fail_msg("cut to %zu", cut);
        assert_string_equal(err.what, "id is no key file of OpenSSH");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_signature_is_the_one_that_ssh_keygen_makes),
        cmocka_unit_test(it_holds_in_its_namespace_over_its_message_by_its_key_alone),
        cmocka_unit_test(a_public_file_is_one_line_of_one_key),
        cmocka_unit_test(a_private_file_of_another_kind_or_locked_is_said_to_be),
        cmocka_unit_test(a_private_file_that_was_cut_or_changed_is_refused),
        cmocka_unit_test(two_different_keys_in_one_file_are_refused),
        cmocka_unit_test(a_private_file_is_known_by_its_first_line),
        cmocka_unit_test(a_private_file_of_the_largest_size_is_read_and_one_octet_more_is_not),
        cmocka_unit_test(one_wrong_thing_in_a_private_file_is_enough),
        cmocka_unit_test(no_beginning_of_the_octets_of_a_private_file_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
