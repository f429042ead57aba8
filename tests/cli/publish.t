Published: the log, its checkpoints, the views. A reader needs no ledger file to see what stood where.

  $ sov init -q > id; ls governance governance/log governance/checkpoints
  governance:
  README.json
  README.md
  actors
  checkpoints
  log
  policy.json
  policy.md

  governance/checkpoints:
  12

  governance/log:
  1-12.jsonl
  $ sov project
  nothing new, published size 12
  $ sov heartbeat till --actor operator -q; sov project -n; ls governance/checkpoints
  till
  would publish 13 (1 events, 2 files)
    governance/log/13-13.jsonl
    governance/checkpoints/13
  12
  $ sov project; sov project -q; ls governance/log
  published 13 (1 events, 2 files)
  13
  1-12.jsonl
  13-13.jsonl
  $ sov verify --projections | tail -2
  views    15 files equal, published size 13
  ok

A lost or edited page is restored; nothing of the log is touched.

  $ cp governance/policy.md ../policy.$$; echo "edited" >> governance/policy.md; rm governance/actors/master.md
  > sov project | head -1; cmp governance/policy.md ../policy.$$; rm ../policy.$$; ls governance/actors/master.md
  restored 2 files, published size 13
  governance/actors/master.md
  $ echo "edited" >> governance/policy.md; touch governance/stranger.md; sov rebuild; ls governance | grep -c stranger
  refolded 13 events
    governance/policy.md
    governance/stranger.md
  0
  ? 1
  $ sov rebuild -n
  would refold 13 events

The same bytes in another time zone, locale and umask.

  $ find governance -type f | sort | xargs sha256sum > a; rm -r governance/actors governance/*.md governance/*.json; (umask 077; TZ=Asia/Kolkata LC_ALL=tr_TR.UTF-8 sov rebuild > out); find governance -type f | sort | xargs sha256sum | cmp - a; find governance -type f ! -perm 644

A tampered ledger stops everything that reads the head.

  $ cp -r .sovereign good; printf 'x' | dd of=.sovereign/organization.db bs=1 seek=100 conv=notrunc 2> /dev/null; sov verify --no-anchor > out; echo $?; head -1 out | cut -c1-7
  6
  CORRUPT
  $ rm -r .sovereign; cp -r good .sovereign; sov verify --no-anchor -q
  $ sed 's/heartbeat.recorded/heartbeat.recordez/' .sovereign/organization.db > x; cat x > .sovereign/organization.db; sov verify --no-anchor > out; echo $?; grep -c '^TAMPER' out
  6
  3
  $ rm -r .sovereign; cp -r good .sovereign; sov verify -q --ledger-id 0000000000000000000000000000000000000000000000000000000000000000 > out; echo $?; cut -c1-4 out | head -1
  6
  FORK
  $ rm -r .sovereign; mv governance aside; sov verify > out; echo $?; cut -c1-6 out | head -1; mv aside governance
  3
  ABSENT
  $ mkdir else && cd else && SOV_DIR=. SOV_TEST_SEED=else sov init -q > id; cd .. && rm -rf .sovereign && cp -r else/.sovereign . && sov project
  sov: integrity: governance/checkpoints/13: this is not a checkpoint of this ledger
    why      a signed root is no prefix of this log, or it is another ledger [fork]
    inspect  sov verify
    next     keep both sides
  ? 6
  $ rm -rf .sovereign; sov init 2>&1 | sed "s|$HOME|HOME|"
  sov: conflict: HOME/governance holds another ledger's views
    why      the name is taken [exists]
    inspect  sov show governance
    next     choose another

Supervise ends what was lost, and is silent else.

  $ rm -rf governance sovereign.json else good; cp -r $SRC/fixtures/store store; SOV_TEST_SEED=second sov init -q --policy store/policy.json > id
  $ sov outcome new x --desired y --check '{"id":"f","kind":"file-exists","params":{"path":"f.txt"}}' --actor principal -q; sov outcome activate OUT-1 --actor master -q; sov sow new OUT-1 --title t --scope s --role operator --done-when d --actor master -q; sov sow ready SOW-1 --actor master -q; sov assign SOW-1 --to operator --actor master -q; sov claim ASG-1 --ttl 60 --actor operator
  OUT-1
  OUT-1
  SOW-1
  SOW-1
  ASG-1
  ASG-1 claimed, fence 20, until 2026-01-01T00:01:00.000Z (seq 20)
  $ sov supervise; sov supervise --json | sed 's/,"ledger.*//'
  {"schema":"sov.supervise.v1","data":[],"warnings":[]
  $ SOV_TEST_BOOT_MS=1070000 sov supervise -n
  ASG-1 would expire, fence 20 held by operator since 2026-01-01T00:00:00.000Z
  $ SOV_TEST_BOOT_MS=1070000 sov supervise --exit-code
  ASG-1 expired, fence 20 held by operator since 2026-01-01T00:00:00.000Z (seq 22)
  ? 1
  $ SOV_TEST_BOOT_MS=1070000 sov supervise --exit-code; sov show ASG-1 | head -1
  ASG-1  assignment  CREATED
  $ sov recover | tail -1
  ok
  $ sov recover --allow-filesystem nfs --reason "an operator trusts it" --actor operator
  sov: denied: operator, whose role is operator, lacks administer
    why      only a role whose row in the policy has this authority may do it [not_authorised]
    inspect  sov policy show
    next     ask an actor whose role has it
  ? 4
  $ sov recover --allow-filesystem nfs --reason "an operator trusts it" --actor principal | head -1
  nfs allowed (seq 24)
  $ sov recover --reason r
  sov: invalid: --allow-filesystem and --reason go together
    why      the command was not called as its synopsis says [usage]
    inspect  sov help recover
    next     call it as the synopsis says
    usage    sov recover [--allow-filesystem TYPE --reason TEXT] [--from BACKUP|published --reason TEXT [--confirm NAME]]
  ? 2

One page, and the lines for a commit message.

  $ sov demo within 2>&1 | sed "s|$HOME|HOME|g"
  sov: conflict: HOME/within lies within HOME, which has a ledger or is a git working tree
    why      the name is taken [exists]
    inspect  sov show ID
    next     choose another
  $ D=$(mktemp -d); sov demo $D > out; cd $D && sov show OUT-1 --format md | cmp - governance/outcomes/OUT-1.md; sov show ACC-1 --format trailers | sed 's/ [0-9a-f]\{64\}$/ HASH/'; sov show ASG-1 --format md 2>&1 | head -1; sov show OUT-1 --format trailers 2>&1 | head -1; rm -r $D
  Sov-Acceptance: ACC-1 OUT-1 principal
  Sov-Receipt: RCP-1 HASH
  Assisted-by: operator scripted
  sov: invalid: ASG-1 has no page of its own
  sov: invalid: trailers are of an acceptance, like ACC-1
