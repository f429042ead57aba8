#!/bin/sh
# T11: one bit of an octet of each published file turned: segments, checkpoints and views, in a clone
# without a ledger and beside the ledger. Never ok, and in a segment the first bad seq lies where it
# was done. By day some octets of each kind of file, at night each 7th, for a release each one.
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
case $tier in pr) octets=509 ;; nightly) octets=7 ;; *) octets=1 ;; esac
cd "$work"
(store_enter shop && store_to_assignment && store project && store_run ASG-1 6 && store project &&
    store_judged SOW-1 OUT-1 && store accept OUT-1 --actor principal && store project)
keys="$HOME/.local/share/sov/keys"
newest=$(ls shop/governance/checkpoints | sort -n | tail -n 1)
cp "shop/governance/checkpoints/$newest" kept

# judge FILE: lines `CLASS FROM-TO|FOUND SEQ EXIT|WHAT`, of which none may deviate
judge() {
    awk -F'|' '
        { n++; split($1, due, /[ -]/); split($2, got, " "); bad = 0
          if (due[1] == "caught") bad = got[3] == 0
          else bad = got[1] != due[1]
          if (due[1] != "caught" && due[2] > 0 && (got[2] < due[2] || got[2] > due[3])) bad = 1
          if (bad) { print $3 ": due " $1 ", found " $2; failed = 1 } }
        END { if (n < 2) print "nothing was judged"; exit failed || n < 2 }' "$1"
}
report() { # report NAME FILE
    judge "$2" >"$work/deviant" || :
    if [ -s "$work/deviant" ]; then say 1 "$1"; head -n 20 "$work/deviant" | sed 's/^/#   /'
    else say 0 "$1 ($(wc -l <"$2"))"; fi
}
find shop/governance -type f | sort | xargs sha256sum >before
ok "each octet is judged in a clone" sh -c "'$build/tools/flip' shop '$keys' kept $octets >clone"
report "in a clone none is ok" clone
ok "each is judged beside the ledger" sh -c "'$build/tools/flip' shop '$keys' kept $octets shop/.sovereign >beside"
report "beside the ledger none is ok" beside
for part in log/ checkpoints/ README.md; do
    ok "octets of $part are among them" grep -q "of governance/.*$part" clone
done
is "every file is again as it was" "$(find shop/governance -type f | sort | xargs sha256sum | cmp - before && echo same)" same

# ---- the control: the campaign can say no ----
echo 'caught 0-0|ok 0 0|planted' | cat clone - >planted
if judge planted >/dev/null; then say 1 "a miss is seen"; else say 0 "a miss is seen"; fi
finish
