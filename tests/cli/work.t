From a defined outcome to its acceptance, one line each; what is refused on the way appends nothing.

  $ sov init -q > id
  $ sov subject declare SKU-TEA --fact reorder_point=3 --actor principal
  SKU-TEA declared (seq 13)
  $ sov subject declare SKU-TEA --actor principal
  sov: conflict: there is a subject SKU-TEA
    why      the name is taken [exists]
    inspect  sov show SKU-TEA
    next     choose another
  ? 5
  $ sov subject declare sku-2 --fact unit_cost=many --actor principal
  sov: invalid: --fact unit_cost=many is not NAME=INT
    why      a value is not one that this field may have [bad_value]
    inspect  sov help subject
    next     correct the value
  ? 2
  $ sov subject revise SKU-TEA --fact unit_cost=120 --reason "price list" --actor principal
  SKU-TEA revised (seq 14)
  $ sov subject declare X --actor operator
  sov: denied: operator, whose role is operator, lacks define
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov account open inventory/SKU-TEA --unit unit --opening 4 --actor principal
  inventory/SKU-TEA opened (seq 15)
  $ sov account open inventory/SKU-TEA --unit unit --actor principal
  sov: conflict: there is an account inventory/SKU-TEA
    why      the name is taken [exists]
    inspect  sov show inventory/SKU-TEA
    next     choose another
  ? 5
  $ sov account list
  inventory/SKU-TEA  4  unit
  $ cat > stock.json <<'EOF'
  > {"params": {"terms": [["inventory/{subject}", 1]], "min": 3}, "kind": "balance-at-least", "id": "stock"}
  > EOF
  $ sov outcome new "Tea in stock" --subject SKU-TEA --desired "three or more" --check @stock.json --actor principal
  OUT-1 defined (seq 16)
  $ sov outcome new "x" --desired y --check '{"id":"a"}' --actor principal
  sov: invalid: kind is missing
    why      a value is not one that this field may have [bad_value]
    inspect  sov help outcome
    next     correct the value
  ? 2
  $ sov outcome new "x" --desired y --check '{"id":' --actor principal
  sov: invalid: --check: line 1, column 7: the text ends where a value is expected
    why      the text is not strict JSON [bad_json]
    inspect  sov help formats
    next     mend it at the place named
  ? 2
  $ sov outcome new "x" --desired y --check @stock.json --actor principal
  sov: invalid: check stock needs a declared subject, the outcome has none
    why      facts and accounts exist for declared subjects only [subject_undeclared]
    inspect  sov show subjects
    next     sov subject declare ID
  ? 2
  $ sov outcome revise OUT-1 --desired "at least three" --reason "clearer" --actor principal
  OUT-1 revised (seq 17)
  $ sov sow new OUT-1 --title t --scope s --role operator --done-when d --actor master
  sov: conflict: OUT-1 is PROPOSED
    why      work goes on only while the outcome is ACTIVE or VERIFYING [outcome_not_open]
    inspect  sov show OUT-1
    next     sov why OUT-1
  ? 5
  $ sov outcome activate OUT-1 --actor operator
  sov: denied: operator, whose role is operator, lacks plan
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov outcome activate OUT-1 --actor master
  OUT-1 activated (seq 18)
  $ sov outcome activate OUT-1 --actor master
  sov: conflict: OUT-1 is ACTIVE
    why      no arrow of the transition table leads there from this state [wrong_state]
    inspect  sov show OUT-1
    next     sov why OUT-1
  ? 5
  $ sov outcome block OUT-1 --reason "supplier on strike" --actor master
  OUT-1 blocked (seq 19)
  $ sov outcome unblock OUT-1 --reason "strike is over" --actor master
  OUT-1 unblocked (seq 20)
  $ sov outcome activate OUT-9 --actor master
  sov: not found: there is no OUT-9
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ sov outcome activate SOW-1 --actor master
  sov: invalid: SOW-1 is no id like OUT-1
    why      a value is not one that this field may have [bad_value]
    inspect  sov help outcome
    next     correct the value
  ? 2

A statement of work, drafted, readied, assigned.

  $ echo "count what is on the shelf" | sov sow new OUT-1 --title "Count the tea" --scope - --role operator --done-when "the count is written down" --deliverable count.txt --non-goal "no order" --actor master
  SOW-1 drafted (seq 21)
  $ sov sow new OUT-1 --title t --scope s --role operator --done-when d --deliverable ../etc/passwd --actor master
  sov: invalid: deliverable 1 is no safe relative path
    why      a deliverable is a safe relative path below the workspace [deliverable_unsafe]
    inspect  sov show ID
    next     use a safe relative path
  ? 2
  $ sov sow new OUT-1 --title t --scope s --role nobody --done-when d --actor master
  sov: invalid: the policy has no role nobody
    why      the policy in force has no such role [role_unknown]
    inspect  sov policy show
    next     use a role of the policy
  ? 2
  $ sov sow new OUT-1 --title t --scope s --role operator --done-when d --effect unheard-of --actor master
  sov: invalid: the policy declares no effect of assignments unheard-of
    why      the policy in force declares no such kind for this origin [kind_unknown]
    inspect  sov policy show
    next     use a kind of the policy
  ? 2
  $ sov assign SOW-1 --to operator --actor master
  sov: conflict: SOW-1 is DRAFT
    why      no arrow of the transition table leads there from this state [wrong_state]
    inspect  sov show SOW-1
    next     sov why SOW-1
  ? 5
  $ sov sow revise SOW-1 --title "Count all the tea" --reason "all of it" --actor master
  SOW-1 revised (seq 22)
  $ sov sow ready SOW-1 --actor master
  SOW-1 ready (seq 23)
  $ sov sow ready SOW-1 --actor master
  sov: conflict: SOW-1 is READY
    why      no arrow of the transition table leads there from this state [wrong_state]
    inspect  sov show SOW-1
    next     sov why SOW-1
  ? 5
  $ sov ready --actor master
  SOW-1  READY  assign it  sov assign SOW-1 --to ACTOR
  $ sov assign SOW-1 --to sparring --actor master
  sov: denied: sparring is sparring, the SOW asks for operator
    why      the worker's role must be the one that the SOW asks for [role_mismatch]
    inspect  sov show ID
    next     assign an actor of that role
  ? 4
  $ sov assign SOW-1 --to operator --actor operator
  sov: denied: operator, whose role is operator, lacks assign
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov assign SOW-1 --to operator --actor master
  ASG-1 assigned SOW-1 to operator (seq 24)
  $ sov ready --actor operator
  ASG-1  CREATED  run it  sov run ASG-1

Claimed by hand, held, given back.

  $ sov claim ASG-1 --actor sparring
  sov: denied: sparring, whose role is sparring, lacks work
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov claim ASG-1 --actor operator --ttl 60
  ASG-1 claimed, fence 26, until 2026-01-01T00:01:00.000Z (seq 26)
  $ sov claim ASG-1 --actor operator
  sov: conflict: ASG-1 is claimed, fence 26
    why      at most one claim on a resource is live [claim_held]
    inspect  sov show ASG-1
    next     wait until it ends, or sov supervise
  ? 5
  $ sov claim renew ASG-1 --fence 4 --actor operator
  sov: conflict: 4 is not the live fence of ASG-1
    why      only the live claim's fence may write [stale_fence]
    inspect  sov show ASG-1
    next     use the fence that is live
  ? 5
  $ F=$(sov log ASG-1 --type claim.acquired | awk '{ print $1 }'); sov claim renew ASG-1 --fence $F --actor operator
  ASG-1 renewed (seq 28)
  $ F=$(sov log ASG-1 --type claim.acquired | awk '{ print $1 }'); sov claim release ASG-1 --fence $F --reason "not today" --actor operator
  ASG-1 released (seq 29)
  $ sov status | grep -c ASG-1
  0
  ? 1

A run: the provider proposes, the host decides.

  $ cat > agent <<'EOF'
  > #!/bin/sh
  > cat > in.json; echo 4 > out/count.txt
  > printf '{"kind":"sov.report.v1","assignment":"%s","status":"completed","summary":"four","deliverables":[{"path":"%s","note":null}],"proposals":[],"questions":[],"blockers":[],"checks":[],"notes":null}' "$SOV_ASSIGNMENT" "$1"
  > EOF
  $ chmod +x agent; sov run ASG-1 --actor operator -n -- ./agent count.txt
  ASG-1 could run now, by command
  $ sov run ASG-1 --actor operator -- ./nowhere 2>&1 | sed "s|$HOME|HOME|"
  sov: not possible now: there is no program HOME/./nowhere
    why      the provider's program, credential or registration is not there [provider_unavailable]
    inspect  sov provider list
    next     sov provider probe NAME
  $ sov run ASG-1 --actor operator --
  sov: invalid: a command is wanted behind --
    why      the command was not called as its synopsis says [usage]
    inspect  sov help run
    next     call it as the synopsis says
    usage    sov run ASG [--provider P] [--timeout S] [--require-sandbox L[,network]] [-- CMD ARG...]
  ? 2
  $ sov run ASG-1 --actor operator --provider nobody
  sov: not possible now: the provider nobody is not registered
    why      the provider's program, credential or registration is not there [provider_unavailable]
    inspect  sov provider list
    next     sov provider probe NAME
  ? 7
  $ sov run ASG-1 --actor operator --require-sandbox L9 -- ./agent count.txt
  sov: invalid: a sandbox level is L0, L1, L2 or L3
    why      a value is not one that this field may have [bad_value]
    inspect  sov help run
    next     correct the value
  ? 2
  $ sov run ASG-1 --actor sparring -- ./agent count.txt
  sov: denied: sparring, whose role is sparring, lacks work
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov run ASG-1 --actor operator -- ./agent elsewhere.txt
  RCP-1 failed ASG-1, missing_deliverable, fence 31 (seq 34)
    elsewhere.txt is not there
  ? 1
  $ sov run ASG-1 --actor operator -- ./agent count.txt
  sov: conflict: ASG-1 is FAILED
    why      no arrow of the transition table leads there from this state [wrong_state]
    inspect  sov show ASG-1
    next     sov why ASG-1
  ? 5
  $ sov sow retry SOW-1 --reason "the wrong name" --actor master
  SOW-1 ready again (seq 38)
  $ sov assign SOW-1 --to operator --actor master
  ASG-2 assigned SOW-1 to operator (seq 39)
  $ sov run ASG-2 --actor operator --json=effect,status,category -- ./agent count.txt | sed 's/.*"data"://; s/,"warn.*//'
  {"effect":"created","status":"completed","category":null}

Judged by three others, each once.

  $ sov review SOW-1 --pass --reason "too early" --actor sparring
  sov: denied: SOW-1 is refused at 6 of 14 gates
    why      the current execution is not verified [verification_missing]; the definition has changed since [definition_changed]; the evidence gives another aggregate [aggregate_mismatch]; the verification did not pass [verification_failed]; the receipt is not completed [receipt_not_completed]; the boundary is violated, and not waived [boundary_violated]
    inspect  sov show SOW-1
    next     sov check SOW-1
  ? 4
  $ sov check SOW-1 --actor operator
  sov: denied: operator, whose role is operator, lacks verify
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov check SOW-1 --actor verifier
  VER-1 recorded for SOW-1 (seq 48)
    stock                 holds
  $ sov review SOW-1 --pass --reason "own work" --actor operator
  sov: denied: SOW-1 is refused at 1 of 14 gates
    why      operator is the same as performer operator by id [self_review]
    inspect  sov show SOW-1
    next     let another actor review
  ? 4
  $ sov review SOW-1 --reason "which?" --actor sparring
  sov: invalid: review needs one of --pass, --request-changes, --reject
    why      the command was not called as its synopsis says [usage]
    inspect  sov help review
    next     call it as the synopsis says
    usage    sov review SOW (--pass|--request-changes|--reject) --reason TEXT [--verification VER]
  ? 2
  $ sov review SOW-1 --pass --reason "the count is there" --actor sparring
  REV-1 accepted SOW-1 (seq 50)
  $ sov review SOW-1 --pass --reason "again" --actor sparring
  sov: conflict: SOW-1 is refused at 1 of 14 gates
    why      sparring is the same as sparring by id [already_reviewed]
    inspect  sov show SOW-1
    next     ask another reviewer
  ? 5
  $ sov accept OUT-1 --actor principal
  sov: denied: OUT-1 is refused at 2 of 36 gates
    why      the outcome is not verified in its term [outcome_not_verified]; stock [evidence_missing]
    inspect  sov show OUT-1
    next     sov check OUT-1
  ? 4
  $ sov accept OUT-1 --actor sparring
  sov: denied: OUT-1 is refused at 5 of 36 gates
    why      sparring, whose role is sparring, lacks accept [not_authorised]; sparring is no person [person_required]; sparring is the same as reviewer sparring by id [self_accept]; the outcome is not verified in its term [outcome_not_verified]; stock [evidence_missing]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov accept OUT-7 --actor principal
  sov: not found: OUT-7 is refused at 1 of 36 gates
    why      there is no such outcome [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ sov check OUT-1 --actor verifier
  VER-2 recorded for OUT-1 (seq 52)
    stock                 holds
  $ sov accept OUT-1 --actor principal -n | tail -1
  OUT-1 could be accepted now
  $ sov accept OUT-1 --actor principal
  ACC-1 accepted OUT-1 (seq 55)
    stock                 holds
  $ sov accept OUT-1 --actor principal
  sov: conflict: OUT-1 is refused at 3 of 36 gates
    why      the outcome is ACCEPTED [already_accepted]; principal is the same as principal by id [already_signed]; the outcome is ACCEPTED [outcome_not_verified]
    inspect  sov show OUT-1
    next     nothing: it is done
  ? 5
  $ sov show OUT-1 | head -1
  OUT-1  outcome  ACCEPTED
  $ sov why ACC-1
      52  verifier   service  verification.recorded  VER-2  passed=true scope=outcome outcome=OUT-1 term=1
      55  principal  person   acceptance.signed      ACC-1  outcome=OUT-1 term=1
  $ sov verify --no-anchor -q; sov verify | tail -1
  ok

A ruling gives leave to reopen; held, nothing is accepted.

  $ sov outcome reopen OUT-1 --reason "the shelf moved" --actor principal
  sov: denied: no ruling gives leave to reopen OUT-1
    why      what was accepted is reopened only behind an unrevoked ruling that says so [ruling_missing]
    inspect  sov show rulings
    next     sov ruling QUESTION --decision TEXT --reason TEXT --applies-to OUT-1 --reopen
  ? 4
  $ sov ruling "May OUT-1 be reopened?" --decision yes --reason "the shelf moved" --applies-to OUT-1 --reopen --actor principal
  RUL-1 decided on OUT-1 (seq 57)
  $ sov outcome reopen OUT-1 --reason "the shelf moved" --ruling RUL-1 --actor principal
  OUT-1 reopened (seq 58)
  $ sov ruling "Wait?" --decision yes --reason "audit" --applies-to OUT-1 --hold --reopen --actor principal
  sov: invalid: a ruling has one effect: --waive, --hold or --reopen
    why      the command was not called as its synopsis says [usage]
    inspect  sov help ruling
    next     call it as the synopsis says
    usage    sov ruling QUESTION --decision TEXT --reason TEXT --applies-to REF [--waive RCP] [--hold] [--reopen]
  ? 2
  $ sov ruling "Wait?" --decision yes --reason "audit" --applies-to OUT-1 --hold --actor sparring
  RUL-2 decided on OUT-1 (seq 59)
  $ sov ruling revoke RUL-2 --reason "audit is over" --actor sparring
  RUL-2 revoked (seq 60)
  $ sov ruling "Waive?" --decision yes --reason "small" --applies-to SOW-1 --waive RCP-2 --actor principal
  sov: conflict: RCP-2 violated no boundary
    why      the receipt has no violated boundary [nothing_to_waive]
    inspect  sov show RCP-2
    next     nothing: there is none to lift
  ? 5
  $ sov outcome cancel OUT-1 --reason "no longer sold" --actor principal
  OUT-1 cancelled (seq 61)
  $ sov verify --no-anchor -q

The gates of a review are asked of a reviewer.

  $ sov why SOW-1 --gates
  sov: invalid: who acts? give --actor ID or set SOV_ACTOR
    why      an answer is needed, and there is no terminal to ask [input_required]
    inspect  sov help why
    next     give the answer as an option
    usage    sov why REF [--effects] [--depth N] [--gates]
  ? 2
  $ sov why SOW-1 --gates --actor sparring | head -3
     1  met   the reviewer has a valid key
     2  open  the outcome is ACTIVE or VERIFYING
              the outcome is not open [outcome_not_open]
