The tour of README.md runs as it stands.

  $ sed -n '/^<!-- tour/,/^```$/p' "$SRC/README.md" | grep -v '^```' | grep -v '^<!--' >tour
  $ grep -c '^sov ' tour
  11
  $ mkdir a && cd a && sh -e ../tour >../said 2>&1 || { cat ../said; false; }
  $ grep -c '(seq [0-9]*)$' said
  7
  $ tail -n 1 said
  ok
