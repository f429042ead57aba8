What is printed is visible text; JSON is one line; a lost output is told apart.

  $ sov init -q > id
  $ sov actor add b1 --role operator --kind robot --provider scripted --actor principal
  b1 registered (seq 13)
  $ sov actor suspend b1 --reason "$(printf 'a\033[31mred\342\200\256 over\nsov: ok')" --actor principal
  b1 suspended (seq 14)
  $ sov show b1 | tail -1
        14  2026-01-01T00:00:00.000Z  principal  actor.suspended  (a‹U+001B›[31mred‹U+202E› over‹U+000A›sov: ok)
  $ sov show b1 --ascii | tail -1
        14  2026-01-01T00:00:00.000Z  principal  actor.suspended  (a<U+001B>[31mred<U+202E> over<U+000A>sov: ok)
  $ sov log --last 1 --json=data | sed 's/.*"data"://; s/,"warn.*//'
  {"reason":"a\u001b[31mred\u202e over\nsov: ok"}}]
  $ sov log --last 1 --format jsonl | grep -c "$(printf '\342\200\256')"
  1
  $ sov show "$(printf 'x\033]0;title\007')"
  sov: not found: nothing is called x‹U+001B›]0;title‹U+0007›
    why      nothing has this id [no_such_id]
    inspect  sov show
    next     list first, then use an id that is there
  ? 3

Colour only where it is asked for or a terminal is.

  $ sov log | grep -c "$(printf '\033')"
  0
  ? 1
  $ sov log --color=always --last 1 | grep -c "$(printf '\033')"
  1
  $ CLICOLOR_FORCE=1 sov log --last 1 | grep -c "$(printf '\033')"
  1
  $ CLICOLOR_FORCE=1 NO_COLOR=1 sov log --color=never | grep -c "$(printf '\033')"
  0
  ? 1

A result that cannot be written: before a commit nothing was done, behind one it is said which.

  $ sov status > /dev/full
  sov: not possible now: the result could not be written
    why      the system could not read or write [io_error]
    inspect  sov doctor
    next     mend what the message names
  ? 7
  $ RECORDED=1 sov actor resume b1 --reason r --actor principal --idempotency-key k1 > /dev/full
  sov: not possible now: it was committed as seq 15, but the result could not be written
    why      it was done, but the result could not be written to the output [output_lost]
    inspect  sov log --last 5
    next     repeat it under the same idempotency key
  ? 7
  $ sov actor resume b1 --reason r --actor principal --idempotency-key k1
  b1 already resumed (seq 15), nothing written
  $ sov actor resume b1 --reason other --actor principal --idempotency-key k1
  sov: conflict: the idempotency key k1 was used for another request, event 15
    why      an idempotency or dedupe key means one request, and this is another [key_reused]
    inspect  sov log --last 20
    next     use a new key
  ? 5
  $ RECORDED=1 sov actor suspend b1 --reason r --actor principal --json > /dev/full
  {"schema":"sov.error.v1","error":{"code":"output_lost","exit":7,"what":"it was committed as seq 16, but the result could not be written","why":"it was done, but the result could not be written to the output [output_lost]","inspect":"sov log --last 5","next":"repeat it under the same idempotency key","retryable":false,"refs":[],"seq":16}}
  ? 7
  $ sov status >&-
  sov: not possible now: the result could not be written
    why      the system could not read or write [io_error]
    inspect  sov doctor
    next     mend what the message names
  ? 7
  $ sov actor list -o list.txt && cut -c1-8 list.txt; sov actor list -o - | head -1 | cut -c1-8
  b1      
  master  
  operator
  principa
  sparring
  verifier
  b1      
  $ sov actor list -o nowhere/list.txt
  sov: not found: no file nowhere
    why      the file is not there [no_such_file]
    inspect  ls -l
    next     name a file that is there
  ? 3
  $ (trap '' PIPE; sleep 0.3; sov log --json; echo $? >&2) | true
  141

Writes: the id alone, all fields, what would be.

  $ sov actor resume b1 --reason r --actor principal -q
  b1
  $ sov actor suspend b1 --reason r --actor principal --json | sed 's/,"warnings.*//'
  {"schema":"sov.actor.suspend.v1","data":{"id":"b1","effect":"created","seqs":[18],"next":"sov actor list"}
  $ sov actor resume b1 --reason r --actor principal -n; sov show b1 | head -1
  b1 would be resumed
    actor.resumed  b1
  b1  actor  suspended
  $ sov actor resume b1 --reason r --actor principal --json=id,effect -n | sed 's/,"warnings.*//'
  {"schema":"sov.actor.resume.v1","data":{"id":"b1","effect":"would"}
  $ sov actor resume b1 --reason r --actor principal --expect-seq 3
  sov: conflict: the head is 18, not 3
    why      something that was read has changed since [moved]
    inspect  sov log --last 20
    next     repeat the command
  ? 5
  $ sov actor resume b1 --reason r --actor principal --expect-version 1
  sov: conflict: its version is 6, not 1
    why      something that was read has changed since [moved]
    inspect  sov log --last 20
    next     repeat the command
  ? 5
  $ sov actor resume b1 --reason r --actor master --json
  {"schema":"sov.error.v1","error":{"code":"not_authorised","exit":4,"what":"master, whose role is master, lacks administer","why":"only a role whose row in the policy has this authority may do it [not_authorised]","inspect":"sov policy show","next":"ask an actor whose role has it","retryable":false,"refs":["master"],"seq":null}}
  ? 4

A result is never written over what sov keeps itself: ledger, keys, pins, pages. In a workspace it may be.

  $ ln -s .sovereign way; mkdir -p .sovereign/runs/w; sov project -q > said; for f in .sovereign/organization.db way/organization.db .sovereign/new $PWD/.local/share/sov/keys/*/ledger.key .local/state/sov/pins/* governance/policy.md governance/log/../policy.md; do for w in "status" "heartbeat desk --actor operator" "export --format jsonl" "status --json"; do sov $w -o $f > said 2>&1; echo "$? $(grep -o file_unsafe said | head -n 1)"; done; done | sort | uniq -c; sov verify --projections -q; sov status -q -o .sovereign/runs/w/said; rm way
       32 4 file_unsafe
