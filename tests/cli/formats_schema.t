What is said to machines fits what they publish of their formats; a document that does not is refused by the same judge.

  $ python3 -c 'import jsonschema' && command -v xmllint > /dev/null && git init -q shop; cd shop; SOV_TEST_SEED=shop sov init --name Shop -q > ../id; sov subject declare SKU-TEA --fact cost=120 --actor principal -q; sov project -q; git add governance; git -c user.name=a -c user.email=a@b commit -q -m published; cd ..; git clone -q shop good; git clone -q shop bad
  SKU-TEA
  13

One tree that is right, one with an edit, a stray name that tries to end lines and attributes, a broken segment, a link and a file gone.

  $ cd bad; sed -i 's/^# Policy/# policy <a> %25/' governance/policy.md; touch "$(printf 'governance/a,b:%%\n<x>&"\047\033[1m.md')" "$(printf 'governance/\377 [[x]] @all.md')"; sed -i 's/120/121/' governance/log/13-13.jsonl; rm governance/policy.json; ln -sf README.md governance/README.json; chmod 755 governance/.gitattributes; cd ..; for tree in good bad; do cd $tree; mkdir ../$tree.out; r=../$tree.out; sov verify --projections -q --report sarif=$r/sarif --report junit=$r/junit --report gitlab=$r/gitlab --report rdjsonl=$r/rdf.jsonl --report github=$r/github > $r/text; echo $?; cd ..; done; ls bad.out; grep -c . bad.out/rdf.jsonl
  0
  6
  github
  gitlab
  junit
  rdf.jsonl
  sarif
  text
  10
  $ f="python3 $SRC/tests/outside/fits.py $SRC/fixtures/schemas/public"; $f/sarif-2.1.0.json good.out/sarif bad.out/sarif; $f/gitlab-codequality.json good.out/gitlab bad.out/gitlab; $f/rdjson-diagnostic.json good.out/rdf.jsonl bad.out/rdf.jsonl; xmllint --nonet --noout --schema "$SRC/fixtures/schemas/public/junit.xsd" good.out/junit bad.out/junit
  good.out/sarif fits
  bad.out/sarif fits
  good.out/gitlab fits
  bad.out/gitlab fits
  good.out/rdf.jsonl fits
  bad.out/rdf.jsonl fits
  good.out/junit validates
  bad.out/junit validates

An annotation is one line, each property escaped, the message too.

  $ cat > annotations <<'END'
  > function whole(text, also) { # each % begins one of the escapes, and what they stand for is not there
  >     gsub(also ? "%(25|0D|0A|3A|2C)" : "%(25|0D|0A)", "", text)
  >     return text !~ (also ? "[%:,]" : "%") && text !~ /[\r]/
  > }
  > {   n = index(substr($0, 3), "::"); head = substr($0, 3, n - 1); message = substr($0, n + 4); ok = n && /^::/
  >     space = index(head, " "); command = space ? substr(head, 1, space - 1) : head
  >     if (command !~ /^(error|warning|notice)$/ || !length(message) || !whole(message, 0)) ok = 0
  >     m = space ? split(substr(head, space + 1), pair, ",") : 0
  >     for (i = 1; i <= m; i++) { at = index(pair[i], "=")
  >         if (substr(pair[i], 1, at - 1) !~ /^(file|line|endLine|col|endColumn|title)$/ || !whole(substr(pair[i], at + 1), 1)) ok = 0
  >         if (pair[i] ~ /^(line|col)=/ && pair[i] !~ /=[1-9][0-9]*$/) ok = 0 }
  >     if (!ok) { print "NO: " $0; bad = 1 } }
  > END { print NR; exit bad }
  > END
  $ awk -f annotations good.out/github; awk -f annotations bad.out/github; printf '::error file=a:b,line=1::x\n::error file=a,line=0::x\n::error file=a::50%% off\n::error what=a::x\n::set-output name=a::x\nplain\n::error file=a%%2Cb,line=3::50%%25\n' | awk -f annotations
  1
  11
  NO: ::error file=a:b,line=1::x
  NO: ::error file=a,line=0::x
  NO: ::error file=a::50% off
  NO: ::error what=a::x
  NO: ::set-output name=a::x
  NO: plain
  7
  ? 1

Broken ones: each edit is refused.

  $ edit() { for e in "$@"; do n=$((n + 1)); sed "$e" bad.out/$k > broken/$n.$k; cmp -s bad.out/$k broken/$n.$k && echo "no edit: $e"; done; }
  > mkdir broken; f="python3 $SRC/tests/outside/fits.py $SRC/fixtures/schemas/public"
  > k=sarif; n=10; edit 's/"version":"2.1.0"/"version":"2.0.0"/' 's/"runs"/"run"/' 's/"message":{"text"/"message":{"txt"/' 's/"level":"error","message"/"level":"fatal","message"/' 's/"startLine":1/"startLine":0/' 's|"uri":"gov|"uri":"/gov|' 's|"uri":"gov|"uri":"../gov|' 's/%0A/%0a/' 's/"locations":\[/"locations":[],"x":[/' 's/"primaryLocationLineHash":"[0-9a-f]*"/"primaryLocationLineHash":1/' 's/"name":"sov",//' 's/"id":"TAMPER",//' 's/"semanticVersion":"/&v/'; $f/sarif-2.1.0.json broken/*.sarif | grep -c ' fits$'
  > k=gitlab; n=10; edit 's/"severity":"blocker"/"severity":"fatal"/' 's/"fingerprint":"[0-9a-f]*",//' 's/"begin":1/"begin":0/' 's|"path":"gov|"path":"./gov|' 's/"lines":/"line":/' 's/^\[\(.*\)\]$/{"issues":[\1]}/' 's/"description":"[^"]*",//'; $f/gitlab-codequality.json broken/*.gitlab | grep -c ' fits$'
  > k=rdf.jsonl; n=10; edit 's/"severity":"ERROR"/"severity":"FATAL"/' 's/"path":"[^"]*",//' 's/"line":1/"line":0/' 's/"message"/"text"/' 's/"start"/"begin"/'; $f/rdjson-diagnostic.json broken/*.rdf.jsonl | grep -c ' fits$'
  > k=junit; n=10; edit 's/ name="place"//' 's/name="file"/name="place"/' 's/<testcase /<testcase host="x" /' 's/tests="[0-9]*"/tests="-1"/' 's/<skipped[^>]*>/&&/' 's/&#60;/</' 's/<testsuites/<suites/' 's/name="schema">/&<failure>x<\/failure>/'; for b in broken/*.junit; do xmllint --nonet --noout --schema "$SRC/fixtures/schemas/public/junit.xsd" $b 2> /dev/null && echo "$b fits"; done; ls broken | wc -l
  0
  0
  0
  33
