#ifndef SOV_SIMULATOR_CALLS_H
#define SOV_SIMULATOR_CALLS_H
/* What the linker puts in the place of the C library's calls: -Wl,--wrap=NAME for each. */
#include <dirent.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

struct statfs;
struct statvfs;
struct descriptor;
struct disk_node;

/* What both files of calls use. */
int said(int error); /* 0, or -1 with errno */
struct descriptor *held(int fd);
struct disk_node *from_of(int fd); /* where a relative path begins */
int open_at(int folder, const char *path, int flags, unsigned mode);

int __wrap_open(const char *path, int flags, ...);
int __wrap___open_2(const char *path, int flags);
int __wrap_openat(int folder, const char *path, int flags, ...);
long __wrap_syscall(long number, ...);
int __wrap_close(int fd);
int __wrap_fcntl(int fd, int what, ...);
int __wrap_flock(int fd, int what);
ssize_t __wrap_read(int fd, void *octets, size_t size);
ssize_t __wrap_write(int fd, const void *octets, size_t size);
int __wrap_fsync(int fd);
int __wrap_fchmod(int fd, mode_t mode);
int __wrap_mkdirat(int folder, const char *path, mode_t mode);
int __wrap_unlinkat(int folder, const char *path, int flags);
int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to);
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags);
int __wrap_fstatat(int folder, const char *path, struct stat *facts, int flags);
int __wrap_stat(const char *path, struct stat *facts);
int __wrap_lstat(const char *path, struct stat *facts);
int __wrap_fstat(int fd, struct stat *facts);
int __wrap_fstatfs(int fd, struct statfs *facts);
int __wrap_statvfs(const char *path, struct statvfs *facts);
DIR *__wrap_fdopendir(int fd);
struct dirent *__wrap_readdir(DIR *dir);
int __wrap_closedir(DIR *dir);
DIR *__wrap_opendir(const char *path);
char *__wrap___realpath_chk(const char *path, char *out, size_t room);
char *__wrap_realpath(const char *path, char *out);
int __wrap_chdir(const char *path);
pid_t __wrap_getpid(void);
mode_t __wrap_umask(mode_t mask);
int __wrap_isatty(int fd);
int __wrap_nanosleep(const struct timespec *length, struct timespec *rest);
int __wrap_clock_gettime(clockid_t id, struct timespec *time_out);
#endif
