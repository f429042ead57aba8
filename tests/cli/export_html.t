The report for an auditor: every view in one HTML file, from a fold of the log. A stranger reads it.

  $ sov demo store > out && mv store/.sovereign store/* . && sov project -q > published; echo 'exec /usr/bin/python3 $SRC/tests/outside/report.py "$@"' > read
  $ sov export --format html -o r.html; stat -c '%a %n' r.html; sh read r.html; sov export --format html -o r.html --json | sed 's/"size".*//'
  exported 9 pages of 95 events to r.html
  644 r.html
  11 sections, 33 ids, 51 links, 44 tables, 15 frames
  {"schema":"sov.export.v1","data":{"format":"html","file":"r.html","checkpoint":null,"events":95,"pages":9,
  $ for id in contents policy actor-verifier OUT-1 SOW-1 checkpoint ASG-1 RCP-1 EFF-1 VER-1 EVD-1 REV-1 ACC-1; do grep -o "id=\"$id\"" r.html; done | wc -l; grep -ciE '<script|src=|href="[^#]|url\(|@import|http://|https://' r.html
  13
  0
  ? 1

Its words are those of the views: what a page says, the published view says.

  $ for v in outcomes/OUT-1 sows/SOW-1 policy actors/principal; do grep -c -F "$(tail -n 1 governance/$v.md)" r.html; done
  1
  1
  1
  1

Equal logs give equal octets, whoever asks, and wherever the log lies: here, or published in a clone.

  $ sov export --format html -o a.html -q; cmp a.html r.html; (umask 077; LC_ALL=de_DE.UTF-8 LANG=tr_TR.UTF-8 TZ=Asia/Tokyo COLUMNS=20 NO_COLOR=1 sov export --format html -o b.html -q --ascii); cmp b.html r.html; stat -c '%a %n' b.html
  644 b.html
  $ sov export OUT-1 --format html -o o.html -q; git init -q clone && cp -r governance clone && cd clone && export SOV_DIR=$PWD && sov export --format html -o c.html -q; cmp c.html ../r.html; sov export OUT-1 --format html -o o.html -q; cmp o.html ../o.html; ls -A
  note: no ledger file here; this is the published log, size 95
  note: no ledger file here; this is the published log, size 95
  .git
  c.html
  governance
  o.html

What is derived beside the log is not asked: with other words in a table the report is the same.

  $ sqlite3 .sovereign/organization.db "UPDATE state_outcome SET title = 'Tampered'"; sov export --format html -o t.html -q; cmp t.html r.html; sov rebuild -q

It ends with what checks it, as it stands there: the signed root, event 1, the ledger.

  $ for n in 1 2 3; do sh read r.html code $n; done > check; sed 's/[0-9a-f]\{64\}/HEX/' check | tail -n 2; mkdir t; export TMPDIR=$PWD/t; sh check | grep -v '^exported\|^ledger' | sed 's/[0-9a-f]\{64\}/HEX/'; cd t/*; cmp checkpoint ../../governance/checkpoints/$(sed -n 2p checkpoint); sed -n 1p checkpoint | grep -c "$(sha256sum < event-1 | cut -c 1-64)"; cmp again.html ../../r.html
  sov verify --ledger-id HEX --checkpoint "$t/checkpoint"
  sov export --format html -o "$t/again.html"
  Signature Verified Successfully
  HEX  event-1
  event 1 names that key
  anchor   checkpoint at 95: a prefix of this log
  anchor   pin at 95: a prefix of this log
  ok
  1
  $ sed 's/^[0-9][0-9]*$/1&/' check > other && sh other 2>&1 | grep -c 'Verification Failure'
  1

An actor may be called what a page or an account is called: it is asked for, and asked for again, by its whole name.

  $ export HOME=$PWD/home; for a in readme policy cash; do sov actor add $a --kind person --provider human --role operator --actor principal -q; sov export actor/$a --format html -o p.html -q; grep -o '<section id="[^"]*"' p.html | tr '\n' ' '; grep '^sov export' p.html | sed 's/<.*//'; done; sov export cash --format html -o p.html; sov export actor/cash --format html -o p.html
  readme
  <section id="contents" <section id="actor-readme" <section id="checkpoint" sov export actor/readme --format html -o &quot;$t/again.html&quot;
  policy
  <section id="contents" <section id="actor-policy" <section id="checkpoint" sov export actor/policy --format html -o &quot;$t/again.html&quot;
  cash
  <section id="contents" <section id="actor-cash" <section id="checkpoint" sov export actor/cash --format html -o &quot;$t/again.html&quot;
  sov: invalid: cash is actor/cash and account/cash: write the one that is meant
    why      a value is not one that this field may have [bad_value]
    inspect  sov help export
    next     correct the value
  exported 1 page of 98 events to p.html

Of one thing: its page and what that links to, with who they are; of what has no page, those on which it stands.

  $ for ref in SOW-1 RCP-1 ACC-1 operator 95; do sov export $ref --format html -o p.html -q; sh read p.html > counts || cat counts; echo "$ref: $(grep -o '<section id="[^"]*"' p.html | sed 's/.*="//; s/"//' | tr '\n' ' ')"; done; sed -n 's/<title>\(.*\)<.title>/\1/p' p.html; grep '^sov export' p.html
  SOW-1: contents actor-master actor-operator actor-principal actor-sparring actor-verifier OUT-1 SOW-1 checkpoint 
  RCP-1: contents actor-master actor-operator actor-principal actor-sparring actor-verifier OUT-1 SOW-1 checkpoint 
  ACC-1: contents actor-master actor-operator actor-principal actor-sparring actor-verifier OUT-1 SOW-1 SOW-2 checkpoint 
  operator: contents actor-operator checkpoint 
  95: contents actor-master actor-operator actor-principal actor-sparring actor-verifier OUT-1 SOW-1 SOW-2 checkpoint 
  95 in the record of The store
  sov export 95 --format html -o &quot;$t/again.html&quot;</pre></section></main></body></html>

Text from outside has no power in it.

  $ C='{"id":"a","kind":"file-exists","params":{"path":"a"}}'; H=$(printf '</title></style></pre><script>alert(1)</script><!-- \342\200\256desrever\342\200\254 \033[31m "onx=" &amp; javascript:x @everyone #12 http://evil.example \360\237\215\265\357\273\277'); export HOME=$PWD/home; sov outcome new "$H" --desired "$H" --check "$C" --actor principal -q && sov outcome revise OUT-2 --desired "$H
  > </pre></section>$H" --reason "$H" --actor principal -q
  OUT-2
  OUT-2
  $ sov export --format html -o h.html -q; sh read h.html; grep -c '<script\|<!--\|</title></style>' h.html; grep -o '<td>&lt;/title&gt;.*FEFF›' h.html
  15 sections, 37 ids, 57 links, 50 tables, 17 frames
  0
  <td>&lt;/title&gt;&lt;/style&gt;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- ‹U+202E›desrever‹U+202C› ‹U+001B›[31m &quot;onx=&quot; &amp;amp; javascript:x @everyone #12 http://evil.example 🍵‹U+FEFF›

Wrong use is 2, what is not there 3, a folder in its place 4, what is not as it was signed 6; each gives no file and changes none.

  $ echo kept > kept; for a in "--format html" "--format html -o -" "NO-1 --format html -o x" "SIG-1 --format html -o x" "1 --format html -o x" "OUT-9 --format html -o x" "OUT-1 --format html -o x --since 3" "OUT-1 --format html -o x --sign-key y" "--format html -o governance" "OUT-1 SOW-1 --format html -o x" "--format html -o no/x" "SIG-1 --format html -o kept"; do sov export $a > said 2>&1; echo "$? $(head -1 said)"; done; cat kept; ls -A | grep '^x$\|tmp'
  2 sov: invalid: --format html needs -o FILE
  2 sov: invalid: --format html needs -o FILE
  3 sov: not found: nothing is called NO-1
  2 sov: invalid: --format html: SIG-1 stands on no page
  2 sov: invalid: --format html: 1 stands on no page
  3 sov: not found: there is no OUT-9
  2 sov: invalid: --since goes with jsonl and cloudevents
  2 sov: invalid: --sign-key goes with --format intoto
  4 sov: denied: governance is not a regular file
  2 sov: invalid: export takes no SOW-1
  3 sov: not found: no file no
  2 sov: invalid: --format html: SIG-1 stands on no page
  kept
  ? 1
  $ g=$(sqlite3 .sovereign/organization.db "SELECT sql FROM sqlite_schema WHERE name = 'event_no_update'"); sqlite3 .sovereign/organization.db "DROP TRIGGER event_no_update; UPDATE event SET octets = CAST(replace(CAST(octets AS TEXT), 'evil.example', 'good.example') AS BLOB) WHERE instr(octets, 'evil.example'); $g"; sov export --format html -o kept -q > said 2>&1; echo "$? $(head -1 said)"; cat kept; ls -A | grep tmp
  6 sov: integrity: the events do not give the root of the checkpoint of size 100
  kept
  ? 1
