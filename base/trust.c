#include "base/trust.h"

#include <string.h>

struct reading {
    struct sov_trust *trust;
    struct sov_bytes rest; /* of the line */
    long long line;
    bool has_quorum;
    struct sov_error *err;
};

static bool no(struct reading *r, const char *why)
{
    return sov_fail(r->err, SOV_USAGE, "bad_value", "line %lld of the witness policy %s", r->line,
                    why);
}

static bool word(struct reading *r, struct sov_bytes *word_out)
{
    struct sov_bytes rest = r->rest;
    size_t size = 0;

    while (rest.size && (rest.data[0] == ' ' || rest.data[0] == '\t'))
        rest = sov_bytes(rest.data + 1, rest.size - 1);
    while (size < rest.size && rest.data[size] != ' ' && rest.data[size] != '\t') size++;
    *word_out = sov_bytes(rest.data, size);
    r->rest = sov_bytes(rest.data + size, rest.size - size);
    return size > 0;
}

static bool find(const struct sov_trust *trust, struct sov_bytes name, size_t *at_out)
{
    for (size_t i = 0; i < trust->count; i++)
        if (sov_bytes_is(name, trust->at[i].name)) {
            *at_out = i;
            return true;
        }
    return false;
}

static bool name_take(struct reading *r, bool is_group, struct sov_truster **member_out)
{
    struct sov_trust *trust = r->trust;
    struct sov_truster *member = &trust->at[trust->count];
    size_t of_kind = is_group ? trust->count - trust->witnesses : trust->witnesses, at;
    struct sov_bytes name;

    if (of_kind == SOV_TRUST_ROWS) return no(r, "is one too many: 32 of a kind");
    if (!word(r, &name) || name.size > SOV_KEY_NAME_MAX) return no(r, "names nobody");
    if (sov_bytes_is(name, "none") || find(trust, name, &at))
        return no(r, "takes a name that is taken");
    *member = (struct sov_truster){ .is_group = is_group };
    memcpy(member->name, name.data, name.size);
    *member_out = member;
    return true;
}

static bool log_add(struct reading *r)
{
    struct sov_trust *trust = r->trust;
    struct sov_note_key key;
    struct sov_bytes vkey;

    if (trust->log_count == SOV_TRUST_ROWS) return no(r, "is one too many: 32 of a kind");
    if (!word(r, &vkey) || !sov_vkey_read(vkey, SOV_KEY_SIGNS, &key))
        return no(r, "has no key of a log");
    for (size_t i = 0; i < trust->log_count; i++)
        if (memcmp(&trust->logs[i].key, &key.key, sizeof key.key) == 0 ||
            strcmp(trust->logs[i].name, key.name) == 0)
            return no(r, "has a log that is there already");
    trust->logs[trust->log_count++] = key;
    (void)word(r, &vkey);
    return true;
}

static bool witness_add(struct reading *r)
{
    struct sov_trust *trust = r->trust;
    struct sov_truster *member;
    struct sov_bytes vkey;

    if (!name_take(r, false, &member)) return false;
    if (!word(r, &vkey) || !sov_vkey_read(vkey, SOV_KEY_COSIGNS, &member->key))
        return no(r, "has no key of a witness");
    for (size_t i = 0; i < trust->count; i++)
        if (!trust->at[i].is_group &&
            memcmp(&trust->at[i].key.key, &member->key.key, sizeof member->key.key) == 0)
            return no(r, "has a witness that is there already, under another name");
    trust->count++;
    trust->witnesses++;
    (void)word(r, &vkey);
    return true;
}

static bool group_add(struct reading *r)
{
    struct sov_trust *trust = r->trust;
    struct sov_truster *member;
    struct sov_bytes least, name;
    uint64_t n = 0;
    size_t at;

    if (!name_take(r, true, &member)) return false;
    if (!word(r, &least)) return no(r, "says not how many");
    while (word(r, &name)) {
        if (!find(trust, name, &at)) return no(r, "has a member that no line before it names");
        if (trust->at[at].is_used) return no(r, "has a member that stands in a group already");
        trust->at[at].is_used = true;
        member->of[member->count++] = at;
    }
    if (sov_bytes_is(least, "any"))
        n = 1;
    else if (sov_bytes_is(least, "all"))
        n = member->count;
    else if (!sov_note_decimal(least, &n))
        return no(r, "says not how many");
    if (!n || n > member->count) return no(r, "asks for none, or for more than there are");
    member->least = (size_t)n;
    trust->count++;
    return true;
}

static bool quorum_take(struct reading *r)
{
    struct sov_bytes name;

    if (r->has_quorum) return no(r, "is a second quorum");
    if (!word(r, &name)) return no(r, "names nobody");
    r->has_quorum = true;
    r->trust->nobody = sov_bytes_is(name, "none");
    if (!r->trust->nobody && !find(r->trust, name, &r->trust->asked))
        return no(r, "names nobody of a line before it");
    return true;
}

static bool line_read(struct reading *r)
{
    static const struct {
        const char *word;
        bool (*take)(struct reading *r);
    } rows[] = { { "log", log_add },
                 { "witness", witness_add },
                 { "group", group_add },
                 { "quorum", quorum_take } };
    struct sov_bytes first, more;

    for (size_t i = 0; i < r->rest.size; i++)
        if ((r->rest.data[i] < 0x20 && r->rest.data[i] != '\t') || r->rest.data[i] == 0x7f)
            return no(r, "has a control character");
    if (!word(r, &first) || first.data[0] == '#') return true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!sov_bytes_is(first, rows[i].word)) continue;
        if (!rows[i].take(r)) return false;
        return !word(r, &more) || no(r, "goes on behind its end");
    }
    return no(r, "is neither log, witness, group nor quorum");
}

bool sov_trust_read(struct sov_bytes text, struct sov_trust *trust_out, struct sov_error *err)
{
    struct reading r = { .trust = trust_out, .err = err };

    *trust_out = (struct sov_trust){ 0 };
    while (text.size) {
        const uint8_t *end = memchr(text.data, '\n', text.size);

        r.line++;
        if (!end) return no(&r, "does not end in a line feed");
        r.rest = sov_bytes(text.data, (size_t)(end - text.data));
        text = sov_bytes(end + 1, text.size - r.rest.size - 1);
        if (!line_read(&r)) return false;
    }
    return r.has_quorum || no(&r, "is the last, and there is no quorum");
}

bool sov_trust_holds(const struct sov_trust *trust, const bool *signed_by)
{
    bool holds[2 * SOV_TRUST_ROWS] = { false };

    if (trust->nobody) return true;
    for (size_t i = 0; i < trust->count; i++) {
        const struct sov_truster *member = &trust->at[i];
        size_t n = 0;

        for (size_t m = 0; m < member->count; m++) n += holds[member->of[m]];
        holds[i] = member->is_group ? n >= member->least : signed_by[i];
    }
    return holds[trust->asked];
}

const struct sov_note_key *sov_trust_log(const struct sov_trust *trust, struct sov_bytes origin)
{
    for (size_t i = 0; i < trust->log_count; i++)
        if (sov_bytes_is(origin, trust->logs[i].name)) return &trust->logs[i];
    return NULL;
}
