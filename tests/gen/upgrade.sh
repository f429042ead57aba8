#!/bin/sh
# Freezes what this program leaves behind, for every later one to open: upgrade.sh VERSION, with the
# seeded program in PATH. It writes fixtures/upgrade/VERSION/: place.tar.gz (a ledger with rows in
# every kind of table, a live claim and an unpublished tail; its pages, keys and pin) and
# migrations.sha256. Once VERSION is released neither is ever written again.
set -eu
export LC_ALL=C TZ=UTC
src=$(pwd -P)
to=$src/fixtures/upgrade/$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work/home" SOV_TEST_SEED="upgrade $1" SOV_TEST_CLOCK=2026-01-31T23:30:00.000Z
umask 022
mkdir -p "$HOME" "$work/repo"
cd "$work/repo"
. "$src/tests/faults/store.sh"
store_agent=./agent.sh # the log keeps its name
cp "$src/tests/store_agent.sh" agent.sh
store_accepted
store ruling 'May we?' --decision 'Yes.' --reason 'It was always so.' --applies-to OUT-1 \
    --actor sparring
store mail send operator --subject 'Count the tea' --actor master
store mail claim MSG-1 --actor operator
printf '{"assignment":"ASG-1","kind":"replenishment","quantity":6,"subject":"SKU-TEA"}' |
    store approval request effect.commit --resource ASG-1 --args - --actor operator
store instance register desk --actor operator
store delivery queue mail "$src/LICENSE" --actor operator
store project
store_sale 6
store pulse
sov check OUT-1 --recheck --actor verifier >store.out || [ $? -eq 1 ]
store pulse
store claim ASG-2 --ttl 600 --actor operator
store verify --no-anchor
rm -rf store.out agent.sh .sovereign/runs .sovereign/*-journal
mkdir -p "$to"
cd "$work"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=2026-01-31T23:30:00Z -cf - home repo |
    gzip -9n >"$to/place.tar.gz"
(cd "$src" && sha256sum migrations/0*.sql) >"$to/migrations.sha256"
ls -l "$to"
