/* Cosignatures, requests to witnesses, keys as text, and who is believed. */
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trust.h"

static const char text[] = "example.com/log\n3\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";

static struct sov_secret *secret_of(uint8_t seed)
{
    uint8_t octets[SOV_SEED_SIZE] = { seed };
    struct sov_secret *secret = NULL;
    struct sov_error err = { 0 };

    assert_true(sov_secret_load(sov_bytes(octets, sizeof octets), &secret, &err));
    return secret;
}

static struct sov_note_key key_of(const char *name, uint8_t seed)
{
    struct sov_secret *secret = secret_of(seed);
    struct sov_note_key key = { .key = sov_secret_public(secret) };

    snprintf(key.name, sizeof key.name, "%s", name);
    sov_secret_close(secret);
    return key;
}

/* A note of `body` with one cosignature beneath it. */
static void note_make(struct sov_buf *note, const char *body, const struct sov_note_key *key,
                      uint8_t seed, int64_t time_s)
{
    struct sov_buf message = { 0 };
    struct sov_secret *secret = secret_of(seed);
    struct sov_signature signature;

    sov_buf_init(note, SOV_NOTE_SIZE_MAX);
    sov_buf_init(&message, SOV_NOTE_SIZE_MAX);
    sov_cosign_message(sov_bytes_text(body), time_s, &message);
    signature = sov_sign(secret, sov_buf_bytes(&message));
    sov_buf_add_text(note, body);
    sov_buf_add_byte(note, '\n');
    sov_cosign_line(key, time_s, &signature, note);
    sov_buf_release(&message);
    sov_secret_close(secret);
}

static void what_is_signed_is_header_time_and_text(void **state)
{
    struct sov_buf message = { 0 };

    (void)state;
    sov_buf_init(&message, SOV_NOTE_SIZE_MAX);
    sov_cosign_message(sov_bytes_text(text), 1679315147, &message);
    sov_buf_add_byte(&message, 0);
    assert_string_equal((const char *)message.data,
                        "cosignature/v1\ntime 1679315147\nexample.com/log\n3\n"
                        "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n");
    sov_buf_release(&message);
}

static void a_cosignature_is_found_by_name_and_key_alone(void **state)
{
    struct sov_note_key ours = key_of("w.example/1", 1), other = key_of("w.example/1", 2);
    struct sov_note_key named = key_of("w.example/2", 1);
    struct sov_bytes line;
    struct sov_buf note;
    int64_t time_s;

    (void)state;
    note_make(&note, text, &ours, 1, 1679315147);
    assert_int_equal(sov_cosign_find(sov_buf_bytes(&note), &ours, &time_s, &line), SOV_COSIGNED);
    assert_int_equal(time_s, 1679315147);
    assert_int_equal(line.data[line.size - 1], '\n');
    assert_int_equal(sov_cosign_find(sov_buf_bytes(&note), &other, &time_s, &line),
                     SOV_COSIGNED_NOT);
    assert_int_equal(sov_cosign_find(sov_buf_bytes(&note), &named, &time_s, &line),
                     SOV_COSIGNED_NOT);
    sov_buf_release(&note);
    note_make(&note, text, &ours, 2, 5); /* in our name, by another's hand */
    assert_int_equal(sov_cosign_find(sov_buf_bytes(&note), &ours, &time_s, &line),
                     SOV_COSIGNED_FALSELY);
    sov_buf_release(&note);
}

static void no_changed_octet_of_a_cosigned_note_is_the_same_statement(void **state)
{
    struct sov_note_key ours = key_of("w.example/1", 1);
    struct sov_bytes line;
    struct sov_buf note;
    int64_t time_s;

    (void)state;
    note_make(&note, text, &ours, 1, 77);
    for (size_t i = 0; i < note.size; i++)
        for (int bit = 0; bit < 8; bit++) {
            note.data[i] ^= (uint8_t)(1 << bit);
            if (sov_cosign_find(sov_buf_bytes(&note), &ours, &time_s, &line) == SOV_COSIGNED)
                fail_msg("octet %zu bit %d", i, bit);
            note.data[i] ^= (uint8_t)(1 << bit);
        }
    sov_buf_release(&note);
}

static void a_key_as_text_says_its_use(void **state)
{
    struct sov_note_key key = key_of("w.example/1", 1), back;
    struct sov_buf vkey = { 0 };

    (void)state;
    sov_buf_init(&vkey, SOV_NOTE_SIZE_MAX);
    sov_vkey_write(&key, SOV_KEY_COSIGNS, &vkey);
    assert_true(sov_vkey_read(sov_buf_bytes(&vkey), SOV_KEY_COSIGNS, &back));
    assert_string_equal(back.name, key.name);
    assert_memory_equal(&back.key, &key.key, sizeof key.key);
    assert_false(sov_vkey_read(sov_buf_bytes(&vkey), SOV_KEY_SIGNS, &back));
    for (size_t i = 0; i < vkey.size; i++) {
        vkey.data[i] ^= 1;
        if (sov_vkey_read(sov_buf_bytes(&vkey), SOV_KEY_COSIGNS, &back)) fail_msg("octet %zu", i);
        vkey.data[i] ^= 1;
        assert_false(sov_vkey_read(sov_bytes(vkey.data, i), SOV_KEY_COSIGNS, &back));
    }
    sov_buf_release(&vkey);
}

#define HASH "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
static const struct {
    const char *octets;
    bool good;
} requests[] = {
    { "old 0\n\nnote", true },
    { "old 12\n" HASH HASH "\nnote", true },
    { "old 9223372036854775807\n\n", true },
    { "", false },
    { "old\n\nnote", false },
    { "old \n\nnote", false },
    { "old 1", false },
    { "old 1\n", false },
    { "old 01\n\nnote", false },
    { "old -1\n\nnote", false },
    { "old +1\n\nnote", false },
    { "old 1 \n\nnote", false },
    { "old 1\r\n\r\nnote", false },
    { "old 9223372036854775808\n\nnote", false },
    { "old 99999999999999999999\n\nnote", false },
    { "Old 1\n\nnote", false },
    { "size 1\n\nnote", false },
    { "old 1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I\n\nnote", false },
    { "old 1\nAAAA\n\nnote", false },
    { "old 1\n " HASH "\nnote", false },
    { "old 1\n" HASH "note", false },
};

static void a_request_is_of_the_exact_form(void **state)
{
    struct sov_buf many = { 0 };
    struct sov_cosign_request request;

    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (sov_cosign_request_read(sov_bytes_text(requests[i].octets), &request) !=
            requests[i].good)
            fail_msg("%s", requests[i].octets);
    sov_buf_init(&many, 2 * SOV_COSIGN_REQUEST_MAX);
    sov_buf_add_text(&many, "old 1\n");
    for (int i = 0; i < SOV_COSIGN_HASHES; i++) sov_buf_add_text(&many, HASH);
    sov_buf_add_text(&many, "\nnote");
    assert_true(sov_cosign_request_read(sov_buf_bytes(&many), &request));
    assert_int_equal(request.count, SOV_COSIGN_HASHES);
    sov_buf_clear(&many);
    sov_cosign_request_write(&request, &many);
    assert_true(sov_cosign_request_read(sov_buf_bytes(&many), &request));
    sov_buf_clear(&many);
    sov_buf_add_text(&many, "old 1\n");
    for (int i = 0; i <= SOV_COSIGN_HASHES; i++) sov_buf_add_text(&many, HASH);
    sov_buf_add_text(&many, "\nnote");
    assert_false(sov_cosign_request_read(sov_buf_bytes(&many), &request));
    sov_buf_add(&many, sov_bytes(text, sizeof text)); /* a NUL, and behind it too much */
    while (many.size <= SOV_COSIGN_REQUEST_MAX) sov_buf_add_text(&many, HASH);
    assert_false(sov_cosign_request_read(sov_buf_bytes(&many), &request));
    sov_buf_release(&many);
}

/* ---- who is believed ---- */

static const char *const names[] = { "a", "b", "c", "d", "e" };

static void policy_add(struct sov_buf *out, const char *rest)
{
    sov_buf_init(out, 65536);
    for (size_t i = 0; i < 5; i++) {
        struct sov_note_key key = key_of(names[i], (uint8_t)(i + 1));

        sov_buf_printf(out, "witness %s ", names[i]);
        sov_vkey_write(&key, SOV_KEY_COSIGNS, out);
        sov_buf_add_text(out, "\n");
    }
    sov_buf_add_text(out, rest);
}

static const struct {
    const char *rest, *by; /* the witnesses that signed */
    bool enough;
} quorums[] = {
    { "quorum a\n", "a", true },
    { "quorum a\n", "bcde", false },
    { "quorum none\n", "", true },
    { "group g 2 a b c\nquorum g\n", "a", false },
    { "group g 2 a b c\nquorum g\n", "ad", false },
    { "group g 2 a b c\nquorum g\n", "ac", true },
    { "# a comment\n\n\t group  g all a b\t\nquorum g\n", "a", false },
    { "group g all a b\nquorum g\n", "ab", true },
    { "group g any a b\nquorum g\n", "b", true },
    { "group x 2 a b c\ngroup y any d e\ngroup z all x y\nquorum z\n", "abc", false },
    { "group x 2 a b c\ngroup y any d e\ngroup z all x y\nquorum z\n", "bce", true },
};

static void a_quorum_counts_each_witness_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof quorums / sizeof *quorums; i++) {
        struct sov_trust *trust = calloc(1, sizeof *trust);
        bool by[2 * SOV_TRUST_ROWS] = { false };
        struct sov_error err = { 0 };
        struct sov_buf policy;

        policy_add(&policy, quorums[i].rest);
        if (!sov_trust_read(sov_buf_bytes(&policy), trust, &err)) fail_msg("%s", err.what);
        for (const char *at = quorums[i].by; *at; at++) by[*at - 'a'] = true;
        if (sov_trust_holds(trust, by) != quorums[i].enough)
            fail_msg("%s by %s", quorums[i].rest, quorums[i].by);
        sov_buf_release(&policy);
        free(trust);
    }
}

static const char *const no_policies[] = {
    "",
    "quorum f\n",
    "quorum a",
    "quorum a\nquorum a\n",
    "quorum a b\n",
    "group g 0 a\nquorum g\n",
    "group g 3 a b\nquorum g\n",
    "group g 01 a b\nquorum g\n",
    "group g any\nquorum g\n",
    "group g any a a\nquorum g\n",
    "group g any a\ngroup h any a\nquorum g\n",
    "group g any h\ngroup h any a\nquorum g\n",
    "group a any b\nquorum a\n",
    "group none any b\nquorum a\n",
    "witness f nokey\nquorum a\n",
    "log nokey\nquorum a\n",
    "quorum a\r\n",
    "quorums a\n",
};

static void what_is_no_policy_is_refused_with_its_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof no_policies / sizeof *no_policies; i++) {
        struct sov_trust *trust = calloc(1, sizeof *trust);
        struct sov_error err = { 0 };
        struct sov_buf policy;

        policy_add(&policy, no_policies[i]);
        if (sov_trust_read(sov_buf_bytes(&policy), trust, &err)) fail_msg("%s", no_policies[i]);
        assert_string_equal(err.code, "bad_value");
        sov_buf_release(&policy);
        free(trust);
    }
}

static void one_key_under_two_names_is_one_witness(void **state)
{
    struct sov_note_key again = key_of("z", 1);
    struct sov_trust *trust = calloc(1, sizeof *trust);
    struct sov_error err = { 0 };
    struct sov_buf policy;

    (void)state;
    policy_add(&policy, "witness z ");
    sov_vkey_write(&again, SOV_KEY_COSIGNS, &policy);
    sov_buf_add_text(&policy, "\nquorum z\n");
    assert_false(sov_trust_read(sov_buf_bytes(&policy), trust, &err));
    assert_string_equal(err.code, "bad_value");
    sov_buf_release(&policy);
    free(trust);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_signed_is_header_time_and_text),
        cmocka_unit_test(a_cosignature_is_found_by_name_and_key_alone),
        cmocka_unit_test(no_changed_octet_of_a_cosigned_note_is_the_same_statement),
        cmocka_unit_test(a_key_as_text_says_its_use),
        cmocka_unit_test(a_request_is_of_the_exact_form),
        cmocka_unit_test(a_quorum_counts_each_witness_once),
        cmocka_unit_test(what_is_no_policy_is_refused_with_its_line),
        cmocka_unit_test(one_key_under_two_names_is_one_witness),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
