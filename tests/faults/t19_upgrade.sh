#!/bin/sh
# T19: what an earlier release left behind. Each fixtures/upgrade/VERSION (tests/gen/upgrade.sh) is
# opened, verified with its pages and its pin, rendered again, and written to; a file of a format
# that this program does not know is refused and stays as it is. A migration that was edited after
# its release is noticed, by its digest and by the file itself.
. tests/faults/lib.sh
state() { (cd "$1" && find . -type f ! -name '*-journal' | sort | xargs sha256sum); }
place() { # place VERSION: unpacked into $work/place, HOME and folder with it
    rm -rf "$work/place"
    mkdir "$work/place"
    tar -xzf "$src/fixtures/upgrade/$1/place.tar.gz" -C "$work/place" --no-same-owner
    export HOME="$work/place/home" SOV_TEST_SEED="later $1" SOV_TEST_CLOCK=2026-02-01T00:00:00.000Z
    cd "$work/place/repo"
}
pages() { (cd "$1" && find . -type f ! -path './log/*' ! -path './checkpoints/*' | sort | xargs sha256sum); }
octets() { sqlite3 .sovereign/organization.db "SELECT hex(octets) FROM event WHERE seq $1 ORDER BY seq" | sha256sum; }
edited() { (cd "$1" && sha256sum -c --quiet "$src/fixtures/upgrade/$2/migrations.sha256") >"$work/.said" 2>&1; }

versions=0
for folder in "$src"/fixtures/upgrade/*/; do
    v=$(basename "$folder")
    versions=$((versions + 1))
    place "$v"
    before=$(pages governance)
    size=$(sqlite3 .sovereign/organization.db 'SELECT max(seq) FROM event')
    events=$(octets "<= $size")
    ok "$v opens" sov recover
    ok "$v verifies against its pin, its pages byte for byte" sov verify --projections
    ok "$v derives the same state again" sov rebuild
    find governance -name '*.md' -delete
    find governance -name '*.json' -delete
    s=$(status_of sov verify --projections --no-anchor)
    is "$v a page that is gone is seen" "$s" 1
    ok "$v renders its pages anew" sov rebuild
    is "$v as they were, to the octet" "$(pages governance)" "$before"
    printf 'x' >>governance/README.md
    s=$(status_of sov verify --projections --no-anchor)
    is "$v one more octet in a page is seen" "$s" 1
    place "$v"
    ok "$v is written to" sov heartbeat later --actor operator
    ok "$v goes on: its live claim is renewed" sov claim renew ASG-2 \
        --fence "$(sqlite3 .sovereign/organization.db \
        'SELECT max(fence) FROM state_claim WHERE live = 1')" --actor operator
    ok "$v publishes" sov project
    ok "$v and verifies behind that" sov verify --projections
    is "$v its events are as they were" "$(octets "<= $size")" "$events"
    is "$v pages that no event touched are as they were" \
        "$(pages governance | grep -E 'actors|policy' )" "$(echo "$before" | grep -E 'actors|policy')"

    # ---- a file of the future ----
    place "$v"
    now=$(sqlite3 .sovereign/organization.db 'PRAGMA user_version')
    for format in $((now + 1)) 1000 2147483647; do
        sqlite3 .sovereign/organization.db "PRAGMA user_version = $format"
        left=$(state "$work/place")
        bad_verbs=
        for verb in status log 'show sows' 'verify --no-anchor' 'verify --projections' project recover rebuild supervise pulse \
            'heartbeat x --actor operator' 'claim ASG-2 --actor operator' 'init' 'export --format ledger -o out.db'; do
            s=$(status_of sov $verb)
            heard=$(cat "$work/out" "$work/err" | grep -o newer_format | head -n 1)
            [ "$s $heard" = '7 newer_format' ] || bad_verbs="$bad_verbs, $verb: $s $heard"
        done
        is "$v with format $format is refused by every verb" "$bad_verbs" ""
        is "$v with format $format stays as it is" "$(state "$work/place")" "$left"
    done

    # ---- migrations are for ever ----
    cd "$src"
    ok "$v its migrations are as they were released" edited "$src" "$v"
    mkdir -p "$work/edited/migrations"
    cp migrations/0*.sql "$work/edited/migrations/"
    echo '-- more' >>"$work/edited/migrations/0005_state_work.sql"
    s=0
    edited "$work/edited" "$v" || s=$?
    is "$v an edited migration is noticed" "$([ $s -ne 0 ] && echo noticed)" noticed
done
is "there is something to open" "$([ $versions -gt 0 ] && echo there)" there
cd "$src"
! broken t19_migration || caught "a migration edited after its release" tests/faults/t19_upgrade.sh
finish
