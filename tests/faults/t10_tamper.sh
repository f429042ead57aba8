#!/bin/sh
# T10 and T11: edits of a ledger file, each judged. Every event's octets with and without the hash
# beside them, rows, columns, checkpoints, tails cut whole, every object of the schema, every derived
# table: each has the class that it must have, and the first bad seq lies where it was done. And one
# bit of each octet of the file: ok only where a reader sees all that was written.
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
tamper="$build/tools/tamper"
case $tier in pr) edits=31 octets=509 ;; nightly) edits=1 octets=7 ;; *) edits=1 octets=1 ;; esac
cd "$work"
(store_enter shop && store_accepted && store project)
home="$work/shop/.sovereign" keys="$HOME/.local/share/sov/keys" pins="$HOME/.local/state/sov/pins"
is "the ledger has 64 KiB at least" "$([ "$(wc -c <"$home/organization.db")" -ge 65536 ] && echo yes)" yes

# judge FILE: lines `CLASS FROM-TO|FOUND SEQ EXIT|WHAT`, of which none may deviate
judge() {
    awk -F'|' '
        { n++; split($1, due, /[ -]/); split($2, got, " "); what = $3; bad = 0
          if (due[1] == "same") next
          if (due[1] == "caught") bad = got[3] == 0
          else if (due[1] == "STATE") bad = got[3] != 6 || got[1] !~ /^(STATE|TAMPER)$/
          else bad = got[1] != due[1]
          if (due[1] == "TAMPER" && (got[2] < due[2] || got[2] > due[3])) bad = 1
          if (bad) { print what ": due " $1 ", found " $2; failed = 1 } }
        END { if (n < 2) print "nothing was judged"; exit failed || n < 2 }' "$1"
}
report() { # report NAME FILE
    judge "$2" >"$work/deviant" || :
    if [ -s "$work/deviant" ]; then say 1 "$1"; head -n 20 "$work/deviant" | sed 's/^/#   /'
    else say 0 "$1 ($(wc -l <"$2"))"; fi
}
mkdir "$work/edits" "$work/flips"
cd "$work/edits"
ok "each edit is judged, and nothing ends the judge" sh -c "'$tamper' edits '$home' '$keys' '$pins' $edits >../edited"
report "each edit has its class and its place" "$work/edited"
for class in TAMPER SCHEMA STATE ROLLBACK UNANCHORED; do
    ok "$class is among them" grep -q "^$class " "$work/edited"
done
cd "$work/flips"
ok "each flipped octet is judged" sh -c "'$tamper' flips '$home' '$keys' '$pins' $octets >../flipped"
report "it is never ok where a reader sees something else" "$work/flipped"
ok "some of them were seen" grep -q '^caught ' "$work/flipped"

# ---- the control: the campaign can say no ----
echo 'TAMPER 5-5|ok 0 0|planted' | cat "$work/edited" - >"$work/planted"
if judge "$work/planted" >/dev/null; then say 1 "a miss is seen"; else say 0 "a miss is seen"; fi
sed 's/^TAMPER 7-7|TAMPER 7 /TAMPER 7-7|TAMPER 8 /; s/^SCHEMA 0-\([0-9]*\)|SCHEMA /SCHEMA 0-\1|STATE /' \
    "$work/edited" >"$work/planted"
if judge "$work/planted" >/dev/null; then say 1 "another class is seen"; else say 0 "another class is seen"; fi
# ---- each wall of the verifier taken away in turn ----
for wall in tree schema hash columns pin; do
    if broken t10_$wall; then caught "a verify that does not look at the $wall" tests/faults/t10_tamper.sh; fi
done
finish
