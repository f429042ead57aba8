#!/bin/sh
# Runs each fuzz target for FUZZ_S seconds, two at a time. TAP, one line a target.
#   SOV_BUILD  where fuzz/fuzz_* were built     FUZZ_S     seconds a target, 20 unless said
#   FUZZ_SEED  0, another each time, unless said; a check gives one, so that it can be repeated
#   FUZZ_KEEP  a folder in which what was learnt stays from one run to the next
# The first line is the control: a fault planted in tests/fuzz/planted.c must be found, or nothing
# that follows means anything. A target that made no run has not passed.
set -eu
built=${SOV_BUILD:-build}/fuzz
seconds=${FUZZ_S:-20}
seed=${FUZZ_SEED:-0}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Octets to begin with, beside what the run finds by itself.
seeds() {
    case $1 in
    fuzz_from) echo fixtures/signals fixtures/corpus/json ;;
    fuzz_scan | fuzz_report | fuzz_envelope) echo fixtures/corpus/json ;;
    esac
    [ ! -d "fixtures/corpus/${1#fuzz_}" ] || echo "fixtures/corpus/${1#fuzz_}"
}
# Its own words go to NAME.log, its status to NAME.status; what it trips over stays beside them.
fuzz() {
    name=$1 status=0
    learnt=${FUZZ_KEEP:-$work}/$name
    mkdir -p "$learnt"
    "$built/$name" -seed="$seed" -max_total_time="$2" -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 \
        -artifact_prefix="$work/$name." "$learnt" $(seeds "$name") >"$work/$name.log" 2>&1 ||
        status=$?
    echo $status >"$work/$name.status"
}
runs() { sed -n 's/^stat::number_of_executed_units: *//p' "$work/$1.log"; }
tell() { # what the log says of a finding, and how to see it again
    grep -aE 'Seed:|ERROR|SUMMARY|runtime error|Assertion|Base64|Test unit written' "$work/$1.log" |
        cut -c1-400 | sed 's/^/# /'
    tail -n 25 "$work/$1.log" | cut -c1-200 | tr -cd '\n -~' | sed 's/^/# | /'
    echo "# again: $built/$1 FILE, with the Base64 above in FILE"
}

names=
for source in tests/fuzz/fuzz_*.c; do
    [ -e "$source" ] || { echo 'Bail out! there is no fuzz target'; exit 1; }
    names="$names $(basename "$source" .c)"
done

n=1 bad=0
fuzz planted 60
if [ "$(cat "$work/planted.status")" -ne 0 ] &&
    grep -q 'AddressSanitizer: heap-buffer-overflow' "$work/planted.log"; then
    echo 'ok 1 - the planted fault is found'
else
    echo 'not ok 1 - the planted fault is found'
    tell planted | tee /dev/stderr
    bad=1
fi

set -- $names
while [ $# -gt 0 ]; do
    pair="$1 ${2:-}"
    shift
    [ $# -eq 0 ] || shift
    for name in $pair; do fuzz "$name" "$seconds" & done
    wait
    for name in $pair; do
        n=$((n + 1)) count=$(runs "$name")
        if [ "$(cat "$work/$name.status" 2>/dev/null)" = 0 ] && [ "${count:-0}" -gt 0 ]; then
            echo "ok $n - $name, $count runs"
        else
            echo "not ok $n - $name, ${count:-0} runs"
            tell "$name" | tee /dev/stderr # prove shows no remark of a test, only what goes there
            bad=1
        fi
    done
done
echo "1..$n"
exit $bad
