#!/bin/sh
# The bypass table of faults.md 3, from the plain sqlite3 shell with its defaults, each statement on
# a fresh copy of one ledger. It is refused and every row is as it was, or it has no lasting effect,
# or verify names class and first bad seq; and the next append stops wherever schema, head or compact
# range disagree with the newest signed checkpoint. A REPLACE through any integer key or unique
# column is refused. With any one guard dropped this very list must find that it is gone.
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
mkdir "$work/shop"
cd "$work/shop"
store_to_assignment
store claim ASG-1 --actor operator
store claim renew ASG-1 --fence 29 --actor operator # an event with a fence
for name in README.md LICENSE; do
    store signal stock.photo --source till --subject it --payload "$src/$name" --actor operator
done
db=$PWD/.sovereign/organization.db
mkdir "$work/kept"
cp "$db" "$work/kept/organization.db"
ask() { sqlite3 "$work/kept/organization.db" "$1"; }
head=$(ask 'SELECT max(seq) FROM event')
next=$((head + 1))
live=$(ask 'SELECT fence FROM state_claim WHERE live = 1')
is "the ledger has a live claim, blobs and a tail" \
    "$([ "$live" -gt 1 ] && [ "$(ask 'SELECT count(*) FROM blob')" -gt 1 ] && [ "$head" -gt 30 ] && echo yes)" yes

fresh() {
    rm -f "$db-journal" "$db-wal" "$db-shm"
    cp "$work/kept/organization.db" "$db"
}
# What counts: rows and schema, not pages.
content() { sqlite3 "$1" .dump | sort | sha256sum; }
kept=$(content "$work/kept/organization.db")
tried() { # SQL...: refused, nothing or lasting
    fresh
    s=$(status_of sqlite3 -batch "$db" "$@")
    if [ "$(content "$db")" != "$kept" ]; then echo lasting
    elif [ "$s" != 0 ]; then echo refused
    else echo nothing; fi
}
named() { # the gravest class that verify names, and the first bad seq; ok if it names none
    sov verify --no-anchor --json=verdict,first_bad_seq,findings >"$work/out" 2>"$work/err" || :
    sed 's/.*"verdict":"ok".*/ok/; t
        s/.*"first_bad_seq":\([0-9a-z]*\),"findings":\[{"class":"\([A-Z]*\)".*/\2 \1/' "$work/out"
}
appended() { # ok, or the code that stopped it with nothing appended
    before=$(content "$db")
    s=$(status_of sov heartbeat till --actor operator --json)
    if [ "$s" = 0 ]; then echo ok
    elif [ "$(content "$db")" != "$before" ]; then echo "exit $s, and appended"
    else sed 's/.*"code":"\([a-z_]*\)".*/\1/' "$work/err"; fi
}

# ---- refused: nothing of it is left ----
cat >"$work/refused" <<X
DELETE FROM event
DELETE FROM event WHERE seq = 1
DELETE FROM event WHERE seq = $head
UPDATE event SET octets = x'7b7d'
UPDATE event SET hash = zeroblob(32) WHERE seq = 7
UPDATE event SET seq = 1000 WHERE seq = $head
UPDATE event SET fence = NULL, resource = NULL WHERE fence IS NOT NULL
UPDATE OR REPLACE event SET seq = 1 WHERE seq = $head
UPDATE OR IGNORE event SET octets = x'7b7d'
INSERT INTO event SELECT * FROM event WHERE seq = 1 ON CONFLICT (seq) DO UPDATE SET octets = x'7b7d'
INSERT INTO event SELECT * FROM event WHERE true ON CONFLICT DO NOTHING
INSERT OR IGNORE INTO event (seq, hash, octets) VALUES ($((head + 2)), zeroblob(32), x'7b7d')
INSERT INTO event (seq, hash, octets) VALUES ($((head + 2)), zeroblob(32), x'7b7d')
INSERT INTO event (seq, hash, octets) VALUES (0, zeroblob(32), x'7b7d')
INSERT INTO event (seq, hash, octets) VALUES (-5, zeroblob(32), x'7b7d')
INSERT INTO event (seq, hash, octets) VALUES (9223372036854775807, zeroblob(32), x'7b7d')
INSERT INTO event (hash, octets) VALUES (zeroblob(32), x'7b7d')
INSERT INTO event (seq, hash, octets) VALUES (NULL, zeroblob(32), x'7b7d')
INSERT INTO event (rowid, hash, octets) VALUES (1, zeroblob(32), x'7b7d')
INSERT OR REPLACE INTO event (oid, hash, octets) VALUES (1, zeroblob(32), x'7b7d')
INSERT OR REPLACE INTO event (_rowid_, hash, octets) VALUES (2, zeroblob(32), x'7b7d')
INSERT INTO event (seq, hash, octets) VALUES ($next, x'00', x'7b7d')
INSERT INTO event (seq, hash, octets) VALUES ($next, zeroblob(32), 'text')
INSERT INTO event (seq, hash, octets, resource) VALUES ($next, zeroblob(32), x'7b7d', 'assignment/ASG-1')
INSERT INTO event VALUES ($next, zeroblob(32), x'7b7d', 'assignment/ASG-1', $((live - 1)))
INSERT INTO event VALUES ($next, zeroblob(32), x'7b7d', 'assignment/ASG-9', $live)
PRAGMA ignore_check_constraints = 1; INSERT INTO event (seq, hash, octets) VALUES (-5, x'', x'')
PRAGMA recursive_triggers = 1; INSERT OR REPLACE INTO event SELECT seq, hash, x'7b7d', resource, fence FROM event
DELETE FROM blob
UPDATE blob SET content = x'00'
UPDATE blob SET content = NULL, salt = NULL
UPDATE blob SET salt = zeroblob(32)
UPDATE blob SET media_type = 'text/html'
UPDATE OR REPLACE blob SET n = 1 WHERE n = 2
UPDATE OR REPLACE blob SET digest = (SELECT digest FROM blob WHERE n = 1) WHERE n = 2
INSERT OR IGNORE INTO blob SELECT * FROM blob
INSERT INTO blob SELECT n + 5, zeroblob(32), salt, size, media_type, content FROM blob WHERE n = 1
INSERT INTO blob SELECT * FROM blob WHERE true ON CONFLICT (digest) DO UPDATE SET content = x''
INSERT INTO blob SELECT * FROM blob WHERE true ON CONFLICT DO NOTHING
INSERT INTO blob (digest, size, media_type, content) VALUES (zeroblob(32), 1, 'a', x'00')
DELETE FROM checkpoint
DELETE FROM checkpoint WHERE size = (SELECT max(size) FROM checkpoint)
UPDATE checkpoint SET root = zeroblob(32)
UPDATE checkpoint SET signature = zeroblob(64)
UPDATE checkpoint SET size = 1000 WHERE size = $head
UPDATE OR REPLACE checkpoint SET size = 1000
INSERT INTO checkpoint VALUES (5, zeroblob(32), 1, zeroblob(64))
INSERT OR IGNORE INTO checkpoint VALUES (5, zeroblob(32), 1, zeroblob(64))
INSERT INTO checkpoint SELECT * FROM checkpoint WHERE true ON CONFLICT (size) DO UPDATE SET root = zeroblob(32)
UPDATE state_claim SET fence = fence - 1
UPDATE state_claim SET resource = 'assignment/ASG-9'
INSERT INTO state_claim SELECT resource, fence + 1, live, holder, attempt, ttl_s, at_ms, machine, boot, boot_ms, pid, start, started, finished, end_seq FROM state_claim
INSERT INTO state_claim SELECT resource, fence - 1, 0, holder, attempt, ttl_s, at_ms, machine, boot, boot_ms, pid, start, started, finished, end_seq FROM state_claim
INSERT OR REPLACE INTO state_claim SELECT * FROM state_claim
BEGIN; UPDATE state_claim SET live = 0; UPDATE state_claim SET live = 1; COMMIT
X
# REPLACE through each integer key and each unique column, with every row there is, the other columns
# as they are or as a next row would have them: asked of the schema, not written by hand.
for table in event blob checkpoint; do
    keys=$(ask "SELECT name FROM pragma_table_info('$table') WHERE pk > 0 UNION
        SELECT c.name FROM pragma_index_list('$table') i, pragma_index_info(i.name) c WHERE i.\"unique\"")
    all=$(ask "SELECT group_concat(name, ', ') FROM pragma_table_info('$table')")
    key=$(ask "SELECT name FROM pragma_table_info('$table') WHERE pk > 0")
    echo "INSERT OR REPLACE INTO $table SELECT $all FROM $table"
    for column in $keys; do
        fresh_key=$(ask "SELECT group_concat(CASE
            WHEN name = '$key' AND name <> '$column' THEN '(SELECT max($key) + 1 FROM $table)'
            WHEN name = '$column' OR \"notnull\" = 0 OR type <> 'BLOB' THEN name
            ELSE 'zeroblob(length(' || name || '))' END, ', ') FROM pragma_table_info('$table')")
        for row in $(ask "SELECT min($key) FROM $table UNION SELECT max($key) FROM $table"); do
            echo "INSERT OR REPLACE INTO $table ($all) SELECT $fresh_key FROM $table WHERE $key = $row"
            echo "REPLACE INTO $table ($all) SELECT $all FROM $table WHERE $key = $row"
        done
        echo "$table.$column" >>"$work/keys"
    done
    for alias in rowid oid _rowid_; do
        echo "INSERT OR REPLACE INTO $table ($alias, $all) SELECT 1, $all FROM $table WHERE $key = (SELECT max($key) FROM $table)"
    done
done >>"$work/refused"
is "every key of the canonical tables is tried" "$(sort -u "$work/keys" | tr '\n' ' ')" \
    "blob.digest blob.n checkpoint.size event.seq "
all_refused() { # how many of the list are not, and the first one
    left=0 first=
    while read -r sql; do
        got=$(tried "$sql")
        [ "$got" = refused ] || { left=$((left + 1)); [ -n "$first" ] || first="$got: $sql"; }
    done <"$work/refused"
    echo "$left $first"
}
is "$(wc -l <"$work/refused") statements are refused, and change nothing" "$(all_refused)" "0 "

# ---- of no lasting effect: they end with their connection ----
while read -r sql; do
    is "no lasting effect: $sql" "$(tried "$sql") $(named) $(appended)" "nothing ok ok"
done <<X
CREATE TEMP TABLE event AS SELECT * FROM main.event; DELETE FROM event
CREATE TEMP VIEW event AS SELECT 1
CREATE TEMP TRIGGER t BEFORE INSERT ON main.event BEGIN SELECT raise(IGNORE); END
ATTACH ':memory:' AS other
PRAGMA ignore_check_constraints = 1
PRAGMA synchronous = 0
PRAGMA journal_mode = MEMORY
PRAGMA foreign_keys = 0
BEGIN; INSERT INTO event VALUES ($next, zeroblob(32), x'7b7d', NULL, NULL); ROLLBACK
VACUUM
REINDEX
X

# ---- lasting: named by verify, and what the next append says ----
lasting() { # NAMED APPEND SQL...
    class=$1 code=$2
    shift 2
    is "lasting: $*" "$(tried "$@") $(named) $(appended)" "lasting $class $code"
}
while IFS='|' read -r class code sql; do
    lasting "$class" "$code" "$sql"
done <<X
SCHEMA null|schema_changed|DROP TRIGGER event_next
SCHEMA null|schema_changed|DROP TRIGGER event_no_update
SCHEMA null|schema_changed|DROP TRIGGER state_claim_next
TAMPER 7|schema_changed|DROP TRIGGER event_no_update; UPDATE event SET octets = x'7b7d' WHERE seq = 7
TAMPER $head|schema_changed|DROP TRIGGER event_no_delete; DELETE FROM event WHERE seq = $head
TAMPER 9|schema_changed|DROP TRIGGER event_no_delete; DELETE FROM event WHERE seq = 9
TAMPER 5|schema_changed|DROP TRIGGER event_next; INSERT OR REPLACE INTO event SELECT 5, hash, octets, NULL, NULL FROM event WHERE seq = 6
SCHEMA null|schema_changed|DROP TABLE event
SCHEMA null|schema_changed|DROP TABLE state_actor
CORRUPT null|schema_changed|ALTER TABLE event RENAME TO old; CREATE TABLE event (seq INTEGER PRIMARY KEY, hash BLOB, octets BLOB, resource TEXT, fence INTEGER)
SCHEMA null|schema_changed|ALTER TABLE event ADD COLUMN more INTEGER
SCHEMA null|schema_changed|CREATE TRIGGER swallow BEFORE INSERT ON event BEGIN SELECT raise(IGNORE); END
SCHEMA null|schema_changed|CREATE TABLE extra (a)
SCHEMA null|schema_changed|CREATE VIEW extra AS SELECT 1
SCHEMA null|schema_changed|CREATE INDEX extra ON event (hash)
SCHEMA null|schema_changed|PRAGMA writable_schema = 1; DELETE FROM sqlite_schema WHERE name = 'event_no_delete'
SCHEMA null|schema_changed|PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, '+ 1', '+ 2') WHERE name = 'event_next'
TAMPER $next|head_mismatch|INSERT INTO event VALUES ($next, zeroblob(32), x'7b7d', NULL, NULL)
TAMPER $next|head_mismatch|INSERT INTO event SELECT $next, hash, octets, NULL, NULL FROM event WHERE seq = 3
TAMPER $next|head_mismatch|INSERT INTO checkpoint SELECT $next, root, key, signature FROM checkpoint WHERE size = $head
STATE null|head_mismatch|UPDATE state_range SET size = size - 1
STATE null|head_mismatch|UPDATE state_range SET nodes = zeroblob(length(nodes))
STATE null|head_mismatch|DELETE FROM state_range
STATE null|ok|UPDATE state_actor SET role = 'principal' WHERE id = 'operator'
X
for n in 1 7 "$head"; do
    lasting "TAMPER $n" "$([ "$n" = 1 ] || [ "$n" = "$head" ] && echo event_invalid || echo ok)" '.dbconfig enable_trigger off' \
        "UPDATE event SET octets = CAST(replace(CAST(octets AS TEXT), '\"v\":1', '\"v\":2') AS BLOB) WHERE seq = $n"
done
lasting "TAMPER 3" ok '.dbconfig enable_trigger off' "REPLACE INTO event SELECT 3, hash, octets, NULL, NULL FROM event WHERE seq = 4"
lasting "TAMPER $head" bad_signature '.dbconfig enable_trigger off' "UPDATE checkpoint SET signature = zeroblob(64) WHERE size = $head"
lasting "TAMPER $head" head_mismatch '.dbconfig enable_trigger off' "UPDATE checkpoint SET root = zeroblob(32) WHERE size = $head"

# ---- the list can fail: any one guard less, and a statement of it goes through ----
for guard in $(ask "SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name"); do
    cp "$work/kept/organization.db" "$work/whole.db"
    ask "DROP TRIGGER $guard"
    kept=$(content "$work/kept/organization.db")
    missed=
    while read -r sql; do
        [ "$(tried "$sql")" = refused ] || { missed=yes; break; }
    done <"$work/refused"
    is "without $guard a statement goes through" "$missed" yes
    mv "$work/whole.db" "$work/kept/organization.db"
done
if broken t10_unique; then caught "a unique column without its clause" tests/faults/t10_bypass.sh; fi
finish
