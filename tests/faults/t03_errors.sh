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
. "$src/tests/faults/said.sh"
replay=T3
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
look_full() { # a full disk is called one, by whatever found it that could
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
    verb=$1 doing=$1 exact=$(exact_of $1) total=0 fired=0 failed=0 states=0
    prepare $verb
    # Who waits for a lock that never comes waits here for none.
    command=$(command_of $verb | sed 's/\(^\| \)sov /&--wait 0 /')
    reference $from $command || { say 1 "$verb runs undisturbed"; sed 's/^/#   /' clean/err; return; }
    classes trace >classed
    if [ $# -gt 1 ]; then echo "$2 $3 $4 $5" >points; else choose classed trace >points; fi
    rm -rf run kept && mkdir kept
    "$fell" "$(pace | sed 's/kill/slow/')" $from run kept -- $command <points >results
    : >judged
    look
    look_full
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
