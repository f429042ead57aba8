#!/bin/sh
# Seeds of the simulator, one after the other: run.sh SIMULATE FIRST COUNT MINUTES
# A line for each. Behind each the model of model.awk reads the log and must agree with what sov
# lists. A seed that fails is run again without each of its faults in turn, and what is left of them
# is the command that replays it. Exit 1 if any failed.
set -eu
simulate=$1 first=$2 count=$3 minutes=$4
export LC_ALL=C
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Balances, states and counts, as sov lists them and as the model says.
agrees() {
    m=0
    awk -f tests/oracle_json.awk -f tests/simulator/model.awk "$scratch/events" >"$scratch/model" || m=$?
    awk '/^= / { kind = $2 == "deliveries" ? "delivery" : $2 == "accounts" ? $2 : substr($2, 1, length($2) - 1)
             next }
         { print kind, $1, $2 }' "$scratch/said" | sort >"$scratch/listed"
    grep -Ev '^(live|wrong)' "$scratch/model" | sort >"$scratch/modelled"
    [ $m -eq 0 ] && [ -s "$scratch/listed" ] && cmp -s "$scratch/listed" "$scratch/modelled"
}
fails() { # fails SEED WITHOUT: what is said is in $scratch/out, the verdict last
    "$simulate" --seed "$1" --minutes "$minutes" --without "$2" --events "$scratch/events" \
        --said "$scratch/said" >"$scratch/out" 2>&1 || return 0
    ! agrees || return 1
    {
        echo "# seed $1: the model does not agree"
        grep '^wrong' "$scratch/model" | head -n 3 | sed 's/^/# seed: /'
        diff "$scratch/listed" "$scratch/modelled" | grep '^[<>]' | head -n 4 |
            sed 's/^</# seed: listed  /; s/^>/# seed: modelled/'
        sed 's/^held/failed/' "$scratch/out"
    } >"$scratch/both"
    mv "$scratch/both" "$scratch/out"
}
minimised() { # minimised SEED
    without=
    for fault in $(awk '$2 == "fault" { print $3 }' "$scratch/out"); do
        if fails "$1" "$without${without:+,}$fault"; then without=$without${without:+,}$fault; fi
    done
    fails "$1" "$without" || :
    grep -E '^# (seed|fault|  in)' "$scratch/out" || tail -n 3 "$scratch/out"
    echo "# again: $simulate --seed $1 --minutes $minutes${without:+ --without $without}"
}
for seed in $(seq "$first" $((first + count - 1))); do
    if fails "$seed" ''; then
        cat "$scratch/out"
        minimised "$seed"
    else tail -n 1 "$scratch/out"; fi
done | tee "$scratch/all"
awk '$1 == "held" || $1 == "failed" {
         n[$1]++; events += $5; commands += $7
         for (i = 1; i < NF; i++) if ($i == "faults") { split($(i + 1), f, "/"); fired += f[1]; of += f[2] } }
     END { printf "total held %d failed %d events %d commands %d fired %d of %d\n",
               n["held"], n["failed"], events, commands, fired, of
           exit !n["held"] || n["failed"] > 0 }' "$scratch/all"
