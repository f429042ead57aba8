Findings for the machines that show them: exact shapes, nothing of the record begins a line or ends an attribute.

  $ git init -q shop; cd shop; SOV_TEST_SEED=shop sov init --name Shop -q > ../id; sov subject declare SKU-TEA --fact cost=120 --actor principal -q; sov project -q; git add governance; git -c user.name=a -c user.email=a@b commit -q -m published; cd ..; git clone -q shop c
  SKU-TEA
  13
  $ cd c; sed -i 's/^# Policy/# policy <a> %25/' governance/policy.md; touch "$(printf 'governance/a,b:%%\n<x>&"\047\033[1m.md')"; sed -i 's/120/121/' governance/log/13-13.jsonl; sov verify --projections --no-anchor | grep -v '^ledger' | sed 's/ of the checkpoint.*//'
  mode     published log (no ledger file here), published size 13
  anchor   pin at 13: no prefix of this log
  anchor   git at 13: not all are prefixes of this log
  TAMPER      seq 13  events 13 to 13 do not give the root
  FORK        seq 13  the root that the pin holds is no prefix of this log
  FORK        governance/checkpoints/13  seq 13  a checkpoint in the git history is no prefix of this log
  DRIFT       governance/a,b:%‹U+000A›<x>&"'‹U+001B›[1m.md  does not belong there
  DRIFT       governance/policy.md:1  is not what the events give
              expected  # Policy
              found     # policy <a> %25
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 6 findings (TAMPER 1, FORK 2, DRIFT 2, UNANCHORED 1); next: keep the file, compare with the published log
  $ cd c; sov verify --projections --no-anchor --format github
  ::error file=governance/log/13-13.jsonl,line=1,col=1,title=sov TAMPER::events 13 to 13 do not give the root of the checkpoint of size 13
  ::error file=governance/log/13-13.jsonl,line=1,col=1,title=sov FORK::the root that the pin holds is no prefix of this log
  ::error file=governance/checkpoints/13,line=1,col=1,title=sov FORK::a checkpoint in the git history is no prefix of this log
  ::error file=governance/a%2Cb%3A%25‹U+000A›<x>&"'‹U+001B›[1m.md,line=1,col=1,title=sov DRIFT::does not belong there
  ::error file=governance/policy.md,line=1,col=1,title=sov DRIFT::is not what the events give; expected: # Policy; found: # policy <a> %2525
  ::error file=governance/README.md,line=1,col=1,title=sov UNANCHORED::no anchor outside the ledger vouches for it
  ::notice title=sov::no, published, size 13, published size 13
  ? 6
  $ cd c; GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=../summary sov verify --projections --no-anchor > ../actions; sov verify --projections --no-anchor --format github | cmp - ../actions; cat ../summary; GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=../summary sov verify --no-anchor -q > ../actions; grep -c '^### sov verify: no' ../summary; wc -c < ../summary
  ### sov verify: no

  published, size 13, published size 13

  | class | where | seq | what |
  |---|---|---|---|
  | TAMPER | governance\/log\/13\-13\.jsonl:1 | 13 | events 13 to 13 do not give the root of the checkpoint of size 13 |
  | FORK | governance\/log\/13\-13\.jsonl:1 | 13 | the root that the pin holds is no prefix of this log |
  | FORK | governance\/checkpoints\/13:1 | 13 | a checkpoint in the git history is no prefix of this log |
  | DRIFT | governance\/a\,b\:\%‹U\+000A›&#60;x&#62;&#38;\"\'‹U\+001B›\[1m\.md:1 |  | does not belong there |
  | DRIFT | governance\/policy\.md:1 |  | is not what the events give\; expected\: &#35; Policy\; found\: &#35; policy &#60;a&#62; \%25 |
  | UNANCHORED | governance\/README\.md:1 |  | no anchor outside the ledger vouches for it |
  2
  1306
  $ cd c; GITHUB_ACTIONS=true sov verify --json --no-anchor | cut -c1-25
  {"schema":"sov.verify.v1"
  $ cd c; sov verify --projections --no-anchor --format rdjsonl
  {"message":"events 13 to 13 do not give the root of the checkpoint of size 13","location":{"path":"governance/log/13-13.jsonl","range":{"start":{"line":1,"column":1}}},"severity":"ERROR","source":{"name":"sov"},"code":{"value":"TAMPER"}}
  {"message":"the root that the pin holds is no prefix of this log","location":{"path":"governance/log/13-13.jsonl","range":{"start":{"line":1,"column":1}}},"severity":"ERROR","source":{"name":"sov"},"code":{"value":"FORK"}}
  {"message":"a checkpoint in the git history is no prefix of this log","location":{"path":"governance/checkpoints/13","range":{"start":{"line":1,"column":1}}},"severity":"ERROR","source":{"name":"sov"},"code":{"value":"FORK"}}
  {"message":"does not belong there","location":{"path":"governance/a,b:%\n<x>&\"'\u001b[1m.md","range":{"start":{"line":1,"column":1}}},"severity":"ERROR","source":{"name":"sov"},"code":{"value":"DRIFT"}}
  {"message":"is not what the events give; expected: # Policy; found: # policy <a> %25","location":{"path":"governance/policy.md","range":{"start":{"line":1,"column":1}}},"severity":"ERROR","source":{"name":"sov"},"code":{"value":"DRIFT"}}
  {"message":"no anchor outside the ledger vouches for it","location":{"path":"governance/README.md","range":{"start":{"line":1,"column":1}}},"severity":"ERROR","source":{"name":"sov"},"code":{"value":"UNANCHORED"}}
  ? 6
  $ cd c; sov verify --projections --no-anchor --format gitlab
  [{"description":"events 13 to 13 do not give the root of the checkpoint of size 13","check_name":"sov/TAMPER","fingerprint":"5fc8fb3c93a3ad069d5f2ab8ede7bd03","severity":"blocker","location":{"path":"governance/log/13-13.jsonl","lines":{"begin":1}}},{"description":"the root that the pin holds is no prefix of this log","check_name":"sov/FORK","fingerprint":"53837715b1a4cb54ebb8466b16fd9948","severity":"blocker","location":{"path":"governance/log/13-13.jsonl","lines":{"begin":1}}},{"description":"a checkpoint in the git history is no prefix of this log","check_name":"sov/FORK","fingerprint":"1663908411332e762c937d2ad2ebf8d2","severity":"blocker","location":{"path":"governance/checkpoints/13","lines":{"begin":1}}},{"description":"does not belong there","check_name":"sov/DRIFT","fingerprint":"4ec4d2a870ca9e5810852982c327bea3","severity":"major","location":{"path":"governance/a,b:%\n<x>&\"'\u001b[1m.md","lines":{"begin":1}}},{"description":"is not what the events give; expected: # Policy; found: # policy <a> %25","check_name":"sov/DRIFT","fingerprint":"6cb83828e1aab89e0fe1737000fff607","severity":"major","location":{"path":"governance/policy.md","lines":{"begin":1}}},{"description":"no anchor outside the ledger vouches for it","check_name":"sov/UNANCHORED","fingerprint":"33a3f1e6d3e0242a154ce48038dc4481","severity":"minor","location":{"path":"governance/README.md","lines":{"begin":1}}}]
  ? 6
  $ cd c; sov verify --projections --no-anchor --format sarif > ../sarif; perl -MJSON::PP -0777 -ne '$j = JSON::PP->new->canonical->pretty->indent_length(1); $d = decode_json($_); print $j->encode($d->{runs}[0]{results}[-1]); $r = $d->{runs}[0]{tool}{driver}{rules}; print join(" ", map { $_->{id} } @$r), "\n"; print join(" ", map { $r->[$_->{ruleIndex}]{id} eq $_->{ruleId} ? "same" : "other" } @{$d->{runs}[0]{results}}), "\n"; print "$d->{version} $d->{q($schema)} $d->{runs}[0]{tool}{driver}{name} ", join(",", sort keys %{$r->[0]}), "\n"' ../sarif
  {
   "level" : "error",
   "locations" : [
    {
     "physicalLocation" : {
      "artifactLocation" : {
       "uri" : "governance/README.md"
      },
      "region" : {
       "startLine" : 1
      }
     }
    }
   ],
   "message" : {
    "text" : "no anchor outside the ledger vouches for it"
   },
   "partialFingerprints" : {
    "primaryLocationLineHash" : "33a3f1e6d3e0242a154ce48038dc4481"
   },
   "ruleId" : "UNANCHORED",
   "ruleIndex" : 8
  }
  TAMPER SCHEMA ROLLBACK FORK STATE CORRUPT ABSENT DRIFT UNANCHORED
  same same same same same same
  2.1.0 https://json.schemastore.org/sarif-2.1.0.json sov defaultConfiguration,fullDescription,help,id,shortDescription
  $ cd c; sov verify --projections --no-anchor --format junit > ../junit; grep -v 'sov.projections.*"/>$' ../junit
  <?xml version="1.0" encoding="UTF-8"?>
  <testsuites name="sov" tests="34" failures="2" errors="2">
    <testsuite name="ledger" tests="14" failures="0" errors="2" skipped="3">
      <testcase classname="sov.ledger" name="place"/>
      <testcase classname="sov.ledger" name="file"><skipped message="not asked"/></testcase>
      <testcase classname="sov.ledger" name="schema"><skipped message="not asked"/></testcase>
      <testcase classname="sov.ledger" name="chain"/>
      <testcase classname="sov.ledger" name="registry"/>
      <testcase classname="sov.ledger" name="fences"/>
      <testcase classname="sov.ledger" name="idempotency"/>
      <testcase classname="sov.ledger" name="causes"/>
      <testcase classname="sov.ledger" name="signatures"/>
      <testcase classname="sov.ledger" name="tree"><error type="TAMPER" message="events 13 to 13 do not give the root of the checkpoint of size 13">TAMPER governance/log/13-13.jsonl:1 seq 13 events 13 to 13 do not give the root of the checkpoint of size 13</error></testcase>
      <testcase classname="sov.ledger" name="checkpoints"/>
      <testcase classname="sov.ledger" name="published"/>
      <testcase classname="sov.ledger" name="anchors"><error type="FORK" message="the root that the pin holds is no prefix of this log">FORK governance/log/13-13.jsonl:1 seq 13 the root that the pin holds is no prefix of this log
  FORK governance/checkpoints/13:1 seq 13 a checkpoint in the git history is no prefix of this log
  UNANCHORED governance/README.md:1 no anchor outside the ledger vouches for it</error></testcase>
      <testcase classname="sov.ledger" name="state"><skipped message="not asked"/></testcase>
    </testsuite>
    <testsuite name="projections" tests="20" failures="2" errors="0" skipped="0">
      <testcase classname="sov.projections" name="governance/a,b:%‹U+000A›&#60;x&#62;&#38;&#34;&#39;‹U+001B›[1m.md" file="governance/a,b:%‹U+000A›&#60;x&#62;&#38;&#34;&#39;‹U+001B›[1m.md"><failure type="DRIFT" message="does not belong there">DRIFT governance/a,b:%‹U+000A›&#60;x&#62;&#38;&#34;&#39;‹U+001B›[1m.md:1 does not belong there</failure></testcase>
      <testcase classname="sov.projections" name="governance/policy.md" file="governance/policy.md"><failure type="DRIFT" message="is not what the events give">DRIFT governance/policy.md:1 is not what the events give; expected: # Policy; found: # policy &#60;a&#62; %25</failure></testcase>
    </testsuite>
  </testsuites>
  $ perl -ne 'BEGIN { $n = 0 } while (m{<(/?)([a-z]+)((?: [a-z]+="[^"<>]*")*)(/?)>|<\?xml[^>]*\?>|([^<]+)}g) { next unless $2; if ($1) { die "unbalanced" unless pop(@s) eq $2 } elsif (!$4) { push @s, $2 } $c{$2}++ unless $1; $n{$1}++ if "$2$3" =~ /^testcase.* name="([^"]*)"/ } END { die "open" if @s; print "$c{testsuites} $c{testsuite} $c{testcase} $c{failure} $c{error} $c{skipped}\n"; print "twice\n" if grep { $_ > 1 } values %n }' junit; LC_ALL=C grep -c '[[:cntrl:]]' junit
  1 2 34 2 2 3
  0
  ? 1

All of them come from one pass, whatever the exit; a good record gives none of it.

  $ cd c; sov verify --projections --no-anchor -q --report sarif=../s --report junit=../j --report gitlab=../g --report rdjsonl=../r --report github=../h > ../out; echo $?; cmp ../s ../sarif; cmp ../j ../junit; cmp ../h ../actions | cut -d: -f1; wc -l < ../r
  6
  ../h ../actions differ
  6
  $ rm -rf c; git clone -q shop c; cd c; sov verify --projections --format gitlab; sov verify --projections --format rdjsonl; sov verify --projections --format github; sov verify --projections --format junit | grep -c '<failure\|<error'; sov verify --format sarif | grep -o '"results":.*'
  []
  ::notice title=sov::ok, published, size 13, published size 13
  0
  "results":[]}]}
  $ mkdir none; cd none; sov verify --format gitlab --no-anchor; sov verify --format junit --no-anchor -q | head -n 6
  [{"description":"nothing is published here","check_name":"sov/ABSENT","fingerprint":"7264d11d19606547b49973cb6051e330","severity":"critical","location":{"path":"governance/README.md","lines":{"begin":1}}}]
  <?xml version="1.0" encoding="UTF-8"?>
  <testsuites name="sov" tests="14" failures="0" errors="1">
    <testsuite name="ledger" tests="14" failures="0" errors="1" skipped="13">
      <testcase classname="sov.ledger" name="place"><error type="ABSENT" message="nothing is published here">ABSENT governance/README.md:1 nothing is published here</error></testcase>
      <testcase classname="sov.ledger" name="file"><skipped message="not asked"/></testcase>
      <testcase classname="sov.ledger" name="schema"><skipped message="not asked"/></testcase>
  $ cd c; sov verify --report xml=x; sov verify --report junit -q 2>&1 | head -n 1; sov verify --format xml 2>&1 | head -n 1; sov verify --json --format junit 2>&1 | head -n 1; sov verify -q --report junit=/nonexistent/x; ls
  sov: invalid: --report xml=x is no FORMAT=FILE of github, sarif, junit, gitlab or rdjsonl
    why      a value is not one that this field may have [bad_value]
    inspect  sov help verify
    next     correct the value
  sov: invalid: --report junit is no FORMAT=FILE of github, sarif, junit, gitlab or rdjsonl
  sov: invalid: verify has no format xml; it has text github sarif junit gitlab rdjsonl
  {"schema":"sov.error.v1","error":{"code":"usage","exit":2,"what":"--json and --format exclude each other","why":"the command was not called as its synopsis says [usage]","inspect":"sov help verify","next":"call it as the synopsis says","retryable":false,"refs":[],"seq":null}}
  sov: not found: no file /nonexistent
    why      the file is not there [no_such_file]
    inspect  ls -l
    next     name a file that is there
  governance
