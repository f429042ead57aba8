"""Canonical JSON (RFC 8785 without floats), hashes and the tree of RFC 6962, after log.md 1."""
import hashlib
import json

INTEGER_MAX = 2**53 - 1
DEPTH_MAX = 16


class Bad(Exception):
    """What was read is not what it must be."""


def _pairs(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise Bad("a key twice")
    return dict(pairs)


def _no(what):
    raise Bad(f"{what} is no integer")


def _depth(value, depth=1):
    if isinstance(value, (dict, list)):
        if depth > DEPTH_MAX:
            raise Bad("nested too deep")
        for item in value.values() if isinstance(value, dict) else value:
            _depth(item, depth + 1)
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) > INTEGER_MAX:
        raise Bad("an integer out of range")


_SHORT = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def _text(text):
    out = []
    for c in text:
        n = ord(c)
        out.append(_SHORT.get(n) or (f"\\u{n:04x}" if n < 32 else c))
    return '"' + "".join(out) + '"'


def _write(value):
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return "[" + ",".join(map(_write, value)) + "]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
    return "{" + ",".join(_text(key) + ":" + _write(value[key]) for key in keys) + "}"


def canonical(value):
    return _write(value).encode()


def read(octets):
    """The value of canonical octets; Bad for any other spelling."""
    try:
        value = json.loads(octets.decode("utf-8", "strict"), object_pairs_hook=_pairs,
                           parse_float=_no, parse_constant=_no)
        _depth(value)
        if canonical(value) != octets:
            raise Bad("not canonical")
    except (ValueError, RecursionError, UnicodeError) as error:
        raise Bad(str(error)) from error
    return value


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def digest(tag, value):
    """SHA-256 over a tag, a line feed and canonical JSON, as hex."""
    return sha256(tag.encode(), b"\n", canonical(value)).hex()


def leaf(octets):
    return sha256(b"\0", octets)


class Tree:
    """Roots of every prefix of a log."""

    def __init__(self):
        self.nodes, self.size = [], 0

    def add(self, hashed):
        size, self.size = self.size, self.size + 1
        while size & 1:
            hashed = sha256(b"\1", self.nodes.pop(), hashed)
            size >>= 1
        self.nodes.append(hashed)

    def root(self):
        if not self.nodes:
            return sha256(b"")
        root = self.nodes[-1]
        for node in reversed(self.nodes[:-1]):
            root = sha256(b"\1", node, root)
        return root
