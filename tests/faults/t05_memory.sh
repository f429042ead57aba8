#!/bin/sh
# T5: the nth allocation fails: of SQLite's allocator, once and for ever, and the verb says no_memory
# with exit 7, having appended nothing (or commit_unknown, unfinished, output_lost with the seq), or
# has done all of it without; or of ours, and it ends in abort, which is a crash: what was acknowledged
# is there. Then as in T3: one of some whole commit, views old or new, no hand needed. At its end a
# verb that was short of SQLite's memory holds no more than one that was not.
# What fails them is linked into build/starved/sov (tests/starved/); the shipped program has no switch.
# Allocations with the same callers, up to main, are one way to run short:
#   SOV_TIER=pr  3 verbs, some of their ways
#   nightly      every verb, and some that only read: the first allocation of each way, once, each
#                fourth for ever; every one of ours
#   release      the first and the last of each way, once; the first for ever
# VERBS='signal project' takes those verbs, STEP=n each nth allocation instead of ways,
# THIN=n each nth of the points.
# One line replays a point:  T5='VERB KIND N HOW' t05_memory.sh   (tests/tools/starve.c)
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
. "$src/tests/faults/verbs.sh"
. "$src/tests/faults/judge.sh"
. "$src/tests/faults/said.sh"
replay=T5
case $tier in
pr) verbs='signal init pin' ;;
*) verbs="$all_verbs $reading_verbs" ;;
esac
verbs=${VERBS:-$verbs}
fell="$build/tools/inject"
cd "$work"
mkdir -p probe/home probe/repo
if [ "$(status_of "$fell" trace probe -- true)" != 0 ]; then
    skip "an allocation that fails" "no process can be traced here: $(head -n 1 err)"
    finish
fi
starve() { PATH="$build/starved:$PATH" "$build/tools/starve" "$@"; }
make_ledgers

# ---- which allocations ----
choose() { # choose WAYS: KIND N HOW
    awk -v step="${STEP:-0}" -v tier="$tier" -v few="$few" '
        function say(kind, n, how) { if (!((kind, n, how) in said)) print kind, n, how; said[kind, n, how] = 1 }
        $1 == "own" { own[++owns] = $2; next }
        { last[$3] = $2; libs++ }
        !($3 in first) { first[$3] = $2; way[++ways] = $3 }
        END {
            if (step) {
                for (n = 1; n <= libs; n += step) { say("lib", n, "once"); say("lib", n, "ever") }
                for (i = 1; i <= owns; i++) say("own", own[i], "once")
                exit
            }
            by = tier == "pr" ? ways / few : 1
            for (i = 1; i <= ways; i += by) say("lib", first[way[int(i)]], "once")
            by = tier == "pr" ? 2 * ways / few : tier == "nightly" ? 4 : 1
            for (i = 1; i <= ways; i += by) say("lib", first[way[int(i)]], "ever")
            for (i = 1; i <= ways && tier == "release"; i++) say("lib", last[way[i]], "once")
            by = tier == "pr" ? 2 * owns / few : 1
            for (i = 1; i <= owns; i += by) say("own", own[int(i)], "once")
        }' "$1" | awk -v thin="${THIN:-1}" '(NR - 1) % thin == 0'
}

# ---- what must hold beside what T3 asks ----
look_memory() {
    awk '$1 == "own" && $5 > 0 && $6 != "signal:6"' results | while read -r point; do
        echo "an allocation of ours failed, and it went on"
        break
    done >why
    [ ! -s why ] || told "$(awk '$1 == "own" && $5 > 0 && $6 != "signal:6" { print $1, $2, $3; exit }' results)"
    leaks=$((leaks + $(awk '$4 > 0' results | wc -l)))
    awk '$4 > 0 { print "# " $4 " blocks are held at the end: T5=\"'"$verb"' " $1, $2, $3 "\"" }' results | head -n 5
    # SQLite got no memory, and that is what is said.
    awk '$1 == "lib" && $6 == "exit:7" { print $8, $1, $2, $3 }' results | awk '!seen[$1]++' >first_of
    while read -r words point <&3; do
        cat "kept/$words.err" "kept/$words.out" |
            grep -q '\[no_memory\]\|\[output_lost\]\|\[commit_unknown\]\|\[unfinished\]' ||
            { sed -n '$p' "kept/$words.err" >why; told "$point"; }
    done 3<first_of
}
campaign() { # campaign VERB [KIND N HOW]
    verb=$1 doing=$1 exact=$(exact_of $1) total=0 fired=0 failed=0 states=0 leaks=0 aborts=yes
    prepare $verb
    command=$(command_of $verb | sed 's/\(^\| \)sov /&--wait 0 /')
    reference $from $command || { say 1 "$verb runs undisturbed"; sed 's/^/#   /' clean/err; return; }
    rm -rf run kept && mkdir kept
    few=12
    ! founds || few=6
    starve ways $from run counters -- $command >ways
    if [ $# -gt 1 ]; then echo "$2 $3 $4" >points; else choose ways >points; fi
    starve run $from run kept counters -- $command <points >results
    awk '$1 == "lib" && $6 ~ /^signal/ { print $1, $2, $3, $6 }' results >ends
    : >judged
    look
    look_memory
    is "$verb: SQLite's allocator failing is no end by a signal" "$(head -n 1 ends)" ''
    is "$verb: after $total failures, in $states states, nothing is lost, half done, or said wrongly" $failed 0
    is "$verb: blocks left behind by $total failures" $leaks 0
    fires "$verb" $fired $total
    printf '%s %d %d %d\n' "$verb" "$total" "$fired" "$states" >>tally
}
: >tally
if [ -n "${T5:-}" ]; then
    campaign $T5
    sed "s/^/# /" results kept/*.err kept/*.out
    finish
fi
for each in $verbs; do campaign "$each"; done
awk '{ all += $2; fired += $3; states += $4 }
    END { printf "# %d allocations, %d fired, %d states judged\n", all, fired, states }' tally

# ---- the control: what is wrong is seen, and so is a build that does not look ----
verb=signal doing=signal exact=yes ended=0 failed=0 leaks=0
rm -rf run kept && mkdir kept
echo 'lib 9999999 once' >points
starve run first run kept counters -- sov version <points >results
is "an allocation that is never asked for is not counted" "$(cut -d ' ' -f 1-6 results)" \
    'lib 9999999 once 0 0 exit:0'
: >kept/w.out
printf 'sov: not possible now: a\n  why      b [io_error]\n  inspect  c\n  next     d\n' >kept/w.err
printf '%s\n' 'own 5 once 0 1 exit:0 s v' 'lib 5 once 3 1 exit:7 s w' >results
look_memory >/dev/null
is "one of ours that failed unseen, blocks that stay and another reason are seen" "$failed $leaks" '2 1'
if broken t05_unchecked starved/sov tools/starve tools/inject; then
    export VERBS=signal STEP=25
    caught "a result that nobody looks at" tests/faults/t05_memory.sh
fi
finish
