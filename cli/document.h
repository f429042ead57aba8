#ifndef SOV_CLI_DOCUMENT_H
#define SOV_CLI_DOCUMENT_H
/* The policy source of a working tree, sovereign.json, beside the adopted one. */
#include "cli/verb.h"
#include "policy/policy.h"

#define SOV_POLICY_FILE "sovereign.json"

/* Data in the layout for people. */
struct sov_bytes sov_node_text(const struct sov_node *node, struct sov_arena *arena);
/* A document in the layout for people: two spaces, a value a line. */
struct sov_bytes sov_document_text(struct sov_bytes canonical, struct sov_arena *arena);
/* FILE, or sovereign.json of the working tree, in canonical form; not judged yet. */
SOV_MUST_USE bool sov_document_read(struct sov_call *call, const char *path,
                                    struct sov_bytes *canonical_out, struct sov_error *err);
/* Does sovereign.json say something else than what is adopted? false if it is not there. */
SOV_MUST_USE bool sov_document_differs(struct sov_call *call, bool *there_out, bool *differs_out,
                                       struct sov_error *err);
#endif
