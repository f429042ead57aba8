A mirror is written elsewhere, and here only taken in: octet for octet, and as far as it was signed.

  $ mkdir shop && cd shop && git init -q && SOV_TEST_SEED=shop sov init --name Shop -q > ../id; sov subject declare SKU-TEA --fact cost=120 --actor principal -q; sov project -q; sov export --format jsonl -o ../log.jsonl -q
  SKU-TEA
  13
  $ mkdir mirror && cd mirror && git init -q && export SOV_DIR=$PWD; sov init --mirror $(cat ../id) -n; ls -A; sov init --mirror $(cat ../id); find . -path ./.git -prune -o -type f -print | LC_ALL=C sort; sov init --mirror $(cat ../id); sov init 2>&1 | head -1 | sed "s|$PWD|PWD|"; sov status 2>&1 | head -1 | sed "s|$PWD|PWD|"
  would make a mirror of ledger d3de617d
  .git
  made a mirror of ledger d3de617d
  ./.sovereign/.gitignore
  ./.sovereign/mirror
  there is a mirror of ledger d3de617d, nothing written
  sov: denied: PWD/.sovereign is a mirror
  sov: not found: there is no ledger in PWD/.sovereign

The same octets, the same root, equal views; every hash, and every derived table as a fold gives it.

  $ cd mirror && export SOV_DIR=$PWD; sov import ../log.jsonl -n; ls .sovereign; sov import ../log.jsonl | sed 's/root [0-9a-f]*/root R/'; sov log --format jsonl | cmp - ../log.jsonl; sov project -q; for d in README.md README.json policy.md policy.json actors checkpoints/13; do diff -r governance/$d ../shop/governance/$d; done; cat governance/log/*.jsonl | cmp - ../log.jsonl; sov verify --projections -q
  would import 13 events, 1 to 13
  mirror
  imported 13 events, 1 to 13
  ledger   d3de617d  13 events  root R  (pinned)
  anchor   pin at 13: a prefix of this log
  ok
  13
  $ for f in shop mirror; do sqlite3 $f/.sovereign/organization.db 'SELECT seq, hex(hash), hex(octets), resource, fence FROM event ORDER BY seq' > $f.events; done; cmp shop.events mirror.events; wc -l < shop.events
  13

What is said as data fits the schema that is shipped, a dry run's, too.

  $ mkdir fits && cd fits && git init -q && export SOV_DIR=$PWD; perl $SRC/tests/fits.pl << X
  > init --mirror $(cat ../id) -n
  > init --mirror $(cat ../id)
  > import ../log.jsonl -n
  > import ../log.jsonl
  > 5:init --mirror 0000000000000000000000000000000000000000000000000000000000000000
  > X

It goes on where it ended; what is there is compared; nothing new is a noop.

  $ cd shop; sov account open cash --unit cent --actor principal -q; sov heartbeat till --actor operator -q; sov export --format jsonl --since 13 -o ../more.jsonl -q; sov project -q; sov export --format jsonl -o ../all.jsonl -q
  cash
  till
  15
  $ cd mirror && export SOV_DIR=$PWD; sov import - --checkpoint ../more.jsonl.checkpoint < ../more.jsonl | head -1; sov import ../all.jsonl --json | grep -o '"effect":[a-z":,0-9]*"verdict":"ok"'; sov import ../shop | head -1
  imported 2 events, 14 to 15
  "effect":"noop","before":15,"events":0,"verdict":"ok"
  nothing new, size 15
  $ mkdir clone && cd clone && git init -q && export SOV_DIR=$PWD; sov init --mirror $(cat ../id) -q > id; sov import ../shop | head -1; sov log --format jsonl | cmp - ../all.jsonl; sqlite3 .sovereign/organization.db 'SELECT group_concat(size) FROM checkpoint'; sov project -q; sov verify --projections -q
  imported 15 events, 1 to 15
  12,13,15
  15

No act is committed in it, even where the keys are at hand.

  $ cd mirror && export SOV_DIR=$PWD; sov heartbeat till --actor operator; for a in "heartbeat till --actor operator -n" "account open box --unit cent --actor principal" "pulse" "key new operator --actor principal"; do sov $a 2>&1 | head -1; done; sov recover -q; sov rebuild | head -1; sov log --last 1 | cut -c 1-8
  sov: denied: this is a mirror: it is written elsewhere
    why      a mirror takes in what is written elsewhere, and commits nothing itself [is_mirror]
    inspect  sov status
    next     do it where the ledger is written, then sov import FILE here
  sov: denied: this is a mirror: it is written elsewhere
  sov: denied: this is a mirror: it is written elsewhere
  sov: denied: this is a mirror: it is written elsewhere
  sov: denied: this is a mirror: it is written elsewhere
  refolded 15 events
      15  

Another ledger, another history, a gap, a cut, what nobody signed: refused, and nothing is taken.

  $ mkdir other && cd other && git init -q && SOV_DIR=$PWD SOV_TEST_SEED=other sov init -q > id; SOV_DIR=$PWD sov export --format jsonl -o ../other.jsonl -q
  $ cat > try <<'X'
  > name=$1; shift
  > said=$(sov import "$@" 2>&1); status=$?
  > echo "$name: $status $(echo "$said" | sed -n '1s/^sov: //p; 2s/.*\[\(.*\)\]/[\1]/p' | paste -s -d ' ' - | sed "s|$HOME|HOME|g")"
  > X
  $ cd shop; sov heartbeat box --actor operator -q; sov heartbeat mill --actor operator -q; sov export --format jsonl -o ../new.jsonl -q; sov export --format jsonl --since 16 -o ../gap.jsonl -q
  box
  mill
  $ cd mirror && export SOV_DIR=$PWD; sh ../try "another ledger" ../other.jsonl; sh ../try "its checkpoint" ../new.jsonl --checkpoint ../other.jsonl.checkpoint; sh ../try "a gap" ../gap.jsonl; head -16 ../new.jsonl > ../cut.jsonl; sh ../try "a line too few" ../cut.jsonl --checkpoint ../new.jsonl.checkpoint; head -c -1 ../new.jsonl > ../cut.jsonl; sh ../try "no last line feed" ../cut.jsonl --checkpoint ../new.jsonl.checkpoint; sh ../try "an old checkpoint" ../new.jsonl --checkpoint ../log.jsonl.checkpoint; sed '16s/box/bax/' ../new.jsonl > ../bad.jsonl; sh ../try "a new event changed" ../bad.jsonl --checkpoint ../new.jsonl.checkpoint; sed '13s/120/121/' ../new.jsonl > ../bad.jsonl; sh ../try "an old event changed" ../bad.jsonl --checkpoint ../new.jsonl.checkpoint; sed '16{h;d};17{G}' ../new.jsonl > ../bad.jsonl; sh ../try "two swapped" ../bad.jsonl --checkpoint ../new.jsonl.checkpoint; sh ../try "no checkpoint" - < ../new.jsonl; sh ../try "none beside it" ../bad.jsonl; sh ../try "no file" ../no-such-file; sov status | tail -1 | cut -c 1-8
  another ledger: 6 integrity: this is not a checkpoint of this ledger [fork]
  its checkpoint: 6 integrity: this is not a checkpoint of this ledger [fork]
  a gap: 5 conflict: event 16 comes next, and this one is event 17 [import_gap]
  a line too few: 6 integrity: a checkpoint is of size 17, and the events end at 16 [head_mismatch]
  no last line feed: 2 invalid: ../cut.jsonl: the last line has no line feed [bad_text]
  an old checkpoint: 6 integrity: no checkpoint vouches for the events up to 17 [head_mismatch]
  a new event changed: 6 integrity: the events up to 17 do not give the root of the checkpoint [fork]
  an old event changed: 6 integrity: event 13 is another one here [fork]
  two swapped: 5 conflict: event 16 comes next, and this one is event 17 [import_gap]
  no checkpoint: 2 invalid: what vouches for it? give --checkpoint FILE [usage]
  none beside it: 3 not found: no file ../bad.jsonl.checkpoint [no_such_file]
  no file: 3 not found: no file ../no-such-file.checkpoint [no_such_file]
  size 15 
  $ cd shop; sh ../try "no mirror" ../new.jsonl; mkdir ../e && cd ../e && SOV_DIR=$PWD sh ../try "no place" ../new.jsonl; cd ../clone; cp -r ../shop/governance ../governance.bad; mkdir ../bad && mv ../governance.bad ../bad/governance; sed -i 's/120/121/' ../bad/governance/log/13-13.jsonl; SOV_DIR=$PWD sh ../try "a published log that is wrong" ../bad
  no mirror: 4 denied: HOME/shop/.sovereign is no mirror [not_mirror]
  no place: 3 not found: there is no mirror in HOME/e (SOV_DIR) [no_ledger]
  a published log that is wrong: 6 integrity: the root of the stored compact range is not the newest checkpoint's [head_mismatch]
