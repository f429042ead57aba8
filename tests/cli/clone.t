A clone has governance/ and no ledger file. The published log is enough to derive everything again.

  $ cat > judge <<'END'
  > said=$(sov verify "$@")
  > status=$?
  > echo "$said" | sed 's/root [0-9a-f]*/root R/'
  > exit $status
  > END
  $ mkdir shop && cd shop && git init -q && SOV_TEST_SEED=shop sov init --name Shop -q > ../id; sov subject declare SKU-TEA --fact cost=120 --actor principal -q; sov project -q; git add governance sovereign.json; git -c user.name=a -c user.email=a@b commit -q -m published
  SKU-TEA
  13
  $ (umask 002; git clone -q shop group); (umask 077; git clone -q shop private)
  $ cd private; export HOME=/nonexistent; sh ../judge --projections
  ledger   d3de617d  13 events  root R  (trusted on first use)
  mode     published log (no ledger file here), published size 13
  anchor   git at 13: 2 checkpoints, all prefixes of this log
  views    15 files equal, published size 13
  ok
  $ cd group; find . -name .git -prune -o -print | sort | xargs stat -c '%n %a %s' > ../before; sh ../judge --projections --no-anchor --ledger-id "$(cat ../id)"; find . -name .git -prune -o -print | sort | xargs stat -c '%n %a %s' | cmp - ../before
  ledger   d3de617d  13 events  root R  (as asked)
  mode     published log (no ledger file here), published size 13
  anchor   pin at 13: a prefix of this log
  anchor   git at 13: 2 checkpoints, all prefixes of this log
  views    15 files equal, published size 13
  ok
  $ cd group; sov verify --no-anchor --json=verdict,exit,mode,size,published_size,identity,unanchored_tail | sed 's/,"warnings.*//'
  {"schema":"sov.verify.v1","data":{"verdict":"ok","exit":0,"mode":"published","size":13,"published_size":13,"identity":"pinned","unanchored_tail":0}
  $ cd group; sh ../judge --no-anchor --checkpoint governance/checkpoints/12
  ledger   d3de617d  13 events  root R  (pinned)
  mode     published log (no ledger file here), published size 13
  anchor   checkpoint at 12: a prefix of this log
  anchor   pin at 13: a prefix of this log
  anchor   git at 13: 2 checkpoints, all prefixes of this log
  ok
  $ cd group; sov verify --ledger-id 0000000000000000000000000000000000000000000000000000000000000000 -q
  FORK        seq 1  this is another ledger than asked for
  no: 1 finding (FORK 1); next: keep both sides
  ? 6

Where the ledger file is, its published log can be judged alone.

  $ cd shop; sov verify --projections --published | sed -n '2p;$p'
  mode     published log (the ledger file was not asked), published size 13
  ok
  $ cd shop; sov heartbeat till --actor operator -q; sov verify --published -q; sov verify | sed -n '1p;2p' | sed 's|root [0-9a-f]*|root X|'
  till
  ledger   d3de617d  14 events  root X  (pinned)
  anchor   pin at 13: a prefix of this log

What a checkout can do to files is named by file and line: line ends, a link, a bit; a file too many or too few.

  $ git -c core.autocrlf=true clone -q shop crlf; cd crlf; git -c core.attributesFile=/dev/null check-attr text governance/policy.md; sov verify --projections --no-anchor -q
  governance/policy.md: text: unset
  $ cd crlf; sed -i 's/$/\r/' governance/log/1-12.jsonl governance/policy.md; sov verify --projections --no-anchor -q
  DRIFT       governance/log/1-12.jsonl:1  has lines that end in CR LF: a checkout changed them
  DRIFT       governance/policy.md:1  has lines that end in CR LF: a checkout changed them
              expected  # Policy
              found     # Policy‹U+000D›
  no: 2 findings (DRIFT 2); next: sov rebuild
  ? 1
  $ cd group; chmod +x governance/policy.md; ln -sf ../README.md governance/actors/master.md; touch governance/more.md; rm governance/policy.json; sov verify --projections --no-anchor -q; git checkout -q .; chmod -x governance/policy.md; rm governance/more.md; sov verify --projections --no-anchor -q
  DRIFT       governance/actors/master.md  is a link where a file or folder must be
  DRIFT       governance/more.md  does not belong there
  DRIFT       governance/policy.json  is missing
  DRIFT       governance/policy.md  has another mode
              expected  0644
              found     0775
  no: 4 findings (DRIFT 4); next: sov rebuild

What is wrong with the log itself is no drift.

  $ cd group; sed -i '5s/sparring/operator/' governance/log/1-12.jsonl; sov verify --projections --no-anchor | grep -v '^ledger\|^mode'; git checkout -q .
  anchor   pin at 13: no prefix of this log
  anchor   git at 13: not all are prefixes of this log
  note     git: 2 checkpoints in the history are no prefix of this log, 0 are ahead of it
  TAMPER      seq 1  events 1 to 12 do not give the root of the checkpoint of size 12
  FORK        governance/checkpoints/12  seq 12  a checkpoint in the git history is no prefix of this log
  FORK        seq 13  the root that the pin holds is no prefix of this log
  DRIFT       governance/actors/sparring.json:18  is not what the events give
              expected    "role": "operator",
              found       "role": "sparring",
  DRIFT       governance/actors/sparring.md:7  is not what the events give
              expected  | robot | operator | scripted |  | 5 |
              found     | robot | sparring | scripted |  | 5 |
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 6 findings (TAMPER 1, FORK 2, DRIFT 2, UNANCHORED 1); next: keep the file, compare with the published log
  $ cd group; sed -i '7d' governance/log/1-12.jsonl; sov verify --no-anchor -q; git checkout -q .
  TAMPER      seq 7  the octets at 7 say seq 8
  TAMPER      seq 8  the octets at 8 say seq 9
  TAMPER      seq 9  the octets at 9 say seq 10
  TAMPER      seq 10  the octets at 10 say seq 11
  TAMPER      seq 11  the octets at 11 say seq 12
  TAMPER      seq 11  the signature of event 11 does not hold: the key kd4928373354953235379e7be is not registered for this actor
  TAMPER      seq 12  a checkpoint of size 13 is there, events only up to 11
  TAMPER      governance/log  seq 12  an event is in no segment; what follows was not read
  TAMPER      governance/log/1-12.jsonl:12  seq 12  there are fewer lines than the file's name says
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 10 findings (TAMPER 9, UNANCHORED 1); next: keep the file, compare with the published log
  $ cd group; rm governance/log/13-13.jsonl; sov verify --no-anchor -q; git checkout -q .
  TAMPER      seq 13  a checkpoint of size 13 is there, events only up to 12
  TAMPER      governance/log  seq 13  an event is in no segment; what follows was not read
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 3 findings (TAMPER 2, UNANCHORED 1); next: keep the file, compare with the published log
  $ cd group; sed -i 's/^[A-Za-z0-9+/]*=$/47DEQpj8HBSa+\/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=/' governance/checkpoints/12; sov verify --no-anchor -q; git checkout -q .
  TAMPER      governance/checkpoints/12:1  checkpoint: the signature of shop/d3de617ddc52b30d5d736fad68c2f223f279481ba5c2766a4fa7340a7a9fb7c6 does not hold
  no: 1 finding (TAMPER 1); next: keep the file, compare with the published log
  $ cd group; (sed -n '1,12p' governance/log/1-12.jsonl; sed 's/120/121/' governance/log/13-13.jsonl) > governance/log/1-13.jsonl; sov verify --no-anchor -q | cut -c1-110; rm governance/log/1-13.jsonl
  TAMPER      seq 13  events 13 to 13 do not give the root of the checkpoint of size 13
  FORK        seq 13  the root that the pin holds is no prefix of this log
  FORK        governance/checkpoints/13  seq 13  a checkpoint in the git history is no prefix of this log
  FORK        governance/log/13-13.jsonl:1  seq 13  two segments hold other octets for the same event
              expected  {"actor":"principal","at":"2026-01-01T00:00:00.000Z","data":{"facts":{"cost":121}},"seq"
              found     {"actor":"principal","at":"2026-01-01T00:00:00.000Z","data":{"facts":{"cost":120}},"seq"
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 5 findings (TAMPER 1, FORK 3, UNANCHORED 1); next: keep the file, compare with the published log

Whoever only reads, reads it too, and is told so; a record that is wrong shows nothing.

  $ cd private; sov status 2>&1 | sed 's|root [0-9a-f]*|root R|'; sov log --last 1 --json 2>&1 | sed 's/.*"warnings"/"warnings"/; s/,"ledger".*//'; sov log --last 1 -q | cut -c1-40; sov show policy 2>/dev/null | head -n 1; sov why 13 2>&1 | cut -c1-70; sov ready --actor operator
  note: no ledger file here; this is the published log, size 13
  last decisions
  12  principal  policy.adopted  policy  (the default policy of the founding)
  size 13  root R  published 13  pinned at 13
  "warnings":["note: no ledger file here; this is the published log, size 13"]
  note: no ledger file here; this is the published log, size 13
      13  2026-01-01T00:00:00.000Z  princi
  self  -  12  the default policy of the founding
  note: no ledger file here; this is the published log, size 13
      13  principal  person   subject.declared       SKU-TEA  
  note: no ledger file here; this is the published log, size 13
  $ cd private; sov heartbeat till --actor operator 2>&1 | sed "s|$PWD|PWD|"; sov project 2>&1 | head -n 2 | sed "s|$PWD|PWD|"
  sov: not found: there is no ledger in PWD and the folders above it
    why      no ledger was found where this command looks for one [no_ledger]
    inspect  sov doctor
    next     sov init
  sov: not found: there is no ledger in PWD and the folders above it
    why      no ledger was found where this command looks for one [no_ledger]
  $ cd private; sed -i 's/120/121/' governance/log/13-13.jsonl; sov status; git checkout -q .
  sov: integrity: the root of the stored compact range is not the newest checkpoint's
    why      the newest signed checkpoint and the events do not agree [head_mismatch]
    inspect  sov verify
    next     keep the file, compare with the published log
  $ cd private; rm -r governance/actors; echo x >> governance/policy.md; touch governance/more.md; sov rebuild -n; sov rebuild; sov rebuild; git status --short; sov verify --projections --no-anchor -q; ls ../.local/state/sov/pins | grep -c '^[0-9a-f]*$'
  note: no ledger file here; this is the published log, size 13
  read 13 events
    governance/policy.md
    governance/actors/master.md
    governance/actors/master.json
    governance/actors/operator.md
    governance/actors/operator.json
    governance/actors/principal.md
    governance/actors/principal.json
    governance/actors/sparring.md
    governance/actors/sparring.json
    governance/actors/verifier.md
    governance/actors/verifier.json
    governance/more.md
  note: no ledger file here; this is the published log, size 13
  read 13 events
    governance/policy.md
    governance/actors/master.md
    governance/actors/master.json
    governance/actors/operator.md
    governance/actors/operator.json
    governance/actors/principal.md
    governance/actors/principal.json
    governance/actors/sparring.md
    governance/actors/sparring.json
    governance/actors/verifier.md
    governance/actors/verifier.json
    governance/more.md
  note: no ledger file here; this is the published log, size 13
  read 13 events
  1

Nothing published is nothing to judge, and that is never success.

  $ mkdir empty; cd empty; sov verify --projections --no-anchor; sov verify -q
  ABSENT      nothing is published here
  no: 1 finding (ABSENT 1); next: fix the path or the checkout
  ABSENT      nothing is published here
  no: 1 finding (ABSENT 1); next: fix the path or the checkout
  ? 3
