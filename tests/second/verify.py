#!/usr/bin/env python3
"""A second verifier of a published log, in another language and by another reading.

    verify.py [--ledger-id HEX] [--pin SIZE:ROOT] [--no-anchor] [--quiet|--root] TREE...

Standard library only. It shares no code with sov: of the repository it reads docs/events.md alone.
A line a finding, `CLASS kind seq message`, and at the end of each tree `ok` or `no`; the exit is
that of cli.md 2: 6 TAMPER FORK ROLLBACK, 3 ABSENT, 1 UNANCHORED or DRIFT, 0. Used by tests only.
"""
import argparse
import pathlib
import sys

import published
from model import Judged
from octets import Bad, Tree, leaf, read, sha256
from registry import Registry

EXIT = {"TAMPER": 6, "FORK": 6, "ROLLBACK": 6, "ABSENT": 3, "DRIFT": 1, "UNANCHORED": 1}


class Look:
    def __init__(self, tree, registry, asked, pin):
        self.folder, self.registry, self.asked, self.pin = tree, registry, asked, pin
        self.findings, self.size, self.root, self.ledger = [], 0, None, None
        self.lost = set()  # the last event of each range that a restore names as lost

    def say(self, which, kind, seq, message):
        self.findings.append((which, kind, seq, str(message)))

    def lines(self):
        """The octets by seq, of all segments; two that overlap must agree."""
        lines = {}
        for name, first, _, texts in published.segments(self.folder / "log"):
            for seq, octets in enumerate(texts, first):
                if lines.setdefault(seq, octets) != octets:
                    self.say("FORK", "overlap", seq, f"{name} says otherwise than another")
        return lines

    def founding(self, octets):
        event = read(octets)
        self.registry.event(event, 1)
        if event["type"] != "organization.founded":
            raise Bad("event 1 founds nothing")
        self.ledger = sha256(octets).hex()
        key = bytes.fromhex(event["data"]["public_key"])
        return published.origin_of(event["data"]["name"], self.ledger), key

    def notes(self, name, key):
        """{size: root} of the checkpoints that the ledger key signed."""
        roots = {}
        for size, note in sorted(published.checkpoints(self.folder / "checkpoints").items()):
            try:
                origin, said, root = published.note_read(note, name, key)
                if said != size or origin != name:
                    raise Bad(f"it is of {origin} at {said}")
                roots[size] = root
            except (Bad, UnicodeError) as error:
                other = published.signed_by_another(note, name)
                self.say("FORK" if other else "TAMPER", "checkpoint", size, error)
        return roots

    def chain(self, lines, size):
        tree, judged, roots, broken = Tree(), Judged(self.ledger, self.registry.claims), {}, False
        for seq in range(1, size + 1):
            octets = lines.get(seq)
            if octets is None:
                self.say("TAMPER", "gap", seq, "it is not in the published log")
                break
            tree.add(leaf(octets))
            roots[seq] = tree.root()
            try:
                event = read(octets)
                row = self.registry.event(event, seq)
            except Bad as error:
                self.say("TAMPER", "octets", seq, error)
                broken = True
                continue
            for kind, message in judged.add(event, octets, row) if not broken else []:
                self.say("TAMPER", kind, seq, message)
            if event["type"] == "ledger.restored":
                self.restored(event, seq, roots, judged)
        else:
            for kind, message in judged.end() if not broken else []:
                self.say("TAMPER", kind, size, message)
        return roots

    def restored(self, event, seq, roots, judged):
        """What came back is the log up to there; only a clock that went back is said before it."""
        said, size = event["data"], event["data"]["from_size"]
        late = size == seq - 2 and judged.events[seq - 1]["type"] == "clock.regressed"
        if (size != seq - 1 and not late) or roots[size].hex() != said["from_root"]:
            self.say("TAMPER", "restored", seq, "another size or root came back")
        lost = said.get("lost_first"), said.get("lost_last")
        if lost != (None, None) and (None in lost or lost[0] != size + 1 or lost[1] < lost[0]):
            self.say("TAMPER", "restored", seq, "no such range was lost")
        self.lost.add(lost[1])

    def anchors(self, roots, head):
        anchored = False
        if self.asked:
            if self.asked != self.ledger:
                self.say("FORK", "ledger_id", 1, "another ledger than asked for")
        if self.pin:
            size, root = self.pin
            differs = size > head or (roots.get(size) and roots[size] != root)
            if differs and size in self.lost:  # the pin of the branch that a restore says was lost
                pass
            elif size > head:
                self.say("ROLLBACK", "pin", head + 1, "the pin knows a larger log")
            elif roots.get(size) and roots[size] != root:
                self.say("FORK", "pin", size, "the root of the pin is no prefix of this log")
            anchored = not differs or size not in self.lost
        if not anchored:
            self.say("UNANCHORED", "no_anchor", 0, "nothing outside vouches for it")

    def run(self):
        if not (self.folder / "log").is_dir() or not (self.folder / "checkpoints").is_dir():
            self.say("ABSENT", "published", 0, "no published log")
            return
        try:
            lines = self.lines()
            if 1 not in lines:
                raise Bad("event 1 is missing")
            name, key = self.founding(lines[1])
            notes = self.notes(name, key)
        except (Bad, UnicodeError, OSError) as error:
            self.say("TAMPER", "published", 0, error)
            return
        if not notes:
            self.say("TAMPER", "checkpoint", 0, "no checkpoint that the ledger key signed")
            return
        self.size = max(notes)
        roots = self.chain(lines, self.size)
        if max(lines) > self.size:
            self.say("DRIFT", "beyond", self.size + 1, "events beyond the newest checkpoint")
        for size, root in notes.items():
            if roots.get(size) and roots[size] != root:
                self.say("TAMPER", "root", size, "the events do not give the root that was signed")
        self.root = roots.get(self.size)
        self.anchors(roots, self.size)


def verdict(findings, no_anchor):
    exits = [EXIT[f[0]] for f in findings if not (no_anchor and f[0] == "UNANCHORED")]
    return max(exits, default=0)


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser()
    parser.add_argument("--ledger-id")
    parser.add_argument("--pin")
    parser.add_argument("--no-anchor", action="store_true")
    parser.add_argument("--quiet", action="store_true", help="a line a tree: exit, classes, tree")
    parser.add_argument("--root", action="store_true", help="print SIZE:ROOT, as --pin takes it")
    parser.add_argument("tree", nargs="+")
    options = parser.parse_args()
    registry, pin, worst = Registry(here.parent.parent / "docs" / "events.md"), None, 0
    if options.pin:
        size, _, root = options.pin.partition(":")
        pin = int(size), bytes.fromhex(root)
    for tree in options.tree:
        look = Look(published.tree_of(tree), registry, options.ledger_id, pin)
        look.run()
        exit_ = verdict(look.findings, options.no_anchor)
        worst = max(worst, exit_)
        if options.root:
            print(f"{look.size}:{look.root.hex()}")
            continue
        if options.quiet:
            classes = sorted({f[0] for f in look.findings
                              if not (options.no_anchor and f[0] == "UNANCHORED")})
            print(exit_, ",".join(classes) or "ok", tree)
            continue
        for which, kind, seq, message in look.findings:
            print(which, kind, seq, message)
        print("ok" if exit_ == 0 else "no")
    return worst


if __name__ == "__main__":
    sys.exit(main())
