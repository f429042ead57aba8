The pages and the tables of the manual are those that the program's own rows give: else `make docs`.

  $ SRC=$SRC sh $SRC/tests/docs.sh made
  $ for page in events verbs errors exit-codes; do cmp $SRC/docs/$page.md made/docs/$page.md; done
  $ diff -r -x public $SRC/fixtures/schemas made/fixtures/schemas && find made/fixtures/schemas -name '*.json' | grep -c . | awk '{ print ($1 > 120 ? "enough" : $1) }'
  enough
  $ cmp $SRC/man/sov.1 made/man/sov.1

One that is killed in the middle leaves all that was there; what is no more goes with the next.

  $ mkdir dying; printf '#!/bin/sh\n[ "$*" != "schema key new" ] || kill -9 $PPID\nexec %s "$@"\n' "$(command -v sov)" > dying/sov; chmod +x dying/sov
  $ cp -a made old; (SRC=$SRC PATH=$PWD/dying:$PATH sh $SRC/tests/docs.sh made) 2> died || tail -n 1 died
  Killed
  $ diff -r -x schemas.new old made && ls made/fixtures
  schemas
  schemas.new
  $ touch made/fixtures/schemas/events/gone.json; SRC=$SRC sh $SRC/tests/docs.sh made; diff -r old made
  $ mandoc -Tlint -Wwarning made/man/sov.1
  $ sov __docs no-such-page
  sov: invalid: there is no page no-such-page
    why      the command was not called as its synopsis says [usage]
    inspect  sov help __docs
    next     call it as the synopsis says
    usage    sov __docs events|verbs|errors|exit-codes|man-options|man-verbs|man-exits|man-errors|schemas
  ? 2
