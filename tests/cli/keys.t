Keys under a passphrase: locked in their file, opened by whoever says it, and heard by nobody else.

  $ sov init -q > id; printf 'open sesame\nand more\n' > pass; printf 'open sesam' > wrong; keys=$HOME/.local/share/sov/keys; echo "keys=$keys/$(cat id)" > where
  $ . ./where; SOV_TEST_SEED=lock sov key new principal --passphrase-fd 3 --actor principal 3< pass; stat -c '%a' $keys/principal.k81*.key; cut -d' ' -f1-4 $keys/principal.k81*.key
  k81076d3626e208d02877af15 registered (seq 13)
  600
  sov-key-1 argon2id 3 65536
  $ sov ruling Open --decision yes --reason fine --applies-to actor/operator --actor principal --passphrase-fd 3 3< pass
  RUL-1 decided on actor/operator (seq 14)
  $ cat > after <<'END'
  > what=$1; shift
  > sov ruling Open --decision yes --reason fine --applies-to actor/operator --actor principal "$@" 2>&1 | head -n 2 | sed "s|$HOME|HOME|g; s/k[0-9a-f]\{24\}/KEY/"
  > END
  $ sh after nothing
  sov: invalid: passphrase of principal.KEY.key: 
    why      an answer is needed, and there is no terminal to ask [input_required]
  $ sh after wrong --passphrase-fd 3 3< wrong
  sov: denied: it is not the passphrase of this key
    why      a locked key file opens to its own passphrase only [passphrase_wrong]
  $ sh after empty --passphrase-fd 3 3< /dev/null
  sov: invalid: a passphrase has 1 to 1024 octets
    why      a value is not one that this field may have [bad_value]
  $ sh after nul --passphrase-fd 3 3< /dev/zero
  sov: invalid: a passphrase has 1 to 1024 octets
    why      a value is not one that this field may have [bad_value]
  $ sh after closed --passphrase-fd 9
  sov: invalid: nothing can be read from descriptor 9
    why      a value is not one that this field may have [bad_value]
  $ sh after output --passphrase-fd 1
  sov: invalid: nothing can be read from descriptor 1
    why      a value is not one that this field may have [bad_value]
  $ sh after folder --passphrase-fd 3 3< .
  sov: invalid: no passphrase from descriptor 3: Is a directory
    why      a value is not one that this field may have [bad_value]
  $ sh after words --passphrase-fd "open sesame"
  sov: invalid: --passphrase-fd open sesame is no integer from 0 to 1048576
    why      a value is not one that this field may have [bad_value]
  $ sov key new principal --passphrase --actor principal --no-input 2>&1 | head -n 2
  sov: invalid: new passphrase: 
    why      an answer is needed, and there is no terminal to ask [input_required]

A credential that the system hands out; one that everybody may read is none.

  $ mkdir given; cp pass given/sov.passphrase; sed -i 2d given/sov.passphrase; chmod 644 given/sov.passphrase; CREDENTIALS_DIRECTORY=$HOME/given sh after open
  sov: denied: everybody can reach HOME/given/sov.passphrase (mode 644)
    why      a key file that others can read is not used [key_exposed]
  $ chmod 640 given/sov.passphrase; CREDENTIALS_DIRECTORY=$HOME/given sh after given; CREDENTIALS_DIRECTORY=$HOME/none sh after none
  RUL-2 decided on actor/operator (seq 15)
  sov: invalid: passphrase of principal.KEY.key: 
    why      an answer is needed, and there is no terminal to ask [input_required]
  $ cp wrong given/sov.passphrase; CREDENTIALS_DIRECTORY=$HOME/given sh after given; CREDENTIALS_DIRECTORY=$HOME/given sh after first --passphrase-fd 3 3< pass
  sov: denied: it is not the passphrase of this key
    why      a locked key file opens to its own passphrase only [passphrase_wrong]
  RUL-3 decided on actor/operator (seq 16)

A key file that is named is opened in the same way, and bears no more than that.

  $ . ./where; cp $keys/principal.k81*.key named; sh after named --sign-key named --passphrase-fd 3 3< pass; sh after named --sign-key named; chmod 604 named; sh after named --sign-key named --passphrase-fd 3 3< pass
  RUL-4 decided on actor/operator (seq 17)
  sov: invalid: passphrase of named: 
    why      an answer is needed, and there is no terminal to ask [input_required]
  sov: denied: others can reach the key file named (mode 604)
    why      a key file that others can read is not used [key_exposed]
  $ chmod 600 named; cp named kept; for change in 's/65536/67108864/' 's/65536/4294967295/' 's/ 3 / 17 /' 's/ 3 / 0 /' 's/ 3 / 03 /' 's/65536/7/' 's/argon2id/argon2i/' 's/.$//' 's/$/ /' 's/ 3 / +3 /' 's/ 3 / 3  /' 's/[0-9a-f]$/A/'; do sed "$change" kept > named; sh after hostile --sign-key named --passphrase-fd 3 3< pass; done
  sov: invalid: a key file asks for 3 passes in 67108864 KiB
    why      a value is not one that this field may have [bad_value]
  sov: invalid: named is no key file
    why      a value is not one that this field may have [bad_value]
  sov: invalid: a key file asks for 17 passes in 65536 KiB
    why      a value is not one that this field may have [bad_value]
  sov: invalid: named is no key file
    why      a value is not one that this field may have [bad_value]
  sov: invalid: named is no key file
    why      a value is not one that this field may have [bad_value]
  sov: invalid: a key file asks for 3 passes in 7 KiB
    why      a value is not one that this field may have [bad_value]
  sov: invalid: named is no key file
    why      a value is not one that this field may have [bad_value]
  sov: invalid: named is no key file
    why      a value is not one that this field may have [bad_value]
  sov: invalid: named is no key file
    why      a value is not one that this field may have [bad_value]
  sov: invalid: named is no key file
    why      a value is not one that this field may have [bad_value]
  sov: invalid: named is no key file
    why      a value is not one that this field may have [bad_value]
  sov: invalid: named is no key file
    why      a value is not one that this field may have [bad_value]
  $ sed 's/.$/0/; t' kept | sed 's/\(.*\)0$/\11/' > named; cmp -s named kept || sh after changed --sign-key named --passphrase-fd 3 3< pass
  sov: denied: it is not the passphrase of this key
    why      a locked key file opens to its own passphrase only [passphrase_wrong]

What takes the place of a locked key is locked with the same passphrase, and an open one may be locked so.

  $ . ./where; for seed in a b; do SOV_TEST_SEED=$seed sov key rotate principal --reason routine --actor principal --passphrase-fd 3 3< pass | sed 's/k[0-9a-f]\{24\}/KEY/'; done; cut -d' ' -f2 $keys/principal.*.key | sort | uniq -c
  KEY rotated (seq 18)
  KEY rotated (seq 20)
        3 argon2id
        1 ed25519
  $ sov key rotate principal --reason routine --actor principal --passphrase-fd 3 3< wrong 2>&1 | head -n 2; . ./where; ls $keys | wc -l
  sov: denied: it is not the passphrase of this key
    why      a locked key file opens to its own passphrase only [passphrase_wrong]
  9
  $ . ./where; SOV_TEST_SEED=c sov key rotate sparring --reason routine --actor sparring --passphrase-fd 3 3< pass | sed 's/k[0-9a-f]\{24\}/KEY/'; cut -d' ' -f2 $keys/sparring.*.key | sort
  KEY rotated (seq 22)
  argon2id
  ed25519

At the terminal: asked, not shown; typed twice where it is new; an interruption leaves the terminal as it was.

  $ cat > typed <<'END'
  > python3 "$SRC/tests/tools/typed.py" "$@" | sed 's/\x1b\[[0-9]*m//g; s/k[0-9a-f]\{24\}/KEY/'
  > END
  $ SOV_TEST_SEED=d sh typed sesame sesame -- sov key new principal --passphrase --actor principal
  new passphrase: 
  once more: 
  next  sov key list
  KEY registered (seq 24)
  exit 0, shown
  $ SOV_TEST_SEED=e sh typed sesame sesam -- sov key new principal --passphrase --actor principal
  new passphrase: 
  once more: 
  sov: invalid: the two passphrases differ
    why      a value is not one that this field may have [bad_value]
    inspect  sov help key
    next     correct the value
  exit 2, shown
  $ SOV_TEST_SEED=e sh typed ^C -- "$SOV_GUARDED" key new principal --passphrase --actor principal
  new passphrase: sov: interrupted: interrupted
    why      it was told to stop, and what was not committed is undone [interrupted]
    inspect  sov status
    next     repeat it
  exit 130, shown
  $ SOV_TEST_SEED=e sh typed sesame -- sov key rotate principal --reason routine --actor principal
  passphrase of principal.KEY.key: 
  next  sov key list
  KEY rotated (seq 25)
  exit 0, shown
  $ sh typed sesam -- sov key rotate principal --reason routine --actor principal
  passphrase of principal.KEY.key: 
  sov: denied: it is not the passphrase of this key
    why      a locked key file opens to its own passphrase only [passphrase_wrong]
    inspect  sov key list
    next     say it again, or sov key revoke KEYID and sov key new ACTOR --passphrase
  exit 4, shown

While it waits, and in what it starts, there is no trace of it.

  $ mkfifo slow; "$SOV_GUARDED" key new master --passphrase-fd 3 --actor principal 3< slow > out 2>&1 & p=$!; exec 4> slow; printf 'open ses' >&4; sleep 0.2; for what in cmdline environ; do { tr '\0' ' ' < /proc/$p/$what > seen || { [ "$(id -u)" != 0 ] && echo hidden > seen; }; } 2>/dev/null; [ -s seen ] && ! grep 'open ses' seen && echo "$what: no trace"; done; echo ame >&4; exec 4>&-; wait; sed 's/k[0-9a-f]\{24\}/KEY/' out
  cmdline: no trace
  environ: no trace
  KEY registered (seq 27)
  $ printf '#!/bin/sh\nseen=$(env | grep -c -e CRED -e sesame)\nopen=$([ -e /proc/self/fd/9 ] && echo true || echo false)\necho "{\\"seen\\":$seen,\\"open\\":$open}"\n' > look; chmod 755 look; sov subject declare IT --actor principal -q && sov outcome new It --subject IT --desired it --check '{"id":"f","kind":"file-exists","params":{"path":"f"}}' --actor principal -q && sov outcome activate OUT-1 --actor master -q && sov sow new OUT-1 --title t --scope s --role operator --done-when d --actor master -q && sov sow ready SOW-1 --actor master -q && sov assign SOW-1 --to operator --actor master -q
  IT
  OUT-1
  OUT-1
  SOW-1
  SOW-1
  ASG-1
  $ cp pass given/sov.passphrase; chmod 600 given/sov.passphrase; CREDENTIALS_DIRECTORY=$HOME/given sov run ASG-1 --actor operator -- $HOME/look 9< pass > run.out; for d in $(sov log --type run.finished --format jsonl | grep -o '"stdout":{[^}]*}' | grep -o '[0-9a-f]\{64\}'); do sqlite3 .sovereign/organization.db "SELECT content FROM blob WHERE digest = x'$d'"; done | grep .
  {"seen":0,"open":false}
  $ grep -rl sesame .sovereign governance; sov verify --no-anchor -q && echo verified
  verified
