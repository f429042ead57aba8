A pin stands alone: event 1, the signed checkpoint, and the compact range that gives its root. From it
on a verification reads only what came behind it, and says what it did not look at.

  $ mkdir shop && cd shop && git init -q && SOV_TEST_SEED=shop sov init --name Shop -q >../id; cd ..; pin=.local/state/sov/pins/$(cat id); cut -c1-14 $pin; grep -o '"range":\[[^]]*\]' $pin | grep -o '[0-9a-f]\{64\}' | wc -l; grep -o '"size":.*' $pin; stat -c %a $pin
  {"founding":"{
  2
  "size":12}
  600
  $ cd shop; for id in TEA JAM GIN; do sov subject declare $id --fact cost=1 --actor principal -q; done; sov verify --from-pin | sed 's/root [0-9a-f]*/root R/'; sov verify --from-pin --json=verdict,mode,unanchored_tail | sed 's/,"warnings.*//'
  TEA
  JAM
  GIN
  ledger   d3de617d  15 events  root R  (pinned)
  mode     from the pin: 3 events behind it
  anchor   pin at 12: where this pass began
  note     events 1 to 12 were not read: what lies there now is not judged
  note     nor what rests on them: roster, keys of acts, fences, repeated requests, content, decisions, derived tables, views
  ok since the pin; sov verify judges all of it
  {"schema":"sov.verify.v1","data":{"verdict":"ok","mode":"pin","unanchored_tail":3}

It moves forward by the same rule as from a whole verification.

  $ cd shop; sov verify --from-pin --pin -q; sov status | tail -n 1 | grep -o 'pinned.*'; sov verify --from-pin | sed -n 2,2p
  pinned at 15
  anchor   pin at 15: where this pass began

What came behind the pin and is not what was written is found; what lies before it is for the whole.

  $ cp -r shop changed; cd changed; sov subject declare RUM --fact cost=1 --actor principal -q; sqlite3 .sovereign/organization.db "DROP TRIGGER event_no_update; UPDATE event SET octets = CAST(replace(CAST(octets AS TEXT), 'RUM', 'RAM') AS BLOB) WHERE seq = 16"; sov verify --from-pin -q | grep -v fingerprint; sov verify --from-pin --pin -q >../said; grep -c TAMPER ../said; grep -o '"size":.*' ../.local/state/sov/pins/$(cat ../id)
  RUM
  TAMPER      seq 16  the hash beside event 16 is not that of its octets
  TAMPER      seq 16  events 16 to 16 do not give the root of the checkpoint of size 16
  STATE       the stored compact range is not that of the events
  no: 4 findings (TAMPER 2, SCHEMA 1, STATE 1); next: keep the file, compare with the published log
  3
  "size":15}
  $ cp -r shop past; cd past; sqlite3 .sovereign/organization.db "SELECT sql FROM sqlite_schema WHERE name = 'event_no_update'" >../trigger; sqlite3 .sovereign/organization.db "DROP TRIGGER event_no_update; UPDATE event SET octets = CAST(replace(CAST(octets AS TEXT), 'TEA', 'TAE') AS BLOB) WHERE seq = 13; $(cat ../trigger)"; sov verify --from-pin -q; sov verify -q | grep -c TAMPER
  3

An older copy put back, another ledger's range, an octet changed.

  $ cd shop; cp -r .sovereign ../kept; sov subject declare ALE --fact cost=1 --actor principal -q; sov verify --from-pin --pin -q; rm -r .sovereign; mv ../kept .sovereign; sov verify --from-pin -q
  ALE
  ROLLBACK    seq 16  the pin knows a larger log than this one
  no: 1 finding (ROLLBACK 1); next: restore governance/, or find who put an old copy back
  ? 6
  $ cd shop; pin=../.local/state/sov/pins/$(cat ../id); cp $pin ../pin; for at in 3 400 700 900; do cp ../pin $pin; printf '%s' x | dd of=$pin bs=1 seek=$at conv=notrunc status=none; cp $pin ../damaged; sov verify --from-pin -q; echo $?; sov verify --from-pin --pin -q >/dev/null; cmp $pin ../damaged; done; cp ../pin $pin
  no: 0 findings
  7
  no: 0 findings
  7
  no: 0 findings
  7
  no: 0 findings
  7

Without a pin, or from one of an earlier release, there is nothing to go on from; a whole verification makes one.

  $ cd shop; pin=../.local/state/sov/pins/$(cat ../id); root=$(grep -o '"root":"[^"]*"' $pin); echo "{\"ledger\":\"$(cat ../id)\",$root,\"size\":16}" >$pin; sov status | tail -n 1 | grep -o 'pinned.*'; sov verify --from-pin -q; rm $pin; sov verify --from-pin -q; sov verify --no-anchor --pin -q; sov verify --from-pin -q
  pinned at 16
  UNANCHORED  the pin is of an earlier release and holds no compact range to go on from
  no: 1 finding (UNANCHORED 1); next: sov verify --pin, or --no-anchor to accept it
  UNANCHORED  there is no pin to go on from
  no: 1 finding (UNANCHORED 1); next: sov verify --pin, or --no-anchor to accept it
  $ cd shop; sov verify --from-pin --ledger-id 0000000000000000000000000000000000000000000000000000000000000000 -q; sov verify --from-pin --projections 2>&1 | head -n 1
  FORK        seq 1  this is another ledger than asked for
  no: 1 finding (FORK 1); next: keep both sides
  sov: invalid: --from-pin looks at the newest events of the ledger file alone: of the other flags only --ledger-id and --pin go with it
