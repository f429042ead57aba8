#!/bin/sh
# T7: clocks that lie. The cases are tests/test_ledger_clocks.c, some 6,000 of them, of which a check
# runs 400 as one of its units; here all, and the builds that must not pass: a claim that is owned by
# the wall clock, and one that is taken inside what two clocks may differ by.
# One line replays a case:  T7=N build/test_ledger_clocks
. tests/faults/lib.sh
clocks="$build/test_ledger_clocks"
if [ "$tier" != pr ] || [ -n "${SOV_BROKEN:-}" ]; then
    ok "no clock takes what is held, or keeps what is left" "$clocks"
    sed -n 's/^clocks: /# /p' "$work/.said"
fi
if broken t07_wall test_ledger_clocks; then caught "ownership by the wall clock" tests/faults/t07_clocks.sh; fi
if broken t07_skew test_ledger_clocks; then caught "a theft inside the skew" tests/faults/t07_clocks.sh; fi
finish
