The store loses its worker.

  $ echo '. "$SRC/tests/faults/store.sh"' >store

Lost worker: the host is killed between claim and report; nothing of the run is believed, and the
provider does not outlive its host.

  $ . ./store; store_enter lost; store_to_assignment
  $ . ./store; store_enter lost; "${SOV_GUARDED:-sov}" run ASG-1 --actor operator -- /bin/sleep 31.7 >run.out 2>&1 & run=$!
  > until sov log --type run.started | grep -q ASG-1; do sleep 0.05; done
  > kill -KILL $run; wait $run 2>/dev/null; echo $?
  > for i in 1 2 3 4 5 6 7 8 9 10; do pgrep -fx '/bin/sleep 31.7' >/dev/null || break; sleep 0.3; done
  > pgrep -fx '/bin/sleep 31.7' || echo 'nothing is left'
  137
  nothing is left
  $ . ./store; store_enter lost; store_types 28; store_books
  claim.acquired sow.started run.started
  cash 10800 inventory/SKU-TEA 2
  $ . ./store; store_enter lost; SOV_TEST_MACHINE=00000000000000000000000000000002 sov supervise
  $ . ./store; store_enter lost; sov supervise
  ASG-1 expired, fence 29 held by operator since 2026-01-01T00:00:00.000Z, RCP-1 (seq 32)
  $ . ./store; store_enter lost; SOV_TEST_BOOT_MS=2000000 sov supervise
  $ . ./store; store_enter lost; store_types 31; store_books; sov show sows; sov show RCP-1 | head -n 12
  claim.expired receipt.recorded sow.failed assignment.failed
  cash 10800 inventory/SKU-TEA 2
  SOW-1  FAILED  34  Restock SKU-TEA, operator, OUT-1
  RCP-1  receipt
  assignment       ASG-1
  attempt          1
  boundary         {"computed":false,"scope":"repository_without_runs_and_ledger","violated":false}
  category         worker_lost
  claim            29
  deliverables     []
  effects          []
  effects_unknown  true
  message          the run started and nobody reported its end in time
  provider         {"adapter":"command","name":"command","version":1}
  status           failed
  $ . ./store; store_enter lost; sov sow retry SOW-1 --reason 'again' --actor master
  sov: denied: whether the last run of SOW-1 had effects is unknown
    why      what a lost run did is not known, and unknown is not redone without looking [unknown_outcome]
    inspect  sov show SOW-1
    next     sov sow retry SOW-1 --reason TEXT --found did_not_happen --inspection TEXT
  ? 4
  $ . ./store; store_enter lost; sov sow retry SOW-1 --reason 'again' --found did_not_happen --inspection 'No order at the supplier.' --actor master
  SOW-1 ready again (seq 36)
  $ . ./store; store_enter lost; sov assign SOW-1 --to operator --actor master
  ASG-2 assigned SOW-1 to operator (seq 37)
  $ . ./store; store_enter lost; store_run ASG-2 6; store_books; store_agrees
  cash 10080 inventory/SKU-TEA 8
  agreed
