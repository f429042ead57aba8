The tutorial runs as it stands, and its last word is ok.

  $ sov help tutorial > tutorial.sh; sh -eu tutorial.sh > out 2> err; echo $?; tail -2 out; cat err
  0
  views    20 files equal, published size 52
  ok
  $ cd shop && sov show OUT-1 | head -1; sov account list | awk '{ print $1, $2 }'
  OUT-1  outcome  ACCEPTED
  cash 10080
  inventory/SKU-TEA 8
  reserved/SKU-TEA 0
  $ grep -c '^sov' tutorial.sh
  18
  $ cd shop && sov status --actor principal | sed 's/root [0-9a-f]*/root R/'
  last decisions
  12  principal  policy.adopted     policy  (the default policy of the founding)
  13  principal  policy.adopted     policy  (the policy that init was given)
  45  sparring   review.decided     REV-1   decision=accepted sow=SOW-1 receipt=RCP-1 verification=VER-1
  51  principal  acceptance.signed  ACC-1   outcome=OUT-1 term=1
  52  host       outcome.accepted   OUT-1   acceptance=ACC-1
  size 52  root R  published 52  pinned at 52
