#!/bin/sh
# T21: a second verifier, in another language and by another reading of the model (tests/second),
# and sov judge the same published logs: the fixtures, and hundreds of copies as attackers would
# leave them. Both must name the class that is expected, and agree.
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
second="$src/tests/second"
export PYTHONDONTWRITEBYTECODE=1
if ! python3 -c 'import json, hashlib' 2>/dev/null; then
    skip "a second verifier" "no python3 here"
    finish
fi
ok "the second verifier is made of what others published" python3 "$second/selftest.py"

# expected NAME LIST GOT: the class expected is among those found, or none is
expected() {
    paste -d ' ' "$2" "$3" | awk '{ want = $2; got = $5; n++
            if ($1 != $6) { print "other trees: " $0; bad = 1 }
            if (want == "ok" ? got != "ok" : ("," got ",") !~ ("," want ",")) {
                print $1 " " $3 ": wanted " want ", got " got; bad = 1 } }
        END { if (!n) print "nothing was judged"; exit bad || !n }' >"$work/deviant" || :
    if [ -s "$work/deviant" ]; then say 1 "$1"; head -n 20 "$work/deviant" | sed 's/^/#   /'
    else say 0 "$1 ($(wc -l <"$2"))"; fi
}
trees() { cut -d ' ' -f 1 "$1"; }

# ---- the logs of fixtures/chains, each signed anew with the key of its ledger ----
# What is a fork or a rollback only beside a pin is asked with the pin of the whole log.
mkdir "$work/chains"
python3 "$second/tamper.py" --chains "$src/fixtures/chains" "$work/chains" >"$work/all"
grep -v -e ROLLBACK -e FORK "$work/all" >"$work/list"
python3 "$second/verify.py" --no-anchor --quiet $(trees "$work/list") >"$work/got" || :
is "the chains are there" "$([ "$(wc -l <"$work/list")" -ge 40 ] && echo yes)" yes
expected "each chain has the class of its name" "$work/list" "$work/got"
pin=$(python3 "$second/verify.py" --no-anchor --root "$work/chains/good-store")
grep -e ROLLBACK -e FORK "$work/all" >"$work/list"
python3 "$second/verify.py" --pin "$pin" --quiet $(trees "$work/list") >"$work/got" || :
expected "and the others beside a pin" "$work/list" "$work/got"

# ---- a published store, and what may be done to it ----
cd "$work"
store_enter shop
store_to_assignment
store project
store_run ASG-1 6
store_judged SOW-1 OUT-1
store project
store accept OUT-1 --actor principal
store project
id=$(sov init -q)
mkdir "$work/copies"
python3 "$second/tamper.py" . "$HOME/.local/share/sov/keys/$id/ledger.key" "$work/copies" >"$work/list"
pin=$(python3 "$second/verify.py" --no-anchor --root .)
is "there are hundreds of copies" "$([ "$(wc -l <"$work/list")" -ge 250 ] && echo yes)" yes
python3 "$second/verify.py" --ledger-id "$id" --pin "$pin" --quiet $(trees "$work/list") >"$work/got" || :
expected "each copy has the class that it must have" "$work/list" "$work/got"
is "the published store itself holds" \
    "$(python3 "$second/verify.py" --ledger-id "$id" --pin "$pin" --quiet . | cut -d ' ' -f 1-2)" "0 ok"
is "under another ledger id it is a fork" \
    "$(python3 "$second/verify.py" --ledger-id "${pin#*:}" --quiet --no-anchor . | cut -d ' ' -f 1-2)" "6 FORK"
is "without an anchor it is not success" \
    "$(python3 "$second/verify.py" --quiet . | cut -d ' ' -f 1-2)" "1 UNANCHORED"
is "without a published log there is nothing to check" \
    "$(mkdir "$work/empty" && python3 "$second/verify.py" --quiet "$work/empty" | cut -d ' ' -f 1-2)" "3 ABSENT"
finish
