#ifndef SOV_CLI_TOPICS_H
#define SOV_CLI_TOPICS_H
/* What `sov help TOPIC` says. Tables come from the rows that the program itself obeys. */
#include "cli/verb.h"

#define SOV_TOPIC_NAMES "tutorial exit-codes errors files environment formats"

/* Rows of the table of exit statuses; false past the end. */
struct sov_exit_row {
    int status;
    const char *means, *does;
};
bool sov_exit_row_at(size_t n, struct sov_exit_row *row_out);
/* The text of a topic that is no table; NULL: there is none. */
const char *sov_topic_text(const char *topic);
/* False if there is no such topic. */
bool sov_topic_print(struct sov_call *call, const char *topic);
#endif
