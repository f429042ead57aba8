#!/bin/sh
# The generated pages: docs.sh DIR writes them there, from the rows of the sov that is found first.
# Beside them the JSON Schemas that the program ships.
# In the manual what stands between a "begin" and its "end" is generated, the rest is by hand.
set -eu
to=$1
src=${SRC:-$(pwd -P)}
mkdir -p "$to/docs" "$to/man"
for page in events verbs errors exit-codes; do
    sov __docs "$page" >"$to/docs/$page.md.new"
    mv "$to/docs/$page.md.new" "$to/docs/$page.md"
done
rm -rf "$to/fixtures/schemas/events" "$to/fixtures/schemas/results"
sov __docs schemas | while read -r folder words; do
    mkdir -p "$to/fixtures/schemas/$folder"
    sov schema $words >"$to/fixtures/schemas/$folder/$(echo "$words" | tr ' ' .).json"
done
awk '/^\.\\" begin / { print; system("sov __docs " $3); skip = 1; next }
     /^\.\\" end$/ { skip = 0 }
     !skip { print }
     { fflush() }' "$src/man/sov.1" >"$to/man/sov.1.new"
mv "$to/man/sov.1.new" "$to/man/sov.1"
