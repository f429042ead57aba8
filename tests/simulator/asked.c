#include "tests/simulator/asked.h"

#include <stdlib.h>
#include <string.h>

#include "tests/simulator/oracle.h"
#include "tests/simulator/text.h"

static const char *fence_of(const struct process *process)
{
    for (int i = 1; i + 1 < process->argc; i++)
        if (strcmp(process->argv[i], "--fence") == 0) return process->argv[i + 1];
    return NULL;
}

void asked_began(struct process *process)
{
    static const struct {
        const char *prefix;
        enum oracle_kind kind;
    } ids[] = { { "ASG-", KIND_ASSIGNMENT },
                { "MSG-", KIND_MESSAGE },
                { "INS-", KIND_INSTANCE },
                { "DLV-", KIND_DELIVERY } };
    const char *fence = fence_of(process);

    for (int i = 2; fence && i < process->argc && i < 4; i++)
        for (size_t n = 0; n < sizeof ids / sizeof *ids; n++)
            if (strncmp(process->argv[i], ids[n].prefix, 4) == 0)
                process->dead =
                    strtoll(fence, NULL, 10) <=
                    oracle_entity(ids[n].kind, strtoll(process->argv[i] + 4, NULL, 10))->past;
}

/* A dead fence is answered by that, before the state is asked; nothing stands under it. */
static void dead_check(const struct process *process)
{
    static const char *const later[] = { "[wrong_state]", "[already_started]", "[claim_overdue]" };

    if ((process->exit == 0 || process->exit == 1) && process->committed)
        world_fail("I5: %s %s is done under %s, which is dead", process->argv[1], process->argv[2],
                   fence_of(process));
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (process->exit >= 2 && process->text[2] && strstr(process->text[2], later[i]))
            world_fail("I5: %s %s under %s, which is dead, is answered %s", process->argv[1],
                       process->argv[2], fence_of(process), later[i]);
}

/* What was asked for under one fence stands under that one. */
void asked_ended(const struct process *process)
{
    const char *asked = fence_of(process);

    if (process->dead) dead_check(process);
    if (!asked || process->exit < 0 || process->exit > 1 ||
        process->committed != process->last_seq - process->first_seq + 1)
        return;
    for (int64_t n = process->first_seq; n && n <= process->last_seq; n++) {
        int64_t fence = text_int(oracle_event(n), "fence");

        if (fence && fence != strtoll(asked, NULL, 10))
            world_fail("I5: asked for under %s, seq %lld stands under %lld", asked, (long long)n,
                       (long long)fence);
    }
}
