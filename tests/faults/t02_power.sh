#!/bin/sh
# T2: the power goes. Verbs and drawn commits are recorded call by call; build/tools/power makes
# what an honest disk may hold after a loss of power at any time of them (any part of what was not
# synced, torn by sectors; acts on names in order) and judges each state: a ledger that opens, heals,
# is whole and has every event that was acknowledged; views, pins, keys and the other small files
# each the old one or the new one.
#   SOV_TIER=pr       6 verbs and 12 histories of drawn commits, some 20,000 states
#   nightly, release  24 verbs, 6 of them after a crash, and 200 histories, 1,000,000 states
# BUDGET=n: states of one moment, SMALL=n: in a verb; HISTORIES=n, VERBS='signal project' those verbs,
# AFTER='heartbeat' those after a crash. A fault names its history, whose files are kept in T2_KEEP.
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
power="$build/tools/power"
cd "$work"
case $tier in
pr) histories=${HISTORIES:-12} budget=${BUDGET:-370} small=${SMALL:-24} every=4 wanted=20000 places='1 2 3 4'
    verbs='init signal project key pulse recover' after='heartbeat' ;;
*) histories=${HISTORIES:-200} budget=${BUDGET:-1300} small=${SMALL:-520} every=8 wanted=1000000 places='1 2 3 4 5 6 7 8'
    verbs='init signal change pulse claim assign run supervise check review accept project rebuild
        release actor key subject account outcome sow heartbeat export backup recover'
    after='heartbeat recover signal supervise rebuild key' ;;
esac
verbs=${VERBS:-$verbs} after=${AFTER:-$after}
[ "$tier" != release ] || budget=${BUDGET:-4000} wanted=4000000
[ -z "${HISTORIES:-}${BUDGET:-}${VERBS:-}" ] || wanted=1

# ---- places: ledger, views, keys and pin of each lie in one ----
at() { # at PLACE COMMAND...
    place=$work/$1
    shift
    (cd "$place/repo" && HOME="$place/home" && export HOME && "$@")
}
export SOV_TEST_CLOCK=2036-01-01T00:00:00.000Z
make_first() {
    store_open
    sov actor add second --role operator --kind robot --provider scripted --actor principal
    store_subject SKU-COFFEE 210 650 6 10
    store_outcome 'Coffee is in stock' SKU-COFFEE stock-available-coffee
    sov outcome activate OUT-2 --actor master
    sov sow new OUT-2 --title 'Count coffee' --scope 'Count it.' --role operator \
        --done-when 'It is counted.' --actor master
    sov sow ready SOW-1 --actor master
    sov assign SOW-1 --to second --actor master
    sov claim ASG-1 --actor second
    "$build/tools/crowd" "$PWD/.sovereign" "$HOME/.local/share/sov/keys" noise 180 >/dev/null
    sov pulse -q
    sov project
    store_sale 2
    rm store.out
}
base() { # base NAME FROM COMMANDS: a copy of FROM, carried on
    [ ! -e "$1" ] || return 0
    cp -a "$2" "$1"
    at "$1" eval "$3" >base.out 2>&1 || { say 1 "the ledger for $1 is made"; tail -n 5 base.out | sed 's/^/# /'; finish; }
    rm -f "$1/repo/store.out"
}
mkdir -p empty/repo empty/home new/repo new/home
base first new make_first
events=$(at first sov log --format jsonl | wc -l)
ok "the ledger hurts: $events events" [ "$events" -ge 200 ]
[ "$events" -ge 200 ] || finish
prepare() { # prepare VERB: the place it starts from, in $from
    from=first
    case $1 in
    init) from=empty ;;
    release)
        prepare run
        base claimed fired 'sov claim ASG-2 --actor operator --json=fence'
        fence=$(sed -n 's/.*"fence":\([0-9]*\).*/\1/p' base.out) from=claimed ;;
    run | supervise | claim) base fired first 'sov pulse' && from=fired ;;
    assign)
        base ready first 'sov sow new OUT-1 --title More --scope More. --role operator --done-when Done. --actor master &&
            sov sow ready SOW-2 --actor master' && from=ready ;;
    check | review | accept)
        prepare run
        base ran fired "store_run ASG-2 6"
        base checked ran 'sov check SOW-2 --actor verifier && sov check OUT-1 --actor verifier'
        base reviewed checked 'sov review SOW-2 --pass --reason fine --actor sparring'
        case $1 in check) from=ran ;; review) from=checked ;; *) from=reviewed ;; esac ;;
    esac
}
words() { # words VERB: the command line, a tab before each word
    [ "$1" != run ] || set -- run ASG-2 --actor operator -- "$src/tests/store_agent.sh" 6
    case $1 in
    init) set -- init --name Kept ;;
    signal) set -- signal till.jam --source till --subject SKU-TEA --idempotency-key k1 --actor operator ;;
    change) set -- change record sale --subject SKU-TEA --quantity 1 --source till --actor operator ;;
    claim) set -- claim ASG-2 --actor operator ;;
    assign) set -- assign SOW-2 --to operator --actor master ;;
    check) set -- check SOW-2 --actor verifier ;;
    review) set -- review SOW-2 --pass --reason fine --actor sparring ;;
    accept) set -- accept OUT-1 --actor principal ;;
    release) set -- claim release ASG-2 --fence "$fence" --reason enough --actor operator ;;
    actor) set -- actor add third --role operator --kind robot --provider scripted --actor principal ;;
    key) set -- key new principal --actor principal ;;
    subject) set -- subject declare SKU-MILK --fact price=90 --actor principal ;;
    account) set -- account open inventory/SKU-MILK --unit unit --opening 4 --actor principal ;;
    outcome) set -- outcome new Again --desired More. --subject SKU-TEA --check "@$src/fixtures/store/checks/restock-posted.json" --actor principal ;;
    sow) set -- sow new OUT-1 --title More --scope More. --role operator --done-when Done. --actor master ;;
    heartbeat) set -- heartbeat between --actor operator ;;
    export) set -- export --format jsonl -o log.jsonl ;;
    backup) set -- export --format ledger -o backup.db ;;
    esac
    printf '\tsov'
    printf '\t%s' "$@"
}

# ---- what is tried ----
try() { # try NAME PLACE WORDS [OPTION...]: one history, whose last line is counted
    name=$1 line="$work/$2$3"
    shift 3
    boot=1000000
    [ "$name" != supervise ] || boot=9000000
    printf '%s\n' "$line" | env SOV_TEST_SEED="$name" SOV_TEST_BOOT_MS=$boot "$power" --budget "$small" --every "$every" \
        ${T2_KEEP:+--keep "$T2_KEEP"} "$@" >"$name.tried" 2>&1 || say 1 "$name is tried"
    cat "$name.tried" >>tried
}
faults_of() { sed -n 's/^total: .* \([0-9]*\) corrupt, \([0-9]*\) lost, \([0-9]*\) torn$/\1 \2 \3/p' "$1" |
    awk '{ c += $1; l += $2; t += $3 } END { print c + 0, l + 0, t + 0 }'; }
states_of() { awk '/^total:/ { n += $4 + $7 } END { print n + 0 }' "$1"; }
whole() { # whole NAME FILE
    is "$1, in $(states_of "$2") states: none corrupt, none acknowledged and lost, none torn" "$(faults_of "$2")" '0 0 0'
    sed -n 's/^fault/#   &/p' "$2" | head -n 10
    sed -n 's/^history: exit \([1-9].*\)/#   &/p' "$2" | head -n 10
}
seeds() { # seeds FIRST COUNT PLACE
    awk -v from="$1" -v count="$2" -v place="$work/$3" \
        'BEGIN { for (i = 0; i < count; i++) print place "\tgrow\t" from + i "\t3" }'
}
: >tried
for verb in $verbs; do
    prepare "$verb"
    cp -a $from "in-$verb"
    mkdir -p "hot-$verb" "unfinished-$verb"
    try "$verb" "in-$verb" "$(words "$verb")" --hot "hot-$verb" --unfinished "$work/unfinished-$verb"
    is "$verb runs" "$(sed -n 's/^history: exit \([0-9]*\),.*/\1/p' "$verb.tried")" 0
    whole "$verb" "$verb.tried"
    [ "$verb" = init ] || rm -rf "in-$verb"
done
# What a founding had not finished, the next one finishes.
mended=0
for each in unfinished-init/*; do
    cp -a empty again && cp -a "$each/." again && chmod -R go= again
    if at again env SOV_TEST_SEED=again sov init --name Kept >again.out 2>&1 &&
        at again sov verify --no-anchor >>again.out 2>&1 &&
        cmp -s again/repo/sovereign.json in-init/repo/sovereign.json &&
        cmp -s again/repo/.sovereign/.gitignore in-init/repo/.sovereign/.gitignore; then mended=$((mended + 1))
    else
        echo "# $each is not mended: $(tail -n 2 again.out)"
        [ -z "${T2_KEEP:-}" ] || cp -a "$each" "$T2_KEEP/"
    fi
    rm -rf again
done
is "a founding that was cut off is done again" "$mended" "$(ls unfinished-init | wc -l)"
ok "some were cut off" [ "$mended" -gt 0 ]
# A crash in what heals a crash: it starts where the journal is hot.
ok "a crash left a hot journal" [ -s hot-signal/repo/.sovereign/organization.db-journal ]
for verb in $after; do
    prepare "$verb"
    rm -rf hot
    cp -a first hot
    cp -a hot-signal/. hot
    try "$verb-after" hot "$(words "$verb")"
    whole "$verb, after a crash" "$verb-after.tried"
done
of=${places##* }
for each in $places; do
    if [ $each -eq 1 ]; then cp -a first "grown-$each"; else
        cp -a empty "grown-$each" && at "grown-$each" sov init --name "Grown $each" >/dev/null; fi
    seeds $((each * 1000)) $(((histories + of - each) / of)) "grown-$each"
done >lines
"$power" --budget "$budget" --every "$every" ${T2_KEEP:+--keep "$T2_KEEP"} <lines >grown.tried || say 1 "commits are tried"
cat grown.tried >>tried
whole "drawn commits" grown.tried
is "the journal stays, each sync is a full one" "$(sed -n 's/^set //p' grown-1/out)" 'persist 2'
is "histories" "$(grep -c '^history: exit 0' grown.tried)" "$histories"
[ -n "${HISTORIES:-}" ] || is "commits spill into the file before they end" "$(awk '/^history/ && $6 > 0 { n++ } END { print (n > 0) }' grown.tried)" 1
total=$(states_of tried)
ok "$total states are $wanted at least" [ "$total" -ge "$wanted" ]

# ---- the controls ----
fails() { # fails NAME PRAGMA KIND...: commits under this setting are not safe
    name=$1 pragma=$2
    shift 2
    rm -rf weak && cp -a empty weak && at weak sov init --name Weak >/dev/null
    seeds 7 4 weak | "$power" --budget 48 --pragma "PRAGMA $pragma" >weak.tried || :
    for kind in "$@"; do
        is "$name: states that are $kind are seen" "$(grep -c "^total: .* [1-9][0-9]* $kind" weak.tried)" 1
    done
}
fails 'never synced' 'synchronous = OFF' corrupt lost
fails 'synced now and then' 'synchronous = NORMAL' corrupt
fails 'the journal deleted' 'journal_mode = DELETE' lost
if broken t02_rename tools/power; then caught "a rename without fsync" tests/faults/t02_power.sh; fi
if broken t02_folder tools/power; then caught "a folder that is not synced" tests/faults/t02_power.sh; fi
if broken t01_early tools/power; then caught "an acknowledgement before COMMIT" tests/faults/t02_power.sh; fi
finish
