The tour of README.md runs as it stands, and so does the tutorial of the help.

  $ sed -n '/^<!-- tour/,/^```$/p' "$SRC/README.md" | grep -v '^```' | grep -v '^<!--' >tour
  $ grep -c '^sov ' tour
  11
  $ sh -e tour >said 2>&1 || { cat said; false; }
  $ tail -n 1 said
X
