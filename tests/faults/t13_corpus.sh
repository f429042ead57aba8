#!/bin/sh
# T13: bad and hostile input through the verbs. Each file of fixtures/corpus/input says in its name
# what must be heard (FIELD__CODE__WHAT), and every n_ file of fixtures/corpus/json must be refused
# by the verb that reads JSON from outside. A refusal changes nothing. What is taken (ok) comes out
# of no verb as a live octet, and stands in no view as live Markdown.
. tests/faults/lib.sh
. "$src/tests/faults/store.sh"
corpus="$src/fixtures/corpus"
mkdir "$work/shop"
cd "$work/shop"
store_to_assignment
file=.sovereign/organization.db

# ---- one input ----
by() { sov "$@" >"$work/out" 2>"$work/err" </dev/null; }
# An argument cannot end in nothing: the x keeps line ends that $() would take away.
content() { value=$(cat "$1"; echo x); value=${value%x}; }
give() { # give FIELD FILE: the verb that has this field; its exit status
    content "$2"
    case $1 in
    actor) by actor add "$value" --role operator --kind robot --provider scripted --actor principal ;;
    subject) by subject declare "$value" --actor principal ;;
    account) by account open "$value" --unit unit --actor principal ;;
    kind) by signal "$value" --source till --subject it --actor operator ;;
    quantity) by change record sale --subject SKU-TEA "--quantity=$value" --source till --actor operator ;;
    deliverable) by sow new OUT-1 --title T --scope S --role operator --done-when D \
        "--deliverable=$value" --actor master ;;
    title) by outcome new "--desired=D" --check "@$corpus/../store/checks/restock-present.json" \
        --actor principal -- "$value" ;;
    reason) by actor suspend sparring "--reason=$value" --actor principal ;;
    policy) by policy adopt "$2" --reason R --actor principal ;;
    check) by outcome new T --desired D --check "@$2" --actor principal ;;
    text) give_text ;;
    json) by signal --from cloudevents --payload "$2" --actor operator ;;
    *) return 99 ;;
    esac
}
give_text() { # everywhere at once
    by signal hostile.text --source till "--subject=$value" --actor operator || return
    by ruling "--decision=$value" "--reason=$value" --applies-to OUT-1 --actor principal -- "$value" ||
        return
    by sow new OUT-1 "--title=$value" "--scope=$value" --role operator "--done-when=$value" \
        "--non-goal=$value" --actor master || return
    sow=$(sed -n 's/^\(SOW-[0-9]*\).*/\1/p' "$work/out")
    by sow withdraw "$sow" "--reason=$value" --actor master
}
# No octet of a verb's output acts on a terminal: C0 but line ends and tabs, DEL, C1, bidi, zero
# width, separators, tags, variation selectors, fillers, private use, noncharacters, broken UTF-8.
cat >"$work/inert.awk" <<'EOF'
BEGIN {
    for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i
    code[""] = 0
}
function active(p) {
    return p < 9 || p > 10 && p < 32 || p >= 127 && p < 160 || p == 173 || p == 1564 || p == 6158 ||
        p >= 8203 && p <= 8207 || p >= 8232 && p <= 8238 || p >= 8288 && p <= 8303 || p == 12644 ||
        p >= 57344 && p <= 63743 || p >= 65024 && p <= 65039 || p == 65279 || p >= 65520 && p <= 65531 ||
        p >= 65534 && p <= 65535 || p >= 917504
}
{
    n = length($0)
    for (i = 1; i <= n; i++) {
        c = code[substr($0, i, 1)]
        if (c < 128) p = c
        else if (c >= 194 && c < 224) { p = (c - 192) * 64 + t(1); i += 1 }
        else if (c >= 224 && c < 240) { p = (c - 224) * 4096 + t(1) * 64 + t(2); i += 2 }
        else if (c >= 240 && c < 245) { p = (c - 240) * 262144 + t(1) * 4096 + t(2) * 64 + t(3); i += 3 }
        else p = 0
        if (active(p)) { printf "line %d: U+%04X\n", NR, p; bad = 1; exit 1 }
    }
}
END { if (bad) exit 1 }
function t(k,   c) { c = code[substr($0, i + k, 1)]; return c >= 128 && c < 192 ? c - 128 : 99999999 }
EOF
inert() { awk -f "$work/inert.awk" "$1"; }

# ---- the corpus ----
# What was heard, and whether it is inert: one look at both streams.
cat >"$work/heard.awk" <<'EOF'
FNR == 1 { part++ }
part == 2 && heard == "" && match($0, /\[[a-z_0-9]+\]$/) { heard = substr($0, RSTART + 1, RLENGTH - 2) }
END { print heard == "" ? "ok" : heard }
EOF
one() { # one FIELD CODE FILE
    s=0
    give "$1" "$3" || s=$?
    echo >>"$work/out"
    heard=$(awk -f "$work/inert.awk" -f "$work/heard.awk" "$work/out" "$work/err")
    case $heard in *U+*) echo "${3##*/}: $heard" >>"$work/terminal" ;; esac
    [ "$heard" = "$2" ] || echo "$1 ${3##*/}: heard '$heard' (exit $s)" >>"$work/deviant"
    case $s$2 in
    0ok) cp "$file" "$work/before" ;;
    2* | 4*) cmp -s "$file" "$work/before" || echo "${3##*/}: it changed the ledger" >>"$work/changed" ;;
    *) echo "${3##*/}: exit $s" >>"$work/deviant" ;;
    esac
}
cp "$file" "$work/before"
: >"$work/deviant"; : >"$work/changed"; : >"$work/terminal"
files=0 hostile=0
for path in "$corpus"/input/*__*__*; do
    name=${path##*/}
    field=${name%%__*}
    code=${name#*__}
    code=${code%%__*}
    files=$((files + 1))
    [ "$code" != ok ] || hostile=$((hostile + 1))
    one "$field" "$code" "$path"
done
report() { # report NAME FILE: no line in it
    if [ -s "$2" ]; then say 1 "$1"; head -n 40 "$2" | sed 's/^/#   /'; else say 0 "$1"; fi
}
is "the corpus is there" "$([ $files -ge 200 ] && [ $hostile -ge 60 ] && echo yes)" yes
report "each of $files inputs is answered with the code in its name" "$work/deviant"
report "what is refused changes nothing" "$work/changed"
report "no answer acts on a terminal" "$work/terminal"

: >"$work/deviant"; : >"$work/changed"; : >"$work/terminal"
case $tier in pr) every=4 ;; *) every=1 ;; esac
seen=0
for path in "$corpus"/json/n_*; do
    seen=$((seen + 1))
    [ $((seen % every)) -ne 0 ] || one json bad_json "$path"
done
# Deep, but not too deep; a number that only an event may not have: foreign JSON has them.
foreign='n_foreign|n_.*_depth_'
grep -Ev "^json ($foreign)" "$work/deviant" >"$work/really" || :
report "each malformed JSON is refused by the verb that reads deliveries" "$work/really"
report "and leaves nothing, no blob either" "$work/changed"
report "and no answer to it acts on a terminal" "$work/terminal"

# ---- what was taken, out of every verb ----
: >"$work/terminal"
sov project >"$work/out" 2>"$work/err" || echo "project: $(head -n 2 "$work/err")" >>"$work/terminal"
for verb in status log 'log --graph' 'ready --actor operator' 'show rulings' 'show sows' 'show signals' 'show outcomes' \
    'show RUL-1' 'show SOW-2' 'why SOW-2' 'why RUL-3' 'account list' 'log --json' 'show sows --json' \
    'show RUL-7' 'verify --projections --no-anchor' 'schema --json'; do
    by $verb || :
    [ -s "$work/out" ] || echo "$verb: says nothing: $(head -n 1 "$work/err")" >>"$work/terminal"
    inert "$work/out" >"$work/active" && inert "$work/err" >>"$work/active" ||
        echo "$verb: $(head -n 1 "$work/active")" >>"$work/terminal"
done
report "no verb prints an octet that acts on a terminal" "$work/terminal"
: >"$work/views"
find governance -name '*.md' -o -name '*.json' >"$work/pages"
while read -r page; do
    inert "$page" >"$work/active" || echo "$page: $(head -n 1 "$work/active")" >>"$work/views"
done <"$work/pages"
report "no view holds one ($(wc -l <"$work/pages") files)" "$work/views"
# Outside of code: nothing that calls, closes, links out or is HTML. Inside of code it is a quotation.
cat >"$work/dead.awk" <<'EOF'
FNR == 1 { fence = "" }
{
    line = $0; sub(/^[ >]*/, "", line)
    if (fence == "" && match(line, /^(```+|~~~+)/)) { fence = substr(line, 1, RLENGTH); next }
    if (fence != "") { if (index(line, fence) == 1 && line ~ /^[`~]+$/) fence = ""; next }
    prose = "" # code spans out: as many backticks at the end as at the beginning
    while (match(line, /`+/)) {
        prose = prose substr(line, 1, RSTART - 1); mark = substr(line, RSTART, RLENGTH)
        line = rest = substr(line, RSTART + RLENGTH)
        if (prose ~ /(^|[^\\])\\$/) continue
        while (match(rest, /`+/)) {
            span = RLENGTH; rest = substr(rest, RSTART + RLENGTH)
            if (span == length(mark)) { line = " " rest; break }
        }
    }
    line = prose line
    gsub(/\\[^A-Za-z0-9 ]/, "", line)
    gsub(/\]\([A-Za-z0-9_.\/#-]*\)/, "", line) # our own relative links
    if (line ~ /@[A-Za-z]/) bad("calls somebody")
    if (line ~ /(^|[^A-Za-z0-9&])#[0-9]/ || line ~ /GH-[0-9]/) bad("names an issue")
    if (line ~ /evil\.example/) bad("links out")
    if (line ~ /<[A-Za-z!\/]/) bad("is HTML")
    if (line ~ /\]\(|\]\[|\]:/) bad("is a link")
}
function bad(why) { print FILENAME ":" FNR ": " why ": " substr($0, 1, 80); found = 1 }
END { exit found }
EOF
find governance -name '*.md' -exec awk -f "$work/dead.awk" {} + >"$work/views" || :
report "no view calls, closes, links out or is HTML" "$work/views"
ok "every hostile text is in the record all the same" sh -c \
    "sov log --format jsonl | grep -c 'hostile.text' | grep -qx $hostile"

# ---- the controls: the oracles see what they are to see ----
for octets in '\033[31m' '\302\233' '\342\200\256' '\363\240\201\201' '\377' '\r'; do
    printf "a${octets}b\n" >"$work/probe"
    if inert "$work/probe" >/dev/null; then say 1 "the oracle sees $octets"; else say 0 "the oracle sees $octets"; fi
done
for text in '@all' 'closes #1' 'http://evil.example' '<script>' '[x](http://evil.example)' 'a ` @all'; do
    printf '%s\n' "$text" >"$work/probe"
    if awk -f "$work/dead.awk" "$work/probe" >/dev/null; then say 1 "the oracle sees $text"; else say 0 "the oracle sees $text"; fi
done
if broken t13_escapers; then caught "an escaper that lets everything through" tests/faults/t13_corpus.sh; fi
finish
