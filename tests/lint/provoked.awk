# Each refusal of policy/refusals.def is provoked by a test that also asserts that nothing changed.
#   awk [-v list=1] -f tests/lint/provoked.awk policy/refusals.def tests/test_*.c tests/cli/*.t ...
# A transcript provokes a code where its expected output holds [code] or "code":"code"; that nothing
# changed is asserted for each of its commands by tests/guard. A unit test provokes it where the code
# stands in a call that asserts a refusal, or in a table of a file in which such a call is given the
# code of a row. Calls that compare digests of the ledger before and behind are whole; the others
# belong to what has no state: base/, policy/, readers. A code needs a whole one, unless a row below
# says why there can be none, and where else it is asserted.
BEGIN {
    whole = "(^|[^A-Za-z_])" \
        "(FIXTURE_REFUSED|BY|ACT|refused|run_refused|judging_[a-z]+|publishing_act)\\("
    asked = "(assert_refused|expect|expect_refusal|assert_string_equal|strcmp)\\("
    why["claim_lost"] = "it is recorded: test_providers_claim finds result.stale and nothing else"
    why["effect_conflict"] = why["effect_not_in_scope"] = why["subject_mismatch"] = \
        "recorded as effect.refused: test_ledger_run finds accounts and stock untouched"
    why["approval_used"] = "recorded as effect.refused, but who used one has ended: test_policy_approval"
    why["refused_by_schema"] = "the wall behind all others; base/ asks it with every other one down"
    why["sandbox_unavailable"] = "the answer of a check, recorded as evidence; no operation ends so"
    why["unfinished"] = "what was committed stands: test_cli_unfinished goes on from there"
    why["commit_unknown"] = "the commit may stand: test_ledger_unknown finds all of it or nothing"
    why["proof_invalid"] = "a finding of sov prove, which writes nothing: tests/cli/prove.t"
    why["no_memory"] = "only an allocator that fails: test_base_db_broken, tests/faults/t05_memory.sh"
    why["view_unsafe"] = "no text that the writer made is known that does not read back"
    given = "[.>]code[,)]|codes\\[|[^.>a-z_\"]code[,)]"
}
function note(code, kind,   where) {
    if (!(code in row)) return
    where = file; sub(/^.*\//, "", where)
    if (!((code, where) in seen) && kind != "row") tests[code] = tests[code] " " where
    if (kind != "row") seen[code, where] = 1
    if (kind == "whole") proven[code] = 1
    if (kind == "row" && !((file, code) in rows)) {
        rows[file, code] = 1; held[file] = held[file] " " code
    }
}
function end_of_file(   n, code, i, kind) { # rows count where the file asks for the code of a row
    if (file == "") return
    n = split(held[file], code, " ")
    kind = asks_whole ? "whole" : asks ? "pure" : ""
    for (i = 1; i <= n && kind; i++) note(code[i], kind)
    asks = asks_whole = 0; said = ""; depth = 0
}
function judge(text,   kind, rest, code) {
    if (text ~ whole) kind = "whole"
    else kind = text ~ asked && text ~ /code|assert_refused|expect/ ? "pure" : "row"
    if (kind == "whole" && text ~ given) asks_whole = 1
    if (kind != "row" && text ~ given) asks = 1
    rest = text
    while (match(rest, /"[a-z_]+"/)) {
        code = substr(rest, RSTART + 1, RLENGTH - 2)
        note(code, kind)
        rest = substr(rest, RSTART + RLENGTH)
    }
}
FNR == 1 { end_of_file(); file = FILENAME }
FILENAME ~ /\.def$/ {
    if (match($0, /^X\("[a-z_]+"/)) {
        code = substr($0, 4, RLENGTH - 4); row[code] = FNR; order[++codes] = code
    }
    file_of_rows = FILENAME
    next
}
FILENAME ~ /\.t$/ {
    if ($0 !~ /^  / || $0 ~ /^  [$>?] /) next
    if ($0 == "  141") note("pipe_closed", "whole") # said to nobody, by its exit alone
    rest = $0
    while (match(rest, /\[[a-z_]+\]|"code":"[a-z_]+"/)) {
        code = substr(rest, RSTART, RLENGTH); gsub(/^"code":|[]["]/, "", code)
        note(code, "whole")
        rest = substr(rest, RSTART + RLENGTH)
    }
    next
}
{
    if ($0 ~ /^ *#define [A-Z_]+\(/) next
    said = said $0
    bare = $0; gsub(/\\./, "", bare); gsub(/"[^"]*"/, "", bare)
    depth += gsub(/\(/, "", bare) - gsub(/\)/, "", bare)
    if (depth <= 0) { judge(said); said = ""; depth = 0 }
}
END {
    end_of_file()
    for (i = 1; i <= codes; i++) {
        code = order[i]
        if (list) print code ":" (code in proven ? "" : " (pure)") tests[code]
        if (tests[code] == "") said = "no test provokes "
        else if (code in proven || code in why) continue
        else said = "that nothing changed is not asserted for "
        print file_of_rows ":" row[code] ": " said code
        bad = 1
    }
    exit bad
}
