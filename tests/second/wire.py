"""Instances, sessions, deliveries, read from model.md 7, 11 and 13."""
import datetime

TABLE = {  # event: {from: to}
    "instance": {
        "instance.registered": {None: "REGISTERED"},
        "claim.acquired": {"REGISTERED": "CLAIMED"},
        "claim.renewed": {"CLAIMED": "CLAIMED"},
        "claim.expired": {"CLAIMED": "REGISTERED"},
        "instance.retired": {"CLAIMED": "RETIRED"},
    },
    "session": {
        "session.opened": {None: "OPEN"},
        "claim.acquired": {"OPEN": "CLAIMED"},
        "claim.renewed": {"CLAIMED": "CLAIMED"},
        "claim.expired": {"CLAIMED": "OPEN"},
        "session.closed": {"CLAIMED": "CLOSED"},
    },
    "delivery": {
        "delivery.queued": {None: "QUEUED"},
        "claim.acquired": {"QUEUED": "CLAIMED"},
        "delivery.started": {"CLAIMED": "STARTED"},
        "delivery.succeeded": {"STARTED": "DELIVERED"},
        "delivery.failed": {s: "QUEUED or DEAD" for s in ("CLAIMED", "STARTED", "LOST")},
        "claim.expired": {"CLAIMED": "LOST", "STARTED": "UNKNOWN"},
        "delivery.resolved": {s: "DELIVERED or QUEUED" for s in ("UNKNOWN", "DEAD")},
    },
}


def ms(at):
    return round(datetime.datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp() * 1000)


class Wire:
    def wire(self, event, data, kind, ident):
        row, what = self.rows[kind].setdefault(ident, {"state": None}), event["type"]
        if what == "claim.anomalous":
            return  # it moves nothing
        to = TABLE[kind].get(what, {}).get(row["state"])
        if not self.need(to, "state", f"{ident} is {row['state']}"):
            return
        row["state"] = getattr(self, kind)(event, data, row, what) or to
        if what in ("claim.acquired", "claim.renewed"):
            row["until"] = ms(event["at"]) + data["ttl_s"] * 1000

    def instance(self, event, data, row, what):
        if what == "instance.registered":
            row["actor"] = event["actor"]
        elif what == "claim.acquired":
            self.need(event["actor"] == row["actor"], "not_addressed", "registered by another")
            row["fence"] = event["seq"]
        elif what in ("claim.expired", "instance.retired"):
            row["fence"] = 0

    def under(self, event, fence):
        """The live claim of an instance of the same actor, in its time."""
        rows = [r for r in self.rows["instance"].values() if fence and r.get("fence") == fence]
        self.need(rows and rows[0]["actor"] == event["actor"], "instance_fence", "no such instance")
        self.need(rows and ms(event["at"]) < rows[0]["until"], "claim_overdue", "its time was over")

    def session(self, event, data, row, what):
        if what == "session.opened":
            row["actor"] = data["actor"]
        elif what == "claim.acquired":
            self.need(event["actor"] == row["actor"], "not_addressed", "of another")
            self.under(event, data.get("instance_fence"))
            row["instance_fence"] = data.get("instance_fence")
        elif what in ("claim.renewed", "session.closed"):
            self.under(event, row["instance_fence"])
            self.need(ms(event["at"]) < row["until"], "claim_overdue", "its time was over")

    def delivery(self, event, data, row, what):
        limits = self.policy["limits"]
        if what == "delivery.queued":
            row.update({"max": data["max_attempts"], "attempts": 0, "after": ""})
            self.need(row["max"] == limits.get("delivery_attempts", 5), "delivery",
                      "another limit than the policy's")
        elif what == "claim.acquired":
            self.need(event["at"] >= row["after"], "delivery", "before its time")
        elif what == "delivery.started":
            self.need(data["attempt"] == row["attempts"] + 1, "delivery", "not the next attempt")
        elif what == "delivery.failed":
            row["attempts"] += 1
            dead = row["attempts"] >= row["max"]
            wait = min(limits.get("delivery_backoff", 30) * 2 ** (row["attempts"] - 1),
                       limits.get("delivery_backoff_max", 300))
            self.need((data["attempts"], data["next"])
                      == (row["attempts"], "DEAD" if dead else "QUEUED"), "delivery",
                      "other attempts than it had, or another end")
            self.need(("fence" in event) == (row["state"] != "LOST"), "fence",
                      "behind an expired claim or under one")
            self.need(("process_after" in data) != dead, "delivery", "a time to try again, or none")
            row["after"] = data.get("process_after", "")
            self.need(dead or ms(row["after"]) == ms(event["at"]) + wait * 1000, "delivery",
                      "another wait than the policy's")
            return data["next"]
        elif what == "delivery.resolved":
            self.need(self.actors[event["actor"]]["kind"] == "person", "person_required",
                      "by no person")
            row["attempts"], row["after"] = 0, ""
            return "DELIVERED" if data["found"] == "delivered" else "QUEUED"
        return None
