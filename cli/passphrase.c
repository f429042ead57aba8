#include "cli/passphrase.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/child.h"
#include "base/env.h"
#include "base/file.h"
#include "base/keeper.h"
#include "base/place.h"

enum { DESCRIPTOR_MAX = 1 << 20 };

/* ---- one line of a descriptor ---- */

/* INT and TERM are kept for later by then, and would find the terminal as it was left. */
static bool wait_for(int fd, int signals, struct sov_error *err)
{
    struct pollfd both[] = { { .fd = fd, .events = POLLIN }, { .fd = signals, .events = POLLIN } };

    while (poll(both, 2, -1) < 0)
        if (errno != EINTR)
            return sov_fail(err, SOV_UNABLE, "io_error", "waiting for a passphrase: %s",
                            strerror(errno));
    return !both[1].revents || sov_call_goes_on(err);
}

/* Octet by octet: what follows the line is somebody else's. */
static bool read_line(int fd, int signals, struct sov_passphrase *passphrase, struct sov_error *err)
{
    uint8_t *room = sov_passphrase_room(passphrase), octet;
    size_t size = 0;
    ssize_t n;

    for (;;) {
        if (!wait_for(fd, signals, err)) return false;
        n = read(fd, &octet, 1);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n < 0)
            return sov_fail(err, SOV_USAGE, "bad_value", "no passphrase from descriptor %d: %s", fd,
                            strerror(errno));
        if (n == 0 || octet == '\n' || size++ == SOV_PASSPHRASE_MAX) break;
        room[size - 1] = octet;
    }
    sov_wipe(&octet, 1);
    return sov_passphrase_is(passphrase, size, err);
}

/* Nothing that is typed is shown; what was typed before the question is none of an answer to it. */
static bool read_unseen(struct sov_call *call, int fd, const char *question,
                        struct sov_passphrase *passphrase, struct sov_error *err)
{
    bool terminal = isatty(fd), ok = true;
    struct termios before, unseen;
    int signals;

    sov_signals_watch();
    signals = sov_signals_descriptor();
    if (signals < 0)
        return sov_fail(err, SOV_UNABLE, "io_error", "signals cannot be watched: %s",
                        strerror(errno));
    if (terminal) {
        ok = tcgetattr(fd, &before) == 0;
        unseen = before;
        unseen.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK);
        unseen.c_lflag |= ECHONL;
        ok = ok && tcsetattr(fd, TCSAFLUSH, &unseen) == 0;
        if (!ok) sov_error_set(err, SOV_UNABLE, "io_error", "the terminal goes on showing");
    }
    if (ok) {
        ok = (!question || sov_out_prompt(call->out, question, err)) &&
             read_line(fd, signals, passphrase, err);
        if (terminal) (void)tcsetattr(fd, TCSAFLUSH, &before);
    }
    (void)close(signals);
    return ok;
}

/* ---- the three places ---- */

static bool from_descriptor(struct sov_call *call, struct sov_passphrase *passphrase,
                            struct sov_error *err)
{
    int64_t fd;
    int flags;
    bool ok;

    if (!sov_int_of(call, SOV_FLAG_PASSPHRASE_FD, 0, DESCRIPTOR_MAX, 0, &fd, err)) return false;
    /* One that closes with an exec is ours, a lock file or the ledger: it was not handed to us. */
    flags = fcntl((int)fd, F_GETFD);
    if (fd == STDOUT_FILENO || fd == STDERR_FILENO || (!fd && call->out->no_stdin) || flags < 0 ||
        flags & FD_CLOEXEC)
        return sov_fail(err, SOV_USAGE, "bad_value", "nothing can be read from descriptor %lld",
                        (long long)fd);
    ok = read_unseen(call, (int)fd, NULL, passphrase, err);
    if (fd > STDERR_FILENO) (void)close((int)fd);
    return ok;
}

static bool from_credential(struct sov_call *call, struct sov_passphrase *passphrase,
                            bool *found_out, struct sov_error *err)
{
    const char *folder = sov_env("CREDENTIALS_DIRECTORY"), *path;
    struct sov_bytes text;
    unsigned mode;
    size_t size;

    *found_out = false;
    if (!folder) return true;
    path = sov_arena_printf(call->arena, "%s/sov.passphrase", folder);
    if (!sov_secret_mode_named(path, &mode, err)) return strcmp(err->code, "no_such_file") == 0;
    /* Of a group's bits a system that hands it out by an access list shows the list's mask. */
    if (mode & 07)
        return sov_fail(err, SOV_DENIED, "key_exposed", "everybody can reach %s (mode %o)", path,
                        mode);
    if (!sov_file_read_named(path, SOV_PASSPHRASE_MAX + 1, call->arena, &text, err)) return false;
    size = text.size && text.data[text.size - 1] == '\n' ? text.size - 1 : text.size;
    if (size && size <= SOV_PASSPHRASE_MAX)
        memcpy(sov_passphrase_room(passphrase), text.data, size);
    sov_wipe((void *)(uintptr_t)text.data, text.size);
    *found_out = true;
    return sov_passphrase_is(passphrase, size, err);
}

static bool from_person(struct sov_call *call, const char *file, struct sov_passphrase *passphrase,
                        struct sov_error *err)
{
    SOV_CLEANUP(sov_passphrase_end) struct sov_passphrase *again = NULL;
    const char *question = "new passphrase: ";

    if (file) question = sov_arena_printf(call->arena, "passphrase of %s: ", file);
    if (!read_unseen(call, STDIN_FILENO, question, passphrase, err)) return false;
    if (file) return true;
    again = sov_passphrase_new();
    if (!read_unseen(call, STDIN_FILENO, "once more: ", again, err)) return false;
    return sov_passphrase_equal(passphrase, again)
               ? true
               : sov_fail(err, SOV_USAGE, "bad_value", "the two passphrases differ");
}

bool sov_asker_know(struct sov_asker *asker, const char *file, struct sov_error *err)
{
    SOV_CLEANUP(sov_passphrase_end) struct sov_passphrase *passphrase = NULL;
    bool found = false;

    if (asker->known) return true;
    passphrase = sov_passphrase_new();
    if (sov_given(asker->call, SOV_FLAG_PASSPHRASE_FD)) {
        if (!from_descriptor(asker->call, passphrase, err)) return false;
    } else if (!from_credential(asker->call, passphrase, &found, err) ||
               (!found && !from_person(asker->call, file, passphrase, err))) {
        return false;
    }
    asker->known = passphrase;
    passphrase = NULL;
    return true;
}

static bool ask(void *self, const char *file, const struct sov_passphrase **passphrase_out,
                struct sov_error *err)
{
    struct sov_asker *asker = self;

    if (!sov_asker_know(asker, file, err)) return false;
    *passphrase_out = asker->known;
    return true;
}

/* A person may have to touch a token, or say yes. */
enum { AGENT_WAIT_MS = 60 * 1000 };

struct sov_agent sov_agent_here(void)
{
    return (struct sov_agent){ sov_env("SSH_AUTH_SOCK"), AGENT_WAIT_MS };
}

struct sov_signing sov_asker_signing(struct sov_asker *asker)
{
    return (struct sov_signing){ .file = sov_value_of(asker->call, SOV_FLAG_SIGN_KEY),
                                 .opener = { asker, ask },
                                 .agent = sov_agent_here() };
}

bool sov_asker_is_wanted(const struct sov_asker *asker)
{
    return sov_given(asker->call, SOV_FLAG_PASSPHRASE) ||
           sov_given(asker->call, SOV_FLAG_PASSPHRASE_FD);
}

void sov_asker_end(struct sov_asker *asker)
{
    sov_passphrase_end(&asker->known);
}
