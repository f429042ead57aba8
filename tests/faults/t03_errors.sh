#!/bin/sh
# T3: a call about a file fails, once, for ever, or after it was done; or less is written or read than
# was asked for. The verb then did all of it and says so, or says in a message why not, with exit 7,
# and appended nothing (a lost output names its seq); it never ends by a signal, hangs, or leaves a
# process. The ledger is one of some whole commit, views are old or new, reading verbs say no more
# than needs_recovery, the next writing verb needs no hand; then record and views are whole.
#   SOV_TIER=pr  2 verbs, the first and the last call of each class, a few of the others
#   nightly      every writing verb: each call that changes something with 3 errors, once and ever
#   release      with all 9 of them
# VERBS='signal project' takes those verbs, ERRORS=n so many errors a call, STEP=n each nth of the
# calls that change nothing, ENDS=1 of the others the first and the last of each class.
# One line replays a point:  T3='VERB CALL N HOW FAULT' t03_errors.sh   (tests/tools/inject.c)
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
. "$src/tests/faults/verbs.sh"
. "$src/tests/faults/judge.sh"
case $tier in
pr) verbs='signal project' errors=1 step=25 ends_only=1 ;;
nightly) verbs=$all_verbs errors=3 step=1 ends_only=0 ;;
release) verbs=$all_verbs errors=9 step=1 ends_only=0 ;;
esac
verbs=${VERBS:-$verbs} errors=${ERRORS:-$errors} step=${STEP:-$step} ends_only=${ENDS:-$ends_only}
fell="$build/tools/inject"
cd "$work"
mkdir -p probe/home probe/repo
if [ "$(status_of "$fell" trace probe -- true)" != 0 ]; then
    skip "an error at every call" "no process can be traced here: $(head -n 1 err)"
    finish
fi
make_ledgers

# ---- which faults ----
choose() { # choose CLASSED TRACE: CALL N HOW FAULT
    awk -v errors="$errors" -v step="$step" -v ends_only="$ends_only" '
        BEGIN { split("EIO ENOSPC EDQUOT EINTR EAGAIN ENOMEM EROFS EMFILE ESTALE", error, " ") }
        function some(how,   i) {
            for (i = 0; i < errors; i++) print $1, $2, how, error[(turn + i * 4) % 9 + 1]
            turn++
        }
        NR == FNR {
            changes[$1, $2] = 1
            if (!($3 in first)) { first[$3] = 1; ends[$1, $2] = 1 }
            last[$3] = $1 SUBSEP $2
            next
        }
        FNR == 1 { for (c in last) ends[last[c]] = 1 }
        $3 == "-" && $1 != "getcwd" || $1 == "execve" || $1 == "ioctl" { next }
        ($1, $2) in changes {
            if (ends_only && !(($1, $2) in ends)) next
            some("once")
            some("ever")
            print $1, $2, "late", "EIO"
            if ($1 ~ /write/) { print $1, $2, "once", "short"; print $1, $2, "ever", "short" }
            next
        }
        ++others % step == 0 {
            some(others / step % 2 ? "once" : "ever")
            if (!ends_only && $1 ~ /read/) print $1, $2, "ever", "short"
        }' "$1" "$2"
}

# ---- what must hold ----
facts_of() { # facts_of STATE: how many events it has, and whether all else is as when undisturbed
    octets_of run/repo now
    same=no
    if diff -rq -x .sovereign clean/repo run/repo >/dev/null 2>&1 &&
        diff -rq clean/home run/home >/dev/null 2>&1; then same=yes; fi
    echo "$1 $(wc -l <now) $same" >>facts
}
readable() { # its last four lines: what, why with the code, where to look, what to do
    tail -n 4 "$1" | cut -d ' ' -f 1-3 | tr '\n' ',' | grep -q '^sov:.*,  why,  inspect,  next,$' &&
        ! LC_ALL=C grep -q '[^ -~]' "$1"
}
says() { # says RESULT STATE WORDS: what was said is what is there
    set -- "$1" "kept/$3" $(grep "^$2 " facts | head -n 1)
    lines=$4 same=$5
    code=$(sed -n 's/^  why .*\[\([a-z_]*\)\]$/\1/p' "$2.err" | tail -n 1)
    case $1 in
    exit:0 | exit:$ended)
        [ "$lines" -eq "$full" ] || { echo "exit 0, and $lines events of $full"; return 1; }
        [ $same = yes ] || { echo "exit 0, and not all was done"; return 1; }
        [ $exact = no ] || sed "s|$work/run/|$work/clean/|g" "$2.out" | cmp -s - clean/out || { echo "exit 0, and other words"; return 1; } ;;
    exit:7)
        [ -s "$2.err" ] || return 0
        readable "$2.err" || { echo "no readable message: $(cat "$2.err")"; return 1; }
        case $code in
        output_lost)
            grep -q "committed as seq $lines," "$2.err" || { echo "another seq is named"; return 1; } ;;
        commit_unknown) # none of its events or all, and it says how many that would be
            grep -q "seq $full may stand" "$2.err" || { echo "another seq is named"; return 1; } ;;
        unfinished)
            grep -q "seq $lines is committed," "$2.err" || { echo "another seq is named"; return 1; } ;;
        disk_full | io_error | busy | needs_recovery)
            [ "$lines" -eq "$was" ] || { echo "$code, and $((lines - was)) events more"; return 1; } ;;
        *) echo "exit 7 with $code"; return 1 ;;
        esac ;;
    *) echo "$1 $(head -n 1 "$2.err")"; return 1 ;;
    esac
}
told() { # told HOW MANY WHERE: one line to play a failure again
    failed=$((failed + 1))
    echo "# T3='$verb $1': $(tr '\n' ' ' <why | cut -c1-300)"
}
look() {
    fired=$((fired + $(awk '$5 > 0' results | wc -l)))
    total=$((total + $(wc -l <results)))
    awk '$5 == 0 { print "# did not fire: T3=\"'"$verb"' " $1, $2, $3, $4 "\"" }' results | head -n 5
    : >facts
    awk '!seen[$7]++' results >first_of
    while read -r call nth how fault n result state words <&3; do
        states=$((states + 1))
        rm -rf run && mv "kept/$state" run
        rm -f run/out
        facts_of "$state"
        judge "$state" || told "$call $nth $how $fault"
    done 3<first_of
    awk '!seen[$6, $7, $8]++' results >first_of
    while read -r call nth how fault n result state words <&3; do
        says "$result" "$state" "$words" >why || told "$call $nth $how $fault"
    done 3<first_of
    # Nothing was said: only where the words themselves could not be written, for ever.
    awk '$6 != "exit:0" && !($1 == "write" && $3 == "ever") { print $8, $1, $2, $3, $4 }' results |
        awk '!seen[$1]++' >first_of
    while read -r words point <&3; do
        # A step of verify that could not run is told in the report.
        [ -s "kept/$words.err" ] || grep -q ' could not run: .* \[[a-z_]*\]$' "kept/$words.out" ||
            { echo "no message" >why; told "$point"; }
    done 3<first_of
    # A full disk is called one, by whatever found it that could.
    awk 'NR == FNR { if ($3 != "words") changes[$1, $2] = 1; next }
        $6 == "exit:7" && ($4 == "ENOSPC" || $4 == "EDQUOT") && $1 ~ /write|mkdir|openat2/ && ($1, $2) in changes {
            print $8, $1, $2, $3, $4 }' classed results | awk '!seen[$1]++' >first_of
    while read -r words point <&3; do
        [ ! -s "kept/$words.err" ] ||
            grep -q '\[disk_full\]\|\[output_lost\]\|\[commit_unknown\]\|\[unfinished\]' "kept/$words.err" ||
            { sed -n 2p "kept/$words.err" >why; told "$point"; }
    done 3<first_of
}

# ---- a verb ----
campaign() { # campaign VERB [CALL N HOW FAULT]
    verb=$1 doing=$1 exact=yes total=0 fired=0 failed=0 states=0
    prepare $verb
    # Who waits for a lock that never comes waits here for none.
    command=$(command_of $verb | sed 's/\(^\| \)sov /&--wait 0 /')
    case $verb in run | claim | supervise) exact=no ;; esac
    reference $from $command || { say 1 "$verb runs undisturbed"; sed 's/^/#   /' clean/err; return; }
    classes trace >classed
    if [ $# -gt 1 ]; then echo "$2 $3 $4 $5" >points; else choose classed trace >points; fi
    rm -rf run kept && mkdir kept
    "$fell" "$(pace | sed 's/kill/slow/')" $from run kept -- $command <points >results
    : >judged
    look
    is "$verb: after $total errors, in $states states, nothing is lost, half done, or said wrongly" $failed 0
    fires "$verb" $fired $total
    printf '%s %d %d %d\n' "$verb" "$total" "$fired" "$states" >>tally
}
: >tally
if [ -n "${T3:-}" ]; then
    campaign $T3
    set -- $T3
    grep -h "^$2 $3 " trace; sed "s/^/# /" results kept/*.err kept/*.out
    finish
fi
for each in $verbs; do campaign "$each"; done
awk '{ all += $2; fired += $3; states += $4 }
    END { printf "# %d errors, %d fired, %d states judged\n", all, fired, states }' tally

# ---- the control: lies are seen, and so is a build that swallows an error ----
verb=signal doing=signal exact=yes ended=0
reference first $(command_of signal)
rm -rf kept && mkdir kept
lie() { # lie NAME RESULT LINES SAME: what is said with it in kept/w.out and kept/w.err is not believed
    echo "s $3 $4" >facts
    if says "$2" s w >/dev/null; then say 1 "$1"; else say 0 "$1"; fi
}
cp clean/out kept/w.out
: >kept/w.err
echo "s $full yes" >facts
ok "what is true is believed" says exit:0 s w
lie "success without the event is seen" exit:0 "$was" yes
lie "success with a view less is seen" exit:0 "$full" no
lie "an end by a signal is seen" signal:6 "$was" yes
printf 'sov: not possible now: a\n  why      b [io_error]\n  inspect  c\n  next     d\n' >kept/w.err
echo "s $was yes" >facts
ok "a failure that changed nothing is believed" says exit:7 s w
lie "an event behind a failure is seen" exit:7 "$full" yes
printf '\033' >>kept/w.err
lie "a message that steers the terminal is seen" exit:7 "$was" yes
echo 'getpid 9999 once EIO' >points
"$fell" fast first run kept -- sov version <points >results
is "an error that does not come to pass is not counted" "$(cut -d ' ' -f 1-6 results)" \
    'getpid 9999 once EIO 0 exit:0'
if broken t03_swallowed tools/inject; then caught "an error that is swallowed" tests/faults/t03_errors.sh; fi
finish
