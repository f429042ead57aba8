#!/bin/sh
# Public bug reports about other programs as tests (faults.md 9.1). Each test is named by its row
# and its sentence; "and nothing else changed" always holds. docs/testing.md has all of them: S09, S16
# and S17 are in t06, claims and what acts on them in t09_claims, the kill
# points of S04 and S05 in t01, S46 and S48 in t14.
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
cd "$work"
tree() { (cd "$1" && find . -type f -o -type l | sort | xargs sha256sum | sha256sum); }
stat_tree() { (cd "$1" && find . -printf '%p %m %s %T@ %i\n' | sort | sha256sum); }
refused() { # refused NAME EXIT CODE COMMAND...: this exit, this code
    name=$1 exit=$2 code=$3
    shift 3
    s=$(status_of "$@")
    heard=$(cat "$work/out" "$work/err" | grep -o "$code" | head -n 1)
    is "$name" "$s $heard" "$exit $code"
}
shop() { # shop NAME: a store in a folder and with a home of its own
    mkdir -p "$work/$1/repo"
    export HOME="$work/$1"
    cd "$work/$1/repo"
}
shop whole
store_to_assignment
store project
whole=$work/whole

# ---- S01 an export from the local store overwrites what only the file had ----
cp -a "$whole/repo/.sovereign" "$whole/older"
store_run ASG-1 6
store project
rm -rf .sovereign && cp -a "$whole/older" .sovereign
before=$(tree governance)
refused "S01 an older ledger does not overwrite a newer publication" 6 rollback sov project
is "S01 and no file under governance/ was touched" "$(tree governance)" "$before"
refused "S01 verify names it" 6 ROLLBACK sov verify --projections --no-anchor

# ---- S03 snapshot while writers run ----
shop s03
store_open
for i in 1 2 3 4 5 6; do store_sale 1 2>/dev/null || break; done >/dev/null
strace -qq -o /dev/null -e trace=renameat2,renameat,rename -e inject=renameat2,renameat,rename:delay_enter=60000 \
    sov project >"$work/project.out" 2>&1 &
publisher=$!
sleep 0.25
sov signal beside --source till --subject it --actor operator >"$work/beside.out" 2>&1 || :
wait $publisher || :
sizes=$(ls governance/checkpoints | sort -n | tail -n 1)
is "S03 a publication beside a writer is of one size" \
    "$(cat governance/log/*.jsonl | tail -n 1 | sed 's/.*"seq":\([0-9]*\).*/\1/')" "$sizes"
ok "S03 and verifies at that size" sov verify --projections --no-anchor
is "S03 the event beside it is there" "$(sov log --format jsonl | grep -c '"kind":"beside"')" 1

# ---- S04 will not open after a kill ----
shop s04
store_to_assignment
fired=0 total=0 opened=0
for call in pwrite64:9 pwrite64:18 fdatasync:2 fdatasync:3 unlink:1 ftruncate:1; do
    s=0
    strace -qq -o /dev/null -e "trace=${call%:*}" -e "inject=${call%:*}:signal=SIGKILL:when=${call#*:}" \
        sov claim ASG-1 --actor operator >/dev/null 2>&1 || s=$?
    [ $s -eq 137 ] || continue
    fired=$((fired + 1))
    ! sov heartbeat "after-$fired" --actor operator >/dev/null 2>&1 || opened=$((opened + 1))
done 2>/dev/null
is "S04 killed in a commit it opens without flag or hand ($fired kills)" "$opened$([ $fired -gt 2 ] || echo ' few')" "$fired"
ok "S04 and nothing is wrong with it" sov verify --no-anchor

# ---- S05 crash between creating a file and its first write ----
shop s05
sov init -q >/dev/null
: >.sovereign/organization.db
for verb in status log 'verify --no-anchor' project 'heartbeat x --actor operator'; do
    s=$(status_of sov $verb)
    case $s in 3 | 6 | 7) s=refused ;; esac
    is "S05 a ledger of 0 octets is never '0 events, ok': ${verb%% *}" "$s" refused
done
is "S05 and nothing was made anew" "$(stat -c %s .sovereign/organization.db)" 0
refused "S05 it is called CORRUPT" 6 CORRUPT sov verify --no-anchor

# ---- S06 a read command truncates a live journal ----
shop s06
store_accepted
store project
"$build/tools/crowd" "$PWD/.sovereign" "$HOME/.local/share/sov/keys" beside 400 >/dev/null &
writer=$!
wrote=
for verb in status log 'show sows' 'show OUT-1' 'why OUT-1' 'account list' 'verify --no-anchor' 'ready --actor operator' version \
    'verify --projections --no-anchor' 'blob list' 'key list' 'policy show' 'provider list' doctor; do
    strace -f -qq -o "$work/trace" -e trace=%file,%desc,ftruncate,fallocate sov $verb >/dev/null 2>&1 || :
    wrote="$wrote$(grep -E '(\.sovereign|governance|sov/keys|sov/pins)' "$work/trace" |
        grep -E 'O_WRONLY|O_CREAT|O_TRUNC|unlink|rename|truncate|mkdir|chmod|utime|link\(' |
        sed "s/^/$verb: /" | head -n 1)"
    wrote="$wrote$(grep -E '(pwrite64|ftruncate|fallocate|fdatasync|fsync)\(' "$work/trace" | sed "s/^/$verb: /" | head -n 1)"
done
wait $writer
is "S06 a reading verb beside a writer makes no writing call" "$wrote" ""
before=$(stat_tree "$HOME")
for verb in status log 'show sows' 'why OUT-1' 'verify --projections --no-anchor' doctor; do sov $verb >/dev/null 2>&1 || :; done
is "S06 and leaves every file, time and number of the folder as it was" "$(stat_tree "$HOME")" "$before"

# ---- S07 one byte: empty store, integrity ok ----
shop s07
store_to_assignment
size=$(stat -c %s .sovereign/organization.db)
events=$(sov log --format jsonl | sha256sum)
case $tier in pr) flips=40 ;; *) flips=2000 ;; esac
cp .sovereign/organization.db "$work/kept.db"
wrong=
for i in $(seq $flips); do
    at=$((i * size / (flips + 1)))
    cp "$work/kept.db" .sovereign/organization.db
    byte=$(od -An -tu1 -j $at -N 1 .sovereign/organization.db | tr -d ' ')
    printf "$(printf '\\%03o' $((byte ^ 85)))" | dd of=.sovereign/organization.db bs=1 seek=$at conv=notrunc status=none
    if sov verify --no-anchor >/dev/null 2>&1 && [ "$(sov log --format jsonl | sha256sum)" != "$events" ]; then
        wrong="$wrong $at"
    fi
done
is "S07 one byte of $size flipped, $flips times: never ok with other or fewer events" "$wrong" ""
cp "$work/kept.db" .sovereign/organization.db

# ---- S10 engine fault in the bundled library ----
linked=$(sqlite3 :memory: 'SELECT sqlite_version()')
is "S10 the linked library is named" "$(sov version | grep -c "sqlite $linked")" 1
case $linked in
3.51.[3-9]* | 3.5[3-9]*) mode=wal ;;
*) mode=persist ;;
esac
is "S10 a release that may lose commits is not used in WAL mode" \
    "$(od -An -tu1 -j 18 -N 2 .sovereign/organization.db | tr -s ' ')" "$([ $mode = wal ] && echo ' 2 2' || echo ' 1 1')"

# ---- S12 network home: unopenable, health said fine ----
cat >"$work/nfs.c" <<'EOF'
#include <sys/vfs.h>
int fstatfs(int fd, struct statfs *facts) { (void)fd; *facts = (struct statfs){ .f_type = 0x6969, .f_bsize = 4096 }; return 0; }
int statfs(const char *path, struct statfs *facts) { (void)path; return fstatfs(0, facts); }
EOF
if ${CC:-cc} -shared -fPIC -o "$work/nfs.so" "$work/nfs.c" 2>"$work/.said"; then
    before=$(tree .)
    for verb in 'signal a --source b --subject c --actor operator' status 'verify --no-anchor' project; do
        is "S12 a network file system is refused: ${verb%% *}" \
            "$(LD_PRELOAD="$work/nfs.so" status_of sov $verb)$(cat "$work/out" "$work/err" | grep -o filesystem_refused | head -n 1 | sed 's/^/ /')" \
            "4 filesystem_refused"
    done
    is "S12 and nothing changed" "$(tree .)" "$before"
    ok "S12 without it the same ledger is fine" sov verify --no-anchor
else skip "S12 a network file system is refused" "no compiler for the preload"; fi

# ---- S14 a stray close drops the locks: our own process never opens the file beside SQLite ----
strace -f -qq -o "$work/trace" -e trace=%file sov signal once --source b --subject c --actor operator >/dev/null
is "S14 a writing verb opens the ledger file once, and by SQLite only" \
    "$(grep -cE 'open(at|at2)?\(.*organization\.db"' "$work/trace")" 1

# ---- S18 disk full empties the data file ----
shop s18
store_to_assignment
store project
before=$(sov log --format jsonl | sha256sum)
views=$(tree governance)
full=$(stat -c %s .sovereign/organization.db)
fired=0 bad_exit= torn=
for limit in 0 1 2 4 8 16 32 64 100 $((full / 1024 - 4)) $((full / 1024)); do # blocks of 1 KiB, for bash; 512 for dash
    # What it says goes through a pipe: a file would be full, too.
    said=$( (ulimit -f $limit && trap '' XFSZ && exec sov signal full --source b --subject c \
        --payload "$work/kept.db" --actor operator) 2>&1) && s=0 || s=$?
    case $s in
    0) sov log --format jsonl >/dev/null || torn="$torn $limit" && before=$(sov log --format jsonl | sha256sum) ;;
    7)
        fired=$((fired + 1))
        case $said in *'[disk_full]'* | *'[io_error]'*) ;; *) bad_exit="$bad_exit $limit:$said" ;; esac
        ok "S18 at $limit blocks the next writing verb goes on" sov heartbeat "after-$limit" --actor operator
        before=$(sov log --format jsonl | sha256sum)
        ;;
    *) bad_exit="$bad_exit $limit: exit $s" ;;
    esac
done
is "S18 a full disk is exit 7 and says so" "$bad_exit" ""
is "S18 it was full ($fired times)" "$([ $fired -ge 3 ] && echo yes)" yes
is "S18 the old views are whole" "$(tree governance)" "$views"
ok "S18 and nothing is torn" sov verify --projections --no-anchor
s=0
(ulimit -f 2 && trap '' XFSZ && exec sov project 2>&1) | cat >"$work/out"
grep -qE '\[(disk_full|io_error)\]' "$work/out" && s=7
is "S18 a publication on a full disk is exit 7" $s 7
ok "S18 and the next one completes it" sov project
ok "S18 so that views are whole" sov verify --projections --no-anchor

# ---- S11, S15 a long reader, and a shell that reads beside and ends ----
shop s11
store_to_assignment
db=.sovereign/organization.db
mkfifo "$work/shell"
sqlite3 -readonly $db <"$work/shell" >"$work/read.out" &
shell=$!
exec 8>"$work/shell"
printf '%s\n' 'BEGIN; SELECT count(*) FROM event;' '.shell echo reads >read.told' >&8
tries=0
while [ ! -s read.told ] && [ $tries -lt 600 ]; do tries=$((tries + 1)) && sleep 0.1; done
refused "S11 while a foreign reader stays a writer says busy" 7 busy sov heartbeat parked --actor operator --wait 1
is "S11 and no journal has grown" "$(find .sovereign -name '*-journal' -size +1024k -o -name '*-wal' -size +4096k)" ""
exec 8>&-
wait $shell
ok "S11 behind it the next writes" sov heartbeat parked --actor operator
for i in 1 2 3 4 5 6 7 8 9 10; do sqlite3 -readonly $db 'SELECT count(*) FROM event' || :; done >"$work/read.out" 2>&1 &
shell=$!
for i in 1 2 3 4 5 6; do sov signal "beside-$i" --source till --subject it --actor operator -q --wait 60; done >"$work/acks"
wait $shell
is "S15 all that was acknowledged beside a shell is there" "$(sov log --type signal.recorded --format jsonl | grep -c beside-)" "$(wc -l <"$work/acks")"
ok "S15 and the record is whole" sov verify --no-anchor -q

# ---- S19 disk full left a 0-byte state ----
pin=$(echo "$HOME"/.local/state/sov/pins/????????*)
cp "$pin" "$work/pin"
for broken in empty nul; do
    case $broken in empty) : >"$pin" ;; *) head -c 200 /dev/zero >"$pin" ;; esac
    refused "S19 a pin that is $broken is refused" 7 pin_invalid sov project
    cp "$work/pin" "$pin"
done
ok "S19 and a whole one is not" sov project

# ---- S21 rename fails, falls back to writing in place ----
before=$(tree governance)
sov subject declare SKU-JAM --fact price=3 --actor principal -q >/dev/null
for why in EXDEV EACCES EBUSY; do
    s=0
    strace -qq -o "$work/renames" -e trace=rename,renameat,renameat2 \
        -e "inject=rename,renameat,renameat2:error=$why" sov project >"$work/out" 2>&1 || s=$?
    is "S21 a rename that fails with $why is exit 7" \
        "$s $(grep -c INJECTED "$work/renames" | sed 's/[1-9][0-9]*/fired/')" "7 fired"
    is "S21 and no page has changed" "$(find governance -name '.sov-tmp-*' -delete; tree governance | cut -c1-64)" \
        "$(echo "$before" | cut -c1-64)"
done
ok "S21 the next publication is whole" sov project
ok "S21 and verifies" sov verify --projections --no-anchor -q

# ---- S20 rename without fsync: right length, all NUL ----
shop s20
store_to_assignment
strace -f -qq -y -o "$work/trace" -e trace=fsync,fdatasync,renameat,renameat2,rename sov project >/dev/null
order=$(awk '
    /(fsync|fdatasync)\(/ { if (match($0, /<[^>]*>/)) synced[substr($0, RSTART + 1, RLENGTH - 2)] = NR }
    /rename/ {
        renames++
        n = split($0, part, "\""); split($0, place, /[<>]/)
        folder = place[2]; temporary = folder "/" part[2]
        if (!(temporary in synced)) print "not synced: " part[2] " -> " part[4]
        waits[folder] = NR
    }
    END {
        for (folder in waits) if (synced[folder] < waits[folder]) print "folder not synced: " folder
        if (renames < 5) print "only " renames + 0 " renames"
    }' "$work/trace" | head -n 5)
is "S20 a view is synced, then renamed, then its folder is synced" "$order" ""

# ---- the controls: the oracles see what they are to see ----
shop control
echo a >a
t=$(stat_tree .)
touch -d '2001-01-01' a
if [ "$(stat_tree .)" = "$t" ]; then say 1 "a touched file would be seen"; else say 0 "a touched file would be seen"; fi
cp "$work/kept.db" other.db
sqlite3 other.db 'DROP TRIGGER event_no_delete; DELETE FROM event WHERE seq > 20'
is "a shorter log would be seen" "$([ "$(sqlite3 other.db 'SELECT octets FROM event' | sha256sum)" != "$events" ] && echo yes)" yes
finish
