# A model of the store, written from model.md 3, 8 and 14 alone. It reads a log and says what must
# be so: balances, states, terms, counters; and it says where the log contradicts itself.
#   sov log --format jsonl | awk -f tests/oracle_json.awk -f tests/oracle_store.awk
function wrong(why) { print "seq " NR ": " why; bad = 1 }
function id() { return substr(stream, index(stream, "/") + 1) }
function subject() { return v["data.subject"] }
# A kind of the store moves the shelf by q and the cash by q times a fact of the subject.
function due_from(sign, name, q) {
    due["inventory/" subject()] = sign * q
    due["cash"] = -sign * q * fact[subject(), name]
    want = 2
}
BEGIN {
    split("defined PROPOSED activated ACTIVE verifying VERIFYING resumed ACTIVE accepted ACCEPTED" \
          " violated VIOLATED reopened ACTIVE blocked BLOCKED failed FAILED cancelled CANCELLED", w)
    for (i = 1; i in w; i += 2) to["outcome." w[i]] = w[i + 1]
    split("created DRAFT readied READY assigned ASSIGNED started RUNNING submitted REVIEW" \
          " blocked BLOCKED failed FAILED accepted ACCEPTED changes_requested CHANGES_REQUESTED" \
          " reverified REVIEW retried READY withdrawn WITHDRAWN superseded SUPERSEDED", x)
    for (i = 1; i in x; i += 2) to["sow." x[i]] = x[i + 1]
    split("created CREATED completed COMPLETED blocked BLOCKED failed FAILED cancelled CANCELLED", y)
    for (i = 1; i in y; i += 2) to["assignment." y[i]] = y[i + 1]
    to["claim.acquired"] = "RUNNING"
}
{
    json_read($0)
    stream = v["stream"]; type = v["type"]
    if (want > 0 && type != "account.posted") wrong(want " postings are missing")
    if (type == "subject.declared" || type == "subject.revised")
        for (k in v) if (k ~ /^data\.facts\../) fact[id(), substr(k, 12)] = v[k] + 0
    if (type == "account.opened") balance[id()] = v["data.opening"] + 0
    if (type == "change.recorded" && v["data.kind"] == "sale") due_from(-1, "price", v["data.quantity"])
    if (type == "effect.committed" && v["data.kind"] == "replenishment")
        due_from(1, "unit_cost", v["data.quantity"])
    if (type == "account.posted") {
        if (!(id() in due)) wrong("a posting nobody asked for")
        else if (due[id()] != v["data.delta"]) wrong(id() " moved by " v["data.delta"])
        delete due[id()]
        want--
        balance[id()] += v["data.delta"]
        if (balance[id()] != v["data.balance"]) wrong(id() " says " v["data.balance"])
    }
    if (type == "signal.recorded" && v["data.kind"] == "inventory.changed") {
        low = balance["inventory/" subject()] - balance["reserved/" subject()] < \
              fact[subject(), "reorder_point"]
        said = v["data.severity"]
        if (low != (said == "warning")) wrong("severity " said)
    }
    if (type in to) state[stream] = to[type]
    if (type == "outcome.unblocked") state[stream] = came[stream]
    if (type == "outcome.blocked") came[stream] = before == "VIOLATED" ? "VIOLATED" : "ACTIVE"
    if (type == "outcome.activated") term[id()] = 1
    if (type == "outcome.reopened" && ++term[id()] != v["data.term"]) wrong("term " v["data.term"])
    if (type == "sow.returned") state[stream] = v["data.to"]
    if (type == "claim.released" && state[stream] == "RUNNING") state[stream] = "CREATED"
    if (type == "claim.expired" && state[stream] == "RUNNING") state[stream] = "CREATED"
    before = state[stream]
}
END {
    for (name in balance) print "account " name " " balance[name]
    for (stream in state) if (state[stream] != "") print state_line(stream)
    exit bad || json_bad
}
function state_line(stream,   kind, name) {
    kind = substr(stream, 1, index(stream, "/") - 1); name = substr(stream, index(stream, "/") + 1)
    return kind " " name " " state[stream]
}
