#!/bin/sh
# Slow readers of the source: gcc -fanalyzer, clang-tidy and cppcheck, over the files given.
#   FLAGS   what the compiler needs to read them
# A finding is "file: check". It fails, unless docs/analysis.md has a row for it that says why it
# is none; a row that no finding asks for any more fails too. A tool that is not there is said.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
found=$work/found asked=0
: >"$found"

there() {
    command -v "$1" >/dev/null && return
    echo "$1 is not installed: not asked"
    return 1
}
# Each file by itself, two at a time: COMMAND reads the file "$1".
each() {
    command=$1
    shift
    echo "${command%% *}, $# files"
    asked=$((asked + 1))
    printf '%s\n' "$@" |
        xargs -P 2 -n 1 sh -c "$command"' 2>&1 || echo "$1: failed"' each >"$work/out"
}
# Lines "file:line:column: warning: text [check]" of our own files, once each.
take() {
    sed "s,^$PWD/,," "$work/out" | sed -n 's/^\([a-z_/]*\.[ch]\):\([0-9]*\):[0-9]*: [a-z]*: \(.*\) \[\([^]]*\)\]$/\1\t\4\t\2\t\3/p' |
        sort -u | tee -a "$found" | awk -F '\t' '{ print "  " $1 ":" $3 ": " $4 " [" $2 "]" }'
    grep ': failed$' "$work/out" | while read -r line; do
        echo "  $line"
        printf '%s\tfailed\t0\tcould not be read\n' "${line%%:*}" >>"$found"
    done
}

if there gcc; then
    each "gcc $FLAGS -O1 -fanalyzer -Wno-analyzer-too-complex -S -o /dev/null \"\$1\"" "$@"
    take
fi
if there clang-tidy; then
    each "clang-tidy --quiet \"\$1\" -- $FLAGS" "$@"
    take
fi
if there cppcheck; then
    echo "cppcheck, $# files"
    asked=$((asked + 1))
    # A NULL that ends a list of texts is a pointer with every libc that we build for.
    cppcheck --quiet -j 2 --std=c11 --enable=warning,portability,performance --inline-suppr \
        --suppress=missingIncludeSystem --suppress=unknownMacro --suppress=varFuncNullUB -I. -Ibuild/gen \
        --template='{file}:{line}:{column}: {severity}: {message} [{id}]' "$@" >"$work/out" 2>&1 || true
    take
fi
[ $asked -gt 0 ] || { echo 'no tool is there: nothing was looked at'; exit 1; }

# Rows of the page: | `file` | `check` | why |
sed -n 's/^| `\([^`]*\)` | `\([^`]*\)` | .*/\1\t\2/p' docs/analysis.md | sort -u >"$work/known"
cut -f 1,2 "$found" | sort -u >"$work/now"
comm -13 "$work/known" "$work/now" >"$work/new"
comm -23 "$work/known" "$work/now" >"$work/gone"
sed 's/^/not in docs\/analysis.md: /' "$work/new"
[ $asked -lt 3 ] || sed 's/^/no longer found, take it out of docs\/analysis.md: /' "$work/gone"
echo "$(wc -l <"$work/now") findings, $(wc -l <"$work/new") of them unexplained"
[ ! -s "$work/new" ] && { [ $asked -lt 3 ] || [ ! -s "$work/gone" ]; }
