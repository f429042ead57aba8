A commit records the index, not the working tree: --staged judges that one, with the ledger or in a clone.

  $ cat > .gitconfig <<END
  > [user]
  >   name = a
  >   email = a@b
  > END
  $ git init -q -b main shop; cd shop; SOV_TEST_SEED=shop sov init --name Shop -q > ../id; git add governance; sov verify --projections --staged | sed 's/root [0-9a-f]*/root R/'; git commit -q -m founded; git clone -q . ../c
  ledger   d3de617d  12 events  root R  (pinned)
  anchor   pin at 12: a prefix of this log
  note     what is staged was judged, not the working tree
  views    15 files equal, published size 12
  ok
  $ cd c; sov verify --projections --staged | sed 's/root [0-9a-f]*/root R/'
  ledger   d3de617d  12 events  root R  (pinned)
  mode     published log (no ledger file here), published size 12
  anchor   pin at 12: a prefix of this log
  anchor   git at 12: 1 checkpoint, a prefix of this log
  note     what is staged was judged, not the working tree
  views    15 files equal, published size 12
  ok
  $ cd c; echo x >> governance/policy.md; sov verify --projections --staged -q; sov verify --projections -q | head -n 1 | cut -d: -f1; git add governance; git show HEAD:governance/policy.md > governance/policy.md; sov verify --projections -q; sov verify --projections --staged -q | cut -d: -f1
  DRIFT       governance/policy.md
  DRIFT       governance/policy.md
              found     x
  no
  $ cd c; git reset -q --hard; git update-index --chmod=+x governance/policy.md; git rm -q --cached governance/README.json; git update-index --add --cacheinfo 120000,$(git rev-parse HEAD:governance/policy.md),governance/README.md; sov verify --projections --staged -q; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),governance/sows; sov verify --projections --staged -q
  DRIFT       governance/README.json  is missing
  DRIFT       governance/README.md  is a link where a file or folder must be
  DRIFT       governance/policy.md  has another mode
              expected  0644
              found     0755
  no: 3 findings (DRIFT 3); next: sov rebuild
  TAMPER      governance  governance/sows is no folder
  no: 1 finding (TAMPER 1); next: keep the file, compare with the published log
  ? 6
  $ cd c; git reset -q --hard; id=$(sed 's/$/\r/' governance/policy.md | git hash-object -w --stdin); git update-index --cacheinfo 100644,$id,governance/policy.md; sov verify --projections --staged -q | head -n 1; git reset -q --hard; id=$(sed 's/master/mister/' governance/log/1-12.jsonl | git hash-object -w --stdin); git update-index --cacheinfo 100644,$id,governance/log/1-12.jsonl; sov verify --staged -q | head -n 1; sov verify -q; git reset -q --hard
  DRIFT       governance/policy.md:1  has lines that end in CR LF: a checkout changed them
  TAMPER      seq 1  events 1 to 12 do not give the root of the checkpoint of size 12
  $ cd shop; sov subject declare SKU-TEA --fact cost=120 --actor principal -q; sov project -q; sov verify --projections --staged | grep '^note'; git add governance/log; sov verify --projections --staged -q; git add governance; sov verify --projections --staged -q; git commit -q -m tea
  SKU-TEA
  13
  note     1 events not published
  note     what is staged was judged, not the working tree
  DRIFT       governance  a publication was not finished
  DRIFT       governance/log/13-13.jsonl  does not belong there
  no: 2 findings (DRIFT 2); next: sov rebuild

As a hook it stops the commit of a page that was edited by hand, whatever lies in the working tree.

  $ cd shop; printf '#!/bin/sh\nexec sov verify --projections --staged -q\n' > .git/hooks/pre-commit; chmod 755 .git/hooks/pre-commit; sed -i 's/^# Policy/# policy/' governance/policy.md; git add governance; sov rebuild -q; git commit -q -m edited; echo $?; git add governance; echo y > else; git add else; git commit -q -m fine; git log --format=%s | head -n 1
    governance/policy.md
  DRIFT       governance/policy.md:1  is not what the events give
              expected  # Policy
              found     # policy
  no: 1 finding (DRIFT 1); next: sov rebuild
  1
  fine

What is unmerged is right on no side; without an index there is no answer.

  $ git -C c pull -q; cd c; git checkout -q -b side; sed -i 's/^# Policy/# side/' governance/policy.md; git commit -q -a -m side; git checkout -q main; sed -i 's/^# Policy/# main/' governance/policy.md; git commit -q -a -m main; git merge -q side > /dev/null 2>&1; sov verify --projections --staged -q
  DRIFT       governance/policy.md  is not what the events give
  no: 1 finding (DRIFT 1); next: sov rebuild
  ? 1
  $ mkdir none; cd none; sov verify --staged; echo $?
  sov: not possible now: git's index cannot be read: there is no git repository here
    why      the system could not read or write [io_error]
    inspect  sov doctor
    next     mend what the message names
  7
