/* Two branches changed one view: the one that later events made is right, if both can be told. */
#include "base/buf.h"
#include "base/json.h"
#include "projections/tree.h"

enum { PAGE_MAX = 48 << 20, DEPTH = 16, DIGITS = 12 };

struct mark {
    int64_t last, renderer;
};

/* A word, then a number, off the front. */
static bool number_after(struct sov_bytes *rest, const char *word, int64_t *n_out)
{
    size_t size = strlen(word), digits = 0;

    if (rest->size < size || memcmp(rest->data, word, size) != 0) return false;
    *rest = sov_bytes(rest->data + size, rest->size - size);
    while (digits < rest->size && rest->data[digits] >= '0' && rest->data[digits] <= '9') digits++;
    *n_out = sov_tree_number(sov_bytes(rest->data, digits));
    *rest = sov_bytes(rest->data + digits, rest->size - digits);
    return *n_out > 0;
}

/* The last line of a page, which must be of this very page: it has digits of the digest of all
 * above it. */
static bool mark_of_page(struct sov_bytes page, struct mark *mark)
{
    static const char middle[] = " · sha256:";
    char hex[SOV_HEX_HASH + 1];
    struct sov_bytes line, above;
    struct sov_hash digest;
    size_t at = page.size;

    if (!at || page.data[at - 1] != '\n') return false;
    for (at--; at && page.data[at - 1] != '\n';) at--;
    above = sov_bytes(page.data, at);
    line = sov_bytes(page.data + at, page.size - at - 1);
    if (!number_after(&line, "Last event: ", &mark->last) ||
        !number_after(&line, " · renderer ", &mark->renderer) ||
        line.size != sizeof middle - 1 + DIGITS || memcmp(line.data, middle, sizeof middle - 1))
        return false;
    digest = sov_sha256(above);
    sov_hex(sov_hash_bytes(&digest), hex);
    return memcmp(line.data + sizeof middle - 1, hex, DIGITS) == 0;
}

static bool mark_of_facts(struct sov_bytes facts, struct mark *mark)
{
    static const struct sov_scan_rules rules = { PAGE_MAX, DEPTH, false };
    SOV_CLEANUP(sov_buf_release) struct sov_buf canonical = { 0 };
    struct sov_error ignored = { 0 };
    struct sov_value all, last, renderer;

    sov_buf_init(&canonical, 2 * PAGE_MAX);
    if (!sov_json_canonical(facts, &rules, &canonical, &ignored)) return false;
    all = sov_value(sov_buf_bytes(&canonical));
    if (sov_value_kind(all) != SOV_JSON_OBJECT) return false;
    last = sov_value_get(all, "last_event");
    renderer = sov_value_get(all, "renderer");
    if (!sov_value_there(last) || sov_value_kind(last) != SOV_JSON_INT ||
        !sov_value_there(renderer) || sov_value_kind(renderer) != SOV_JSON_INT)
        return false;
    *mark = (struct mark){ sov_value_int(last), sov_value_int(renderer) };
    return mark->last > 0 && mark->renderer > 0;
}

static bool mark_of(struct sov_bytes file, struct mark *mark)
{
    return file.size && file.data[0] == '{' ? mark_of_facts(file, mark) : mark_of_page(file, mark);
}

enum sov_merged sov_view_merge(struct sov_bytes ours, struct sov_bytes theirs)
{
    struct mark a, b;

    if (sov_bytes_equal(ours, theirs)) return SOV_MERGED_OURS;
    if (!mark_of(ours, &a) || !mark_of(theirs, &b) || a.renderer != b.renderer || a.last == b.last)
        return SOV_MERGED_NEITHER;
    return a.last > b.last ? SOV_MERGED_OURS : SOV_MERGED_THEIRS;
}
