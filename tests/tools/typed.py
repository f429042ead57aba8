"""typed.py WORDS... -- COMMAND...: a person at a terminal. Each word is typed when the program asks,
that is when it has said something that ends with ": "; "^C" is the key that interrupts. Everything
the terminal showed is printed, then how the command ended and whether the terminal still shows what
is typed."""
import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios

words, command = sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
# Both ends stay open here: the terminal's state is asked when the program is gone.
terminal, line = pty.openpty()


def at_a_terminal():
    """A job in the background is started deaf to the key, and who sits at a terminal is not."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


run = subprocess.Popen(command, stdin=line, stdout=line, stderr=line, start_new_session=True,
                       preexec_fn=at_a_terminal)
shown, ended = b"", None
while ended is None:
    if select.select([terminal], [], [], 0.05)[0]:
        shown += os.read(terminal, 4096)
        if shown.endswith(b": ") and words:
            word = words.pop(0)
            os.write(terminal, b"\3" if word == "^C" else word.encode() + b"\n")
    else:
        ended = run.poll()
while select.select([terminal], [], [], 0.05)[0]:
    shown += os.read(terminal, 4096)
echoes = termios.tcgetattr(line)[3] & termios.ECHO
sys.stdout.write(shown.decode().replace("\r\n", "\n"))
print(f"exit {ended}, {'shown' if echoes else 'unseen'}")
