#include "base/dsse.h"

#include "base/canonical.h"

static const char bundle_type[] = "application/vnd.dev.sigstore.bundle.v0.3+json";
/* SEQUENCE { SEQUENCE { OID 1.3.101.112 } BIT STRING } */
static const uint8_t spki_ed25519[] = { 0x30, 0x2a, 0x30, 0x05, 0x06, 0x03,
                                        0x2b, 0x65, 0x70, 0x03, 0x21, 0x00 };

void sov_dsse_encode(const char *type, struct sov_bytes payload, struct sov_buf *out)
{
    sov_buf_printf(out, "DSSEv1 %zu %s %zu ", strlen(type), type, payload.size);
    sov_buf_add(out, payload);
}

/* Base64 needs no escape in JSON. */
static void put_base64(struct sov_writer *w, const char *key, struct sov_bytes octets)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };

    sov_buf_init(&text, 2 * octets.size + 8);
    sov_base64(octets, &text);
    sov_put_bytes(w, key, sov_buf_bytes(&text));
}

static void envelope(struct sov_writer *w, const struct sov_dsse *dsse)
{
    sov_write_object(w);
    put_base64(w, "payload", dsse->payload);
    sov_put_text(w, "payloadType", dsse->type);
    sov_put_list(w, "signatures");
    sov_write_object(w);
    sov_put_text(w, "keyid", dsse->key);
    put_base64(w, "sig", sov_bytes(dsse->signature.octets, SOV_SIGNATURE_SIZE));
    sov_write_end(w);
    sov_write_end(w);
    sov_write_end(w);
}

void sov_dsse_write(const struct sov_dsse *dsse, struct sov_buf *out)
{
    struct sov_writer w;

    sov_writer_init(&w, out);
    envelope(&w, dsse);
    sov_buf_add_byte(out, '\n');
}

/* With neither log entry nor time stamp: what vouches for the time is the checkpoint. */
void sov_dsse_bundle(const struct sov_dsse *dsse, struct sov_buf *out)
{
    struct sov_writer w;

    sov_writer_init(&w, out);
    sov_write_object(&w);
    sov_write_key(&w, "dsseEnvelope");
    envelope(&w, dsse);
    sov_put_text(&w, "mediaType", bundle_type);
    sov_put_object(&w, "verificationMaterial");
    sov_put_object(&w, "publicKey");
    sov_put_text(&w, "hint", dsse->key);
    sov_write_end(&w);
    sov_put_list(&w, "tlogEntries");
    sov_write_end(&w);
    sov_write_end(&w);
    sov_write_end(&w);
    sov_buf_add_byte(out, '\n');
}

void sov_key_pem(const struct sov_public_key *key, struct sov_buf *out)
{
    uint8_t info[sizeof spki_ed25519 + SOV_PUBLIC_KEY_SIZE];

    memcpy(info, spki_ed25519, sizeof spki_ed25519);
    memcpy(info + sizeof spki_ed25519, key->octets, SOV_PUBLIC_KEY_SIZE);
    sov_buf_add_text(out, "-----BEGIN PUBLIC KEY-----\n");
    sov_base64(sov_bytes(info, sizeof info), out);
    sov_buf_add_text(out, "\n-----END PUBLIC KEY-----\n");
}
