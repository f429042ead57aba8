# What campaigns share; sourced from the root of the source. A campaign says what it saw with
# ok and is, and ends with finish: no line, or a fault that did not fire, is a failure.
# Oracles here are sqlite3, awk and cmp: they share no code with what they judge.
set -eu
export LC_ALL=C TZ=UTC
src=$(pwd -P)
build=${SOV_BUILD:-$src/build}
tier=${SOV_TIER:-pr}
count=0 bad=0
case $tier in pr | nightly | release) ;; *) echo "Bail out! no tier $tier"; exit 1 ;; esac

# Memory is a local file system, too, and a kill does not lose its pages.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ]; then TMPDIR=/dev/shm; fi
work=$(mktemp -d "${TMPDIR:-/tmp}/sov-fault-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
home_before=${HOME:-/}
export HOME="$work/home" SOV_DIR=
# A sanitizer cannot look for leaks of a traced process, nor stand before a preloaded library.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:verify_asan_link_order=0"
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL SOV_DIR SOV_ACTOR XDG_DATA_HOME XDG_STATE_HOME XDG_CONFIG_HOME CDPATH
mkdir "$HOME"

say() { # say STATUS NAME: one line of TAP
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; bad=1; fi
}
ok() { # ok NAME COMMAND...: the command succeeds
    name=$1
    shift
    if "$@" >"$work/.said" 2>&1; then say 0 "$name"; else
        say 1 "$name"
        sed 's/^/#   /' "$work/.said" | head -n 20
    fi
}
is() { # is NAME GOT WANTED
    if [ "$2" = "$3" ]; then say 0 "$1"; else
        say 1 "$1"
        echo "#   got    $2" | head -n 5
        echo "#   wanted $3" | head -n 5
    fi
}
fires() { # fires NAME FIRED TOTAL: 98 of 100, and not of nothing
    if [ "$3" -gt 0 ] && [ $(($2 * 100)) -ge $(($3 * 98)) ]; then say 0 "$1: $2 of $3 fired"; else
        say 1 "$1: $2 of $3 fired"
    fi
}
skip() { # skip NAME WHY: what cannot be tried here; an error where a release is judged
    count=$((count + 1))
    if [ "$tier" = release ]; then echo "not ok $count - $1: $2"; bad=1; else
        echo "ok $count - $1 # SKIP $2"
    fi
}
finish() {
    [ "$count" -gt 0 ] || bad=1
    echo "1..$count"
    exit $bad
}
status_of() { # status_of COMMAND...: its exit status, its words in $work/out and $work/err
    "$@" >"$work/out" 2>"$work/err" </dev/null && echo 0 || echo $?
}

# ---- broken builds: a patch removes one protection from a copy, and the campaign must notice ----
# broken PATCH [PROGRAM...]: at night builds the copy into $work/broken/build, these programs of it,
# too (tools/power); else only sees that it applies. True if there is a build to be tried.
broken() {
    programs=build/tools/crowd
    for program; do [ "$program" = "$1" ] || programs="$programs build/$program"; done
    if ! (cd "$src" && git apply --check "tests/faults/broken/$1.patch") >"$work/.said" 2>&1; then
        say 1 "the patch $1 applies"
        sed 's/^/#   /' "$work/.said"
        return 1
    fi
    say 0 "the patch $1 applies"
    [ "$tier" != pr ] && [ -z "${SOV_BROKEN:-}" ] || return 1
    rm -rf "$work/broken"
    mkdir "$work/broken"
    (cd "$src" && git ls-files -z | tar --null -T - -cf - | tar -C "$work/broken" -xf -)
    ok "the broken build $1 is built" sh -c "cd '$work/broken' &&
        git apply 'tests/faults/broken/$1.patch' &&
        make -s CC='${CC:-cc}' B=build build/seeded/sov $programs"
    [ -x "$work/broken/build/seeded/sov" ]
}
# caught NAME SCRIPT: the campaign fails under the broken build
caught() {
    s=0
    (cd "$src" && PATH="$work/broken/build/seeded:$PATH" SOV_BUILD="$work/broken/build" SOV_BROKEN=1 \
        SOV_TIER=pr "$2") >"$work/.caught" 2>&1 || s=$?
    if [ $s -ne 0 ] && grep -q '^not ok' "$work/.caught"; then say 0 "$1 is caught"; else
        say 1 "$1 is caught"
        tail -n 5 "$work/.caught" | sed 's/^/#   /'
    fi
}

# ---- what no line of sov reads for us: the file, by the sqlite3 shell, in a copy ----
octets_of() { # octets_of PLACE FILE: the events of the ledger under PLACE, one a line
    rm -rf "$work/.copy"
    mkdir "$work/.copy"
    set -- "$1" "$2" "$1"/.sovereign/organization.db*
    [ ! -e "$3" ] || (shift 2 && cp "$@" "$work/.copy/")
    if [ -s "$work/.copy/organization.db" ]; then
        sqlite3 "$work/.copy/organization.db" \
            'SELECT CAST(octets AS TEXT) FROM event ORDER BY seq' >"$2"
    else : >"$2"; fi
}
newest_checkpoint() { # behind octets_of
    sqlite3 "$work/.copy/organization.db" 'SELECT coalesce(max(size), 0) FROM checkpoint'
}
in_order() { awk -f "$src/tests/oracle_json.awk" -f "$src/tests/oracle_order.awk" "$1"; }
