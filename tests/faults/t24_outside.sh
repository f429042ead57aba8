#!/bin/sh
# T24: what sov hands out is accepted by programs that know nothing of it, and the tampered copy is
# refused: openssl, coreutils and ssh-keygen by the bundle's own README, Go's sumdb packages for checkpoint and
# proofs, @sigstore/verify for the bundle, a JSON Schema for CloudEvents.
. tests/faults/lib.sh
refused() { # refused NAME SAYS COMMAND...: it fails, and says so
    name=$1 says=$2
    shift 2
    s=$(status_of "$@")
    if [ "$s" != 0 ] && cat "$work/out" "$work/err" | grep -q "$says"; then say 0 "$name"; else
        say 1 "$name: $s"
        sed 's/^/#   /' "$work/out" | head -n 5
    fi
}

ok "a store with two acceptances" sov demo "$work/d"
export HOME="$work/d/home"
cd "$work"
ok "a bundle is written" sov -C d export ACC-1 --format intoto -o "$work/acc"
refused "it is written over nothing" "is there already" sov -C d export ACC-1 --format intoto -o "$work/acc"
ok "and one signed by an actor" sov -C d export ACC-1 --format intoto -o "$work/own" \
    --sign-key "$(ls "$HOME"/.local/share/sov/keys/*/principal.*.key)"
ok "events are written" sov -C d export --format cloudevents -o "$work/events.json"
ok "and a proof of growth" sov -C d prove --between 13 95 -o "$work/growth.proof"

# ---- openssl and coreutils, by the README ----
commands() { sed -n '/^```sh$/,/^```$/p' "$1/README.md" | grep -v '^```'; }
judge() { (cd "$1" && commands . >../commands && sh ../commands); }
rows() { # what is changed, the step that must see it: the sums are made again, so that these do not
    cat <<'X'
sha256sum: WARNING|sums|echo x >>statement.json
this is another ledger|keep|sed -i 's/host/hose/' events/1.json
not the ledger key|keep|cp keys/ka*.pem keys/ledger.pem
text is not signed|keep|sed -i 's/^95$/96/' checkpoint
text is not signed|keep|sed -i '3s/./A/;' checkpoint
statement.json is not what|keep|sed -i 's/ACC-1/ACC-2/' statement.json
message is not signed|keep|sed -i 's/"sig":"./"sig":"x/' statement.dsse.json
message is not signed|keep|sed -i 's/ACC-1/ACC-2/' statement.json; p=$(base64 -w0 statement.json); sed -i "s|\"payload\":\"[^\"]*|\"payload\":\"$p|" statement.dsse.json
not those of the statement|keep|rm events/2.json proofs/2.tlog-proof
not those of the statement|keep|sed -i 's/stock/stick/' events/53.json
not signed|keep|sed -i 's/accept/reject/' signed/53.message
not signed|keep|cp signed/12.sig signed/53.sig
is not what event 53|keep|cp signed/12.message signed/53.message; cp signed/12.sig signed/53.sig
events/1.json does not stand|keep|sed -i '4s/./B/' proofs/1.tlog-proof
events/1.json does not stand|keep|sed -i 4d proofs/1.tlog-proof
events/1.json does not stand|keep|cp proofs/2.tlog-proof proofs/1.tlog-proof
X
}
if openssl version | grep -q '^OpenSSL [3-9]'; then
    ok "openssl and coreutils accept the bundle" judge acc
    case $tier in pr) every=5 ;; *) every=1 ;; esac
    rows | awk -v n=$every 'NR % n == 0' >rows
    n=0
    while IFS='|' read -r says sums change; do
        rm -rf bad
        cp -r acc bad
        (cd bad && eval "$change" && [ "$sums" = sums ] ||
            find . -type f ! -name SHA256SUMS -exec sha256sum {} + >SHA256SUMS)
        diff -r acc bad -x SHA256SUMS >changed && says="nothing was changed"
        refused "refused: $(echo "$change" | cut -c 1-60)" "$says" judge bad
        n=$((n + 1))
    done <rows
    is "each change was tried" "$n" $((16 / every))
    rm -rf bad
    cp -r own bad
    rm bad/events/7.json # the event that registered the key that signed the statement
    (cd bad && find . -type f ! -name SHA256SUMS -exec sha256sum {} + >SHA256SUMS)
    refused "a signer that no event registers is refused" "is not registered" judge bad
    refused "a bundle of another ledger is refused" "another ledger" \
        sh -c "cd acc && sed 's/^id=./id=x/' ../commands | sh"
else skip "openssl on a bundle" "no OpenSSL 3 here"; fi

# ---- ssh-keygen, by the README and by hand: an acceptance that was signed with an SSH key ----
if command -v ssh-keygen >/dev/null && openssl version | grep -q '^OpenSSL [3-9]'; then
    for name in mine other; do ssh-keygen -q -t ed25519 -N '' -C "$name" -f "$work/$name"; done
    . "$src/tests/faults/store.sh"
    store_by_ssh() (
        store_enter sshd && store_to_assignment && store_run ASG-1 6 && store_judged SOW-1 OUT-1 &&
            store key register principal --ssh ../mine --actor principal &&
            store accept OUT-1 --actor principal --sign-key ../mine
    )
    ok "an SSH key is registered, and signs an acceptance" store_by_ssh
    ok "which is handed out" sov -C sshd export ACC-1 --format intoto -o "$work/ssh"
    ok "openssl, coreutils and ssh-keygen accept the bundle" judge ssh
    seq=$(ls ssh/signed | sort -n | tail -n 1 | sed 's/\..*//')
    verify() { # verify FOLDER NAMESPACE: what an auditor types
        set -- "$1" "$2" "$(ls "$1"/keys/*.ssh)"
        ssh-keygen -Y verify -f "$3" -I "$(basename "$3" .ssh)" -n "$2" -s "$1/signed/$seq.sig" <"$1/signed/$seq.message"
    }
    ok "ssh-keygen accepts the signature" verify ssh sov.accept.v1
    refused "in another namespace it does not" "not verif" verify ssh sov.review.v1
    n=0
    while IFS='|' read -r says change; do
        rm -rf bad
        cp -r ssh bad
        (cd bad && eval "$change" &&
            find . -type f ! -name SHA256SUMS -exec sha256sum {} + >SHA256SUMS)
        diff -r ssh bad -x SHA256SUMS >changed && says="nothing was changed"
        refused "refused: $(echo "$change" | cut -c 1-60)" "$says" judge bad
        n=$((n + 1))
    done <<'X'
not signed by keys/k|sed -i '2s/accept/reject/' signed/$seq.message
not signed by keys/k|sed -i '3s/./A/; 3s/AA/BB/' signed/$seq.sig
not signed by keys/k|sed -i '3,4d' signed/$seq.sig
not signed by keys/k|ssh-keygen -q -Y sign -f ../mine -n sov.review.v1 <signed/$seq.message >signed/$seq.sig 2>/dev/null
not signed by keys/k|ssh-keygen -q -Y sign -f ../other -n sov.accept.v1 <signed/$seq.message >signed/$seq.sig 2>/dev/null
is another key|sed -i "s/ssh-ed25519 .*/$(cut -d' ' -f 1,2 ../other.pub | sed 's|/|\\/|g')/" keys/*.ssh
is not signed by|rm keys/*.ssh
X
    is "each change was tried" "$n" 7
else skip "ssh-keygen on a bundle" "no ssh-keygen here"; fi

# ---- Go: golang.org/x/mod/sumdb, note and tlog ----
gopath=/usr/share/gocode
if command -v go >/dev/null && [ -d $gopath/src/golang.org/x/mod/sumdb/tlog ]; then
    ok "Go's packages are built" env GO111MODULE=off GOPATH=$gopath GOCACHE="$work/cache" GOFLAGS= \
        go build -o "$work/tlog" "$src/tests/outside/tlog.go"
    name=$(head -n 1 acc/checkpoint)
    raw=$(sed 's/.*"public_key":"\([0-9a-f]*\)".*/\1/' acc/events/1.json)
    key=$("$work/tlog" -key "$name" "$raw")
    ok "note accepts the checkpoint" ./tlog "$key" acc/checkpoint
    for seq in 1 53 7; do
        ok "tlog accepts the proof of event $seq" \
            ./tlog "$key" acc/checkpoint acc/proofs/$seq.tlog-proof acc/events/$seq.json
    done
    ok "tlog accepts the proof of growth" ./tlog -between "$key" growth.proof
    sed 's/^95$/96/' acc/checkpoint >bad.note
    refused "note refuses another size" "NO: invalid sig" ./tlog "$key" bad.note
    refused "note refuses another key" "NO: " ./tlog \
        "$(./tlog -key "$name" "$(sed 's/.*"public_key":"\([0-9a-f]*\)".*/\1/' acc/events/7.json)")" acc/checkpoint
    refused "tlog refuses another event" "NO: invalid transp" \
        ./tlog "$key" acc/checkpoint acc/proofs/53.tlog-proof acc/events/7.json
    sed '4s/./B/' acc/proofs/53.tlog-proof >bad.proof
    refused "tlog refuses another path" "NO: " ./tlog "$key" acc/checkpoint bad.proof acc/events/53.json
    sed 4d growth.proof >bad.proof
    refused "tlog refuses a path that is cut" "NO: invalid transp" ./tlog -between "$key" bad.proof
else skip "Go's note and tlog" "no go here, or no golang-golang-x-mod-dev"; fi

# ---- @sigstore/verify ----
export NODE_PATH="$build/outside/node_modules"
if command -v node >/dev/null && node -e 'require("@sigstore/verify")' 2>/dev/null; then
    sigstore() { node "$src/tests/outside/sigstore.js" "$@"; }
    ok "@sigstore/verify accepts the bundle" sigstore acc/statement.sigstore.json acc/keys/ledger.pem
    ok "and the one signed by an actor" sh -c \
        "node '$src/tests/outside/sigstore.js' own/statement.sigstore.json own/keys/ka*.pem"
    refused "it refuses another key" "NO: signature" sigstore own/statement.sigstore.json acc/keys/ledger.pem
    sed 's/"payload":"e/"payload":"f/' acc/statement.sigstore.json >bad.json
    refused "it refuses another payload" "NO: signature" sigstore bad.json acc/keys/ledger.pem
    sed 's/"dsseEnvelope"/"dsseEnvelop"/' acc/statement.sigstore.json >bad.json
    refused "it refuses another form" "NO: " sigstore bad.json acc/keys/ledger.pem
else skip "@sigstore/verify" "no node here, or it is not installed in build/outside"; fi

# ---- CloudEvents ----
python=/usr/bin/python3
if $python -c 'import jsonschema' 2>/dev/null; then
    fits() { $python "$src/tests/outside/fits.py" "$src/fixtures/schemas/public/cloudevents-batch.json" "$1"; }
    ok "the events fit the schema of CloudEvents" fits events.json
    ok "an empty batch fits, too" sh -c "sov -C d export --format cloudevents --since 99 >empty.json" &&
        ok "as it is" fits empty.json
    while IFS='|' read -r what change; do
        sed "$change" events.json >bad.json
        cmp -s bad.json events.json && what="nothing was changed"
        refused "refused: $what" "NO: " fits bad.json
    done <<'X'
another version|3s/"specversion":"1.0"/"specversion":"2.0"/
no id|3s/"id":"[0-9]*",//
a time that is none|3s/"time":"/"time":"x/
an attribute in capitals|3s/"sovactor"/"sovActor"/
an object as an attribute|3s/"sovactor":"[a-z]*"/"sovactor":{}/
X
else skip "the schema of CloudEvents" "no python3-jsonschema here"; fi
finish
