What every verb owes, asked of each row of the table: it prints only what is wrong.

  $ sov init -q > id
  $ sov help | sed -n '/^start/,/^care/p' | sed 's/^[a-z]* *//' | tr ' ' '\n' | grep . > verbs; test $(wc -l < verbs) -gt 30

Help is on standard output, ends with 0, and is the same either way.

  $ for v in $(cat verbs); do sov $v --help > a 2> b || echo "$v: $?"; test -s a -a ! -s b || echo "$v: streams"; sov help $v | cmp -s - a || echo "$v: other"; done
  $ for v in $(cat verbs); do sov help $v | grep -q '^examples' || echo "$v has no example"; done

The fields of each form are listed; JSON of each reading verb is one line, and nothing on standard error.

  $ for v in $(cat verbs); do for f in $(sov help $v | sed -n "s/^sov $v \([a-z]*\) .*/\1/p; s/^sov $v \([a-z]*\)$/\1/p" | sort -u); do sov $v $f --json=help > a 2> b || echo "$v $f: $?"; done; done
  $ for v in status log show "show actors" "actor list" "key list" "account list" "provider list" "policy show" "policy check" "policy diff" "heartbeat show" "ready --role master" verify project schema "schema log" version doctor; do sov $v --json > a 2> b; test $? -le 1 -a $(wc -l < a) -eq 1 -a ! -s b || { echo "$v:"; cat b; }; done

An unknown flag and an unknown second word end with 2 and change nothing; so does a value that is empty.

  $ for v in $(cat verbs); do sov $v --no-such-flag > a 2> b; test $? -eq 2 -a ! -s a || echo "$v: $?"; grep -q 'unknown_flag\|usage' b || cat b; done
  $ for v in $(cat verbs); do sov $v x y z x y z x y z > a 2> b; test $? -eq 2 -a ! -s a || echo "$v: $?"; done
  $ for v in $(cat verbs); do sov $v --actor= > a 2> b; test $? -eq 2 || echo "$v: $?"; done
  $ sov log --json=seq | grep -c '"seq":12,'
  1

With standard input closed no verb waits; with the output gone none succeeds that had something to say.

  $ for v in $(cat verbs); do test $v = demo && continue; timeout 20 sov $v > a 2> b <&-; test $? -lt 124 || echo "$v: $?"; done
  $ for v in status "log" "show actors" "actor list" "key list" "policy show" "verify --no-anchor" version help schema "completion bash" doctor; do sov $v > /dev/full 2> a; s=$?; test $s -eq 7 || echo "$v: $s"; done

Each suggestion is of a word that is there.

  $ for v in $(cat verbs); do sov ${v}x 2>&1 | head -1; done | grep -vc 'did you mean'
  0
  ? 1

Completion scripts are ones that their shells read; ids are completed.

  $ sov completion bash > c.bash && bash -n c.bash && bash -c '. ./c.bash; COMP_WORDS=(sov sta); COMP_CWORD=1; _sov; echo "${COMPREPLY[@]}"'
  status
  $ sov completion bash | grep -c __complete; sov completion zsh | head -1; test $(sov completion fish | grep -c subcommand_from) -gt 200 && echo many
  1
  #compdef sov
  many
  $ sov completion tcsh
  sov: invalid: completion is for bash, zsh or fish
    why      the command was not called as its synopsis says [usage]
    inspect  sov help completion
    next     call it as the synopsis says
    usage    sov completion bash|zsh|fish
  ? 2
  $ sov __complete

Schemas are JSON; the tables of states are drawn.

  $ for t in $(sov schema | awk '{ print $1 }'); do sov schema $t | grep -q '"title"' || echo "$t"; done
  $ sov schema sow.readied | head -12
  {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "sow.readied",
    "type": "object",
    "additionalProperties": false,
    "required": [
      "data",
      "type",
      "actor",
      "at",
      "seq",
      "stream",
  $ sov schema --states | grep -c stateDiagram-v2
  8
  $ sov schema no.such
  sov: invalid: no.such is no type of event and no verb
    why      a value is not one that this field may have [bad_value]
    inspect  sov help schema
    next     correct the value
  ? 2
