Proofs that others check without the ledger: the file and the ledger id are enough.

  $ sov init -q > id; sov actor add alice --role principal --kind person --provider human --actor principal -q
  alice
  $ sov prove alice -o alice.tlog-proof; sed -n '1p; 3p; 8p' alice.tlog-proof
  c2sp.org/tlog-proof@v1
  index 12
  13
  $ sov prove 13 | cmp - alice.tlog-proof; sov prove actor/alice --json | grep -c '"kind":"inclusion","seq":13,"size":13'
  1

Its extra data is event 1, whose hash is the ledger id, and the event, one a line as they are published.

  $ sed -n 's/^extra //p' alice.tlog-proof | base64 -d > two; head -1 two | tr -d '\n' | sha256sum | cut -d ' ' -f 1 | cmp - id
  $ sov project -q; head -1 two | cmp - governance/log/1-12.jsonl 2>&1 | cut -c 1-19; tail -1 two | cmp - governance/log/13-13.jsonl
  13
  cmp: EOF on - after
  $ tail -n +7 alice.tlog-proof | cmp - governance/checkpoints/13

Whoever has the file and the ledger id needs nothing else: another user, another folder.

  $ mkdir other && cp alice.tlog-proof id other && cd other && HOME=$PWD sov prove --check alice.tlog-proof --ledger-id $(cat id) | sed 's/  *{.*//; s/[0-9a-f]\{8\}/HEX/g'
  proof    event 13, actor.registered, is in the log of 13
  event
  ledger   HEX  13 events  root HEX  (as asked)
  ok
  $ cd other && HOME=$PWD SOV_LEDGER_ID=$(cat id) sov prove --check - -q < alice.tlog-proof; ls -A
  alice.tlog-proof
  id
  $ cd other && HOME=$PWD sov prove --check alice.tlog-proof -q
  UNANCHORED  neither --ledger-id nor a pin says that this is the ledger
  no: 1 finding (UNANCHORED 1); next: sov verify --pin, or --no-anchor to accept it
  ? 1
  $ cd other && HOME=$PWD sov prove --check alice.tlog-proof -q --no-anchor
  $ sov prove --check alice.tlog-proof | grep anchor
  anchor   pin at 13: this very checkpoint

An older log is a prefix of a newer one. Without the ledger file no proof is made, but any is checked.

  $ sov prove --between 12 13 -o growth.proof; sed -n '1p; 8p; 14p' growth.proof; sov prove --check growth.proof | head -1
  sov.consistency-proof@v1
  12
  13
  proof    the log of 12 events is a prefix of the log of 13
  $ rm other/alice.tlog-proof; cd other; HOME=$PWD sov prove --check ../growth.proof --ledger-id $(cat id) --json | sed 's/"octets.*//; s/[0-9a-f]\{64\}/HEX/g' | cut -c 1-160
  {"schema":"sov.prove.v1","data":{"kind":"consistency","old_size":12,"old_root":"HEX","ledger_id":"HEX","verdict":"ok","exit":0,"mode":"proof","size":13,"root":"

Altered, forged, mixed, of another ledger: 6, and what is wrong.

  $ sed 's/^index 12/index 11/' alice.tlog-proof | sov prove --check - -q
  TAMPER      seq 12  the hashes do not lead from the event to the root of the checkpoint
  no: 1 finding (TAMPER 1); next: keep the file, compare with the published log
  ? 6
  $ sed '4{h;d};5{G}' alice.tlog-proof | sov prove --check - -q | head -1
  TAMPER      seq 13  the hashes do not lead from the event to the root of the checkpoint
  $ sed 's/^13$/14/' alice.tlog-proof | sov prove --check - -q 2>&1 | sed 's|[a-z0-9-]*/[0-9a-f]\{64\}|NAME|'
  TAMPER      checkpoint: the signature of NAME does not hold
  no: 1 finding (TAMPER 1); next: keep the file, compare with the published log
  $ echo hello | sov prove --check - -q
  TAMPER      proof: does not begin as one
  no: 1 finding (TAMPER 1); next: keep the file, compare with the published log
  ? 6
  $ sov prove --check alice.tlog-proof -q --ledger-id $(printf %064d 0)
  FORK        seq 1  this is of another ledger than asked for
  no: 1 finding (FORK 1); next: keep both sides
  ? 6

What is not there is not proven, and wrong use is 2.

  $ sov prove 99
  sov: not found: there is no event 99
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ sov prove --between 5 13
  sov: not found: there is no checkpoint of size 5
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ for a in "" "--between 13" "--between 13 12" "--between 12 x" "--between 0 12" "13 --ledger-id aa" "13 --check id" "--check id --check id" "--check id --ledger-id zz"; do sov prove $a > a 2> b; echo "$? $(head -1 b)"; test -s a && cat a; done
  2 sov: invalid: prove what? give a REF
  2 sov: invalid: --between takes two sizes
  2 sov: invalid: 13 is larger than 12: M comes before N
  2 sov: invalid: x is no size of a log
  2 sov: invalid: --between 0 is no integer of at least 1
  2 sov: invalid: --ledger-id and --no-anchor go with --check
  2 sov: invalid: --check FILE stands alone
  2 sov: invalid: --check takes one FILE
  2 sov: invalid: zz is no ledger id of 64 hex digits
  ? 1
  $ sov prove --check no-such-file -q
  sov: not found: no file no-such-file
    why      the file is not there [no_such_file]
    inspect  ls -l
    next     name a file that is there
  ? 3
