The whole loop, and what it must catch.

  $ sov demo store > out; echo $?; tail -1 out | sed "s|$HOME|HOME|"
  0
  ok: all of it lies in HOME/store
  $ grep -c '^\$ sov' out; grep '^TAMPER' out | head -1 | cut -c1-6; grep '^?' out | sort | uniq -c | sed 's,^ *,,'
  36
  TAMPER
  2 ? 1
  3 ? 4
  1 ? 6
  $ grep -A3 'account list' out | tail -3
  cash               11760  cent
  inventory/SKU-TEA  8      unit
  reserved/SKU-TEA   0      unit
  $ cd store && sov log | awk '{ print $4 }' | sort | uniq -c | sort -rn | head -4 | sed 's/^ *//'
  15 evidence.recorded
  8 account.posted
  5 verification.recorded
  5 key.registered
  $ sov demo store
  sov: conflict: store is not empty
    why      the name is taken [exists]
    inspect  sov show ID
    next     choose another
  ? 5
  $ sov demo --json other | sed 's/.*"ok"/"ok"/' | cut -c1-9
  "ok":true
