#ifndef SOV_CLI_TOPICS_H
#define SOV_CLI_TOPICS_H
/* What `sov help TOPIC` says. Tables come from the rows that the program itself obeys. */
#include "cli/verb.h"

#define SOV_TOPIC_NAMES "tutorial exit-codes errors files environment formats"

/* False if there is no such topic. */
bool sov_topic_print(struct sov_call *call, const char *topic);
#endif
