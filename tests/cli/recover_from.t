A ledger whose file is lost is made again from a backup or from what was published: named, confirmed,
recorded. What could not come back is said.

  $ sov init --name Shop -q > id; sov signal till.jam --source till --subject it --payload id --dedupe-key a --actor operator -q; sov subject declare SKU-TEA --fact cost=120 --actor principal -q; sov export --format ledger -o backup.db -q; sov project -q; cp .sovereign/organization.db kept.db; cp -r governance published
  SIG-1
  SKU-TEA
  14
  $ cat > try <<'X'
  > name=$1; shift
  > said=$(sov recover --from "$@" 2>&1); status=$?
  > echo "$name: $status $(echo "$said" | sed -n '1s/^sov: //p; 2s/.*\[\(.*\)\]/[\1]/p; s/^\(TAMPER\|STATE\)  */\1 /p' | paste -s -d ' ' - | sed "s|$HOME|HOME|g; s/fingerprint.* /fingerprint /")"
  > ls -A .sovereign 2>/dev/null | grep -v '^lock$\|^founding$\|^publication.lock$\|^.gitignore$' | paste -s -d ' ' -
  > X

What can be read is not lost; and without a reason, a name or the right actor nothing is done.

  $ export SOV_ACTOR=principal; sh try healthy backup.db --reason "the disk died" --confirm Shop; rm .sovereign/organization.db*; sh try "no reason" backup.db --confirm Shop; sh try "a blank one" backup.db --reason " " --confirm Shop; sh try "not confirmed" backup.db --reason lost --no-input; sh try "another name" backup.db --reason lost --confirm shop; sh try "not for all" backup.db --reason lost --confirm Shop --actor operator; sh try "two at once" backup.db --reason lost --allow-filesystem nfs; sov recover --confirm Shop 2>&1 | head -1; SOV_ASSIGNMENT=ASG-1 sh try "inside a run" backup.db --reason lost --confirm Shop
  healthy: 5 conflict: HOME/.sovereign holds a ledger that can be read [not_lost]
  organization.db organization.db-journal
  no reason: 2 invalid: --from needs --reason [reason_missing]
  
  a blank one: 2 invalid: the reason is blank [reason_missing]
  
  not confirmed: 2 invalid: put this in the place of the lost ledger? type the organization's name, or give --confirm=NAME:  [input_required]
  
  another name: 4 denied: the source is the ledger of Shop [confirm_required]
  
  not for all: 4 denied: operator, whose role is operator, lacks administer [not_authorised]
  
  two at once: 2 invalid: --from and --allow-filesystem do not go together [usage]
  
  sov: invalid: --confirm goes with --from
  inside a run: 4 denied: recover is not for an agent inside ASG-1 [inside_run]
  

From the backup: dry first, then the whole of it, with the event that says so.

  $ cat > plain <<'X'
  > sed 's/ledger   [0-9a-f]*/ledger   ID/; s/root [0-9a-f]*/root R/; s/"from_root":"[0-9a-f]*"/"from_root":R/; /^note     git/d'
  > X
  $ export SOV_ACTOR=principal; sov recover --from backup.db --reason lost -n | sh plain; ls .sovereign | grep organization; sov recover --from backup.db --reason "the disk died" --confirm Shop | sh plain; sov log --last 1 --format jsonl | grep -o '"data":.*' | sh plain; sov verify --projections -q; sov project -q; sov verify --projections -q; python3 -B $SRC/tests/second/verify.py --no-anchor .
  would restore 14 events from backup.db
  ledger   ID  14 events  root R  (trusted on first use)
  note     no anchor outside the ledger vouches for it
  ok
  restored 14 events from backup.db (seq 15)
  ledger   ID  15 events  root R  (pinned)
  anchor   pin at 14: a prefix of this log
  ok
  "data":{"from_root":R,"from_size":14,"reason":"the disk died"},"seq":15,"stream":"organization/self","sv":2,"type":"ledger.restored","v":1}
  15
  UNANCHORED no_anchor 0 nothing outside vouches for it
  ok

The published log will do, too: what was not published is named, by a note here and ever after.

  $ export SOV_ACTOR=principal; rm .sovereign/organization.db; sov recover --from published --reason "again" --confirm Shop | sh plain; sov verify | sh plain; sov heartbeat till -q; sov project -q; sov verify --projections -q; python3 -B $SRC/tests/second/verify.py --no-anchor .; sqlite3 .sovereign/organization.db 'PRAGMA integrity_check'
  restored 15 events from the published log (seq 16)
  ledger   ID  16 events  root R  (pinned)
  anchor   pin at 15: a prefix of this log
  note     content that event 13 names did not come back with the restore of event 16: 9714bebb3cedcc2aa062a4169b49b8614b2a8f5dc979616f0608762f472a3c39
  ok
  ledger   ID  16 events  root R  (pinned)
  anchor   pin at 15: a prefix of this log
  note     content that event 13 names did not come back with the restore of event 16: 9714bebb3cedcc2aa062a4169b49b8614b2a8f5dc979616f0608762f472a3c39
  ok
  till
  17
  UNANCHORED no_anchor 0 nothing outside vouches for it
  ok
  ok

A damaged file is kept, and so is a journal that nobody owns; with all of .sovereign gone it is made again.

  $ export SOV_ACTOR=principal; head -c 20000 .sovereign/organization.db > cut; cp cut .sovereign/organization.db; sov status 2>&1 | sed -n '2p;4p'; sh try "a damaged file" published --reason "bad sectors" --confirm Shop; cmp cut .sovereign/organization.db.damaged-1; echo not a ledger > .sovereign/organization.db; sh try "another" published --reason "more" --confirm Shop; rm -r .sovereign; sh try "dry, without a home" published --reason x -n; sh try "refused, without a home" published --reason x --confirm Shop --actor operator; sh try "without a home" published --reason "all gone" --confirm Shop; stat -c %a .sovereign .sovereign/organization.db; sov verify -q
    why      what was read is not a ledger that this program can have written [corrupt]
    next     keep the file; sov recover --from BACKUP|published --reason TEXT
  a damaged file: 0 
  organization.db organization.db.damaged-1 organization.db.damaged-1-journal
  another: 0 
  organization.db organization.db.damaged-1 organization.db.damaged-1-journal organization.db.damaged-2
  dry, without a home: 0 
  
  refused, without a home: 4 denied: operator, whose role is operator, lacks administer [not_authorised]
  
  without a home: 0 
  organization.db
  700
  600

A backup that ends before what is published would fork it. Without what is published it is restored;
what the pin knows beyond it is named as lost, the pin stays as it is, and vouches for nothing.

  $ export SOV_ACTOR=principal; rm .sovereign/organization.db; cp -r .local/state/sov/pins pins; sh try "published is ahead" backup.db --reason old --confirm Shop; cp published/checkpoints/14 governance/checkpoints/99; sh try "a name that lies" backup.db --reason old --confirm Shop; rm governance/checkpoints/99; mv governance aside; sov recover --from backup.db --reason "old" --confirm Shop --json | grep -o '"restored":{[^}]*}' | sh plain; sov verify | sh plain; sov verify --no-anchor -q; diff -r pins .local/state/sov/pins
  published is ahead: 5 conflict: the backup ends at 14, and 17 events are published [published_ahead]
  
  a name that lies: 6 integrity: governance/checkpoints/99 is one of size 14 [checkpoint_invalid]
  
  "restored":{"seq":15,"from_size":14,"from_root":R,"lost_first":15,"lost_last":17}
  ledger   ID  15 events  root R  (pinned)
  anchor   pin at 17: of the branch that was lost
  note     event 15 records a restore: the pin at 17 is of the branch that was lost, and vouches for nothing here
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 1 finding (UNANCHORED 1); next: sov verify --pin, or --no-anchor to accept it

A second restore, of a log that says what the first gave up, is none of another branch.

  $ export SOV_ACTOR=principal; cp .sovereign/organization.db first.db; for i in 1 2; do sov signal till.jam --source till --subject $i --dedupe-key $i -q; done; sov export --format ledger -o later.db -q; rm .sovereign/organization.db*; sov recover --from later.db --reason twice --confirm Shop | sh plain; sov verify --no-anchor -q; cp first.db .sovereign/organization.db; rm -r .local/state/sov/pins; cp -r pins .local/state/sov/pins
  SIG-2
  SIG-3
  restored 17 events from later.db (seq 18)
  ledger   ID  18 events  root R  (pinned)
  anchor   pin at 17: of the branch that was lost
  note     event 15 records a restore: the pin at 17 is of the branch that was lost, and vouches for nothing here
  note     no anchor outside the ledger vouches for it
  ok
  $ export SOV_ACTOR=principal; for i in 1 2 3; do sov signal till.jam --source till --subject $i --dedupe-key $i -q; done; sov verify --no-anchor | sh plain; sov verify --pin --no-anchor -q; sov verify | sh plain
  SIG-2
  SIG-3
  SIG-4
  ledger   ID  18 events  root R  (pinned)
  anchor   pin at 17: of the branch that was lost
  note     event 15 records a restore: the pin at 17 is of the branch that was lost, and vouches for nothing here
  note     no anchor outside the ledger vouches for it
  ok
  ledger   ID  18 events  root R  (pinned)
  anchor   pin at 18: a prefix of this log
  ok

The source is judged whole before anything is written: schema, octets, signatures, decisions.

  $ export SOV_ACTOR=principal; rm .sovereign/organization.db*; cp backup.db trigger.db; sqlite3 trigger.db 'CREATE TRIGGER grab AFTER INSERT ON event BEGIN SELECT 1; END'; cp backup.db view.db; sqlite3 view.db 'ALTER TABLE event RENAME TO other; CREATE VIEW event AS SELECT * FROM other'; cp backup.db octets.db; g=$(sqlite3 octets.db "SELECT sql FROM sqlite_schema WHERE name = 'event_no_update'"); sqlite3 octets.db "DROP TRIGGER event_no_update; UPDATE event SET octets = CAST(replace(CAST(octets AS TEXT), '120', '121') AS BLOB) WHERE seq = 14; $g"; cp backup.db state.db; sqlite3 state.db "UPDATE state_actor SET role = 'principal' WHERE id = 'operator'"; ln -s backup.db link.db; mkdir folder; head -c 9000 backup.db > short.db; truncate -s 4G huge.db; mkfifo pipe; for f in trigger view octets state link short huge none; do sh try $f $f.db --reason lost --confirm Shop; done; sh try folder folder --reason lost --confirm Shop; sh try pipe pipe --reason lost --confirm Shop; sh try stdin - --reason lost --confirm Shop
  trigger: 6 integrity: the schema is not the one that was built: fingerprint [schema_changed]
  
  view: 6 integrity: the schema is not the one that was built: fingerprint [schema_changed]
  
  octets: 6 TAMPER seq 14  the hash beside event 14 is not that of its octets TAMPER seq 14  events 14 to 14 do not give the root of the checkpoint of size 14 STATE the stored compact range is not that of the events STATE state_subject holds the row SKU-TEA where the events give the row SKU-TEA
  
  state: 6 STATE state_actor holds the row operator where the events give the row operator
  
  link: 4 denied: HOME/link.db is no regular file with one name [file_unsafe]
  
  short: 6 integrity: HOME/short.db: database disk image is malformed (sqlite 11) [corrupt]
  
  huge: 6 integrity: HOME/huge.db: file is not a database (sqlite 26) [corrupt]
  
  none: 3 not found: no file none.db [no_such_file]
  
  folder: 4 denied: HOME/folder is no regular file with one name [file_unsafe]
  
  pipe: 4 denied: HOME/pipe is no regular file with one name [file_unsafe]
  
  stdin: 3 not found: no file - [no_such_file]
  
  $ export SOV_ACTOR=principal; cp -r published governance; echo x >> governance/checkpoints/14; sh try "a forged checkpoint" published --reason lost --confirm Shop; rm -r governance; cp -r published governance; sed -i 's/120/121/' governance/log/13-14.jsonl; sh try "a changed event" published --reason lost --confirm Shop; rm governance/log/13-14.jsonl; sh try "a gap" published --reason lost --confirm Shop; rm -r governance; sh try "nothing published" published --reason lost --confirm Shop
  a forged checkpoint: 6 integrity: governance/checkpoints/14:1: checkpoint: has a line after the blank one that is no signature [checkpoint_invalid]
  
  a changed event: 6 integrity: the root of the stored compact range is not the newest checkpoint's [head_mismatch]
  
  a gap: 6 integrity: governance/log:1: an event is in no segment; what follows was not read [event_invalid]
  
  nothing published: 3 not found: nothing is published here [absent]
  

Another ledger's backup has no key here, and its name is another one; without the key a mirror is what
is possible. What bears the mark of a mirror takes nothing else in.

  $ export SOV_ACTOR=principal; mkdir other && cd other && export SOV_DIR=$PWD && HOME=$PWD SOV_TEST_SEED=other sov init --name Shop -q > id; HOME=$PWD sov export --format ledger -o ../other.db -q; cd ..; unset SOV_DIR; sh try "another's" other.db --reason lost --confirm Shop; mv .local/share keys; sh try "no key" backup.db --reason lost --confirm Shop; mv keys .local/share; sov init --mirror $(cat id) -q; sh try "a mirror" backup.db --reason lost --confirm Shop; rm .sovereign/mirror; cp other.db .sovereign/organization.db; sh try "another ledger there" backup.db --reason lost --confirm Shop; ln -sf ../backup.db .sovereign/organization.db; sh try "a link there" backup.db --reason lost --confirm Shop; rm .sovereign/organization.db
  another's: 3 not found: the ledger key is not at hand; without it there can be a mirror: sov init --mirror 0b6130d6eade8efa653f9a081227055a03aa4a8643a224fb3d764e8874232f3b [no_key]
  
  no key: 3 not found: the ledger key is not at hand; without it there can be a mirror: sov init --mirror 4c268906f4c8542c1589764bdacae68322448d0fcb01c687f2e309315d6ebb27 [no_key]
  
  4c268906f4c8542c1589764bdacae68322448d0fcb01c687f2e309315d6ebb27
  a mirror: 4 denied: HOME/.sovereign is a mirror [is_mirror]
  mirror
  another ledger there: 5 conflict: HOME/.sovereign holds a ledger that can be read [not_lost]
  organization.db
  a link there: 4 denied: HOME/.sovereign/organization.db is no regular file with one name [file_unsafe]
  organization.db

What nobody can tell apart from a restore without a record is an old copy that somebody put back: the
same file by itself.

  $ cp kept.db .sovereign/organization.db; sov verify -q
  ROLLBACK    seq 15  the pin knows a larger log than this one
  no: 1 finding (ROLLBACK 1); next: restore governance/, or find who put an old copy back
  ? 6
