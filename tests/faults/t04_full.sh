#!/bin/sh
# T4, S18: no room. A limit on the size of files, in steps of 512 octets: a write is short, then it
# fails, as on a disk that fills up. A file system of 1 MiB, filled but for some pages. One without an
# inode to give. The verb then has exit 7 with disk_full and a message that needs no disk, or it had
# room enough; the ledger is one of some whole commit and the old views are whole; and where there is
# room again the same words do what they did not.
#   SOV_TIER=pr        of signal, init and publish some limits, some sizes of a disk
#   nightly, release   every writing verb: each limit to 256 KiB and about the end of the ledger, or
#                      each 16th; 29 sizes of a disk; 8 numbers of inodes
# VERBS='signal publish' takes those verbs, THIN=n each nth of the limits, DISKS=n
# each nth of the sizes.
# One line replays a limit:  T4='VERB size N once' t04_full.sh   (tests/tools/starve.c)
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
. "$src/tests/faults/verbs.sh"
. "$src/tests/faults/judge.sh"
. "$src/tests/faults/said.sh"
replay=T4
case $tier in
pr) verbs='signal init publish' ;;
*) verbs=$all_verbs ;;
esac
verbs=${VERBS:-$verbs}
fell="$build/tools/inject"
cd "$work"
mkdir -p probe/home probe/repo
if [ "$(status_of "$fell" trace probe -- true)" != 0 ]; then
    skip "no room" "no process can be traced here: $(head -n 1 err)"
    finish
fi
starve() { PATH="$build/starved:$PATH" "$build/tools/starve" "$@"; }
make_ledgers

# ---- limits of files ----
ledger_size() { [ ! -e "$from/repo/.sovereign/organization.db" ] || wc -c <"$from/repo/.sovereign/organization.db"; }
limits() { # each to 256 KiB, and about the end of the ledger; of some verbs at night, else each nth
    awk -v end="$(ledger_size)" -v thin="$thin" -v most="$most" 'BEGIN {
        for (n = 0; n <= most; n += 512) at[++all] = n
        end -= end % 512
        for (n = end - 4096; end && most == 262144 && n <= end + 65536; n += 512)
            if (n > most) at[++all] = n
        for (i = 1; i <= all; i += thin) print "size", at[int(i)], "once"
    }'
}
# What the undisturbed verb writes, it cannot write below this: the end of a page, or of a new file.
extent() {
    {
        awk '$1 == "pwrite64" { split($4, part, "+"); print part[1] + part[2] }' trace
        { diff -rq "$from" clean || :; } | sed -n 's|^Files .* and \(clean/.*\) differ$|\1|p; s|^Only in \(clean/.*\): |\1/|p' |
            while read -r path; do find "$path" -type f ! -name 'organization.db*' -exec wc -c {} \; ; done
        echo 0
    } | awk '$1 > most { most = $1 } END { print most + 0 }'
}
# What did not fire had room; it had so with every higher limit, and with none that is lower.
above() {
    awk '$5 == 0 && $6 != "exit:'"$ended"'" { print "no write failed, but " $6 " at " $2 }
        $5 > 0 { if ($2 > high) high = $2 } $5 == 0 && (low == "" || $2 < low) { low = $2 }
        END { if (low != "" && low < high) print "room at " low ", and none at " high }' results
}

# ---- disks ----
free() { # free KIND: how much of it is left
    case $tier-$1 in
    pr-page) set -- $1 0 2 ;;
    pr-inode) set -- $1 1 ;;
    *-page) set -- $1 $(seq 0 15) $(seq 16 4 64) ;;
    *-inode) set -- $1 $(seq 0 7) ;;
    esac
    kind=$1
    shift
    for n; do echo "$kind $n once"; done | awk -v thin="${DISKS:-1}" '(NR - 1) % thin == 0'
}
disk() { # disk COMMAND...: reads points; a file system of ours on run/, which nobody else sees
    FROM=$from
    export FROM ended work build
    rm -rf run && mkdir run
    unshare -m "$src/tests/faults/disk.sh" "$@"
}
mounts() { mkdir -p run && unshare -m mount -t tmpfs none run; }

# ---- what must hold beside what T3 asks ----
again() { # where there is room again, the same words do what was not done
    rm -rf roomy && cp -a run roomy
    rm -f roomy/out roomy/err
    octets_of run/repo now
    [ "$(wc -l <now)" -eq "$was" ] || return 0
    s=0
    at roomy eval "$(command_of again)" >again.out 2>again.err || s=$?
    octets_of roomy/repo now
    [ $s -eq "$ended" ] && [ "$(wc -l <now)" -eq "$full" ] ||
        { echo "again: exit $s, $(wc -l <now) events of $full: $(head -n 1 again.err)" >why; return 1; }
}
look_room() { # a full disk is called one
    awk '$5 > 0 && $6 == "exit:7" { print $8, $1, $2, $3 }' results | awk '!seen[$1]++' >first_of
    while read -r words point <&3; do
        grep -q '\[disk_full\]\|\[output_lost\]\|\[commit_unknown\]\|\[unfinished\]' "kept/$words.err" ||
            grep -q ' could not run: .* \[disk_full\]$' "kept/$words.out" ||
            { sed -n 2p "kept/$words.err" >why; told "$point"; }
    done 3<first_of
}
tried() { # tried HOW [SIZE]: the results of one method; below SIZE each must have fired
    total=0 fired=0 failed=0 states=0
    look >looked
    look_room >>looked
    grep -v '^# did not fire' looked || :
    is "$verb, $1: below some size there is no room, above it there is" "$(above | head -n 1)" ''
    is "$verb, $1: after $total tries, in $states states, nothing is lost, half done, or said wrongly" $failed 0
    # A disk may have room for all that a verb wants; that none had is asked of them all. A verb
    # whose files grow by nothing has room below any limit.
    [ "${2:-0}" = 0 ] || fires "$verb, $1 below $2" \
        $(awk -v below="$2" '$2 < below { all++; fired += $5 > 0 } END { print fired + 0, all + 0 }' results)
    printf '%d %d %d %s\n' "$total" "$fired" "$states" "$1" >>tally
}
campaign() { # campaign VERB [KIND N HOW]
    verb=$1 doing=$1 exact=$(exact_of $1)
    prepare $verb
    command=$(command_of $verb | sed 's/\(^\| \)sov /&--wait 0 /')
    reference $from $command || { say 1 "$verb runs undisturbed"; sed 's/^/#   /' clean/err; return; }
    : >judged
    rm -rf run kept && mkdir kept
    most=262144
    case $tier-$verb in
    pr-signal) thin=${THIN:-8} ;;
    pr-init) thin=${THIN:-200} ;;
    pr-publish) thin=${THIN:-2} most=4096 ;;
    *-signal | *-publish | *-key) thin=${THIN:-1} ;;
    *-init | *-init-policy) thin=${THIN:-4} ;;
    *) thin=${THIN:-16} ;;
    esac
    if [ $# -gt 1 ]; then echo "$2 $3 $4" >points; else limits >points; fi
    if [ "${2:-size}" = size ]; then
        starve run $from run kept counters -- $command <points >results
        tried "a limit of files" "$(extent)"
        [ $# -eq 1 ] || return 0
    fi
    [ $mounts = yes ] || return 0
    for kind in page inode; do
        [ "${2:-$kind}" = $kind ] || continue
        rm -rf kept && mkdir kept
        [ $# -gt 1 ] || free $kind >points
        disk $command <points >results
        tried "a disk with so many of $kind"
    done
}
: >tally
mounts=yes
if ! mounts 2>why; then
    mounts=no
    skip "a disk that is full" "nothing can be mounted here: $(head -n 1 why)"
fi
if [ -n "${T4:-}" ]; then
    campaign $T4
    sed "s/^/# /" results kept/*.err kept/*.out
    finish
fi
for each in $verbs; do campaign "$each"; done
awk '{ all += $1; fired += $2; states += $3 }
    END { printf "# %d tries, %d without room, %d states judged\n", all, fired, states }' tally
is "each way to have no room was met" \
    "$(awk '{ how = $4 " " $5 " " $6 " " $7 " " $8 " " $9 " " $10; fired[how] += $2 }
        END { for (how in fired) if (!fired[how]) print how }' tally)" ''

# ---- the control: what is wrong is seen, and so is a build that writes views in place ----
verb=signal doing=signal exact=yes ended=0 failed=0
rm -rf kept && mkdir kept
printf '%s\n' 'size 1024 once 0 1 exit:7 s w' 'size 512 once 0 0 exit:0 s w' >results
is "room at a lower limit than none is seen" "$(above)" 'room at 512, and none at 1024'
: >kept/w.out
printf 'sov: not possible now: a\n  why      b [io_error]\n  inspect  c\n  next     d\n' >kept/w.err
look_room >/dev/null
is "another reason than room is seen" $failed 1
if broken t04_in_place starved/sov tools/starve tools/inject tools/fell; then
    export VERBS=publish
    caught "a view that is written in place" tests/faults/t04_full.sh
fi
finish
