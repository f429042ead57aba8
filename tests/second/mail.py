"""The mailbox, read from model.md 7 and 9: who takes a message up, and when it is dead."""

TABLE = {  # event: {from: to}
    "message.sent": {None: "NEW"},
    "claim.acquired": {"NEW": "CLAIMED"},
    "claim.released": {"CLAIMED": "NEW"},
    "claim.expired": {"CLAIMED": "LOST"},  # until the message.failed behind it
    "message.done": {"CLAIMED": "DONE"},
    "message.failed": {"CLAIMED": "NEW or DEAD", "LOST": "NEW or DEAD"},
    "message.requeued": {"DEAD": "NEW"},
}


class Mail:
    def mail(self, event, data, ident):
        row, what = self.rows["message"].setdefault(ident, {"state": None}), event["type"]
        if what == "claim.anomalous":
            return  # it moves nothing
        to = TABLE.get(what, {}).get(row["state"])
        if not self.need(to, "state", f"{ident} is {row['state']}"):
            return
        actor, lost = event["actor"], row["state"] == "LOST"
        if what == "message.sent":
            row.update({"to": data["to"], "from": actor, "retries": 0})
            self.need(not ("body" in data and "body_ref" in data), "message", "two bodies")
            if actor == "host":
                self.told(data)
        elif what == "claim.acquired":
            role = self.actors[actor]["role"]
            self.need(row["to"] in (actor, "role/" + role), "not_addressed", "for somebody else")
        elif what == "message.failed":
            row["retries"] += 1
            dead = row["retries"] >= self.policy["limits"].get("message_retries", 3)
            to = "DEAD" if dead else "NEW"
            self.need((data["retries"], data["next"]) == (row["retries"], to), "message",
                      "other retries than it had, or another end")
            self.need(("fence" in event) != lost, "fence", "behind an expired claim or under one")
        elif what == "message.requeued":
            self.need(actor == row["from"] or self.may(actor, "plan"), "authority",
                      "neither its sender nor one who may plan")
            row["retries"] = 0
        row["state"] = to

    def told(self, data):
        """By host, behind a review: the worker of the SOW hears of it."""
        kind, _, ident = data.get("about", "").partition("/")
        work = [a for a in self.rows["assignment"].values() if a.get("sow") == ident]
        self.need(kind == "sow" and work and work[-1]["actor"] == data["to"], "message",
                  "not to the worker of the SOW that it is about")
