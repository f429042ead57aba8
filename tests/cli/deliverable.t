A deliverable that was edited behind the run, replaced by a link or taken away: nobody accepts it
before it is again what the receipt says.

  $ echo '. "$SRC/tests/faults/store.sh"' >store
  $ . ./store; store_enter shop; store_to_assignment; store_run ASG-1 6; store_judged SOW-1 OUT-1; find .sovereign/runs -name report.json
  .sovereign/runs/ASG-1.29/ws/out/report.json
  $ . ./store; store_enter shop; file=.sovereign/runs/ASG-1.29/ws/out/report.json; cp $file kept.json
  > for what in edited link gone whole; do rm -f $file
  >   case $what in edited) echo x >$file ;; link) ln -s $PWD/kept.json $file ;; whole) cp kept.json $file ;; esac
  >   echo "-- $what"; sov accept OUT-1 --actor principal
  > done
  -- edited
  sov: denied: OUT-1 is refused at 1 of 36 gates
    why      SOW-1: report.json [deliverable_changed]
    inspect  sov show OUT-1
    next     sov verify
  -- link
  sov: denied: OUT-1 is refused at 1 of 36 gates
    why      SOW-1: report.json [deliverable_changed]
    inspect  sov show OUT-1
    next     sov verify
  -- gone
  sov: denied: OUT-1 is refused at 1 of 36 gates
    why      SOW-1: report.json [deliverable_changed]
    inspect  sov show OUT-1
    next     sov verify
  -- whole
  ACC-1 accepted OUT-1 (seq 51)
    stock-available       holds
    restock-posted        holds
    restock-present       holds
