#!/bin/sh
# Seeds of the simulator, one after the other: run.sh SIMULATE FIRST COUNT MINUTES
# A line for each; one that fails is run again without each of its faults in turn, and what is left
# of them is the command that replays it. Exit 1 if any failed.
set -eu
simulate=$1 first=$2 count=$3 minutes=$4
export LC_ALL=C
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

fails() { # fails SEED WITHOUT: what it says is in $scratch/out
    s=0
    "$simulate" --seed "$1" --minutes "$minutes" --without "$2" >"$scratch/out" 2>&1 || s=$?
    [ $s -ne 0 ]
}
minimised() { # minimised SEED
    without=
    for fault in $(awk '$2 == "fault" { print $3 }' "$scratch/first"); do
        if fails "$1" "$without${without:+,}$fault"; then without=$without${without:+,}$fault; fi
    done
    fails "$1" "$without" || :
    grep -E '^# (seed|fault|  in)' "$scratch/out" || tail -n 3 "$scratch/out"
    echo "# again: $simulate --seed $1 --minutes $minutes${without:+ --without $without}"
}
bad=0
for seed in $(seq "$first" $((first + count - 1))); do
    if fails "$seed" ''; then
        bad=1
        cp "$scratch/out" "$scratch/first"
        cat "$scratch/first"
        minimised "$seed"
    else tail -n 1 "$scratch/out"; fi
done | tee "$scratch/all"
awk '$1 == "held" || $1 == "failed" { n[$1]++; events += $5; commands += $7; split($NF, x, ":")
         for (i = 1; i < NF; i++) if ($i == "faults") { split($(i + 1), f, "/"); fired += f[1]; of += f[2] } }
     END { printf "total held %d failed %d events %d commands %d fired %d of %d\n",
               n["held"], n["failed"], events, commands, fired, of
           exit !n["held"] || n["failed"] > 0 }' "$scratch/all"
