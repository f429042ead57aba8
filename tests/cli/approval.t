An effect whose kind asks for approval is committed with one that allows exactly it, or not at all.

  $ echo '. "$SRC/tests/faults/store.sh"' >store
  $ awk '/"kind": "replenishment"/ && !n++ { sub(/,/, ", \"approval\": true,") } { print }' \
  >     "$SRC/fixtures/store/policy.json" >policy.json
  $ . ./store; store_to_assignment; sov policy check policy.json; sov policy adopt policy.json --reason "Orders are approved." --actor principal
  ok  policy 33c061243d500a369f18a38730cf36e11b81f6b2811eeccf3a25682a48fe319c
  policy adopted (seq 29)
  $ sov run ASG-1 --actor operator -- "$SRC/tests/store_agent.sh" 6
  RCP-1 failed ASG-1, proposal_refused, fence 30 (seq 33)
    no approval was requested
  ? 1
  $ . ./store; store_books
  cash 10800 inventory/SKU-TEA 2

Another round, and this time somebody asks; the arguments are the very ones of the effect.

  $ sov sow retry SOW-1 --reason again --actor master; sov assign SOW-1 --to operator --actor master
  SOW-1 ready again (seq 38)
  ASG-2 assigned SOW-1 to operator (seq 39)
  $ echo '{"assignment": "ASG-2", "kind": "replenishment", "subject": "SKU-TEA", "quantity": "six"}' >act.json
  $ sov approval request effect.commit --resource ASG-2 --args act.json --actor operator
  sov: invalid: an effect.commit is on an assignment, over exactly {assignment, kind, quantity, subject}
    why      a value is not one that this field may have [bad_value]
    inspect  sov help approval
    next     correct the value
  ? 2
  $ echo '{"assignment": "ASG-2", "kind": "replenishment", "subject": "SKU-TEA", "quantity": 6}' >act.json
  $ sov approval request effect.commit --resource ASG-2 --args act.json --actor sparring
  sov: denied: sparring, whose role is sparring, lacks request
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov approval request effect.commit --resource ASG-2 --args act.json --actor operator -n
  APR-1 would be asked for effect.commit on ASG-2
    approval.requested  APR-1
  $ sov approval request effect.commit --resource ASG-2 --args act.json --actor operator
  APR-1 asked for effect.commit on ASG-2 (seq 41)
  $ sov approval request effect.commit --resource ASG-2 --args act.json --actor operator
  APR-1 already asked for effect.commit on ASG-2 (seq 41), nothing written
  $ sov approval request effect.commit --resource ASG-2 --args act.json --actor operator --expires 2020-01-01T00:00:00Z --idempotency-key k
  sov: invalid: an approval lives 1 to 14400 s from the request on, not -189388800 s
    why      a value is not one that this field may have [bad_value]
    inspect  sov help approval
    next     correct the value
  ? 2
  $ sov approval request effect.commit --resource ASG-2 --actor operator
  sov: invalid: approval request needs --args
    why      the command was not called as its synopsis says [usage]
    inspect  sov help approval
    next     call it as the synopsis says
    usage    sov approval request ACTION --resource REF --args FILE [--expires TIME]
  ? 2
  $ sov show APR-1 | grep -v policy
  APR-1  approval  PENDING
  action       effect.commit
  args         {"digest":"840a5e15135baf7f4c505b075097204fda7718d785a25463293e442ca5799f6f","media_type":"application/json","size":78}
  args_digest  840a5e15135baf7f4c505b075097204fda7718d785a25463293e442ca5799f6f
  expires_at   2026-01-01T01:00:00.000Z
  persons      1
  quorum       1
  resource     assignment/ASG-2
  arguments    {"assignment":"ASG-2","kind":"replenishment","quantity":6,"subject":"SKU-TEA"}
  history
        41  2026-01-01T00:00:00.000Z  operator  approval.requested  action=effect.commit resource=assignment/ASG-2

Who has it waiting, and how a vote is refused.

  $ sov ready --actor principal | grep APR; sov status --actor principal 2>/dev/null | grep APR
  APR-1  PENDING  vote on it  sov approve APR-1 --grant --reason TEXT
  APR-1  PENDING  vote on it  sov approve APR-1 --grant --reason TEXT
  $ sov approve APR-1 --grant --reason "Six are few." --actor operator
  sov: denied: operator, whose role is operator, lacks approve
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov approve APR-1 --reason "Six are few." --actor principal
  sov: invalid: a vote is --grant or --deny
    why      the command was not called as its synopsis says [usage]
    inspect  sov help approve
    next     call it as the synopsis says
    usage    sov approve APR --reason TEXT [--grant] [--deny]
  ? 2
  $ sov approve APR-1 --grant --actor principal
  sov: invalid: approve needs --reason
    why      the command was not called as its synopsis says [usage]
    inspect  sov help approve
    next     call it as the synopsis says
    usage    sov approve APR --reason TEXT [--grant] [--deny]
  ? 2
  $ sov approve APR-2 --grant --reason "Six are few." --actor principal
  sov: not found: there is no APR-2
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ SOV_ASSIGNMENT=ASG-2 sov approve APR-1 --grant --reason "Six are few." --actor operator
  sov: denied: approve is not for an agent inside ASG-2
    why      inside a run only its assignment's actor acts, and it decides nothing [inside_run]
    inspect  sov status
    next     do it outside the run
  ? 4
  $ sov approve APR-1 --grant --reason "Six are few." --actor principal
  APR-1 granted by principal, GRANTED (seq 42)
  $ sov approve APR-1 --deny --reason "Six are many." --actor principal
  sov: conflict: APR-1 is GRANTED
    why      no arrow of the transition table leads there from this state [wrong_state]
    inspect  sov show APR-1
    next     sov why APR-1
  ? 5
  $ sov ready --actor principal

Seven were not approved, six were, once.

  $ sov run ASG-2 --actor operator -- "$SRC/tests/store_agent.sh" 7
  RCP-2 failed ASG-2, proposal_refused, fence 44 (seq 47)
    what is approved has other arguments than the act
  ? 1
  $ sov sow retry SOW-1 --reason again --actor master; sov assign SOW-1 --to operator --actor master
  SOW-1 ready again (seq 52)
  ASG-3 assigned SOW-1 to operator (seq 53)
  $ sed 's/ASG-2/ASG-3/' act.json | sov approval request effect.commit --resource ASG-3 --args - --actor operator
  APR-2 asked for effect.commit on ASG-3 (seq 55)
  $ sov approve APR-2 --grant --reason "Six are few." --actor principal --json=id,state | cut -c1-70
  {"schema":"sov.approve.v1","data":{"id":"APR-2","state":"GRANTED"},"wa
  $ sov run ASG-3 --actor operator -- "$SRC/tests/store_agent.sh" 6
  RCP-3 completed ASG-3, fence 58 (seq 61)
    EFF-1 committed
  $ . ./store; store_books
  cash 10080 inventory/SKU-TEA 8
  $ sov show approvals
  APR-1  GRANTED   43  effect.commit, assignment/ASG-2, Six are few.
  APR-2  CONSUMED  66  effect.commit, assignment/ASG-3, Six are few.
  $ sov why APR-2
      18  principal  person   outcome.defined        OUT-1  subject=SKU-TEA title=Tea is in stock
      19  master     robot    outcome.activated      OUT-1  
      20  operator   robot    change.recorded        CHG-1  kind=sale quantity=2 subject=SKU-TEA
      23  host       host     signal.recorded        SIG-1  kind=inventory.changed subject=SKU-TEA severity=warning
      24  host       host     wake.decided           SIG-1  decision=fire subject=SKU-TEA sow=SOW-1 outcome=OUT-1 (need_open)
      25  host       host     sow.created            SOW-1  title=Restock SKU-TEA outcome=OUT-1 term=1 role=operator
      53  master     robot    assignment.created     ASG-3  sow=SOW-1 outcome=OUT-1 actor=operator
      55  operator   robot    approval.requested     APR-2  action=effect.commit resource=assignment/ASG-3
      58  operator   robot    claim.acquired         ASG-3  
      60  operator   robot    run.started            ASG-3  
      61  operator   robot    run.finished           ASG-3  status=completed
      62  host       host     effect.committed       EFF-1  kind=replenishment quantity=6 subject=SKU-TEA
      66  host       host     approval.consumed      APR-2  used_by=effect/EFF-1
  $ sov approval revoke APR-1 --reason "Not needed." --actor sparring
  sov: denied: sparring, whose role is sparring, lacks approve
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov approval revoke APR-1 --reason "Not needed." --actor operator
  APR-1 revoked (seq 70)
  $ sov approval revoke APR-2 --reason "Too late." --actor principal
  sov: conflict: APR-2 is CONSUMED
    why      no arrow of the transition table leads there from this state [wrong_state]
    inspect  sov show APR-2
    next     sov why APR-2
  ? 5
  $ sov project -q; sov verify --projections -q --no-anchor; cat governance/approvals/APR-1.md | head -3
  70
  # APR-1

  **REVOKED** · ✘ it allows nothing any more

Silence is a no: what is not voted on in time is over, and a pass says so, once.

  $ sed 's/ASG-2/ASG-3/; s/6/7/' act.json | sov approval request effect.commit --resource ASG-3 --args - --actor master --expires 2026-01-01T00:10:00Z
  APR-3 asked for effect.commit on ASG-3 (seq 71)
  $ sov supervise
  $ SOV_TEST_CLOCK=2026-01-01T00:10:00.000Z sov approve APR-3 --grant --reason Late. --actor principal
  sov: denied: its time was over 0 ms before
    why      an approval is voted on and used before its time is over [approval_expired]
    inspect  sov show approvals
    next     request another one
  ? 4
  $ SOV_TEST_CLOCK=2026-01-01T00:10:00.000Z sov supervise --limit 1
  APR-3 is EXPIRED (seq 72)
  3 more waiting
  $ SOV_TEST_CLOCK=2026-01-01T00:10:00.000Z sov supervise | grep -c APR
  0
  ? 1
