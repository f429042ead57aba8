# Each code that the source fails with is a row of policy/refusals.def, under the same class, or
# the category of a run that went wrong (policy/run_category.def), which is an answer: SOV_NO. And
# each row is said somewhere: a code that nothing fails with is no refusal of this build.
#   awk -f tests/lint/refusals.awk policy/refusals.def policy/run_category.def base/*.[ch] ...
# A call may go over several lines; a code that is no literal comes from a table, which is tested.
function ask(text,   part, class, code) {
    match(text, /SOV_[A-Z]+, *"/)
    part = substr(text, RSTART); split(part, word, /[ ,"]+/)
    class = word[1]; code = word[2]
    if (!(code in row)) print FILENAME ":" start ": " code " is no row of policy/refusals.def"
    else if (row[code] != class)
        print FILENAME ":" start ": " code " is " row[code] " there, " class " here"
    else return
    bad = 1
}
FNR == 1 { open = "" }
FILENAME ~ /\.def$/ {
    if (match($0, /^X\("[a-z_]+", SOV_[A-Z]+,/)) { split($0, part, /[", ()]+/)
        if (part[2] in row) { print FILENAME ":" FNR ": " part[2] " has two rows"; bad = 1 }
        row[part[2]] = part[3]; place[part[2]] = FILENAME ":" FNR }
    if (match($0, /^X\([A-Z_]+, "[a-z_]+", [A-Z],/)) { split($0, part, /"/)
        if (!(part[2] in row)) row[part[2]] = "SOV_NO" }
    next
}
/^ *#/ { next }
{
    rest = $0
    while (match(rest, /"[a-z_]+"/)) {
        delete place[substr(rest, RSTART + 1, RLENGTH - 2)]; rest = substr(rest, RSTART + RLENGTH)
    }
    line = open == "" ? $0 : open " " $0; if (open == "") start = FNR
    open = ""
    while (match(line, /sov_(fail|error_set)\(/)) {
        line = substr(line, RSTART)
        if (match(line, /^sov_[a-z_]+\([^,;]*, *SOV_[A-Z]+, *"[a-z_]+"/)) {
            ask(substr(line, 1, RLENGTH)); line = substr(line, RLENGTH + 1)
        } else if (line ~ /^sov_[a-z_]+\([^,;]*,? *(SOV_[A-Z]*)?,? *$/) { open = line; next }
        else line = substr(line, 5)
        start = FNR
    }
}
END {
    for (code in place) { print place[code] ": nothing fails with " code; bad = 1 }
    exit bad
}
