The mailbox: a message is claimed by whom it is for, and what became of it is said under the fence.

  $ sov init -q >id
  $ echo "Which supplier?" | sov mail send role/operator --subject "The order" - --actor master
  MSG-1 sent to role/operator (seq 13)
  $ sov mail send operator --subject "The till is open" --actor principal -q
  MSG-2
  $ sov mail send nobody --subject Hello --actor principal
  sov: not found: there is no actor nobody
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ sov mail send role/nobody --subject Hello --actor principal
  sov: invalid: the policy has no role nobody
    why      the policy in force has no such role [role_unknown]
    inspect  sov policy show
    next     use a role of the policy
  ? 2
  $ sov mail send operator --subject Hello --about OUT-7 --actor principal
  sov: not found: there is no outcome OUT-7
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ sov mail send operator --actor principal
  sov: invalid: mail send needs --subject
    why      the command was not called as its synopsis says [usage]
    inspect  sov help mail
    next     call it as the synopsis says
    usage    sov mail send ACTOR|role/ROLE --subject TEXT [--about REF] [--reply-to MSG] [FILE|-]
  ? 2
  $ sov mail list
  MSG-1  NEW  role/operator  master     The order
  MSG-2  NEW  operator       principal  The till is open
  $ sov ready --actor operator
  MSG-1  NEW  read it  sov mail claim MSG-1
  MSG-2  NEW  read it  sov mail claim MSG-2

Only whom it is for takes it up, and only once.

  $ sov mail claim MSG-1 --actor sparring
  sov: denied: MSG-1 is for role/operator
    why      a thing is claimed, and its claim held, by the actor that it is for [not_addressed]
    inspect  sov show MSG-1
    next     do it as that actor
  ? 4
  $ sov mail claim MSG-1 --actor operator
  MSG-1 claimed, fence 15 (seq 15)
  $ sov mail claim MSG-1 --actor operator
  sov: conflict: MSG-1 is claimed
    why      at most one claim on a resource is live [claim_held]
    inspect  sov show MSG-1
    next     wait until it ends, or sov supervise
  ? 5
  $ sov ready --actor operator
  MSG-1  CLAIMED  answer it  sov mail done MSG-1 --fence 15
  MSG-2  NEW      read it    sov mail claim MSG-2
  $ sov status --actor operator | grep MSG-1
  MSG-1  CLAIMED  answer it  sov mail done MSG-1 --fence 15
  MSG-1  operator  15  claimed  900
  $ sov mail done MSG-1 --fence 14 --actor operator
  sov: conflict: 14 is not the live fence of MSG-1
    why      only the live claim's fence may write [stale_fence]
    inspect  sov show MSG-1
    next     use the fence that is live
  ? 5
  $ sov mail done MSG-1 --fence 15 --reason "The usual one." --actor master
  sov: denied: the claim on MSG-1 is held by operator
    why      a thing is claimed, and its claim held, by the actor that it is for [not_addressed]
    inspect  sov show MSG-1
    next     do it as that actor
  ? 4
  $ sov mail done MSG-1 --fence 15 --reason "The usual one." --actor operator
  MSG-1 done (seq 16)
  $ sov mail send master --subject "Re: The order" --reply-to MSG-1 --actor operator
  MSG-3 sent to master (seq 17)
  $ sov show MSG-1 | grep -v "^who"
  MSG-1  message  DONE
  body     Which supplier?
  subject  The order
  to       role/operator
  ttl_s    900
  result   The usual one.
  history
        13  2026-01-01T00:00:00.000Z  master  message.sent  subject=The order
        15  2026-01-01T00:00:00.000Z  operator  claim.acquired  
        16  2026-01-01T00:00:00.000Z  operator  message.done  

One that cannot be read goes back, three times, and then out.

  $ for i in 1 2; do sov mail claim MSG-2 --actor operator -q; sov mail fail MSG-2 --fence "$(sov log --type claim.acquired --last 1 | awk '{ print $1 }')" --reason Illegible. --actor operator; done
  MSG-2
  MSG-2 failed, NEW (seq 19)
  MSG-2
  MSG-2 failed, NEW (seq 21)
  $ sov mail claim MSG-2 --actor operator --json=id,fence | cut -c1-75
  {"schema":"sov.mail.claim.v1","data":{"id":"MSG-2","fence":22},"warnings":[
  $ sov mail release MSG-2 --fence 22 --reason "Not today." --actor operator
  MSG-2 released (seq 23)
  $ sov mail claim MSG-2 --actor operator
  MSG-2 claimed, fence 24 (seq 24)
  $ sov mail fail MSG-2 --fence 24 --reason Illegible. --actor operator
  MSG-2 failed, DEAD (seq 25)
  $ sov mail list --state DEAD
  MSG-2  DEAD  operator  principal  The till is open
  $ sov ready --actor master | grep MSG-2; sov ready --actor principal; sov status | head -n 2
  MSG-2  DEAD  ask for it again  sov mail requeue MSG-2 --reason TEXT
  MSG-2  DEAD  ask for it again  sov mail requeue MSG-2 --reason TEXT
  stuck
  MSG-2  DEAD  The till is open
  $ sov mail requeue MSG-2 --reason "It was cut." --actor verifier
  sov: denied: verifier, whose role is verifier, lacks plan
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov mail requeue MSG-2 --reason "It was cut." --actor principal
  MSG-2 NEW again (seq 26)
  $ sov mail claim MSG-2 --actor operator -q
  MSG-2
  $ SOV_TEST_BOOT_MS=2000000 sov supervise
  MSG-2 expired, fence 27 held by operator since 2026-01-01T00:00:00.000Z (seq 28)

The command that took it up has ended long ago, and that is no loss; one that holds it is named.

  $ sov mail claim MSG-2 --actor operator --pid 4194305
  sov: invalid: there is no process 4194305
    why      a value is not one that this field may have [bad_value]
    inspect  sov help mail
    next     correct the value
  ? 2
  $ sov mail claim MSG-2 --actor operator -q; sov supervise; sov mail release MSG-2 --fence 30 --reason "Not today." --actor operator
  MSG-2
  MSG-2 released (seq 31)
  $ sleep 100 & echo $! > pid; sov mail claim MSG-2 --actor operator --pid $(cat pid) -q; sov supervise; kill $(cat pid); wait; sov supervise
  MSG-2
  MSG-2 expired, fence 32 held by operator since 2026-01-01T00:00:00.000Z (seq 33)
  $ sov verify -q --no-anchor
