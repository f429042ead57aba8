"""The types of events and their data, as docs/events.md prints them, and the check of one event."""
import re

from octets import Bad

ENVELOPE = {"actor", "at", "cause", "data", "fence", "key", "seq", "stream", "sv", "type", "v"}
OPTIONAL = {"cause", "fence", "key"}
PREFIX = {"change": "CHG", "signal": "SIG", "outcome": "OUT", "sow": "SOW", "assignment": "ASG",
          "effect": "EFF", "receipt": "RCP", "verification": "VER", "evidence": "EVD",
          "review": "REV", "acceptance": "ACC", "ruling": "RUL", "message": "MSG",
          "approval": "APR", "instance": "INS", "session": "SES", "delivery": "DLV",
          "automation": "AUT", "transcript": "TRN", "memory": "MEM", "grant": "GRT",
          "call": "CAL"}
CLAIMED = ("assignment", "message", "delivery", "instance", "session")
ID = re.compile(r"[a-z][a-z0-9._-]{0,62}")
INSTANT = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
                     r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z")


class Row:
    def __init__(self, stream, authority, leads, fence, fields):
        self.streams = CLAIMED if stream == "claimable" else stream.split()
        self.authority, self.leads = authority, leads.split()
        self.fence, self.fields = fence, fields


def _fields(text):
    """{name: (required, kind)} of "`name`? kind, `other` kind"."""
    fields = {}
    for name, optional, kind in re.findall(r"`([a-z0-9_]+)`(\??) ([^,`]+)", text):
        fields[name] = (not optional, kind.strip().replace("\\|", "|"))
    return fields


class Registry:
    def __init__(self, path):
        self.rows, self.shapes, self.claims = {}, {}, {}
        for line in path.read_text().split("\n"):
            shape = re.fullmatch(r"- \*\*([a-z_]+)\*\*: (.*)", line)
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)]
            claim = re.fullmatch(r"- ([a-z]+): ([a-z|]+)", line.replace("\\|", "|"))
            if claim:
                self.claims[claim[1]] = claim[2]
            elif shape:
                self.shapes[shape[1]] = _fields(shape[2])
            elif len(cells) == 8 and re.fullmatch(r"`[a-z0-9_.]+`", cells[1]):
                authority = cells[3].replace("\\|", "|")
                self.rows[cells[1].strip("`")] = Row(cells[2], authority, cells[4], cells[5],
                                                     _fields(cells[6]))
        if len(self.rows) < 60 or len(self.shapes) < 10:
            raise SystemExit(f"{path} names no events")

    def data(self, fields, data, where):
        if not isinstance(data, dict):
            raise Bad(f"{where} is no object")
        for name in data:
            if name not in fields:
                raise Bad(f"{where}.{name} is unknown")
        for name, (required, kind) in fields.items():
            if name in data:
                self.value(kind, data[name], f"{where}.{name}")
            elif required:
                raise Bad(f"{where}.{name} is missing")

    def value(self, kind, value, where):
        if not self.fits(kind, value, where):
            raise Bad(f"{where} is no {kind}")

    def fits(self, kind, value, where):
        is_text, word = isinstance(value, str), kind.split()
        is_int = isinstance(value, int) and not isinstance(value, bool)
        if word[0] == "text":
            return is_text and len(value.encode()) <= int(word[1])
        if word[0] == "hex":
            return is_text and re.fullmatch(f"[0-9a-f]{{{word[1]}}}", value)
        if kind == "id":
            return is_text and ID.fullmatch(value)
        if kind in ("count", "integer"):
            return is_int and (kind == "integer" or value >= 0)
        if kind == "bool":
            return isinstance(value, bool)
        if kind == "object":
            return isinstance(value, dict)
        if kind == "instant":
            return is_text and INSTANT.fullmatch(value)
        if word[0] == "names":
            inner = "integer" if word[2] == "integers" else "text 200"
            return isinstance(value, dict) and all(
                self.fits(inner, item, where) for item in value.values())
        if word[0] == "list":
            inner = " ".join(word[3:]).replace("texts", "text")
            return isinstance(value, list) and len(value) <= int(word[2]) and all(
                self.fits(inner, item, where) for item in value)
        if kind in self.shapes:
            self.data(self.shapes[kind], value, where)
            return True
        if re.fullmatch("[A-Z]+-n", kind):
            return is_text and re.fullmatch(kind[:-1] + "[1-9][0-9]{0,15}", value)
        return is_text and value in kind.split("|")

    def event(self, event, seq):
        """Envelope and data of the event at `seq`; Bad otherwise."""
        if not isinstance(event, dict) or set(event) - ENVELOPE or (
                ENVELOPE - OPTIONAL - set(event)):
            raise Bad("not the keys of an event")
        row = self.rows.get(event["type"]) if isinstance(event["type"], str) else None
        if row is None:
            raise Bad("no type that is known")
        for name in ("seq", "sv"):
            self.value("count", event[name], name)
        if event["v"] is True or event["v"] != 1 or event["seq"] != seq or event["sv"] < 1:
            raise Bad("another version, seq or sv than its place has")
        self.value("instant", event["at"], "at")
        self.value("id", event["actor"], "actor")
        self.stream(event["stream"], row)
        if "cause" in event:
            cause = event["cause"]
            self.value("list of 64 count", cause, "cause")
            if not cause or sorted(set(cause)) != cause or cause[0] < 1 or cause[-1] >= seq:
                raise Bad("causes come before, each once, in order")
        if "key" in event:
            self.value("text 200", event["key"], "key")
        fence = event.get("fence")
        if fence is not None:
            self.value("count", fence, "fence")
        if (row.fence == "always" and not fence) or (row.fence == "never" and fence is not None):
            raise Bad("a fence too many or too few")
        self.data(row.fields, event["data"], "data")
        return row

    @staticmethod
    def stream(stream, row):
        kind, slash, name = stream.partition("/") if isinstance(stream, str) else ("", "", "")
        if not slash or not name or kind not in row.streams or len(name.encode()) > 255:
            raise Bad("not a stream of its type")
        if kind in PREFIX and not re.fullmatch(PREFIX[kind] + "-[1-9][0-9]{0,15}", name):
            raise Bad("not an id of its stream")
