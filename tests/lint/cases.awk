# Every test that a table of docs/testing.md names is there.
#   awk -f tests/lint/cases.awk docs/testing.md
# In a row, `test_x` means tests/test_x.c, `x.t` tests/cli/x.t and `tXX_y.sh` tests/faults/; each
# `name` behind it, up to the next program, is a test of it: a function that is also run, or words
# of a script. Other words in backquotes stand in the first column, which is not looked at.
function say(why) { print FILENAME ":" FNR ": " why; bad = 1 }
function text_of(path,   line, all) {
    if (!(path in text)) {
        while ((getline line <path) > 0) all = all "\n" line
        close(path)
        text[path] = all
    }
    return text[path]
}
function program(word) {
    path = word ~ /^test_/ ? "tests/" word ".c" : word ~ /\.t$/ ? "tests/cli/" word : "tests/faults/" word
    if (text_of(path) == "") say("there is no " path)
}
function occurs(name,   all) {
    all = text_of(path)
    if (path !~ /\.c$/) return index(all, name)
    return index(all, "\nstatic void " name "(void **state)\n") && all ~ ("[(]" name "[),]")
}
/^## / { here = $0 ~ /^## (What a test must try to break|Bug reports as seeds)$/; tables += here }
here && /^\| / && !/^\| (try|seed) \|/ {
    n = split($0, cell, "|"); path = ""; names = 0
    m = split(cell[n - 1], word, "`")
    for (i = 2; i <= m; i += 2) {
        if (word[i] ~ /^test_[a-z0-9_]+$|^[a-z_]+\.t$|^t[0-9][0-9]_[a-z]+\.sh$/) { program(word[i]); continue }
        if (path == "") say("no program before " word[i])
        else if (!occurs(word[i])) say(path " has no test " word[i])
        names++
    }
    if (!names) say("no test is named")
    rows++
}
END { if (tables < 1 || rows < 50) say("only " rows + 0 " rows"); exit bad }
