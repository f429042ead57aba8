/* What setup writes: the hook, the workflow, the job; and whether a file of others can take it. */
#include <string.h>

#include "cli/setup.h"

const char *sov_setup_hook(void)
{
    return "exec sov verify --projections --staged\n";
}

const char *sov_setup_github(const struct sov_setup_source *source, const char *ledger_id,
                             struct sov_arena *arena)
{
    return sov_arena_printf(
        arena,
        "name: sov\n"
        "on:\n"
        "  pull_request:\n"
        "  push:\n"
        "    branches: [main]\n"
        "permissions:\n"
        "  contents: read\n"
        "jobs:\n"
        "  sov:\n"
        "    runs-on: ubuntu-24.04\n"
        "    steps:\n"
        "      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2\n"
        "        with:\n"
        "          fetch-depth: 0 # the whole history is the anchor\n"
        "          persist-credentials: false\n"
        "      - uses: %s@%s\n"
        "        with:\n"
        "          args: verify --projections --ledger-id %s\n",
        source->slug, source->commit, ledger_id);
}

const char *sov_setup_gitlab(const struct sov_setup_source *source, const char *ledger_id,
                             struct sov_arena *arena)
{
    return sov_arena_printf(
        arena,
        "sov:\n"
        "  image: debian:12\n"
        "  variables:\n"
        "    GIT_DEPTH: \"0\" # the whole history is the anchor\n"
        "  before_script:\n"
        "    - apt-get update -q\n"
        "    - apt-get install -yq --no-install-recommends ca-certificates git make\n"
        "    - git init -q \"$HOME/sov\"\n"
        "    - git -C \"$HOME/sov\" fetch -q --depth 1 %s %s\n"
        "    - git -C \"$HOME/sov\" checkout -q FETCH_HEAD\n"
        "    - make -C \"$HOME/sov\" build-deps install\n"
        "  script:\n"
        "    - sov verify --projections --ledger-id %s --report junit=sov.xml --report "
        "gitlab=sov.json\n"
        "  artifacts:\n"
        "    when: always\n"
        "    reports:\n"
        "      junit: sov.xml\n"
        "      codequality: sov.json\n",
        source->url, source->commit, ledger_id);
}

/* ---- where the program is taken from ---- */

static bool is_one_of(char c, const char *extra)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr(extra, c));
}

/* Segments joined by '/', none of which is empty or begins with '.' or '-'. */
static bool is_path(const char *text, size_t least, size_t most)
{
    size_t count = 1;

    for (const char *at = text; *at; at++) {
        bool first = at == text || at[-1] == '/';

        if (*at == '/' ? first || !at[1] : !is_one_of(*at, first ? "_" : "._-")) return false;
        count += *at == '/';
    }
    return *text && count >= least && count <= most;
}

static bool is_commit(const char *text)
{
    size_t size = strspn(text, "0123456789abcdef");

    return !text[size] && (size == 40 || size == 64);
}

bool sov_setup_source(const char *text, struct sov_arena *arena,
                      struct sov_setup_source *source_out, struct sov_error *err)
{
    static const char https[] = "https://", github[] = "https://github.com/";
    const char *mark = strrchr(text, '@'), *place;
    struct sov_setup_source source = { 0 };

    if (!mark || !is_commit(mark + 1))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "%s names no commit: OWNER/REPO@COMMIT, with all its hex digits", text);
    place = sov_arena_text(arena, sov_bytes(text, (size_t)(mark - text)));
    source.commit = mark + 1;
    if (is_path(place, 2, 2)) {
        source.slug = place;
        source.url = sov_arena_printf(arena, "%s%s", github, place);
    } else if (strncmp(place, https, sizeof https - 1) == 0 &&
               is_path(place + sizeof https - 1, 2, 16)) {
        source.url = place;
        if (strncmp(place, github, sizeof github - 1) == 0 &&
            is_path(place + sizeof github - 1, 2, 2))
            source.slug = place + sizeof github - 1;
    } else {
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "%s is no OWNER/REPO@COMMIT and no https://HOST/PATH@COMMIT", text);
    }
    *source_out = source;
    return true;
}

/* ---- a .gitlab-ci.yml of others ---- */

struct lines {
    const char *at, *end;
};

static bool next_line(struct lines *lines, struct sov_bytes *line_out)
{
    const char *feed;
    size_t left = (size_t)(lines->end - lines->at);

    if (!left) return false;
    feed = memchr(lines->at, '\n', left);
    *line_out = sov_bytes(lines->at, feed ? (size_t)(feed - lines->at) : left);
    lines->at = feed ? feed + 1 : lines->end;
    return true;
}

static bool begins(struct sov_bytes line, const char *with)
{
    size_t size = strlen(with);

    return line.size >= size && memcmp(line.data, with, size) == 0;
}

static bool is_key(struct sov_bytes line, const char *name)
{
    size_t size = strlen(name), at;

    if (!begins(line, name)) return false;
    for (at = size; at < line.size && line.data[at] == ' ';) at++;
    return at < line.size && line.data[at] == ':';
}

/* A word of its own: no part of another. */
static bool has_word(struct sov_bytes line, const char *word)
{
    size_t size = strlen(word);

    for (size_t at = 0; at + size <= line.size; at++) {
        bool left = at && is_one_of((char)line.data[at - 1], "_-.");
        bool right = at + size < line.size && is_one_of((char)line.data[at + size], "_-.");

        if (memcmp(line.data + at, word, size) == 0 && !left && !right) return true;
    }
    return false;
}

static bool is_idle(struct sov_bytes line)
{
    size_t at = 0;

    while (at < line.size && line.data[at] == ' ') at++;
    return at == line.size || line.data[at] == '#';
}

/* Careful rather than clever: what is not plainly a mapping of keys in the first column, as all but
 * the rarest of these files are, is left to a person. The job has the stage "test", as jobs that
 * name none have. */
bool sov_setup_takes_job(struct sov_bytes yaml)
{
    struct lines lines = { (const char *)yaml.data, (const char *)yaml.data + yaml.size };
    bool seen = false, staging = false, stages = false, test = false;
    struct sov_bytes line;

    while (next_line(&lines, &line)) {
        if (is_idle(line)) continue;
        if (sov_bytes_is(line, "---")) {
            seen = staging = stages = test = false; /* a job belongs to the last document */
            continue;
        }
        if (line.data[0] == '\t' || (line.data[0] == ' ' && !seen)) return false;
        if (line.data[0] != ' ') {
            bool key = is_one_of((char)line.data[0], "_.'\"");

            if (!key && (line.data[0] != '-' || !seen || begins(line, "---"))) return false;
            if (key && (!memchr(line.data, ':', line.size) || memchr(line.data, '\\', line.size)))
                return false;
            if (begins(line, "...") || is_key(line, "sov") || is_key(line, "'sov'") ||
                is_key(line, "\"sov\""))
                return false;
            if (key) staging = is_key(line, "stages");
            stages = stages || staging;
            seen = true;
        }
        test = test || (staging && has_word(line, "test"));
    }
    return seen && (!stages || test);
}
