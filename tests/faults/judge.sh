# What must hold of a place in which a verb was disturbed, by sqlite3, cmp and the next verbs: behind
# lib.sh and verbs.sh. The place is run/; $old is what the verb began with, clean/ what it leaves when
# nothing disturbs it, $doing its name, $exact whether its events are the same each time.
# A run of a program is timed and has a pid: those are no part of the comparison.
plain() { sed -E 's/"(pid|start|duration_ms)":[0-9]+/"\1":0/g' "$1"; }
reference() { # reference FROM COMMAND...: what the undisturbed command goes through
    old=$1
    shift
    rm -rf clean && cp -a "$old" clean
    ended=0
    "$fell" trace clean -- "$@" >trace || ended=$?
    [ $ended -eq "$(ends_with "$doing")" ] || return 1
    octets_of "$old/repo" before
    was=$(wc -l <before)
    octets_of clean/repo events
    full=$(wc -l <events)
    plain events >clean.plain
    { echo "$was"; sqlite3 "$work/.copy/organization.db" "SELECT size FROM checkpoint WHERE size >= $was"; } >sizes
}
begins() { # begins COUNT LONGER SHORTER: so many lines of the one are the other
    head -n "$1" "$2" | cmp -s - "$3"
}
whole() { # the log is one of those that the undisturbed command went through
    octets_of run/repo now
    lines=$(wc -l <now)
    # A run that cannot go on is ended by events of its own: there the checkpoint alone says so.
    grep -qx "$lines" sizes || [ "$doing" = run ] ||
        { echo "$lines events: no commit ends there"; return 1; }
    # What is restored stands under its name when it is whole, with what records it.
    [ $doing != restore ] || [ "$lines" -eq 0 ] || [ "$lines" -eq "$full" ] ||
        { echo "$lines events of $full are restored"; return 1; }
    begins "$was" now before || { echo "events from before are other ones"; return 1; }
    [ "$lines" -eq 0 ] || [ "$(newest_checkpoint)" -eq "$lines" ] ||
        { echo "the newest checkpoint is not $lines"; return 1; }
    if [ $exact = yes ] && ! begins "$lines" events now; then
        plain now >now.plain
        begins "$lines" clean.plain now.plain || { echo "other events"; return 1; }
    fi
}
acknowledged() {
    [ -s run/out ] || return 0
    told=$(sed -n 's/.*(seq \([0-9]*\)).*/\1/p' run/out | sort -n | tail -n 1)
    case $doing in
    init | init-policy) ! grep -q '^founded' run/out || [ "$lines" -eq "$full" ] ;;
    project | publish) ! grep -q '^published' run/out || cmp -s run/out clean/out ;;
    *) [ -z "$told" ] || [ "$lines" -ge "$told" ] ;;
    esac || { echo "acknowledged and lost"; return 1; }
}
old_or_new() { # each view, whole
    [ -d run/repo/governance ] || return 0
    ! diff -rq run/repo/governance "$old/repo/governance" >differ 2>&1 || return 0
    diff -rq run/repo/governance clean/repo/governance 2>&1 |
        sed -n 's|^Files run/repo/\(.*\) and .*|\1|p; s|^Only in run/repo/\(.*\): |\1/|p' >differ
    grep -v '/[.]sov-tmp-[0-9-]*$' differ | while read -r view; do
        if [ -d "run/repo/$view" ]; then diff -rq "run/repo/$view" "$old/repo/$view" >/dev/null 2>&1
        else cmp -s "run/repo/$view" "$old/repo/$view"; fi ||
            { echo "$view is neither the old nor the new one"; exit 1; }
    done
}
reads() { # a reading verb answers, or says that a writer must come first
    s=0
    at run sov "$@" >read.out 2>read.err || s=$?
    case $s in
    0) ;;
    7) cat read.out read.err | grep -q '\[needs_recovery\]' ;;
    3) founds ;;
    *) false ;;
    esac || { echo "sov $*: exit $s"; head -n 3 read.out read.err; return 1; }
}
must() { at run "$@" >heal.out 2>&1 || { echo "$*: exit $?"; cat heal.out; return 1; }; }
adopted() { sed -n '/"type":"policy.adopted"/s/.*"digest":"\([0-9a-f]*\)".*/\1/p' "$1"; }
heals() {
    if founds; then
        must $(command_of again) || return 1
        for file in .sovereign/.gitignore sovereign.json; do
            cmp -s "run/repo/$file" "clean/repo/$file" || { echo "$file is not whole"; return 1; }
        done
    fi
    if [ $verb = restore ]; then
        [ -e run/repo/.sovereign/organization.db ] || must $(command_of restore) || return 1
        must sov recover || return 1
    fi
    must sov heartbeat afterwards --actor operator && must sov project &&
        must sov verify --projections --no-anchor || return 1
    left=$(find run -name '.sov-tmp-*' -o -name '*.new' -o -name '*.new-journal')
    [ -z "$left" ] || { echo "left over: $left"; return 1; }
    octets_of run/repo healed
    begins "$lines" healed now || { echo "healing changed events"; return 1; }
    ! founds || [ "$(adopted healed)" = "$(adopted events)" ] || { echo "another policy is in force"; return 1; }
}
judge() { # judge STATE: of the place in run
    # A state is judged by what must hold there, and that depends on where it came from.
    grep -qx "$1 $was $doing" judged && return 0
    whole >why && acknowledged >>why && old_or_new >>why && reads status >>why &&
        reads verify --no-anchor >>why && heals >>why || return 1
    echo "$1 $was $doing" >>judged
}
