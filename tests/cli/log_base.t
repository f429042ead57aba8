What a branch would publish, for who reviews it: the events that the other tree has not, and a summary.

  $ printf '[user]\n  name = a\n  email = a@b\n' > .gitconfig; git init -q -b main shop; cd shop; SOV_TEST_SEED=shop sov init --name Shop -q > ../id; git add governance; git commit -q -m founded; cp -r .sovereign ../kept; git checkout -q -b side; sov subject declare SKU-TEA --fact cost=120 --actor principal -q; sov outcome new '# Tea | <b>@all</b> ```' --desired 'closes #1
  > ## x' --check '{"id":"f","kind":"file-exists","params":{"path":"f.txt"}}' --actor principal -q; sov project -q; git add governance; git commit -q -m tea; git clone -q -b side . ../c; cd ../c; git fetch -q origin main
  SKU-TEA
  OUT-1
  14
  $ cd shop; sov log --base main; sov log --base main --since 13 --graph --ascii; sov log --base side; sov log --base main~0 --json=seq; sov log --base main --format jsonl | wc -l
      13  2026-01-01T00:00:00.000Z  principal   subject.declared        SKU-TEA  
      14  2026-01-01T00:00:00.000Z  principal   outcome.defined         OUT-1  title=# Tea | <b>@all</b> ```
  * 14 principal outcome.defined OUT-1
  {"schema":"sov.log.v1","data":[{"seq":13},{"seq":14}],"warnings":[],"ledger":{"id":"d3de617ddc52b30d5d736fad68c2f223f279481ba5c2766a4fa7340a7a9fb7c6","seq":14,"root":"28997ee73724cbe27ee1e398ef1185d074f6cf685791a7025733e285fe103901"}}
  2
  $ cd c; sov log --base origin/main --format md 2> /dev/null
  ### sov: 2 events since origin\/main

  Ledger `d3de617d`, size 14; published there: 12. Whether it is true says `sov verify --projections`.

  | seq | actor | event | of | said |
  |---|---|---|---|---|
  | 13 | principal | subject.declared | SKU\-TEA |  |
  | 14 | principal | outcome.defined | OUT\-1 | `title=#` Tea &#124; `<b>@all</b>` \`\`\` |

  $ cd shop; git checkout -q --orphan empty; git rm -q -r --cached .; git commit -q --allow-empty -m none; sov log --base HEAD --last 1 --json=seq; git checkout -q -f side; sov log --base main --by nobody --format md
  {"schema":"sov.log.v1","data":[{"seq":14}],"warnings":[],"ledger":{"id":"d3de617ddc52b30d5d736fad68c2f223f279481ba5c2766a4fa7340a7a9fb7c6","seq":14,"root":"28997ee73724cbe27ee1e398ef1185d074f6cf685791a7025733e285fe103901"}}
  ### sov: 0 events since main

  Ledger `d3de617d`, size 14; published there: 12. Whether it is true says `sov verify --projections`.

Names of revisions are no options, and what git does not know is not there. Another history is no base.

  $ cd shop; for r in none -h --all 'main:governance' 'main^{/x}' "$(printf 'a\n\033[1m')" HEAD:sovereign.json; do sov log "--base=$r" 2>&1 | head -n 1; done; sov log --format md 2>&1 | head -n 1; cd ..; SOV_TEST_SEED=two sov -C shop log --base 2>&1 | head -n 1
  sov: not found: git knows no none
  sov: not found: git knows no -h
  sov: not found: git knows no --all
  sov: not found: git knows no main:governance
  sov: not found: git knows no main^{/x}
  sov: not found: git knows no a‹U+000A›‹U+001B›[1m
  sov: not found: git knows no HEAD:sovereign.json
  sov: invalid: --format md goes with --base
  sov: invalid: --base needs a value: REV
  $ git init -q other; cd other; SOV_TEST_SEED=other sov init --name Other -q > ../id; git add governance; git commit -q -m other; git fetch -q ../shop main; sov log --base FETCH_HEAD
  sov: integrity: FETCH_HEAD published another ledger
    why      a signed root is no prefix of this log, or it is another ledger [fork]
    inspect  sov verify
    next     keep both sides
  ? 6
  $ mkdir two; cd two; git init -q; cp -r ../kept .sovereign; SOV_TEST_SEED=two sov subject declare GIN --fact cost=1 --actor principal -q; sov project -q; git add governance; git commit -q -m forked; cd ../shop; git fetch -q ../two; sov log --base FETCH_HEAD 2>&1 | head -n 1; cd ../two; git fetch -q ../shop side; sov log --base FETCH_HEAD 2>&1 | head -n 1
  GIN
  13
  sov: integrity: what FETCH_HEAD published at 13 is no prefix of this log
  sov: conflict: FETCH_HEAD published 14 events, this log has 13
  $ mkdir none; cd none; sov -C ../shop log --base main -q > /dev/null; cp -r ../shop/.sovereign .; sov log --base main 2>&1 | head -n 1
  sov: not found: there is no git repository here
