#include "cli/out.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/env.h"
#include "base/file.h"
#include "base/pager.h"
#include "base/text.h"

enum {
    RESULT_MAX = 512 << 20,
    LINE_MAX_BYTES = 4 << 20,
    STREAM_AT = 64 << 10, /* what a list gathers before it is written */
    STDOUT = 1,
    STDERR = 2
};

static void write_all(struct sov_out *out, int fd, struct sov_bytes bytes)
{
    while (bytes.size) {
        ssize_t n = write(fd, bytes.data, bytes.size);

        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            if (fd == STDOUT) out->lost = true;
            if (fd == STDOUT && errno == EPIPE) out->broken = true;
            return;
        }
        bytes.data += n;
        bytes.size -= (size_t)n;
    }
}

/* A closed descriptor 0, 1 or 2 would be given to the next file that is opened, the ledger maybe.
 * What stands in its place reads as empty; a result cannot be written there. */
static void hold_descriptors(struct sov_out *out)
{
    for (int fd = 0; fd <= STDERR; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) continue;
        if (fd == STDOUT) out->lost = true;
        if (fd == 0) out->no_stdin = true;
        if (memfd_create("closed", MFD_CLOEXEC) != fd) return;
    }
}

void sov_out_init(struct sov_out *out, struct sov_arena *arena)
{
    *out = (struct sov_out){ .arena = arena };
    hold_descriptors(out);
    sov_buf_init(&out->text, RESULT_MAX);
    sov_buf_init(&out->line, LINE_MAX_BYTES);
    sov_buf_init(&out->shown, LINE_MAX_BYTES);
    out->warnings = sov_node_list(arena);
    out->terminal = isatty(STDOUT);
    out->terminal_error = isatty(STDERR);
}

void sov_out_release(struct sov_out *out)
{
    sov_buf_release(&out->text);
    sov_buf_release(&out->line);
    sov_buf_release(&out->shown);
}

bool sov_out_color(struct sov_out *out, const char *when, struct sov_error *err)
{
    const char *term = sov_env("TERM");
    bool plain = sov_env("NO_COLOR") || (term && strcmp(term, "dumb") == 0);
    bool forced = sov_env("CLICOLOR_FORCE") && strcmp(sov_env("CLICOLOR_FORCE"), "0") != 0;

    if (when && strcmp(when, "always") != 0 && strcmp(when, "never") != 0)
        return sov_fail(err, SOV_USAGE, "usage", "--color is always or never");
    if (when) {
        forced = strcmp(when, "always") == 0;
        plain = !forced;
    }
    out->paint = forced || (out->terminal && !plain);
    out->paint_error = forced || (out->terminal_error && !plain);
    return true;
}

/* ---- lines ---- */

SOV_PRINTF(2, 0)
static struct sov_bytes format(struct sov_out *out, const char *fmt, va_list args)
{
    va_list again;
    char *text;
    int size;

    va_copy(again, args);
    size = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    assert(size >= 0);
    text = sov_arena_take(out->arena, (size_t)size + 1);
    vsnprintf(text, (size_t)size + 1, fmt, args);
    return sov_bytes(text, (size_t)size);
}

static unsigned flags(const struct sov_out *out, unsigned more)
{
    return more | (out->ascii ? SOV_VISIBLE_ASCII : 0);
}

static void paint(struct sov_buf *to, bool painted, enum sov_style style)
{
    if (painted && style != SOV_PLAIN) sov_buf_printf(to, "\033[%dm", style);
}

static void add_visible(struct sov_out *out, struct sov_buf *to, struct sov_bytes text,
                        unsigned more)
{
    sov_buf_clear(&out->shown);
    sov_text_visible(text, flags(out, more), &out->shown);
    sov_buf_add(to, sov_buf_bytes(&out->shown));
}

static bool is_file(const struct sov_out *out)
{
    return out->file && strcmp(out->file, "-") != 0;
}

static void stream(struct sov_out *out)
{
    if (out->text.size < STREAM_AT || is_file(out) || out->committed || out->paged) return;
    write_all(out, STDOUT, sov_buf_bytes(&out->text));
    sov_buf_clear(&out->text);
}

SOV_PRINTF(3, 0)
static void part(struct sov_out *out, enum sov_style style, const char *fmt, va_list args)
{
    bool painted = out->paint && !is_file(out) && style != SOV_PLAIN;

    paint(&out->line, painted, style);
    add_visible(out, &out->line, format(out, fmt, args), 0);
    if (painted) sov_buf_add_text(&out->line, "\033[0m");
}

void sov_out_part(struct sov_out *out, enum sov_style style, const char *fmt, ...)
{
    va_list args;

    if (out->json) return;
    va_start(args, fmt);
    part(out, style, fmt, args);
    va_end(args);
}

void sov_out_end(struct sov_out *out)
{
    if (out->json) return;
    sov_buf_add(&out->text, sov_buf_bytes(&out->line));
    sov_buf_add_byte(&out->text, '\n');
    sov_buf_clear(&out->line);
    stream(out);
}

void sov_out_line(struct sov_out *out, const char *fmt, ...)
{
    va_list args;

    if (out->json) return;
    va_start(args, fmt);
    part(out, SOV_PLAIN, fmt, args);
    va_end(args);
    sov_out_end(out);
}

void sov_out_block(struct sov_out *out, struct sov_bytes text)
{
    if (out->json) return;
    add_visible(out, &out->text, text, SOV_VISIBLE_BLOCK);
    if (text.size && text.data[text.size - 1] != '\n') sov_buf_add_byte(&out->text, '\n');
    stream(out);
}

void sov_out_octets(struct sov_out *out, struct sov_bytes octets)
{
    if (out->json) return;
    if (out->terminal && !is_file(out))
        add_visible(out, &out->text, octets, SOV_VISIBLE_BLOCK);
    else
        sov_buf_add(&out->text, octets);
    stream(out);
}

/* ---- standard error ---- */

static void error_line(struct sov_out *out, struct sov_bytes text)
{
    sov_buf_clear(&out->line);
    add_visible(out, &out->line, text, 0);
    sov_buf_add_byte(&out->line, '\n');
    write_all(out, STDERR, sov_buf_bytes(&out->line));
    sov_buf_clear(&out->line);
}

void sov_out_note(struct sov_out *out, const char *fmt, ...)
{
    va_list args;

    if (out->json || out->quiet) return;
    va_start(args, fmt);
    error_line(out, format(out, fmt, args));
    va_end(args);
}

void sov_out_verbose(struct sov_out *out, const char *fmt, ...)
{
    va_list args;

    if (out->json || !out->verbose) return;
    va_start(args, fmt);
    error_line(out, format(out, fmt, args));
    va_end(args);
}

void sov_out_warn(struct sov_out *out, const char *fmt, ...)
{
    struct sov_bytes text;
    va_list args;

    va_start(args, fmt);
    text = format(out, fmt, args);
    va_end(args);
    sov_add_bytes(out->warnings, NULL, text);
    if (!out->json) error_line(out, text);
}

void sov_out_progress(struct sov_out *out, const char *phase, int64_t done, int64_t of)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf line = { 0 };

    if (out->json || out->quiet || !out->terminal_error || (!phase && !out->progress)) return;
    sov_buf_init(&line, 256);
    sov_buf_add_text(&line, "\r\033[K");
    if (phase && of)
        sov_buf_printf(&line, "%s  %lld of %lld  %lld%%", phase, (long long)done, (long long)of,
                       (long long)(done * 100 / of));
    else if (phase)
        sov_buf_printf(&line, "%s  %lld", phase, (long long)done);
    out->progress = phase != NULL;
    write_all(out, STDERR, sov_buf_bytes(&line));
}

void sov_out_next(struct sov_out *out, const char *command)
{
    if (out->json || out->quiet || !out->terminal_error || !command) return;
    error_line(out, sov_bytes_text(sov_arena_printf(out->arena, "next  %s", command)));
}

void sov_out_error_line(struct sov_out *out, enum sov_style style, const char *head,
                        const char *text)
{
    sov_buf_clear(&out->line);
    paint(&out->line, out->paint_error, style);
    sov_buf_add_text(&out->line, head);
    if (out->paint_error && style != SOV_PLAIN) sov_buf_add_text(&out->line, "\033[0m");
    add_visible(out, &out->line, sov_bytes_text(text), 0);
    sov_buf_add_byte(&out->line, '\n');
    write_all(out, STDERR, sov_buf_bytes(&out->line));
    sov_buf_clear(&out->line);
}

void sov_out_error_json(struct sov_out *out, const struct sov_node *error)
{
    sov_buf_clear(&out->line);
    sov_node_json(error, &out->line);
    sov_buf_add_byte(&out->line, '\n');
    write_all(out, STDERR, sov_buf_bytes(&out->line));
    sov_buf_clear(&out->line);
}

/* ---- the result ---- */

void sov_out_data(struct sov_out *out, struct sov_node *data)
{
    out->data = data;
}

static bool is_selected(const struct sov_out *out, const char *key)
{
    size_t size = strlen(key);

    if (!out->fields) return true;
    for (const char *at = out->fields; *at; at += strcspn(at, ",")) {
        at += *at == ',';
        if (strcspn(at, ",") == size && memcmp(at, key, size) == 0) return true;
    }
    return false;
}

static void put_row(struct sov_out *out, const struct sov_node *row)
{
    bool first = true;

    if (!out->fields || row->kind != SOV_NODE_OBJECT) {
        sov_node_json(row, &out->text);
        return;
    }
    sov_buf_add_byte(&out->text, '{');
    for (const struct sov_node *at = row->first; at; at = at->next) {
        if (!is_selected(out, at->key)) continue;
        if (!first) sov_buf_add_byte(&out->text, ',');
        first = false;
        sov_node_json_text(sov_bytes_text(at->key), &out->text);
        sov_buf_add_byte(&out->text, ':');
        sov_node_json(at, &out->text);
    }
    sov_buf_add_byte(&out->text, '}');
}

static void put_head(struct sov_out *out)
{
    sov_buf_printf(&out->text, "{\"schema\":\"%s\",\"data\":", out->schema);
}

void sov_out_item(struct sov_out *out, const struct sov_node *item)
{
    if (!out->streaming) put_head(out);
    sov_buf_add_byte(&out->text, out->streaming ? ',' : '[');
    out->streaming = true;
    put_row(out, item);
    stream(out);
}

static void put_data(struct sov_out *out)
{
    if (out->streaming) {
        sov_buf_add_byte(&out->text, ']');
        return;
    }
    put_head(out);
    if (!out->data) {
        sov_buf_add_text(&out->text, "null");
    } else if (out->data->kind != SOV_NODE_LIST) {
        put_row(out, out->data);
    } else {
        sov_buf_add_byte(&out->text, '[');
        for (const struct sov_node *row = out->data->first; row; row = row->next) {
            if (row != out->data->first) sov_buf_add_byte(&out->text, ',');
            put_row(out, row);
        }
        sov_buf_add_byte(&out->text, ']');
    }
}

static void put_envelope(struct sov_out *out)
{
    char hex[SOV_HEX_HASH + 1];

    put_data(out);
    sov_buf_add_text(&out->text, ",\"warnings\":");
    sov_node_json(out->warnings, &out->text);
    sov_buf_add_text(&out->text, ",\"ledger\":");
    if (out->has_ledger) {
        sov_hex(sov_hash_bytes(&out->ledger_id), hex);
        sov_buf_printf(&out->text, "{\"id\":\"%s\",\"seq\":%lld,", hex, (long long)out->seq);
        sov_hex(sov_hash_bytes(&out->root), hex);
        sov_buf_printf(&out->text, "\"root\":\"%s\"}", hex);
    } else {
        sov_buf_add_text(&out->text, "null");
    }
    sov_buf_add_text(&out->text, "}\n");
}

static bool lost(struct sov_out *out, struct sov_error *err)
{
    if (out->broken) {
        sov_error_set(err, SOV_PIPE, "pipe_closed", "nobody reads the output");
        return false;
    }
    if (!out->committed)
        return sov_fail(err, SOV_UNABLE, "io_error", "the result could not be written");
    sov_error_set(err, SOV_UNABLE, "output_lost",
                  "it was committed as seq %lld, but the result could not be written",
                  (long long)out->committed);
    err->seq = out->committed;
    return false;
}

/* Only where a person sits: at both ends a terminal, and no machine says that it is one. */
static bool page(struct sov_out *out)
{
    const char *pager = sov_env("SOV_PAGER");

    if (!out->paged || !out->terminal || !isatty(STDIN_FILENO) || sov_env("CI")) return false;
    if (!pager) pager = sov_env("PAGER");
    return sov_pager_show(pager ? pager : "less -FRX", sov_buf_bytes(&out->text));
}

bool sov_out_finish(struct sov_out *out, struct sov_error *err)
{
    if (out->json) put_envelope(out);
    if (!sov_buf_whole(&out->text, "the result", err)) return false;
    if (is_file(out)) {
        if (sov_file_replace_named(out->file, 0644, sov_buf_bytes(&out->text), err)) return true;
        return out->committed ? lost(out, err) : false;
    }
    if (out->text.size || out->streaming) {
        if (!out->lost && !page(out)) write_all(out, STDOUT, sov_buf_bytes(&out->text));
        sov_buf_clear(&out->text);
        if (out->lost) return lost(out, err);
    }
    return true;
}

void sov_out_drop(struct sov_out *out)
{
    sov_buf_clear(&out->text);
    sov_buf_clear(&out->line);
    out->data = NULL;
}

bool sov_out_prompt(struct sov_out *out, const char *question, struct sov_error *err)
{
    if (out->no_input || !isatty(0))
        return sov_fail(err, SOV_USAGE, "input_required", "%s", question);
    write_all(out, STDERR, sov_bytes_text(question));
    return true;
}

bool sov_out_ask(struct sov_out *out, const char *question, char *answer_out, size_t room,
                 struct sov_error *err)
{
    size_t size = 0;
    char c;

    if (!sov_out_prompt(out, question, err)) return false;
    while (read(0, &c, 1) == 1 && c != '\n')
        if (size + 1 < room) answer_out[size++] = c;
    answer_out[size] = 0;
    return true;
}
