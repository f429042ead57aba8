What is wrong with the file, its keys or its place is named, and nothing is done about it.

  $ cat >lib.sh <<'X'
  > store=.sovereign/organization.db
  > shell() { sqlite3 $store "$1"; }
  > # rewrite TRIGGER SQL: as one who puts the guard back, so that the schema is as it was
  > rewrite() { g=$(shell "SELECT sql FROM sqlite_schema WHERE name = '$1'"); shell "DROP TRIGGER $1; $2; $g"; }
  > hide() { sed "s|$HOME|HOME|; s/[0-9a-f]\{64\}/ID/g; s/\(knows\|wants\) [0-9]*$/\1 N/; s/fingerprint [0-9a-f]\{16\}, .*/fingerprint/"; }
  > beat() { sov heartbeat till --actor operator "$@" 2>&1 | hide; cp kept/organization.db $store; }
  > X
  $ sov init -q >id; echo photo >photo; sov signal stock.photo --source till --subject it --payload photo --confidential --dedupe-key p1 --actor operator -q; cp -a .sovereign kept
  SIG-1

The file: none that sov wrote, another release's, one without a table, a guard, its compact range.

  $ . ./lib.sh; : >$store; sov status 2>&1 | hide; beat | head -1; echo text >$store; sov log 2>&1 | hide | head -1; cp kept/organization.db $store
  sov: integrity: HOME/.sovereign/organization.db is no file of sov
    why      what was read is not a ledger that this program can have written [corrupt]
    inspect  sov doctor
    next     keep the file; sov recover --from BACKUP|published --reason TEXT
  sov: integrity: HOME/.sovereign/organization.db is no file of sov
  sov: integrity: HOME/.sovereign/organization.db: file is not a database (sqlite 26)
  $ . ./lib.sh; shell 'PRAGMA user_version = 99'; sov status 2>&1 | hide; beat | head -1
  sov: not possible now: HOME/.sovereign/organization.db has format 99, this program knows N
    why      the file was written by a newer release [newer_format]
    inspect  sov version
    next     install that release
  sov: not possible now: HOME/.sovereign/organization.db has format 99, this program knows N
  $ . ./lib.sh; shell 'PRAGMA user_version = 1'; sov status 2>&1 | hide; beat | head -1
  sov: not possible now: HOME/.sovereign/organization.db has format 1, this program wants N
    why      the file was written by an older release and is not migrated by reading it [older_format]
    inspect  sov version
    next     sov recover
  sov: not possible now: HOME/.sovereign/organization.db has format 1, this program wants N
  $ . ./lib.sh; shell 'DROP TABLE state_actor'; sov actor list 2>&1 | hide; beat
  sov: integrity: HOME/.sovereign/organization.db: no such table: state_actor (sqlite 1)
    why      the schema fingerprint differs [schema]
    inspect  sov verify
    next     keep the file, compare with the published log
  sov: integrity: the schema is not the one that was built: fingerprint
    why      the schema of the ledger file is not the one this release made [schema_changed]
    inspect  sov doctor
    next     keep the file, compare with the published log
  $ . ./lib.sh; shell 'DROP TRIGGER event_next'; beat
  sov: integrity: the schema is not the one that was built: fingerprint
    why      the schema of the ledger file is not the one this release made [schema_changed]
    inspect  sov doctor
    next     keep the file, compare with the published log
  $ . ./lib.sh; shell 'UPDATE state_range SET size = size - 1'; beat
  sov: integrity: the stored compact range has not the nodes of its size
    why      the newest signed checkpoint and the events do not agree [head_mismatch]
    inspect  sov verify
    next     keep the file, compare with the published log
  $ . ./lib.sh; rewrite checkpoint_no_update 'UPDATE checkpoint SET signature = zeroblob(64)'; beat
  sov: integrity: the checkpoint of size 13 is not signed by the ledger key
    why      the signature does not verify over what it should cover [bad_signature]
    inspect  sov key list
    next     sov verify
  $ . ./lib.sh; rewrite blob_no_update "UPDATE blob SET content = x'50484f544f0a'"; sov signal stock.photo --source till --subject it --payload photo --confidential --dedupe-key p1 --actor operator 2>&1 | hide; cp kept/organization.db $store
  sov: integrity: a blob is not what its digest says
    why      the content of a blob has the digest it is kept under [blob_mismatch]
    inspect  sov verify
    next     keep the file, compare with the published log
  $ . ./lib.sh; mv $store away; ln -s ../away $store; sov status 2>&1 | hide; rm $store; mv away $store
  sov: denied: HOME/.sovereign/organization.db is no regular file with one name
    why      the path leads over a link, a special file or out of its folder [file_unsafe]
    inspect  ls -l
    next     use a regular file in its place

A write that was killed is rolled back by a writer; a reader says so. A disk that is full.

  $ . ./lib.sh; for n in $(seq 1 60); do strace -f -qq -o trace -e trace=pwrite64 -e inject=pwrite64:signal=SIGKILL:when=$n sov heartbeat till --actor operator >/dev/null 2>&1 || :
  >   sov status >said 2>&1 || break; done; hide <said; sov recover -q; sov log --last 1 --json=seq | sed 's/.*"data"://; s/,"warn.*//'
  sov: not possible now: HOME/.sovereign/organization.db: an interrupted write must be rolled back by a writer first
    why      an interrupted write must be rolled back first [needs_recovery]
    inspect  sov doctor
    next     sov recover
  [{"seq":13}]

So does a second init, which would write nothing else.

  $ . ./lib.sh; for n in $(seq 1 60); do strace -f -qq -o trace -e trace=pwrite64 -e inject=pwrite64:signal=SIGKILL:when=$n sov heartbeat till --actor operator >/dev/null 2>&1 || :
  >   sov status >said 2>&1 || break; done; sov init -n 2>&1 | hide; sov init | hide; sov log --last 1 --json=seq | sed 's/.*"data"://; s/,"warn.*//'
  sov: not possible now: HOME/.sovereign/organization.db: an interrupted write must be rolled back by a writer first
    why      an interrupted write must be rolled back first [needs_recovery]
    inspect  sov doctor
    next     sov recover
  HOME/.sovereign is founded already (size 13), nothing written
  [{"seq":13}]
  $ . ./lib.sh; cp kept/organization.db $store; strace -f -qq -o trace -e trace=pwrite64 -e inject=pwrite64:error=ENOSPC:when=3+ sov heartbeat till --actor operator 2>&1 | hide; beat
  sov: not possible now: HOME/.sovereign/organization.db: database or disk is full (sqlite 13)
    why      there is no space or no quota left, and nothing was written [disk_full]
    inspect  sov doctor
    next     make space, then repeat it
  till beat (seq 14)

What a pass cannot do for one item it says, goes on with the others, and has that for its exit.

  $ . ./lib.sh; cp kept/organization.db $store; sov signal till.jam --source till --subject two --dedupe-key p2 --actor operator -q; { strace -f -qq -o trace -e trace=pwrite64 -e inject=pwrite64:error=ENOSPC:when=3+ sov pulse; echo "exit $?"; } 2>&1 | hide; sov log --last 1 --json=seq | sed 's/.*"data"://; s/,"warn.*//'; sov pulse; cp kept/organization.db $store
  SIG-2
  SIG-1 stays due: HOME/.sovereign/organization.db: database or disk is full (sqlite 13) [disk_full]
  SIG-2 stays due: HOME/.sovereign/organization.db: database or disk is full (sqlite 13) [disk_full]
  sov: not possible now: HOME/.sovereign/organization.db: database or disk is full (sqlite 13)
    why      there is no space or no quota left, and nothing was written [disk_full]
    inspect  sov doctor
    next     make space, then repeat it
  exit 7
  [{"seq":14}]
  SIG-1  ignore no_rule (seq 15)
  SIG-2  ignore no_rule (seq 16)

The ledger's key is another's; the pin is none.

  $ . ./lib.sh; mkdir other; SOV_TEST_SEED=other SOV_DIR=other sov init -q >other/id; keys=.local/share/sov/keys; cp $keys/$(cat id)/ledger.key mine; cp $keys/$(cat other/id)/ledger.key $keys/$(cat id)/ledger.key; beat; cp mine $keys/$(cat id)/ledger.key; beat
  sov: integrity: the ledger key at hand is not the one of event 1
    why      the ledger key is the one that event 1 names [key_mismatch]
    inspect  sov key list
    next     put the ledger key of this ledger back into the key folder
  till beat (seq 14)
  $ . ./lib.sh; pin=.local/state/sov/pins/$(cat id); cp $pin good; echo '{}' >$pin; sov status 2>&1 | hide; sov project 2>&1 | hide; cp good $pin
  sov: not possible now: the pin HOME/.local/state/sov/pins/ID is no pin
    why      a pin holds ledger id, root and size of a checkpoint seen before [pin_invalid]
    inspect  sov doctor
    next     remove the pin file, verify against a checkpoint kept elsewhere, then sov verify --pin
  sov: not possible now: the pin HOME/.local/state/sov/pins/ID is no pin
    why      a pin holds ledger id, root and size of a checkpoint seen before [pin_invalid]
    inspect  sov doctor
    next     remove the pin file, verify against a checkpoint kept elsewhere, then sov verify --pin

The place: another user's, or a file system whose locks are not trusted.

  $ cat >facts.c <<'X'
  > #include <unistd.h>
  > uid_t geteuid(void) { return 12345; }
  > X
  > cat >nfs.c <<'X'
  > #include <sys/vfs.h>
  > int fstatfs(int fd, struct statfs *facts) { (void)fd; *facts = (struct statfs){ .f_type = 0x6969, .f_bsize = 4096 }; return 0; }
  > X
  > for c in facts nfs; do $CC -shared -fPIC -o $c.so $c.c; done
  $ . ./lib.sh; export ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0"; LD_PRELOAD=$HOME/facts.so sov status 2>&1 | hide | sed "s/uid $(id -u)$/uid OURS/"; LD_PRELOAD=$HOME/nfs.so sov status 2>&1 | hide
  sov: denied: HOME/.sovereign belongs to uid OURS
    why      the ledger belongs to another user [foreign_owner]
    inspect  ls -ln .sovereign
    next     add it to trusted_directories
  sov: denied: HOME/.sovereign lies on nfs
    why      locks and syncs are not trusted on this file system [filesystem_refused]
    inspect  sov doctor
    next     move it, or sov recover --allow-filesystem TYPE --reason TEXT

Told to stop while it waits for the lock.

  $ . ./lib.sh; (flock 9; exec sleep 60) 9>>.sovereign/lock & holder=$!
  > while flock -n .sovereign/lock true; do sleep 0.1; done
  > for s in INT TERM; do timeout --preserve-status -s $s 2 "${SOV_GUARDED:-sov}" heartbeat till --actor operator --wait 50 2>said; echo $?; cat said; done; kill $holder
  > sov log --last 1 --json=seq | sed 's/.*"data"://; s/,"warn.*//'
  130
  sov: interrupted: told to stop while waiting
    why      it was told to stop, and what was not committed is undone [interrupted]
    inspect  sov status
    next     repeat it
  143
  sov: terminated: told to end while waiting
    why      it was told to end, and what was not committed is undone [terminated]
    inspect  sov status
    next     repeat it
  [{"seq":13}]

A founding that was killed leaves keys that no ledger names, and doctor names them.

  $ . ./lib.sh; mkdir killed; export HOME=$HOME/killed SOV_DIR=.; cd killed; for n in $(seq 20 5 400); do
  >   strace -f -qq -o trace -e trace=pwrite64 -e inject=pwrite64:signal=SIGKILL:when=$n sov init >/dev/null 2>&1
  >   status=$?; test -e .local/share/sov/keys && break; done; echo $status; sov doctor -q 2>&1 | grep '^left' | hide; rm -r .local .sovereign; sov init -q >/dev/null; sov doctor -q 2>&1 | grep -c '^left'
  137
  left         fail        keys of a ledger without a pin: HOME/.local/share/sov/keys/ID; sov verify --pin in its folder; of a killed init: remove them
  0
  ? 1

A number is written as a number is: one spelling.

  $ for n in 007 -0 +7 " 7" 7x 0x7 9007199254740992; do sov change record sale --subject it --quantity "$n" --source till --actor operator 2>&1 | head -1; done
  sov: invalid: --quantity 007 is no integer of at least -9007199254740991
  sov: invalid: --quantity -0 is no integer of at least -9007199254740991
  sov: invalid: --quantity +7 is no integer of at least -9007199254740991
  sov: invalid: --quantity  7 is no integer of at least -9007199254740991
  sov: invalid: --quantity 7x is no integer of at least -9007199254740991
  sov: invalid: --quantity 0x7 is no integer of at least -9007199254740991
  sov: invalid: --quantity 9007199254740992 is no integer of at least -9007199254740991
  $ sov subject declare SKU-1 --fact price=007 --actor principal
  sov: invalid: --fact price=007 is not NAME=INT
    why      a value is not one that this field may have [bad_value]
    inspect  sov help subject
    next     correct the value
  ? 2
  $ sov ruling "May it?" --decision yes --reason "  " --applies-to OUT-1 --actor principal
  sov: invalid: the ruling gives no reason
    why      this decision needs a written reason of 1 to 2,000 bytes [reason_missing]
    inspect  sov show ID
    next     repeat it with --reason TEXT
  ? 2

A policy that forgets a role in use.

  $ . ./lib.sh; sov policy show | sed -n '/^{/,$p' | sed '/"sparring": *\[/,/\]/d' >law.json; sov policy adopt law.json --reason r --actor principal 2>&1 | hide
  sov: invalid: no row for the role sparring, which is in use
    why      each role that an actor has needs a row in the policy [policy_orphans_role]
    inspect  sov actor list
    next     add the row to the policy
