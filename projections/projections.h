#ifndef SOV_PROJECTIONS_PROJECTIONS_H
#define SOV_PROJECTIONS_PROJECTIONS_H
/*
 * Views: what a reader of governance/ gets to see, and how that folder is kept (cli.md 4 and 5,
 * log.md 5). Owns: which event touches which view, how each view renders, publication, comparison.
 * Not here: events (ledger/), the verdict on what differs (verify/), the pin (ledger/pin.h, moved
 * by the caller after a publication).
 *
 * A view is a pure function of the events that touch its entity: no clock, no locale, no host, no
 * content of a blob. All paths are relative to the folder that holds governance/
 * ("governance/..."), but those of documents, which are beneath it ("sows/SOW-7.md").
 */
#include "base/fingerprint.h"
#include "ledger/ledger.h"

#define SOV_GOVERNANCE "governance"

enum { SOV_RENDERER = 1, SOV_QUOTED_MAX = 4096 };

enum sov_view_kind {
    SOV_VIEW_README,
    SOV_VIEW_ATTRIBUTES, /* .gitattributes */
    SOV_VIEW_POLICY,
    SOV_VIEW_ACTOR,
    SOV_VIEW_OUTCOME,
    SOV_VIEW_SOW,
    SOV_VIEW_RULING,
    SOV_VIEW_APPROVAL,
    SOV_VIEW_KIND_COUNT
};
struct sov_view {
    enum sov_view_kind kind;
    int64_t n;      /* of a numbered one, else 0 */
    const char *id; /* of an actor, else NULL */
};
struct sov_views {
    const struct sov_view *at;
    size_t count;
};
/* One file of a view. */
struct sov_document {
    const char *path; /* beneath governance/ */
    struct sov_bytes bytes;
    struct sov_fingerprint fingerprint;
    int64_t last_event; /* the newest event that touches the view; 0: of .gitattributes */
};
struct sov_documents {
    const struct sov_document *at;
    size_t count;
};

/* ---- rendering, at the size of the handle: the ledger itself, or one of sov_ledger_fold_to ----
 */

/* The view of an id ("SOW-7", an actor's id) or of a word ("readme", "policy"), if it has one. */
SOV_MUST_USE bool sov_view_find(const struct sov_ledger *ledger, const char *id,
                                struct sov_arena *arena, struct sov_view *view_out, bool *found_out,
                                struct sov_error *err);
/* "sows/SOW-7.md" or, with `json`, "sows/SOW-7.json". */
const char *sov_view_path(const struct sov_view *view, bool json, struct sov_arena *arena);
/* Its files, Markdown first, into the arena; each Markdown page was judged (view_unsafe). Fails
 * no_such_id if there is no such entity. */
SOV_MUST_USE bool sov_view_render(const struct sov_ledger *ledger, const struct sov_view *view,
                                  struct sov_arena *arena, struct sov_documents *documents_out,
                                  struct sov_error *err);
/* The views whose bytes an event may change, each once; none for most heartbeats and signals. */
SOV_MUST_USE bool sov_view_touched(const struct sov_ledger *ledger, const struct sov_event *event,
                                   struct sov_arena *arena, struct sov_views *views_out,
                                   struct sov_error *err);
/* Every view there is, one by one, in a fixed order: memory for one page at a time. */
struct sov_view_walk {
    const struct sov_ledger *ledger;
    enum sov_view_kind kind;
    struct sov_arena *arena;
    int64_t n;                /* how many of this kind there were */
    struct sov_actors actors; /* in the arena handed to begin */
};
SOV_MUST_USE bool sov_view_walk_begin(struct sov_view_walk *walk, const struct sov_ledger *ledger,
                                      struct sov_arena *arena, struct sov_error *err);
SOV_MUST_USE bool sov_view_walk_next(struct sov_view_walk *walk, struct sov_view *view_out,
                                     bool *found_out, struct sov_error *err);
/* All documents at once, by path: for small ledgers and tests. */
SOV_MUST_USE bool sov_tree_render(const struct sov_ledger *ledger, struct sov_arena *arena,
                                  struct sov_documents *documents_out, struct sov_error *err);

/* The same pages as sections of one HTML file, for somebody without the tree (html.c): their
 * contents before them, behind them the signed checkpoint and the commands that check it. No
 * script, nothing fetched; equal octets for equal logs. */
struct sov_html_request {
    struct sov_views of;   /* these, what their pages link to, the SOWs of every term, the actors of
                              those; none: all */
    const char *about;     /* the REF that `of` came from: of names and numbers; NULL: all */
    struct sov_bytes note; /* the signed checkpoint of the handle's size */
    /* Takes the octets, piece by piece. */
    bool (*give)(void *context, struct sov_bytes octets, struct sov_error *err);
    void *context;
};
SOV_MUST_USE bool sov_view_html(const struct sov_ledger *ledger,
                                const struct sov_html_request *request, int64_t *pages_out,
                                struct sov_error *err);

/* Text from outside for a line or a cell of Markdown that is no page, cut and escaped as on one. */
void sov_view_inline(struct sov_bytes text, struct sov_buf *out);

/* Of two versions of one file of a view, the one that later events made (merge.c): both of the same
 * renderer, a page with the digest of what is above its last line. It says nothing of whether the
 * file is true; NEITHER if it cannot be told. */
enum sov_merged { SOV_MERGED_OURS, SOV_MERGED_THEIRS, SOV_MERGED_NEITHER };
enum sov_merged sov_view_merge(struct sov_bytes ours, struct sov_bytes theirs);

/* ---- publication ---- */

/* What lies in a tree, told from the names of its checkpoints and segments. */
struct sov_publication {
    bool there;           /* there is a checkpoint */
    int64_t size;         /* the published size: that of the newest checkpoint; 0: none */
    struct sov_hash root; /* its root; its signature is the ledger key's */
    bool interrupted;     /* a segment beyond it, or a temporary file left behind */
};
/* Fails file_unsafe (4: governance/ or a folder of it is a link), checkpoint_invalid (6), fork (6:
 * the checkpoint is another ledger's). Nothing is compared with the log. `top` holds governance/.
 */
SOV_MUST_USE bool sov_publication_state(const struct sov_ledger *ledger,
                                        const struct sov_folder *top, struct sov_arena *arena,
                                        struct sov_publication *publication_out,
                                        struct sov_error *err);

enum sov_publishing {
    SOV_PUBLISH,        /* up to the head: segment, blobs, views, checkpoint */
    SOV_PUBLISH_RESTORE /* every view again at the published size, what does not belong among them
                           removed; no segment, no checkpoint */
};
struct sov_publish_options {
    enum sov_publishing what;
    bool dry;        /* decides and counts, writes nothing at all */
    int64_t wait_ms; /* for another publication of the same ledger: busy (7) */
};
struct sov_published {
    int64_t size, before;       /* published size now, and as it was found; 0: none */
    int64_t events;             /* published by this call */
    const char *const *written; /* paths written, in order; of a dry call: that would be */
    size_t written_count;
    const char *const *removed; /* left-over temporary files, segments that a crash left, strangers
                                   among the views */
    size_t removed_count;
};
/* Files that are equal already are left alone; with nothing new every view is looked at, else only
 * those that the new events touch. An interrupted publication is finished on the way. Fails, before
 * any file is touched: rollback (6: more is published than this ledger holds), fork (6: another
 * root at the published size, or another ledger), absent (3: nothing is published to restore), and
 * as sov_publication_state. The caller moves the pin. */
SOV_MUST_USE bool sov_publish(const struct sov_ledger *ledger, const struct sov_folder *top,
                              const struct sov_publish_options *options, struct sov_arena *arena,
                              struct sov_published *published_out, struct sov_error *err);

/* ---- a clone: the published log as a ledger in memory (clone.c) ---- */

/* What is wrong with it by itself; the names are those of findings. */
#define SOV_FLAWS(X)                                                                               \
    X(GAP, "gap")               /* an event is in no segment: what follows it is not read */       \
    X(LINE, "line")             /* a line is no event, or there are others than the name says */   \
    X(FORK, "differs")          /* two segments hold other octets for one event */                 \
    X(ENDINGS, "line_endings")  /* CR LF: a checkout changed it; read as if it were not so */      \
    X(UNSAFE, "link")           /* a link, or no regular file */                                   \
    X(CHECKPOINT, "checkpoint") /* a checkpoint that is none, or not signed by the ledger's key */ \
    X(FOREIGN, "another_ledger") /* a checkpoint of another ledger */                              \
    X(FOLD, "fold")              /* an event that cannot be folded: the first of them */
enum sov_flaw_kind {
#define X(name, word) SOV_FLAW_##name,
    SOV_FLAWS(X)
#undef X
};
const char *sov_flaw_word(enum sov_flaw_kind kind);
/* Borrowed for the call; texts of files are hostile, cut at 300 octets. */
struct sov_flaw {
    enum sov_flaw_kind kind;
    const char *path;  /* "governance/log/1-12.jsonl" */
    int64_t line, seq; /* 0: none */
    const char *what;
    struct sov_bytes expected, found;
};
struct sov_clone {
    int64_t size;   /* published: that of the newest checkpoint */
    int64_t events; /* read: the same, unless something is missing */
    int64_t segments, checkpoints, blobs;
    int64_t beyond; /* the last event that a segment names behind the newest checkpoint, or 0 */
    bool vouched;   /* the newest checkpoint bears the ledger key's signature */
};
/* Reads segments, checkpoints and blobs once; nothing is written anywhere. `each` is told of each
 * flaw; NULL: the first is the error, and so is a root that is not the newest checkpoint's. Fails
 * absent (3: nothing is published here), event_invalid (6: no first event that founds a ledger),
 * file_unsafe (4: a folder is a link). */
SOV_MUST_USE bool sov_clone_open(const struct sov_folder *top, const struct sov_seams *seams,
                                 const char *keys,
                                 void (*each)(void *context, const struct sov_flaw *),
                                 void *context, struct sov_ledger **ledger_out,
                                 struct sov_clone *clone_out, struct sov_error *err);

/* ---- names ---- */

/* Every file under governance/ by name, as it lies there; views and blobs first, then the log. */
struct sov_segment {
    int64_t first, last;
    const char *path; /* beneath governance/ */
};
struct sov_files {
    const char *const *path; /* "governance/sows/SOW-7.md" */
    size_t count;
    const struct sov_segment *segments; /* by first, then last */
    size_t segment_count;
};
SOV_MUST_USE bool sov_tree_files(const struct sov_folder *top, struct sov_arena *arena,
                                 struct sov_files *files_out, struct sov_error *err);

/* ---- comparison ---- */

enum sov_difference_kind {
    SOV_DIFFERS,
    SOV_MISSING,
    SOV_EXTRA,
    SOV_LINKED,        /* a link where a file or a folder must be */
    SOV_WRONG_MODE,    /* a file that can be executed, or has a set-id bit */
    SOV_OTHER_RENDERER /* a view that differs, of another renderer by its own last line */
};
const char *sov_difference_word(enum sov_difference_kind kind); /* "differs", "mode", ... */
enum sov_part { SOV_PART_VIEW, SOV_PART_BLOB, SOV_PART_SEGMENT, SOV_PART_CHECKPOINT };
/* Borrowed for the call; texts are as they lie on the disk: hostile, cut at 300 octets. */
struct sov_difference {
    enum sov_difference_kind kind;
    enum sov_part part;
    const char *path;                 /* "governance/sows/SOW-7.md" */
    int64_t line;                     /* the first that differs; 0: none */
    int64_t seq;                      /* of a segment's line; 0: none */
    struct sov_bytes expected, found; /* lines, or modes as octal numbers; .data NULL: none */
    bool endings;                     /* equal but for CR LF at the ends of its lines */
};
struct sov_compared {
    int64_t views, blobs, segments, checkpoints; /* files that had to be there and were looked at */
};
/* Every path under governance/ against what the log says at `size`, the published one. Views are
 * rendered one at a time; `each` is called for each difference. The segments must hold each event
 * up to `size`; the checkpoints must be the ledger's. Of a clone's own log only names and kinds of
 * files are compared: it was made of their content. A mode is compared by what git carries: other
 * permissions are the umask's of whoever checked it out. */
SOV_MUST_USE bool sov_tree_compare(const struct sov_ledger *ledger, const struct sov_folder *top,
                                   int64_t size,
                                   void (*each)(void *context, const struct sov_difference *),
                                   void *context, struct sov_compared *compared_out,
                                   struct sov_error *err);
#endif
