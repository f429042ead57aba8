#ifndef SOV_BASE_FILE_H
#define SOV_BASE_FILE_H
/*
 * Files, always named beneath a folder that is held open: no path is trusted twice, no link
 * followed. Owns: folders, bounded reads, whole-file replacement (temporary file, fsync, rename,
 * fsync of the folder), exclusive creation, listing, locks, the kind of file system. Not here: the
 * database file (the seam of base/db.h alone opens it; another descriptor would drop its locks).
 *
 * `path` is relative, segments joined by '/', each checked (no empty, ".", ".."); the open is
 * openat2 RESOLVE_BENEATH|NO_SYMLINKS|NO_MAGICLINKS, or component by component where that is
 * missing. Never the database, its journal, WAL or index, not even to read. Modes are set with
 * fchmod, whatever the umask. Errors: no_such_file (3), exists (5), file_unsafe (4: a link, not a
 * regular file, more than one link), too_large (2), disk_full, io_error (7).
 */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/crypto.h"
#include "base/error.h"

struct sov_folder {
    int fd; /* -1 when closed; a zeroed struct that was never opened has `open` false */
    bool open;
    const struct sov_shelf *shelf; /* NULL, or it lies in memory (shelf.h): it is only read */
    const char *within;            /* of the shelf */
};

/* The outermost folder of a tree: an ordinary path of the caller's, links allowed on the way. */
SOV_MUST_USE bool sov_folder_open(struct sov_folder *folder, const char *path,
                                  struct sov_error *err);
/* A folder beneath one; no link on the way. */
SOV_MUST_USE bool sov_folder_beneath(struct sov_folder *folder, const struct sov_folder *parent,
                                     const char *path, struct sov_error *err);
/* mkdir of every missing segment with this mode (fchmod), each parent fsynced. */
SOV_MUST_USE bool sov_folder_make(const struct sov_folder *parent, const char *path, unsigned mode,
                                  struct sov_error *err);
/* mkdir of exactly one new folder: exists (5) if anything of that name is there. */
SOV_MUST_USE bool sov_folder_make_new(const struct sov_folder *parent, const char *path,
                                      unsigned mode, struct sov_error *err);
void sov_folder_close(struct sov_folder *folder); /* for SOV_CLEANUP */
/* Whether the folder finds room for one file more, which is asked by a file without a name: else
 * disk_full, or io_error. True where the file system knows no such files. */
SOV_MUST_USE bool sov_folder_has_room(const struct sov_folder *folder, struct sov_error *err);

enum sov_file_type {
    SOV_FILE_ABSENT,
    SOV_FILE_REGULAR,
    SOV_FILE_FOLDER,
    SOV_FILE_LINK,
    SOV_FILE_OTHER
};
struct sov_file_facts {
    enum sov_file_type type;
    unsigned mode; /* permission bits, set-id and sticky bits included */
    uint64_t size, links, device, inode;
    uint32_t uid;
    int64_t mtime_ns, ctime_ns;
};
/* lstat beneath; a missing file is no error (SOV_FILE_ABSENT). */
SOV_MUST_USE bool sov_file_facts(const struct sov_folder *folder, const char *path,
                                 struct sov_file_facts *facts_out, struct sov_error *err);
/* What lies under one name in the folder of that ordinary path, and on which device the folder is
 * (untouched when there is no such folder). A folder that we may not search holds nothing; one that
 * cannot be read for another reason is an error, and not an absence. */
SOV_MUST_USE bool sov_folder_holds(const char *folder, const char *name,
                                   enum sov_file_type *type_out, uint64_t *device_out,
                                   struct sov_error *err);
SOV_MUST_USE bool sov_folder_facts(const struct sov_folder *folder,
                                   struct sov_file_facts *facts_out, struct sov_error *err);
/* A regular file with one link, at most size_max bytes, whole, into the arena. O_NONBLOCK. */
SOV_MUST_USE bool sov_file_read(const struct sov_folder *folder, const char *path, size_t size_max,
                                struct sov_arena *arena, struct sov_bytes *bytes_out,
                                struct sov_error *err);
/* The same for a path of the caller's own, as typed on the command line (links followed); "-" is
 * standard input. Anything that ends can be read. */
SOV_MUST_USE bool sov_file_read_named(const char *path, size_t size_max, struct sov_arena *arena,
                                      struct sov_bytes *bytes_out, struct sov_error *err);
/* Creates: O_EXCL|O_NOFOLLOW, mode by fchmod, fsync of file and folder. exists (5). */
SOV_MUST_USE bool sov_file_create(const struct sov_folder *folder, const char *path, unsigned mode,
                                  struct sov_bytes content, struct sov_error *err);
/* Creates it where nothing is, or only what a creation of this content left that was cut off: a
 * part of it, or zeros in its place. Else leaves what is there. */
SOV_MUST_USE bool sov_file_provide(const struct sov_folder *folder, const char *path, unsigned mode,
                                   struct sov_bytes content, bool *made_out, struct sov_error *err);
/* Replaces whole: temporary file ".sov-tmp-..." in the same folder, fsync, rename, fsync of the
 * folder. A link of that name is replaced, never followed. On failure the old one is untouched. */
SOV_MUST_USE bool sov_file_replace(const struct sov_folder *folder, const char *path, unsigned mode,
                                   struct sov_bytes content, struct sov_error *err);
/* The same for a path of the caller's own (-o FILE): what is there must be a regular file. */
SOV_MUST_USE bool sov_file_replace_named(const char *path, unsigned mode, struct sov_bytes content,
                                         struct sov_error *err);
SOV_MUST_USE bool sov_file_remove(const struct sov_folder *folder, const char *path,
                                  struct sov_error *err); /* a missing one is fine */
/* What such a temporary file's name begins with; what else is made to be moved begins so, too. */
#define SOV_FILE_LEFTOVER ".sov-tmp-"
enum { SOV_TEMPORARY_SIZE = 64 }; /* of such a name */
/* True for a name that sov_file_replace may have left behind in a crash. */
bool sov_file_is_leftover(const char *name);

/* Names in one folder ("": this folder itself), byte order, without "." and ".."; as they are, so
 * maybe not UTF-8. More than count_max: too_large. */
struct sov_listing {
    const char **name;
    size_t count;
};
SOV_MUST_USE bool sov_folder_names(const struct sov_folder *folder, const char *path,
                                   size_t count_max, struct sov_arena *arena,
                                   struct sov_listing *names_out, struct sov_error *err);

/* flock of a lock file (created 0600 if missing, never removed, nothing ever written into it).
 * Waits up to wait_ms: busy (7), whose message names the holder's pid if that is another process
 * which took it by this function. Released by close or process end. */
struct sov_lock {
    int fd;
    bool held;
};
SOV_MUST_USE bool sov_lock_take(struct sov_lock *lock, const struct sov_folder *folder,
                                const char *name, int64_t wait_ms, struct sov_error *err);
void sov_lock_release(struct sov_lock *lock); /* for SOV_CLEANUP */

/* What holds this folder: a word ("ext4", "nfs", "tmpfs", "overlay", "0x1234") and whether it is a
 * local one that keeps locks and syncs as SQLite needs them. Unknown counts as not local. */
SOV_MUST_USE bool sov_folder_system(const struct sov_folder *folder, char name_out[32],
                                    bool *is_local_out, struct sov_error *err);
SOV_MUST_USE bool
sov_path_absolute(const char *path, struct sov_arena *arena, const char **path_out,
                  struct sov_error *err); /* realpath, for messages and look-up only */
#endif
