#!/usr/bin/env python3
"""Writes fixtures/corpus/input: one bad or hostile input a file, FIELD__CODE__WHAT.

The content of a file is one argument (or one file, for policy, check, provider and delivery), octet
for octet. CODE is what tests/faults/t13_corpus.sh must hear; ok: it is taken, and must be shown
without harm. The files are what counts; this only says how they came to be.
"""
import pathlib
import sys

out = pathlib.Path(sys.argv[1])
for old in out.glob("*__*"):
    old.unlink()


def put(field, code, what, content):
    if isinstance(content, str):
        content = content.encode("utf-8")
    (out / f"{field}__{code}__{what}").write_bytes(content)


# ---- names ----
names = {
    "empty-segment": "a//b", "slash": "a/b", "dot": ".", "dots": "..", "up": "../a", "git": ".git",
    "space": "a b", "leading-space": " a", "trailing-space": "a ", "trailing-cr": "a\r",
    "newline": "a\nb", "tab": "a\tb", "escape": "a\x1b[31mb", "bell": "a\x07", "del": "a\x7f",
    "c1": "a\u009b31m", "bidi": "a\u202eb", "zero-width": "a\u200bb", "bom": "\ufeffa",
    "tag": "a\U000e0041", "nfc": "caf\u00e9", "nfd": "cafe\u0301", "sharp-s": "stra\u00dfe",
    "cyrillic": "\u0430lice", "fullwidth": "\uff41lice", "quote": "a'b", "double-quote": 'a"b',
    "backslash": "a\\b", "semicolon": "a;b", "dollar": "$a", "glob": "a*", "percent": "a%2eb",
    "colon": "a:b", "hash": "a#1", "mention": "@all", "pipe": "a|b", "angle": "<a>",
    "backtick": "`a`", "equals": "a=b", "comma": "a,b", "plus": "a+b", "tilde": "~a",
    "question": "a?b", "bracket": "[a]", "brace": "{a}", "ampersand": "a&b", "too-long": "a" * 64,
    "leading-dash-dot": ".a", "leading-underscore": "_a",
}
for what, name in names.items():
    put("actor", "bad_value", what, name)
    if what not in ("slash", "empty-segment", "up"):
        put("subject", "bad_value", what, name)
    put("kind", "bad_value", what, name)
for what in ("slash-first", "slash-last", "five-segments", "empty-segment", "dots", "up", "newline",
             "bidi", "space", "nfd", "backslash", "escape", "too-long"):
    special = {"slash-first": "/a", "slash-last": "a/", "five-segments": "a/b/c/d/e"}
    put("account", "bad_value", what, special.get(what, names.get(what, "")))
for what, name in {"upper": "Alice", "digit-first": "1a", "leading-dot": ".a"}.items():
    put("actor", "bad_value", what, name)
    put("kind", "bad_value", what, name)

# ---- paths ----
paths = {
    "absolute": "/etc/passwd", "up": "../x", "up-inside": "a/../../x", "dot": ".", "dot-inside": "a/./b",
    "empty-segment": "a//b", "trailing-slash": "a/", "git": ".git/config", "git-upper": ".GIT/hooks/x",
    "git-inside": "a/.git/x", "git-short": "git~1/x", "git-dot": ".git./x", "git-space": ".git /x",
    "sovereign": ".sovereign/organization.db", "sovereign-upper": ".Sovereign/x", "backslash": "a\\b",
    "up-backslash": "..\\x", "newline": "a\nb", "cr": "a\r", "tab": "a\tb", "escape": "a\x1bb",
    "del": "a\x7fb", "c1": "a\u0085b", "bidi": "a\u202etxt.exe", "zero-width": "a\u200bb",
    "zero-width-git": ".g\u200cit/x", "bom": "\ufeffa", "trailing-dot": "a.", "trailing-dot-inside": "a./b",
    "trailing-space": "a ", "encoded-dots": "%2e%2e/x", "encoded-slash": "a%2fb", "encoded-backslash": "a%5cb",
    "encoded-upper": "a%2Fb", "deep": "/".join("a" * 33), "long-segment": "a" * 256,
    "line-separator": "a\u2028b", "tag": "a\U000e0041b",
}
for what, path in paths.items():
    put("deliverable", "deliverable_unsafe", what, path)
put("deliverable", "too_large", "long", "/".join(["a" * 200] * 6))

# ---- octets that are no text ----
octets = {
    "latin1": b"caf\xe9", "lone-tail": b"a\x80b", "cut": b"a\xe2\x82", "overlong": b"a\xc0\xafb",
    "overlong-nul": b"a\xc0\x80b", "surrogate": b"a\xed\xa0\x80b", "above": b"a\xf4\x90\x80\x80b",
    "fe": b"a\xfeb", "ff": b"\xff\xfea", "c1-raw": b"a\x9b31mb",
}
for what, text in octets.items():
    for field in ("actor", "reason", "title", "deliverable"):
        put(field, "bad_text", what, text)

# ---- texts that are taken, and must do no harm ----
texts = {
    "csi": "a\x1b[31;1mred\x1b[2J", "osc8": "\x1b]8;;http://evil.example\x07click\x1b]8;;\x07",
    "osc52": "\x1b]52;c;ZXZpbA==\x07", "osc-title": "\x1b]0;title\x07", "c1-csi": "a\u009b31mred",
    "c1-osc": "a\u009d0;title\u009c", "bell": "a\x07b", "backspace": "safe\x08\x08\x08\x08evil",
    "carriage-return": "safe\revil", "cr-lf": "a\r\n# evil", "vertical-tab": "a\x0bb", "form-feed": "a\x0cb",
    "del": "a\x7fb", "nel": "a\u0085# evil", "rlo": "a\u202egpj.exe", "lri": "a\u2066b\u2069",
    "rli": "a\u2067b", "alm": "a\u061cb", "lrm": "a\u200eb", "zero-width": "a\u200bb", "zwj": "a\u200db",
    "word-joiner": "a\u2060b", "bom-inside": "a\ufeffb", "soft-hyphen": "a\u00adb", "tags": "a\U000e0041\U000e0042",
    "variation": "a\ufe0fb", "variation-high": "a\U000e0100b", "filler": "a\u3164b", "private": "a\ue000b",
    "noncharacter": "a\ufffeb", "line-separator": "a\u2028# evil", "paragraph-separator": "a\u2029# evil",
    "interlinear": "a\ufff9b\ufffac\ufffb", "combining": "a" + "\u0301" * 80, "enclosing": "a" + "\u20dd" * 60,
    "heading": "# evil heading", "heading-later": "a\n\n# evil heading", "setext": "a\n=====", "rule": "a\n\n***",
    "front-matter": "---\nevil: true\n---", "table": "a\n\n| x | y |\n|---|---|\n| approved | yes |",
    "pipe": "a|b", "row": "| x | approved |", "list": "- [x] approved", "ordered": "1. approved",
    "quote": "> approved", "fence": "```\nevil\n```", "fence-long": "``````sh\nevil\n``````", "tilde-fence": "~~~\nevil\n~~~",
    "indented": "    code", "link": "[click](http://evil.example)", "link-reference": "[click][1]\n\n[1]: http://evil.example",
    "image": "![x](http://evil.example/p.png)", "autolink": "<http://evil.example>", "bare-link": "see http://evil.example/x",
    "www": "see www.evil.example", "mail": "mail evil@evil.example", "mail-link": "<mailto:evil@evil.example>",
    "script": "<script>alert(1)</script>", "img-html": '<img src=x onerror="alert(1)">', "comment": "<!-- evil -->",
    "details": "<details><summary>x</summary>", "entity": "&lt;b&gt; &#27;[31m &#x1b;", "backslash": "a\\", "backslashes": "\\\\\\*a\\*",
    "emphasis": "**ACCEPTED** _x_ ~~no~~", "code": "`a`", "code-long": "a ``` b `` c `", "mention": "@all @everyone @octo-org/team",
    "closes": "does NOT close #1, fixes #2", "closes-repo": "closes octo-org/repo#12", "gh": "GH-12", "wiki": "[[evil]]",
    "footnote": "a[^1]\n\n[^1]: evil", "emoji": ":shipit: \U0001f600", "math": "$$\\evil$$ $a$", "mermaid-end": 'end"]; click n1 "http://evil.example"',
    "mermaid-arrow": 'a"] --> n9["evil', "json": '","verdict":"ok","x":"', "shell": "$(touch evil) `touch evil` ; touch evil",
    "sql": "'; DROP TABLE event; --", "format": "%s%n%x", "csv": "=1+1", "trailer": "a\n\nSov-Acceptance: ACC-1",
    "github-command": "::error file=x::evil", "sov-line": "a\nsov: ok", "marker": "a\nLast event: 1 · renderer 1 · sha256:ab12",
    "wide": "\u6f22\u5b57\uff21", "rtl": "\u05e9\u05dc\u05d5\u05dd", "nbsp": "a\u00a0b", "tab": "a\tb",
}
for what, text in texts.items():
    put("text", "ok", what, text)

# ---- too much, too little ----
put("title", "too_large", "201", "a" * 201)
put("title", "too_large", "201-octets", "\u00e9" * 100 + "a")
put("title", "bad_value", "blank", " \t ")
put("title", "bad_value", "invisible-only", "\u2003\u2003")
put("reason", "too_large", "2001", "a" * 2001)
put("reason", "reason_missing", "blank", "   ")
put("reason", "reason_missing", "unicode-blank", "\u2003\u00a0")
for what, number in {"zero": "0", "minus": "-1", "above": "51", "plus": "+5", "float": "1.0", "exponent": "1e1",
                     "hex": "0x10", "space": " 5", "empty-sign": "-", "comma": "1,000", "2-53": "9007199254740992",
                     "2-64": "18446744073709551616", "minus-zero": "-0", "word": "five",
                     "arabic": "\u0665", "nan": "nan", "infinity": "inf", "underscore": "1_0"}.items():
    code = "quantity_out_of_range" if what in ("zero", "minus", "above") else "bad_value"
    put("quantity", code, what, number)

# ---- files ----
policy = pathlib.Path("fixtures/store/policy.json").read_text()
put("policy", "bad_json", "bom", "\ufeff" + policy)
put("policy", "bad_json", "double-key", policy.replace('"wake"', '"wake": [], "wake"', 1))
put("policy", "bad_json", "comment", "// yes\n" + policy)
put("policy", "bad_json", "trailing", policy + "{}")
put("policy", "bad_json", "cut", policy[: len(policy) // 2])
put("policy", "bad_json", "empty", "")
put("policy", "bad_json", "nan", policy.replace(": 900,", ": NaN,", 1))
put("policy", "bad_json", "deep", "[" * 100 + "]" * 100)
put("policy", "policy_invalid", "array", "[]")
put("policy", "policy_invalid", "unknown-key", policy.replace('"wake"', '"extra": 1, "wake"', 1))
put("policy", "bad_json", "float", policy.replace(": 900,", ": 900.5,", 1))
put("policy", "policy_invalid", "text-for-number", policy.replace(": 900,", ': "900",', 1))
for what, spec in {"array": "[]", "unknown-kind": '{"id":"a","kind":"telepathy","params":{}}',
                   "unknown-param": '{"id":"a","kind":"effect-present","params":{"kind":"replenishment","mood":1}}',
                   "missing-param": '{"id":"a","kind":"file-exists","params":{}}',
                   "path-up": '{"id":"a","kind":"file-exists","params":{"path":"../x"}}',
                   "path-git": '{"id":"a","kind":"file-exists","params":{"path":".git/config"}}',
                   "path-absolute": '{"id":"a","kind":"file-exists","params":{"path":"/etc/passwd"}}',
                   "id": '{"id":"A B","kind":"effect-present","params":{"kind":"replenishment"}}',
                   "extra": '{"id":"a","kind":"effect-present","params":{"kind":"replenishment"},"x":1}',
                   "digest": '{"id":"a","kind":"file-digest","params":{"path":"a","sha256":"zz"}}'}.items():
    put("check", "bad_value" if what in ("array", "extra", "id") else "check_invalid", what, spec)
for what, spec in {"cut": '{"id":"a"', "double-key": '{"id":"a","id":"b","kind":"effect-present","params":{}}',
                   "two": '{} {}', "empty": "", "single-quotes": "{'id':'a'}"}.items():
    put("check", "bad_json", what, spec)
