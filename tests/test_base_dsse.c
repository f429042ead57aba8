/* The forms of a signed statement, against what their specifications print. */
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/dsse.h"

static const char *text(struct sov_buf *buf)
{
    sov_buf_add_byte(buf, 0);
    return (const char *)sov_buf_bytes(buf).data;
}

static void the_encoding_is_that_of_the_specification(void **state)
{
    static const struct {
        const char *type, *payload, *encoded;
    } rows[] = {
        /* protocol.md of DSSE */
        { "http://example.com/HelloWorld", "hello world",
          "DSSEv1 29 http://example.com/HelloWorld 11 hello world" },
        { "a", "", "DSSEv1 1 a 0 " },
        { "t", "\xc3\xa4", "DSSEv1 1 t 2 \xc3\xa4" }, /* octets, not characters */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

        sov_buf_init(&out, 1000);
        sov_dsse_encode(rows[i].type, sov_bytes_text(rows[i].payload), &out);
        assert_string_equal(text(&out), rows[i].encoded);
    }
}

static struct sov_dsse statement(void)
{
    struct sov_dsse dsse = { .type = "t/x", .payload = sov_bytes_text("{}"), .key = "k1" };

    memset(dsse.signature.octets, 0, sizeof dsse.signature.octets);
    return dsse;
}

#define SIGNED_TEXT                                                                                \
    "{\"payload\":\"e30=\",\"payloadType\":\"t/x\",\"signatures\":[{\"keyid\":\"k1\",\"sig\":"     \
    "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"         \
    "AAAA==\"}]}"

static void the_envelope_and_the_bundle_have_one_spelling(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf one = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf other = { 0 };
    struct sov_dsse dsse = statement();

    (void)state;
    sov_buf_init(&one, 4000);
    sov_buf_init(&other, 4000);
    sov_dsse_write(&dsse, &one);
    assert_string_equal(text(&one), SIGNED_TEXT "\n");
    sov_dsse_bundle(&dsse, &other);
    assert_string_equal(text(&other),
                        "{\"dsseEnvelope\":" SIGNED_TEXT
                        ",\"mediaType\":\"application/vnd.dev.sigstore.bundle.v0.3+json\","
                        "\"verificationMaterial\":{\"publicKey\":{\"hint\":\"k1\"},"
                        "\"tlogEntries\":[]}}\n");
}

/* The public key of RFC 8410, 10.1. */
static void a_key_is_spelled_as_in_rfc_8410(void **state)
{
    static const char hex[] = "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1";
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_public_key key;

    (void)state;
    sov_buf_init(&out, 1000);
    assert_true(sov_unhex(sov_bytes_text(hex), key.octets, sizeof key.octets));
    sov_key_pem(&key, &out);
    assert_string_equal(text(&out), "-----BEGIN PUBLIC KEY-----\n"
                                    "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n"
                                    "-----END PUBLIC KEY-----\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_encoding_is_that_of_the_specification),
        cmocka_unit_test(the_envelope_and_the_bundle_have_one_spelling),
        cmocka_unit_test(a_key_is_spelled_as_in_rfc_8410),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
