Workspaces of runs that have ended: archived, removed, or left and said so.

  $ cat >store <<'END'
  > . "$SRC/tests/faults/store.sh"
  > later() { SOV_TEST_CLOCK=2026-01-01T00:0$1:00.000Z SOV_TEST_BOOT_MS=1$160000 sov supervise $2; }
  > END

Not within the grace; then as one archive that any tar reads; once.

  $ . ./store; store_enter one; store_to_assignment; store_run ASG-1 6
  $ . ./store; store_enter one; sov supervise
  $ . ./store; store_enter one; later 1 -n; ls .sovereign/runs
  ASG-1 workspace of fence 29 would be archived
  ASG-1.29
  $ . ./store; store_enter one; later 1; ls .sovereign/runs; later 2
  ASG-1 workspace of fence 29 archived (seq 40)
  ASG-1 workspace of fence 29 removed (seq 41)
  $ . ./store; store_enter one; store_types 40; sov verify -q; sov show RCP-1 | grep '^status'
  workspace.reclaimed
  status           completed
  $ . ./store; store_enter one; D=$(sov log --type workspace.archived --format jsonl | sed 's/.*"digest":"\([0-9a-f]*\)".*/\1/'); sqlite3 -readonly .sovereign/organization.db "select writefile('a.tar', content) from blob where lower(hex(digest)) = '$D'" >/dev/null; tar tvf a.tar | awk '{ print $1, $2, $3, $6 }'; mkdir out; tar xf a.tar -C out; cat out/out/report.json
  drwx------ 0/0 0 home/
  drwx------ 0/0 0 in/
  -r-------- 0/0 1168 in/assignment.json
  -r-------- 0/0 271 in/prompt.md
  -r-------- 0/0 1170 in/schema.json
  drwx------ 0/0 0 out/
  -rw------- 0/0 17 out/report.json
  drwx------ 0/0 0 tmp/
  {"ordered":true}
  $ . ./store; store_enter one; store_judged SOW-1 OUT-1; sov accept OUT-1 --actor principal -q
  ACC-1

Somebody is in it: left, said once, and taken when he is gone.

  $ . ./store; store_enter used; store_to_assignment; store_run ASG-1 6
  $ . ./store; store_enter used; (cd .sovereign/runs/ASG-1.*/ws/out; exec sleep 30) & P=$!; sleep 0.3; later 1; later 2; kill $P; wait $P 2>/dev/null; later 3 | cut -d'(' -f1; ls .sovereign/runs
  ASG-1 workspace of fence 29 left: in_use (seq 40)
  ASG-1 workspace of fence 29 archived 
  ASG-1 workspace of fence 29 removed 

Not the folder that was made; a link in its place: neither is touched.

  $ . ./store; store_enter other; store_to_assignment; store_run ASG-1 6
  $ . ./store; store_enter other; R=$(ls -d .sovereign/runs/ASG-1.*); mv $R ../kept; cp -R ../kept $R; later 1 | cut -d'(' -f1; later 2; ls $R; rm -r $R; ln -s "$PWD/../kept" $R; later 3; ls ../kept; rm $R; later 4 | cut -d'(' -f1
  ASG-1 workspace of fence 29 left: replaced 
  host
  ws
  host
  ws
  ASG-1 workspace of fence 29 left: absent 

A removal that was cut short is finished.

  $ . ./store; store_enter cut; store_to_assignment; store_run ASG-1 6
  $ . ./store; store_enter cut; export SOV_TEST_CLOCK=2026-01-01T00:01:00.000Z; { strace -f -o ../trace -e trace=unlinkat -e inject=unlinkat:signal=KILL:when=3 sov supervise >cut.out; echo $?; } 2>/dev/null; ls .sovereign/runs/*/ws; sov log --last 1 | awk '{ print $4 }'; sov supervise | cut -d'(' -f1; ls .sovereign/runs; sov supervise
  137
  in
  out
  tmp
  workspace.archived
  ASG-1 workspace of fence 29 removed 

What `remove` would lose is kept; what the receipt has is not lost.

  $ . ./store; store_enter lose; store_open; store_sale 2; store sow new OUT-1 --title T --scope S --role operator --done-when D --deliverable report.json --effect replenishment --actor master; store sow ready SOW-1 --actor master; store assign SOW-1 --to operator --workspace remove --actor master
  $ . ./store; store_enter lose; store_run ASG-1 6; R=$(ls -d .sovereign/runs/ASG-1.*); echo more >$R/ws/out/more; later 1 | cut -d'(' -f1; rm $R/ws/out/more; later 2 | cut -d'(' -f1; ls .sovereign/runs; sov verify -q
  ASG-1 workspace of fence 28 left: unsaved 
  ASG-1 workspace of fence 28 removed 

`keep` is kept, and nobody asks.

  $ . ./store; store_enter kept; store_open; store_sale 2; store sow new OUT-1 --title T --scope S --role operator --done-when D --deliverable report.json --effect replenishment --actor master; store sow ready SOW-1 --actor master; store assign SOW-1 --to operator --workspace keep --actor master
  $ . ./store; store_enter kept; store_run ASG-1 6; later 1; ls .sovereign/runs | wc -l
  1

An attempt that was killed before anything ran leaves a folder of ours. It goes when its claim is over,
unless somebody is in it or has left a result, and no sooner.

  $ . ./store; store_enter half; store_to_assignment; { strace -f -o ../trace -e trace=mkdirat -e inject=mkdirat:signal=KILL:when=5 sov run ASG-1 --actor operator -- /bin/true >../out 2>&1; echo $?; } 2>/dev/null; ls .sovereign/runs; sov show ASG-1 | head -n 1; mkdir .sovereign/runs/ASG-1.9 .sovereign/runs/notes
  137
  ASG-1.29
  ASG-1  assignment  RUNNING
  $ . ./store; store_enter half; sov supervise | cut -d' ' -f1-4; sov show ASG-1 | head -n 1; sov supervise; ls .sovereign/runs
  ASG-1 expired, fence 29
  ASG-1  assignment  CREATED
  ASG-1.29
  ASG-1.9
  notes
  $ . ./store; store_enter half; mkdir -p .sovereign/runs/ASG-1.29/ws/out; echo {} >.sovereign/runs/ASG-1.29/ws/out/report.json; later 1; rm .sovereign/runs/ASG-1.29/ws/out/report.json; (cd .sovereign/runs/ASG-1.29/ws; exec sleep 30) & P=$!; while [ "$(readlink /proc/$P/cwd)" = "$PWD" ]; do :; done; later 1; kill $P; wait $P 2>/dev/null; later 1 -n; later 1; later 2; ls .sovereign/runs; sov verify -q
  ASG-1 folder of fence 29, in which nothing ran, would be removed
  ASG-1 folder of fence 29, in which nothing ran, removed
  ASG-1.9
  notes
  $ . ./store; store_enter half; store_run ASG-1 6; ls .sovereign/runs | wc -l
  3

What a crash left beside the pins goes, too, however many ledgers have one there.

  $ . ./store; store_enter pins; store_open; cd; pins=.local/state/sov/pins; for i in $(seq 200); do echo > $pins/$(printf %064x $i); done; echo > $pins/.sov-tmp-1-0; cd pins; sov supervise -n; sov supervise; sov supervise; sov supervise --json=act,path | cut -c1-40; sov project -q; find ../$pins -name '.sov-tmp-*'
  1 left-over files beside the pins would be removed
  1 left-over files beside the pins removed
  {"schema":"sov.supervise.v1","data":[],"
  19
