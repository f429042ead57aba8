A dry run decides the same and writes nothing: not the ledger, its journal or its locks, not the
tree, not a key, not a pin.

  $ sov init -q > id; cp -r $SRC/fixtures/store store; sov policy adopt store/policy.json --reason r --actor principal -q
  policy
  $ cat > sum <<'EOF'
  > find . -type f ! -path './now*' ! -path './before' | sort | xargs sha256sum
  > EOF
  $ sh sum > before
  $ while read line; do sov $line -n > now.out 2> now.err || echo "$line: $?"; sh sum | cmp -s - before || echo "$line wrote"; done <<'EOF'
  > actor suspend operator --reason r --actor principal
  > key new operator --actor principal
  > heartbeat till --actor operator
  > policy adopt --reason r --actor principal
  > signal stock.low --source shop --subject tea --actor operator
  > subject declare TEA --actor principal
  > account open cash --unit cent --actor principal
  > provider register agent store/provider.json --actor principal
  > pulse
  > supervise
  > rebuild
  > project
  > recover
  > init
  > EOF
  $ while read line; do sov $line > now.out 2> now.err; sh sum | cmp -s - before || echo "$line wrote"; done <<'EOF'
  > status
  > log
  > show actors
  > why 3
  > ready --role master
  > verify --projections
  > verify
  > doctor
  > policy diff
  > schema
  > help
  > EOF

What is refused is refused in a dry run too, with the same code.

  $ sov actor suspend operator --reason r --actor master -n --json 2>&1 | cut -c1-66
  {"schema":"sov.error.v1","error":{"code":"not_authorised","exit":4
  $ sov actor suspend nobody --reason r --actor principal -n --json 2>&1 | cut -c1-62
  {"schema":"sov.error.v1","error":{"code":"no_such_id","exit":3

One deadline for the write lock; who waits in vain is told so.

  $ (flock 9; sleep 3) 9>>.sovereign/lock & sleep 0.5; sov heartbeat till --actor operator --wait 0 2>&1; sov log --last 1 > /dev/null; echo reads go on
  sov: not possible now: lock is held by another process
    why      another process holds the write lock [busy]
    inspect  sov status
    next     repeat it, or wait longer with --wait SECONDS
  reads go on

Another user's ledger is not used, unless the folder is trusted.

  $ if test $(id -u) -ne 0; then echo 4; echo 1; exit; fi
  > chown 12345 .sovereign; sov log > now.out 2> now.err; echo $?; grep -c foreign_owner now.err; chown 0 .sovereign
  4
  1
  $ if test $(id -u) -ne 0; then echo 0; exit; fi
  > mkdir -p .config/sov; printf '{"trusted_directories":["%s"]}' "$HOME" > .config/sov/config.json
  > chown 12345 .sovereign; sov log --last 1 > now.out; echo $?; chown 0 .sovereign
  0
