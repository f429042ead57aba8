"""Approvals, read from model.md 8 (E9) and 9: who may vote, what is granted, and what it allows."""
import gates
from octets import canonical, sha256

TABLE = {  # event: {from: to}
    "approval.requested": {None: "PENDING"},
    "approval.voted": {"PENDING": "PENDING"},
    "approval.granted": {"PENDING": "GRANTED"},
    "approval.denied": {"PENDING": "DENIED"},
    "approval.expired": {"PENDING": "EXPIRED", "GRANTED": "EXPIRED"},
    "approval.revoked": {"PENDING": "REVOKED", "GRANTED": "REVOKED"},
    "approval.consumed": {"GRANTED": "CONSUMED"},
}
DEFAULT = {"persons": 1, "quorum": 1, "robots": []}


class Approvals:
    def asked_by_policy(self):
        return self.policy.get("approval", DEFAULT)

    def approval(self, event, ident):
        """The row, moved along its arrow; None if there is none that leads from where it stands."""
        row = self.rows["approval"].setdefault(ident, {"state": None, "votes": {}})
        to = TABLE[event["type"]].get(row["state"])
        if not self.need(to, "state", f"{ident} is {row['state']}"):
            return None
        row["state"] = to
        return row

    def fold_approval_requested(self, event, data, ident):
        row, asked = self.approval(event, ident), self.asked_by_policy()
        self.need(data["policy"] == self.policy_digest, "approval", "another policy was in force")
        self.need((data["quorum"], data["persons"]) == (asked["quorum"], asked["persons"]),
                  "approval", "another quorum than the policy's")
        self.need(data["args"]["digest"] == data["args_digest"], "approval",
                  "what is shown is not what is asked for")
        self.need(data["expires_at"] > event["at"], "approval", "over when it began")
        if row:
            row.update({**data, "requester": event["actor"], "seq": event["seq"]})

    def fold_approval_voted(self, event, data, ident):
        row, actor = self.approval(event, ident), event["actor"]
        if not row:
            return
        self.need(self.actors[actor]["kind"] == "person"
                  or actor in self.asked_by_policy()["robots"], "person_required", "no person")
        self.need(not self.same(actor, row["requester"]), "self_approve", "its own request")
        self.need(not any(self.same(actor, other) for other in row["votes"]), "already_voted",
                  "the same has voted")
        self.need(event["at"] < row["expires_at"], "approval_expired", "its time was over")
        self.signed(event, "sov.approval.v1", {
            "approval": ident, "args_digest": row["args_digest"], "policy": row["policy"],
            "reason": data["reason"], "request_hash": self.hashes[row["seq"]],
            "vote": data["vote"]})
        row["votes"][actor] = data["vote"]
        granters = [voter for voter, vote in row["votes"].items() if vote == "grant"]
        if data["vote"] == "deny":
            self.vote_due = ("approval.denied", event["stream"])
        elif self.counted(granters, row["quorum"], row["persons"]):
            self.vote_due = ("approval.granted", event["stream"])

    def voters(self, row, data, vote):
        return all(row["votes"].get(voter) == vote for voter in data["voters"]) and data["voters"]

    def fold_approval_granted(self, event, data, ident):
        row = self.approval(event, ident)
        if row:
            self.need(self.voters(row, data, "grant")
                      and self.counted(data["voters"], row["quorum"], row["persons"]), "quorum",
                      "the votes do not reach it")

    def fold_approval_denied(self, event, data, ident):
        row = self.approval(event, ident)
        if row:
            self.need(self.voters(row, data, "deny"), "quorum", "nobody denied it")

    def fold_approval_expired(self, event, data, ident):
        row = self.approval(event, ident)
        if row:
            self.need(event["at"] >= row["expires_at"], "state", "its time was not over")

    def fold_approval_revoked(self, event, data, ident):
        row, actor = self.approval(event, ident), event["actor"]
        if row:
            self.need(actor == row["requester"] or self.may(actor, "approve"), "authority",
                      "neither the requester nor one who may approve")

    def fold_approval_consumed(self, event, data, ident):
        row = self.approval(event, ident)
        effect = self.rows["effect"].get(data["used_by"].partition("/")[2], {})
        self.need(data["used_by"].startswith("effect/") and effect.get("approval") == ident,
                  "approval", "used by nothing that it allowed")
        if row:
            self.need(event["at"] < row["expires_at"], "state", "its time was over")
            row["used_by"] = data["used_by"]

    def approved(self, event, data, ident):
        """E9, before the effect: the kind asks for an approval, and this one allows it."""
        kind = gates.kind_of(self.policy, data, "assignment")
        if not self.need(bool(kind and kind.get("approval")) == ("approval" in data), "approval",
                         "one is due, or none is") or "approval" not in data:
            return
        row = self.rows["approval"].get(data["approval"], {"state": None})
        args = {k: data[k] for k in ("assignment", "kind", "quantity", "subject")}
        self.need(row["state"] == "GRANTED" and row["action"] == "effect.commit"
                  and row["resource"] == "assignment/" + data["assignment"]
                  and row["args_digest"] == sha256(canonical(args)).hex()
                  and row["policy"] == self.policy_digest and event["at"] < row["expires_at"],
                  "approval", "it does not allow this")

    def used_up(self, effects):
        """Behind the effects of a run."""
        for n in effects:
            approval = self.rows["effect"][n].get("approval")
            if approval:
                row = self.rows["approval"].get(approval, {})
                self.need(row.get("used_by") == "effect/" + n, "approval", "it is not used up")
