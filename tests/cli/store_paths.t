The other paths through the store: what goes wrong must end in the record, and move nothing else.

  $ echo '. "$SRC/tests/faults/store.sh"' >store

Red path: the run proposes nothing. The work is sent back, the second round is accepted.

  $ . ./store; store_enter red; store_to_assignment
  $ . ./store; store_enter red; sov run ASG-1 --actor operator -- "$SRC/tests/store_agent.sh" 0
  RCP-1 completed ASG-1, fence 29 (seq 32)
  $ . ./store; store_enter red; store_books
  cash 10800 inventory/SKU-TEA 2
  $ . ./store; store_enter red; sov check SOW-1 --actor verifier
  VER-1 recorded for SOW-1 (seq 36)
    stock-available       fails  {"balances":[["inventory/SKU-TEA",2],["reserved/SKU-TEA",0]],"facts":[["reorder_point",3]],"sum":2}
    restock-posted        fails  {"effects":[]}
    restock-present       fails  {"effects":[]}
  ? 1
  $ . ./store; store_enter red; sov review SOW-1 --pass --reason 'looks fine' --actor sparring
  sov: denied: SOW-1 is refused at 1 of 14 gates
    why      the verification did not pass [verification_failed]
    inspect  sov show SOW-1
    next     sov check SOW-1
  ? 4
  $ . ./store; store_enter red; sov review SOW-1 --request-changes --reason 'Nothing was ordered.' --actor sparring
  REV-1 changes_requested SOW-1 (seq 40)
  $ . ./store; store_enter red; sov assign SOW-1 --to operator --actor master
  ASG-2 assigned SOW-1 to operator (seq 43)
  $ . ./store; store_enter red; store_run ASG-2 6; store_books
  cash 10080 inventory/SKU-TEA 8
  $ . ./store; store_enter red; store_judged SOW-1 OUT-1; store accept OUT-1 --actor principal
  $ . ./store; store_enter red; sov show verifications; sov show reviews; sov show outcomes
  VER-1  -  36  SOW-1, OUT-1
  VER-2  -  56  SOW-1, OUT-1
  VER-3  -  60  OUT-1
  REV-1  -  40  SOW-1
  REV-2  -  65  SOW-1
  OUT-1  ACCEPTED  68  Tea is in stock, SKU-TEA
  $ . ./store; store_enter red; store_books; store_agrees
  cash 10080 inventory/SKU-TEA 8
  agreed

Second need: a sale while the order is under way leads to one restock, not to two.

  $ . ./store; store_enter need; store_to_assignment; store_sale 1; store_books
  cash 11200 inventory/SKU-TEA 1
  $ . ./store; store_enter need; sov pulse
  SIG-2  duplicate live_sow  OUT-1  SOW-1 (seq 33)
  $ . ./store; store_enter need; store_run ASG-1 6; store_books
  cash 10480 inventory/SKU-TEA 7
  $ . ./store; store_enter need; store_judged SOW-1 OUT-1; store accept OUT-1 --actor principal
  $ . ./store; store_enter need; sov pulse; sov show sows
  SIG-2  ignore condition_false  OUT-1 (seq 58)
  SIG-3  ignore no_rule (seq 59)
  SOW-1  ACCEPTED  55  Restock SKU-TEA, operator, OUT-1
  $ . ./store; store_enter need; store_agrees
  agreed

Second subject: coffee runs low, nothing of tea moves.

  $ . ./store; store_enter two; store_accepted
  > store_subject SKU-COFFEE 210 650 6 10; store_outcome 'Coffee is in stock' SKU-COFFEE stock-available-coffee
  > store outcome activate OUT-2 --actor master; store_sale 5 SKU-COFFEE; store_books
  cash 13330 inventory/SKU-COFFEE 5 inventory/SKU-TEA 8
  $ . ./store; store_enter two; sov pulse
  SIG-2  ignore no_rule (seq 62)
  SIG-3  fire need_open  OUT-2  SOW-2 (seq 63)
  $ . ./store; store_enter two; store_run ASG-2 5; store_books
  cash 12280 inventory/SKU-COFFEE 10 inventory/SKU-TEA 8
  $ . ./store; store_enter two; sov show outcomes; store_agrees
  OUT-1  ACCEPTED  52  Tea is in stock, SKU-TEA
  OUT-2  ACTIVE    57  Coffee is in stock, SKU-COFFEE
  agreed

Refused: nothing moves.

  $ . ./store; store_enter no; store_open; sov log --format jsonl | wc -l
  19
  $ . ./store; store_enter no; sov change record sale --subject SKU-TEA --quantity 51 --source till --actor operator
  sov: invalid: quantity 51 of sale is not within 1 to 50
    why      the kind allows quantities from its minimum to its maximum [quantity_out_of_range]
    inspect  sov policy show
    next     use a quantity within the range
  ? 2
  $ . ./store; store_enter no; sov change record sale --subject SKU-TEA --quantity 5 --source till --actor operator
  sov: denied: constraint 1 of sale would not hold after quantity 5 on SKU-TEA
    why      a constraint of the kind would not hold after the postings [constraint_failed]
    inspect  sov show accounts
    next     use a smaller quantity
  ? 4
  $ . ./store; store_enter no; sov log --format jsonl | wc -l; store_books
  19
  cash 10000 inventory/SKU-TEA 4
  $ . ./store; store_enter poor; store_open 100; store_sale 2; store pulse; store_books
  cash 900 inventory/SKU-TEA 2
  $ . ./store; store_enter poor; sov run ASG-1 --actor operator -- "$SRC/tests/store_agent.sh" 8
  RCP-1 failed ASG-1, proposal_refused, fence 29 (seq 32)
    constraint 1 of replenishment would not hold after quantity 8 on SKU-TEA
  ? 1
  $ . ./store; store_enter poor; store_types 28; store_books; store_agrees
  claim.acquired sow.started run.started run.finished effect.refused receipt.recorded
  sow.failed assignment.failed
  cash 900 inventory/SKU-TEA 2
  agreed
