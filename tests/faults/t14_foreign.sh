#!/bin/sh
# T14 on other machines, emulated: one of 64 bits with the big end first, and one of 32 bits.
# The golden vectors hold there, the same commands found and append the same ledger, and what was
# written here gives the same pages and state there. Only where it is asked for (make foreign), since
# it needs two compilers and an emulator that nothing else needs (make foreign-deps).
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
golden='test_base_canonical test_base_json_corpus test_base_crypto test_base_merkle test_base_proof
    test_base_note test_base_scan test_base_text test_ledger_event test_projections_escape'
case $tier:${SOV_FOREIGN:-} in
pr: | nightly:) skip "other machines" "make foreign"; finish ;;
esac
native=$(dirname "$(command -v sov)")
mkdir "$work/first"
(
    cd "$work/first"
    store_accepted
    store project
)
want=$(store_digest "$work/first") types=$(cd "$work/first" && store_types 0)
# What a run was, and how long it took, is no matter of the machine: without one all octets are equal.
mkdir "$work/planned"
(
    cd "$work/planned"
    export HOME="$work/planner"
    store_to_assignment
    store project
)
planned=$(store_digest "$work/planned")
for machine in s390x i386; do
    where=$build/foreign/$machine
    if ! (cd "$src" && HOME=$home_before tests/foreign.sh $machine "$where" $golden) >"$work/.said" 2>&1; then
        say 1 "a build for $machine"
        tail -n 5 "$work/.said" | sed 's/^/#   /'
        continue
    fi
    ok "the schema has one fingerprint on $machine" \
        cmp "$build/gen/ledger/fingerprint.h" "$where/build/gen/ledger/fingerprint.h"
    for test in $golden; do
        ok "$machine: $test" sh -c "cd '$src' && '$where/run' '$where/build/$test'"
    done
    mkdir -p "$work/$machine/bin"
    # The emulator adopts no processes, so that a run is this machine's: two write to one ledger.
    printf '#!/bin/sh\n[ "$1" != run ] || exec %s "$@"\nexec %s %s "$@"\n' "$native/sov" "$where/run" \
        "$where/build/seeded/sov" >"$work/$machine/bin/sov"
    chmod +x "$work/$machine/bin/sov"
    # Written here, read there.
    cp -a "$work/first" "$work/$machine/copy"
    find "$work/$machine/copy/governance" -name '*.md' -delete
    ok "$machine rebuilds a ledger of this machine" \
        sh -c "cd '$work/$machine/copy' && PATH='$work/$machine/bin':\$PATH sov rebuild"
    is "and its pages and state are those of this machine" "$(store_digest "$work/$machine/copy")" "$want"
    ok "it verifies there" sh -c "cd '$work/first' && '$work/$machine/bin/sov' verify --projections --signatures"
    mkdir "$work/$machine/first"
    goes_on() { # goes_on STEP...: there, in a store of its own
        (
            cd "$work/$machine/first"
            export PATH="$work/$machine/bin:$PATH" HOME="$work/$machine"
            for step; do $step; done
            store project
        ) >"$work/.said" 2>&1 || sed 's/^/#   /' "$work/.said"
    }
    goes_on store_to_assignment
    is "$machine founds and fills the same ledger" "$(store_digest "$work/$machine/first")" "$planned"
    goes_on 'store_run ASG-1 6' 'store_judged SOW-1 OUT-1' 'store accept OUT-1 --actor principal'
    is "and the two carry it on together" "$(cd "$work/$machine/first" && store_types 0)" "$types"
    ok "which verifies here" sh -c "cd '$work/$machine/first' && HOME='$work/$machine' '$native/sov' verify --signatures"
done
printf ' ' >>"$work/first/governance/policy.md"
if [ "$(store_digest "$work/first")" = "$want" ]; then say 1 "one octet more would be seen"; else say 0 "one octet more would be seen"; fi
finish
