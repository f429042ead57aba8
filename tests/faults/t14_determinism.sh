#!/bin/sh
# T14: the same log gives the same bytes, of views and of state, whatever the compiler, its
# optimisation, locale, time zone, umask, folder, page size, day. S46 and S48 are rows of it.
#   pr: the build under test and two others, 24 combinations; night: seven builds, 224
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
mkdir "$work/builds"
case $tier in
pr) wanted='clang-O0 gcc-O3' pages= ;;
*) wanted='gcc-O0 gcc-O2 gcc-O3 clang-O0 clang-O2 clang-O3' pages='512 4096 16384 65536' ;;
esac
cache=
! command -v ccache >/dev/null || cache='ccache '
builds=tested
ln -s "$(dirname "$(command -v sov)")" "$work/builds/tested"
for each in $wanted; do
    [ -z "${SOV_BROKEN:-}" ] || break
    cc=${each%-*}
    if ! command -v "$cc" >/dev/null; then
        skip "the build $each" "there is no $cc"
        continue
    fi
    # Beside the build under test, so that a second run compiles what has changed and no more.
    if HOME=$home_before make -C "$src" -s -j2 CC="$cache$cc" CFLAGS="-${each#*-} -g0" \
        B="$build/t14/$each" "$build/t14/$each/seeded/sov" >"$work/.said" 2>&1; then
        ln -s "$build/t14/$each/seeded" "$work/builds/$each"
        builds="$builds $each"
    else
        say 1 "the build $each"
        tail -n 3 "$work/.said" | sed 's/^/#   /'
    fi
done

# ---- the log: made at half past eleven on the last day of a month ----
mkdir "$work/first"
cd "$work/first"
export SOV_TEST_CLOCK=2026-01-31T23:30:00.000Z
store_accepted
sov ruling 'May we?' --decision "$(printf 'Ja\314\210, \303\204 \360\235\204\236 stra\303\237e |x|')" \
    --reason "$(printf '\320\237\321\200\320\270\321\207\320\270\320\275\320\260 @all #1')" \
    --applies-to OUT-1 --actor principal >>store.out
store_sale 6
store pulse
store project
unset SOV_TEST_CLOCK

want=$(store_digest "$work/first")
is "there is something to compare" "$(find governance -name '*.md' | wc -l | awk '{ print ($1 > 6) }')" 1

# A locale with other rules of case and order, if it can be made here.
mkdir "$work/locales"
turkish=C.utf8
if localedef -i tr_TR -f UTF-8 "$work/locales/tr_TR.UTF-8" >/dev/null 2>&1; then
    turkish=tr_TR.UTF-8
    export LOCPATH="$work/locales"
fi
#     locale     zone   umask page day                       folder
cat >"$work/places" <<EOF
C              UTC      022  4096  2026-02-01T00:00:00.000Z plain
$turkish       XXX-14   000  512   2031-07-31T12:00:00.000Z a b
POSIX          YYY12    077  8192  1999-01-01T00:00:00.000Z $(printf 'stra\303\237e')
C.utf8         ZZZ-5:45 002  1024  2026-12-31T23:59:59.999Z AGORA
$turkish       UTC      027  65536 2038-01-19T03:14:08.000Z agora
C              XXX-14   007  2048  2026-01-31T23:30:00.000Z $(printf 'cafe\314\201')
POSIX          UTC      022  16384 2026-02-28T23:59:00.000Z d/e/e/p
C.utf8         YYY12    077  32768 2026-03-01T00:00:00.000Z -n
EOF
tried=0
for build in $builds; do
    while read -r locale zone mask own day folder; do
        for page in ${pages:-$own}; do
            place="$work/places.d/$build/$folder"
            mkdir -p "$place"
            cp -a "$work/first/." "$place/"
            sqlite3 "$place/.sovereign/organization.db" "PRAGMA page_size = $page; VACUUM" >/dev/null
            find "$place/governance" -name '*.md' -delete
            s=0
            (cd "$place" && umask "$mask" && PATH="$work/builds/$build:$PATH" LC_ALL=$locale LANG=$locale \
                TZ=$zone SOV_TEST_CLOCK=$day sov rebuild) >"$work/.said" 2>&1 || s=$?
            tried=$((tried + 1))
            if [ $s -ne 0 ]; then say 1 "$build $locale $zone $mask $page: rebuild"; sed 's/^/#   /' "$work/.said"; else
                is "$build in $locale, zone $zone, umask $mask, pages of $page, on ${day%%T*}" "$(store_digest "$place")" "$want"
            fi
            rm -rf "$place"
        done
    done <"$work/places"
done
case $tier in pr) least=24 ;; *) least=200 ;; esac
[ -n "${SOV_BROKEN:-}" ] || is "enough was tried" "$([ $tried -ge $least ] && echo "$least")" $least

# ---- from nothing: the same commands give the same octets, root and views in every build ----
for build in $builds; do
    mkdir "$work/new-$build"
    (
        cd "$work/new-$build"
        export PATH="$work/builds/$build:$PATH" HOME="$work/new-$build" LC_ALL=$turkish TZ=XXX-14
        store_to_assignment && store project && sov status | tail -n 1
    ) >"$work/root-$build" 2>&1 || :
done
for build in $builds; do
    is "$build founds and appends the same ledger" "$(cat "$work/root-$build")" "$(cat "$work/root-tested")"
done
is "and it is one" "$(grep -c '^size [0-9]* .*root' "$work/root-tested")" 1

# ---- the control ----
printf ' ' >>"$work/first/governance/policy.md"
if [ "$(store_digest "$work/first")" = "$want" ]; then say 1 "one octet more would be seen"; else say 0 "one octet more would be seen"; fi
if broken t14_zone; then caught "a view that knows the time zone" tests/faults/t14_determinism.sh; fi
finish
