# The writing verbs of the campaigns that disturb one system call: for each the ledger it starts from
# and the words a person would type. Sourced behind lib.sh and store.sh; $work is where we are.
# A ledger, its views, keys and pin lie in one place, so that a copy of the one is a copy of all.
# Not here: demo, which is others of these in a row, and merge-driver, which writes the one file that
# it is told to, by the same function as -o.
all_verbs='init init-policy signal pulse run check review accept project publish change assign claim
    supervise rebuild claim-release claim-start claim-renew report actor key key-locked key-ssh policy
    subject account outcome sow
    heartbeat recover ruling erase provider approval-request approve instance instance-claim session
    session-claim session-close delivery delivery-claim delivery-start delivery-succeed mail
    mail-claim mail-done pin output restore'
# Whether its events are the same each time: no process, no inode in them.
exact_of() { case $1 in run | claim | claim-start | supervise) echo no ;; *) echo yes ;; esac; }
# What only reads, and may run short all the same.
reading_verbs='verify status log show'
at() { # at PLACE COMMAND...
    place=$work/$1
    shift
    (cd "$place/repo" && HOME="$place/home" && export HOME && "$@")
}

# ---- ledgers that hurt: many events, a live claim of another, views published, a tail that is not ----
export SOV_TEST_CLOCK=2036-01-01T00:00:00.000Z
# A claim names the process that holds it: without this each run would leave a state of its own.
export SOV_TEST_PROCESS='4194303 1'
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
    # What verbs are handed lies outside of the repository.
    cd "$HOME"
    echo 'The till is open.' >letter
    (umask 077 && echo sesame >sov.passphrase)
    ssh-keygen -q -t ed25519 -N '' -f id
    echo '{"assignment":"ASG-2","kind":"replenishment","quantity":6,"subject":"SKU-TEA"}' >act.json
    echo '{"assignment":"ASG-2","blockers":[],"checks":[],"deliverables":[],"kind":"sov.report.v1","notes":null,"proposals":[],"questions":[],"status":"completed","summary":"Done."}' >report
    awk '/"kind": "replenishment"/ && !n++ { sub(/,/, ", \"approval\": true,") } { print }' \
        "$src/fixtures/store/policy.json" >policy.json
}
make_ledgers() { # what every campaign starts with
    mkdir -p empty/repo empty/home first/repo first/home
    at first make_first >first.out 2>&1 || {
        say 1 "the first ledger is made"
        tail -n 5 first.out | sed 's/^/# /'
        finish
    }
    is "the ledger hurts: events" \
        "$([ "$(at first sov log --format jsonl | wc -l)" -ge 200 ] && echo 200)" 200
    is "the ledger hurts: a claim of another is live" \
        "$(at first sov show assignments | grep -c RUNNING)" 1
}
base() { # base NAME FROM COMMANDS: a copy of FROM, carried on; what it says last is kept
    from=$1
    [ ! -e "$1" ] || return 0
    cp -a "$2" "$1"
    at "$1" eval "$3" >base.out 2>&1 || { say 1 "the ledger for $1 is made"; sed 's/^/# /' base.out; finish; }
    rm -f "$1/repo/store.out"
    sed -n 's/.*"fence":\([0-9]*\).*/\1/p' base.out | tail -n 1 >"$1.fence"
}
fence_of() { cat "$1.fence"; }
judged() { # up to a check of the work and of the outcome
    base fired first 'sov pulse'
    base ran fired 'store_run ASG-2 6'
    base checked ran 'sov check SOW-2 --actor verifier && sov check OUT-1 --actor verifier'
}
prepare() { # prepare VERB: the ledger it starts from, in $from
    from=first
    case $1 in
    init | init-policy) from=empty ;;
    run | supervise | claim) base fired first 'sov pulse' ;;
    claim-* | report)
        base fired first 'sov pulse'
        base claimed fired 'sov claim ASG-2 --actor operator --json=fence'
        [ $1 != report ] ||
            base started claimed "sov claim start ASG-2 --fence $(fence_of claimed) --actor operator" ;;
    approval-request | approve)
        base fired first 'sov pulse'
        [ $1 != approve ] || base asked fired "$(command_of approval-request)" ;;
    assign)
        base ready first 'sov sow new OUT-1 --title More --scope More. --role operator --done-when Done. --actor master &&
            sov sow ready SOW-2 --actor master' ;;
    publish) # pages that were there before change, too
        base worked first 'sov sow new OUT-2 --title More --scope More. --role operator --done-when Done. --actor master &&
            sov sow ready SOW-2 --actor master' ;;
    check) judged && from=ran ;;
    review) judged ;;
    accept) judged && base reviewed checked 'sov review SOW-2 --pass --reason fine --actor sparring' ;;
    erase) base confided first \
        'sov signal till.jam --source till --subject SKU-TEA --payload ../home/letter --confidential --actor operator' ;;
    instance-claim | session-*)
        base there first 'sov instance register desk --actor operator &&
            sov session open operator --purpose the-desk --actor master'
        [ $1 = instance-claim ] ||
            base attended there 'sov instance claim INS-1 --actor operator --json=fence'
        [ $1 != session-close ] || base joined attended "$(command_of session-claim) --json=fence" ;;
    delivery-*)
        base queued first "$(command_of delivery)"
        [ $1 = delivery-claim ] || base taken queued "$(command_of delivery-claim) --json=fence"
        [ $1 != delivery-succeed ] || base sent taken "$(command_of delivery-start)" ;;
    restore)
        base lost empty 'sov init --name Kept && sov heartbeat till --actor operator &&
            sov export --format ledger -o ../home/backup.db && sov heartbeat desk --actor operator &&
            sov verify --pin && rm .sovereign/organization.db' ;;
    mail-*)
        base mailed first "$(command_of mail)"
        [ $1 = mail-claim ] || base fetched mailed "$(command_of mail-claim) --json=fence" ;;
    esac
}
founds() { case $verb in init | init-policy) ;; *) return 1 ;; esac; }
command_of() {
    case $1 in
    init) echo 'sov init --name Kept' ;;
    init-policy) echo "sov init --name Kept --policy $src/fixtures/store/policy.json" ;;
    signal) echo 'sov signal till.jam --source till --subject SKU-TEA --idempotency-key k1 --actor operator' ;;
    change) echo 'sov change record sale --subject SKU-COFFEE --quantity 5 --source till --actor operator' ;;
    pulse) echo 'sov pulse' ;;
    claim) echo 'sov claim ASG-2 --actor operator' ;;
    claim-start) echo "sov claim start ASG-2 --fence $(fence_of claimed) --actor operator" ;;
    claim-renew) echo "sov claim renew ASG-2 --fence $(fence_of claimed) --actor operator" ;;
    claim-release) echo "sov claim release ASG-2 --fence $(fence_of claimed) --reason enough --actor operator" ;;
    report) echo "sov report ASG-2 --fence $(fence_of claimed) ../home/report --actor operator" ;;
    assign) echo 'sov assign SOW-2 --to operator --actor master' ;;
    run) echo "sov run ASG-2 --actor operator -- $src/tests/store_agent.sh 6" ;;
    supervise) echo 'env SOV_TEST_BOOT_MS=9000000 sov supervise' ;;
    check) echo 'sov check SOW-2 --actor verifier' ;;
    review) echo 'sov review SOW-2 --pass --reason fine --actor sparring' ;;
    accept) echo 'sov accept OUT-1 --actor principal' ;;
    project | publish) echo 'sov project' ;;
    rebuild) echo 'sov rebuild' ;;
    actor) echo 'sov actor add third --role operator --kind robot --provider scripted --actor principal' ;;
    key) echo 'env SOV_TEST_SEED=key sov key new principal --actor principal' ;;
    key-locked) echo 'env SOV_TEST_SEED=key CREDENTIALS_DIRECTORY=../home sov key rotate principal --passphrase --reason asked --actor principal' ;;
    key-ssh) echo 'sov key register principal --ssh ../home/id --actor principal' ;;
    policy) echo 'sov policy adopt ../home/policy.json --reason asked --actor principal' ;;
    subject) echo 'sov subject declare SKU-MILK --fact price=90 --actor principal' ;;
    account) echo 'sov account open inventory/SKU-MILK --unit unit --opening 4 --actor principal' ;;
    outcome) echo "sov outcome new Again --desired More. --subject SKU-TEA --check @$src/fixtures/store/checks/restock-posted.json --actor principal" ;;
    sow) echo 'sov sow new OUT-1 --title More --scope More. --role operator --done-when Done. --actor master' ;;
    heartbeat) echo 'sov heartbeat between --actor operator' ;;
    recover) echo 'sov recover' ;;
    ruling) echo 'sov ruling More --decision yes --reason fine --applies-to OUT-1 --actor principal' ;;
    erase)
        digest=$(at confided sov log --last 1 --format jsonl | sed 's/.*"digest":"\([0-9a-f]*\)".*/\1/')
        echo "sov blob erase $digest --confirm $digest --reason asked --actor principal" ;;
    provider) echo "sov provider register agent $src/fixtures/store/provider.json --actor principal" ;;
    approval-request) echo 'sov approval request effect.commit --resource ASG-2 --args ../home/act.json --actor operator' ;;
    approve) echo 'sov approve APR-1 --grant --reason fine --actor principal' ;;
    instance) echo 'sov instance register desk --actor operator' ;;
    instance-claim) echo 'sov instance claim INS-1 --actor operator' ;;
    session) echo 'sov session open operator --purpose the-desk --actor master' ;;
    session-claim) echo "sov session claim SES-1 --instance INS-1 --instance-fence $(fence_of attended) --actor operator" ;;
    session-close) echo "sov session close SES-1 --fence $(fence_of joined) --status completed --result ../home/letter --actor operator" ;;
    delivery) echo 'sov delivery queue letter ../home/letter --actor operator' ;;
    delivery-claim) echo 'sov delivery claim DLV-1 --actor operator' ;;
    delivery-start) echo "sov delivery start DLV-1 --fence $(fence_of taken) --actor operator" ;;
    delivery-succeed) echo "sov delivery succeed DLV-1 --fence $(fence_of taken) --actor operator" ;;
    mail) echo 'sov mail send operator --subject Hello ../home/letter --actor principal' ;;
    mail-claim) echo 'sov mail claim MSG-1 --actor operator' ;;
    mail-done) echo "sov mail done MSG-1 --fence $(fence_of fetched) --actor operator" ;;
    pin) echo 'sov verify --pin' ;;
    verify) echo 'sov verify --projections --no-anchor' ;;
    status | log) echo "sov $1" ;;
    show) echo 'sov show OUT-1' ;;
    restore) echo 'sov recover --from ../home/backup.db --reason lost --confirm Kept --actor principal' ;;
    output) echo 'sov log --format jsonl -o ../home/log.jsonl' ;;
    # The key of one that died stays behind, and is nobody's; a new one draws a new key.
    again)
        case $verb in
        init | init-policy) echo "env SOV_TEST_SEED=again $(command_of "$verb")" ;;
        key | key-locked) command_of "$verb" | sed 's/SEED=key/SEED=again/' ;;
        *) command_of "$verb" ;;
        esac ;;
    esac
}
ends_with() { # ends_with VERB: how the undisturbed one ends. Its workspace was made for another copy.
    case $1 in report) echo 1 ;; *) echo 0 ;; esac
}

# ---- which calls ----
# The classes of calls by which a state changes; the other calls have none.
classes() { # classes TRACE: CALL N CLASS of those
    awk '
        { class = ""; file = $3 }
        $1 == "fcntl" && $4 == "lock" || $1 == "flock" { class = "lock" }
        $1 ~ /^pwrite64$/ { class = file ~ /-journal$/ ? ($4 == "0+28" ? "end" : "journal") : "db" }
        $1 ~ /^(ftruncate|unlink|unlinkat)$/ { class = file ~ /-journal$/ ? "end" : "unlink" }
        $1 ~ /^(fsync|fdatasync)$/ { class = file ~ /organization/ ? "sync" : "sync-other" }
        $1 ~ /^(openat|openat2)$/ && $4 == "create" { class = "create" }
        $1 ~ /^(mkdirat|mkdir)$/ { class = "folder" }
        $1 ~ /^(linkat|rename|renameat|renameat2)$/ {
            class = "rename"
            if (file ~ /\/pins\//) class = "pin"
            if (file ~ /\/governance\//) class = file ~ /\/checkpoints\// ? "checkpoint" : "view" }
        $1 == "write" { class = file ~ /\/(out|err)$/ ? "words" : "write" }
        $1 ~ /^(clone|clone3|fork|vfork)$/ { class = "child" }
        $1 ~ /^(fchmod|fchmodat)$/ { class = "mode" }
        class { print $1, $2, class }' "$1"
}
# Each verb must have met these: a class that vanished would be one that is no longer tried.
needed() {
    case $1 in
    init | init-policy) echo 'checkpoint create db end folder journal lock pin rename sync view words' ;;
    project | publish) echo 'checkpoint create lock pin view words write' ;;
    recover) echo 'lock words' ;;
    pin) echo 'create lock pin sync-other words write' ;;
    restore) echo 'create db end folder journal lock mode rename sync unlink words' ;;
    output) echo 'create rename sync-other write' ;;
    key | key-locked) echo 'create db end journal lock sync words write' ;;
    run) echo 'child create db end folder journal lock sync words write' ;;
    claim-start) echo 'create db end folder journal lock mode sync words write' ;;
    *) echo 'db end journal lock sync words' ;;
    esac
}
pace() { grep -q ' child$' classed && echo kill || echo fast; }
