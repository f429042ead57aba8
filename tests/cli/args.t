Wrong use changes nothing, ends with 2, and names the nearest word.

  $ sov init -q > id; sov status --json=size | sed 's/.*"data"://; s/,"warn.*//'
  {"size":12}
  $ sov acept OUT-1
  sov: invalid: there is no verb acept; did you mean accept?
    why      there is no such command [unknown_verb]
    inspect  sov help
    next     sov help
  ? 2
  $ sov log --jso
  sov: invalid: log has no --jso; did you mean --json?
    why      this command has no such option [unknown_flag]
    inspect  sov help log
    next     sov help
    usage    sov log [REF] [--type T] [--by ACTOR] [--since SEQ] [--last N] [--graph] [--base REV]
  ? 2
  $ sov log -x
  sov: invalid: log has no -x
    why      this command has no such option [unknown_flag]
    inspect  sov help log
    next     sov help
    usage    sov log [REF] [--type T] [--by ACTOR] [--since SEQ] [--last N] [--graph] [--base REV]
  ? 2
  $ sov log --jsonn=seq
  sov: invalid: log has no --jsonn; did you mean --json?
    why      this command has no such option [unknown_flag]
    inspect  sov help log
    next     sov help
    usage    sov log [REF] [--type T] [--by ACTOR] [--since SEQ] [--last N] [--graph] [--base REV]
  ? 2
  $ sov actor ad x
  sov: invalid: there is no actor ad; did you mean actor add?
    why      there is no such command [unknown_verb]
    inspect  sov help actor
    next     sov help
  ? 2
  $ sov actor
  sov: invalid: actor what? one of add, revise, suspend, resume, retire, list
    why      the command was not called as its synopsis says [usage]
    inspect  sov help actor
    next     call it as the synopsis says
  ? 2
  $ sov nonsenseword
  sov: invalid: there is no verb nonsenseword
    why      there is no such command [unknown_verb]
    inspect  sov help
    next     sov help
  ? 2
  $ sov log --reason because
  sov: invalid: log has no --reason
    why      this command has no such option [unknown_flag]
    inspect  sov help log
    next     sov help
    usage    sov log [REF] [--type T] [--by ACTOR] [--since SEQ] [--last N] [--graph] [--base REV]
  ? 2
  $ sov log --by a --by b
  sov: invalid: --by is given twice
    why      the command was not called as its synopsis says [usage]
    inspect  sov help log
    next     call it as the synopsis says
    usage    sov log [REF] [--type T] [--by ACTOR] [--since SEQ] [--last N] [--graph] [--base REV]
  ? 2
  $ sov log --by=
  sov: invalid: the value of --by is empty
    why      the command was not called as its synopsis says [usage]
    inspect  sov help
    next     call it as the synopsis says
  ? 2
  $ sov log --by
  sov: invalid: --by needs a value: ACTOR
    why      the command was not called as its synopsis says [usage]
    inspect  sov help
    next     call it as the synopsis says
  ? 2
  $ sov log --graph=yes
  sov: invalid: --graph takes no value
    why      the command was not called as its synopsis says [usage]
    inspect  sov help
    next     call it as the synopsis says
  ? 2
  $ sov log 1 2
  sov: invalid: log takes no 2
    why      the command was not called as its synopsis says [usage]
    inspect  sov help log
    next     call it as the synopsis says
    usage    sov log [REF] [--type T] [--by ACTOR] [--since SEQ] [--last N] [--graph] [--base REV]
  ? 2
  $ sov show ""
  sov: invalid: word 1 of show is empty
    why      the command was not called as its synopsis says [usage]
    inspect  sov help show
    next     call it as the synopsis says
    usage    sov show [REF|KIND] [--state S]
  ? 2
  $ sov show -- ""
  sov: invalid: word 1 of show is empty
    why      the command was not called as its synopsis says [usage]
    inspect  sov help show
    next     call it as the synopsis says
    usage    sov show [REF|KIND] [--state S]
  ? 2
  $ sov show --state
  sov: invalid: --state needs a value: STATE
    why      the command was not called as its synopsis says [usage]
    inspect  sov help
    next     call it as the synopsis says
  ? 2
  $ sov actor suspend operator --actor principal
  sov: invalid: actor suspend needs --reason
    why      the command was not called as its synopsis says [usage]
    inspect  sov help actor
    next     call it as the synopsis says
    usage    sov actor suspend ID --reason TEXT
  ? 2
  $ sov log --last none
  sov: invalid: --last none is no integer of at least 1
    why      a value is not one that this field may have [bad_value]
    inspect  sov help log
    next     correct the value
  ? 2
  $ sov log --last 0
  sov: invalid: --last 0 is no integer of at least 1
    why      a value is not one that this field may have [bad_value]
    inspect  sov help log
    next     correct the value
  ? 2
  $ sov log --type no.such
  sov: invalid: no.such is no type of event
    why      a value is not one that this field may have [bad_value]
    inspect  sov help log
    next     correct the value
  ? 2
  $ sov log --format xml
  sov: invalid: log has no format xml; it has text jsonl md
    why      the command was not called as its synopsis says [usage]
    inspect  sov help log
    next     call it as the synopsis says
    usage    sov log [REF] [--type T] [--by ACTOR] [--since SEQ] [--last N] [--graph] [--base REV]
  ? 2
  $ sov log --format jsonl --json
  {"schema":"sov.error.v1","error":{"code":"usage","exit":2,"what":"--json and --format exclude each other","why":"the command was not called as its synopsis says [usage]","inspect":"sov help log","next":"call it as the synopsis says","retryable":false,"refs":[],"seq":null}}
  ? 2
  $ sov log --json=seq,nothing
  {"schema":"sov.error.v1","error":{"code":"usage","exit":2,"what":"nothing is no field of log; it has seq:i at:s actor:s type:s id:s stream:s sv:i cause:a fence:i? key:s? data:o hash:s","why":"the command was not called as its synopsis says [usage]","inspect":"sov help log","next":"call it as the synopsis says","retryable":false,"refs":[],"seq":null}}
  ? 2
  $ sov log --color=sometimes
  sov: invalid: --color is always or never
    why      the command was not called as its synopsis says [usage]
    inspect  sov help log
    next     call it as the synopsis says
    usage    sov log [REF] [--type T] [--by ACTOR] [--since SEQ] [--last N] [--graph] [--base REV]
  ? 2
  $ sov log --wait soon
  sov: invalid: --wait soon is no integer from 0 to 86400
    why      a value is not one that this field may have [bad_value]
    inspect  sov help log
    next     correct the value
  ? 2
  $ sov -C nowhere log
  sov: not found: nowhere cannot be entered
    why      the file is not there [no_such_file]
    inspect  ls -l
    next     name a file that is there
  ? 3
  $ sov log "$(printf 'a\377b')"
  sov: invalid: argument 2 is no UTF-8
    why      the text is not valid UTF-8, or holds characters that it may not [bad_text]
    inspect  sov help formats
    next     mend it at the place named
  ? 2
  $ sov status --json=size | sed 's/.*"data"://; s/,"warn.*//'
  {"size":12}

Flags stand anywhere; two dashes end them.

  $ sov --json=size status | sed 's/.*"data"://; s/,"warn.*//'
  {"size":12}
  $ mkdir deep; sov -C deep --json=size status | sed 's/.*"data"://; s/,"warn.*//'
  {"size":12}
  $ sov show -- --odd
  sov: not found: nothing is called --odd
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3
  $ sov log --json=help
  seq
  at
  actor
  type
  id
  stream
  sv
  cause
  fence
  key
  data
  hash
  $ sov show actors --json=id,state | sed 's/.*"data"://; s/,"warn.*//'
  [{"id":"master","state":"active"},{"id":"operator","state":"active"},{"id":"principal","state":"active"},{"id":"sparring","state":"active"},{"id":"verifier","state":"active"}]

Bare, it says in at most 25 lines what it is for; help is never an error.

  $ sov | head -3; test $(sov | wc -l) -le 25; sov | tail -1
  sov keeps a signed, append-only record of governed work.

    sov init --name "The store"     found a ledger in this folder
  next: sov help tutorial
  $ sov log -h | head -4
  sov log: what happened, event by event

  sov log [REF] [--type T] [--by ACTOR] [--since SEQ] [--last N] [--graph] [--base REV]
    list events, ascending by seq; a terminal shows the last 50
  $ sov help sow new | sed -n 3,4p
  sov sow new OUT --title T --scope TEXT|- --role R --done-when TEXT [--deliverable PATH...] [--effect KIND[,optional]] [--non-goal TEXT...]
    one bounded unit of work toward an outcome



  $ sov help acept
  sov: invalid: there is no verb or topic acept; did you mean accept
    why      there is no such command [unknown_verb]
    inspect  sov help help
    next     sov help
  ? 2
  $ sov help exit-codes | head -3
    0  done, or the answer is yes; a noop is 0                      go on
    1  it ran and the answer is no                                  show it, fail the job
    2  wrong use or invalid input; nothing written                  fix the call
