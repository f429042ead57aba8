#!/bin/sh
# The generated pages: docs.sh DIR writes them there, from the rows of the sov that is found first.
# Beside them the JSON Schemas that the program ships.
# In the manual what stands between a "begin" and its "end" is generated, the rest is by hand.
# Each file is written beside the old one, the schemas all of them first, and takes its name by a
# rename: whoever is killed here leaves every file whole, the old one or the new.
set -eu
to=$1
src=${SRC:-$(pwd -P)}
mkdir -p "$to/docs" "$to/man" "$to/fixtures/schemas"
for page in events verbs errors exit-codes; do
    sov __docs "$page" >"$to/docs/$page.md.new"
    mv "$to/docs/$page.md.new" "$to/docs/$page.md"
done
new=$to/fixtures/schemas.new
rm -rf "$new"
mkdir "$new"
sov __docs schemas >"$new/list"
while read -r folder words; do
    mkdir -p "$new/$folder" "$to/fixtures/schemas/$folder"
    sov schema $words >"$new/$folder/$(echo "$words" | tr ' ' .).json"
done <"$new/list"
for old in "$to"/fixtures/schemas/events/*.json "$to"/fixtures/schemas/results/*.json; do
    file=${old#"$to/fixtures/schemas/"}
    if [ -e "$new/$file" ]; then mv "$new/$file" "$old"; else rm -f "$old"; fi
done
(cd "$new" && find . -name '*.json') | while read -r file; do
    mv "$new/$file" "$to/fixtures/schemas/$file"
done
rm -rf "$new"
awk '/^\.\\" begin / { print; system("sov __docs " $3); skip = 1; next }
     /^\.\\" end$/ { skip = 0 }
     !skip { print }
     { fflush() }' "$src/man/sov.1" >"$to/man/sov.1.new"
mv "$to/man/sov.1.new" "$to/man/sov.1"
