The record handed out: the octets of the events, as they were signed, with the checkpoint beside them.

  $ SOV_TEST_SEED=shop sov init --name Shop -q > id; sov subject declare SKU-TEA --fact cost=120 --actor principal -q; sov heartbeat till --actor operator -q; sov project -q
  SKU-TEA
  till
  14
  $ sov export --format jsonl -o log.jsonl; cat governance/log/1-12.jsonl governance/log/13-14.jsonl | cmp - log.jsonl; cmp governance/checkpoints/14 log.jsonl.checkpoint; stat -c '%a %n' log.jsonl log.jsonl.checkpoint
  exported 14 events of 14 to log.jsonl
  644 log.jsonl
  644 log.jsonl.checkpoint
  $ sov export --format jsonl | cmp - log.jsonl; sov export --format jsonl -o - | cmp - log.jsonl; sov export --format jsonl --since 12 | cmp - governance/log/13-14.jsonl; (sov export SKU-TEA --format jsonl; sov export 14 --format jsonl) | cmp - governance/log/13-14.jsonl; sov export actor/operator --format jsonl | wc -l
  1
  $ sov export --format jsonl --since 12 -o rest.jsonl --json | sed 's/"root".*//'; cmp rest.jsonl governance/log/13-14.jsonl; cmp rest.jsonl.checkpoint governance/checkpoints/14
  {"schema":"sov.export.v1","data":{"format":"jsonl","file":"rest.jsonl","checkpoint":"rest.jsonl.checkpoint","events":2,"size":14,
  $ sov export till --format jsonl -o beat.jsonl -q; ls beat.jsonl*; sov export --since 14 --format jsonl
  beat.jsonl

CloudEvents 1.0 as a batch: the data of each is the event, octet for octet. What we write we read.

  $ sov export --format cloudevents -o events.json; sed -n '2p;14p' events.json | sed 's/[0-9a-f]\{64\}/HEX/g; s/"data":{.*/"data":{/'
  exported 14 events of 14 to events.json
  {"specversion":"1.0","id":"1","source":"urn:sov:ledger:HEX","type":"sov.organization.founded","subject":"organization/self","time":"2026-01-01T00:00:00.000Z","datacontenttype":"application/json","sequence":"0000000000000001","sovactor":"host","sovhash":"HEX","data":{
  {"specversion":"1.0","id":"13","source":"urn:sov:ledger:HEX","type":"sov.subject.declared","subject":"subject/SKU-TEA","time":"2026-01-01T00:00:00.000Z","datacontenttype":"application/json","sequence":"0000000000000013","sovactor":"principal","sovhash":"HEX","data":{
  $ cat > octets.py <<'X'
  > import json, hashlib, sys
  > for e in json.load(open(sys.argv[1])):
  >     octets = json.dumps(e['data'], sort_keys=True, separators=(',', ':'), ensure_ascii=False)
  >     assert e['sovhash'] == hashlib.sha256(b'\0' + octets.encode()).hexdigest()
  >     print(octets)
  > X
  $ /usr/bin/python3 octets.py events.json | cmp - log.jsonl
  $ sov export SKU-TEA --format cloudevents | sov signal --from cloudevents --payload - --actor operator; sov export --format cloudevents --since 99
  SIG-1 recorded sov.subject.declared (seq 15)
  [
  ]

A backup is a copy made online and judged before it gets its name; never over what is there.

  $ sov export --format ledger -o backup.db; stat -c '%a %n' backup.db*; sov project -q; cmp backup.db.checkpoint governance/checkpoints/15; ls -A | grep tmp; sqlite3 backup.db 'PRAGMA integrity_check; SELECT count(*), max(seq) FROM event'
  exported 15 events of 15 to backup.db
  600 backup.db
  644 backup.db.checkpoint
  15
  ok
  15|15
  $ sov export --format ledger -o backup.db 2>&1 | head -1; mv backup.db b; sov export --format ledger -o backup.db 2>&1 | head -1; sov export --format ledger -o .sovereign/organization.db
  sov: conflict: backup.db is there already
  sov: conflict: backup.db.checkpoint is there already
  sov: denied: .sovereign/organization.db lies among what sov keeps itself
    why      the path leads over a link, a special file or out of its folder [file_unsafe]
    inspect  ls -l
    next     use a regular file in its place
  ? 4

Others go on writing meanwhile, and what is copied is one moment.

  $ (for i in 1 2 3 4 5 6 7 8 9 10 11 12; do "$SOV_GUARDED" account open till-$i --unit cent --actor principal -q; done) > /dev/null & for i in 1 2 3 4; do "$SOV_GUARDED" export --format ledger -o live-$i.db -q || echo no; done; wait; for i in 1 2 3 4; do sqlite3 live-$i.db 'SELECT (SELECT max(seq) FROM event) = (SELECT max(size) FROM checkpoint)'; sed -n 2p live-$i.db.checkpoint | awk '{ print ($1 > 14 && $1 < 28) }'; done | sort -u
  1

A published log serves as well, where there is no ledger file; that one cannot be copied.

  $ git init -q clone && cp -r governance clone && cd clone && export SOV_DIR=$PWD && sov export --format jsonl -q | head -14 | cmp - ../log.jsonl; sov export --format ledger -o b.db -q | cat; ls -A
  note: no ledger file here; this is the published log, size 15
  note: no ledger file here; this is the published log, size 15
  sov: not found: a published log is no ledger file
    why      no ledger was found where this command looks for one [no_ledger]
    inspect  sov doctor
    next     sov init
  .git
  governance

What is not as it was signed gets no name.

  $ cat > edit <<'X'
  > g=$(sqlite3 .sovereign/organization.db "SELECT sql FROM sqlite_schema WHERE name = 'event_no_update'")
  > sqlite3 .sovereign/organization.db "DROP TRIGGER event_no_update; UPDATE event SET octets = CAST(replace(CAST(octets AS TEXT), '120', '121') AS BLOB) WHERE seq = 13; $g"
  > X
  $ cp -r .sovereign kept; sh edit; for f in jsonl cloudevents ledger; do sov export --format $f -o bad.$f -q 2>&1 | sed -n 1p; done; ls -A | grep 'bad\|tmp'; rm -r .sovereign; mv kept .sovereign
  sov: integrity: the events do not give the root of the checkpoint of size 27
  sov: integrity: the events do not give the root of the checkpoint of size 27
  TAMPER      seq 13  the hash beside event 13 is not that of its octets

Wrong use is 2, and writes nothing.

  $ for a in "" "--format text" "--format ledger" "SKU-TEA --format ledger -o x" "--format ledger --since 3 -o x" "SKU-TEA --format jsonl --since 3" "--format intoto" "--format intoto -o x" "till --format intoto -o x" "14 --format intoto -o x" "ACC-1 --format intoto -o x" "--format jsonl --sign-key x" "--format jsonl -o governance"; do sov export $a 2>&1 | head -1; done; sov export NO-1 --format jsonl -q 2>&1 | head -1; ls x 2>&1; ls -A | grep tmp
  sov: invalid: export needs --format
  sov: invalid: export has no format text
  sov: invalid: --format ledger needs -o FILE
  sov: invalid: --format ledger is of the whole ledger: no REF
  sov: invalid: --since goes with jsonl and cloudevents
  sov: invalid: --since goes with the whole log, not with a REF
  sov: invalid: --format intoto needs -o FILE
  sov: invalid: --format intoto is of an acceptance: ACC-1
  sov: invalid: --format intoto is of an acceptance: ACC-1
  sov: invalid: --format intoto is of an acceptance: ACC-1
  sov: not found: there is no ACC-1
  sov: invalid: --sign-key goes with --format intoto
  sov: denied: governance is not a regular file
  sov: not found: nothing is called NO-1
  ls: cannot access 'x': No such file or directory
  ? 1
