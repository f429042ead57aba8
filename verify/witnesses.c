/* Cosigned checkpoints in the tree: what a witness that the caller knows saw of this log is an
 * anchor, whoever holds the ledger key. */
#include <string.h>

#include "verify/judge.h"

static const char folder[] = SOV_GOVERNANCE "/cosigned";

static void finding(struct sov_judge *judge, enum sov_class class, const char *kind,
                    const char *path, const char *message)
{
    struct sov_finding found = {
        .class = class, .kind = kind, .path = path, .line = path ? 1 : 0, .message = message
    };

    sov_report_add(judge->report, SOV_STEP_ANCHORS, &found);
}

/* Whoever writes the tree puts there what he likes: of that nothing may hide what else is known. */
static bool is_of_the_tree(struct sov_judge *judge, const char *path, const struct sov_error *why)
{
    if (strcmp(why->code, "file_unsafe") != 0 && strcmp(why->code, "too_large") != 0) return false;
    finding(judge, SOV_CLASS_TAMPER, "cosigned", path, why->what);
    return true;
}

/* One file: true if the witnesses beneath it are as many as are asked for. */
static bool look(struct sov_judge *judge, const char *path, struct sov_bytes note)
{
    const struct sov_trust *trust = judge->options->witnesses;
    struct sov_arena *arena = judge->report->arena;
    bool by[2 * SOV_TRUST_ROWS] = { false };
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_error why = { 0 };
    size_t count = 0;

    if (!sov_checkpoint_read(judge->ledger, note, &checkpoint, &signature, &why)) {
        finding(judge, strcmp(why.code, "fork") == 0 ? SOV_CLASS_FORK : SOV_CLASS_TAMPER,
                "cosigned", path, sov_arena_printf(arena, "%s", why.what));
        return false;
    }
    for (size_t i = 0; i < trust->count; i++) {
        enum sov_cosigned cosigned;
        struct sov_bytes line;
        int64_t time_s;

        if (trust->at[i].is_group) continue;
        cosigned = sov_cosign_find(note, &trust->at[i].key, &time_s, &line);
        by[i] = cosigned == SOV_COSIGNED;
        count += by[i];
        if (cosigned == SOV_COSIGNED_FALSELY)
            finding(judge, SOV_CLASS_TAMPER, "cosignature", path,
                    sov_arena_printf(arena, "the cosignature of witness %s does not hold",
                                     trust->at[i].name));
    }
    if (!count) return false;
    sov_known_add(judge,
                  &(struct sov_known){ .kind = "witness",
                                       .name = sov_arena_printf(
                                           arena, "a checkpoint that %zu of %zu witnesses cosigned",
                                           count, trust->witnesses),
                                       .size = (int64_t)checkpoint.size,
                                       .root = checkpoint.root });
    return sov_trust_holds(trust, by);
}

bool sov_witnesses_gather(struct sov_judge *judge, struct sov_error *err)
{
    const struct sov_verify_options *options = judge->options;
    struct sov_arena *arena = judge->report->arena;
    struct sov_listing names = { .count = 0 };
    struct sov_file_facts facts;
    bool enough = false, whole = true;

    if (!options->witnesses || !options->clone) return true;
    if (!sov_file_facts(options->clone, folder, &facts, err) ||
        (facts.type != SOV_FILE_ABSENT &&
         !sov_folder_names(options->clone, folder, SOV_COSIGNED_MAX, arena, &names, err)))
        if (!is_of_the_tree(judge, folder, err)) return false;
    for (size_t i = 0; i < names.count; i++) {
        const char *path = sov_arena_printf(arena, "%s/%s", folder, names.name[i]);
        struct sov_error why = { 0 };
        struct sov_bytes note;

        if (sov_file_is_leftover(names.name[i])) continue;
        if (sov_file_read(options->clone, path, SOV_NOTE_SIZE_MAX, arena, &note, &why)) {
            enough |= look(judge, path, note);
        } else if (!is_of_the_tree(judge, path, &why)) {
            *err = why;
            whole = false;
        }
    }
    if (whole && !enough && !options->witnesses->nobody)
        finding(judge, SOV_CLASS_UNANCHORED, "quorum", NULL,
                "no checkpoint was cosigned by as many witnesses as the policy asks for");
    return whole;
}
