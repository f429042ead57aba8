One that drives itself: it claims, starts, works where it is told to, and hands in its report.

  $ cat >store <<'END'
  > . "$SRC/tests/faults/store.sh"
  > say() { # ASG STATUS QUANTITY: a report
  >     p=; [ "$3" = 0 ] || p="{\"kind\":\"replenishment\",\"quantity\":$3,\"reason\":\"low\",\"subject\":\"SKU-TEA\",\"unit\":null}"
  >     printf '{"assignment":"%s","blockers":[],"checks":[],"deliverables":[],"kind":"sov.report.v1","notes":null,"proposals":[%s],"questions":[],"status":"%s","summary":"Ordered."}' "$1" "$p" "$2"
  > }
  > fence() { sov log "$1" --type claim.acquired | awk '{ f = $1 } END { print f }'; }
  > begin() { # a store with ASG-1 started, and an empty file for it
  >     store_to_assignment
  >     store claim ASG-1 --actor operator
  >     sov claim start ASG-1 --fence "$(fence ASG-1)" --actor operator >/dev/null
  > }
  > END

  $ . ./store; store_enter one; store_to_assignment
  $ . ./store; store_enter one; sov claim ASG-1 --actor operator
  ASG-1 claimed, fence 29, until 2026-01-01T00:15:00.000Z (seq 29)
  $ . ./store; store_enter one; say ASG-1 completed 6 >../r; sov report ASG-1 --fence 29 ../r --actor operator; echo $?
  sov: conflict: ASG-1 is RUNNING: no run has started under this claim
    why      no arrow of the transition table leads there from this state [wrong_state]
    inspect  sov show ASG-1
    next     sov why ASG-1
  5
  $ . ./store; store_enter one; sov claim start ASG-1 --fence 4 --actor operator 2>&1 | head -n 1; ls -A .sovereign | grep runs
  sov: conflict: 4 is not the live fence of ASG-1
  ? 1
  $ . ./store; store_enter one; sov claim start ASG-1 --fence 29 --actor operator -n; ls -A .sovereign | grep runs
  ASG-1 would be started
  ? 1
  $ . ./store; store_enter one; sov claim start ASG-1 --fence 29 --actor operator --idempotency-key s | sed "s#$PWD#HERE#"
  ASG-1 started (seq 31)
  HERE/.sovereign/runs/ASG-1.29/ws
  $ . ./store; store_enter one; sov claim start ASG-1 --fence 29 --actor operator --idempotency-key s -q | sed "s#$PWD#HERE#"
  HERE/.sovereign/runs/ASG-1.29/ws
  $ . ./store; store_enter one; ls .sovereign/runs/ASG-1.29/ws .sovereign/runs/ASG-1.29/ws/in
  .sovereign/runs/ASG-1.29/ws:
  home
  in
  out
  tmp
  
  .sovereign/runs/ASG-1.29/ws/in:
  assignment.json
  prompt.md
  schema.json

Its end is decided as that of any run, from the files in out/.

  $ . ./store; store_enter one; echo {} >.sovereign/runs/ASG-1.29/ws/out/report.json; sov report ASG-1 --fence 29 ../r --actor operator -n; sov log --last 1 | awk '{ print $4 }'
  RCP-1 would be completed ASG-1, fence 29
    EFF-1 committed
  run.started
  $ . ./store; store_enter one; say ASG-1 completed 6 | sov report ASG-1 --fence 29 - --actor operator; echo $?
  RCP-1 completed ASG-1, fence 29 (seq 32)
    EFF-1 committed
  0
  $ . ./store; store_enter one; store_types 28
  claim.acquired sow.started run.started run.finished effect.committed account.posted
  account.posted signal.recorded receipt.recorded sow.submitted assignment.completed
  $ . ./store; store_enter one; say ASG-1 completed 6 | sov report ASG-1 --fence 29 - --actor operator; say ASG-1 completed 5 | sov report ASG-1 --fence 29 - --actor operator 2>&1 | head -n 2
  RCP-1 already completed ASG-1, fence 29 (seq 32)
    EFF-1 committed
  sov: conflict: the run of fence 29 was finished with another report
    why      the claim was finished with another report [report_conflict]
  $ . ./store; store_enter one; sov show RCP-1 | grep -oE '^(provider|status) .*|"violated":[a-z]*'; sov verify -q; store_books
  "violated":false
  provider         {"adapter":"self","name":"self","version":1}
  status           completed
  cash 10080 inventory/SKU-TEA 8

What changed in the repository between start and report is its boundary.

  $ . ./store; store_enter touched; begin
  $ . ./store; store_enter touched; echo {} >.sovereign/runs/ASG-1.29/ws/out/report.json; echo x >>sovereign.json; say ASG-1 completed 6 | sov report ASG-1 --fence 29 - --actor operator | tail -n 1
    boundary violated

A snapshot that is not what the log says is none.

  $ . ./store; store_enter forged; begin
  $ . ./store; store_enter forged; echo {} >.sovereign/runs/ASG-1.29/ws/out/report.json; chmod u+w .sovereign/runs/ASG-1.29/host/before; echo x >>.sovereign/runs/ASG-1.29/host/before; say ASG-1 completed 6 | sov report ASG-1 --fence 29 - --actor operator; echo $?; store_books
  RCP-1 failed ASG-1, boundary_unchecked, fence 29 (seq 32)
    what changed outside the workspace could not be determined
  1
  cash 10800 inventory/SKU-TEA 2

A folder that is not the one that was made gives nothing back; a file that is missing is said.

  $ . ./store; store_enter moved; begin
  $ . ./store; store_enter moved; mv .sovereign/runs/ASG-1.29 away; cp -R away .sovereign/runs/ASG-1.29; echo {} >.sovereign/runs/ASG-1.29/ws/out/report.json; rm -r away; say ASG-1 completed 6 | sov report ASG-1 --fence 29 - --actor operator; echo $?
  RCP-1 failed ASG-1, invalid_deliverable, fence 29 (seq 32)
    ASG-1.29 is not the folder that was made for this run
  1
  $ . ./store; store_enter missing; begin
  $ . ./store; store_enter missing; say ASG-1 completed 6 | sov report ASG-1 --fence 29 - --actor operator; echo $?
  RCP-1 failed ASG-1, missing_deliverable, fence 29 (seq 32)
    report.json is not there
  1

A report that is none, or that says failed; somebody else's; too large.

  $ . ./store; store_enter bad; begin
  $ . ./store; store_enter bad; say ASG-1 completed 6 | sov report ASG-1 --fence 29 - --actor sparring 2>&1 | head -n 2
  sov: denied: sparring, whose role is sparring, lacks work
    why      only a role whose row in the policy has this authority may do it [not_authorised]
  $ . ./store; store_enter bad; head -c 262145 /dev/zero | sov report ASG-1 --fence 29 - --actor operator 2>&1 | head -n 2
  sov: invalid: - has more than 262144 bytes
    why      every text, list and file has a limit, and this one is over it [too_large]
  $ . ./store; store_enter bad; echo '{}' | sov report ASG-1 --fence 29 - --actor operator; echo $?; store_types 31
  RCP-1 failed ASG-1, invalid_report, fence 29 (seq 32)
    /assignment: is missing
  1
  run.finished receipt.recorded sow.failed assignment.failed

Too late: kept as evidence, shown, applied to nothing.

  $ . ./store; store_enter late; begin
  $ . ./store; store_enter late; echo {} >.sovereign/runs/ASG-1.29/ws/out/report.json; SOV_TEST_CLOCK=2026-01-01T00:16:00.000Z SOV_TEST_BOOT_MS=1960000 sov supervise
  ASG-1 expired, fence 29 held by operator since 2026-01-01T00:00:00.000Z, RCP-1 (seq 32)
  $ . ./store; store_enter late; export RECORDED=1; say ASG-1 completed 6 | sov report ASG-1 --fence 29 - --actor operator; echo $?; sov log --last 1 | awk '{ print $4 }'
  sov: conflict: the claim of fence 29 was not live any more when ASG-1 ended
    why      the claim ended before the result came, so nothing of it was applied [claim_lost]
    inspect  sov why ASG-1
    next     sov show ASG-1
  5
  result.stale
  $ . ./store; store_enter late; export RECORDED=1; say ASG-1 completed 6 | sov report ASG-1 --fence 29 - --actor operator 2>/dev/null; echo $?; say ASG-1 completed 7 | sov report ASG-1 --fence 29 - --actor operator 2>/dev/null; sov log --type result.stale | wc -l; store_books; sov verify -q
  5
  2
  cash 10800 inventory/SKU-TEA 2
