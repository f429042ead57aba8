#!/bin/sh
# Public bug reports about other programs as tests (faults.md 9.2 and 9.3): what acts on a claim is
# stopped or killed at calls spread over its whole life, and goes on, or is done again. Each is a
# process of its own. pr takes some points of each, the night many.
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
case $tier in pr) stops=5 kills=5 others=3 ;; *) stops=80 kills=120 others=60 ;; esac
cd "$work"
if ! strace -qq -o /dev/null true 2>/dev/null; then
    skip "stopped and killed at system calls" "no strace here"
    finish
fi
later() { (export SOV_TEST_BOOT_MS=9000000 && "$@"); }

# A place is a folder with repo/ and home/; each try has a fresh copy of one.
place() { # place NAME: there, with its own home
    export HOME="$work/$1/home"
    cd "$work/$1/repo"
}
mkdir -p first/repo first/home
place first
store_to_assignment
store_sale 1
rm -f store.out
# The agent says under which fence it was started, and only then does its work.
cat >"$work/agent" <<END
#!/bin/sh
echo "\$SOV_FENCE" >>"\$SOV_OUT/../../../../../../starts"
exec "$src/tests/store_agent.sh" 6
END
chmod 755 "$work/agent"
fresh() { # fresh FROM
    cd "$work"
    rm -rf now
    cp -a "$1" now
    place now
}
# points COUNT COMMAND...: "CALL N" of an undisturbed one, evenly; those that the end is made of left out
points() {
    most=$1
    shift
    fresh "$from"
    strace -qq -o "$work/calls" "$@" >/dev/null 2>&1 || :
    cd "$work"
    awk -v most="$most" '
        match($0, /^[a-z0-9_]+\(/) { name = substr($0, 1, RLENGTH - 1); n[name]++
            if (name !~ /^(exit|execve|brk|mmap|munmap|mprotect|arch_prctl|set_|rseq|prlimit|rt_)/) line[++all] = name " " n[name] }
        END { for (i = 1; i <= most; i++) print line[int(i * all / (most + 1))] }' calls
}
# How many calls waiting and looking through /proc take depends on what else the machine does: a
# point behind the last one is tried again a little before it.
before_it() { echo $(($1 - ($1 + 7) / 8)); }
count_of() { sov log --type "$1" --format jsonl | wc -l; }
state_of() { sov show ASG-1 | awk 'NR == 1 { print $3 }'; }
starts() { cat "$work/now/starts" 2>/dev/null | wc -l; }
stock() { sov account list | awk '$1 == "inventory/SKU-TEA" { print $2 }'; }

# ---- S28 displaced holder still acts: stopped anywhere, superseded, and on it goes ----
stopped_at() { # stopped_at CALL N COMMAND...: in the background, until it stands still
    call=$1 n=$2
    shift 2
    rm -f "$work/stops"
    strace -q -o "$work/stops" -e "trace=$call" -e "inject=$call:signal=SIGSTOP:when=$n" "$@" \
        >"$work/run.out" 2>&1 &
    tracer=$!
    while kill -0 $tracer 2>/dev/null; do
        if grep -q 'stopped by SIGSTOP' "$work/stops" 2>/dev/null; then
            pid=$(pgrep -P $tracer)
            return 0
        fi
        sleep 0.05
    done
    return 1
}
goes_on() { # its exit in $s
    kill -CONT "$pid"
    wait $tracer && s=0 || s=$?
}
from=first
points $stops sov run ASG-1 --actor operator -- "$work/agent" >"$work/run.points"
fired=0 displaced=0 wrong=
while read -r call n; do
    fresh first
    if ! stopped_at "$call" "$n" sov run ASG-1 --actor operator -- "$work/agent"; then
        wait $tracer || :
        n=$(before_it $n)
        fresh first
        if ! stopped_at "$call" "$n" sov run ASG-1 --actor operator -- "$work/agent"; then
            wait $tracer || :
            continue
        fi
    fi
    fired=$((fired + 1))
    s=$(later status_of sov supervise --wait 1)
    ended=$(count_of claim.expired)
    head=$(sov log --last 1 | awk '{ print $1 }')
    before=$(stock)
    : >"$work/superseded"
    goes_on
    if [ "$ended" = 1 ]; then # superseded: at most result.stale, and nothing else anywhere
        displaced=$((displaced + 1))
        new=$(store_types "$head" | tr '\n' ' ')
        case "$s $new" in "5 result.stale " | "5 ") ;; *) wrong="$wrong $call:$n: exit $s, $new" ;; esac
        [ "$(stock)" = "$before" ] || wrong="$wrong $call:$n: the stock moved"
        [ "$(count_of effect.committed)" = 0 ] || wrong="$wrong $call:$n: an effect"
        [ ! -e governance/sows ] || [ "$(find governance -newer "$work/superseded" | wc -l)" = 0 ] ||
            wrong="$wrong $call:$n: pages"
    fi
    sov verify -q --no-anchor >"$work/verified" 2>&1 || wrong="$wrong $call:$n: $(head -n 1 "$work/verified")"
done <"$work/run.points"
cd "$work"
fires "S28 a run is stopped anywhere" $fired $(wc -l <run.points)
is "S28 some are superseded meanwhile ($displaced)" "$([ $displaced -ge 2 ] && echo yes)" yes
is "S28 and then write nothing: no effect, no stock, no page" "$wrong" ""

# A publication that is stopped holds its lock: nobody publishes past it, and it takes nothing back.
for call in renameat2 renameat rename none; do
    fresh first
    [ $call != none ] && stopped_at $call 2 sov project && break
done
if [ $call != none ]; then
    store_sale 1
    s=$(status_of sov project --wait 1)
    is "S28 beside a publication that is stopped another one waits" "$s" 7
    goes_on
    is "S28 it goes on to its end" $s 0
    ok "S28 what it wrote is of one size" sov verify --projections --no-anchor -q
    store project
    ok "S28 and the next has the newer events" sov verify --projections --fresh --no-anchor -q
else say 1 "S28 a publication is stopped"; fi

# ---- S31 crash between dispatch and save: run twice or lost ----
killed_at() { # killed_at CALL N COMMAND...
    call=$1 n=$2
    shift 2
    s=0
    strace -qq -o /dev/null -e "trace=$call" -e "inject=$call:signal=SIGKILL:when=$n" "$@" \
        >"$work/out" 2>"$work/err" || s=$?
    [ $s -eq 137 ]
}
points $kills sov run ASG-1 --actor operator -- "$work/agent" >"$work/run.points"
fired=0 seen= wrong=
while read -r call n; do
    fresh first
    if ! killed_at "$call" "$n" sov run ASG-1 --actor operator -- "$work/agent" 2>/dev/null; then
        n=$(before_it $n)
        fresh first
        killed_at "$call" "$n" sov run ASG-1 --actor operator -- "$work/agent" 2>/dev/null || continue
    fi
    fired=$((fired + 1))
    later sov supervise >/dev/null 2>&1 || wrong="$wrong $call:$n: supervise"
    started=$(count_of run.started) ended=$(count_of run.finished)
    s=$(later status_of sov run ASG-1 --actor operator -- "$work/agent")
    case "$started $ended $s $(state_of)" in
    "0 0 0 COMPLETED") seen="$seen again" ;;
    "1 0 5 FAILED") # unknown, and not done again
        seen="$seen lost"
        s=$(later status_of sov sow retry SOW-1 --reason again --actor master)
        case "$s$(cat "$work/err")" in 4*unknown_outcome*) ;; *) wrong="$wrong $call:$n: retried" ;; esac ;;
    "1 1 5 COMPLETED") seen="$seen done" ;;
    *) wrong="$wrong $call:$n: started $started, ended $ended, exit $s, $(state_of)" ;;
    esac
    [ "$(starts)" -le "$(count_of run.started)" ] || wrong="$wrong $call:$n: more starts than the log has"
    [ -z "$(sort "$work/now/starts" 2>/dev/null | uniq -d)" ] || wrong="$wrong $call:$n: one fence started twice"
    [ "$(count_of effect.committed)" -le 1 ] || wrong="$wrong $call:$n: two effects"
done <"$work/run.points"
cd "$work"
fires "S31 a run is killed anywhere" $fired $(wc -l <run.points)
is "S31 each is started at most once; what started without an end is unknown" "$wrong" ""
is "S31 both kinds of crash did happen ($seen)" \
    "$(case $seen in *again*lost* | *lost*again*) echo yes ;; esac)" yes

again() { # again NAME TYPE COMMAND...: killed anywhere, once more: one event of that type more
    name=$1 type=$2
    shift 2
    points $others "$@" >"$work/again.points"
    fired=0 wrong=
    while read -r call n; do
        fresh "$from"
        was=$(count_of "$type")
        if ! killed_at "$call" "$n" "$@" 2>/dev/null; then
            n=$(before_it $n)
            fresh "$from"
            killed_at "$call" "$n" "$@" 2>/dev/null || continue
        fi
        fired=$((fired + 1))
        "$@" >/dev/null 2>&1 || wrong="$wrong $call:$n: exit"
        "$@" >/dev/null 2>&1 || wrong="$wrong $call:$n: exit"
        [ "$(count_of "$type")" = $((was + 1)) ] || wrong="$wrong $call:$n: $(count_of "$type")"
        sov verify -q --no-anchor >/dev/null 2>&1 || wrong="$wrong $call:$n: verify"
    done <"$work/again.points"
    cd "$work"
    fires "S31 $name is killed anywhere" $fired $(wc -l <again.points)
    is "S31 and done again acts once" "$wrong" ""
}
mkdir -p due/repo due/home
place due
store_open
store_sale 2
from=due
cd "$work"
again "a pulse" sow.created sov pulse
cp -a first claimed
place claimed
store claim ASG-1 --actor operator
from=claimed
cd "$work"
again "a pass" claim.expired env SOV_TEST_BOOT_MS=9000000 sov supervise

# ---- S32 second run while the first goes on ----
fresh first
mkfifo "$work/go" "$work/told"
cat >"$work/slow" <<END
#!/bin/sh
echo \$\$ >"$work/told"
read -r word <"$work/go"
exec "$src/tests/store_agent.sh" 6
END
chmod 755 "$work/slow"
(status_of sov run ASG-1 --actor operator -- "$work/slow" >"$work/ended") &
run=$!
read -r actor <"$work/told"
kill -STOP "$actor"
is "S32 beside a run whose actor is suspended two passes do nothing" "$(sov supervise; sov supervise)" ""
out=$(sov run ASG-1 --actor operator -- "$work/slow" 2>&1) && s=0 || s=$?
is "S32 nor is there a second run" "$s $(echo "$out" | grep -o claim_held)" "5 claim_held"
kill -CONT "$actor"
echo go >"$work/go"
wait $run || :
is "S32 and it goes on where it was" "$(cat "$work/ended") $(count_of run.started) $(state_of)" "0 1 COMPLETED"

# ---- S34 what a run left hands in a result after its end ----
printf '{}' >"$work/late.json"
fence=$(sov show ASG-1 | awk '$2 ~ /claim.acquired/ || $4 == "claim.acquired" { print $1; exit }')
head=$(sov log --last 1 | awk '{ print $1 }')
s=$(status_of sov report ASG-1 --fence "$fence" "$work/late.json" --actor operator)
is "S34 a result after the end is not taken in" \
    "$s $(grep -o report_conflict "$work/err") $(store_types "$head") $(stock)" "5 report_conflict  7"
fresh claimed
for i in 1 2 3 4; do (later sov supervise >"$work/pass.$i" 2>&1) & done
wait
is "S32 of four passes at once one acts" "$(cat "$work"/pass.* | grep -c expired) $(count_of claim.expired)" "1 1"
finish
