#!/bin/sh
# Writes fixtures/chains/good-*: the store of model.md 14 on its paths, as logs. Beside each log the
# sizes of its commits and its blobs. Run it from the root of the source with the transcript binary
# in PATH, with the names of the logs to write. What is written once stays: a log must be read for
# ever as it was written.
set -eu
names=" $* "
asked() { case "$names" in *" $1 "*) return 0 ;; esac; return 1; }
src=$(pwd -P)
out=$src/fixtures/chains
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" LC_ALL=C TZ=UTC
. "$src/tests/faults/store.sh"
# A log keeps the words it was run with, so the agent has the same name wherever this is run.
store_agent=./agent.sh
store_home() { store_enter "$1" && cp "$src/tests/store_agent.sh" agent.sh; }
save() {
    sov log --format jsonl >"$out/good-$1.jsonl"
    # The key of a ledger that exists in tests only, so that they can sign what they forge.
    id=$(head -n 1 "$out/good-$1.jsonl" | tr -d '\n' | sha256sum | cut -c1-64)
    install -m 644 "$HOME/.local/share/sov/keys/$id/ledger.key" "$out/good-$1.test-key"
    sqlite3 .sovereign/organization.db 'SELECT size FROM checkpoint ORDER BY size' >"$out/good-$1.commits"
    sqlite3 -separator ' ' .sovereign/organization.db "SELECT lower(hex(digest)),
        CASE WHEN salt IS NULL THEN '-' ELSE lower(hex(salt)) END, size, media_type, lower(hex(content)) FROM blob ORDER BY n" \
        >"$out/good-$1.blobs"
}
again() { # a second term, as in steps 9 to 11
    store_sale 6
    store pulse
    sov check OUT-1 --recheck --actor verifier >>store.out || :
    store pulse
    store_run "$1" 6
    store_judged "$2" OUT-1
    store accept OUT-1 --actor principal
}
! asked store || (cd "$work" && store_home store && store_accepted && again ASG-2 SOW-2 && save store)
! asked red || (
    cd "$work" && store_home red && store_to_assignment && store_run ASG-1 0
    sov check SOW-1 --actor verifier >>store.out || :
    store review SOW-1 --request-changes --reason 'Nothing was ordered.' --actor sparring
    store assign SOW-1 --to operator --actor master
    store_run ASG-2 6
    store_judged SOW-1 OUT-1
    store accept OUT-1 --actor principal
    save red
)
! asked lost || (
    cd "$work" && store_home lost && store_to_assignment
    sov run ASG-1 --actor operator -- /bin/sleep 30 >/dev/null 2>&1 &
    run=$!
    until sov log --type run.started | grep -q ASG-1; do sleep 0.1; done
    kill -KILL $run
    wait $run 2>/dev/null || :
    SOV_TEST_BOOT_MS=2000000 store supervise
    store sow retry SOW-1 --reason again --found did_not_happen --inspection 'No order.' --actor master
    store assign SOW-1 --to operator --actor master
    store claim ASG-2 --actor operator
    store claim renew ASG-2 --fence "$(sov log --type claim.acquired | awk 'END { print $1 }')" --actor operator
    store claim release ASG-2 --fence "$(sov log --type claim.acquired | awk 'END { print $1 }')" \
        --reason 'not today' --actor operator
    store_run ASG-2 6
    save lost
)
! asked law || (
    cd "$work" && store_home law && store_accepted
    store actor add builder --role operator --kind robot --provider scripted --represents team/tools --actor principal
    store actor suspend builder --reason 'It is being moved.' --actor principal
    store actor resume builder --reason 'It is back.' --actor principal
    store ruling 'May we buy ahead?' --decision 'Up to ten.' --reason 'The shelf is small.' --applies-to OUT-1 \
        --actor principal
    store ruling revoke RUL-1 --reason 'The shelf has grown.' --actor principal
    store ruling 'Again?' --decision Yes --reason 'A new season.' --applies-to OUT-1 --reopen --actor principal
    store outcome reopen OUT-1 --reason 'A new season.' --ruling RUL-2 --actor principal
    store outcome block OUT-1 --reason 'On strike.' --actor master
    store outcome unblock OUT-1 --reason 'No strike.' --actor master
    echo 'a secret' | store signal note --source till --subject it --payload - --confidential --actor operator
    store heartbeat till --actor operator
    store policy adopt "$src/fixtures/store/policy.json" --reason 'As before.' --actor principal
    store outcome cancel OUT-1 --reason 'Closed.' --actor principal
    save law
)
# Approvals on each of their ways: none, for other arguments, used, denied, revoked, left to expire.
asked_for() { # ASSIGNMENT QUANTITY
    echo "{\"assignment\":\"$1\",\"kind\":\"replenishment\",\"quantity\":$2,\"subject\":\"SKU-TEA\"}" >args.json
    store approval request effect.commit --resource "$1" --args args.json --actor operator
}
round() { # ASSIGNMENT: one more, after a run that was refused
    store sow retry SOW-1 --reason again --actor master
    store assign SOW-1 --to operator --actor master
}
refused() { sov run "$1" --actor operator -- "$store_agent" "$2" >>store.out && return 1; return 0; }
! asked approval || (
    cd "$work" && store_home approval
    awk '/"kind": "replenishment"/ && !n++ { sub(/,/, ", \"approval\": true,") }
        NR == 1 { print "{\"approval\": {\"persons\": 1, \"quorum\": 2, \"robots\": [\"clerk\"]},"; next }
        { print }' "$src/fixtures/store/policy.json" >policy.json
    store_to_assignment
    store policy adopt policy.json --reason 'Orders are approved.' --actor principal
    store actor add clerk --role principal --kind robot --provider human --represents team/till --actor principal
    store key new clerk --actor principal
    refused ASG-1 6
    round && asked_for ASG-2 6
    store approve APR-1 --grant --reason 'Six are few.' --actor principal
    store approve APR-1 --grant --reason 'The price is right.' --actor clerk
    refused ASG-2 5
    round && asked_for ASG-3 9 && asked_for ASG-3 7 && asked_for ASG-3 6
    store approve APR-2 --deny --reason 'Nine are many.' --actor principal
    store approval revoke APR-3 --reason 'Six will do.' --actor operator
    store approve APR-4 --grant --reason 'Six are few.' --actor clerk
    store approve APR-4 --grant --reason 'As before.' --actor principal
    store_run ASG-3 6
    asked_for ASG-3 1
    SOV_TEST_CLOCK=2026-01-01T02:00:00.000Z store supervise
    save approval
)
# Messages on each of their ways: done, for a role, let go, dead by failures and by silence, a review's.
fence() { sov log --type claim.acquired --last 1 | awk 'END { print $1 }'; }
taken() { store mail claim "$1" --actor "$2"; }
! asked mail || (
    cd "$work" && store_home mail && store_to_assignment && store_run ASG-1 0
    sov check SOW-1 --actor verifier >>store.out || :
    store review SOW-1 --request-changes --reason 'Nothing was ordered.' --actor sparring
    taken MSG-1 operator && store mail done MSG-1 --fence "$(fence)" --reason 'I see.' --actor operator
    echo 'Which supplier?' | store mail send role/master --subject Order --about SOW-1 --reply-to MSG-1 - --actor operator
    taken MSG-2 master && store mail release MSG-2 --fence "$(fence)" --reason 'Not today.' --actor master
    taken MSG-2 master && store mail done MSG-2 --fence "$(fence)" --actor master
    store mail send sparring --subject Riddle --actor operator
    for i in 1 2 3; do
        taken MSG-3 sparring && store mail fail MSG-3 --fence "$(fence)" --reason 'Not readable.' --actor sparring
    done
    store mail requeue MSG-3 --reason 'It was cut.' --actor operator
    taken MSG-3 sparring
    SOV_TEST_BOOT_MS=2000000 store supervise
    head -c 5000 /dev/zero | tr '\0' a | store mail send operator --subject Long - --actor principal
    save mail
)
# Programs, what they carry on and hand out: two incarnations, and deliveries on each of their ways.
! asked wire || (
    cd "$work" && store_enter wire && store init --name 'The store'
    store instance register 'the desk' --actor operator
    store session open operator --purpose 'the desk' --actor master
    store instance claim INS-1 --actor operator && ins=$(fence)
    store session claim SES-1 --instance INS-1 --instance-fence "$ins" --actor operator && ses=$(fence)
    store session renew SES-1 --fence "$ses" --actor operator
    store instance renew INS-1 --fence "$ins" --actor operator
    SOV_TEST_BOOT_MS=1066000 store supervise
    store instance claim INS-1 --actor operator && ins=$(fence)
    store session claim SES-1 --instance INS-1 --instance-fence "$ins" --actor operator && ses=$(fence)
    echo 'Dear Sir,' >letter
    store delivery queue letter letter --session SES-1 --actor operator
    store delivery claim DLV-1 --actor operator && dlv=$(fence)
    store delivery start DLV-1 --fence "$dlv" --actor operator
    store delivery fail DLV-1 --fence "$dlv" --reason 'No stamp.' --actor operator
    export SOV_TEST_CLOCK=2026-01-01T00:00:30.000Z
    store delivery claim DLV-1 --actor operator && dlv=$(fence)
    store delivery start DLV-1 --fence "$dlv" --actor operator
    store delivery succeed DLV-1 --fence "$dlv" --receiver-ref post-7 --actor operator
    echo 'All went well.' | store session close SES-1 --fence "$ses" --status completed --result - --actor operator
    store instance retire INS-1 --fence "$ins" --reason 'Closing time.' --actor operator
    store delivery queue letter letter --receiver-key second --actor operator
    store delivery claim DLV-2 --actor operator && store delivery start DLV-2 --fence "$(fence)" --actor operator
    store delivery queue letter letter --receiver-key third --actor operator
    store delivery claim DLV-3 --actor operator
    SOV_TEST_BOOT_MS=2000000 store supervise
    store delivery resolve DLV-2 --found not_delivered --reason 'It lay in the box.' --actor principal
    save wire
)
wc -l "$out"/good-*.jsonl
