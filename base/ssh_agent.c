#include "base/ssh_agent.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/child.h"
#include "base/keeper.h"
#include "base/seams.h"
#include "base/ssh_wire.h"
#include "base/sshsig.h"

/* The words of the protocol that are used here. */
enum { FAILURE = 5, REQUEST_IDENTITIES = 11, IDENTITIES = 12, SIGN_REQUEST = 13, SIGNED = 14 };
enum { MESSAGE_MAX = 256 * 1024, BLOB_MAX = 64, HEAD = 4 };

struct talk {
    int fd, signals;
    int64_t until;
};

static void talk_end(struct talk *talk)
{
    if (talk->fd != -1) (void)close(talk->fd);
    if (talk->signals != -1) (void)close(talk->signals);
}

static bool talk_begin(struct talk *talk, const struct sov_agent *agent, struct sov_error *err)
{
    struct sockaddr_un place = { .sun_family = AF_UNIX };
    size_t size = agent->socket ? strlen(agent->socket) : 0;

    talk->until = sov_monotonic_ms() + agent->wait_ms;
    if (!size)
        return sov_fail(err, SOV_UNABLE, "agent_unavailable", "SSH_AUTH_SOCK names no agent");
    if (size >= sizeof place.sun_path)
        return sov_fail(err, SOV_UNABLE, "agent_unavailable",
                        "the agent's socket has too long a name");
    memcpy(place.sun_path, agent->socket, size + 1);
    talk->signals = sov_signals_descriptor();
    talk->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    /* To a local socket it is done at once, or the agent is not taking anybody. */
    if (talk->signals == -1 || talk->fd == -1 ||
        connect(talk->fd, (const struct sockaddr *)&place, sizeof place) != 0)
        return sov_fail(err, SOV_UNABLE, "agent_unavailable", "the agent cannot be reached: %s",
                        strerror(errno));
    return true;
}

/* INT and TERM are kept back by who watches for them; they end the wait. */
static bool stopped(struct sov_error *err)
{
    return sov_signals_seen() == SIGTERM
               ? sov_fail(err, SOV_TERMINATED, "terminated", "told to end while an agent was asked")
               : sov_fail(err, SOV_INTERRUPTED, "interrupted",
                          "told to stop while an agent was asked");
}

static bool wait_until(const struct talk *talk, short events, struct sov_error *err)
{
    for (;;) {
        struct pollfd both[] = { { .fd = talk->fd, .events = events },
                                 { .fd = talk->signals, .events = POLLIN } };
        int64_t left = talk->until - sov_monotonic_ms();
        int ready = left > 0 ? poll(both, 2, (int)left) : 0;

        if (ready == -1 && errno == EINTR) continue;
        if (ready == -1)
            return sov_fail(err, SOV_UNABLE, "agent_unavailable", "waiting for the agent: %s",
                            strerror(errno));
        if (ready == 0)
            return sov_fail(err, SOV_UNABLE, "agent_unavailable", "the agent does not answer");
        if (both[1].revents && sov_signals_seen()) return stopped(err);
        if (both[0].revents) return true;
    }
}

static bool is_again(ssize_t n)
{
    return n == -1 && (errno == EINTR || errno == EAGAIN);
}

static bool send_all(const struct talk *talk, struct sov_bytes octets, struct sov_error *err)
{
    for (size_t done = 0; done < octets.size;) {
        ssize_t n;

        if (!wait_until(talk, POLLOUT, err)) return false;
        n = send(talk->fd, octets.data + done, octets.size - done, MSG_NOSIGNAL);
        if (is_again(n)) continue;
        if (n == -1)
            return sov_fail(err, SOV_UNABLE, "agent_unavailable", "the agent does not listen: %s",
                            strerror(errno));
        done += (size_t)n;
    }
    return true;
}

static bool receive(const struct talk *talk, struct sov_buf *into, size_t size,
                    struct sov_error *err)
{
    uint8_t piece[4096];

    while (into->size < size) {
        ssize_t n;

        if (!wait_until(talk, POLLIN, err)) return false;
        n = recv(talk->fd, piece, sov_size_min(size - into->size, sizeof piece), 0);
        if (is_again(n)) continue;
        if (n == -1)
            return sov_fail(err, SOV_UNABLE, "agent_unavailable", "the agent does not answer: %s",
                            strerror(errno));
        if (n == 0) return sov_fail(err, SOV_UNABLE, "agent_unavailable", "the agent hung up");
        sov_buf_add(into, sov_bytes(piece, (size_t)n));
    }
    return true;
}

/* One question, one answer: what follows its first octet, which must be `expected`. */
static bool ask(const struct sov_agent *agent, struct sov_bytes question, uint8_t expected,
                struct sov_buf *answer, struct sov_bytes *body_out, struct sov_error *err)
{
    SOV_CLEANUP(talk_end) struct talk talk = { .fd = -1, .signals = -1 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_bytes head;
    uint32_t size = 0;

    sov_buf_init(&out, MESSAGE_MAX + HEAD);
    sov_wire_put(&out, question);
    sov_buf_init(answer, MESSAGE_MAX + HEAD);
    if (!sov_buf_whole(&out, "the question to the agent", err) || !talk_begin(&talk, agent, err) ||
        !send_all(&talk, sov_buf_bytes(&out), err) || !receive(&talk, answer, HEAD, err))
        return false;
    head = sov_buf_bytes(answer);
    if (!sov_wire_uint(&head, &size) || !size || size > MESSAGE_MAX)
        return sov_fail(err, SOV_UNABLE, "agent_unavailable", "the agent announces %u octets",
                        size);
    if (!receive(&talk, answer, HEAD + size, err)) return false;
    *body_out = sov_bytes(answer->data + HEAD + 1, size - 1);
    if (answer->data[HEAD] == expected) return true;
    return answer->data[HEAD] == FAILURE
               ? sov_fail(err, SOV_UNABLE, "agent_unavailable", "the agent refuses")
               : sov_fail(err, SOV_UNABLE, "agent_unavailable", "the agent answers %u",
                          answer->data[HEAD]);
}

bool sov_agent_has(const struct sov_agent *agent, const struct sov_public_key *key, bool *has_out,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf answer = { 0 }, blob = { 0 };
    static const uint8_t question[] = { REQUEST_IDENTITIES };
    struct sov_bytes left, one, comment;
    uint32_t count;
    bool has = false;

    sov_buf_init(&blob, BLOB_MAX);
    sov_ssh_key_blob(key, &blob);
    if (!ask(agent, sov_bytes(question, 1), IDENTITIES, &answer, &left, err)) return false;
    if (!sov_wire_uint(&left, &count))
        return sov_fail(err, SOV_UNABLE, "agent_unavailable", "the agent lists no keys");
    for (uint32_t i = 0; i < count; i++) {
        if (!sov_wire_take(&left, &one) || !sov_wire_take(&left, &comment))
            return sov_fail(err, SOV_UNABLE, "agent_unavailable",
                            "the agent's list of keys is cut");
        has = has || sov_bytes_equal(one, sov_buf_bytes(&blob));
    }
    if (left.size)
        return sov_fail(err, SOV_UNABLE, "agent_unavailable",
                        "the agent's list of keys goes on behind its end");
    *has_out = has;
    return true;
}

bool sov_agent_sign(const struct sov_agent *agent, const struct sov_public_key *key,
                    struct sov_bytes message, struct sov_signature *signature_out,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf answer = { 0 }, question = { 0 }, blob = { 0 };
    struct sov_signature signature;
    struct sov_bytes left, inner, octets;

    sov_buf_init(&blob, BLOB_MAX);
    sov_ssh_key_blob(key, &blob);
    sov_buf_init(&question, MESSAGE_MAX);
    sov_buf_add_byte(&question, SIGN_REQUEST);
    sov_wire_put(&question, sov_buf_bytes(&blob));
    sov_wire_put(&question, message);
    sov_wire_put_uint(&question, 0);
    if (!ask(agent, sov_buf_bytes(&question), SIGNED, &answer, &left, err)) return false;
    if (!sov_wire_take(&left, &inner) || left.size || !sov_wire_is(&inner, "ssh-ed25519") ||
        !sov_wire_take(&inner, &octets) || inner.size || octets.size != sizeof signature.octets)
        return sov_fail(err, SOV_UNABLE, "agent_unavailable",
                        "the agent's signature is none of ssh-ed25519");
    memcpy(signature.octets, octets.data, octets.size);
    if (!sov_signature_holds(key, message, &signature))
        return sov_fail(err, SOV_UNABLE, "agent_unavailable",
                        "the agent's signature does not hold");
    *signature_out = signature;
    return true;
}
