/*
 * GitHub webhooks: one signal a delivery. The event is that of the X-GitHub-Event header; its body
 * says the rest.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/from_part.h"

/* Where an event says how it went, which thing it is about, and when. Names below the root, one dot
 * between; NULL: nowhere. */
static const struct event {
    const char *name;
    const char *result;   /* a word that is told apart below */
    const char *ref;      /* a branch or full ref, */
    const char *number;   /* or the number of an issue or pull request */
    const char *observed; /* RFC 3339 */
} events[] = {
    { "check_run", "check_run.conclusion", "check_run.check_suite.head_branch", NULL,
      "check_run.completed_at" },
    { "check_suite", "check_suite.conclusion", "check_suite.head_branch", NULL,
      "check_suite.updated_at" },
    { "code_scanning_alert", "action", "ref", NULL, "alert.updated_at" },
    { "dependabot_alert", "action", NULL, NULL, "alert.updated_at" },
    { "deployment_status", "deployment_status.state", "deployment.ref", NULL,
      "deployment_status.updated_at" },
    { "issue_comment", NULL, NULL, "issue.number", "comment.updated_at" },
    { "issues", "action", NULL, "issue.number", "issue.updated_at" },
    { "pull_request", NULL, NULL, "pull_request.number", "pull_request.updated_at" },
    { "pull_request_review", NULL, NULL, "pull_request.number", "review.submitted_at" },
    { "push", NULL, "ref", NULL, "head_commit.timestamp" },
    { "release", NULL, "release.tag_name", NULL, "release.published_at" },
    { "secret_scanning_alert", "action", NULL, NULL, "alert.updated_at" },
    { "status", "state", NULL, NULL, "updated_at" },
    { "workflow_job", "workflow_job.conclusion", "workflow_job.head_branch", NULL,
      "workflow_job.completed_at" },
    { "workflow_run", "workflow_run.conclusion", "workflow_run.head_branch", NULL,
      "workflow_run.updated_at" },
};
static const struct event other = { "", NULL, NULL, NULL, NULL };

static const struct event *event_find(const char *name)
{
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (strcmp(events[i].name, name) == 0) return &events[i];
    return &other;
}

/* The node at "a.b.c" below an object; path NULL: none. */
static const struct sov_json_node *below(const struct sov_json_node *node, const char *path)
{
    char name[64];

    while (path && node) {
        size_t size = strcspn(path, ".");

        snprintf(name, sizeof name, "%.*s", (int)size, path);
        node = sov_json_is_object(node) ? sov_json_at(node, name, NULL) : NULL;
        path = path[size] ? path + size + 1 : NULL;
        if (!path) return node;
    }
    return NULL;
}

/* How it went; what is no word of these is information. */
static enum sov_severity severity_of(const char *result)
{
    static const struct {
        const char *word;
        enum sov_severity severity;
    } words[] = {
        { "success", SOV_RESOLVED },
        { "closed", SOV_RESOLVED },
        { "fixed", SOV_RESOLVED },
        { "resolved", SOV_RESOLVED },
        { "dismissed", SOV_RESOLVED },
        { "auto_dismissed", SOV_RESOLVED },
        { "closed_by_user", SOV_RESOLVED },
        { "failure", SOV_WARNING },
        { "error", SOV_WARNING },
        { "timed_out", SOV_WARNING },
        { "startup_failure", SOV_WARNING },
        { "action_required", SOV_WARNING },
        { "cancelled", SOV_WARNING },
        { "opened", SOV_WARNING },
        { "reopened", SOV_WARNING },
        { "created", SOV_WARNING },
        { "auto_reopened", SOV_WARNING },
        { "reintroduced", SOV_WARNING },
        { "appeared_in_branch", SOV_WARNING },
    };

    for (size_t i = 0; result && i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, result) == 0) return words[i].severity;
    return SOV_INFO;
}

/* "main" of "refs/heads/main"; what is no branch stays whole. */
static const char *branch(const char *ref)
{
    static const char heads[] = "refs/heads/";

    if (ref && strncmp(ref, heads, sizeof heads - 1) == 0 && ref[sizeof heads - 1])
        return ref + sizeof heads - 1;
    return ref;
}

/* repo:OWNER/NAME#REF, without #REF if the event has none; org:LOGIN if there is no repository. */
static const char *subject_of(const struct sov_from_delivery *d, const struct event *event)
{
    const char *repository = sov_from_text(below(d->root, "repository.full_name"));
    const char *organization = sov_from_text(below(d->root, "organization.login"));
    const char *ref = branch(sov_from_text(below(d->root, event->ref)));
    const struct sov_json_node *number = below(d->root, event->number);
    int64_t n;

    if (!repository)
        return organization ? sov_arena_printf(d->arena, "org:%s", organization) : NULL;
    if (ref) return sov_arena_printf(d->arena, "repo:%s#%s", repository, ref);
    if (number && sov_json_int(number, &n))
        return sov_arena_printf(d->arena, "repo:%s#%lld", repository, (long long)n);
    return sov_arena_printf(d->arena, "repo:%s", repository);
}

static bool event_named(const char *event, struct sov_error *err)
{
    if (!event)
        return sov_fail(err, SOV_USAGE, "usage",
                        "--from github needs --event, the value of X-GitHub-Event");
    for (const char *c = event; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (c != event && (*c == '_' || (*c >= '0' && *c <= '9')))))
            return sov_fail(err, SOV_USAGE, "bad_value", "--event is a-z, then also 0-9 and _");
    return *event ? true : sov_fail(err, SOV_USAGE, "bad_value", "--event is empty");
}

bool sov_from_github(struct sov_from_delivery *d, struct sov_error *err)
{
    const struct sov_from_request *request = d->request;
    const struct event *event;
    const char *action, *subject;

    if (!event_named(request->event, err)) return false;
    if (!sov_json_is_object(d->root))
        return sov_fail(err, SOV_USAGE, "bad_value", "a GitHub delivery is one object");
    event = event_find(request->event);
    action = sov_from_text(below(d->root, "action"));
    subject = request->subject ? request->subject : subject_of(d, event);
    if (!subject)
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "the delivery names no repository and no organization: give --subject");
    d->at = sov_arena_array(d->arena, 1, sizeof *d->at);
    d->count = 1;
    d->at->request = (struct sov_signal_request){
        .kind = sov_from_slug(sov_arena_printf(d->arena, "github.%s%s%s", request->event,
                                               action ? "." : "", action ? action : ""),
                              d->arena),
        .source = "github",
        .subject = subject,
        .severity = severity_of(sov_from_text(below(d->root, event->result))),
        .observed_at = sov_from_time(below(d->root, event->observed)),
    };
    d->at->key = request->delivery ? request->delivery : sov_from_digest_key(d);
    return true;
}
