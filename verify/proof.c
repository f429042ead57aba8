/* A proof, judged from its own octets and what the caller knows of the ledger. */
#include "verify/proof.h"

#include <stdio.h>
#include <string.h>

struct judging {
    const struct sov_proof_options *options;
    struct sov_arena *arena;
    struct sov_report *report;
    struct sov_tree_proof proof;
    struct sov_identity identity;
    struct sov_bytes event; /* octets of the event that is proven */
    struct sov_checkpoint older, newer;
    struct sov_proven proven;
};

static bool no(struct judging *j, enum sov_step_id step, enum sov_class class, const char *kind,
               int64_t seq, const char *message)
{
    sov_report_event(j->report, step, class, kind, seq, "%s", message);
    return false;
}

/* Event 1, and for another event that one: whole lines and nothing beside them. */
static bool extra_split(struct judging *j)
{
    bool alone = j->proof.kind == SOV_PROOF_CONSISTENCY || j->proof.index == 0;
    struct sov_bytes lines[2] = { 0 }, rest = j->proof.extra;
    struct sov_error err = { 0 };
    size_t count = 0;

    while (rest.size && count < 2) {
        const uint8_t *end = memchr(rest.data, '\n', rest.size);

        if (!end) break;
        lines[count] = sov_bytes(rest.data, (size_t)(end - rest.data));
        rest = sov_bytes(end + 1, rest.size - lines[count].size - 1);
        count++;
    }
    if (rest.size || count != (alone ? 1U : 2U))
        return no(j, SOV_STEP_FILE, SOV_CLASS_TAMPER, "extra", 0,
                  "the extra data is not event 1 and the event, one a line");
    if (!sov_identity_read(lines[0], j->arena, &j->identity, &err))
        return no(j, SOV_STEP_FILE, SOV_CLASS_TAMPER, "founding", 1, err.what);
    j->event = lines[count - 1];
    j->report->ledger_id = j->identity.id;
    return true;
}

/* The signature alone does not do: the origin line is what says of which log the root is. */
static bool note_holds(struct judging *j, struct sov_bytes note, struct sov_checkpoint *out)
{
    struct sov_note_key key = { .key = j->identity.key };
    struct sov_signature signature;
    struct sov_error err = { 0 };

    snprintf(key.name, sizeof key.name, "%s", j->identity.origin);
    j->report->steps[SOV_STEP_SIGNATURES].checked++;
    if (!sov_note_read(note, &key, out, &signature, &err))
        return no(j, SOV_STEP_SIGNATURES, SOV_CLASS_TAMPER, "checkpoint_signature", 0, err.what);
    if (strcmp(out->origin, j->identity.origin) != 0)
        return no(j, SOV_STEP_SIGNATURES, SOV_CLASS_TAMPER, "checkpoint_origin", 0,
                  "the checkpoint is of another log");
    return true;
}

static bool event_stands(struct judging *j)
{
    struct sov_hash leaf = sov_leaf_hash(j->event);
    struct sov_error err = { 0 };
    int64_t seq = (int64_t)j->proof.index + 1;

    if (!sov_inclusion_holds(&leaf, j->proof.index, j->newer.size, &j->newer.root, j->proof.hashes,
                             j->proof.count))
        return no(j, SOV_STEP_TREE, SOV_CLASS_TAMPER, "inclusion", seq,
                  "the hashes do not lead from the event to the root of the checkpoint");
    sov_report_ran(j->report, SOV_STEP_TREE, 1);
    if (!sov_event_decode(j->event, &j->proven.event, &err))
        return no(j, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, "event", seq, err.what);
    if (j->proven.event.seq != seq)
        return no(j, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, "seq", seq,
                  "the event names another place than the one it is proven for");
    sov_report_ran(j->report, SOV_STEP_REGISTRY, 1);
    return true;
}

static bool prefix_stands(struct judging *j)
{
    if (!sov_consistency_holds(j->older.size, &j->older.root, j->newer.size, &j->newer.root,
                               j->proof.hashes, j->proof.count))
        return no(j, SOV_STEP_TREE, SOV_CLASS_TAMPER, "consistency", 0,
                  "the hashes do not show the older checkpoint to be a prefix of the newer one");
    sov_report_ran(j->report, SOV_STEP_TREE, 1);
    return true;
}

static void anchor_add(struct sov_report *report, const struct sov_pin *pin, const char *result)
{
    report->anchors[report->anchor_count++] =
        (struct sov_anchor){ "pin", pin->size, pin->root, result };
}

/* A pin of the same size as a checkpoint says its root; of any size, which ledger is known. */
static bool pin_agrees(struct judging *j, bool *anchored_out)
{
    const struct sov_checkpoint *known[] = { &j->newer, &j->older };
    const char *result = "of this ledger";
    struct sov_error err = { 0 };
    struct sov_pin pin;
    bool found;

    if (!j->options->pins) return true;
    if (!sov_pin_read(j->options->pins, &j->identity.id, j->arena, &pin, &found, &err)) {
        sov_report_unable(j->report, SOV_STEP_ANCHORS, &err);
        return false;
    }
    if (!found) return true;
    j->report->steps[SOV_STEP_ANCHORS].checked++;
    if (!j->report->identity) j->report->identity = "pinned";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i]->size != (uint64_t)pin.size) continue;
        if (!sov_hash_equal(&known[i]->root, &pin.root)) {
            anchor_add(j->report, &pin, "another root");
            return no(j, SOV_STEP_ANCHORS, SOV_CLASS_FORK, "pin", pin.size,
                      "the pin holds another root of the same size");
        }
        result = "this very checkpoint";
    }
    anchor_add(j->report, &pin, result);
    *anchored_out = true;
    return true;
}

static bool anchors_agree(struct judging *j)
{
    bool anchored = false;

    if (j->options->ledger_id) {
        j->report->identity = "as asked";
        j->report->steps[SOV_STEP_ANCHORS].checked++;
        if (!sov_hash_equal(j->options->ledger_id, &j->identity.id))
            return no(j, SOV_STEP_ANCHORS, SOV_CLASS_FORK, "ledger_id", 1,
                      "this is of another ledger than asked for");
        anchored = true;
    }
    if (!pin_agrees(j, &anchored)) return false;
    if (!j->report->identity) j->report->identity = "trusted on first use";
    if (!anchored)
        return no(j, SOV_STEP_ANCHORS, SOV_CLASS_UNANCHORED, "no_anchor", 0,
                  "neither --ledger-id nor a pin says that this is the ledger");
    sov_report_ran(j->report, SOV_STEP_ANCHORS, 0);
    return true;
}

static void judge(struct judging *j, struct sov_bytes file)
{
    struct sov_report *report = j->report;
    struct sov_error err = { 0 };
    bool between;

    if (!sov_proof_read(file, j->arena, &j->proof, &err)) {
        no(j, SOV_STEP_FILE, SOV_CLASS_TAMPER, "form", 0, err.what);
        return;
    }
    if (!extra_split(j)) return;
    sov_report_ran(report, SOV_STEP_FILE, 1);
    between = j->proof.kind == SOV_PROOF_CONSISTENCY;
    if (between) report->steps[SOV_STEP_REGISTRY].result = SOV_STEP_NOT_ASKED;
    if (!note_holds(j, j->proof.note, &j->newer) ||
        (between && !note_holds(j, j->proof.old_note, &j->older)))
        return;
    sov_report_ran(report, SOV_STEP_SIGNATURES, 0);
    if (!(between ? prefix_stands(j) : event_stands(j))) return;
    report->known = true;
    report->size = (int64_t)j->newer.size;
    report->root = j->newer.root;
    j->proven.kind = j->proof.kind;
    j->proven.size = report->size;
    j->proven.root = report->root;
    j->proven.old_size = (int64_t)j->older.size;
    j->proven.old_root = j->older.root;
    anchors_agree(j);
}

void sov_proof_judge(struct sov_bytes file, const struct sov_proof_options *options,
                     struct sov_arena *arena, struct sov_report *report_out,
                     struct sov_proven *proven_out)
{
    struct judging j = { .options = options, .arena = arena, .report = report_out };

    *report_out = (struct sov_report){ .arena = arena, .mode = "proof" };
    for (enum sov_step_id step = 0; step < SOV_STEP_COUNT; step++)
        if (step != SOV_STEP_FILE && step != SOV_STEP_SIGNATURES && step != SOV_STEP_TREE &&
            step != SOV_STEP_ANCHORS && step != SOV_STEP_REGISTRY)
            report_out->steps[step].result = SOV_STEP_NOT_ASKED;
    judge(&j, file);
    sov_report_close(report_out, options->no_anchor);
    *proven_out = j.proven;
}
