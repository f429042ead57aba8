#ifndef SOV_PROJECTIONS_TREE_H
#define SOV_PROJECTIONS_TREE_H
/*
 * What lies under governance/: the folder itself, the segments and checkpoints that its names tell
 * of, what a crash left behind. Owns: these names. Not here: what views say, comparing, writing.
 */
#include "projections/projections.h"

enum { SOV_TREE_NAMES_MAX = 4 << 20, SOV_FILE_MODE = 0644, SOV_FOLDER_MODE = 0755 };
/* What a file of ours has none of. Of a mode git carries only whether a file can be executed; who
 * else may read or write it is the umask of whoever checked it out. */
enum { SOV_MODE_WRONG = 07111 };

/* The folders beneath governance/, "" for itself; views and blobs first, NULL at the end. */
enum { SOV_TREE_FOLDERS = 10 };
const char *sov_tree_folder(size_t n);
bool sov_tree_is_log(size_t n); /* log/, checkpoints/, cosigned/: no views */

struct sov_tree {
    struct sov_folder top;              /* governance/; open if it is there */
    const struct sov_segment *segments; /* by first, then last */
    size_t segment_count;
    const int64_t *checkpoints; /* ascending */
    size_t checkpoint_count;
    const char **leftovers; /* temporary files, beneath governance/ */
    size_t leftover_count;
    const char **cosigned; /* paths in cosigned/, whatever their names */
    size_t cosigned_count;
    const char **strange; /* in log/ and checkpoints/, no names of ours */
    size_t strange_count;
    bool there; /* there is a checkpoint: size and root are its own, its signature was verified */
    int64_t size;
    struct sov_hash root;
};
/* Looks for temporary files in every folder if `everywhere`, else in log/ and checkpoints/ alone.
 * Fails as sov_publication_state. */
SOV_MUST_USE bool sov_tree_open(struct sov_tree *tree, const struct sov_ledger *ledger,
                                const struct sov_folder *top, bool everywhere,
                                struct sov_arena *arena, struct sov_error *err);
/* The names alone: no checkpoint is read. */
SOV_MUST_USE bool sov_tree_list(struct sov_tree *tree, const struct sov_folder *top,
                                bool everywhere, struct sov_arena *arena, struct sov_error *err);
void sov_tree_close(struct sov_tree *tree); /* for SOV_CLEANUP */
bool sov_tree_interrupted(const struct sov_tree *tree);
/* The names in a folder, none if it is not there; and the path of one of them. */
SOV_MUST_USE bool sov_tree_names(const struct sov_tree *tree, size_t folder,
                                 struct sov_arena *arena, struct sov_listing *names_out,
                                 struct sov_error *err);
const char *sov_tree_path(size_t folder, const char *name, struct sov_arena *arena);
/* "123", from 1 on, without a sign or a leading zero; 0: it is none. */
int64_t sov_tree_number(struct sov_bytes text);

/* Digests of the small deliverables that a view points to, each once: of a SOW, else none. */
struct sov_quoted {
    const struct sov_hash *at; /* still there */
    size_t count;
    const struct sov_hash *erased;
    size_t erased_count;
};
SOV_MUST_USE bool sov_view_quoted(const struct sov_ledger *ledger, const struct sov_view *view,
                                  struct sov_arena *arena, struct sov_quoted *quoted_out,
                                  struct sov_error *err);
const char *sov_blob_path(const struct sov_hash *digest, struct sov_arena *arena);

/* ---- which names there must be (census.c) ---- */
struct sov_census {
    struct sov_actors actors;
    int64_t counted[SOV_VIEW_KIND_COUNT]; /* of numbered views */
    struct sov_hash *blobs;               /* sorted */
    size_t blob_count, blob_room;
};
SOV_MUST_USE bool sov_census_take(struct sov_census *census, const struct sov_ledger *ledger,
                                  struct sov_arena *arena, struct sov_error *err);
/* Of folders that are not the log's. */
bool sov_census_has(const struct sov_census *census, size_t folder, const char *name);

/* ---- segments (segment.c) ---- */
/* Writes the events of [first, last] as segments through `put`, in order. */
struct sov_put;
SOV_MUST_USE bool sov_segments_put(const struct sov_ledger *ledger, int64_t first, int64_t last,
                                   struct sov_put *put, struct sov_error *err);

/* ---- files (put.c) ---- */
struct sov_paths {
    const char **at;
    size_t count, room;
};
void sov_paths_add(struct sov_paths *paths, const char *path, struct sov_arena *arena);
bool sov_paths_have(const struct sov_paths *paths, const char *path);
struct sov_put {
    const struct sov_folder *top; /* holds governance/ */
    struct sov_folder governance;
    bool dry;
    struct sov_arena *arena;           /* of the paths */
    struct sov_paths written, removed; /* with governance/ before them */
    struct sov_paths segments;         /* beneath it, written or there already */
    unsigned made;                     /* folders known to be there, one bit each */
};
SOV_MUST_USE bool sov_put_begin(struct sov_put *put, const struct sov_folder *top, bool dry,
                                struct sov_arena *arena, struct sov_error *err);
void sov_put_end(struct sov_put *put); /* for SOV_CLEANUP */
/* A file beneath governance/, if it is not that already: bytes, mode, a regular file. */
SOV_MUST_USE bool sov_put_file(struct sov_put *put, const char *path, struct sov_bytes bytes,
                               struct sov_error *err);
SOV_MUST_USE bool sov_put_remove(struct sov_put *put, const char *path, struct sov_error *err);
#endif
