#!/usr/bin/env python3
"""Writes fixtures/chains/bad-CLASS-SEQ-WHAT.jsonl: good-store.jsonl with one thing wrong, and
good-approval.jsonl, good-mail.jsonl, good-wire.jsonl for a WHAT that begins with that word.

The test signs each log anew with the ledger's key: what is wrong here is wrong although octets, root
and signature agree. SEQ is the first event that verify must name, 0: none.
"""
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
good = folder.joinpath("good-store.jsonl").read_bytes().split(b"\n")[:-1]
for old in folder.glob("bad-*"):
    old.unlink()


def put(kind, seq, what, lines):
    folder.joinpath(f"bad-{kind}-{seq}-{what}.jsonl").write_bytes(b"\n".join(lines) + b"\n")


def edit(seq, what, old, new, at=None, kind="TAMPER"):
    lines = list(good)
    assert lines[seq - 1].count(old) >= 1, (seq, old, lines[seq - 1])
    lines[seq - 1] = lines[seq - 1].replace(old, new, 1)
    put(kind, seq if at is None else at, what, lines)


put("TAMPER", 60, "gap", good[:59] + good[60:])
put("TAMPER", 61, "doubled", good[:60] + [good[59]] + good[60:])
put("TAMPER", 40, "swapped", good[:39] + [good[40], good[39]] + good[41:])
put("TAMPER", 1, "headless", good[1:])
edit(30, "not-canonical", b'"data":{', b'"data": {')
edit(30, "keys-shuffled", b'{"actor":"host","at":"2026-01-01T00:00:00.000Z",', b'{"at":"2026-01-01T00:00:00.000Z","actor":"host",')
edit(30, "broken", b'}', b'', )
edit(30, "not-text", b'"host"', b'"ho\xffst"')
edit(20, "unknown-field", b'"data":{', b'"data":{"a":1,')
edit(20, "missing-field", b'"source":"till",', b'')
edit(20, "float", b'"quantity":2', b'"quantity":2.0')
edit(20, "other-type", b'"quantity":2', b'"quantity":"2"')
edit(20, "unknown-type", b'"change.recorded"', b'"change.remembered"')
edit(20, "envelope", b'"v":1', b'"v":2')
edit(33, "version", b'"sv":1', b'"sv":2')
edit(33, "number-skipped", b'effect/EFF-1', b'effect/EFF-2', at=49)
edit(25, "cause-to-come", b'"cause":[19,24]', b'"cause":[19,26]')
edit(25, "cause-unordered", b'"cause":[19,24]', b'"cause":[24,19]')
edit(25, "no-cause", b'"cause":[19,24],', b'')
edit(34, "no-lead", re.search(rb'"cause":\[[0-9,]*\]', good[33]).group(0), b'"cause":[1]')
edit(50, "time-back", b'2026-01-01T00:00:00.000Z', b'2025-12-31T23:59:59.999Z')
edit(50, "time-spelled", b'2026-01-01T00:00:00.000Z', b'2026-01-01T00:00:00Z')
edit(33, "stale-fence", b'"fence":29', b'"fence":28')
edit(78, "fence-of-before", b'"fence":70', b'"fence":29')
edit(33, "fence-missing", b'"fence":29,', b'')
edit(40, "fence-too-much", b'"seq":40', b'"fence":29,"seq":40')
edit(49, "actor-without-authority", b'"actor":"sparring"', b'"actor":"operator"')
edit(49, "actor-unknown", b'"actor":"sparring"', b'"actor":"nobody"')
edit(20, "actor-host", b'"actor":"operator"', b'"actor":"host"')
edit(34, "actor-of-consequence", b'"actor":"host"', b'"actor":"operator"')
signature = re.search(rb'"signature":"([0-9a-f]+)"', good[48]).group(1)
edit(49, "signature-flipped", signature, signature[:-1] + (b'1' if signature[-1:] != b'1' else b'2'))
other = re.search(rb'"signature":"([0-9a-f]+)"', good[50]).group(1)
edit(49, "signature-of-another", signature, other)
edit(49, "decision-not-signed", b'"decision":"accepted"', b'"decision":"rejected"')
edit(51, "acceptance-not-signed", b'"term":1', b'"term":2')
edit(44, "lead-unreadable", b'"v":1', b'"v":2')
edit(34, "balance", b'"balance":8', b'"balance":9')
edit(33, "quantity", b'"quantity":6', b'"quantity":7', at=37)
lines = list(good)
for seq in (20, 53):
    lines[seq - 1] = lines[seq - 1].replace(b'"seq":%d' % seq, b'"key":"k","seq":%d' % seq)
put("TAMPER", 53, "key-twice", lines)
put("ROLLBACK", 0, "cut", good[:52])
edit(52, "case-not-signed", b'"case_digest":"92', b'"case_digest":"00')
edit(50, "no-such-review", b'["REV-1"]', b'["REV-2"]')
edit(93, "other-end", b'00:00:00.000Z', b'00:00:00.001Z', at=0, kind="FORK")


# Whole in themselves, and folded without a word: only who asks what a quantity comes to, or counts
# the numbers, can tell.
def sale(what, at, cash=2400, price=400, policy=None, said=None):
    lines = list(good)

    def put_in(seq, old, new):
        assert lines[seq - 1].count(old) == 1, (seq, old, lines[seq - 1])
        lines[seq - 1] = lines[seq - 1].replace(old, new)

    put_in(53, b'"account":"cash","delta":2400', b'"account":"cash","delta":%d' % (said or cash))
    put_in(53, b'"price":400', b'"price":%d' % price)
    if policy:
        put_in(53, re.search(rb'"policy":"([0-9a-f]+)"', lines[52]).group(1), policy)
    put_in(55, b'"balance":12480,"delta":2400', b'"balance":%d,"delta":%d' % (10080 + cash, cash))
    put_in(76, b'"balance":11760', b'"balance":%d' % (9360 + cash))
    put("TAMPER", at, what, lines)


sale("posting-other-facts", 53, cash=3000, price=500)
sale("posting-other-sum", 53, cash=2500)
sale("posting-other-policy", 53, policy=b"0" * 64)
sale("posting-not-as-said", 55, cash=2500, said=2400)
lines = list(good)
lines[53] = good[54].replace(b'"seq":55', b'"seq":54')
lines[54] = good[53].replace(b'"seq":54', b'"seq":55')
put("TAMPER", 54, "posting-out-of-turn", lines)
put("TAMPER", 53, "posting-left-out", good[:54])
edit(77, "number-of-a-signal", b'signal/SIG-4', b'signal/SIG-5')

good = folder.joinpath("good-approval.jsonl").read_bytes().split(b"\n")[:-1]
edit(43, "approval-quorum", b'"quorum":2', b'"quorum":1')
edit(43, "approval-over-at-once", b'"expires_at":"2026-01-01T01', b'"expires_at":"2026-01-01T00')
edit(60, "approval-other-arguments", re.search(rb'"args_digest":"[0-9a-f]+"', good[59]).group(0),
     re.search(rb'"args_digest":"[0-9a-f]+"', good[58]).group(0))
edit(44, "approval-vote-turned", b'"vote":"grant"', b'"vote":"deny"')
edit(45, "approval-vote-twice", b'"actor":"clerk"', b'"actor":"principal"')
edit(46, "approval-one-vote", b'["principal","clerk"]', b'["clerk"]')
put("TAMPER", 45, "approval-undecided-at-the-end", good[:45])
put("TAMPER", 45, "approval-undecided", good[:45] + [good[46].replace(b'"seq":47', b'"seq":46')])
edit(46, "approval-by-nobody", b'"actor":"host"', b'"actor":"principal"')
edit(63, "approval-revoked-by-another", b'"actor":"operator"', b'"actor":"master"')
edit(71, "approval-left-out", b'"approval":"APR-4",', b'')
edit(71, "approval-of-another", b'"approval":"APR-4"', b'"approval":"APR-1"')
edit(71, "approval-other-quantity", b'"quantity":6', b'"quantity":7')
edit(75, "approval-used-elsewhere", b'effect/EFF-1', b'effect/EFF-2')
edit(80, "approval-expired-early", b'2026-01-01T02', b'2026-01-01T00')

good = folder.joinpath("good-mail.jsonl").read_bytes().split(b"\n")[:-1]
edit(42, "mail-to-another-than-the-worker", b'"to":"operator"', b'"to":"sparring"')
edit(43, "mail-taken-by-another", b'"actor":"operator"', b'"actor":"master"')
edit(44, "mail-done-under-no-claim", b'"fence":43', b'"fence":42')
edit(52, "mail-dead-too-soon", b'"next":"NEW"', b'"next":"DEAD"')
edit(54, "mail-failed-uncounted", b'"retries":2', b'"retries":1')
edit(56, "mail-never-dead", b'"next":"DEAD"', b'"next":"NEW"')
edit(57, "mail-requeued-by-another", b'"actor":"operator"', b'"actor":"verifier"')
edit(60, "mail-lost-under-a-dead-fence", b'"seq":60', b'"fence":58,"seq":60')

good = folder.joinpath("good-wire.jsonl").read_bytes().split(b"\n")[:-1]
edit(15, "wire-instance-of-another", b'"actor":"operator"', b'"actor":"master"')
edit(16, "wire-under-no-instance", b'"instance_fence":15', b'"instance_fence":14')
edit(17, "wire-called-back-by-nobody", b'"fence":16', b'"fence":15')
edit(22, "wire-under-the-instance-before", b'"instance_fence":21', b'"instance_fence":15')
edit(23, "wire-more-attempts", b'"max_attempts":5', b'"max_attempts":6')
edit(25, "wire-attempt-skipped", b'"attempt":1', b'"attempt":2')
edit(26, "wire-other-wait", b'"process_after":"2026-01-01T00:00:30', b'"process_after":"2026-01-01T00:00:31')
edit(26, "wire-dead-too-soon", b'"next":"QUEUED","process_after":"2026-01-01T00:00:30.000Z"', b'"next":"DEAD"')
edit(30, "wire-closed-too-late", b'"at":"2026-01-01T00:00:30', b'"at":"2026-01-01T00:01:00')
edit(40, "wire-resolved-by-a-robot", b'"actor":"principal"', b'"actor":"operator"')
