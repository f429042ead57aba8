The tour of README.md runs as it stands, and so does the tutorial of the help.

  $ sed -n '/^<!-- tour/,/^```$/p' "$SRC/README.md" | grep -v '^```' | grep -v '^<!--' >tour
  $ grep -c '^sov ' tour
  11
  $ mkdir a && cd a && sh -e ../tour >../said 2>&1 || { cat ../said; false; }
  $ grep -c '(seq [0-9]*)$' said
  7
  $ tail -n 1 said
  ok
  $ mkdir b && cd b && sov init >/dev/null && sov help tutorial >../words
  > sh -e ../words >../said 2>&1 || { cat ../said; false; }
  $ tail -n 2 said
  ACC-1 accepted OUT-1 (seq 35)
    stock                 holds
