#!/bin/sh
# Of t04_full.sh, started in a mount namespace of its own: a file system in memory on run/, where a
# command finds a copy of $FROM and no more room than is said. Reads lines KIND N HOW, where KIND is
# page or inode and N how many are free, and repeats each with 0 FIRED RESULT STATE WORDS behind it,
# as tests/tools/starve.c does. FIRED is what the command says itself: it did not end as $ended.
#   FROM=first ended=0 disk.sh COMMAND...
set -eu
mount -t tmpfs -o size=4m,nr_inodes=400 none run
while read -r kind n how; do
    find run -mindepth 1 -delete
    cp -a "$FROM/repo" "$FROM/home" run/
    mkdir run/filler
    set -- "$(stat -f -c '%f' run)" "$(stat -f -c '%S' run)" "$(stat -f -c '%d' run)" "$@"
    case $kind in
    page) head -c $((($1 - n) * $2)) /dev/zero >run/filler/pages ;;
    inode) (cd run/filler && seq $(($3 - n)) | xargs touch) ;;
    esac
    shift 3
    s=0
    (cd run/repo && HOME="$work/run/home" && export HOME && "$@") >said.out 2>said.err </dev/null || s=$?
    rm -rf run/filler
    fired=1
    [ $s -ne "$ended" ] || fired=0
    state=$("$build/tools/fell" state run) words="$kind-$n"
    mv said.out "kept/$words.out"
    mv said.err "kept/$words.err"
    [ -e "kept/$state" ] || cp -a run "kept/$state"
    echo "$kind $n $how 0 $fired exit:$s $state $words"
done
