# A second model, written from model.md alone: it reads a log, says where the log contradicts itself,
# and prints what must be so: balances, states, live claims, counts. SAID is what sov lists.
#   awk -f tests/oracle_json.awk -f tests/simulator/model.awk EVENTS | sort
# Lines that begin with "wrong" are contradictions; exit 1.
function wrong(why) { print "wrong seq " NR ": " why; bad = 1 }
function name_of(s) { return substr(s, index(s, "/") + 1) }
function kind_of(s) { return substr(s, 1, index(s, "/") - 1) }
function claimable(kind) { return index(" assignment message instance session delivery ", " " kind " ") > 0 }
function go(to) { state[stream] = to }
function from(list) { # the arrow begins in one of these
    if (index(" " list " ", " " (stream in state ? state[stream] : "-") " ") == 0)
        wrong(type " of " stream " in " (stream in state ? state[stream] : "-"))
}
function resource(   a) { # that an event under a fence is about
    if (claimable(kind_of(stream))) return stream
    a = v["data.assignment"]
    if (a == "" && ("data.receipt" in v)) a = receipt_of[v["data.receipt"]]
    return "assignment/" a
}
function moves(list,   n, i, w) { # "TYPE FROM,FROM TO": arrows without more conditions
    n = split(list, w, " ")
    for (i = 1; i + 2 <= n; i += 3) { arrow_from[w[i]] = w[i + 1]; arrow_to[w[i]] = w[i + 2]
        gsub(/,/, " ", arrow_from[w[i]]) }
}
BEGIN {
    moves("outcome.defined - PROPOSED outcome.activated PROPOSED ACTIVE outcome.verifying ACTIVE VERIFYING" \
          " outcome.resumed VERIFYING ACTIVE outcome.accepted VERIFYING ACCEPTED" \
          " outcome.violated ACCEPTED VIOLATED outcome.reopened VIOLATED,ACCEPTED ACTIVE" \
          " outcome.blocked ACTIVE,VERIFYING,VIOLATED BLOCKED" \
          " outcome.failed ACTIVE,VERIFYING,BLOCKED,VIOLATED FAILED" \
          " outcome.cancelled PROPOSED,ACTIVE,VERIFYING,BLOCKED,VIOLATED CANCELLED")
    moves("sow.created - DRAFT sow.readied DRAFT READY sow.assigned READY,CHANGES_REQUESTED ASSIGNED" \
          " sow.started ASSIGNED RUNNING sow.submitted RUNNING REVIEW sow.blocked RUNNING BLOCKED" \
          " sow.failed RUNNING,REVIEW FAILED sow.accepted REVIEW ACCEPTED" \
          " sow.changes_requested REVIEW CHANGES_REQUESTED sow.reverified ACCEPTED REVIEW" \
          " sow.retried BLOCKED,FAILED READY" \
          " sow.withdrawn DRAFT,READY,ASSIGNED,RUNNING,REVIEW,CHANGES_REQUESTED,BLOCKED,FAILED,ACCEPTED WITHDRAWN" \
          " sow.superseded DRAFT,READY,ASSIGNED,RUNNING,REVIEW,CHANGES_REQUESTED,BLOCKED,FAILED,ACCEPTED SUPERSEDED")
    moves("assignment.created - CREATED assignment.completed RUNNING COMPLETED" \
          " assignment.blocked RUNNING BLOCKED assignment.failed RUNNING FAILED" \
          " assignment.cancelled CREATED,RUNNING CANCELLED")
    moves("message.sent - NEW message.done CLAIMED DONE message.requeued DEAD NEW")
    moves("approval.requested - PENDING approval.granted PENDING GRANTED approval.denied PENDING DENIED" \
          " approval.expired PENDING,GRANTED EXPIRED approval.revoked PENDING,GRANTED REVOKED" \
          " approval.consumed GRANTED CONSUMED")
    moves("instance.registered - REGISTERED instance.retired CLAIMED RETIRED session.opened - OPEN" \
          " session.closed CLAIMED CLOSED delivery.queued - QUEUED delivery.started CLAIMED STARTED" \
          " delivery.succeeded STARTED DELIVERED")
    free["message"] = "NEW"; free["instance"] = "REGISTERED"; free["session"] = "OPEN"
    free["delivery"] = "QUEUED"; free["assignment"] = "CREATED"
}
{
    delete v
    json_read($0)
    stream = v["stream"]; type = v["type"]; kind = kind_of(stream)
    if (v["seq"] + 0 != NR) wrong("is " v["seq"])
    if (v["sv"] + 0 != ++versions[stream]) wrong(stream " has version " v["sv"])
    if (!(stream in seen)) { seen[stream] = 1; count[kind]++ }
    # what stands under a fence stands under the live one
    if ("fence" in v) {
        r = resource()
        if (live[r] != v["fence"] + 0) wrong(type " under " v["fence"] ", live on " r " is " live[r] + 0)
    }
    if (type in arrow_to) { from(arrow_from[type]); go(arrow_to[type]) }
}
type == "outcome.blocked" { came[stream] = was_violated[stream] ? "VIOLATED" : "ACTIVE" }
type == "outcome.unblocked" { from("BLOCKED"); go(came[stream]) }
kind == "outcome" { was_violated[stream] = state[stream] == "VIOLATED" }
type == "sow.returned" {
    from(v["data.to"] == "READY" ? "ASSIGNED RUNNING" : "RUNNING")
    go(v["data.to"])
}
type == "account.opened" { balance[name_of(stream)] = v["data.opening"] + 0 }
type == "account.posted" {
    balance[name_of(stream)] += v["data.delta"]
    if (balance[name_of(stream)] != v["data.balance"]) wrong(stream " says " v["data.balance"])
}
type == "claim.acquired" {
    if (live[stream]) wrong(stream " is claimed while " live[stream] " is live")
    from(free[kind])
    live[stream] = NR; holder[stream] = v["actor"]; started[stream] = 0
    go(kind == "assignment" ? "RUNNING" : "CLAIMED")
}
type == "claim.renewed" && v["actor"] != holder[stream] { wrong("renewed by " v["actor"]) }
type == "run.started" {
    if (started[stream]++) wrong("a second start under one claim")
    runs[stream]++
}
type == "claim.released" || type == "claim.expired" {
    live[stream] = 0
    # only behind a cancellation, which leaves no receipt; else a started claim is not given back
    if (type == "claim.released" && started[stream]) {
        if (v["actor"] != "host") wrong("a started run is given back")
        runs[stream]--
    }
    if (kind == "assignment" && state[stream] == "RUNNING" && !started[stream]) go("CREATED")
    if (kind == "delivery" && state[stream] == "STARTED") go("UNKNOWN")
    else if (kind != "assignment" && state[stream] == "CLAIMED") go(free[kind])
}
type == "message.failed" { live[stream] = 0; go(v["data.next"]) }
type == "delivery.failed" { live[stream] = 0; go(v["data.next"]) }
type == "delivery.resolved" { from("UNKNOWN DEAD"); go(v["data.found"] == "delivered" ? "DELIVERED" : "QUEUED") }
type ~ /^(assignment\.(completed|blocked|failed)|message\.done|instance\.retired|session\.closed|delivery\.succeeded)$/ {
    live[stream] = 0
}
type == "receipt.recorded" {
    a = "assignment/" v["data.assignment"]
    receipt_of[name_of(stream)] = v["data.assignment"]
    if (++receipts[a] > runs[a]) wrong("a receipt of " a " for no run")
    if (effects[a] && v["data.status"] != "completed") wrong("an effect beside a receipt that is " v["data.status"])
    effects[a] = 0
    unknown[a] = v["data.effects_unknown"] == "true"
    newest[sow_of[a]] = a
}
type == "effect.committed" { effects["assignment/" v["data.assignment"]]++ }
type == "assignment.created" { sow_of[stream] = v["data.sow"] }
type == "sow.retried" && unknown[newest[name_of(stream)]] && !("data.inspection" in v) { wrong("what is unknown is redone") }
type == "approval.requested" { quorum[stream] = v["data.quorum"] + 0; expires[stream] = v["data.expires_at"]; asker[stream] = v["actor"] }
type == "approval.voted" {
    from("PENDING")
    if (v["actor"] == asker[stream]) wrong("a vote on one's own request")
    if (voted[stream, v["actor"]]++) wrong("a second vote of " v["actor"])
    if (v["at"] >= expires[stream]) wrong("a vote behind its time")
    if (v["data.vote"] == "grant") grants[stream]++; else denies[stream]++
}
type == "approval.granted" && (grants[stream] < quorum[stream] || denies[stream]) { wrong("granted without its quorum") }
type == "approval.denied" && !denies[stream] { wrong("denied by nobody") }
type == "approval.expired" && v["at"] < expires[stream] { wrong("expired before its time") }
type == "wake.decided" {
    if (v["data.decision"] == "fire") fired++
    decided[stream] = v["data.decision"]
}
type == "sow.created" && v["data.origin.by"] == "pulse" { made++ }
"key" in v { if (keys[v["actor"], v["key"]]++) wrong("the key " v["key"] " of " v["actor"] " once more") }
END {
    if (fired != made) print "wrong: " fired + 0 " decisions to fire, " made + 0 " statements of work"
    bad = bad || fired != made
    for (a in balance) print "accounts " a " " balance[a]
    for (s in state) print kind_of(s) " " name_of(s) " " state[s]
    for (r in live) if (live[r]) print "live " r
    for (a in runs) if (receipts[a] != runs[a] && !live[a]) { print "wrong: " a " has " runs[a] " runs, " receipts[a] + 0 " receipts"; bad = 1 }
    exit bad || json_bad
}
