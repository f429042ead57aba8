#ifndef SOV_TESTS_TRACED_TRACER_H
#define SOV_TESTS_TRACED_TRACER_H
/*
 * Runs a command in a place and stands beside it at its system calls. Owns: which calls have
 * names, which file one is about, which are counted, the stops, and who is left when the command
 * has ended. Not counted are calls about a file under /proc, because how often the processes of a
 * machine are looked at depends on who is there, and those of the loader, which come before the
 * program.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <linux/ptrace.h>

/* What the arguments of a call name: a descriptor, a path under one, a path, a target to be. */
enum kind { BARE, ON_FD, AT, ALONE, TARGET };
struct call {
    const char *name;
    unsigned number;
    enum kind kind;
};

struct traced {
    pid_t pid;
    unsigned number; /* of the only call at which it stops, when it is fast */
    bool fast;
    int status; /* how it ended */
};

const struct call *call_of(unsigned number); /* NULL: one without a name here */
unsigned call_number(const char *name);      /* of its name, or of call_N */
/* The command stands before its first system call. Fast: it stops at one call only; a child of it
 * cannot make that call, so this is for a lone process. */
struct traced traced_start(const char *place, char **command, bool fast, unsigned number);
/* To the entry of the next call that is counted: any, or that of one number. False when the command
 * has ended, or when the alarm came. */
bool traced_next(struct traced *self, struct ptrace_syscall_info *info_out);
bool traced_reach(struct traced *self, unsigned number, struct ptrace_syscall_info *info_out);
/* From the entry of a call to its exit; false when the command has ended. */
bool traced_leave(struct traced *self);
void traced_kill(struct traced *self);
/* Orphans come to us. Who is still there when patience ends is killed, and that is said. */
bool traced_outlived(void);
/* Prints each counted call: its name, how many-th of it, its file, detail. The exit status. */
int trace(const char *place, char **command);
#endif
