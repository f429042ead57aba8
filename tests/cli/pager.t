A pager where a person sits at both ends; never for a pipe, a machine, or who does not want one.

  $ sov init -q > id; on() { script -qec "$1" /dev/null < /dev/null | tr -d '\r'; }
  > on "NO_COLOR=1 SOV_PAGER='sed s/^/paged:/' sov log --last 1" | cut -c1-12
  paged:    12
  $ on() { script -qec "$1" /dev/null < /dev/null | tr -d '\r'; }
  > for c in "SOV_PAGER='sed s/^/paged:/' sov log --last 1 --no-pager" "CI=1 SOV_PAGER='sed s/^/paged:/' sov log --last 1" "SOV_PAGER='sed s/^/paged:/' sov actor list" "SOV_PAGER='sed s/^/paged:/' sov log --last 1 | cat" "SOV_PAGER=/no/such/pager NO_COLOR=1 sov log --last 1"; do on "$c" | grep -c paged; done
  0
  0
  0
  0
  0
  ? 1
  $ script -qec "SOV_PAGER=true sov help errors" /dev/null < /dev/null; echo $?
  0
  $ script -qec "SOV_PAGER=/no/such/pager NO_COLOR=1 sov help exit-codes" /dev/null < /dev/null | tr -d '\r' | head -1
    0  done, or the answer is yes; a noop is 0                      go on
  $ SOV_PAGER='sed s/^/paged:/' sov log --last 1 | cut -c1-6
      12
