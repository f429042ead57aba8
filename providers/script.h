#ifndef SOV_PROVIDERS_SCRIPT_H
#define SOV_PROVIDERS_SCRIPT_H
/* The strict form of a script, `sov-script-1`, and one turn of it. Private to this folder. */
#include "providers/providers.h"

enum sov_turn_end {
    SOV_TURN_OK,
    SOV_TURN_EXIT_3,
    SOV_TURN_TIMEOUT,
    SOV_TURN_TWO_TERMINALS,
    SOV_TURN_CUT
};
struct sov_turn {
    const struct sov_run_file *files;
    size_t file_count;
    struct sov_value report; /* an object, or null */
    struct sov_value say;    /* a text */
    enum sov_turn_end end;
};
/* The whole script is read, whichever turn is due; *found_out false if it has no such turn. Fails
 * bad_value, naming the JSON pointer. `script` is canonical. */
SOV_MUST_USE bool sov_script_turn(struct sov_bytes script, int64_t n, struct sov_arena *arena,
                                  struct sov_turn *turn_out, bool *found_out,
                                  struct sov_error *err);
/* How many turns it has. */
SOV_MUST_USE bool sov_script_count(struct sov_bytes script, struct sov_arena *arena,
                                   int64_t *count_out, struct sov_error *err);
#endif
