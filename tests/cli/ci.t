What is shipped for CI, run as CI runs it: the steps of the action, the workflow, the job, in a clone that has no ledger.

  $ printf '[user]\n  name = a\n  email = a@b\n' > .gitconfig; git init -q -b main shop; cd shop; SOV_TEST_SEED=shop sov init --name Shop -q > ../id; git add governance; git commit -q -m founded; sov outcome new Tea --desired tea --check '{"id":"f","kind":"file-exists","params":{"path":"f.txt"}}' --actor principal -q; sov project -q; git add governance; git commit -q -m tea; sov outcome revise OUT-1 --desired 'much tea' --reason r --actor principal -q; sov project -q; git add governance; git commit -q -m more; git clone -q . ../c
  OUT-1
  13
  OUT-1
  14
  $ cat > act <<'END'
  > # act INPUT=VALUE...: the action in the folder c, all but the install step
  > python3 "$SRC/tests/outside/steps.py" action "${ACTION:-$SRC/action.yml}" github.action_path="$PWD/source" runner.temp="$PWD/temp" "$@" > steps || exit 9
  > rm -f summary; touch summary
  > cd c && PATH=$PWD/../fake:$PATH GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$PWD/../summary GITHUB_PATH=$PWD/../path bash ../steps
  > END
  $ mkdir fake; for name in make sudo; do printf '#!/bin/sh\necho "%s $*" | sed "s|$PWD/..|HERE|g" >> ../made\n' $name > fake/$name; chmod 755 fake/$name; done; printf '#!/bin/sh\ncat "%s"\n' "$PWD/uid" > fake/id; chmod 755 fake/id; echo 0 > uid; sh act; cat made path | sed "s|$PWD|HERE|g; s/-j[0-9]*/-jN/"; grep . summary
  == Install sov
  == Run sov
  ::notice title=sov::ok, published, size 14, published size 14
  make -C HERE/source build-deps
  make -C HERE/source -jN B=HERE/temp/sov-build CFLAGS=-O2 -Wno-error all
  HERE/temp/sov-build
  ### sov verify: ok
  published, size 14, published size 14
  $ rm made; echo 1000 > uid; sh act > out; sed "s|$PWD|HERE|g; s/-j[0-9]*/-jN/" made; rm made; echo 0 > uid
  sudo make -C HERE/source build-deps
  make -C HERE/source -jN B=HERE/temp/sov-build CFLAGS=-O2 -Wno-error all

An edit is marked at its line, fails the step, and stands in the summary; a pull request has one of its events.

  $ cd c; sed -i 's/^# Policy/# policy/' governance/policy.md; git commit -q -a -m edited; cd ..; sh act github.event.pull_request.base.sha="$(git -C shop rev-parse HEAD~1)" 2>&1 | sed "s/$(git -C shop rev-parse HEAD~1)/BASE/"; sed "s/$(git -C shop rev-parse HEAD~1)/BASE/" summary
  == Install sov
  == Run sov
  ::error file=governance/policy.md,line=1,col=1,title=sov DRIFT::is not what the events give; expected: # Policy; found: # policy
  ::notice title=sov::no, published, size 14, published size 14
  == Summary
  note: no ledger file here; this is the published log, size 14
  ### sov verify: no

  published, size 14, published size 14

  | class | where | seq | what |
  |---|---|---|---|
  | DRIFT | governance\/policy\.md:1 |  | is not what the events give\; expected\: &#35; Policy\; found\: &#35; policy |
  ### sov: 1 event since BASE

  Ledger `d3de617d`, size 14; published there: 13. Whether it is true says `sov verify --projections`.

  | seq | actor | event | of | said |
  |---|---|---|---|---|
  | 14 | principal | outcome.revised | OUT\-1 | title\=Tea \(r\) |

A page from before is DRIFT in the shipped recipes, action and job: nothing regenerates it first.

  $ git -C c reset -q --hard HEAD~1; cd c; git checkout -q HEAD~1 -- governance/outcomes; git commit -q -m stale; cd ..; sh act || echo "status $?"; git -C c status --short; git -C c reset -q --hard HEAD~1
  == Install sov
  == Run sov
  ::error file=governance/outcomes/OUT-1.json,line=13,col=1,title=sov DRIFT::is not what the events give; expected:   "definition_digest": "f4b9786a35f628418cf6322640367ec9187c24fdcd103ee05822d330e4aaad51",; found:   "definition_digest": "524c43b691868632a9ea58f41ebc682282a8f7de3174531a6bab64568da3ee5b",
  ::error file=governance/outcomes/OUT-1.md,line=23,col=1,title=sov DRIFT::is not what the events give; expected: | much tea; found: | tea
  ::notice title=sov::no, published, size 14, published size 14
  status 1

Whatever is done to the tree is named, with file and line.

  $ cd c; p=governance/outcomes/OUT-1.md; for act in "sed -i 's/much tea/no tea/' $p" "git checkout -q HEAD~1 -- $p" "rm $p" "cp $p governance/outcomes/OUT-2.md" "chmod 755 $p" "mv $p ../page; ln -s ../../../page $p" "sed -i 's/\$/\r/' $p" "rm governance/log/13-13.jsonl" "rm -r governance/outcomes; ln -s ../actors governance/outcomes" "mv $p governance/outcomes/out-1.md" "printf x >> $p" "sed -i '\$d' $p"; do eval "$act"; sov verify --projections -q --no-anchor | grep -v '^no:' | cut -c1-100; git reset -q --hard; git clean -q -f -d; done
  DRIFT       governance/outcomes/OUT-1.md:23  is not what the events give
              expected  | much tea
              found     | no tea
  DRIFT       governance/outcomes/OUT-1.md:23  is not what the events give
              expected  | much tea
              found     | tea
  DRIFT       governance/outcomes/OUT-1.md  is missing
  DRIFT       governance/outcomes/OUT-2.md  does not belong there
  DRIFT       governance/outcomes/OUT-1.md  has another mode
              expected  0644
              found     0755
  DRIFT       governance/outcomes/OUT-1.md  is a link where a file or folder must be
  DRIFT       governance/outcomes/OUT-1.md:1  has lines that end in CR LF: a checkout changed them
              expected  # OUT-1: Tea
              found     # OUT-1: Tea‹U+000D›
  TAMPER      seq 13  a checkpoint of size 14 is there, events only up to 12
  TAMPER      governance/log  seq 13  an event is in no segment; what follows was not read
  UNANCHORED  no anchor outside the ledger vouches for it
  TAMPER      governance  governance/outcomes is no folder
  DRIFT       governance/outcomes/OUT-1.md  is missing
  DRIFT       governance/outcomes/out-1.md  does not belong there
  DRIFT       governance/outcomes/OUT-1.md:47  is not what the events give
              found     x
  DRIFT       governance/outcomes/OUT-1.md:46  is not what the events give
              expected  Last event: 14 · renderer 1 · sha256:645a8c6d8f20
  $ cd c; git rm -q --cached -r governance; git config core.autocrlf true; rm -r governance; git reset -q --hard; sov verify --projections -q; git config core.autocrlf false; printf '* text eol=crlf\n' > .git/info/attributes; rm -r governance; git reset -q --hard; sov verify --projections -q | cut -c1-100 | head -n 4; rm -r .git/info/attributes governance; git reset -q --hard; sov verify --projections -q
  TAMPER      governance  governance/checkpoints/14: checkpoint: has a control character
  DRIFT       governance/checkpoints/12:1  has lines that end in CR LF: a checkout changed them
  DRIFT       governance/log/1-12.jsonl:1  has lines that end in CR LF: a checkout changed them
  DRIFT       governance/log/13-13.jsonl:1  has lines that end in CR LF: a checkout changed them

Whatever an input holds, it stays words of one command.

  $ for args in 'verify; touch ../ran' 'verify $(touch ../ran)' 'verify `touch ../ran`' 'verify "--projections"' 'verify
  > --projections && touch ../ran' '* --help' '-C .. status'; do sh act args="$args" 2>&1 | sed -n '3p' | cut -c1-36; done; ls ran; for base in '--all' '$(touch ../ran)' "x' y" HEAD; do sh act args=version base="$base" 2>&1 | grep -c 'no summary'; done; ls ran
  sov: invalid: there is no verb verif
  sov: invalid: verify takes no $(touc
  sov: invalid: verify takes no `touch
  sov: invalid: verify takes no "--pro
  sov: invalid: verify takes no &&
  sov: invalid: there is no verb *
  sov: not found: there is no ledger i
  ls: cannot access 'ran': No such file or directory
  1
  1
  1
  0
  ls: cannot access 'ran': No such file or directory
  ? 2

The parser of this test refuses an action that lets an input reach a shell, one without a shell, a key that stands twice.

  $ for e in 's/"\$SOV_ARGS"/"${{ inputs.args }}"/' '0,/shell: bash/{/shell: bash/d}' 's/^name: sov/&\nname: sov/' 's/using: composite/using: node20/' 's/      run: |/      runs: |/'; do sed "$e" "$SRC/action.yml" > edited.yml; ACTION=edited.yml sh act; echo $?; done
  NO: Run sov: an expression reaches the shell's text
  9
  NO: a step of a composite action names its shell
  9
  NO: a key stands twice: ['name', 'name', 'description', 'author', 'inputs', 'runs']
  9
  NO: it is not composite
  9
  NO: a step has no runs
  9

The workflow and the job that setup writes are those; the job's reports are there whatever the verdict.

  $ cd shop; c=0123456789abcdef0123456789abcdef01234567; for k in github gitlab; do sov setup $k --program OWNER/sov@$c --print > ../$k.yml; done; cd ..; python3 "$SRC/tests/outside/steps.py" workflow github.yml; python3 "$SRC/tests/outside/steps.py" job gitlab.yml all=1
  actions/checkout {'fetch-depth': 0, 'persist-credentials': False}
  OWNER/sov {'args': 'verify --projections --ledger-id d3de617ddc52b30d5d736fad68c2f223f279481ba5c2766a4fa7340a7a9fb7c6'}
  export GIT_DEPTH=0
  set -e
  apt-get update -q
  apt-get install -yq --no-install-recommends ca-certificates git make
  git init -q "$HOME/sov"
  git -C "$HOME/sov" fetch -q --depth 1 https://github.com/OWNER/sov 0123456789abcdef0123456789abcdef01234567
  git -C "$HOME/sov" checkout -q FETCH_HEAD
  make -C "$HOME/sov" build-deps install
  sov verify --projections --ledger-id d3de617ddc52b30d5d736fad68c2f223f279481ba5c2766a4fa7340a7a9fb7c6 --report junit=sov.xml --report gitlab=sov.json
  $ python3 "$SRC/tests/outside/steps.py" job gitlab.yml > job; cd c; PATH=$SRC/tests/guard:$PATH sh ../job | sed 's/root [0-9a-f]*/root R/'; ls; sed -i 's/^# Policy/# policy/' governance/policy.md; git commit -q -a -m edited; sh ../job > ../out; echo $?; grep -c '<failure' sov.xml; grep -o '"path":"[^"]*"' sov.json; git reset -q --hard HEAD~1
  ledger   d3de617d  14 events  root R  (as asked)
  mode     published log (no ledger file here), published size 14
  anchor   pin at 14: a prefix of this log
  anchor   git at 14: 3 checkpoints, all prefixes of this log
  views    17 files equal, published size 14
  ok
  governance
  sov.json
  sov.xml
  1
  1
  "path":"governance/policy.md"

So is the hook for pre-commit.

  $ python3 -c 'import sys, yaml; [h] = yaml.safe_load(open(sys.argv[1])); print(h["id"], h["entry"], h["language"], h["pass_filenames"], h["always_run"])' "$SRC/.pre-commit-hooks.yaml"
  sov-verify sov verify --projections system False True
