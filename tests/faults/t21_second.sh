#!/bin/sh
# T21: a second verifier, in another language and by another reading of the model (tests/second),
# and sov judge the same published logs: the fixtures, and hundreds of copies as attackers would
# leave them. Each must name the class that is expected, and both the same one first.
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

# agree NAME LIST GOT OPTION...: sov judges the same trees; the exit and the gravest class are those
# of the second verifier. At night all of them, else each third.
case $tier in pr) every=3 ;; *) every=1 ;; esac
mkdir "$work/nobody"
agree() {
    name=$1 list=$2 got=$3
    shift 3
    awk -v n=$every 'NR % n == 0' "$list" >"$work/some"
    awk -v n=$every 'NR % n == 0' "$got" >"$work/some.got"
    while read -r tree _; do
        s=0
        HOME="$work/nobody" sov -C "$tree" verify "$@" --json=findings >"$work/out" 2>"$work/err" || s=$?
        grep -o '"class":"[A-Z]*"' "$work/out" | cut -d '"' -f 4 | sort -u | paste -s -d , - >"$work/classes"
        echo "$s $(cat "$work/classes")- $tree $(head -n 1 "$work/err")"
    done <"$work/some" >"$work/some.sov"
    paste -d ' ' "$work/some.got" "$work/some.sov" | awk '
        function gravest(classes,   n, i, c, word) {
            n = split("TAMPER ROLLBACK FORK ABSENT DRIFT UNANCHORED", word, " ")
            for (i = 1; i <= n; i++) if (("," classes ",") ~ ("," word[i] "[,-]")) return word[i]
            return "ok"
        }
        { n++
          one = gravest($2); two = gravest($5)
          if (free && two == "UNANCHORED") two = "ok"
          if ($1 != $4 || one != two || NF > 6) {
              print $3 ": the second says " $1 " " $2 ", sov " $4 " " $5 " " $7 " " $8 " " $9; bad = 1 } }
        END { if (!n) print "nothing was judged"; exit bad || !n }' free="$free" >"$work/deviant" || :
    if [ -s "$work/deviant" ]; then say 1 "$name"; head -n 20 "$work/deviant" | sed 's/^/#   /'
    else say 0 "$name ($(wc -l <"$work/some"))"; fi
}

# ---- the logs of fixtures/chains, each signed anew with the key of its ledger ----
# What is a fork or a rollback only beside a pin is asked with the pin of the whole log.
mkdir "$work/chains"
python3 "$second/tamper.py" --chains "$src/fixtures/chains" "$work/chains" >"$work/all"
grep -v -e ROLLBACK -e FORK "$work/all" >"$work/list"
python3 "$second/verify.py" --no-anchor --quiet $(trees "$work/list") >"$work/got" || :
is "the chains are there" "$([ "$(wc -l <"$work/list")" -ge 40 ] && echo yes)" yes
expected "each chain has the class of its name" "$work/list" "$work/got"
free=1
agree "sov says the same of them" "$work/list" "$work/got" --no-anchor
free=
pin=$(python3 "$second/verify.py" --no-anchor --root "$work/chains/good-store")
grep -e ROLLBACK -e FORK "$work/all" >"$work/list"
python3 "$second/verify.py" --pin "$pin" --quiet $(trees "$work/list") >"$work/got" || :
expected "and the others beside a checkpoint that was kept" "$work/list" "$work/got"
every=1
agree "of which sov says the same" "$work/list" "$work/got" \
    --checkpoint "$work/chains/good-store/governance/checkpoints/93"
case $tier in pr) every=3 ;; esac

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
cp "governance/checkpoints/${pin%%:*}" "$work/kept"
agree "sov says the same of them" "$work/list" "$work/got" --ledger-id "$id" --checkpoint "$work/kept"
is "the published store itself holds" \
    "$(python3 "$second/verify.py" --ledger-id "$id" --pin "$pin" --quiet . | cut -d ' ' -f 1-2)" "0 ok"
is "under another ledger id it is a fork" \
    "$(python3 "$second/verify.py" --ledger-id "${pin#*:}" --quiet --no-anchor . | cut -d ' ' -f 1-2)" "6 FORK"
is "without an anchor it is not success" \
    "$(python3 "$second/verify.py" --quiet . | cut -d ' ' -f 1-2)" "1 UNANCHORED"
is "without a published log there is nothing to check" \
    "$(mkdir "$work/empty" && python3 "$second/verify.py" --quiet "$work/empty" | cut -d ' ' -f 1-2)" "3 ABSENT"
if broken t21_signatures; then caught "a sov that looks at no signature of people" tests/faults/t21_second.sh; fi
finish
