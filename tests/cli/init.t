A ledger is founded once: the record, the keys outside of it, the policy source.

  $ sov init --name "The store" -q | grep -c '^[0-9a-f]\{64\}$'
  1
  $ ls -A; stat -c '%a %n' .sovereign .sovereign/organization.db sovereign.json
  .local
  .sovereign
  governance
  sovereign.json
  700 .sovereign
  600 .sovereign/organization.db
  644 sovereign.json
  $ cat .sovereign/.gitignore
  *
  $ find .local/share/sov -name '*.key' | wc -l; find .local/share/sov -name '*.key' -perm /077
  6
  $ sov log --json=seq,actor,type | sed 's/.*"data"://; s/,"warnings".*//' | tr '}' '\n' | head -3
  [{"seq":1,"actor":"host","type":"organization.founded"
  ,{"seq":2,"actor":"host","type":"actor.registered"
  ,{"seq":3,"actor":"host","type":"actor.registered"

Again it is a noop, and nothing changes.

  $ sum() { find . -type f | sort | xargs sha256sum; }
  > sum > ../before.$$; sov init --json=effect | cut -c1-60; sum | cmp - ../before.$$ && rm ../before.$$
  {"schema":"sov.init.v1","data":{"effect":"noop"},"warnings":

What is in the way, or wrong.

  $ mkdir dry && cd dry && sov init -n -C . | sed 's/^.*sovereign/.sovereign/'; SOV_DIR=. sov init -n | grep -c registered; ls -A
  .sovereign is founded already (size 12), nothing written
  10
  $ sov init --policy nowhere.json
  sov: not found: no file nowhere.json
    why      the file is not there [no_such_file]
    inspect  ls -l
    next     name a file that is there
  ? 3
  $ printf '{"roles":{}}' > bad.json; sov init --policy bad.json
  sov: invalid: "/acceptance" is missing
    why      a policy holds exactly the keys, values and units that this build enforces [policy_invalid]
    inspect  sov policy show
    next     sov policy check
  ? 2
  $ sov init --allow-filesystem nfs
  sov: invalid: --allow-filesystem needs --reason
    why      this decision needs a written reason of 1 to 2,000 bytes [reason_missing]
    inspect  sov show ID
    next     repeat it with --reason TEXT
  ? 2
  $ sov init --name ""
  sov: invalid: the value of --name is empty
    why      the command was not called as its synopsis says [usage]
    inspect  sov help
    next     call it as the synopsis says
  ? 2
  $ sov init extra
  sov: invalid: init takes no extra
    why      the command was not called as its synopsis says [usage]
    inspect  sov help init
    next     call it as the synopsis says
    usage    sov init [--name N] [--policy FILE] [--allow-filesystem TYPE --reason TEXT] [--mirror HEX]
  ? 2
  $ mkdir other && cd other && SOV_ASSIGNMENT=ASG-1 sov init
  sov: denied: init is not for an agent inside ASG-1
    why      inside a run only its assignment's actor acts, and it decides nothing [inside_run]
    inspect  sov status
    next     do it outside the run
  ? 4

A policy of one's own becomes the source and is adopted next.

  $ mkdir own && SOV_DIR=own sov policy show --json 2>&1 | cut -c1-70
  {"schema":"sov.error.v1","error":{"code":"no_ledger","exit":3,"what":"
  $ sov policy show | sed -n '/^{/,$p' > own/law.json && cd own && SOV_DIR=. sov init -q --policy law.json > id
  $ cd own && SOV_DIR=. sov log --last 1 | cut -c1-62; cmp law.json sovereign.json
      13  2026-01-01T00:00:00.000Z  principal   policy.adopted  


The policy that it was given is adopted in the founding commit: there is no moment at which a ledger is
there under another.

  $ sqlite3 own/.sovereign/organization.db "SELECT group_concat(size) FROM checkpoint"
  13