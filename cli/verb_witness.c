#include <stdio.h>

#include "base/amount.h"
#include "base/file.h"
#include "base/trust.h"
#include "cli/publish.h"

enum { ANSWER_MAX = 65536, FOLDER_MODE = 0755, FILE_MODE = 0644 };
#define COSIGNED SOV_GOVERNANCE "/cosigned"

static bool policy_of(struct sov_call *call, const struct sov_trust **trust_out,
                      struct sov_error *err)
{
    struct sov_trust *trust = sov_arena_array(call->arena, 1, sizeof *trust);
    const char *file = sov_value_of(call, SOV_FLAG_WITNESSES);
    struct sov_bytes text;

    if (!file)
        return sov_fail(err, SOV_USAGE, "usage", "--witnesses says which logs and witnesses count");
    if (!sov_file_of(call, file, SOV_TRUST_SIZE_MAX, &text, err) ||
        !sov_trust_read(text, trust, err))
        return false;
    *trust_out = trust;
    return true;
}

/* ---- the witness ---- */

/* A policy parts its words by blanks and calls nobody `none`. The name of a ledger may be either;
 * what its origin begins with is one word, and the whole of it another. */
static int policy_name_size(const char *origin)
{
    size_t size = strcspn(origin, "/");

    return (int)(sov_bytes_is(sov_bytes(origin, size), "none") ? strlen(origin) : size);
}

static bool key(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf log = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf witness = { 0 };
    struct sov_node *data = sov_node_object(call->arena);
    struct sov_note_key cosigner, signer = { 0 };
    struct sov_identity identity;
    bool made;

    sov_ledger_identity(call->ledger, &identity);
    snprintf(signer.name, sizeof signer.name, "%s", identity.origin);
    signer.key = identity.key;
    if (!sov_witness_make(call->ledger, &call->seams->random, &cosigner, &made, err)) return false;
    sov_buf_init(&log, SOV_NOTE_SIZE_MAX);
    sov_buf_init(&witness, SOV_NOTE_SIZE_MAX);
    sov_vkey_write(&signer, SOV_KEY_SIGNS, &log);
    sov_vkey_write(&cosigner, SOV_KEY_COSIGNS, &witness);
    sov_add_text(data, "effect", made ? "created" : "noop");
    sov_add_bytes(data, "log", sov_buf_bytes(&log));
    sov_add_bytes(data, "witness", sov_buf_bytes(&witness));
    sov_out_line(call->out, "log %.*s", (int)log.size, (const char *)log.data);
    sov_out_line(call->out, "witness %.*s %.*s", policy_name_size(identity.origin), identity.origin,
                 (int)witness.size, (const char *)witness.data);
    sov_out_data(call->out, data);
    return true;
}

static const char *status_word(int status)
{
    static const struct {
        int status;
        const char *word;
    } words[] = { { 200, "OK" },
                  { 400, "Bad Request" },
                  { 403, "Forbidden" },
                  { 404, "Not Found" },
                  { 409, "Conflict" },
                  { 413, "Content Too Large" },
                  { 422, "Unprocessable Content" } };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].status == status) return words[i].word;
    return "Error";
}

static void answer_give(struct sov_call *call, const struct sov_cosign_answer *answer)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    struct sov_node *data = sov_node_object(call->arena);

    sov_buf_init(&text, ANSWER_MAX);
    sov_buf_printf(&text, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n",
                   answer->status, status_word(answer->status),
                   answer->status == 409 ? "text/x.tlog.size" : "text/plain; charset=utf-8",
                   answer->body.size);
    sov_buf_add(&text, answer->body);
    sov_add_int(data, "status", answer->status);
    sov_add_bytes(data, "body", answer->body);
    sov_out_octets(call->out, sov_buf_bytes(&text));
    sov_out_data(call->out, data);
    call->answer = answer->status == 200 ? SOV_OK : SOV_NO;
}

static bool answer(struct sov_call *call, struct sov_error *err)
{
    struct sov_cosign_answer given = { .status = 413,
                                       .body = sov_bytes_text("a request is shorter\n") };
    const struct sov_trust *trust;
    struct sov_bytes request;

    if (!policy_of(call, &trust, err)) return false;
    if (!sov_file_of(call, "-", SOV_COSIGN_REQUEST_MAX, &request, err)) {
        if (strcmp(err->code, "too_large") != 0) return false;
    } else if (!sov_witness_answer(call->ledger, trust, request, call->seams, call->wait_ms,
                                   call->arena, &given, err)) {
        return false;
    }
    answer_give(call, &given);
    return true;
}

/* ---- the log ---- */

static bool request(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    struct sov_node *data = sov_node_object(call->arena);
    int64_t old, size;

    sov_buf_init(&text, SOV_COSIGN_REQUEST_MAX);
    if (!sov_int_of(call, SOV_FLAG_OLD, 0, SOV_INT_MAX, 0, &old, err) ||
        !sov_published_size(call, &size, err))
        return false;
    if (!size || old > size)
        return sov_fail(err, SOV_ABSENT, "no_such_id", "%s",
                        size ? "that size is not published yet" : "nothing is published yet");
    if (!sov_witness_request(call->ledger, old, size, call->arena, &text, err)) return false;
    sov_add_int(data, "old", old);
    sov_add_int(data, "size", size);
    sov_add_bytes(data, "request", sov_buf_bytes(&text));
    sov_out_octets(call->out, sov_buf_bytes(&text));
    sov_out_data(call->out, data);
    return true;
}

/* What is taken, from the answers and from what was taken before. */
struct taking {
    struct sov_call *call;
    const struct sov_trust *trust;
    struct sov_cosign_request request;
    struct sov_checkpoint checkpoint;
    bool by[2 * SOV_TRUST_ROWS];
    int64_t time[2 * SOV_TRUST_ROWS];
    struct sov_bytes line[2 * SOV_TRUST_ROWS];
    size_t count;
    bool changes;
};

/* Of this very ledger and its log: nobody is asked to vouch for another. */
static bool ours(struct taking *t, struct sov_error *err)
{
    struct sov_call *call = t->call;
    struct sov_signature signature, stored;
    struct sov_checkpoint same;
    int64_t published;
    bool found;

    if (!sov_checkpoint_read(call->ledger, t->request.note, &t->checkpoint, &signature, err) ||
        !sov_published_size(call, &published, err))
        return false;
    if ((int64_t)t->checkpoint.size > published || !t->checkpoint.size)
        return sov_fail(err, SOV_ABSENT, "no_such_id",
                        "the checkpoint of size %llu is not published here",
                        (unsigned long long)t->checkpoint.size);
    if (!sov_checkpoint_at(call->ledger, (int64_t)t->checkpoint.size, &same, &stored, &found, err))
        return false;
    if (!found || same.size != t->checkpoint.size ||
        !sov_hash_equal(&same.root, &t->checkpoint.root))
        return sov_fail(err, SOV_INTEGRITY, "fork",
                        "the checkpoint of size %llu is none of this log",
                        (unsigned long long)t->checkpoint.size);
    return true;
}

static const char http[] = "HTTP/";

static bool has_head(struct sov_bytes answer)
{
    return answer.size >= sizeof http - 1 && memcmp(answer.data, http, sizeof http - 1) == 0;
}

static bool digit(uint8_t octet)
{
    return octet >= '0' && octet <= '9';
}

/* Takes one head off: `HTTP/` digit [`.` digit] SP three digits, whatever they mean. 0: there is
 * none. Its end is looked for first: what stands there is nothing that a head goes on with. */
static int head_cut(struct sov_bytes *rest)
{
    const uint8_t *at, *end;
    int status = 0;

    if (!has_head(*rest)) return 0;
    at = rest->data + sizeof http - 1;
    end = memmem(rest->data, rest->size, "\r\n\r\n", 4);
    if (!end || !digit(*at++)) return 0;
    if (at[0] == '.' && digit(at[1])) at += 2;
    if (*at++ != ' ') return 0;
    for (int i = 0; i < 3; i++, at++) {
        if (!digit(*at)) return 0;
        status = status * 10 + (*at - '0');
    }
    if (*at != ' ' && *at != '\r') return 0;
    *rest = sov_bytes(end + 4, rest->size - (size_t)(end + 4 - rest->data));
    return status;
}

/* The body of an answer: behind the head of HTTP if there is one, and behind those that only
 * announce it. 0: the head is none. */
static int status_of(struct sov_bytes answer, struct sov_bytes *body_out)
{
    int status;

    *body_out = answer;
    if (!has_head(answer)) return 200;
    do {
        status = head_cut(body_out);
    } while (status >= 100 && status < 200);
    return status;
}

/* How many witnesses of the policy the lines name, believed or not. */
static size_t lines_take(struct taking *t, const char *name, struct sov_bytes lines)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
    size_t named = 0;

    sov_buf_init(&note, SOV_NOTE_SIZE_MAX + ANSWER_MAX);
    sov_buf_add(&note, t->request.note);
    sov_buf_add(&note, lines);
    for (size_t i = 0; i < t->trust->count; i++) {
        const struct sov_truster *witness = &t->trust->at[i];
        struct sov_bytes line;
        int64_t time_s;

        if (witness->is_group) continue;
        switch (sov_cosign_find(sov_buf_bytes(&note), &witness->key, &time_s, &line)) {
        case SOV_COSIGNED_NOT:
            break;
        case SOV_COSIGNED_FALSELY:
            named++;
            sov_out_note(t->call->out, "%s: not believed, for witness %s", name, witness->name);
            break;
        case SOV_COSIGNED:
            named++;
            if (t->by[i] && time_s <= t->time[i]) continue;
            if (!t->by[i]) t->count++;
            t->by[i] = true;
            t->time[i] = time_s;
            t->line[i] = sov_arena_bytes(t->call->arena, line);
        }
    }
    return named;
}

static bool answers_take(struct taking *t, struct sov_error *err)
{
    struct sov_call *call = t->call;

    for (size_t i = 1; i < call->word_count; i++) {
        struct sov_bytes file, body;
        int status;

        if (!sov_file_of(call, call->words[i], ANSWER_MAX, &file, err)) return false;
        status = status_of(file, &body);
        if (status == 200) {
            if (!lines_take(t, call->words[i], body))
                sov_out_note(call->out, "%s: nothing of a witness that the policy names",
                             call->words[i]);
        } else if (status == 409) {
            sov_out_note(call->out, "%s: cosigned last at %.*s; ask again with --old",
                         call->words[i], body.size && body.size < 20 ? (int)body.size - 1 : 0,
                         (const char *)body.data);
        } else if (!status) {
            sov_out_note(call->out, "%s: no answer of HTTP", call->words[i]);
        } else {
            sov_out_note(call->out, "%s: answered %d", call->words[i], status);
        }
    }
    return true;
}

/* Of a witness that this policy does not know, but another one may ask for. */
static bool is_anothers(const struct taking *t, struct sov_bytes line)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
    struct sov_bytes same;
    int64_t time_s;

    sov_buf_init(&note, 2 * SOV_NOTE_SIZE_MAX);
    sov_buf_add(&note, t->request.note);
    sov_buf_add(&note, line);
    for (size_t i = 0; i < t->trust->count; i++)
        if (!t->trust->at[i].is_group && sov_cosign_find(sov_buf_bytes(&note), &t->trust->at[i].key,
                                                         &time_s, &same) != SOV_COSIGNED_NOT)
            return false;
    return true;
}

/* What was taken under another policy stays. */
static void others_keep(const struct taking *t, struct sov_bytes before, struct sov_buf *note)
{
    size_t at = t->request.note.size;

    while (at < before.size) {
        const uint8_t *end = memchr(before.data + at, '\n', before.size - at);
        struct sov_bytes line = sov_bytes(
            before.data + at, end ? (size_t)(end - before.data) + 1 - at : before.size - at);

        if (is_anothers(t, line)) sov_buf_add(note, line);
        at += line.size;
    }
}

static bool write(struct taking *t, const struct sov_folder *tree, const char *path,
                  struct sov_bytes before, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };

    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    sov_buf_add(&note, t->request.note);
    for (size_t i = 0; i < t->trust->count; i++)
        if (t->by[i]) sov_buf_add(&note, t->line[i]);
    others_keep(t, before, &note);
    if (!sov_buf_whole(&note, "the cosigned checkpoint", err)) return false;
    t->changes = !sov_bytes_equal(sov_buf_bytes(&note), before);
    return !t->changes || sov_given(t->call, SOV_FLAG_DRY_RUN) ||
           (sov_folder_make(tree, COSIGNED, FOLDER_MODE, err) &&
            sov_file_replace(tree, path, FILE_MODE, sov_buf_bytes(&note), err));
}

static void taken_say(struct taking *t, const char *path)
{
    struct sov_node *data = sov_node_object(t->call->arena), *list;
    bool dry = sov_given(t->call, SOV_FLAG_DRY_RUN);

    sov_add_int(data, "size", (int64_t)t->checkpoint.size);
    sov_add_text(data, "effect", !t->changes ? "noop" : dry ? "would" : "created");
    sov_add_text(data, "path", path);
    list = sov_add_list(data, "witnesses");
    for (size_t i = 0; i < t->trust->count; i++)
        if (t->by[i]) sov_add_text(list, NULL, t->trust->at[i].name);
    sov_out_line(t->call->out, "%s %s, cosigned by %zu of %zu", path,
                 !t->changes ? "stays as it is"
                 : dry       ? "would be written"
                             : "written",
                 t->count, t->trust->witnesses);
    sov_out_data(t->call->out, data);
}

static bool take(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder tree = { 0 };
    struct taking t = { .call = call };
    struct sov_bytes file, before = sov_bytes(NULL, 0);
    const char *path;

    if (!policy_of(call, &t.trust, err) ||
        !sov_file_of(call, call->words[0], SOV_COSIGN_REQUEST_MAX, &file, err))
        return false;
    if (!sov_cosign_request_read(file, &t.request))
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no request", call->words[0]);
    if (!ours(&t, err) || !sov_folder_open(&tree, call->found.tree, err)) return false;
    path = sov_arena_printf(call->arena, COSIGNED "/%llu", (unsigned long long)t.checkpoint.size);
    if (sov_file_read(&tree, path, SOV_NOTE_SIZE_MAX, call->arena, &before, err)) {
        if (before.size < t.request.note.size ||
            memcmp(before.data, t.request.note.data, t.request.note.size) != 0)
            return sov_fail(err, SOV_INTEGRITY, "fork",
                            "%s holds another checkpoint of this size: it is kept as evidence",
                            path);
        (void)lines_take(
            &t, path,
            sov_bytes(before.data + t.request.note.size, before.size - t.request.note.size));
    } else if (err->exit != SOV_ABSENT) {
        return false;
    }
    if (!answers_take(&t, err)) return false;
    if (!sov_trust_holds(t.trust, t.by))
        return sov_fail(err, SOV_UNABLE, "witness_unavailable",
                        "%zu of %zu witnesses cosigned the checkpoint of size %llu, and the policy "
                        "asks for others or more",
                        t.count, t.trust->witnesses, (unsigned long long)t.checkpoint.size);
    if (!write(&t, &tree, path, before, err)) return false;
    taken_say(&t, path);
    return true;
}

static const struct sov_form forms[] = {
    { "key", key, SOV_READS | SOV_OUTSIDE_RUN, 0, 0, "",
      "make the key of this ledger's witness, once, and print the lines of a policy",
      "effect:s log:s witness:s", "", "sov witness key", NULL },
    { "answer", answer, SOV_READS | SOV_OUTSIDE_RUN, 0, 0, "--witnesses FILE",
      "as a witness: one request on standard input, one answer on standard output",
      "status:i body:s",
      "1 it was not cosigned: the answer says why\n4 the key file can be read by others\n"
      "7 what was cosigned last is damaged, or its folder gone: witness_state",
      "sov witness answer --witnesses FILE", NULL },
    { "request", request, SOV_READS, 0, 0, "[--old N]",
      "print what is sent to a witness: the newest published checkpoint, as grown from size N",
      "old:i size:i request:s", "6 the log does not give its own roots",
      "sov witness request\nsov witness request --old 12 -o request", NULL },
    { "take", take, SOV_READS | SOV_DRY | SOV_OUTSIDE_RUN, 1, 33,
      "REQUEST [ANSWER]... --witnesses FILE",
      "publish the cosignatures of the answers, if they are as many as the policy asks for",
      "size:i effect:s path:s witnesses:a",
      "6 the request is of another log\n7 too few: witness_unavailable, and nothing is written",
      "sov witness take request answer-of-b --witnesses FILE", NULL },
};
static const struct sov_verb verb = {
    "witness",
    "cosignatures: that others saw this log grow, and no other",
    "A witness cosigns a checkpoint (C2SP tlog-witness, tlog-cosignature) only if it grew from "
    "the\n"
    "one that it cosigned last; it never signs two roots of one size, nor a smaller size. Two\n"
    "departments witness each other: each prints its lines with key, both put them into a policy\n"
    "(C2SP tlog-policy: log, witness, group and quorum lines), and then, with the policy in w:\n"
    "  sov witness request -o r; ssh b sov witness answer --witnesses w <r >a\n"
    "  sov witness take r a --witnesses w; git add governance\n"
    "An answer is one of HTTP, so that `curl -i` to another witness does as well. One that says "
    "409\n"
    "names the size it cosigned last: request again with --old. No verb opens a connection.\n"
    "The key lies beside the ledger key, and beside it what was cosigned last: keep both together.",
    forms,
    sizeof forms / sizeof *forms,
    SOV_GROUP_JUDGE
};

const struct sov_verb *sov_verb_witness(void)
{
    return &verb;
}
