#!/bin/sh
# T9: mutants. A comparison, a guard, a sync, a clause of a trigger, a range of a table is changed in
# a copy, what depends on it is built, and the tests that tests/mutants/map names must notice. Of all
# that live each is explained in docs/mutants.md.
#   SOV_TIER=pr  the machinery alone: every file of the map has mutants, every test in it is there
#   nightly      30, drawn by the date      release  all of them, one in twenty may live, explained
# One line tries one:  python3 tests/mutants/mutate.py run ID --work FOLDER
. tests/faults/lib.sh
mutate="$src/tests/mutants/mutate.py"
mutants() { (cd "$src" && python3 "$mutate" "$@"); }
cd "$work"
mutants list >listed 2>&1 || { sed 's/^/# /' listed; say 1 "mutants are made"; finish; }
ok "$(wc -l <listed) mutants, 300 at least" [ "$(wc -l <listed)" -ge 300 ]
is "each has an id of its own" "$(cut -d ' ' -f 1 listed | sort | uniq -d)" ""
awk '!/^#/ { print $1 }' "$src/tests/mutants/map" | sort >mapped
is "each file of the map has some" "$(cut -d ' ' -f 2 listed | cut -d : -f 1 | sort -u | comm -13 - mapped)" ""
awk '!/^#/ { for (i = 3; i <= NF; i++) print $i }' "$src/tests/mutants/map" | sort -u >named
is "each test of the map is there" "$(while read -r test; do [ -e "$src/tests/$test.c" ] || [ -e "$src/tests/cli/$test" ] || echo "$test"; done <named)" ""
grep -o '`[0-9a-f]\{8\}`' "$src/docs/mutants.md" | tr -d '`' | sort >explained
is "none is explained twice" "$(uniq -d explained)" ""
is "each that is explained is still made" "$(cut -d ' ' -f 1 listed | sort | comm -13 - explained)" ""
ok "one in twenty is explained at most" [ $(($(wc -l <explained) * 20)) -le "$(wc -l <listed)" ]
case $tier in
nightly) set -- --draw 30 --seed "$(date +%F)" ;;
release) set -- --all ;;
*) finish ;;
esac
s=0
export CFLAGS="${CFLAGS:--O0 -Wno-error}"
mutants run "$@" --work "$work/mutants" >tried || s=$?
sed 's/^/# /' tried
is "all that live are explained" $s 0
finish
