The crontab of docs/cron.md for an hour of its own time: silent, unless something was done.

  $ cat >store <<'END'
  > . "$SRC/tests/faults/store.sh"
  > at() { # MINUTE COMMAND...: with clocks that agree
  >     m=$1; shift
  >     SOV_TEST_CLOCK=2026-01-01T00:$(printf %02d "$m"):00.000Z SOV_TEST_BOOT_MS=$((1000000 + m * 60000)) "$@"
  > }
  > cron() { # MINUTE: what cron would run then; what it says is mailed
  >     at "$1" sov -C "$PWD" supervise | sed "s/^/00:$1 /"
  >     [ $(($1 % 5)) != 0 ] || at "$1" sov -C "$PWD" pulse | sed "s/^/00:$1 /"
  > }
  > plain() { sed -E 's/ \(seq [0-9]+\)//'; }
  > END

Each line of it is in the page.

  $ grep -A5 '^```' $SRC/docs/cron.md | grep -c 'sov -C /srv/shop'
  3

A sale at 3; the pulse of 5 makes work; who claims it at 7 is never heard again; one who comes at 31 does it.

  $ . ./store; store_enter hour; store_open
  $ . ./store; store_enter hour; for i in $(seq 1 6); do [ $i != 3 ] || at 3 store_sale 2; cron $i; done | plain
  00:5 SIG-1  fire need_open  OUT-1  SOW-1
  $ . ./store; store_enter hour; at 7 sov claim ASG-1 --actor operator --ttl 900 -q; at 7 sov claim start ASG-1 --fence $(sov log ASG-1 --type claim.acquired | awk '{ print $1 }') --actor operator | head -n 1 | cut -d' ' -f1,2
  ASG-1
  ASG-1 started
  $ . ./store; store_enter hour; for i in $(seq 8 30); do cron $i; done | plain
  00:23 ASG-1 expired, fence 29 held by operator since 2026-01-01T00:07:00.000Z, RCP-1
  00:24 ASG-1 workspace of fence 29 archived
  00:24 ASG-1 workspace of fence 29 removed
  $ . ./store; store_enter hour; export SOV_TEST_CLOCK=2026-01-01T00:31:00.000Z SOV_TEST_BOOT_MS=2860000; store sow retry SOW-1 --reason 'looked' --found did_not_happen --inspection 'nothing was ordered' --actor master; store assign SOW-1 --to operator --actor master; store_run ASG-2 6
  $ . ./store; store_enter hour; for i in $(seq 31 59); do cron $i; done | plain
  00:32 ASG-2 workspace of fence 41 archived
  00:32 ASG-2 workspace of fence 41 removed
  00:35 SIG-2  ignore no_rule
  $ . ./store; store_enter hour; store_books; sov verify -q; sov show assignments
  cash 10080 inventory/SKU-TEA 8
  ASG-1  FAILED     37  SOW-1, operator, self
  ASG-2  COMPLETED  53  SOW-1, operator, completed

The hour is missed, and the machine was off: the same end.

  $ . ./store; store_enter missed; store_open
  $ . ./store; store_enter missed; at 3 store_sale 2; cron 5 | plain; at 7 sov claim ASG-1 --actor operator --ttl 900 -q
  00:5 SIG-1  fire need_open  OUT-1  SOW-1
  ASG-1
  $ . ./store; store_enter missed; SOV_TEST_BOOT=00000000-0000-4000-8000-000000000002 SOV_TEST_CLOCK=2026-01-01T01:30:00.000Z SOV_TEST_BOOT_MS=90000 sov supervise | plain; sov show assignments
  ASG-1 expired, fence 29 held by operator since 2026-01-01T00:07:00.000Z
  ASG-1  CREATED  31  SOW-1, operator, OUT-1

The clock steps ten years, ahead or back: the same end.

  $ for y in 2016 2036; do (. ./store; store_enter y$y; store_open; at 3 store_sale 2; cron 5 >/dev/null; at 7 sov claim ASG-1 --actor operator --ttl 900 -q; for b in 2319000 2325000 2326000; do SOV_TEST_CLOCK=$y-01-01T00:30:00.000Z SOV_TEST_BOOT_MS=$b sov supervise; done | plain; sov show assignments | tail -n 1; sov verify -q); done
  ASG-1
  ASG-1 expired, fence 29 held by operator since 2026-01-01T00:07:00.000Z
  ASG-1  CREATED  32  SOW-1, operator, OUT-1
  ASG-1
  ASG-1 expired, fence 29 held by operator since 2026-01-01T00:07:00.000Z
  ASG-1  CREATED  31  SOW-1, operator, OUT-1

Two at once: each act once.

  $ . ./store; store_enter two; store_open; at 3 store_sale 2; cron 5 >/dev/null; at 7 sov claim ASG-1 --actor operator --ttl 900 -q
  ASG-1
  $ . ./store; store_enter two; for i in 1 2 3 4 5 6; do at 40 sov supervise & done | plain; wait; sov log --type claim.expired | wc -l; sov verify -q
  ASG-1 expired, fence 29 held by operator since 2026-01-01T00:07:00.000Z
  1
