#include "providers/script.h"

#include <assert.h>
#include <string.h>

enum { TURNS_MAX = 1000 };

static bool refuse(struct sov_error *err, int64_t turn, const char *where, const char *rule)
{
    if (turn < 0) return sov_fail(err, SOV_USAGE, "bad_value", "the script%s: %s", where, rule);
    return sov_fail(err, SOV_USAGE, "bad_value", "the script, /turns/%lld%s: %s", (long long)turn,
                    where, rule);
}

static bool is_plain(struct sov_value value, const char *text)
{
    struct sov_bytes plain = { NULL, 0 };

    if (sov_value_there(value) && sov_value_kind(value) == SOV_JSON_TEXT)
        plain = sov_value_plain(value);
    return plain.data && sov_bytes_is(plain, text);
}

static bool is_kind(struct sov_value value, enum sov_json_kind kind)
{
    return sov_value_there(value) && sov_value_kind(value) == kind;
}

static bool content_read(struct sov_value text, struct sov_value base64, struct sov_arena *arena,
                         struct sov_bytes *content_out)
{
    struct sov_bytes coded;
    uint8_t *octets;
    size_t size;

    if (is_kind(text, SOV_JSON_TEXT)) {
        *content_out = sov_value_bytes(text, arena);
        return true;
    }
    if (!is_kind(base64, SOV_JSON_TEXT)) return false;
    coded = sov_value_bytes(base64, arena);
    octets = sov_arena_take(arena, coded.size + 1);
    if (!sov_unbase64(coded, octets, coded.size + 1, &size)) return false;
    *content_out = sov_bytes(octets, size);
    return true;
}

static bool files_read(struct sov_value list, int64_t n, struct sov_arena *arena,
                       struct sov_turn *turn, struct sov_error *err)
{
    struct sov_run_file *files;
    struct sov_value item;
    size_t at = 0, count = 0;

    if (!is_kind(list, SOV_JSON_LIST)) return refuse(err, n, "/files", "is no list");
    files = sov_arena_array(arena, sov_value_count(list) + 1, sizeof *files);
    while (sov_value_item(list, &at, &item)) {
        struct sov_value path, text, base64;

        if (sov_value_kind(item) != SOV_JSON_OBJECT || sov_value_count(item) != 2)
            return refuse(err, n, "/files", "a file has a path and a text or base64");
        path = sov_value_get(item, "path");
        text = sov_value_get(item, "text");
        base64 = sov_value_get(item, "base64");
        if (!is_kind(path, SOV_JSON_TEXT) ||
            !content_read(text, base64, arena, &files[count].content))
            return refuse(err, n, "/files", "a file has a path and a text or base64");
        files[count++].path = sov_arena_text(arena, sov_value_bytes(path, arena));
    }
    turn->files = files;
    turn->file_count = count;
    return true;
}

static bool turn_read(struct sov_value value, int64_t n, struct sov_arena *arena,
                      struct sov_turn *turn_out, struct sov_error *err)
{
    static const char *const ends[] = { "ok", "exit_3", "timeout", "two_terminals", "cut" };
    struct sov_turn turn = { 0 };
    struct sov_value end, files;
    size_t word = 0;

    if (sov_value_kind(value) != SOV_JSON_OBJECT) return refuse(err, n, "", "is no object");
    if (sov_value_count(value) != 4)
        return refuse(err, n, "", "has exactly the keys end, files, report, say");
    end = sov_value_get(value, "end");
    files = sov_value_get(value, "files");
    turn.report = sov_value_get(value, "report");
    turn.say = sov_value_get(value, "say");
    if (!sov_value_there(end) || !sov_value_there(files) || !sov_value_there(turn.report) ||
        !sov_value_there(turn.say))
        return refuse(err, n, "", "has exactly the keys end, files, report, say");
    if (!is_kind(turn.say, SOV_JSON_TEXT)) return refuse(err, n, "/say", "is no text");
    if (!is_kind(turn.report, SOV_JSON_OBJECT) && !is_kind(turn.report, SOV_JSON_NULL))
        return refuse(err, n, "/report", "is neither an object nor null");
    while (word < sizeof ends / sizeof *ends && !is_plain(end, ends[word])) word++;
    if (word == sizeof ends / sizeof *ends)
        return refuse(err, n, "/end", "is none of ok, exit_3, timeout, two_terminals, cut");
    turn.end = (enum sov_turn_end)word;
    if (!files_read(files, n, arena, &turn, err)) return false;
    *turn_out = turn;
    return true;
}

static bool turns_of(struct sov_bytes script, struct sov_value *turns_out, struct sov_error *err)
{
    struct sov_value root = sov_value(script), turns;

    if (sov_value_kind(root) != SOV_JSON_OBJECT || sov_value_count(root) != 2 ||
        !is_plain(sov_value_get(root, "format"), "sov-script-1"))
        return refuse(err, -1, "", "has exactly the keys format, which is sov-script-1, and turns");
    turns = sov_value_get(root, "turns");
    if (!is_kind(turns, SOV_JSON_LIST) || sov_value_count(turns) > TURNS_MAX)
        return refuse(err, -1, ", /turns", "is no list of at most 1000 turns");
    *turns_out = turns;
    return true;
}

bool sov_script_turn(struct sov_bytes script, int64_t n, struct sov_arena *arena,
                     struct sov_turn *turn_out, bool *found_out, struct sov_error *err)
{
    struct sov_value turns, item;
    size_t at = 0;

    if (!turns_of(script, &turns, err)) return false;
    *found_out = false;
    for (int64_t i = 0; sov_value_item(turns, &at, &item); i++) {
        struct sov_turn turn;

        if (!turn_read(item, i, arena, &turn, err)) return false;
        if (i != n) continue;
        *turn_out = turn;
        *found_out = true;
    }
    return true;
}

bool sov_script_count(struct sov_bytes script, struct sov_arena *arena, int64_t *count_out,
                      struct sov_error *err)
{
    struct sov_value turns;
    struct sov_turn turn;
    bool found;

    if (!turns_of(script, &turns, err) || !sov_script_turn(script, -1, arena, &turn, &found, err))
        return false;
    *count_out = (int64_t)sov_value_count(turns);
    return true;
}
