#!/bin/sh
# Writes fixtures/chains/good-*: the store of model.md 14 on its paths, as logs. Beside each log the
# sizes of its commits and its blobs. Run it from the root of the source with the transcript binary
# in PATH. What is written once stays: a log must be read for ever as it was written.
set -eu
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
(cd "$work" && store_home store && store_accepted && again ASG-2 SOW-2 && save store)
(
    cd "$work" && store_home red && store_to_assignment && store_run ASG-1 0
    sov check SOW-1 --actor verifier >>store.out || :
    store review SOW-1 --request-changes --reason 'Nothing was ordered.' --actor sparring
    store assign SOW-1 --to operator --actor master
    store_run ASG-2 6
    store_judged SOW-1 OUT-1
    store accept OUT-1 --actor principal
    save red
)
(
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
(
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
wc -l "$out"/good-*.jsonl
