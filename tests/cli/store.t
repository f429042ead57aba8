The store of the model, steps 1 to 11: the numbers and the order of events are the contract.

  $ echo '. "$SRC/tests/faults/store.sh"' >store

1. The principal defines OUT-1 on SKU-TEA, the master activates it.

  $ . ./store; store_open; store_books; store_types 17
  cash 10000 inventory/SKU-TEA 4
  outcome.defined outcome.activated

2. A sale of 2.

  $ sov change record sale --subject SKU-TEA --quantity 2 --source till --actor operator
  CHG-1 recorded sale 2 of SKU-TEA (seq 20)
  $ . ./store; store_books; store_types 19
  cash 10800 inventory/SKU-TEA 2
  change.recorded account.posted account.posted signal.recorded

3. The pulse: SIG-1 fires, 2 < 3.

  $ sov pulse
  SIG-1  fire need_open  OUT-1  SOW-1 (seq 24)
  $ . ./store; store_types 23
  wake.decided sow.created sow.readied assignment.created sow.assigned

4 and 5. The operator claims and runs; the report proposes 6.

  $ sov run ASG-1 --actor operator -- "$SRC/tests/store_agent.sh" 6
  RCP-1 completed ASG-1, fence 29 (seq 32)
    EFF-1 committed
  $ . ./store; store_books; store_types 28
  cash 10080 inventory/SKU-TEA 8
  claim.acquired sow.started run.started run.finished effect.committed account.posted
  account.posted signal.recorded receipt.recorded sow.submitted assignment.completed

6. The verifier checks SOW-1, then OUT-1: all six hold.

  $ sov check SOW-1 --actor verifier
  VER-1 recorded for SOW-1 (seq 40)
    stock-available       holds
    restock-posted        holds
    restock-present       holds
  $ sov check OUT-1 --actor verifier
  VER-2 recorded for OUT-1 (seq 44)
    stock-available       holds
    restock-posted        holds
    restock-present       holds
  $ . ./store; store_types 39
  verification.recorded evidence.recorded evidence.recorded evidence.recorded
  verification.recorded evidence.recorded evidence.recorded evidence.recorded
  outcome.verifying

7. Sparring accepts SOW-1. The performer may not, nor may anybody accept before.

  $ sov review SOW-1 --pass --reason mine --actor operator
  sov: denied: SOW-1 is refused at 1 of 14 gates
    why      operator is the same as performer operator by id [self_review]
    inspect  sov show SOW-1
    next     let another actor review
  ? 4
  $ sov accept OUT-1 --actor principal
  sov: denied: OUT-1 is refused at 2 of 36 gates
    why      SOW-1 is REVIEW [sow_open]; SOW-1: 0 accepting reviews, policy asks for 1 distinct ones, 0 by persons [review_missing]
    inspect  sov why OUT-1 --gates
    next     sov show SOW-1
  ? 4
  $ sov review SOW-1 --pass --reason 'The report and the postings agree.' --actor sparring
  REV-1 accepted SOW-1 (seq 49)

8. The principal accepts OUT-1: 35 events since step 1.

  $ sov accept OUT-1 --actor principal
  ACC-1 accepted OUT-1 (seq 51)
    stock-available       holds
    restock-posted        holds
    restock-present       holds
  $ . ./store; store_books; store_types 48
  cash 10080 inventory/SKU-TEA 8
  review.decided sow.accepted acceptance.signed outcome.accepted
  $ sov log --since 17 --format jsonl | wc -l
  35
  $ . ./store; store_agrees
  agreed

9. A sale of 6, and the pulse: SIG-2 has no rule, SIG-3 waits for the outcome.

  $ sov change record sale --subject SKU-TEA --quantity 6 --source till --actor operator
  CHG-2 recorded sale 6 of SKU-TEA (seq 53)
  $ sov pulse
  SIG-2  ignore no_rule (seq 57)
  SIG-3  defer outcome_accepted  OUT-1 (seq 58)
  $ . ./store; store_books; store_types 56
  cash 12480 inventory/SKU-TEA 2
  wake.decided wake.decided

10. The verifier asks again: the stock is low.

  $ sov check OUT-1 --recheck --actor verifier
  VER-3 recorded for OUT-1 (seq 59)
    stock-available       fails  {"balances":[["inventory/SKU-TEA",2],["reserved/SKU-TEA",0]],"facts":[["reorder_point",3]],"sum":2}
    restock-posted        holds
    restock-present       holds
  ? 1
  $ . ./store; store_types 58
  verification.recorded evidence.recorded evidence.recorded evidence.recorded
  outcome.violated

11. SIG-3 is due again and fires; a second term, as before.

  $ sov pulse
  SIG-3  fire need_open  OUT-1  SOW-2 (seq 64)
  $ . ./store; store_types 63
  wake.decided outcome.reopened sow.created sow.readied assignment.created
  sow.assigned
  $ . ./store; store_run ASG-2 6; store_judged SOW-2 OUT-1; store_books
  cash 11760 inventory/SKU-TEA 8
  $ sov accept OUT-1 --actor principal
  ACC-2 accepted OUT-1 (seq 92)
    stock-available       holds
    restock-posted        holds
    restock-present       holds
  $ . ./store; store_books; store_types 69; store_agrees
  cash 11760 inventory/SKU-TEA 8
  claim.acquired sow.started run.started run.finished effect.committed account.posted
  account.posted signal.recorded receipt.recorded sow.submitted assignment.completed
  verification.recorded evidence.recorded evidence.recorded evidence.recorded
  verification.recorded evidence.recorded evidence.recorded evidence.recorded
  outcome.verifying review.decided sow.accepted acceptance.signed outcome.accepted
  agreed

A pass answers what is due, a second one is silent, and everything stands as it was.

  $ sov pulse; sov pulse; sov show outcomes; sov show sows
  SIG-4  ignore no_rule (seq 94)
  OUT-1  ACCEPTED  93  Tea is in stock, SKU-TEA, SIG-3 fired rule restock-low
  SOW-1  ACCEPTED  50  Restock SKU-TEA, operator, OUT-1
  SOW-2  ACCEPTED  91  Restock SKU-TEA, operator, OUT-1
