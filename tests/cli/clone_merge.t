Two branches that share a ledger both publish. With the merge driver their merge needs no hand edit; without, one sov rebuild.

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
  > END
  $ cat > publish <<'END'
  > sov outcome revise OUT-1 --desired "$1" --reason r --actor principal -q
  > sov project -q
  > git add governance
  > git commit -q -m "$1"
  > END
  $ mkdir shop; cd shop; git init -q -b main; sov init --name Shop -q > ../id; sov outcome new Tea --desired 'tea' --check '{"id":"f","kind":"file-exists","params":{"path":"f.txt"}}' --actor principal -q; sov project -q; git add governance; git commit -q -m first; git worktree add -q ../side
  OUT-1
  13
  $ cd shop; sh ../publish 'more tea'
  OUT-1
  14
  $ cd side; sh ../publish 'much more tea'; ls governance/log governance/checkpoints | tr '\n' ' '; echo
  OUT-1
  15
  governance/checkpoints: 12 13 15  governance/log: 1-12.jsonl 13-13.jsonl 14-15.jsonl 
  $ git clone -q shop driven; cd driven; git fetch -q origin side; git config merge.sov.driver 'sov merge-driver %O %A %B %P'; git merge -q -m merged FETCH_HEAD > /dev/null; git status --short; ls governance/log governance/checkpoints | tr '\n' ' '; echo; sh ../judge --projections
  governance/checkpoints: 12 13 14 15  governance/log: 1-12.jsonl 13-13.jsonl 14-14.jsonl 14-15.jsonl 
  ledger   4c268906  15 events  root R  (pinned)
  mode     published log (no ledger file here), published size 15
  anchor   pin at 15: a prefix of this log
  anchor   git at 15: 4 checkpoints, all prefixes of this log
  views    17 files equal, published size 15
  ok
  $ git clone -q -b side shop mirrored; cd mirrored; git config merge.sov.driver 'sov merge-driver %O %A %B %P'; git merge -q -m merged origin/main > /dev/null; git status --short; sov verify --projections -q
  $ git clone -q shop plain; cd plain; git fetch -q origin side; git merge -q -m merged FETCH_HEAD > /dev/null 2>&1; git status --short | grep -v '^A '; sov verify --projections -q | grep -c '^DRIFT'; sov rebuild; git add governance; git commit -q -m merged; sov verify --projections -q
  UU governance/outcomes/OUT-1.json
  UU governance/outcomes/OUT-1.md
  2
  note: no ledger file here; this is the published log, size 15
  read 15 events
    governance/outcomes/OUT-1.md
    governance/outcomes/OUT-1.json
  $ cd shop; git merge -q -m merged side > ../out 2>&1; sov rebuild -q; git add governance; git commit -q -m merged; sov verify --projections -q; git status --short
    governance/outcomes/OUT-1.md
    governance/outcomes/OUT-1.json
  ?? sovereign.json

The driver takes a side only if it can tell: the same renderer, a whole page, another last event.

  $ mkdir d; cp shop/governance/outcomes/OUT-1.md d/b.md; git -C shop show HEAD~1:governance/outcomes/OUT-1.md > d/a.md; cd d; cp a.md x.md; sov merge-driver a.md x.md b.md p.md; cmp x.md b.md; cp b.md x.md; sov merge-driver a.md x.md a.md p.md; cmp x.md b.md; sov merge-driver a.md x.md b.md p.md --json=path,taken | sed 's/,"warn.*//'
  {"schema":"sov.merge-driver.v1","data":{"path":"p.md","taken":"ours"}
  $ cd d; cp a.md x.md; sed 's/much more/much much more/' b.md > c.md; sov merge-driver a.md x.md c.md p.md; cmp x.md a.md
  p.md: neither side is the later one; sov rebuild settles it
  $ cd d; cp a.md x.md; sed 's/renderer 1/renderer 2/' b.md > c.md; sov merge-driver a.md x.md c.md p.md -q; sed '$s/[0-9]/9/' b.md | sed 's/much/match/' > c.md; sov merge-driver a.md x.md c.md p.md -q; cmp x.md a.md
  $ cd d; printf '{"last_event":9,"renderer":1}' > a.json; printf '{"last_event":10,"renderer":1}' > b.json; cp a.json x.json; sov merge-driver a.json x.json b.json p.json; cat x.json; printf '{"last_event":10,"renderer":1,"x":1}' > c.json; echo; sov merge-driver a.json x.json c.json p.json; printf '{"last_event":10' > c.json; sov merge-driver a.json x.json c.json p.json -q; cat x.json
  {"last_event":10,"renderer":1}
  p.json: neither side is the later one; sov rebuild settles it
  {"last_event":10,"renderer":1}
  \ no newline at end
  $ cd d; sov merge-driver a.json x.json; sov merge-driver a.json x.json none.json p.json 2>&1 | head -n 1
  sov: invalid: merge-driver needs more words
    why      the command was not called as its synopsis says [usage]
    inspect  sov help merge-driver
    next     call it as the synopsis says
    usage    sov merge-driver BASE OURS THEIRS PATH
  sov: not found: no file none.json
