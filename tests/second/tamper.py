#!/usr/bin/env python3
"""Makes tampered copies of a published tree, each with the class that must be found.

    tamper.py TREE KEYFILE OUT            copies of TREE, as an attacker would leave them
    tamper.py --chains CHAINS OUT         the logs of fixtures/chains, published

Prints a line a copy: its folder, the class expected with the pin of TREE known (`ok`: none), what
was done. The same each time: nothing here is drawn by chance.
"""
import pathlib
import re
import shutil
import sys

import ed25519
import published
from octets import Tree, canonical, leaf, read, sha256

WRONG = bytes(range(32))


def seed_of(path):
    return bytes.fromhex(path.read_text().split()[2])


class Copies:
    def __init__(self, tree, seed, out):
        self.tree, self.seed, self.out, self.count = tree, seed, out, 0
        segments = published.segments(tree / "governance" / "log")
        self.segments = [(name, first, lines) for name, first, _, lines in segments]
        self.lines = [line for _, _, lines in self.segments for line in lines]
        self.sizes = sorted(published.checkpoints(tree / "governance" / "checkpoints"))
        first = read(self.lines[0])
        self.origin = published.origin_of(first["data"]["name"], sha256(self.lines[0]).hex())

    def new(self, expected, what):
        self.count += 1
        folder = self.out / f"{self.count:04d}"
        shutil.copytree(self.tree / "governance", folder / "governance", symlinks=True)
        print(folder, expected, what.replace(" ", "-"))
        return folder / "governance"

    def segment_of(self, seq):
        return next(s for s in reversed(self.segments) if s[1] <= seq)

    def put(self, folder, lines, sizes, seed=None, origin=None):
        """The whole log written again, with checkpoints of these sizes signed by the key."""
        for part in ("log", "checkpoints"):
            shutil.rmtree(folder / part)
            (folder / part).mkdir()
        name = f"1-{len(lines)}.jsonl"
        (folder / "log" / name).write_bytes(b"".join(line + b"\n" for line in lines))
        tree = Tree()
        for n, line in enumerate(lines, 1):
            tree.add(leaf(line))
            if n in sizes:
                note = published.note_write(origin or self.origin, n, tree.root(),
                                            seed or self.seed)
                (folder / "checkpoints" / str(n)).write_bytes(note)

    # ---- what is done ----

    def bytes_of(self, part, every):
        for path in sorted((self.tree / "governance" / part).iterdir()):
            text = path.read_bytes()
            for at in range(every // 2, len(text), every):
                folder = self.new("TAMPER", f"{path.name} octet {at} flipped")
                bad = bytearray(text)
                bad[at] ^= 1 << at % 7
                (folder / part / path.name).write_bytes(bytes(bad))

    def edit(self, seq, what, change, expected="TAMPER"):
        """`change` makes of the lines of a segment and a place in it other lines."""
        name, first, lines = self.segment_of(seq)
        new = change(list(lines), seq - first)
        if new == lines:
            return
        folder = self.new(expected, f"{what} at {seq}")
        (folder / "log" / name).write_bytes(b"".join(line + b"\n" for line in new))

    def rows(self, seqs):
        def swapped(lines, at):
            at = min(at, len(lines) - 2)
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
            return lines

        for seq in seqs:
            self.edit(seq, "line left out", lambda rows, at: rows[:at] + rows[at + 1:])
            self.edit(seq, "line doubled", lambda rows, at: rows[:at] + [rows[at]] + rows[at:])
            self.edit(seq, "line empty", lambda rows, at: rows[:at] + [b""] + rows[at + 1:])
            self.edit(seq, "line of elsewhere",
                      lambda rows, at: rows[:at] + [self.lines[0]] + rows[at + 1:])
            if len(self.segment_of(seq)[2]) > 1:
                self.edit(seq, "lines swapped", swapped)

    def fields(self, seqs):
        def put(key, value):
            def change(rows, at):
                event = read(rows[at])
                event[key] = value(event[key]) if callable(value) else value
                return rows[:at] + [canonical(event)] + rows[at + 1:]
            return change

        for seq in seqs:
            self.edit(seq, "another actor", put("actor", "sparring"))
            self.edit(seq, "another seq", put("seq", seq + 1))
            self.edit(seq, "another version", put("sv", lambda sv: sv + 1))
            self.edit(seq, "another time", put("at", "2027-01-01T00:00:00.000Z"))
            self.edit(seq, "another type", put("type", "outcome.activated"))
            self.edit(seq, "another cause", put("cause", [1]) if seq > 1 else put("v", 2))

    def files(self):
        for name, first, _ in self.segments:
            folder = self.new("TAMPER", f"{name} missing")
            (folder / "log" / name).unlink()
            folder = self.new("TAMPER", f"{name} of another name")
            (folder / "log" / name).rename(folder / "log" / f"{first + 1}-{first + 9}.jsonl")
            folder = self.new("TAMPER", f"{name} cut in a line")
            text = (folder / "log" / name).read_bytes()
            (folder / "log" / name).write_bytes(text[:-2])
        for size in self.sizes:
            folder = self.new("TAMPER", f"checkpoint {size} empty")
            (folder / "checkpoints" / str(size)).write_bytes(b"")
            folder = self.new("TAMPER", f"checkpoint {size} of another name")
            (folder / "checkpoints" / str(size)).rename(folder / "checkpoints" / str(size + 1))

    def notes(self):
        roots, tree = {}, Tree()
        for n, line in enumerate(self.lines, 1):
            tree.add(leaf(line))
            roots[n] = tree.root()
        for size in self.sizes:
            def put(what, origin, said, root, seed, expected="TAMPER"):
                folder = self.new(expected, f"checkpoint {size} {what}")
                note = published.note_write(origin, said, root, seed)
                (folder / "checkpoints" / str(size)).write_bytes(note)

            put("signed by a wrong key", self.origin, size, roots[size], WRONG)
            put("of another log", "other/" + "0" * 64, size, roots[size], self.seed, "FORK")
            put("of another size", self.origin, size - 1, roots[size], self.seed)
            put("of another root", self.origin, size, roots[size - 1], self.seed)

    def old(self):
        """Copies put back as they were: only the pin knows better."""
        for at, size in enumerate(self.sizes[:-1]):
            folder = self.new("ROLLBACK", f"the copy of {size}")
            for later in self.sizes[at + 1:]:
                (folder / "checkpoints" / str(later)).unlink()
            for name, first, _ in self.segments:
                if first > size:
                    (folder / "log" / name).unlink()

    def cut(self, sizes):
        for size in sizes:
            folder = self.new("ROLLBACK", f"cut at {size} and signed again")
            self.put(folder, self.lines[:size], [size])

    def fork(self, seqs):
        """Another history under the same key. Where people had signed what came before, it breaks
        their signatures; at the end nothing but the pin tells."""
        for seq in seqs:
            signed = any(b'"sig":' in line for line in self.lines[seq:])
            lines = list(self.lines)
            for n in range(seq - 1, len(lines)):
                event = read(lines[n])
                event["at"] = event["at"][:-4] + "777Z"
                lines[n] = canonical(event)
            folder = self.new("TAMPER" if signed else "FORK", f"another history from {seq}")
            self.put(folder, lines, self.sizes)

    def forged(self):
        """Written again by who has the ledger key, against the rules."""
        def again(what, seq, old, new):
            if not re.search(old, self.lines[seq - 1]):
                return
            lines = list(self.lines)
            lines[seq - 1] = re.sub(old, new, lines[seq - 1], count=1)
            folder = self.new("TAMPER", f"{what} at {seq}, signed again")
            self.put(folder, lines, self.sizes)

        for seq, line in enumerate(self.lines, 1):
            again("an unknown field", seq, rb'"data":\{"a', rb'"data":{"A":1,"a')
            again("another version", seq, rb'"v":1\}', rb'"v":2}')
            again("another balance", seq, rb'"balance":', rb'"balance":1')
            again("another fence", seq, rb'"fence":[0-9]+', rb'"fence":3')
            again("another decision", seq, rb'"decision":"accepted"', rb'"decision":"rejected"')
            again("evidence turned", seq, rb'"success":true,"ver', rb'"success":false,"ver')
            again("another receipt", seq, rb'"status":"completed","usage', rb'"status":"failed","usage')
            again("nobody acts", seq, rb'^\{"actor":"(?!host)', rb'{"actor":"x')
        folder = self.new("TAMPER", "signed by a wrong key throughout")
        self.put(folder, self.lines, self.sizes, WRONG)

    def kept(self):
        """The same log in other files is the same log."""
        folder = self.new("ok", "as it was")
        folder = self.new("ok", "one segment, one checkpoint")
        self.put(folder, self.lines, self.sizes[-1:])
        name, first, lines = self.segments[-1]
        folder = self.new("ok", "segments that overlap")
        both = self.lines[first - 3:]
        (folder / "log" / f"{first - 2}-{len(self.lines)}.jsonl").write_bytes(
            b"".join(line + b"\n" for line in both))
        folder = self.new("FORK", "segments that overlap and differ")
        both[0] = both[1]
        (folder / "log" / f"{first - 2}-{len(self.lines)}.jsonl").write_bytes(
            b"".join(line + b"\n" for line in both))

    def all(self):
        count = len(self.lines)
        self.kept()
        self.bytes_of("log", 397)
        self.bytes_of("checkpoints", 23)
        self.rows(range(2, count, 9))
        self.fields(range(1, count, 11))
        self.files()
        self.notes()
        self.old()
        self.cut(range(12, count, 13))
        self.fork([*range(count - 40, count - 1, 13), count - 1, count])
        self.forged()


def chains(folder, out):
    for path in sorted(folder.glob("*.jsonl")):
        lines = path.read_bytes().split(b"\n")[:-1]
        base = next((f"good-{of}" for of in ("approval", "mail", "wire") if f"-{of}-" in path.stem),
                    "good-store")
        good = path.stem if path.stem.startswith("good") else base
        seed = seed_of(folder / (good + ".test-key"))
        whole = (folder / (good + ".jsonl")).read_bytes().split(b"\n")[:-1]
        origin = published.origin_of(read(whole[0])["data"]["name"], sha256(whole[0]).hex())
        governance = out / path.stem / "governance"
        for part in ("log", "checkpoints"):
            (governance / part).mkdir(parents=True)
        copies = Copies.__new__(Copies)
        copies.origin, copies.seed = origin, seed
        copies.put(governance, lines, [len(lines)])
        print(out / path.stem, "ok" if path.stem == good else path.stem.split("-")[1], path.stem)


def main(words):
    if words[0] == "--chains":
        chains(pathlib.Path(words[1]), pathlib.Path(words[2]))
    else:
        tree, key, out = map(pathlib.Path, words)
        Copies(tree, seed_of(key), out).all()


if __name__ == "__main__":
    main(sys.argv[1:])
