#!/bin/sh
# T8: the whole program in one process, under a clock, a disk and a scheduler of our own
# (tests/simulator/). Every seed must hold; the first of them are run twice and must be the same to
# the octet. FIRST=n begins at another seed, SEEDS=n and MINUTES=n say how many and how long,
# DAYS=n how many of 24 hours at night.
. tests/faults/lib.sh
case $tier in
pr) seeds=${SEEDS:-3} minutes=${MINUTES:-15} twice=1 ;;
nightly) seeds=${SEEDS:-1000} minutes=${MINUTES:-60} twice=10 ;;
release) seeds=${SEEDS:-10000} minutes=${MINUTES:-60} twice=100 ;;
esac
first=${FIRST:-1}
simulate="$build/simulate"
if [ ! -x "$simulate" ]; then
    skip "the simulator" "it is not built with this compiler's flags"
    finish
fi
s=0
tests/simulator/run.sh "$simulate" "$first" "$seeds" "$minutes" >"$work/said" || s=$?
is "$seeds seeds of $minutes virtual minutes hold: $(tail -n 1 "$work/said")" "$s" 0
[ $s -eq 0 ] || grep '^#' "$work/said" || tail -n 3 "$work/said" | sed 's/^/# /'
set -- $(awk '$1 == "total" { print $(NF - 2), $NF }' "$work/said")
fires "faults of these seeds" "${1:-0}" "${2:-0}"
if [ "$tier" != pr ]; then # whole days
    s=0
    tests/simulator/run.sh "$simulate" "$first" "${DAYS:-2}" 1440 >"$work/days" || s=$?
    is "${DAYS:-2} days hold: $(tail -n 1 "$work/days")" "$s" 0
    [ $s -eq 0 ] || grep '^#' "$work/days" || tail -n 3 "$work/days" | sed 's/^/# /'
fi
same=0
for seed in $(seq $((first + 2)) $((first + 1 + twice))); do
    for run in a b; do
        rm -rf "$work/tree"
        "$simulate" --seed "$seed" --minutes "$minutes" --trace "$work/trace.$run" --tree "$work/tree" \
            --events "$work/events.$run" >"$work/last.$run" 2>&1 || :
    done
    [ -s "$work/events.a" ] && cmp -s "$work/events.a" "$work/events.b" &&
        cmp -s "$work/trace.a" "$work/trace.b" && cmp -s "$work/last.a" "$work/last.b" &&
        same=$((same + 1))
done
model() { awk -f tests/oracle_json.awk -f tests/simulator/model.awk "$1" >"$work/.model"; }
ok "the model agrees with the log of seed $seed" model "$work/events.a"
sed '/"claim.expired"/{x;s/^/x/;/^x$/{x;d;};x;}' "$work/events.a" >"$work/less"
if cmp -s "$work/events.a" "$work/less" || model "$work/less"; then
    say 1 "the model sees that an event is missing"
else say 0 "the model sees that an event is missing"; fi
ok "the second verifier agrees about the log that it published" \
    python3 tests/second/verify.py --no-anchor "$work/tree"
is "a seed run twice is the same to the octet" "$same" "$twice"

# ---- S13: two machines on one file, whose locks do nothing for the other ----
case $tier in pr) crowds=6 few=1 ;; *) crowds=500 few=20 ;; esac
apart() { # apart HOW SEEDS: 12 rounds each; what each said is in $work/apart
    for seed in $(seq $first $((first + $2 - 1))); do
        "$simulate" --seed "$seed" --minutes 12 --apart "$1" 2>&1 || :
    done >"$work/apart"
    grep -c '^held' "$work/apart" || :
}
noticed() { grep '^held' "$work/apart" | grep -vc 'noticed nothing' || :; }
is "S13 with common locks both write and all of it is there" "$(apart together $few) $(noticed)" "$few 0"
is "S13 without them nothing that was pinned is lost in silence" "$(apart yes $crowds)" $crowds
fires "S13 files that were damaged and named" "$(noticed)" "$crowds"
is "S13 an older file that is put back and written to is named" "$(apart old $few) $(noticed)" "$few $few"
is "S13 where nobody pins the judge sees what is lost" "$(apart blind $few)" 0

# ---- planted faults: each patch takes one protection away, and some seed of 100 must see it ----
planted() { # planted NAME: at night it is built and run, else only seen to apply
    patch=tests/simulator/planted/$1.patch
    if ! (cd "$src" && git apply --check "$patch") >"$work/.said" 2>&1; then
        say 1 "the patch $1 applies"
        sed 's/^/#   /' "$work/.said"
        return
    fi
    say 0 "the patch $1 applies"
    [ "$tier" != pr ] || return 0
    (cd "$src" && git apply "--directory=$tree" --unsafe-paths "$patch") &&
        make -s -C "$tree" CC="${CC:-cc}" build/simulate >"$work/.said" 2>&1 || {
        say 1 "the build with $1 planted"
        return
    }
    seed=0
    until [ $seed -ge 100 ]; do
        seed=$((seed + 1))
        (cd "$tree" && build/simulate --seed $seed --minutes 60) >"$work/.caught" 2>&1 || break
    done
    (cd "$src" && git apply -R "--directory=$tree" --unsafe-paths "$patch")
    is "$1 is caught by seed $seed: $(grep -m 1 '^#' "$work/.caught" | cut -c1-120)" \
        "$(grep -c '^failed' "$work/.caught")" 1
}
if [ "$tier" != pr ]; then
    tree=$work/planted
    mkdir "$tree"
    (cd "$src" && git ls-files -z | tar --null -T - -cf - | tar -C "$tree" -xf -)
fi
for patch in tests/simulator/planted/*.patch; do
    planted "$(basename "$patch" .patch)"
done
finish
