# One JSON value a line into v[path], paths joined by dots: v["data.facts.price"], v["cause.0"].
# For oracles: it shares no code with the product. awk -f tests/oracle_json.awk -f ORACLE
function json_fail(why) { printf "line %d: %s at %d\n", NR, why, at; json_bad = 1; at = length(text) + 1 }
function json_text(   out, c, code) {
    out = ""
    for (at++; at <= length(text); at++) {
        c = substr(text, at, 1)
        if (c == "\"") { at++; return out }
        if (c != "\\") { out = out c; continue }
        c = substr(text, ++at, 1)
        if (c == "n") out = out "\n"
        else if (c == "t") out = out "\t"
        else if (c == "u") { out = out "\\u" substr(text, at + 1, 4); at += 4 }
        else out = out c
    }
    json_fail("text without end")
    return out
}
function json_value(path,   c, key, n, from) {
    c = substr(text, at, 1)
    if (c == "{") {
        v[path] = "{}"
        if (substr(text, ++at, 1) == "}") { at++; return }
        for (;;) {
            if (substr(text, at, 1) != "\"") { json_fail("no key"); return }
            key = json_text()
            if (substr(text, at++, 1) != ":") { json_fail("no colon"); return }
            json_value(path == "" ? key : path "." key)
            c = substr(text, at++, 1)
            if (c == "}") return
            if (c != ",") { json_fail("no comma"); return }
        }
    }
    if (c == "[") {
        v[path] = 0
        if (substr(text, ++at, 1) == "]") { at++; return }
        for (n = 0;; n++) {
            json_value(path "." n)
            v[path] = n + 1
            c = substr(text, at++, 1)
            if (c == "]") return
            if (c != ",") { json_fail("no comma"); return }
        }
    }
    if (c == "\"") { v[path] = json_text(); return }
    from = at
    while (at <= length(text) && index("{}[],:\" ", substr(text, at, 1)) == 0) at++
    if (at == from) { json_fail("no value"); at++; return }
    v[path] = substr(text, from, at - from)
}
function json_read(line) {
    split("", v)
    text = line; at = 1
    json_value("")
    if (at != length(text) + 1) json_fail("more than a value")
}
