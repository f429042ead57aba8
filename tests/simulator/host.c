/*
 * What else the program knows of its host: its environment, its processes, the programs that it
 * starts. Linked in the place of base/env.c, base/child.c, base/keeper.c and base/program.c. A
 * child is an actor of the script: honest, silent, lying, late, or talking too much.
 */
#include "base/child.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/keeper.h"
#include "base/pause.h"
#include "base/removal.h"
#include "tests/simulator/host.h"
#include "tests/simulator/world.h"

const char *sov_env(const char *name)
{
    const struct world *world = the_world();

    if (strcmp(name, "HOME") == 0)
        return world->strangers && world->running && world->running->machine ? "/home/other"
                                                                             : "/home/user";
    return NULL;
}

/* ---- who runs ---- */

/* Of this number, on the machine of the one who asks. */
static const struct process *process_at(int64_t pid)
{
    const struct world *world = the_world();
    unsigned machine = world->running ? world->running->machine : 0;

    for (size_t i = 0; i < world->process_count; i++)
        if (world->processes[i]->pid == pid && world->processes[i]->machine == machine &&
            world->processes[i]->state != PROCESS_ENDED)
            return world->processes[i];
    return NULL;
}

static int64_t start_of(const struct process *process)
{
    return process->born_ns / 10000000;
}

bool sov_process_self(struct sov_process_id *id_out, struct sov_error *err)
{
    const struct process *self = the_world()->running;

    (void)err;
    *id_out = (struct sov_process_id){ self->pid, start_of(self) };
    return true;
}

bool sov_process_of(int64_t pid, struct sov_process_id *id_out)
{
    const struct process *process = process_at(pid);

    if (process) *id_out = (struct sov_process_id){ pid, start_of(process) };
    return process != NULL;
}

bool sov_process_is_alive(struct sov_process_id id)
{
    const struct process *process = process_at(id.pid);

    return process && start_of(process) == id.start;
}

bool sov_process_is_gone(struct sov_process_id id)
{
    return !sov_process_is_alive(id);
}

bool sov_process_end(struct sov_process_id id)
{
    (void)id;
    return false;
}

void sov_signals_watch(void)
{
}

int sov_signals_seen(void)
{
    return 0;
}

int sov_signals_descriptor(void)
{
    return -1;
}

/* ---- what the linker wraps ---- */

/* Nobody is in a folder of a world whose processes are ours. */
bool __wrap_sov_folder_is_used(const char *path, int64_t since, bool *used_out, int64_t *who_out,
                               struct sov_error *err)
{
    (void)path;
    (void)since;
    (void)err;
    *used_out = false;
    *who_out = 0;
    return true;
}

/* The program draws the lengths of pauses from an address and a pid. */
void __wrap_sov_pause_init(struct sov_pause *pause, int64_t max_ms)
{
    __real_sov_pause_init(pause, max_ms);
    pause->chance = chance_next(&the_world()->octets) | 1;
}

/* ---- programs ---- */

bool sov_child_resolve(const char *name, const char *const *folders, struct sov_arena *arena,
                       const char **path_out, struct sov_hash *digest_out, struct sov_error *err)
{
    (void)folders;
    if (strcmp(name, "/bin/agent") != 0)
        return sov_fail(err, SOV_ABSENT, "no_such_file", "no program %s", name);
    *path_out = sov_arena_text(arena, sov_bytes_text(name));
    *digest_out = sov_sha256_parts((const struct sov_bytes[]){ sov_bytes_text("agent") }, 1);
    return true;
}

static const char *variable(const struct sov_child_plan *plan, const char *name)
{
    size_t size = strlen(name);

    for (const char *const *at = plan->environment; *at; at++)
        if (strncmp(*at, name, size) == 0 && (*at)[size] == '=') return *at + size + 1;
    return "";
}

static void file_put(const char *folder, const char *name, const char *text)
{
    struct world *world = the_world();
    struct disk_node *parent, *node;

    if (disk_find(&world->disk, world->disk.root, folder, &parent) != 0) return;
    node = disk_child(parent, name);
    if (!node) node = disk_make(&world->disk, parent, name, false, 0644, world->now_ns);
    disk_resize(node, 0, world->now_ns);
    disk_write(node, 0, text, strlen(text), world->now_ns);
}

/* The work asks for an effect, or it asks for none. */
static bool is_asked(const struct sov_child_plan *plan)
{
    static const char word[] = "replenishment";

    return plan->input.size &&
           memmem(plan->input.data, plan->input.size, word, sizeof word - 1) != NULL;
}

static void report(const struct sov_child_plan *plan, const char *status, int quantity,
                   const char *words, struct sov_buf *out)
{
    bool completed = strcmp(status, "completed") == 0;

    sov_buf_printf(out,
                   "{\"assignment\":\"%s\",\"blockers\":[%s],\"checks\":[],"
                   "\"deliverables\":[%s],\"kind\":\"sov.report.v1\",\"notes\":null,"
                   "\"proposals\":[",
                   variable(plan, "SOV_ASSIGNMENT"), completed ? "" : "\"no key to the store\"",
                   completed ? "{\"note\":null,\"path\":\"report.json\"}" : "");
    if (completed && is_asked(plan))
        sov_buf_printf(out,
                       "{\"kind\":\"replenishment\",\"quantity\":%d,\"reason\":\"stock is low\","
                       "\"subject\":\"SKU-TEA\",\"unit\":null}",
                       quantity);
    sov_buf_printf(out, "],\"questions\":[],\"status\":\"%s\",\"summary\":\"%s\"}", status, words);
}

/* Time passes while it works, and its host is heard. False: it was told to end. */
static bool works(const struct sov_child_plan *plan, const struct sov_child_sink *sink, int64_t ms,
                  struct sov_child_result *result)
{
    int64_t tick = sink && sink->tick && sink->tick_ms > 0 ? sink->tick_ms : ms;
    int64_t limit = ms < plan->wall_ms ? ms : plan->wall_ms;

    for (int64_t at = 0; at < limit; at += tick) {
        world_sleep((tick < limit - at ? tick : limit - at) * 1000000);
        if (sink && sink->tick && !sink->tick(sink->self)) {
            result->ended_by = SOV_END_SIGNAL;
            return false;
        }
    }
    if (ms > plan->wall_ms) result->ended_by = SOV_END_TIMEOUT;
    return ms <= plan->wall_ms;
}

bool sov_child_run(const struct sov_child_plan *plan, const struct sov_child_sink *sink,
                   struct sov_buf *stdout_buf, struct sov_buf *stderr_buf,
                   struct sov_child_result *result_out, struct sov_error *err)
{
    static const char *const hostile = "done \\u202e [x](javascript:1) @all closes #1";
    struct process *process = the_world()->running;
    struct sov_child_result result = { .ended_by = SOV_END_SELF, .exit_code = 0 };
    struct chance chance;
    uint64_t how;
    int64_t ms;

    (void)stderr_buf;
    (void)err;
    chance_seed(&chance, process->agent, 7);
    how = chance_below(&chance, 16);
    ms = chance_between(&chance, 200, how == 15 ? 2000000 : 90000);
    file_put(variable(plan, "SOV_OUT"), "report.json", "{\"ordered\":true}\n");
    if (works(plan, sink, ms, &result)) {
        if (how == 0) result.exit_code = 3;
        if (how == 1)
            report(plan, "blocked", 0, "no key to the store", stdout_buf);
        else if (how == 2)
            report(plan, "failed", 0, "no luck", stdout_buf);
        else if (how == 3)
            sov_buf_add_text(stdout_buf, "{\"status\":\"completed\"");
        else if (how == 4)
            report(plan, "completed", 51, "too many", stdout_buf); /* out of the policy's range */
        else if (how != 5)                                         /* 5 is silent */
            report(plan, "completed", (int)chance_between(&chance, 1, 4),
                   how == 6 ? hostile : "ordered", stdout_buf);
    }
    if (result.ended_by != SOV_END_SELF) result.exit_code = -1;
    result.duration_ms = ms;
    if (sink && sink->take && stdout_buf->size &&
        !sink->take(sink->self, sov_buf_bytes(stdout_buf)))
        result.ended_by = SOV_END_MALFORMED;
    *result_out = result;
    return true;
}
