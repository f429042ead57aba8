#include "cli/gates.h"

static void shut_put(struct sov_node *row, const struct sov_verdict *verdict, int number)
{
    struct sov_node *list = sov_add_list(row, "open");

    for (size_t i = 0; i < verdict->count; i++) {
        const struct sov_shut *shut = &verdict->shut[i];
        struct sov_node *node;

        if (shut->gate != number) continue;
        node = sov_add_object(list, NULL);
        sov_add_text(node, "code", shut->code);
        sov_add_text(node, "sow", shut->sow);
        sov_add_text(node, "detail", shut->detail);
    }
}

static bool is_shut(const struct sov_verdict *verdict, int number)
{
    for (size_t i = 0; i < verdict->count; i++)
        if (verdict->shut[i].gate == number) return true;
    return false;
}

struct sov_node *sov_gates_node(struct sov_call *call, const struct sov_gate *gates, size_t count,
                                const struct sov_verdict *verdict)
{
    struct sov_node *list = sov_node_list(call->arena);

    for (size_t i = 0; i < count; i++) {
        struct sov_node *row = sov_add_object(list, NULL);

        sov_add_int(row, "gate", gates[i].number);
        sov_add_bool(row, "holds", !is_shut(verdict, gates[i].number));
        sov_add_text(row, "title", gates[i].title);
        shut_put(row, verdict, gates[i].number);
    }
    return list;
}

void sov_gates_print(struct sov_call *call, const struct sov_node *list, bool shut_only)
{
    struct sov_out *out = call->out;

    for (const struct sov_node *row = list->first; row; row = row->next) {
        bool holds = sov_node_get(row, "holds")->n != 0;
        struct sov_bytes title = sov_node_get(row, "title")->text;

        if (holds && shut_only) continue;
        sov_out_part(out, SOV_PLAIN, "%4lld  ", (long long)sov_node_get(row, "gate")->n);
        sov_out_part(out, holds ? SOV_GREEN : SOV_RED, "%s", holds ? "met " : "open");
        sov_out_part(out, SOV_PLAIN, "  %.*s", (int)title.size, (const char *)title.data);
        sov_out_end(out);
        for (const struct sov_node *shut = sov_node_get(row, "open")->first; shut;
             shut = shut->next) {
            struct sov_bytes code = sov_node_get(shut, "code")->text,
                             sow = sov_node_get(shut, "sow")->text,
                             detail = sov_node_get(shut, "detail")->text;

            sov_out_line(out, "            %.*s%s%.*s [%.*s]", (int)sow.size,
                         sow.size ? (const char *)sow.data : "", sow.size ? ": " : "",
                         (int)detail.size, detail.size ? (const char *)detail.data : "",
                         (int)code.size, (const char *)code.data);
        }
    }
}
