#!/bin/sh
# Every bench in turn; a name or more as arguments: only those. Each line is a ratio measured in one
# run; a missed one is a finding to be explained, so the exit is 0 all the same.
set -eu
build=${SOV_BUILD:-$PWD/build}
under=${TMPDIR:-/tmp}
export SOV_BUILD="$build"
echo "sqlite $("$build/sov" version), $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg)"
[ $# -gt 0 ] || set -- append bulk cold verify pin published pages publish crowd supervise renew disk million
for name; do
    "$build/bench/bench" "$under" "$name"
done
