#!/bin/sh
# One byte flipped in any canonical column of a log of 100,000 events in commits of ten, by a program
# that knows no guard: verify names the class and the first bad seq, in less than 64 MiB. By day one
# row of each column; at night the first, the middle and the last one of each.
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
mkdir "$work/long"
cd "$work/long"
db=$PWD/.sovereign/organization.db
bulk() { "$build/tools/bulk" "$PWD/.sovereign" "$HOME/.local/share/sov/keys" "$1" "$2" 10 || say 1 "$1 is filled"; }
# A claim that comes and goes, for events with a fence, and a salted blob.
marks() {
    store claim ASG-1 --actor operator
    store claim release ASG-1 --fence "$(sqlite3 "$db" 'SELECT fence FROM state_claim WHERE live = 1')" \
        --actor operator --reason "$1"
    echo "$1" >payload
    store signal stock.photo --source till --subject it --payload payload --confidential --actor operator
}
store_to_assignment
marks first
bulk morning 50000
marks middle
bulk evening 50000
marks last
ask() { sqlite3 -batch "$db" ".dbconfig enable_trigger off" "PRAGMA ignore_check_constraints = 1; $1" | tail -n +2; }
head=$(ask 'SELECT max(seq) FROM event')
is "100,000 events in commits of ten" "$([ "$head" -ge 100000 ] && [ "$(ask 'SELECT count(*) FROM checkpoint')" -gt 9990 ] && echo yes)" yes
if nm -D "$build/seeded/sov" 2>/dev/null | grep -q __asan_init; then
    skip "verify in less than 64 MiB" "a sanitizer maps terabytes"
else ok "verify in less than 64 MiB of address space" sh -c 'ulimit -v 65536; exec sov verify --no-anchor --signatures'; fi

named() { # class and first bad seq
    sov verify --no-anchor ${1:-} --json=verdict,first_bad_seq,findings >"$work/out" 2>"$work/err" || :
    sed 's/.*"verdict":"ok".*/ok/; t
        s/.*"first_bad_seq":\([0-9a-z]*\),"findings":\[{"class":"\([A-Z]*\)".*/\2 \1/' "$work/out"
}
# flipped TABLE KEY COLUMN ROW: the same row with one bit of the column turned, as a literal of SQL
flipped() {
    ask "SELECT typeof($3), CASE typeof($3) WHEN 'blob' THEN hex($3) WHEN 'text' THEN hex($3) ELSE $3 END
        FROM $1 WHERE $2 = $4" | awk -F'|' '
        $1 == "integer" { printf "%.0f", ($2 >= 16777216 ? $2 - 16777216 : $2 + 16777216) }
        $1 == "blob" || $1 == "text" { at = 2 * int(length($2) / 4) + 2; c = index("0123456789ABCDEF", substr($2, at, 1)) - 1
            hex = substr($2, 1, at - 1) substr("0123456789ABCDEF", (c % 2 ? c - 1 : c + 1) + 1, 1) substr($2, at + 1)
            printf ($1 == "text" ? "CAST(x\047%s\047 AS TEXT)" : "x\047%s\047"), hex }'
}
try() { # TABLE KEY COLUMN ROW SEQ: flips, asks, puts back
    new=$(flipped "$1" "$2" "$3" "$4")
    ask "UPDATE $1 SET $3 = $new WHERE $2 = $4"
    fired=$((fired + $(ask "SELECT count(*) FROM $1 WHERE $3 = $new")))
    tried=$((tried + 1))
    case $1.$3 in checkpoint.signature) how=--signatures ;; *) how= ;; esac
    is "$1.$3 of row $4" "$(named $how)" "TAMPER $5"
    rm -f "$db-journal"
    cp "$work/whole.db" "$db"
}
named_by() { # N: the first event that names the blob
    ask "SELECT min(seq) FROM event, blob WHERE n = $1 AND instr(octets, CAST(lower(hex(digest)) AS BLOB))"
}
# rows TABLE KEY CONDITION: the first, the middle and the last; by day one of them, in turn
rows() {
    ask "SELECT $2 FROM $1 WHERE $3 ORDER BY $2" >"$work/rows"
    lines=$(wc -l <"$work/rows")
    for at in 1 $(((lines + 1) / 2)) "$lines"; do sed -n "${at}p" "$work/rows"; done |
        if [ "$tier" = pr ]; then sed -n "$((tried % 3 + 1))p"; else cat; fi
}
cp "$db" "$work/whole.db"
fired=0 tried=0
for column in seq hash octets; do
    for row in $(rows event seq true); do try event seq $column "$row" "$row"; done
done
for column in resource fence; do
    for row in $(rows event seq 'fence IS NOT NULL'); do try event seq $column "$row" "$row"; done
done
for column in n digest salt size media_type content; do
    for row in $(rows blob n true); do try blob n $column "$row" "$(named_by "$row")"; done
done
for column in root key signature; do
    for row in $(rows checkpoint size true); do
        before=$(ask "SELECT coalesce(max(size), 0) FROM checkpoint WHERE size < $row")
        case $column in root) try checkpoint size root "$row" $((before + 1)) ;; *) try checkpoint size $column "$row" "$row" ;; esac
    done
done
# A checkpoint that says a size beyond the head stands where no event is.
for row in $(rows checkpoint size true); do try checkpoint size size "$row" $((head + 1)); done
fires "flips" "$fired" "$tried"
at_least=$([ "$tier" = pr ] && echo 15 || echo 45)
is "each column of event, blob and checkpoint" "$([ "$tried" -ge "$at_least" ] && echo yes || echo "$tried")" yes
finish
