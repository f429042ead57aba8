Whoever holds a commit holds its checkpoints: every one that was ever committed vouches for the log of a clone.

  $ cat > judge <<'END'
  > said=$(sov verify "$@")
  > status=$?
  > echo "$said" | sed 's/root [0-9a-f]*/root R/'
  > exit $status
  > END
  $ cat > .gitconfig <<END
  > [user]
  >   name = a
  >   email = a@b
  > [protocol "file"]
  >   allow = always
  > [advice]
  >   detachedHead = false
  > END
  $ mkdir shop && cd shop && git init -q -b main && SOV_TEST_SEED=shop sov init --name Shop -q > ../id; sh ../judge | tail -n 1; mv ../.local/state/sov/pins ../pins.aside; sh ../judge; git add . && git commit -q -m founded; sh ../judge | grep '^anchor'; cp -r .sovereign ../kept
  ok
  ledger   d3de617d  12 events  root R  (trusted on first use)
  note     git is no anchor: nothing is committed yet
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 1 finding (UNANCHORED 1); next: sov verify --pin, or --no-anchor to accept it
  anchor   git at 12: 1 checkpoint, a prefix of this log
  $ cd shop; for id in TEA JAM; do sov subject declare $id --fact cost=120 --actor principal -q; sov project -q; git add .; git commit -q -m $id; done; rm -r ../.local/state/sov/pins
  TEA
  13
  JAM
  14
  $ git clone -q shop c; cd c; sh ../judge --projections
  ledger   d3de617d  14 events  root R  (trusted on first use)
  mode     published log (no ledger file here), published size 14
  anchor   git at 14: 3 checkpoints, all prefixes of this log
  views    15 files equal, published size 14
  ok
  $ cd c; sov verify --json=anchors,unanchored_tail | sed 's/"root":"[0-9a-f]*"/"root":"X"/; s/,"warnings.*//'
  {"schema":"sov.verify.v1","data":{"anchors":[{"kind":"git","size":14,"root":"X","result":"3 checkpoints, all prefixes of this log"}],"unanchored_tail":0}

A publication that was taken back is a rollback: its own history says so, in a clone and beside the ledger.

  $ git clone -q shop back; cd back; git revert --no-edit HEAD > ../out 2>&1; sov verify --projections -q
  ROLLBACK    governance/checkpoints/14  seq 14  the git history knows a larger published log than this one
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 2 findings (ROLLBACK 1, UNANCHORED 1); next: restore governance/, or find who put an old copy back
  ? 6
  $ git clone -q shop old; cd old; cp -r ../kept .sovereign; sov verify -q
  ROLLBACK    governance/checkpoints/14  seq 13  the git history knows a larger log than this one
  no: 1 finding (ROLLBACK 1); next: restore governance/, or find who put an old copy back
  ? 6

A side that a merge took nothing of is history too.

  $ git clone -q shop side; cd side; git reset -q --hard HEAD~1; git merge -q -s ours -m ours origin/main; ls governance/checkpoints; sov verify -q
  12
  13
  ROLLBACK    governance/checkpoints/14  seq 14  the git history knows a larger published log than this one
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 2 findings (ROLLBACK 1, UNANCHORED 1); next: restore governance/, or find who put an old copy back
  ? 6

Another history of the same ledger, by a copy of ledger and key, is a fork.

  $ mkdir two; cd two; git init -q; cp -r ../kept .sovereign; sov subject declare GIN --fact cost=1 --actor principal -q; sov project -q; rm -r ../.local/state/sov/pins
  GIN
  13
  $ git clone -q shop forked; cd forked; git rm -q -r governance; cp -r ../two/governance .; git add .; git commit -q -m other; sov verify --projections -q
  ROLLBACK    governance/checkpoints/14  seq 14  the git history knows a larger published log than this one
  FORK        governance/checkpoints/13  seq 13  a checkpoint in the git history is no prefix of this log
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 3 findings (ROLLBACK 1, FORK 1, UNANCHORED 1); next: restore governance/, or find who put an old copy back
  ? 6

So is another ledger in the same place, unless it is the one that was asked for.

  $ mkdir other; cd other; git init -q -b main; SOV_TEST_SEED=other sov init --name Other -q > ../other.id; rm -r ../.local/state/sov/pins
  $ git clone -q shop taken; cd taken; git rm -q -r governance; cp -r ../other/governance .; git add .; git commit -q -m other; sh ../judge --projections -q; sh ../judge --projections --ledger-id "$(cat ../other.id)"
  FORK        governance/checkpoints  the git history holds checkpoints of another ledger; if this one is right, say so with --ledger-id
  no: 1 finding (FORK 1); next: keep both sides
  ledger   eddc3353  12 events  root R  (as asked)
  mode     published log (no ledger file here), published size 12
  anchor   git at 12: 1 checkpoint, a prefix of this log
  note     git: 3 checkpoints of other ledgers in the history
  views    15 files equal, published size 12
  ok

What is no anchor is named: a shallow clone, a partial one, no commit, no git; none of it is success.

  $ git clone -q --depth 1 "file://$PWD/shop" shallow; cd shallow; sh ../judge --projections
  ledger   d3de617d  14 events  root R  (trusted on first use)
  mode     published log (no ledger file here), published size 14
  anchor   git at 14: 3 checkpoints, all prefixes of this log
  note     git is no anchor: a shallow clone has no history; check out with fetch-depth: 0
  views    15 files equal, published size 14
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 1 finding (UNANCHORED 1); next: sov verify --pin, or --no-anchor to accept it
  ? 1
  $ git -C back config uploadpack.allowFilter true; git clone -q --filter=blob:none "file://$PWD/back" partial; cd partial; sov verify | grep -v '^ledger\|^mode'
  note     git is no anchor: an object is missing: this is a partial clone
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 1 finding (UNANCHORED 1); next: sov verify --pin, or --no-anchor to accept it
  $ cp -r c bare; cd bare; rm -rf .git; sov verify | grep -v '^ledger\|^mode'
  note     git is no anchor: there is no git repository here
  UNANCHORED  no anchor outside the ledger vouches for it
  no: 1 finding (UNANCHORED 1); next: sov verify --pin, or --no-anchor to accept it
  $ cp -r c unborn; cd unborn; rm -rf .git; git init -q; sov verify | grep '^note'
  note     git is no anchor: nothing is committed yet
  $ cp -r c broken; cd broken; echo nonsense > .git/HEAD; sov verify | grep '^note' | sed 's/ (or any.*//'
  note     git is no anchor: git refuses: fatal: not a git repository
  $ cp -r back within; cp -r c within/inner; cd within/inner; rm -rf .git; mkdir .git; sov verify | grep '^note'
  note     git is no anchor: the git repository does not begin here
  $ cp -r c owned; cd owned; if chown -R 12345 . 2>/dev/null; then sov verify | grep '^note' | cut -c1-65; git config --global --add safe.directory "$PWD"; sov verify | grep '^anchor'; else echo 'note     git is no anchor: git refuses: fatal: detected dubious o'; echo 'anchor   git at 14: 3 checkpoints, all prefixes of this log'; fi
  note     git is no anchor: git refuses: fatal: detected dubious o
  anchor   git at 14: 3 checkpoints, all prefixes of this log

Replaced objects and grafts are not believed.

  $ cp -r side grafted; cd grafted; git replace --graft HEAD HEAD^1 2>/dev/null; git rev-list --count HEAD; sov verify -q | head -n 1
  3
  ROLLBACK    governance/checkpoints/14  seq 14  the git history knows a larger published log than this one

Nothing in the repository's configuration starts a program. The same words do with git's own porcelain.

  $ cp -r c trap; mkdir ran; cat > canary <<END
  > #!/bin/sh
  > echo "\$0 \$*" >> "$PWD/ran/it"
  > END
  $ chmod 755 canary; cd trap; c=$PWD/../canary; for k in core.fsmonitor core.sshCommand core.gitProxy core.pager core.editor core.askPass core.alternateRefsCommand diff.external gpg.program gpg.ssh.program credential.helper sequence.editor interactive.diffFilter uploadpack.packObjectsHook remote.origin.uploadpack filter.x.clean filter.x.smudge filter.x.process diff.x.textconv diff.x.command merge.x.driver; do git config $k "$c"; done; for a in rev-list rev-parse cat-file ls-files; do git config alias.$a "!$c"; done; git config core.hooksPath "$PWD/.git/hooks"; for h in post-index-change pre-auto-gc reference-transaction post-checkout fsmonitor-watchman; do cp ../canary .git/hooks/$h; done; echo '* filter=x diff=x merge=x' > .git/info/attributes; git config extensions.partialClone origin; git config remote.origin.promisor true; git config remote.origin.url "ext::$c"; git config protocol.ext.allow always; ls ../ran
  $ cd trap; sov verify --projections -q; ls ../ran
  $ cd trap; id=$(git rev-parse HEAD:governance/checkpoints/12); rm -f .git/objects/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-) .git/objects/pack/*; rm -rf ../ran/*; sov verify -q | tail -n 1; ls ../ran
  no: 1 finding (UNANCHORED 1); next: sov verify --pin, or --no-anchor to accept it
  $ cd trap; git status > /dev/null 2>&1; ls ../ran; rm -rf ../ran/*; git config core.fsmonitor false; git cat-file blob HEAD:governance/checkpoints/12 > ../out 2>&1; ls ../ran
  it
  it

