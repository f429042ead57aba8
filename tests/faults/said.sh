# What was said of a disturbed command is compared with what is there: behind lib.sh, verbs.sh and
# judge.sh. `results` has a line for each point: four words that name it, FIRED RESULT STATE WORDS
# (tests/tools/inject.c, starve.c); what it left and said is in kept/. $replay is the name of the
# variable that plays a point again, $full how many events the undisturbed command leaves.
# An end by a signal is none, unless $aborts allows it: what was acknowledged is there all the same.
aborts=no
again() { :; } # what else is asked of a place in run/ before it is judged
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
        disk_full | io_error | no_memory | busy | needs_recovery)
            [ "$lines" -eq "$was" ] || { echo "$code, and $((lines - was)) events more"; return 1; } ;;
        *) echo "exit 7 with $code"; return 1 ;;
        esac ;;
    signal:6)
        [ $aborts = yes ] || { echo "it ended in abort"; return 1; }
        told=$(sed -n 's/.*(seq \([0-9]*\)).*/\1/p' "$2.out" | sort -n | tail -n 1)
        [ "$lines" -ge "${told:-0}" ] || { echo "acknowledged and lost"; return 1; } ;;
    *) echo "$1 $(head -n 1 "$2.err")"; return 1 ;;
    esac
}
told() { # told HOW MANY WHERE: one line to play a failure again
    failed=$((failed + 1))
    echo "# $replay='$verb $1': $(tr '\n' ' ' <why | cut -c1-300)"
}
look() {
    fired=$((fired + $(awk '$5 > 0' results | wc -l)))
    total=$((total + $(wc -l <results)))
    awk '$5 == 0 { print "# did not fire: '"$replay"'=\"'"$verb"' " $1, $2, $3, $4 "\"" }' results | head -n 5
    : >facts
    awk '!seen[$7]++' results >first_of
    while read -r call nth how fault n result state words <&3; do
        states=$((states + 1))
        rm -rf run && mv "kept/$state" run
        rm -f run/out
        facts_of "$state"
        { again && judge "$state"; } || told "$call $nth $how $fault"
    done 3<first_of
    awk '!seen[$6, $7, $8]++' results >first_of
    while read -r call nth how fault n result state words <&3; do
        says "$result" "$state" "$words" >why || told "$call $nth $how $fault"
    done 3<first_of
    # Nothing was said: only where the words themselves could not be written, for ever; or by an abort.
    awk -v ended="exit:$ended" '$6 != ended && $6 != "exit:0" && $6 != "signal:6" && !($1 == "write" && $3 == "ever") { print $8, $1, $2, $3, $4 }' results |
        awk '!seen[$1]++' >first_of
    while read -r words point <&3; do
        # A step of verify that could not run is told in the report.
        [ -s "kept/$words.err" ] || grep -q ' could not run: .* \[[a-z_]*\]$' "kept/$words.out" ||
            { echo "no message" >why; told "$point"; }
    done 3<first_of
}
