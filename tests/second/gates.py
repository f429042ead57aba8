"""Review and acceptance: the gates of model.md 5, walked again from the log alone."""
from octets import digest, sha256

SETS = ("performers", "verifiers", "reviewers", "accepters")


# ---- kinds of effects (model.md 8) ----

def kind_of(policy, data, origin):
    for kind in policy["effects"]:
        if kind["kind"] == data["kind"] and kind["origin"] == origin:
            return kind
    return None


def filled(text, data):
    return text.replace("{subject}", data["subject"])


def postings_due(policy, data, origin):
    """The postings that policy, facts and quantity give; None if the kind does not allow it."""
    kind = kind_of(policy, data, origin)
    if kind is None:
        return None
    pattern, subject = kind["subject"], data["subject"]
    fits = subject.startswith(pattern[:-1]) if pattern.endswith("*") else subject == pattern
    if not fits or not kind["quantity"]["min"] <= data["quantity"] <= kind["quantity"]["max"]:
        return None
    due = []
    for posting in kind["postings"]:
        delta = posting["sign"]
        for factor in posting["factors"]:
            delta *= (factor if isinstance(factor, int) else
                      data["quantity"] if factor == "quantity" else data["facts"][factor])
        due.append({"account": filled(posting["account"], data), "delta": delta})
    return due


def condition(row, data, balances):
    total = sum(balances[filled(account, data)] * n for account, n in row["terms"])
    value = row["value"] if isinstance(row["value"], int) else data["facts"][row["value"]]
    return total >= value if row["op"] == ">=" else total < value


class Gates:
    """What Judged asks about a term; it holds the rows."""

    def hash_of(self, kind, ident):
        return self.hashes[self.streams[f"{kind}/{ident}"][0]]

    # ---- who is the same (model.md 2) ----

    def answerable(self, actor):
        seen = set()
        while actor in self.actors and self.actors[actor]["represents"] and actor not in seen:
            seen.add(actor)
            actor = self.actors[actor]["represents"]
        return actor

    def same(self, a, b):
        keys = [{k["public"] for k in self.keys.values() if k["actor"] == x} for x in (a, b)]
        return a == b or bool(keys[0] & keys[1]) or self.answerable(a) == self.answerable(b)

    def sets(self, outcome, term):
        sows = {s["n"] for s in self.rows["sow"].values()
                if s.get("outcome") == outcome and s.get("term") == term}
        of = {name: [] for name in SETS}
        for row in self.rows["assignment"].values():
            if row.get("sow") in sows:
                of["performers"].append(row["actor"])
        for row in self.rows["verification"].values():
            if row["outcome"] == outcome and row["term"] == term:
                of["verifiers"].append(row["actor"])
        for row in self.rows["review"].values():
            if row["sow"] in sows:
                of["reviewers"].append(row["actor"])
        for row in self.rows["acceptance"].values():
            if row["outcome"] == outcome and row["term"] == term:
                of["accepters"].append(row["actor"])
        return of

    def meets(self, actor, outcome, term, own):
        """The name of the first set but its own in which somebody is the same as the actor."""
        for name, members in self.sets(outcome, term).items():
            if name != own and any(self.same(actor, other) for other in members):
                return name
        return None

    def distinct(self, outcome, term):
        of = self.sets(outcome, term)
        return not any(self.same(a, b) for i, one in enumerate(SETS) for two in SETS[i + 1:]
                       for a in of[one] for b in of[two])

    def counted(self, actors, want, persons):
        """Enough of them pairwise not the same, persons among them."""
        chosen = []
        for actor in actors:
            if not any(self.same(actor, other) for other in chosen):
                chosen.append(actor)
        people = [a for a in chosen if self.actors[a]["kind"] == "person"]
        return len(chosen) >= want and len(people) >= persons

    # ---- what a judgement rests on ----

    def in_force(self, kind, target=None, receipt=None):
        return any(not r["revoked"] and r["effect"]["kind"] == kind
                   and (target is None or r["applies_to"] == target)
                   and (receipt is None or r["effect"].get("receipt") == receipt)
                   for r in self.rows["ruling"].values())

    def execution(self, sow):
        done = [a for a in self.rows["assignment"].values()
                if a.get("sow") == sow and a["state"] == "COMPLETED"]
        return max(done, key=lambda a: a["seq"]) if done else None

    def current(self, sow):
        execution = self.execution(sow)
        found = [v for v in self.rows["verification"].values()
                 if execution and v["scope"] == "sow" and v["sow"] == sow
                 and v["receipt"] == execution["receipt"]]
        return max(found, key=lambda v: v["seq"]) if found else None

    def batch(self, verification):
        return [self.rows["evidence"][e] for e in verification["evidence"]
                if e in self.rows["evidence"]]

    def aggregate(self, v):
        said = {"checks": [{k: e[k] for k in ("check", "observation_digest", "success")}
                           for e in self.batch(v)],
                "definition_digest": v["definition_digest"], "outcome": v["outcome"],
                "scope": v["scope"], "term": v["term"]}
        said.update({k: v[k] for k in ("assignment", "receipt", "sow") if v[k]})
        return digest("sov.verification.v1", said)

    # ---- before a signed decision is folded ----

    def before(self, event):
        if event["type"] == "review.decided":
            self.review(event, event["data"])
        if event["type"] == "acceptance.signed":
            for gate in self.acceptance(event, event["data"]):
                self.say(gate, "an acceptance was refused here")

    def review_signed(self, event, data):
        self.signed(event, "sov.review.v1", {
            "aggregate_digest": data["aggregate_digest"], "decision": data["decision"],
            "rationale_digest": sha256(data["rationale"].encode()).hex(),
            "receipt_hash": self.hash_of("receipt", data["receipt"]), "sow": data["sow"],
            "verification": data["verification"]})

    def review(self, event, data):
        sow = self.rows["sow"][data["sow"]]
        outcome = self.rows["outcome"][sow["outcome"]]
        current, actor = self.current(data["sow"]), event["actor"]
        self.need(sow["state"] == "REVIEW", "state", "the SOW is not in review")
        self.need(outcome["state"] in ("ACTIVE", "VERIFYING"), "outcome_not_open", "")
        self.need(not self.meets(actor, sow["outcome"], sow["term"], "reviewers"), "self_review",
                  "the reviewer is in another set of the term")
        self.need(data["rationale"].strip(), "rationale_missing", "it says nothing")
        if not self.need(current and current["n"] == data["verification"]
                         and current["receipt"] == data["receipt"], "verification_missing",
                         "not of the current verification"):
            return
        self.need(not any(r["verification"] == current["n"] and self.same(r["actor"], actor)
                          for r in self.rows["review"].values()), "already_reviewed", "")
        self.need(self.aggregate(current) == data["aggregate_digest"], "aggregate_mismatch", "")
        if data["decision"] == "accepted":
            receipt = self.rows["receipt"][data["receipt"]]
            self.need(current["definition_digest"] == outcome["definition_digest"],
                      "definition_changed", "")
            self.need(current["passed"], "verification_failed", "")
            self.need(receipt["status"] == "completed", "receipt_not_completed", "")
            self.need(not receipt["boundary"]["violated"]
                      or self.in_force("waive_boundary", receipt=receipt["n"]),
                      "boundary_violated", "")
            self.need(not self.in_force("hold", "sow/" + data["sow"])
                      and not self.in_force("hold", "outcome/" + sow["outcome"]), "ruling_hold", "")
        self.review_signed(event, data)

    def agreed(self, sow, reviews):
        """sow.accepted: as many accepting reviews as policy asks, and none that says otherwise."""
        current = self.current(sow)
        rows = [r for r in self.rows["review"].values() if r["verification"] == current["n"]]
        said = [r["n"] for r in rows if r["decision"] == "accepted"]
        self.need(sorted(reviews) == sorted(said) and len(said) == len(rows), "review_missing",
                  "not the reviews of the current verification")
        self.need(self.counted([r["actor"] for r in rows], self.policy["review"]["count"],
                               self.policy["review"]["persons"]), "review_missing", "too few")

    def case(self, outcome, sows, verification, observations):
        works = []
        for sow in sows:
            execution, current = self.execution(sow["n"]), self.current(sow["n"])
            receipt = self.rows["receipt"][execution["receipt"]]
            works.append({
                "aggregate_digest": current["aggregate_digest"], "assignment": execution["n"],
                "deliverables": receipt["deliverables"], "effects": receipt["effects"],
                "receipt_hash": self.hash_of("receipt", receipt["n"]),
                "reviews": [self.hash_of("review", r["n"]) for r in self.rows["review"].values()
                            if r["verification"] == current["n"] and r["decision"] == "accepted"],
                "sow": sow["n"]})
        return digest("sov.case.v1", {
            "aggregate_digest": verification["aggregate_digest"],
            "checks": [{"check": o["check"], "observation_digest": o["digest"]}
                       for o in observations],
            "definition_digest": outcome["definition_digest"], "outcome": outcome["n"],
            "policy_digest": self.policy_digest, "sows": works, "term": outcome["term"],
            "verification": verification["n"]})

    def work_gates(self, sow, outcome):
        """Gates 15 to 28 of one SOW that counts."""
        execution = self.execution(sow["n"])
        if not execution:
            return ["execution_missing"]
        receipt = self.rows["receipt"].get(execution["receipt"])
        if not receipt:
            return ["receipt_missing"]
        shut, current = [], self.current(sow["n"])
        if (receipt["assignment"], receipt["attempt"], receipt["claim"]) != (
                execution["n"], execution["attempts"], execution["fence"]):
            shut.append("receipt_unbound")
        if receipt["status"] != "completed":
            shut.append("receipt_not_completed")
        bound = {d["path"] for d in receipt["deliverables"]}
        if set(sow["deliverables"]) - bound:
            shut.append("deliverable_missing")
        effects = [e for e in self.rows["effect"].values() if e["assignment"] == execution["n"]]
        wanted = sow["effect"]
        if wanted and wanted["required"] and not any(e["kind"] == wanted["kind"] for e in effects):
            shut.append("effect_missing")
        if any(postings_due(e["document"], e, "assignment") != e["postings"] for e in effects):
            shut.append("effect_uncorroborated")
        if receipt["boundary"]["violated"] and not self.in_force("waive_boundary",
                                                                 receipt=receipt["n"]):
            shut.append("boundary_violated")
        if not current or not current["passed"]:
            return shut + ["verification_missing" if not current else "verification_failed"]
        if current["definition_digest"] != outcome["definition_digest"]:
            shut.append("definition_changed")
        reviews = [r for r in self.rows["review"].values() if r["verification"] == current["n"]]
        accepting = [r["actor"] for r in reviews if r["decision"] == "accepted"]
        if not self.counted(accepting, self.policy["review"]["count"],
                            self.policy["review"]["persons"]):
            shut.append("review_missing")
        if len(accepting) != len(reviews):
            shut.append("review_dissent")
        return shut

    def acceptance(self, event, data):
        """The gates that are shut, by their codes; the signature says for itself."""
        actor, shut, outcome = event["actor"], [], self.rows["outcome"][data["outcome"]]
        outcome = {**outcome, "n": data["outcome"]}
        term, policy = outcome["term"], self.policy["acceptance"]
        sows = [s for s in self.rows["sow"].values()
                if s["outcome"] == data["outcome"] and s["term"] == term]
        counts = [s for s in sows if s["state"] not in ("WITHDRAWN", "SUPERSEDED")]
        self.signed(event, "sov.accept.v1", {
            "case_digest": data["case_digest"], "decision": "accepted", "outcome": data["outcome"],
            "term": data["term"]})

        def gate(shut_if, code):
            if shut_if:
                shut.append(code)

        gate(data["term"] != term, "moved")
        gate(self.actors[actor]["kind"] != "person" and actor not in policy["robots"],
             "person_required")
        gate(outcome["state"] not in ("ACTIVE", "VERIFYING"), "wrong_state")
        gate(any(self.in_force("hold", target) for target in
                 ["outcome/" + data["outcome"]] + ["sow/" + s["n"] for s in sows]), "ruling_hold")
        gate(self.meets(actor, data["outcome"], term, "accepters"), "self_accept")
        gate(not self.distinct(data["outcome"], term), "roles_not_distinct")
        gate(any(a["case_digest"] == data["case_digest"] and self.same(a["actor"], actor)
                 for a in self.rows["acceptance"].values()), "already_signed")
        gate(not counts, "sow_missing")
        gate(any(s["state"] != "ACCEPTED" for s in counts), "sow_open")
        gate(not outcome["checks"], "checks_missing")
        for sow in counts:
            shut.extend(self.work_gates(sow, outcome))
        if shut:
            return shut
        found = [v for v in self.rows["verification"].values() if v["scope"] == "outcome"
                 and v["outcome"] == data["outcome"] and v["term"] == term]
        newest = max(found, key=lambda v: v["seq"]) if found else None
        if not newest or not newest["passed"] or outcome["state"] != "VERIFYING":
            return ["outcome_not_verified"]
        mine = {self.execution(s["n"])["n"] for s in counts}
        work = [r["seq"] for kind in ("receipt", "effect") for r in self.rows[kind].values()
                if self.rows["assignment"][r["assignment"]]["sow"] in {s["n"] for s in sows}]
        gate(mine and max(work) > newest["seq"], "verification_too_old")
        evidence = {e["check"]: e for e in self.batch(newest)}
        seen = {o["check"]: o for o in data["observations"]}
        declared = [c["id"] for c in outcome["checks"]]
        gate([o["check"] for o in data["observations"]] != declared
             or not all(o["success"] for o in seen.values()), "check_failed")
        gate(set(declared) - set(evidence), "evidence_missing")
        gate(not all(e["success"] for e in evidence.values()), "evidence_failing")
        gate(newest["definition_digest"] != outcome["definition_digest"], "evidence_foreign")
        gate(any(c in seen and c in evidence and seen[c]["digest"] !=
                 evidence[c]["observation_digest"] for c in declared), "evidence_stale")
        gate(self.aggregate(newest) != newest["aggregate_digest"], "aggregate_mismatch")
        gate(self.case(outcome, counts, newest, data["observations"]) != data["case_digest"],
             "case_mismatch")
        signers = [a["actor"] for a in self.rows["acceptance"].values()
                   if a["case_digest"] == data["case_digest"]] + [actor]
        gate(data["signers"] != signers, "signers_mismatch")
        return shut

    def completed(self, outcome, data):
        """outcome.accepted: enough signatures that this very case holds."""
        signed = [a for a in self.rows["acceptance"].values()
                  if a["outcome"] == outcome and a["case_digest"] == data["case_digest"]]
        policy = self.policy["acceptance"]
        self.need(self.counted([a["actor"] for a in signed], policy["signers"], policy["persons"]),
                  "acceptance", "not as many signatures as policy asks")
        self.need(data["acceptance"] in [a["n"] for a in signed], "acceptance", "not of this case")
