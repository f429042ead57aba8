#include "base/child.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/keeper.h"
#include "base/program.h"
#include "base/tail.h"

enum { CHUNK_SIZE = 64 * 1024, LOOK_MS = 1000, GROUP_LOOK_MS = 10 };

struct run {
    const struct sov_child_plan *plan;
    const struct sov_child_sink *sink;
    struct sov_buf *out, *errs;
    struct sov_tail tail; /* of standard error, behind the head in `errs` */
    /* Ours, -1 when closed. `status` ends at a successful exec, `signals` and `leader_end` are only
     * looked at. The four of the child are closed after fork. */
    int out_fd, err_fd, status, signals, leader_end;
    int child_input, child_out, child_err, child_status;
    pid_t leader;
    int64_t started, last_octet, last_tick;
    int64_t term_at, kill_at, exited_at; /* -1: not yet */
    bool deaf;                           /* the sink gets nothing more */
    struct sov_child_result result;
};

static void fd_close(int *fd)
{
    if (*fd >= 0) (void)close(*fd);
    *fd = -1;
}

static void run_release(struct run *r)
{
    fd_close(&r->out_fd);
    fd_close(&r->err_fd);
    fd_close(&r->status);
    fd_close(&r->signals);
    fd_close(&r->leader_end);
    fd_close(&r->child_input);
    fd_close(&r->child_out);
    fd_close(&r->child_err);
    fd_close(&r->child_status);
    sov_tail_release(&r->tail);
}

/* ---- setting up ---- */

/* Above 2: the child moves its ends to 0, 1 and 2, whatever the host has there. */
static bool fd_raise(int *fd)
{
    int raised = fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

    (void)close(*fd);
    *fd = raised;
    return raised >= 0;
}

static bool pipe_make(int *ours, int *theirs)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    *ours = ends[0];
    *theirs = ends[1];
    return fd_raise(ours) && fd_raise(theirs) && fcntl(*ours, F_SETFL, O_NONBLOCK) == 0;
}

/* Sealed, so that what was digested is what is read, whenever that is. */
static bool input_make(int *fd_out, struct sov_bytes input)
{
    size_t done = 0;

    *fd_out = memfd_create("sov-input", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd_out < 0 || !fd_raise(fd_out)) return false;
    while (done < input.size) {
        ssize_t n = write(*fd_out, input.data + done, input.size - done);

        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        done += (size_t)n;
    }
    return lseek(*fd_out, 0, SEEK_SET) == 0 &&
           fcntl(*fd_out, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) ==
               0;
}

static bool run_set_up(struct run *r, struct sov_error *err)
{
    if (!input_make(&r->child_input, r->plan->input) || !pipe_make(&r->out_fd, &r->child_out) ||
        !pipe_make(&r->err_fd, &r->child_err) || !pipe_make(&r->status, &r->child_status) ||
        (r->signals = sov_signals_descriptor()) < 0)
        return sov_fail(err, SOV_UNABLE, "io_error", "pipes of the child: %s", strerror(errno));
    return true;
}

static bool run_fork(struct run *r, const struct sov_program *program, struct sov_error *err)
{
    struct sov_keeper_start start = {
        .program = program,
        .path = r->plan->path,
        .argv = r->plan->argv,
        .environment = r->plan->environment,
        .folder = r->plan->folder->fd,
        .input = r->child_input,
        .output = r->child_out,
        .error = r->child_err,
        .status = r->child_status,
        .cpu_s = r->plan->wall_ms / 1000 * 4 + 4,
        .parent = getpid(),
    };

    r->started = r->last_octet = r->last_tick = sov_monotonic_ms();
    r->leader = fork();
    if (r->leader == 0) sov_keeper_exec(&start);
    if (r->leader < 0)
        return sov_fail(err, SOV_UNABLE, "io_error", "cannot start a process: %s", strerror(errno));
    fd_close(&r->child_input);
    fd_close(&r->child_out);
    fd_close(&r->child_err);
    fd_close(&r->child_status);
    r->leader_end = pidfd_open(r->leader, 0);
    if (r->leader_end >= 0) return true;
    sov_error_set(err, SOV_UNABLE, "io_error", "cannot watch a process: %s", strerror(errno));
    sov_keeper_sweep(SOV_CHILD_SWEEP_MS, &r->result.swept, &r->result.survivors);
    return false;
}

/* ---- while it runs ---- */

static void end_begin(struct run *r, enum sov_child_end why)
{
    if (r->result.ended_by == SOV_END_SELF) r->result.ended_by = why;
    if (r->term_at >= 0) return;
    r->term_at = sov_monotonic_ms();
    /* A group that is stopped would sleep through its TERM. */
    sov_keeper_signal(r->leader, SIGTERM);
    sov_keeper_signal(r->leader, SIGCONT);
}

static void out_take(struct run *r, struct sov_bytes chunk)
{
    size_t room = r->plan->stdout_max - r->out->size;
    bool over = chunk.size > room;

    if (over) chunk.size = room;
    sov_buf_add(r->out, chunk);
    if (!r->deaf && chunk.size > 0 && r->sink && r->sink->take &&
        !r->sink->take(r->sink->self, chunk)) {
        r->deaf = true;
        end_begin(r, SOV_END_MALFORMED);
    }
    if (over) end_begin(r, SOV_END_OUTPUT);
    r->deaf = r->deaf || over;
}

static void err_take(struct run *r, struct sov_bytes chunk)
{
    size_t head = r->plan->stderr_keep - r->errs->size;

    if (head > chunk.size) head = chunk.size;
    sov_buf_add(r->errs, sov_bytes(chunk.data, head));
    sov_tail_add(&r->tail, sov_bytes(chunk.data + head, chunk.size - head));
}

/* One chunk, so that neither pipe starves the other or the deadlines. */
static void stream_read(struct run *r, int *fd, void (*take)(struct run *, struct sov_bytes))
{
    uint8_t octets[CHUNK_SIZE];
    ssize_t n;

    if (*fd < 0) return;
    n = read(*fd, octets, sizeof octets);
    if (n > 0) {
        r->last_octet = sov_monotonic_ms();
        take(r, sov_bytes(octets, (size_t)n));
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        fd_close(fd);
    }
}

static void status_read(struct run *r)
{
    int error;
    ssize_t n;

    if (r->status < 0) return;
    n = read(r->status, &error, sizeof error);
    if (n == (ssize_t)sizeof error) {
        r->result.ended_by = SOV_END_SPAWN;
        r->result.spawn_errno = error;
    }
    if (n >= 0 || (errno != EAGAIN && errno != EINTR)) fd_close(&r->status);
}

/* The leader stays unreaped, so that its group's number stays its own. */
static void leader_look(struct run *r)
{
    siginfo_t info = { 0 };

    if (r->exited_at >= 0) return;
    if (waitid(P_PID, (id_t)r->leader, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || !info.si_pid)
        return;
    r->exited_at = sov_monotonic_ms();
    fd_close(&r->leader_end);
    if (info.si_code == CLD_EXITED)
        r->result.exit_code = info.si_status;
    else
        r->result.signal = info.si_status;
}

static int64_t grace(const struct run *r)
{
    return r->plan->grace_ms > 0 ? r->plan->grace_ms : SOV_CHILD_GRACE_MS;
}

static bool has_tick(const struct run *r)
{
    return r->sink && r->sink->tick && r->sink->tick_ms > 0;
}

static void deadlines_judge(struct run *r)
{
    int64_t now = sov_monotonic_ms();

    if (r->exited_at >= 0) return;
    if (r->term_at >= 0) {
        if (r->kill_at < 0 && now - r->term_at >= grace(r)) {
            r->kill_at = now;
            sov_keeper_signal(r->leader, SIGKILL);
        }
        return;
    }
    if (sov_signals_seen() != 0)
        end_begin(r, SOV_END_SIGNAL);
    else if (now - r->started >= r->plan->wall_ms)
        end_begin(r, SOV_END_TIMEOUT);
    else if (r->plan->idle_ms > 0 && now - r->last_octet >= r->plan->idle_ms)
        end_begin(r, SOV_END_IDLE);
    else if (has_tick(r) && now - r->last_tick >= r->sink->tick_ms) {
        r->last_tick = now;
        if (!r->sink->tick(r->sink->self)) end_begin(r, SOV_END_SIGNAL);
    }
}

static void earlier(int64_t *wait, int64_t since, int64_t span)
{
    int64_t left = since + span - sov_monotonic_ms();

    if (left < 0) left = 0;
    if (left < *wait) *wait = left;
}

static void run_wait(const struct run *r)
{
    bool ending = r->term_at >= 0;
    struct pollfd fds[] = {
        { .fd = r->out_fd, .events = POLLIN },
        { .fd = r->err_fd, .events = POLLIN },
        { .fd = r->status, .events = POLLIN },
        { .fd = r->leader_end, .events = POLLIN },
        { .fd = ending ? -1 : r->signals, .events = POLLIN },
    };
    int64_t wait = LOOK_MS;

    if (r->exited_at >= 0) {
        earlier(&wait, r->exited_at, SOV_CHILD_DRAIN_MS);
    } else if (ending) {
        earlier(&wait, r->term_at, grace(r));
        if (r->kill_at >= 0) wait = GROUP_LOOK_MS;
    } else {
        earlier(&wait, r->started, r->plan->wall_ms);
        if (r->plan->idle_ms > 0) earlier(&wait, r->last_octet, r->plan->idle_ms);
        if (has_tick(r)) earlier(&wait, r->last_tick, r->sink->tick_ms);
    }
    (void)poll(fds, sizeof fds / sizeof *fds, (int)wait);
}

static bool run_is_over(const struct run *r)
{
    int64_t now = sov_monotonic_ms();

    if (r->exited_at >= 0)
        return (r->out_fd < 0 && r->err_fd < 0) || now - r->exited_at >= SOV_CHILD_DRAIN_MS;
    /* A leader that KILL does not end is left to the sweep, which counts it. */
    return r->kill_at >= 0 && now - r->kill_at >= SOV_CHILD_SWEEP_MS;
}

static void run_loop(struct run *r)
{
    while (!run_is_over(r)) {
        run_wait(r);
        /* First the leader: what it wrote before its end is in the pipes when they are read. */
        leader_look(r);
        status_read(r);
        stream_read(r, &r->out_fd, out_take);
        stream_read(r, &r->err_fd, err_take);
        deadlines_judge(r);
    }
}

/* ---- after the leader ---- */

static void group_end(struct run *r)
{
    fd_close(&r->out_fd);
    fd_close(&r->err_fd);
    (void)sov_keeper_reap(r->leader); /* these ended by themselves */
    if (r->exited_at >= 0 && sov_keeper_group_runs(r->leader)) {
        enum sov_child_end why = r->result.ended_by;

        end_begin(r, why);
        while (r->kill_at < 0 && sov_monotonic_ms() - r->term_at < grace(r) &&
               sov_keeper_group_runs(r->leader))
            (void)poll(NULL, 0, GROUP_LOOK_MS);
    }
    sov_keeper_signal(r->leader, SIGKILL);
    r->result.swept += sov_keeper_reap(r->leader);
    if (r->exited_at >= 0) {
        siginfo_t info;

        (void)waitid(P_PID, (id_t)r->leader, &info, WEXITED | WNOHANG);
    }
    sov_keeper_sweep(SOV_CHILD_SWEEP_MS, &r->result.swept, &r->result.survivors);
}

static bool run_whole(struct run *r, const struct sov_program *program, struct sov_error *err)
{
    if (!sov_keeper_adopt(err) || !run_set_up(r, err) || !run_fork(r, program, err)) return false;
    run_loop(r);
    group_end(r);
    r->result.stderr_dropped = sov_tail_put(&r->tail, r->errs);
    r->result.duration_ms = sov_monotonic_ms() - r->started;
    if (r->result.ended_by == SOV_END_SPAWN) r->result.exit_code = -1;
    return true;
}

/* A program that is gone or another one now is a result like any failed exec: the caller has
 * recorded that it would start. */
static bool program_is_same(const struct sov_child_plan *plan, struct sov_program *program,
                            struct sov_child_result *result)
{
    struct sov_error why = { 0 };

    if (!sov_program_open(program, plan->path, &why)) {
        result->spawn_errno = why.exit == SOV_ABSENT   ? ENOENT
                              : why.exit == SOV_DENIED ? EACCES
                                                       : EIO;
        return false;
    }
    result->spawn_errno = ESTALE;
    return sov_hash_equal(&program->digest, &plan->digest);
}

bool sov_child_run(const struct sov_child_plan *plan, const struct sov_child_sink *sink,
                   struct sov_buf *stdout_buf, struct sov_buf *stderr_buf,
                   struct sov_child_result *result_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_program_close) struct sov_program program = { 0 };
    SOV_CLEANUP(run_release)
    struct run r = {
        .plan = plan,
        .sink = sink,
        .out = stdout_buf,
        .errs = stderr_buf,
        .out_fd = -1,
        .err_fd = -1,
        .status = -1,
        .signals = -1,
        .leader_end = -1,
        .child_input = -1,
        .child_out = -1,
        .child_err = -1,
        .child_status = -1,
        .term_at = -1,
        .kill_at = -1,
        .exited_at = -1,
        .result = { .exit_code = -1 },
    };

    assert(plan && plan->argv && plan->argv[0] && plan->path && plan->environment && plan->folder);
    assert(plan->folder->open && plan->wall_ms > 0 && stdout_buf && stderr_buf && result_out &&
           err);
    assert(stdout_buf->size == 0 && stdout_buf->size_max >= plan->stdout_max);
    assert(stderr_buf->size == 0 && stderr_buf->size_max / 2 >= plan->stderr_keep);
    sov_tail_init(&r.tail, plan->stderr_keep);
    if (!program_is_same(plan, &program, &r.result)) {
        r.result.ended_by = SOV_END_SPAWN;
    } else {
        r.result.spawn_errno = 0;
        if (!run_whole(&r, &program, err)) return false;
    }
    *result_out = r.result;
    return true;
}
