#ifndef SOV_CLI_PLACES_H
#define SOV_CLI_PLACES_H
/*
 * Where ledger, keys, pins and the working tree are, and whether the place is trusted.
 * Owns: SOV_DIR, XDG folders, git worktrees, the configuration files. Not here: opening a ledger.
 */
#include "base/arena.h"
#include "base/error.h"

struct sov_found {
    const char *base; /* the folder that holds, or would hold, .sovereign; absolute */
    const char *home; /* base/.sovereign */
    const char *tree; /* top of the current working tree: governance/, sovereign.json */
    const char *keys, *pins, *config; /* folders of the user; config: $XDG_CONFIG_HOME/sov */
    const char *looked;               /* where a ledger was looked for, for a message */
    bool there;                       /* a .sovereign folder was found */
};
/* From the current folder. Nothing is created. */
SOV_MUST_USE bool sov_places_find(struct sov_arena *arena, struct sov_found *found_out,
                                  struct sov_error *err);
/* foreign_owner unless the user trusts the folder; *system_out: the word of a file system that is
 * not trusted by itself, NULL if it is. */
SOV_MUST_USE bool sov_places_trust(const struct sov_found *found, struct sov_arena *arena,
                                   const char **system_out, struct sov_error *err);

/* file_unsafe, if that file would lie among what sov keeps itself: the ledger, keys, pins, what is
 * published. Workspaces of runs are not. */
SOV_MUST_USE bool sov_places_output(const struct sov_found *found, const char *file,
                                    struct sov_arena *arena, struct sov_error *err);

/* One key of the configuration: .sovereign/config.json, then the user's, then /etc/sov. Strict
 * JSON; an unknown key is refused with line and column. *value_out NULL: not set; *origin_out: the
 * file. Not for trusted_directories. */
SOV_MUST_USE bool sov_config_get(const struct sov_found *found, const char *key,
                                 struct sov_arena *arena, const char **value_out,
                                 const char **origin_out, struct sov_error *err);
/* Is this folder in the user's or the system's trusted_directories? */
SOV_MUST_USE bool sov_config_trusts(const struct sov_found *found, const char *folder,
                                    struct sov_arena *arena, bool *trusts_out,
                                    struct sov_error *err);
/* Every configuration file is readable, strict and without unknown keys. */
SOV_MUST_USE bool sov_config_check(const struct sov_found *found, struct sov_arena *arena,
                                   struct sov_error *err);
#endif
