"""The meaning of the log, read from model.md: who may, from which state, with what behind it.

Judged(ledger id, claims).add(event, octets, row) gives what is wrong with the event where it stands, as
(kind, message) pairs, and folds it. Not judged here: wake decisions, which a published log does
not show whole, and content that is only named by its digest.
"""
import functools
import hashlib

import approvals
import ed25519
import gates
import mail
import wire
from octets import canonical, digest, leaf, sha256
from registry import CLAIMED, PREFIX

holds = functools.lru_cache(maxsize=65536)(ed25519.holds)

O_OPEN = {"ACTIVE", "VERIFYING"}
OUTCOME = {  # event: {from: to}
    "outcome.defined": {None: "PROPOSED"},
    "outcome.revised": {"PROPOSED": "PROPOSED", "ACTIVE": "ACTIVE", "BLOCKED": "BLOCKED"},
    "outcome.activated": {"PROPOSED": "ACTIVE"},
    "outcome.verifying": {"ACTIVE": "VERIFYING"},
    "outcome.resumed": {"VERIFYING": "ACTIVE"},
    "outcome.accepted": {"VERIFYING": "ACCEPTED"},
    "outcome.violated": {"ACCEPTED": "VIOLATED"},
    "outcome.reopened": {"VIOLATED": "ACTIVE", "ACCEPTED": "ACTIVE"},
    "outcome.blocked": {s: "BLOCKED" for s in ("ACTIVE", "VERIFYING", "VIOLATED")},
    "outcome.unblocked": {"BLOCKED": "ACTIVE"},  # or VIOLATED, if it came from there
    "outcome.failed": {s: "FAILED" for s in ("ACTIVE", "VERIFYING", "BLOCKED", "VIOLATED")},
    "outcome.cancelled": {s: "CANCELLED" for s in
                          ("PROPOSED", "ACTIVE", "VERIFYING", "BLOCKED", "VIOLATED")},
}
S_ALL = ("DRAFT", "READY", "ASSIGNED", "RUNNING", "REVIEW", "ACCEPTED", "CHANGES_REQUESTED",
         "BLOCKED", "FAILED")
SOW = {
    "sow.created": {None: "DRAFT"},
    "sow.revised": {"DRAFT": "DRAFT"},
    "sow.readied": {"DRAFT": "READY"},
    "sow.assigned": {"READY": "ASSIGNED", "CHANGES_REQUESTED": "ASSIGNED"},
    "sow.started": {"ASSIGNED": "RUNNING"},
    "sow.returned": {"ASSIGNED": "READY", "RUNNING": "READY or ASSIGNED"},
    "sow.submitted": {"RUNNING": "REVIEW"},
    "sow.blocked": {"RUNNING": "BLOCKED"},
    "sow.failed": {"RUNNING": "FAILED", "REVIEW": "FAILED"},
    "sow.accepted": {"REVIEW": "ACCEPTED"},
    "sow.changes_requested": {"REVIEW": "CHANGES_REQUESTED"},
    "sow.reverified": {"ACCEPTED": "REVIEW"},
    "sow.retried": {"BLOCKED": "READY", "FAILED": "READY"},
    "sow.withdrawn": {s: "WITHDRAWN" for s in S_ALL},
    "sow.superseded": {s: "SUPERSEDED" for s in S_ALL},
}
ASSIGNMENT = {
    "assignment.created": {None: "CREATED"},
    "claim.acquired": {"CREATED": "RUNNING"},
    "claim.renewed": {"RUNNING": "RUNNING"},
    "run.started": {"RUNNING": "RUNNING"},
    "run.finished": {"RUNNING": "RUNNING"},
    "claim.released": {"RUNNING": "CREATED", "CANCELLED": "CANCELLED"},
    "claim.expired": {"RUNNING": "CREATED"},  # or still RUNNING, if a run had started
    "assignment.completed": {"RUNNING": "COMPLETED"},
    "assignment.blocked": {"RUNNING": "BLOCKED"},
    "assignment.failed": {"RUNNING": "FAILED"},
    "assignment.cancelled": {"CREATED": "CANCELLED", "RUNNING": "CANCELLED"},
}
ENDS = {"claim.released", "claim.expired", "assignment.completed", "assignment.blocked",
        "assignment.failed", "message.done", "message.failed", "delivery.succeeded",
        "delivery.failed", "instance.retired", "session.closed"}
EVERYBODY = {"observe", "converse"}


def sshsig(namespace, message):
    """What an SSH key signs, by OpenSSH's PROTOCOL.sshsig."""
    parts = namespace.encode(), b"", b"sha512", hashlib.sha512(message).digest()
    return b"SSHSIG" + b"".join(len(part).to_bytes(4, "big") + part for part in parts)


class Judged(gates.Gates, approvals.Approvals, mail.Mail, wire.Wire):
    def __init__(self, ledger, claims):
        self.claim_words = claims  # what a claim on a kind of resource asks
        self.ledger, self.events, self.hashes = ledger, [None], [None]
        self.streams, self.numbers, self.keys_used, self.live = {}, {}, {}, {}
        self.actors, self.keys, self.policy, self.policy_digest = {}, {}, None, None
        self.rows = {kind: {} for kind in PREFIX}
        self.accounts, self.subjects, self.at = {}, {}, ""
        self.postings, self.evidence_due, self.vote_due = [], [], None
        self.wrong = []

    def say(self, kind, message):
        self.wrong.append((kind, message))

    def need(self, true, kind, message):
        if not true:
            self.say(kind, message)
        return bool(true)

    # ---- one event ----

    def add(self, event, octets, row):
        self.wrong, seq = [], event["seq"]
        try:
            self.order(event)
            self.claims(event)
            self.authority(event, row)
            self.before(event)
            self.fold(event)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            self.say("model", f"it cannot be folded: {error!r}")
        self.streams.setdefault(event["stream"], []).append(seq)
        self.events.append(event)
        self.hashes.append(leaf(octets).hex())
        return self.wrong

    def end(self):
        """What the last event left open."""
        self.wrong = []
        self.need(not self.postings, "posting", "a posting is due")
        self.need(not self.evidence_due, "evidence", "evidence is due")
        self.need(not self.vote_due, "quorum", "a vote decided, and nothing says so")
        return self.wrong

    def order(self, event):
        kind, _, name = event["stream"].partition("/")
        before = self.streams.get(event["stream"], [])
        self.need(event["sv"] == len(before) + 1, "version", "a version is left out or doubled")
        if kind in PREFIX and not before:
            n = int(name.rpartition("-")[2])
            self.need(n == self.numbers.get(kind, 0) + 1, "number", "a number is left out")
            self.numbers[kind] = max(n, self.numbers.get(kind, 0))
        self.need(event["at"] >= self.at, "time", "dated before the event before it")
        self.at = max(self.at, event["at"])
        if "key" in event:
            used = self.keys_used.setdefault((event["actor"], event["key"]), event["seq"])
            self.need(used == event["seq"], "key_twice", "its key was used before")
        first, *rest = self.postings or [None]
        if first:  # nothing comes between an effect and its postings
            self.need(event["type"] == "account.posted" and first[0] in event.get("cause", [])
                      and event["stream"] == "account/" + first[1]
                      and event["data"]["delta"] == first[2], "posting", "another posting is due")
            self.postings = rest
        elif event["type"] == "account.posted":
            self.say("posting", "no posting is due")
        if self.evidence_due and event["type"] != "evidence.recorded":
            self.say("evidence", "evidence is due")
            self.evidence_due = []
        if self.vote_due:
            self.need((event["type"], event["stream"]) == self.vote_due, "quorum",
                      "the vote before it decided otherwise")
            self.vote_due = None

    def resource(self, event):
        if event["stream"].partition("/")[0] in CLAIMED:
            return event["stream"]
        assignment = event["data"].get("assignment")
        return assignment and "assignment/" + assignment

    def claims(self, event):
        if event["type"] == "claim.acquired":
            self.need(not self.live.get(event["stream"]), "two_claims", "it is claimed already")
            self.live[event["stream"]] = event["seq"]
        elif "fence" in event:
            resource = self.resource(event)
            live = self.live.get(resource)
            self.need(resource and live == event["fence"], "fence", f"the live fence is {live}")
            if event["type"] in ENDS:
                self.live[resource] = 0

    def may(self, actor, word):
        return word in EVERYBODY or word in self.policy["roles"].get(self.actors[actor]["role"], [])

    def authority(self, event, row):
        actor, kind = event["actor"], event["type"]
        if actor == "host":
            leads = [self.events[c]["type"] for c in event.get("cause", [])]
            self.need(row.authority == "pass" or set(leads) & set(row.leads), "cause",
                      "it stands behind no lead that may bring it")
            return
        if not self.need(row.authority and row.authority != "pass", "actor", "it is host's alone"):
            return
        if not self.need(actor in self.actors and self.actors[actor]["status"] == "active",
                         "authority", f"{actor} is not there or not active"):
            return
        if self.policy is None:
            self.need(kind == "policy.adopted", "authority", "there is no policy yet")
        elif row.authority == "own":
            key = self.keys.get(event["stream"].partition("/")[2], {})
            self.need(key.get("actor") == actor or self.may(actor, "administer"), "authority",
                      "neither its own key nor an administrator")
        else:
            words = row.authority
            if words == "claim":
                words = self.claim_words[event["stream"].partition("/")[0]]
            self.need(any(self.may(actor, word) for word in words.split("|")), "authority",
                      f"{actor} may not do it")

    # ---- signatures ----

    def signed(self, event, tag, statement):
        """The act's own signature over its statement, by a key of the actor valid at its seq."""
        sig, seq = event["data"]["sig"], event["seq"]
        key = self.keys.get(sig["key"])
        message = tag.encode() + b"\n" + canonical({"ledger": self.ledger, **statement})
        if not self.need(key and key["actor"] == event["actor"], "signature", "not the actor's key"):
            return
        self.need(key["from"] < seq and (not key["to"] or seq < key["to"]), "signature",
                  "the key is not valid there")
        self.need(sha256(message).hex() == sig["statement"], "signature", "another statement")
        octets = sshsig(tag, message) if key["ssh"] else message
        self.need(holds(key["public"], octets, bytes.fromhex(sig["signature"])), "signature",
                  "the signature does not hold")

    def possession(self, actor, public, by, ssh, proof):
        message = b"sov.key.v1\n" + canonical({"actor": actor, "ledger": self.ledger,
                                               "public_key": public})
        octets = sshsig("sov.key.v1", message) if ssh else message
        return holds(bytes.fromhex(by), octets, bytes.fromhex(proof))

    # ---- folding ----

    def fold(self, event):
        name = "fold_" + event["type"].replace(".", "_")
        kind = event["stream"].partition("/")[0]
        if kind in ("outcome", "sow", "assignment"):
            self.arrow(event, kind)
        if kind == "message":
            self.mail(event, event["data"], event["stream"].partition("/")[2])
        elif kind in wire.TABLE:
            self.wire(event, event["data"], kind, event["stream"].partition("/")[2])
        elif hasattr(self, name):
            getattr(self, name)(event, event["data"], event["stream"].partition("/")[2])

    def arrow(self, event, kind):
        table = {"outcome": OUTCOME, "sow": SOW, "assignment": ASSIGNMENT}[kind]
        ident, data, what = event["stream"].partition("/")[2], event["data"], event["type"]
        row = self.rows[kind].setdefault(ident, {"state": None})
        if what not in table:
            return  # it carries no arrow
        if not self.need(row["state"] in table[what], "state", f"{ident} is {row['state']}"):
            return
        before, to = row["state"], table[what][row["state"]]
        if what == "outcome.unblocked" and row["blocked_from"] == "VIOLATED":
            to = "VIOLATED"
        if what == "outcome.blocked":
            row["blocked_from"] = before
        if what == "sow.returned":
            self.need(data["to"] in to, "state", "returned to another state")
            to = data["to"]
        if what == "claim.expired" and row["started"]:
            to = "RUNNING"
        row["state"] = to

    def fold_organization_founded(self, event, data, _):
        self.need(event["seq"] == 1, "founding", "founded twice")

    def fold_policy_adopted(self, event, data, _):
        self.need(sha256(canonical(data["document"])).hex() == data["digest"], "digest",
                  "the document has another digest")
        self.signed(event, "sov.adopt.v1", {"decision": "adopt", "digest": data["digest"]})
        self.policy, self.policy_digest = data["document"], data["digest"]

    def fold_key_registered(self, event, data, ident):
        public = bytes.fromhex(data["public_key"])
        self.need(ident == "k" + sha256(public).hex()[:24], "key", "the id is not the key's")
        ssh = data["algorithm"] == "ssh"
        self.need(self.possession(data["actor"], data["public_key"], data["public_key"], ssh,
                                  data["proof"]), "signature", "possession is not proven")
        self.keys[ident] = {"actor": data["actor"], "public": public, "ssh": ssh,
                            "from": event["seq"], "to": 0}

    def end_key(self, event, ident):
        if self.need(not self.keys[ident]["to"], "key", "the key had ended"):
            self.keys[ident]["to"] = event["seq"]

    def fold_key_rotated(self, event, data, ident):
        self.end_key(event, ident)
        key = self.keys[ident]
        actor, new, (consent, proof) = key["actor"], data["successor"], data["proofs"]
        self.need(self.possession(actor, new, key["public"].hex(), key["ssh"], consent) and
                  any(self.possession(actor, new, new, ssh, proof) for ssh in (False, True)),
                  "signature", "both keys sign a rotation")

    def fold_key_revoked(self, event, data, ident):
        self.end_key(event, ident)

    def fold_actor_registered(self, event, data, ident):
        self.actors[ident] = {"represents": None, **data, "status": "active"}

    def fold_actor_revised(self, event, data, ident):
        self.need(self.actors[ident]["status"] != "retired", "state", "retired")
        self.actors[ident].update({k: v for k, v in data.items() if k != "reason"})

    def status(self, ident, before, after):
        if self.need(self.actors[ident]["status"] in before, "state", "not from there"):
            self.actors[ident]["status"] = after

    def fold_actor_suspended(self, event, data, ident):
        self.status(ident, ("active",), "suspended")

    def fold_actor_resumed(self, event, data, ident):
        self.status(ident, ("suspended",), "active")

    def fold_actor_retired(self, event, data, ident):
        self.status(ident, ("active", "suspended"), "retired")

    def fold_subject_declared(self, event, data, ident):
        self.subjects[ident] = dict(data["facts"])

    def fold_subject_revised(self, event, data, ident):
        self.subjects[ident].update(data["facts"])

    def fold_account_opened(self, event, data, ident):
        self.accounts[ident] = data["opening"]

    def fold_account_posted(self, event, data, ident):
        balance = self.accounts[ident] + data["delta"]
        self.need(balance == data["balance"], "balance", f"the balance is {balance}")
        self.accounts[ident] = data["balance"]

    def fold_outcome_defined(self, event, data, ident):
        said = {"checks": data["checks"], "desired_state": data["desired_state"]}
        if "subject" in data:
            said["subject"] = data["subject"]
        self.need(digest("sov.definition.v1", said) == data["definition_digest"], "digest",
                  "the definition has another digest")
        row = self.rows["outcome"][ident]
        row.update({"subject": None, **data})
        row.setdefault("term", 0)

    fold_outcome_revised = fold_outcome_defined

    def fold_outcome_activated(self, event, data, ident):
        self.rows["outcome"][ident]["term"] = 1

    def fold_outcome_reopened(self, event, data, ident):
        row = self.rows["outcome"][ident]
        self.need(data["term"] == row["term"] + 1, "state", "not the next term")
        row["term"] = data["term"]

    def fold_outcome_verifying(self, event, data, ident):
        v = self.rows["verification"][data["verification"]]
        self.need(v["passed"] and v["scope"] == "outcome" and v["outcome"] == ident, "state",
                  "no verification that passed is behind it")

    def fold_outcome_violated(self, event, data, ident):
        v = self.rows["verification"][data["verification"]]
        failing = [e["check"] for e in self.batch(v) if not e["success"]]
        self.need(not v["passed"] and v["scope"] == "recheck" and v["outcome"] == ident
                  and data["failing"] == failing, "state", "no recheck that failed is behind it")

    def fold_outcome_accepted(self, event, data, ident):
        self.completed(ident, data)

    def fold_sow_created(self, event, data, ident):
        outcome = self.rows["outcome"][data["outcome"]]
        self.need(outcome["state"] in O_OPEN and data["term"] == outcome["term"], "state",
                  "the outcome is not open in that term")
        self.rows["sow"][ident].update({"effect": None, **data, "n": ident, "rounds": 0})

    def fold_sow_revised(self, event, data, ident):
        self.rows["sow"][ident].update({"effect": None, **data})

    def fold_sow_accepted(self, event, data, ident):
        self.agreed(ident, data["reviews"])

    def fold_assignment_created(self, event, data, ident):
        sow, outcome = self.rows["sow"][data["sow"]], self.rows["outcome"][data["outcome"]]
        worker = self.actors[data["actor"]]
        self.need(outcome["state"] in O_OPEN and sow["outcome"] == data["outcome"], "state",
                  "the outcome is not open")
        self.need(worker["status"] == "active" and worker["role"] == sow["role"]
                  and self.may(data["actor"], "work"), "authority", "the worker may not work on it")
        self.need(not self.meets(data["actor"], data["outcome"], sow["term"], "performers"),
                  "self_assign", "the worker judges in this term")
        sow["rounds"] += 1
        self.need(sow["rounds"] == data["round"] <= self.policy["limits"]["assignments_per_sow"],
                  "state", "not the next round, or one too many")
        self.rows["assignment"][ident].update(
            {**data, "n": ident, "attempts": 0, "started": False, "fence": 0, "receipt": None,
             "seq": event["seq"]})

    def fold_claim_acquired(self, event, data, ident):
        if not event["stream"].startswith("assignment/"):
            return
        row = self.rows["assignment"][ident]
        row["attempts"] += 1
        row["fence"], row["started"] = event["seq"], False
        self.need(data["attempt"] == row["attempts"] and event["actor"] == row["actor"], "claim",
                  "not the next attempt of the named actor")

    def fold_run_started(self, event, data, ident):
        row = self.rows["assignment"][ident]
        self.need(not row["started"] and event["actor"] == row["actor"], "claim",
                  "started twice, or by another")
        row["started"] = True

    def fold_run_finished(self, event, data, ident):
        row = self.rows["assignment"][ident]
        self.need(row["started"] and event["actor"] == row["actor"], "claim",
                  "not started, or by another")

    def fold_receipt_recorded(self, event, data, ident):
        row = self.rows["assignment"][data["assignment"]]
        self.need(row["receipt"] is None or data["attempt"] > row["receipt_attempt"], "receipt",
                  "a second receipt of an attempt")
        self.need(data["attempt"] == row["attempts"] and data["claim"] == row["fence"], "receipt",
                  "not of this attempt")
        effects = [e["n"] for e in self.rows["effect"].values()
                   if e["assignment"] == data["assignment"]]
        self.need(data["effects"] == effects, "receipt", "not the effects of the execution")
        row["receipt"], row["receipt_attempt"] = ident, data["attempt"]
        self.used_up(effects)
        self.rows["receipt"][ident] = {**data, "n": ident, "seq": event["seq"]}

    def fold_assignment_completed(self, event, data, ident):
        receipt = self.rows["receipt"][data["receipt"]]
        self.need(receipt["status"] == "completed" and receipt["assignment"] == ident, "receipt",
                  "no completed receipt is behind it")

    def fold_change_recorded(self, event, data, ident):
        self.effect(event, data, "external")

    def fold_effect_committed(self, event, data, ident):
        sow = self.rows["sow"][self.rows["assignment"][data["assignment"]]["sow"]]
        outcome = self.rows["outcome"][sow["outcome"]]
        self.need(sow["effect"] and sow["effect"]["kind"] == data["kind"]
                  and outcome["subject"] in (None, data["subject"]), "effect", "not of this SOW")
        self.effect(event, data, "assignment")
        self.approved(event, data, ident)
        self.rows["effect"][ident] = {**data, "n": ident, "seq": event["seq"],
                                      "document": self.policy}

    def effect(self, event, data, origin):
        self.need(data["policy"] == self.policy_digest, "effect", "under another policy")
        facts = self.subjects[data["subject"]]
        self.need(all(facts.get(k) == v for k, v in data["facts"].items()), "effect",
                  "other facts than the subject has")
        due = gates.postings_due(self.policy, data, origin)
        self.need(due == data["postings"], "effect", "other postings than policy and facts give")
        self.postings = [(event["seq"], p["account"], p["delta"]) for p in data["postings"]]
        if due:
            kind = gates.kind_of(self.policy, data, origin)
            balances = dict(self.accounts)
            for p in data["postings"]:
                balances[p["account"]] += p["delta"]
            for constraint in kind["constraints"]:
                self.need(gates.condition(constraint, data, balances), "effect",
                          "a constraint is false after it")

    def fold_verification_recorded(self, event, data, ident):
        outcome = self.rows["outcome"][data["outcome"]]
        self.need(data["term"] == outcome["term"] and data["basis"] < event["seq"], "verification",
                  "of another term, or seen later")
        states = {"recheck": ("ACCEPTED", "VIOLATED")}.get(data["scope"], O_OPEN)
        self.need(outcome["state"] in states, "state", "the outcome is not open to it")
        self.need(data["definition_digest"] == outcome["definition_digest"], "verification",
                  "of another definition")
        self.need(not self.meets(event["actor"], data["outcome"], data["term"], "verifiers"),
                  "self_verify", "the verifier is in another set of the term")
        if data["scope"] == "sow":
            sow = self.rows["sow"][data["sow"]]
            self.need(sow["state"] in ("REVIEW", "ACCEPTED"), "state", "the SOW is not in review")
            execution = self.execution(data["sow"])
            self.need(execution and execution["n"] == data["assignment"]
                      and execution["receipt"] == data["receipt"], "verification",
                      "not of the current execution")
        self.rows["verification"][ident] = {
            "sow": None, "assignment": None, "receipt": None, **data, "n": ident,
            "seq": event["seq"], "actor": event["actor"], "checks": outcome["checks"]}
        self.evidence_due = list(data["evidence"])

    def fold_evidence_recorded(self, event, data, ident):
        v = self.rows["verification"][data["verification"]]
        if not self.need(self.evidence_due[:1] == [ident], "evidence", "other evidence is due"):
            return
        spec = v["checks"][len(v["evidence"]) - len(self.evidence_due)]
        self.evidence_due = self.evidence_due[1:]
        self.need(data["check"] == spec["id"] and data["kind"] == spec["kind"], "evidence",
                  "of another check than the one declared there")
        if "observed" in data:
            seen = {"check": spec, "observed": data["observed"]}
            self.need(digest("sov.observation.v1", seen) == data["observation_digest"], "digest",
                      "another digest than what was seen has")
        self.rows["evidence"][ident] = {**data, "n": ident, "seq": event["seq"]}
        if not self.evidence_due:
            batch = self.batch(v)
            self.need(v["passed"] == all(e["success"] for e in batch), "verification",
                      "passed is not what the evidence says")
            self.need(self.aggregate(v) == v["aggregate_digest"], "digest",
                      "the evidence has another aggregate")

    def fold_review_decided(self, event, data, ident):
        self.rows["review"][ident] = {**data, "n": ident, "seq": event["seq"],
                                      "actor": event["actor"]}

    def fold_acceptance_signed(self, event, data, ident):
        self.rows["acceptance"][ident] = {**data, "n": ident, "seq": event["seq"],
                                          "actor": event["actor"]}

    def fold_ruling_decided(self, event, data, ident):
        statement = {k: data[k] for k in ("applies_to", "decision", "effect", "question",
                                          "rationale")}
        if "receipt" in data["effect"]:
            statement["receipt_hash"] = self.hash_of("receipt", data["effect"]["receipt"])
        self.signed(event, "sov.ruling.v1", statement)
        self.rows["ruling"][ident] = {**data, "n": ident, "revoked": False, "seq": event["seq"]}

    def fold_ruling_revoked(self, event, data, ident):
        ruling = self.rows["ruling"][ident]
        self.need(not ruling["revoked"], "state", "revoked before")
        self.signed(event, "sov.ruling.v1", {"decision": "revoked", "reason": data["reason"],
                                             "ruling": ident,
                                             "ruling_hash": self.hashes[ruling["seq"]]})
        ruling["revoked"] = True
