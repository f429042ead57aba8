Programs that run, what they carry on, and what they hand out.

  $ sov init -q >id
  $ sov instance register "the desk" --actor operator
  INS-1 registered (seq 13)
  $ sov session open operator --purpose "the desk in the shop" --actor master
  SES-1 opened for operator (seq 14)
  $ sov ready --actor operator
  SES-1  OPEN  take it up  sov session claim SES-1 --instance INS --instance-fence N
  $ sov instance claim INS-1 --actor master
  sov: denied: INS-1 was registered by operator
    why      a thing is claimed, and its claim held, by the actor that it is for [not_addressed]
    inspect  sov show INS-1
    next     do it as that actor
  ? 4
  $ sov instance claim INS-1 --actor operator
  INS-1 claimed, fence 15 (seq 15)
  $ sov session claim SES-1 --instance INS-1 --instance-fence 9 --actor operator
  sov: conflict: 9 is not the live fence of an instance of operator
    why      a session goes on under the live claim of its own instance [instance_fence]
    inspect  sov show instances
    next     sov instance claim INS
  ? 5
  $ sov session claim SES-1 --instance INS-1 --instance-fence 15 --actor operator
  SES-1 claimed, fence 16, incarnation 1 (seq 16)
  $ sov session list
  SES-1  CLAIMED  operator  1  the desk in the shop
  $ sov session renew SES-1 --fence 16 --actor operator
  SES-1 renewed (seq 17)
  $ sov instance renew INS-1 --fence 15 --actor operator
  INS-1 renewed (seq 18)

Past its time nothing is said under it; the next incarnation goes on, and the old one is over.

  $ SOV_TEST_CLOCK=2026-01-01T00:01:00.000Z sov session renew SES-1 --fence 16 --actor operator
  sov: conflict: the time of INS-1 is over: 60 s from its last sign of life
    why      under a session nothing is said once its time, or that of its instance, is over [claim_overdue]
    inspect  sov show INS-1
    next     renew the instance while it lives, or claim both again
  ? 5
  $ SOV_TEST_BOOT_MS=1066000 sov supervise
  INS-1 expired, fence 15 held by operator since 2026-01-01T00:00:00.000Z (seq 19)
  SES-1 expired, fence 16 held by operator since 2026-01-01T00:00:00.000Z (seq 20)
  $ sov instance claim INS-1 --actor operator -q
  INS-1
  $ sov session claim SES-1 --instance INS-1 --instance-fence 21 --actor operator --json=id,fence,incarnation | cut -c1-90
  {"schema":"sov.session.claim.v1","data":{"id":"SES-1","fence":22,"incarnation":2},"warning
  $ sov supervise
  $ sov session close SES-1 --fence 16 --status completed --actor operator
  sov: conflict: 16 is not the live fence of SES-1
    why      only the live claim's fence may write [stale_fence]
    inspect  sov show SES-1
    next     use the fence that is live
  ? 5
  $ sov session close SES-1 --fence 22 --status done --actor operator
  sov: invalid: --status is completed or abandoned
    why      a value is not one that this field may have [bad_value]
    inspect  sov help session
    next     correct the value
  ? 2
  $ echo "All is well." | sov session close SES-1 --fence 22 --status completed --result - --actor operator
  SES-1 completed (seq 23)
  $ sov session close SES-1 --fence 22 --status completed --actor operator
  sov: conflict: SES-1 is COMPLETED
    why      a session that was closed stays so [session_closed]
    inspect  sov show SES-1
    next     sov session open ACTOR --purpose TEXT
  ? 5
  $ sov instance retire INS-1 --fence 21 --reason "Closing time." --actor operator
  INS-1 retired (seq 24)

A delivery is sent by its caller, between start and end; a failure waits.

  $ echo "Dear Sir," | sov delivery queue letter - --receiver-key order-7 --actor operator
  DLV-1 queued for letter (seq 25)
  $ sov delivery claim DLV-1 --actor operator
  DLV-1 claimed, fence 26 (seq 26)
  $ sov delivery start DLV-1 --fence 26 --actor operator
  DLV-1 started: send it now (seq 27)
  $ sov delivery fail DLV-1 --fence 26 --reason "No stamp." --actor operator
  DLV-1 failed, QUEUED (seq 28)
  $ sov delivery claim DLV-1 --actor operator
  sov: conflict: DLV-1 is QUEUED: not before 2026-01-01T00:00:30.000Z
    why      no arrow of the transition table leads there from this state [wrong_state]
    inspect  sov show DLV-1
    next     sov why DLV-1
  ? 5
  $ sov ready --actor operator; SOV_TEST_CLOCK=2026-01-01T00:00:30.000Z sov ready --actor operator
  DLV-1  QUEUED  send it  sov delivery claim DLV-1
  $ SOV_TEST_CLOCK=2026-01-01T00:00:30.000Z sov delivery claim DLV-1 --actor operator -q
  DLV-1
  $ SOV_TEST_CLOCK=2026-01-01T00:00:30.000Z sov ready --actor operator; sov ready --actor sparring
  DLV-1  CLAIMED  send it  sov delivery start DLV-1 --fence 29
  $ SOV_TEST_CLOCK=2026-01-01T00:00:30.000Z sov delivery start DLV-1 --fence 29 --actor operator
  DLV-1 started: send it now (seq 30)
  $ SOV_TEST_CLOCK=2026-01-01T00:00:30.000Z sov supervise
  $ sov ready --actor operator
  DLV-1  STARTED  say how it went  sov delivery succeed DLV-1 --fence 29

One that was started and is lost is sent again when a person has looked, and not before.

  $ SOV_TEST_CLOCK=2026-01-01T00:00:30.000Z SOV_TEST_BOOT_MS=2000000 sov supervise
  DLV-1 expired, fence 29 held by operator since 2026-01-01T00:00:30.000Z (seq 31)
  $ sov delivery list
  DLV-1  UNKNOWN  letter  1  -
  $ sov status --actor operator | grep -v size; sov why DLV-1 | tail -n 1 | sed 's/ *$//'; sov ready --actor operator
  stuck
  DLV-1  UNKNOWN  letter
  last decisions
  12  principal  policy.adopted  policy  (the default policy of the founding)
      31  host       host     claim.expired          DLV-1  ground=boot_clock
  $ sov ready --actor principal
  DLV-1  UNKNOWN  look what became of it  sov delivery resolve DLV-1 --found WORD --reason TEXT
  $ sov delivery resolve DLV-1 --found lost --reason "They called." --actor principal
  sov: invalid: --found is delivered or not_delivered
    why      a value is not one that this field may have [bad_value]
    inspect  sov help delivery
    next     correct the value
  ? 2
  $ sov delivery resolve DLV-1 --found delivered --reason "They called." --actor operator
  sov: denied: operator is no person
    why      only persons decide this, and where the policy names robots for it, those [person_required]
    inspect  sov policy show
    next     ask a person
  ? 4
  $ sov delivery resolve DLV-1 --found delivered --reason "They called." --actor principal
  DLV-1 delivered, as a person says (seq 33)
  $ sov show instances; sov show sessions; sov show deliveries
  INS-1  RETIRED  24  the desk, Closing time.
  SES-1  COMPLETED  23  the desk in the shop, operator, completed
  DLV-1  DELIVERED  33  letter, They called.
  $ sov verify -q --no-anchor
