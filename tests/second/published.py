"""What lies under governance/: the log in segments, the checkpoints as signed notes (log.md 4, 5)."""
import base64
import binascii
import functools
import pathlib
import re

import ed25519
from octets import Bad, sha256

SIGNATURE = "\u2014 ".encode()
holds = functools.lru_cache(maxsize=65536)(ed25519.holds)


def segments(folder):
    """(path, first, last, lines) of each segment, by first; Bad for a file that is none."""
    found = []
    for path in sorted(folder.iterdir()):
        named = re.fullmatch(r"([1-9][0-9]{0,15})-([1-9][0-9]{0,15})\.jsonl", path.name)
        if not named or path.is_symlink() or not path.is_file():
            raise Bad(f"{path.name} is no segment of the log")
        first, last = int(named[1]), int(named[2])
        text = path.read_bytes()
        lines = text.split(b"\n")
        if lines.pop() != b"" or len(lines) != last - first + 1:
            raise Bad(f"{path.name} has not the lines that it is named for")
        found.append((path.name, first, last, lines))
    return sorted(found, key=lambda row: row[1:3])


def checkpoints(folder):
    """{size: note} of the files of that name."""
    found = {}
    for path in folder.iterdir():
        if not re.fullmatch(r"[1-9][0-9]{0,15}", path.name) or path.is_symlink():
            raise Bad(f"{path.name} is no checkpoint")
        found[int(path.name)] = path.read_bytes()
    return found


def _base64(text, size):
    try:
        octets = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error) as error:
        raise Bad("no base64") from error
    if base64.b64encode(octets) != text or (size and len(octets) != size):
        raise Bad("no base64 of its size")
    return octets


def key_id(name, key):
    return sha256(name.encode(), b"\n\1", key)[:4]


def note_read(note, name, key):
    """(origin, size, root) of a note that the named key signed; Bad otherwise."""
    if len(note) > 4096 or not note.endswith(b"\n"):
        raise Bad("a note ends in a line feed")
    note.decode("utf-8", "strict")
    if any(c < 32 and c != 10 for c in note):
        raise Bad("a control character")
    text, blank, signed = note.rpartition(b"\n\n")
    if not blank or not signed:
        raise Bad("no signature")
    text, good = text + b"\n", False
    for line in signed[:-1].split(b"\n"):
        if not line.startswith(SIGNATURE):
            raise Bad("a line that is no signature")
        who, space, octets = line[len(SIGNATURE):].partition(b" ")
        if not who or not space:
            raise Bad("a signature without a name")
        octets = _base64(octets, 0)
        if len(octets) <= 4:
            raise Bad("a signature of nothing")
        if who != name.encode() or octets[:4] != key_id(name, key):
            continue
        if not holds(key, text, octets[4:]):
            raise Bad("the signature does not hold")
        good = True
    if not good:
        raise Bad("not signed by the ledger key")
    lines = text.split(b"\n")
    if len(lines) != 4 or not re.fullmatch(rb"0|[1-9][0-9]{0,18}", lines[1]):
        raise Bad("not three lines")
    return lines[0].decode(), int(lines[1]), _base64(lines[2], 32)


def signed_by_another(note, name):
    """True for a note of another log: its origin and a signer are the same other name."""
    origin = note.partition(b"\n")[0]
    return origin and origin != name.encode() and b"\n" + SIGNATURE + origin + b" " in note


def note_write(origin, size, root, seed):
    """For tests that forge: the note of a root, signed."""
    text = f"{origin}\n{size}\n{base64.b64encode(root).decode()}\n".encode()
    signed = key_id(origin, ed25519.public(seed)) + ed25519.sign(seed, text)
    return text + b"\n" + SIGNATURE + origin.encode() + b" " + base64.b64encode(signed) + b"\n"


def origin_of(name, ledger):
    """The organization's name in a-z 0-9 -, a slash, the ledger id."""
    lowered = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in name)
    slug = "".join(c if c in "abcdefghijklmnopqrstuvwxyz0123456789" else "-" for c in
                   lowered.encode().decode("latin-1"))
    slug = re.sub("-+", "-", slug).lstrip("-")[:63].rstrip("-")
    return f"{slug or 'organization'}/{ledger}"


def tree_of(path):
    return pathlib.Path(path) / "governance"
