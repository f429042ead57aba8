# The invariants of any log, from its octets alone: seqs count 1, 2, 3 ..., and so does each
# stream's sv; causes are older; time does not go back; no actor used a key twice; one claim is
# live at a time, fences grow, and nothing happens under a fence that is not live.
#   awk -f tests/oracle_json.awk -f tests/oracle_order.awk LOG.jsonl
function wrong(why) { if (++wrongs <= 10) print "seq " NR ": " why }
{
    json_read($0)
    stream = v["stream"]; type = v["type"]; seq = v["seq"] + 0
    if (seq != NR) wrong("seq " seq)
    if (v["sv"] != ++sv[stream]) wrong(stream " sv " v["sv"])
    if (v["at"] < newest_at) wrong("at " v["at"])
    newest_at = v["at"]
    for (i = 0; i < v["cause"]; i++) if (v["cause." i] + 0 >= seq) wrong("a cause to come")
    if (("key" in v) && used[v["actor"], v["key"]]++) wrong("key " v["key"] " twice")
    resource = stream ~ /^assignment\// ? stream : "assignment/" v["data.assignment"]
    if (type == "claim.acquired") {
        if (live[stream]) wrong(stream " is claimed already")
        live[stream] = seq
    }
    if (("fence" in v) && v["fence"] + 0 != live[resource]) wrong("fence " v["fence"] " is not live")
    if (type ~ /^(claim\.(released|expired)|assignment\.(completed|blocked|failed))$/)
        live[stream] = 0
}
END { exit wrongs || json_bad || !NR }
