Confidential content is erased by an event. What is left cannot be guessed from its digest, and all of
it still verifies: the ledger, what was published before and after, an export, a mirror, a backup.

  $ sov init -q > id; head -c 50000 /dev/urandom | base64 > photo; echo rhubarb >> photo; sov signal stock.photo --source till --subject it --payload photo --confidential --dedupe-key p1 --actor operator; sov project -q; rm photo
  SIG-1 recorded stock.photo (seq 13)
  13
  $ sov log --type signal.recorded --format jsonl | sed 's/.*"digest":"\([0-9a-f]*\)".*/\1/' > digest; grep -rl rhubarb . | sort; cp -r governance before; sov export --format jsonl -o before.jsonl -q
  ./.sovereign/organization.db
  $ sov blob erase $(cat digest) --reason "not ours to keep" --actor principal --no-input 2>&1 | head -1; sov blob erase $(cat digest) --reason "not ours to keep" --confirm $(cat digest) --actor operator 2>&1 | head -1; grep -rl rhubarb .
  sov: invalid: erase for good? type the digest, or give --confirm=DIGEST: 
  sov: denied: operator, whose role is operator, lacks administer
  ./.sovereign/organization.db
  $ sov blob erase $(cat digest) --reason "not ours to keep" --confirm $(cat digest) --actor principal | sed 's/^[0-9a-f]*/DIGEST/'; grep -rl rhubarb .; stat -c %s .sovereign/organization.db-journal
  DIGEST erased (seq 14)
  0

No file holds it any more, the journal neither; and nothing else has moved.

  $ sov verify -q; sov verify --projections -q; sqlite3 .sovereign/organization.db 'SELECT content IS NULL, salt IS NULL, size > 50000 FROM blob'; head -13 before.jsonl | cmp - before.jsonl; sov export --format jsonl | head -13 | cmp - before.jsonl
  1|1|1
  $ sov project -q; sov verify --projections --published -q; for f in $(cd before && find log checkpoints -type f); do cmp before/$f governance/$f; done; mkdir old && cp -r before old/governance && cd old && git init -q && SOV_DIR=$PWD sov verify --projections --no-anchor -q; cd .. && sov rebuild -q; sov verify --projections -q
  14
  $ sov export --format jsonl -o log.jsonl -q; sov export --format ledger -o backup.db -q; sov export --format cloudevents -o events.json -q; mkdir mirror && cd mirror && export SOV_DIR=$PWD && sov init --mirror $(cat ../id) -q > id; sov import ../log.jsonl -q; sov log --format jsonl | cmp - ../log.jsonl; cd ..; grep -rl rhubarb .; sqlite3 backup.db 'SELECT content IS NULL FROM blob'
  1

Once is enough; a row that lost its content without such an event is not.

  $ sov blob erase $(cat digest) --reason again --confirm $(cat digest) --actor principal 2>&1 | head -1 | sed 's/[0-9a-f]\{64\}/DIGEST/'
  sov: not found: there is no content of the blob DIGEST
  $ echo x > photo; sov signal stock.photo --source till --subject it --payload photo --confidential --dedupe-key p2 --actor operator -q; g=$(sqlite3 .sovereign/organization.db "SELECT sql FROM sqlite_schema WHERE name = 'blob_no_update'"); sqlite3 .sovereign/organization.db "DROP TRIGGER blob_no_update; UPDATE blob SET content = NULL, salt = NULL WHERE n = 2; $g"; sov verify --no-anchor -q
  SIG-2
  TAMPER      blob 2 lost its content without an event
  TAMPER      seq 15  a blob that event 15 names is not what its row says
  no: 2 findings (TAMPER 2); next: keep the file, compare with the published log
  ? 6
